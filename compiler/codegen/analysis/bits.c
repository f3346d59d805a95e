// SPDX-License-Identifier: MIT
// While loops that take bits off a number until none is left:
//
//   header: x = phi(before: start, latch: x & (x - 1))
//   test:   branch x != 0, on, out
#include "compiler/codegen/analysis/bits.h"
#include "compiler/codegen/analysis/ends.h"

#include "compiler/types/type.h"

#include <assert.h>

enum { BITS = 64 };

struct bit_loop {
    const bool *in_loop;
    const struct ir_block *header, *latch;
};

// The number that the block's end leads out of the loop for when it is 0, and whether
// also when it is negative; or NULL.
static const struct ir_instr *tested_for_zero(
        const struct bit_loop *loop, const struct ir_block *block, bool *is_positive)
{
    const struct ir_instr *branch = block->last;
    *is_positive = false;
    if (branch->op != IR_BRANCH || !loop->in_loop[branch->targets[0]->id] ||
            loop->in_loop[branch->targets[1]->id])
        return NULL;
    const struct ir_instr *test = branch->operands[0];
    if (test->op == IR_CAST)
        return test->operands[0];
    if (test->op != IR_COMPARE)
        return NULL;
    bool is_zero_left = ends_is_constant_within(test->operands[0], 0, 0);
    *is_positive = test->compare == (is_zero_left ? COMPARE_LT : COMPARE_GT);
    bool is_for_zero = (test->compare == COMPARE_NE || *is_positive) &&
                       (is_zero_left || ends_is_constant_within(test->operands[1], 0, 0));
    return is_for_zero ? test->operands[is_zero_left] : NULL;
}

static bool is_lowest_bit(const struct ir_instr *bit, const struct ir_instr *number)
{
    if (bit->op != IR_BINARY || bit->binary != BINARY_AND)
        return false;
    for (int side = 0; side < 2; side++) {
        const struct ir_instr *other = bit->operands[!side];
        if (bit->operands[side] == number && other->op == IR_UNARY &&
                other->unary == UNARY_NEGATIVE && other->operands[0] == number)
            return true;
    }
    return false;
}

// Whether `next` is the number but for its lowest bit that is set.
static bool clears_lowest_bit(const struct ir_instr *next, const struct ir_instr *number)
{
    if (next->binary == BINARY_SUB || next->binary == BINARY_XOR)
        return next->operands[0] == number && is_lowest_bit(next->operands[1], number);
    for (int side = 0; next->binary == BINARY_AND && side < 2; side++) {
        const struct ir_instr *less = next->operands[!side];
        if (next->operands[side] == number && less->op == IR_BINARY &&
                less->binary == BINARY_SUB && less->operands[0] == number &&
                ends_is_constant_within(less->operands[1], 1, 1))
            return true;
    }
    return false;
}

// Whether `next` is a number that is not negative, with a bit less at least.
static bool is_shortened(const struct ir_instr *next, const struct ir_instr *number)
{
    const struct ir_instr *by = next->operands[1];
    return next->operands[0] == number &&
           ((next->binary == BINARY_FLOORDIV &&
                    ends_is_constant_within(by, 2, INT64_MAX)) ||
                   (next->binary == BINARY_RSHIFT &&
                           ends_is_constant_within(by, 1, BITS - 1)));
}

// Whether each turn takes a bit off a number, and the loop ends when none is left.
static bool loses_bits(const struct bit_loop *loop, const struct ir_block *block)
{
    bool is_positive;
    const struct ir_instr *number = tested_for_zero(loop, block, &is_positive);
    if (!number || number->op != IR_PHI || number->block != loop->header ||
            number->type->kind != TYPE_INT || loop->header->predecessors.len != 2)
        return false;
    bool is_second = loop->header->predecessors.items[1] == loop->latch;
    const struct ir_instr *start = number->operands[!is_second],
                          *next = number->operands[is_second];
    if (next->op != IR_BINARY || next->type != number->type)
        return false;
    is_positive |= !number->type->is_signed || ends_is_never_negative(start);
    return clears_lowest_bit(next, number) || (is_positive && is_shortened(next, number));
}

bool bits_run_out(const struct flow *flow, const bool *in_loop,
        const struct ir_block *header, const struct ir_block *latch)
{
    assert(flow->is_header[header->id] && in_loop[latch->id]);
    const struct bit_loop loop = {in_loop, header, latch};
    for (const struct ir_block *block = latch; block != header;
            block = flow->dominator[block->id])
        if (loses_bits(&loop, block))
            return true;
    return loses_bits(&loop, header);
}
