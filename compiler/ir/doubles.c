// SPDX-License-Identifier: MIT
// Where a float64 literal or an integer makes float32 arithmetic run in double precision.
#include "compiler/ir/ir.h"

static bool has_float64(const struct type *type)
{
    return type == type_float64 || type == type_complex128 ||
           (type->kind == TYPE_ARRAY && has_float64(type->element));
}

// Typing has turned `x * 2.5`, x a float32, into a cast of x and a product of float64: on
// most GPUs at a small part of the speed, and seldom meant.
static bool is_widened(const struct ir_instr *value)
{
    return value->op == IR_CAST && value->operands[0]->type == type_float32;
}

static bool is_literal(const struct ir_instr *value)
{
    return value->op == IR_CONST && value->type == type_float64 && !value->origin;
}

// An integer with a float32 is a float64, as numba has it.
static bool is_integer(const struct ir_instr *value)
{
    return value->op == IR_CAST && value->operands[0]->type &&
           value->operands[0]->type->kind == TYPE_INT;
}

static bool widens(const struct ir_instr *value)
{
    return is_literal(value) || is_integer(value);
}

const struct ir_instr *ir_find_double(const struct ir_function *function)
{
    for (size_t i = 0; i < function->param_count; i++)
        if (has_float64(function->params[i]))
            return NULL; // double precision is what the caller asked for
    vec_each (block, &function->blocks) {
        ir_each_instr(instr, *block)
        {
            if (instr->op != IR_BINARY || instr->type != type_float64)
                continue;
            const struct ir_instr *left = instr->operands[0], *right = instr->operands[1];
            if ((widens(left) && is_widened(right)) ||
                    (widens(right) && is_widened(left)))
                return widens(left) ? left : right;
        }
    }
    return NULL;
}
