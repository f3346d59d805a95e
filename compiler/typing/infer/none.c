// SPDX-License-Identifier: MIT
// Variables that are None before a loop, and that its turns set.
#include "compiler/typing/infer/infer.h"

// Whether a turn of the loop gives the variable something that has no type yet.
static bool awaits_turn(const struct ir_instr *phi)
{
    for (size_t i = 0; i < phi->operand_count; i++)
        if (phi->block->predecessors.items[i]->id >= phi->block->id &&
                phi->operands[i] != phi && !phi->operands[i]->type)
            return true;
    return false;
}

// Whether the function asks of the variable if it is None.
static bool is_asked(const struct infer *in, const struct ir_instr *phi)
{
    for (size_t i = 0; i < in->function->blocks.len; i++)
        ir_each_instr(instr, in->function->blocks.items[i])
        {
            bool is_identity =
                    instr->op == IR_COMPARE &&
                    (instr->compare == COMPARE_IS || instr->compare == COMPARE_IS_NOT);
            if (is_identity && (instr->operands[0] == phi || instr->operands[1] == phi))
                return true;
        }
    return false;
}

bool infer_awaits_turn(struct infer *in, const struct ir_instr *phi)
{
    bool waits = in->takes_none < TAKES_ALL && awaits_turn(phi) &&
                 !(in->takes_none == TAKES_ASKED && is_asked(in, phi));
    in->has_none = in->has_none || waits;
    return waits;
}

bool infer_take_none(struct infer *in)
{
    bool is_open = in->has_none && in->takes_none < TAKES_ALL;
    in->takes_none += is_open;
    return is_open;
}
