// SPDX-License-Identifier: MIT
// Functions that a program's own generators wrote as LLVM's text.
#include "compiler/types/kinds.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/language/language.h"

enum { MAX_PARAMETERS = 64 };

// What has registers, which numba/core/written/text.py brings to numba's form and back:
// it says which types it knows.
static bool is_bridged(const struct type *type)
{
    enum type_role role = type_traits_of(type)->role;
    return role == ROLE_VALUE || role == ROLE_HOST;
}

static bool convert_arguments(struct rule *r, struct ir_instr **operands, size_t *count)
{
    for (size_t i = 4; i + 1 < r->arg_count; i += 2) {
        const struct type *declared = rule_dtype(r->args[i]);
        const struct type *given = rule_arg_type(r, i + 1);
        if (*count == MAX_PARAMETERS || !declared || !is_bridged(declared) ||
                type_conversion(given, declared) == CONVERT_NEVER)
            return rule_fail(r, ERROR_TYPING,
                    "%s() is given %s where its signature says %s",
                    rule_constant(r->args[0])->string.text, given->name,
                    declared ? declared->name : "what is no type");
        if (r->is_emitting)
            operands[*count] = rule_cast(r, r->args[i + 1], declared);
        ++*count;
    }
    return true;
}

// llvm_text("name", "text", is pure, result type, type, argument, type, argument...)
bool rule_llvm_text(struct rule *r)
{
    const struct constant *name = rule_constant(r->args[0]);
    const struct constant *text = rule_constant(r->args[1]);
    const struct type *result = rule_dtype(r->args[3]);
    struct ir_instr *operands[MAX_PARAMETERS];
    size_t count = 2;
    int64_t is_pure;
    bool is_known = name && name->type == type_string && text &&
                    text->type == type_string &&
                    rule_constant_int(r->args[2], &is_pure) && result;
    if (!is_known)
        return rule_no_match(r, "It takes a name, a text, a number and types.");
    if (!is_bridged(result))
        return rule_fail(
                r, ERROR_TYPING, "%s() cannot give %s", name->string.text, result->name);
    if (!convert_arguments(r, operands, &count))
        return false;
    r->type = result;
    if (!r->is_emitting)
        return true;
    operands[0] = rule_value(r, r->args[0]);
    operands[1] = rule_value(r, r->args[1]);
    r->value = rule_primitive(r, PRIMITIVE_LLVM_TEXT, result, operands, count);
    r->value->immediate = is_pure ? LLVM_TEXT_IS_PURE : 0;
    return true;
}
