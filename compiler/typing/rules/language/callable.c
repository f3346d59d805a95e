// SPDX-License-Identifier: MIT
// Calls of functions that are values: what a FunctionType says, and functions of C.
#include <assert.h>

#include "compiler/types/functions.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/language/language.h"

bool rule_call_value(struct rule *r)
{
    assert(r->instr->operands[0]->type->kind == TYPE_OPTIONAL ||
            r->instr->operands[0]->type->kind == TYPE_CALLABLE ||
            r->instr->operands[0]->type->kind == TYPE_FOREIGN);
    struct ir_instr *callee = r->instr->operands[0];
    const struct type *type = rule_value_type(callee->type);
    size_t count = type->tuple.len;
    r->name = type->name;
    r->args = r->instr->operands + 1;
    r->arg_count = r->instr->operand_count - 1;
    if (r->in->target != TARGET_HOST)
        return rule_fail(r, ERROR_UNSUPPORTED,
                "functions that are values are not supported in CUDA code.");
    if (r->instr->call.keyword_count || r->arg_count != count)
        return rule_no_match(r, "A function that is a value takes as many arguments as "
                                "its type says, without keywords.");
    for (size_t i = 0; i < count; i++)
        if (type_conversion(r->args[i]->type, type->tuple.items[i]) == CONVERT_NEVER)
            return rule_no_match(r, "An argument cannot be converted to what the "
                                    "function takes.");
    r->type = type->element;
    if (!r->is_emitting)
        return true;
    struct ir_instr **operands =
            arena_array(&r->in->function->arena, struct ir_instr *, count + 1);
    operands[0] = rule_cast(r, callee, type);
    for (size_t i = 0; i < count; i++)
        operands[i + 1] = rule_cast(r, r->args[i], type->tuple.items[i]);
    r->value = rule_primitive(r, PRIMITIVE_CALL_VALUE, r->type, operands, count + 1);
    return true;
}
