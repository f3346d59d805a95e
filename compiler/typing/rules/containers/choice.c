// SPDX-License-Identifier: MIT
// Functions in a tuple: one of them by an index that is computed, and its call.
#include <assert.h>

#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/containers/container.h"

static bool is_function(const struct type *type)
{
    return (type->kind == TYPE_DISPATCHER && type->source) ||
           (type->kind == TYPE_FUNCTION && type->function) || type->kind == TYPE_CLOSURE;
}

bool rule_is_functions(const struct type *tuple)
{
    for (size_t i = 0; i < tuple->tuple.len; i++)
        if (!is_function(tuple->tuple.items[i]))
            return false;
    return tuple->tuple.len > 0;
}

bool rule_choose(struct rule *r, const struct type *functions)
{
    assert(rule_is_functions(functions));
    r->type = type_choice(functions);
    if (!r->is_emitting)
        return true;
    struct ir_instr *parts[] = {
            rule_value(r, r->args[0]), rule_cast(r, r->args[1], type_int64)};
    r->value = rule_emit(r, IR_MAKE_CLOSURE, r->type, parts, 2);
    return true;
}

static struct ir_instr *argument_tuple(struct rule *r)
{
    struct ir_instr **args = r->instr->operands + 1;
    size_t count = r->instr->operand_count - 1;
    if (r->is_emitting)
        return rule_tuple(r, args, count);
    const struct type **types =
            arena_array(&r->in->function->arena, const struct type *, count + 1);
    for (size_t i = 0; i < count; i++)
        types[i] = args[i]->type;
    return rule_stand_in(r, type_tuple(types, count));
}

bool rule_call_choice(struct rule *r)
{
    assert(r->instr->operands[0]->type->kind == TYPE_CHOICE);
    struct ir_instr *choice = r->instr->operands[0], *args[3];
    r->name = "one of several functions";
    if (r->instr->call.keyword_count)
        return rule_no_match(r, "It is called without keywords.");
    for (size_t i = 0; i < 2; i++)
        args[i] = r->is_emitting ? rule_tuple_get(r, choice, i)
                                 : rule_stand_in(r, choice->type->tuple.items[i]);
    args[2] = argument_tuple(r);
    r->args = args;
    r->arg_count = 3;
    return rule_library(r, "functional.call_choice");
}
