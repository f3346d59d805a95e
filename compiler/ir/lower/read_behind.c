// SPDX-License-Identifier: MIT
// Variables that only turns of a prange loop set, and that are read behind it: which turn
// is the last depends on the threads. Such a loop runs turn after turn, as it is written.
// Who reads what is known at the end, so the function is lowered once more.
#include "compiler/ir/lower/lower.h"

void lower_note_forgetting(struct lowering *lw, const struct ast_node *loop, int local)
{
    vec_push(&lw->in_turn->forgetting, ((struct lower_forgetting){loop, local}));
}

const char *lower_read_behind(const struct lowering *lw, const struct ast_node *loop)
{
    vec_each (entry, &lw->in_turn->loops)
        if (entry->loop == loop)
            return lw->ast->locals[entry->local];
    return NULL;
}

// A phi has other values as well: one of them may be meant, and flags tell.
static bool reads(const struct ir_instr *instr, const struct ir_instr *marker)
{
    for (size_t i = 0; instr->op != IR_PHI && i < instr->operand_count; i++)
        if (instr->operands[i] == marker)
            return true;
    return false;
}

static bool is_read(const struct ir_function *function, const struct ir_instr *marker)
{
    vec_each (block, &function->blocks)
        ir_each_instr(instr, *block) if (reads(instr, marker)) return true;
    return false;
}

void lower_seek_read_behind(struct lowering *lw)
{
    vec_each (entry, &lw->in_turn->forgetting) {
        const struct ir_instr *marker = lw->undefined[entry->local];
        if (marker && !lower_read_behind(lw, entry->loop) &&
                is_read(lw->function, marker)) {
            vec_push(&lw->in_turn->loops, *entry);
            lw->in_turn->has_grown = true;
        }
    }
}
