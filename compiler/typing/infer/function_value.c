// SPDX-License-Identifier: MIT
// Functions that become values: what their type says they return is what they return.
#include "compiler/typing/infer/infer.h"
#include "compiler/typing/infer/rule.h"

static bool check_function(struct rule *r, const struct type *from, const struct type *to)
{
    if (from->kind != TYPE_DISPATCHER || !from->source)
        return true;
    struct signature signature = {.params = to->tuple.items,
            .param_count = to->tuple.len,
            .returns = to->element};
    const struct ir_function *callee =
            infer_callee(r->in, from->source, signature, r->instr->span);
    if (!callee || !callee->returns || callee->returns == to->element)
        return callee != NULL;
    return rule_fail(r, ERROR_TYPING, "%s returns %s, it is no %s", from->source->name,
            callee->returns->name, to->name);
}

bool rule_check_function_value(
        struct rule *r, const struct type *from, const struct type *to)
{
    to = rule_value_type(to);
    if (from->kind == TYPE_TUPLE && to->kind == TYPE_TUPLE &&
            from->tuple.len == to->tuple.len) {
        for (size_t i = 0; i < from->tuple.len; i++)
            if (!rule_check_function_value(r, from->tuple.items[i], to->tuple.items[i]))
                return false;
        return true;
    }
    if (to->kind != TYPE_CALLABLE || from == to)
        return true;
    const struct type *functions =
            from->kind == TYPE_CHOICE ? from->tuple.items[0] : NULL;
    for (size_t i = 0; functions && i < functions->tuple.len; i++)
        if (!check_function(r, functions->tuple.items[i], to))
            return false;
    return functions || check_function(r, from, to);
}
