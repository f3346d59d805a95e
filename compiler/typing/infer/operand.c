// SPDX-License-Identifier: MIT
// The types of operands and arguments, as rules ask for them first, and their names.
#include <assert.h>
#include <string.h>

#include "compiler/typing/infer/rule.h"

const struct type *rule_value_type(const struct type *type)
{
    assert(type);
    if (type->kind == TYPE_OPTIONAL)
        type = type->element;
    return type->kind == TYPE_ENUM && type->enumeration.is_int ? type->element : type;
}

const struct type *rule_arg_type(const struct rule *r, size_t i)
{
    assert(r->args[i]);
    return rule_value_type(r->args[i]->type);
}

bool rule_is_text_array(const struct type *type)
{
    return type->kind == TYPE_ARRAY && type->element->kind == TYPE_CELLS;
}

bool rule_has_arg(const struct rule *r, size_t i)
{
    return i < r->arg_count && r->args[i];
}

void rule_replace_arg(struct rule *r, size_t i, struct ir_instr *value)
{
    struct ir_instr **args =
            arena_array(&r->in->function->arena, struct ir_instr *, r->arg_count + 24);
    memcpy(args, r->args, r->arg_count * sizeof *args);
    args[i] = value;
    r->args = args;
}

const char *infer_name_of(struct infer *in, const struct ir_instr *value)
{
    return value->variable ? arena_printf(&in->function->arena, "'%s'", value->variable)
                           : "this expression";
}
