// SPDX-License-Identifier: MIT
// Loops over numbers whose result a formula gives.
#include "compiler/codegen/analysis/formula.h"

#include "compiler/types/type.h"

// Whether a value is the same in all turns, or a polynomial of the loop's number.
static bool is_polynomial(
        const struct ir_instr *term, const struct ir_block *loop, int depth)
{
    if (term->block != loop || term->op == IR_CONST)
        return term->op != IR_PHI || term->block != loop->predecessors.items[0];
    if (term->op == IR_PAIR_FIRST)
        return type_is_integer(term->type);
    bool is_sum = term->op == IR_BINARY &&
                  (term->binary == BINARY_ADD || term->binary == BINARY_SUB ||
                          term->binary == BINARY_MUL);
    return is_sum && depth && term->type == type_int64 &&
           is_polynomial(term->operands[0], loop, depth - 1) &&
           is_polynomial(term->operands[1], loop, depth - 1);
}

// Whether a loop does no more than add polynomials up: LLVM has a formula for it, which
// takes no time however many turns there are, unless strips are in the way.
bool formula_is_all(const struct ir_block *header)
{
    const struct ir_block *loop = header->last->targets[0];
    if (loop->predecessors.len != 1 || loop->predecessors.items[0] != header ||
            loop->last->op != IR_JUMP || loop->last->targets[0] != header)
        return false;
    ir_each_instr(instr, loop)
    {
        if (instr->op != IR_PAIR_FIRST && instr->op != IR_BINARY &&
                instr->op != IR_CONST && instr->op != IR_JUMP)
            return false;
    }
    ir_each_instr(phi, header)
    {
        if (phi->op != IR_PHI)
            break;
        const struct ir_instr *next = NULL;
        for (size_t i = 0; i < header->predecessors.len; i++)
            if (header->predecessors.items[i] == loop)
                next = phi->operands[i];
        bool is_sum = next && next->op == IR_BINARY && next->binary == BINARY_ADD &&
                      next->type == type_int64 && next->operands[0] == phi;
        if (!next || !is_polynomial(is_sum ? next->operands[1] : next, loop, 3))
            return false;
    }
    return true;
}
