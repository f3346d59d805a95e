// SPDX-License-Identifier: MIT
// Indices that a `range` loop moves evenly: factor * number + base.
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/bounds/bounds.h"
#include "compiler/codegen/bounds/even.h"

#include <assert.h>

enum { MOST_STEPS = 6 }; // from an index to a number of the loop around

static bool is_extent(const struct clamp *clamp, const struct ir_instr *instr)
{
    const struct ir_instr *from = instr->op == IR_TUPLE_GET ? instr->operands[0] : instr;
    enum ir_primitive wanted =
            from == instr ? PRIMITIVE_ARRAY_LEN : PRIMITIVE_ARRAY_SHAPE;
    return from->op == IR_PRIMITIVE && from->primitive == wanted &&
           even_is_fixed(clamp, from->operands[0]);
}

// Whether it is the number of an unrolled loop inside, which gives all its
// numbers in each turn, from low to high.
static bool is_spread(
        const struct clamp *clamp, const struct ir_instr *instr, struct even *even)
{
    const struct flow *flow = clamp->body->flow;
    const struct ir_instr *next = instr->op == IR_PAIR_FIRST ? instr->operands[0] : NULL;
    if (!next || !clamp->in_loop[next->block->id] || next->block == clamp->header ||
            !flow->is_unrolled[next->block->id] || !flow->is_straight[next->block->id] ||
            flow_deciding_iternext(next->block) != next)
        return false;
    int64_t start, stop, step;
    if (!flow_constant_range(next, &start, &stop, &step))
        return false;
    int64_t turns = step > 0 ? (stop - start + step - 1) / step
                             : (start - stop - step - 1) / -step;
    int64_t last = start + (turns - 1) * step;
    assert(step && even->factor == 0);
    *even = (struct even){0, start < last ? start : last, start < last ? last : start};
    return turns > 0;
}

static struct even scaled(struct even even, int64_t scale)
{
    int64_t low = even.low * scale, high = even.high * scale;
    return (struct even){
            even.factor * scale, low < high ? low : high, low < high ? high : low};
}

static bool moves(struct even even)
{
    return even.factor || even.low || even.high;
}

static bool is_within(int64_t number, int64_t most)
{
    return number >= -most && number <= most;
}

static bool find_product(const struct ir_instr *instr, struct even left,
        struct even right, struct even *even)
{
    const struct ir_instr *scale = instr->operands[moves(left) ? 1 : 0];
    *even = (struct even){0};
    if (!moves(left) && !moves(right))
        return true;
    if ((moves(left) && moves(right)) || scale->op != IR_CONST ||
            !is_within(scale->constant.integer, EVEN_MAX_FACTOR))
        return false;
    *even = scaled(moves(left) ? left : right, scale->constant.integer);
    return true;
}

static bool find_sum(const struct ir_instr *instr, struct even left, struct even right,
        struct even *even)
{
    switch (instr->binary) {
    case BINARY_ADD:
        *even = (struct even){
                left.factor + right.factor, left.low + right.low, left.high + right.high};
        return true;
    case BINARY_SUB:
        *even = (struct even){
                left.factor - right.factor, left.low - right.high, left.high - right.low};
        return true;
    case BINARY_MUL:
        return find_product(instr, left, right, even);
    default:
        return false;
    }
}

static bool is_negative(const struct ir_instr *instr)
{
    return instr->op == IR_UNARY && instr->unary == UNARY_NEGATIVE;
}

// In int64 alone, which typing gives most indices: the sums here are those of the code,
// and wrap as its do. Factors are small constants, or the search for the last turn would
// overflow.
bool even_find(const struct clamp *clamp, const struct ir_instr *instr, struct even *even)
{
    struct even left, right;
    *even = (struct even){.factor = instr == clamp->number};
    if (instr == clamp->number)
        return true;
    if (instr->op == IR_CAST && flow_is_int64(instr->type) && instr->operands[0]->type &&
            (instr->operands[0]->op == IR_CONST ||
                    flow_is_int64(instr->operands[0]->type)) &&
            instr->operands[0]->type->kind == TYPE_INT)
        return even_find(clamp, instr->operands[0], even);
    if (instr->op == IR_CONST)
        return instr->type->kind == TYPE_INT;
    if (!flow_is_int64(instr->type))
        return false;
    if (even_is_fixed(clamp, instr) || is_extent(clamp, instr) ||
            is_spread(clamp, instr, even))
        return true;
    if (is_negative(instr)) {
        bool is_found = even_find(clamp, instr->operands[0], &left);
        *even = is_found ? scaled(left, -1) : *even;
        return is_found;
    }
    return instr->op == IR_BINARY && flow_is_int64(instr->operands[0]->type) &&
           even_find(clamp, instr->operands[0], &left) &&
           even_find(clamp, instr->operands[1], &right) &&
           find_sum(instr, left, right, even) &&
           is_within(even->factor, EVEN_MAX_FACTOR) &&
           is_within(even->low, EVEN_MAX_SPREAD) &&
           is_within(even->high, EVEN_MAX_SPREAD);
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
    if (instr == clamp->number || instr->op == IR_PAIR_FIRST)
        return even_is_fixed(clamp, instr) ? clamp->body->values[instr->id][0] : NULL;
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
    value a = even_base(clamp, instr->operands[0]);
    if (is_negative(instr))
        return a ? LLVMBuildNeg(gen->builder, a, "") : NULL;
    value b = even_base(clamp, instr->operands[1]);
    if (instr->binary != BINARY_MUL)
        return added(gen, instr->binary == BINARY_ADD, a, b);
    return a && b ? LLVMBuildMul(gen->builder, a, b, "") : NULL;
}

value even_moved(const struct clamp *clamp, value base, int64_t by)
{
    struct codegen *gen = clamp->body->gen;
    return by ? added(gen, true, base, value_i64(gen, by)) : base;
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
            : a->op == IR_UNARY  ? a->unary != b->unary
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

static bool comes_of_turn(
        const struct clamp *clamp, const struct ir_instr *instr, int depth)
{
    assert(clamp->in_outer);
    if (!depth || !clamp->in_outer[instr->block->id])
        return false;
    if (instr->op == IR_PHI || instr->op == IR_PAIR_FIRST)
        return !clamp->in_loop[instr->block->id];
    for (size_t i = 0; i < instr->operand_count; i++)
        if (comes_of_turn(clamp, instr->operands[i], depth - 1))
            return true;
    return false;
}

bool even_varies(const struct clamp *clamp, const struct ir_instr *index)
{
    const struct ir_instr *range = clamp->range;
    if (!clamp->in_outer)
        return false;
    return comes_of_turn(clamp, index, MOST_STEPS) ||
           (range && (comes_of_turn(clamp, range->operands[0], MOST_STEPS) ||
                             comes_of_turn(clamp, range->operands[1], MOST_STEPS)));
}
