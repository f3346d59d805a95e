// SPDX-License-Identifier: MIT
// Builtins that are functions of the library, by how many arguments they are given.
#include "compiler/typing/builtins.h"

#include <string.h>

bool rule_by_count(struct rule *r)
{
    static const struct {
        const char *name;
        size_t count;
        const char *library;
    } functions[] = {
            {"next", 1, "functional.next_item"},
            {"next", 2, "functional.next_or"},
            {"map", 2, "functional.map1"},
            {"map", 3, "functional.map2"},
            {"map", 4, "functional.map3"},
            {"reduce", 2, "functional.reduce_first"},
            {"reduce", 3, "functional.reduce_from"},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!strcmp(functions[i].name, r->name) && functions[i].count == r->arg_count)
            return rule_library(r, functions[i].library);
    return rule_no_match(r, "It is not supported with so many arguments.");
}

bool rule_filter(struct rule *r)
{
    bool is_none = r->args[0]->type == type_none;
    return rule_library(r, is_none ? "functional.filter_true" : "functional.filter_by");
}

bool rule_only_in_with(struct rule *r)
{
    return rule_fail(r, ERROR_UNSUPPORTED, "objmode() is for with statements only.");
}

bool rule_only_outside(struct rule *r)
{
    return rule_fail(r, ERROR_UNSUPPORTED,
            "a stencil in a compiled function is made by a call of stencil under that "
            "name; or define it with @stencil before the function, and call it here.");
}

// --- Functions in a tuple

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
    r->type = type_choice(functions);
    if (!r->is_emitting)
        return true;
    struct ir_instr *parts[] = {
            rule_value(r, r->args[0]), rule_cast(r, r->args[1], type_int64)};
    r->value = rule_emit(r, IR_MAKE_CLOSURE, r->type, parts, 2);
    return true;
}

static struct ir_instr *typed_part(struct rule *r, const struct type *type)
{
    struct ir_instr *part =
            ir_instr_create(r->in->function, IR_TUPLE_GET, 0, r->instr->span);
    part->type = type;
    return part;
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
    return typed_part(r, type_tuple(types, count));
}

bool rule_call_choice(struct rule *r)
{
    struct ir_instr *choice = r->instr->operands[0], *args[3];
    r->name = "one of several functions";
    if (r->instr->call.keyword_count)
        return rule_no_match(r, "It is called without keywords.");
    for (size_t i = 0; i < 2; i++)
        args[i] = r->is_emitting ? rule_tuple_get(r, choice, i)
                                 : typed_part(r, choice->type->tuple.items[i]);
    args[2] = argument_tuple(r);
    r->args = args;
    r->arg_count = 3;
    return rule_library(r, "functional.call_choice");
}
