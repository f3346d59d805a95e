// SPDX-License-Identifier: MIT
// Random numbers: Python's and NumPy's generators, whose state belongs to the calling
// thread.
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/numbers/numbers.h"

static bool is_available(struct rule *r)
{
    return rule_on_host(
            r, "%s() is not available in CUDA code: use numba.cuda.random", r->name);
}

bool rule_random(struct rule *r)
{
    return is_available(r) &&
           rule_do_primitive(r, (enum ir_primitive)r->data, type_float64, type_float64);
}

bool rule_random_word(struct rule *r)
{
    return is_available(r) &&
           rule_do_primitive(r, (enum ir_primitive)r->data, type_uint64, type_uint64);
}

bool rule_random_seed(struct rule *r)
{
    if (!is_available(r))
        return false;
    bool is_numpy = r->data == PRIMITIVE_RANDOM_SEED_NP;
    if (!rule_has_arg(r, 0) || rule_arg_type(r, 0) == type_none) {
        r->arg_count = 0; // from the system
        return rule_library(r, is_numpy ? "random_np.seed_anew" : "random_py.seed_anew");
    }
    int kind = rule_arg_type(r, 0)->kind;
    if (is_numpy && (kind == TYPE_ARRAY || kind == TYPE_LIST))
        return rule_library(r, "random_np.seed_words");
    if (!type_is_integer(rule_arg_type(r, 0)))
        return rule_no_match(r, "The seed must be an integer.");
    return rule_do_primitive(r, (enum ir_primitive)r->data, type_none, type_uint64);
}

// uniform(low, high): low + (high - low) * random, with NumPy's defaults 0 and 1
bool rule_random_uniform(struct rule *r)
{
    if (!is_available(r))
        return false;
    for (size_t i = 0; i < r->arg_count; i++)
        if (r->args[i] &&
                type_conversion(rule_arg_type(r, i), type_float64) == CONVERT_NEVER)
            return rule_no_match(r, "The bounds must be real numbers.");
    r->type = type_float64;
    if (!r->is_emitting)
        return true;
    struct ir_instr *low = rule_has_arg(r, 0) ? r->args[0] : rule_int(r, type_float64, 0);
    struct ir_instr *high =
            rule_has_arg(r, 1) ? r->args[1] : rule_int(r, type_float64, 1);
    struct ir_instr *width = rule_binary_op(r, BINARY_SUB, type_float64, high, low);
    struct ir_instr *random =
            rule_primitive(r, (enum ir_primitive)r->data, type_float64, NULL, 0);
    random = rule_binary_op(r, BINARY_MUL, type_float64, width, random);
    r->value = rule_binary_op(r, BINARY_ADD, type_float64, low, random);
    return true;
}
