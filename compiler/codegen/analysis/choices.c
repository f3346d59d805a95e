// SPDX-License-Identifier: MIT
// Loops that choose by a number, as `c == 32 or c == 9` does. LLVM makes a switch of it,
// and LLVM 19 has no vectors for a loop with a switch: the optimiser is told to turn
// switches back in a module with such loops (backends/cpu/jit.c).
#include "compiler/codegen/analysis/choices.h"

#include <assert.h>

enum {
    MOST_CASES = 8,  // of a number: a switch of more may be faster as a table
    MOST_TESTS = 64, // of a loop
};

static const struct ir_instr *without_casts(const struct ir_instr *instr)
{
    while (instr->op == IR_CAST && instr->type && instr->type->kind == TYPE_INT)
        instr = instr->operands[0];
    return instr;
}

// The number that is compared with a constant for equality, or NULL.
static const struct ir_instr *tested(const struct ir_instr *instr)
{
    if (instr->op != IR_COMPARE ||
            (instr->compare != COMPARE_EQ && instr->compare != COMPARE_NE) ||
            !type_is_integer(instr->operands[0]->type))
        return NULL;
    const struct ir_instr *left = without_casts(instr->operands[0]),
                          *right = without_casts(instr->operands[1]);
    if ((left->op == IR_CONST) == (right->op == IR_CONST))
        return NULL;
    return left->op == IR_CONST ? right : left;
}

// Whether two numbers are one, or the same item of an array, as far as LLVM finds out.
static bool is_same(const struct ir_instr *a, const struct ir_instr *b)
{
    bool is_load = a->op == IR_PRIMITIVE && b->op == IR_PRIMITIVE &&
                   a->primitive == PRIMITIVE_ARRAY_LOAD &&
                   b->primitive == PRIMITIVE_ARRAY_LOAD;
    if (a == b || !is_load || a->operands[0] != b->operands[0])
        return a == b;
    for (size_t i = 1; i < a->operand_count; i++)
        if (without_casts(a->operands[i]) != without_casts(b->operands[i]))
            return false;
    return true;
}

bool choices_in_loop(
        struct arena *arena, const struct flow *flow, const struct ir_block *header)
{
    assert(flow->is_header[header->id]);
    if (!flow->is_straight[header->id])
        return false;
    const bool *in_loop = flow_loop(arena, flow, header);
    const struct ir_instr *numbers[MOST_TESTS];
    size_t count = 0, cases = 1;
    for (size_t i = 0; i < flow->order_len; i++) {
        if (!in_loop[flow->order[i]->id])
            continue;
        ir_each_instr(instr, flow->order[i])
        {
            const struct ir_instr *number = tested(instr);
            if (!number || count == MOST_TESTS)
                continue;
            size_t same = 1;
            for (size_t k = 0; k < count; k++)
                same += is_same(numbers[k], number);
            cases = same > cases ? same : cases;
            numbers[count++] = number;
        }
    }
    return cases > 1 && cases <= MOST_CASES && count < MOST_TESTS;
}
