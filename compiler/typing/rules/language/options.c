// SPDX-License-Identifier: MIT
// Options by name on which the type of a result depends: the order of a new array, the
// method of quantiles. Those that are arguments of the function are asked for
// (literally), so that it is compiled for each name anew.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/typing/rules/language/language.h"

static bool ask_for(struct rule *r, size_t position, const char *option)
{
    assert(rule_has_arg(r, position));
    return literal_ask(r->in, r->args[position],
            arena_printf(&r->in->function->arena,
                    "`%s` of np.%s(), on which the type of the result depends,", option,
                    r->name),
            r->instr->span);
}

bool rule_settle_method(struct rule *r, size_t position)
{
    if (!rule_has_arg(r, position) || rule_constant(r->args[position]))
        return true;
    const struct type *type = rule_arg_type(r, 0);
    type = type->kind == TYPE_ARRAY ? type->element : type;
    bool is_text = rule_arg_type(r, position) == type_string;
    return !is_text || type == type_float64 || ask_for(r, position, "method");
}

// The letter as a capital, for functions that know those alone.
static void use_letter(struct rule *r, size_t position, const char *letter)
{
    struct constant constant = {
            .type = type_string, .string = {.text = letter, .len = 1}};
    struct ir_instr *value = arena_new(&r->in->function->arena, struct ir_instr);
    *value = (struct ir_instr){.op = IR_CONST, .type = type_string, .constant = constant};
    if (r->is_emitting)
        value = rule_constant_of(r, type_string, constant);
    rule_replace_arg(r, position, value);
}

// What makes rows in either order does not depend on it.
static bool makes_rows(const char *name)
{
    static const char names[] = "ravel flatten tobytes unravel_index ravel_multi_index";
    return words_have(names, name, strlen(name));
}

bool rule_settle_order(struct rule *r, size_t position)
{
    static const char letters[][2] = {"C", "F", "A", "K"};
    if (!rule_has_arg(r, position) || makes_rows(r->name))
        return true;
    if (rule_arg_type(r, position) == type_none) {
        rule_replace_arg(r, position, NULL);
        return true;
    }
    if (rule_arg_type(r, position) != type_string)
        return true;
    size_t len;
    const char *order = rule_constant_text(r->args[position], &len);
    if (!order)
        return ask_for(r, position, "order");
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        if (len != 1 ||
                (order[0] != letters[i][0] && order[0] != letters[i][0] + 'a' - 'A'))
            continue;
        use_letter(r, position, letters[i]);
        break;
    }
    return true; // what is no order fails when it runs
}
