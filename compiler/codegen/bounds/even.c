// SPDX-License-Identifier: MIT
// Indices that an innermost `range` loop moves evenly: factor * number + base.
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/bounds/bounds.h"
#include "compiler/codegen/bounds/even.h"

bool even_is_fixed(const struct clamp *clamp, const struct ir_instr *instr)
{
    return !clamp->in_loop[instr->block->id] && clamp->body->values[instr->id];
}

static bool is_extent(const struct clamp *clamp, const struct ir_instr *instr)
{
    const struct ir_instr *from = instr->op == IR_TUPLE_GET ? instr->operands[0] : instr;
    enum ir_primitive wanted =
            from == instr ? PRIMITIVE_ARRAY_LEN : PRIMITIVE_ARRAY_SHAPE;
    return from->op == IR_PRIMITIVE && from->primitive == wanted &&
           even_is_fixed(clamp, from->operands[0]);
}

// In int64 alone, which typing gives most indices: the sums here are those of the code,
// and wrap as its do. Factors are small constants, or the search for the last turn would
// overflow.
bool even_find_factor(
        const struct clamp *clamp, const struct ir_instr *instr, int64_t *factor)
{
    int64_t left, right;
    *factor = instr == clamp->number;
    if (instr == clamp->number)
        return true;
    if (instr->op == IR_CAST && bounds_is_int64(instr->type) &&
            instr->operands[0]->type &&
            (instr->operands[0]->op == IR_CONST ||
                    bounds_is_int64(instr->operands[0]->type)) &&
            instr->operands[0]->type->kind == TYPE_INT)
        return even_find_factor(clamp, instr->operands[0], factor);
    if (instr->op == IR_CONST)
        return instr->type->kind == TYPE_INT;
    if (!bounds_is_int64(instr->type))
        return false;
    if (even_is_fixed(clamp, instr) || is_extent(clamp, instr))
        return true;
    if (instr->op != IR_BINARY || !bounds_is_int64(instr->operands[0]->type) ||
            !even_find_factor(clamp, instr->operands[0], &left) ||
            !even_find_factor(clamp, instr->operands[1], &right))
        return false;
    const struct ir_instr *scale = instr->operands[left ? 1 : 0];
    switch (instr->binary) {
    case BINARY_ADD:
        *factor = left + right;
        break;
    case BINARY_SUB:
        *factor = left - right;
        break;
    case BINARY_MUL:
        if (left && right)
            return false;
        if ((left || right) &&
                (scale->op != IR_CONST || scale->constant.integer > EVEN_MAX_FACTOR ||
                        scale->constant.integer < -EVEN_MAX_FACTOR))
            return false;
        *factor = (left + right) * (left || right ? scale->constant.integer : 0);
        break;
    default:
        return false;
    }
    return *factor >= -EVEN_MAX_FACTOR && *factor <= EVEN_MAX_FACTOR;
}

static value added(struct codegen *gen, bool is_sum, value a, value b)
{
    if (!b)
        return a;
    if (!a)
        return is_sum ? b : LLVMBuildNeg(gen->builder, b, "");
    return is_sum ? LLVMBuildAdd(gen->builder, a, b, "")
                  : LLVMBuildSub(gen->builder, a, b, "");
}

value even_base(const struct clamp *clamp, const struct ir_instr *instr)
{
    struct codegen *gen = clamp->body->gen;
    if (instr == clamp->number)
        return NULL;
    if (instr->op == IR_CONST)
        return instr->constant.integer ? value_i64(gen, instr->constant.integer) : NULL;
    if (even_is_fixed(clamp, instr))
        return clamp->body->values[instr->id][0];
    if (instr->op == IR_CAST)
        return even_base(clamp, instr->operands[0]);
    if (is_extent(clamp, instr)) {
        const struct ir_instr *from =
                instr->op == IR_TUPLE_GET ? instr->operands[0] : instr;
        int axis = instr->op == IR_TUPLE_GET ? instr->index : 0;
        return clamp->body->values[from->operands[0]->id][ARRAY_SHAPE(axis)];
    }
    value a = even_base(clamp, instr->operands[0]),
          b = even_base(clamp, instr->operands[1]);
    if (instr->binary != BINARY_MUL)
        return added(gen, instr->binary == BINARY_ADD, a, b);
    return a && b ? LLVMBuildMul(gen->builder, a, b, "") : NULL;
}

bool even_is_same(const struct ir_instr *a, const struct ir_instr *b)
{
    if (a == b)
        return true;
    if (a->op != b->op || a->type != b->type || a->operand_count != b->operand_count)
        return false;
    if (a->op == IR_CONST)
        return a->type->kind == TYPE_INT && a->constant.integer == b->constant.integer;
    if (a->op == IR_TUPLE_GET    ? a->index != b->index
            : a->op == IR_BINARY ? a->binary != b->binary
                                 : a->op != IR_CAST && a->op != IR_PRIMITIVE)
        return false;
    if (a->op == IR_PRIMITIVE && (a->primitive != b->primitive ||
                                         (a->primitive != PRIMITIVE_ARRAY_LEN &&
                                                 a->primitive != PRIMITIVE_ARRAY_SHAPE)))
        return false;
    for (size_t i = 0; i < a->operand_count; i++)
        if (!even_is_same(a->operands[i], b->operands[i]))
            return false;
    return true;
}

value even_index_at(struct codegen *gen, const struct hoisted *hoisted, value number)
{
    LLVMBuilderRef b = gen->builder;
    value moved = NULL;
    if (hoisted->factor == 1 || hoisted->factor == -1)
        moved = number;
    else if (hoisted->factor)
        moved = LLVMBuildMul(b, number, value_i64(gen, hoisted->factor), "");
    value base = hoisted->base;
    if (hoisted->factor == -1)
        return base ? LLVMBuildSub(b, base, moved, "") : LLVMBuildNeg(b, moved, "");
    if (!moved || !base)
        return moved ? moved : base ? base : value_i64(gen, 0);
    return LLVMBuildAdd(b, moved, base, "");
}
