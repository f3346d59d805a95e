// SPDX-License-Identifier: MIT
// Variables that have no value where they are read, on some path: Python raises
// UnboundLocalError there. Where each path assigns, which is nearly everywhere, there is
// nothing to do; elsewhere a flag goes along with the variable, as SSA values of its own.
#include <stdlib.h>

#include "base/memory.h"
#include "compiler/ir/lower/lower.h"

// Asked first of the predecessor that came first, the way into a loop: what is not
// assigned on it needs no look at the turns. While these are looked at, the head counts
// as assigned.
bool ssa_is_assigned(struct lowering *lw, int local, struct ir_block *block)
{
    struct lower_definition *here = &lw->blocks.items[block->id].definitions[local];
    if (here->assignment)
        return here->assignment == ASSIGNMENT_SURE;
    if (here->value && here->value == lw->undefined[local])
        return false;
    here->assignment = ASSIGNMENT_SURE;
    bool is_sure = block->predecessors.len > 0;
    for (size_t i = 0; is_sure && i < block->predecessors.len; i++)
        is_sure = ssa_is_assigned(lw, local, block->predecessors.items[i]);
    if (!is_sure)
        here->assignment = ASSIGNMENT_UNSURE;
    return is_sure;
}

// --- Flags

static struct ir_instr *truth(struct lowering *lw, bool is_true)
{
    if (!lw->truths[is_true]) {
        lw->truths[is_true] = ssa_entry_constant(lw);
        lw->truths[is_true]->constant =
                (struct constant){.type = type_bool, .integer = is_true};
    }
    return lw->truths[is_true];
}

static struct ir_instr *keep_flag(
        struct lowering *lw, int local, struct ir_block *block, struct ir_instr *flag)
{
    struct lower_block *state = &lw->blocks.items[block->id];
    if (!state->flags)
        state->flags = arena_array(
                &lw->function->arena, struct ir_instr *, lw->ast->local_count);
    return state->flags[local] = flag;
}

void ssa_fill_flag(struct lowering *lw, int local, struct ir_instr *phi)
{
    phi->operand_count = phi->block->predecessors.len;
    phi->operands =
            arena_array(&lw->function->arena, struct ir_instr *, phi->operand_count);
    for (size_t i = 0; i < phi->operand_count; i++)
        phi->operands[i] = ssa_flag(lw, local, phi->block->predecessors.items[i]);
}

struct ir_instr *ssa_flag(struct lowering *lw, int local, struct ir_block *block)
{
    struct lower_block *state = &lw->blocks.items[block->id];
    const struct lower_definition *here = &state->definitions[local];
    size_t count = block->predecessors.len;
    if (here->value && here->value == lw->undefined[local])
        return truth(lw, false);
    if (here->assignment == ASSIGNMENT_SURE)
        return truth(lw, true);
    if (state->flags && state->flags[local])
        return state->flags[local];
    if (state->is_sealed && count < 2)
        return keep_flag(lw, local, block,
                count ? ssa_flag(lw, local, block->predecessors.items[0])
                      : truth(lw, false));
    struct ir_instr *phi = ir_instr_create(lw->function, IR_PHI, 0, block->span);
    if (block->first)
        ir_insert_before(block->first, phi);
    else
        ir_append(block, phi);
    keep_flag(lw, local, block, phi);
    if (state->is_sealed)
        ssa_fill_flag(lw, local, phi);
    else
        vec_push(&state->incomplete, (struct incomplete_phi){local, phi, true});
    return phi;
}

// --- What checks cost: those that a loop would pay for at each turn are left out

static void mark_ways(
        const struct ir_block *block, const struct ir_block *head, bool *is_seen)
{
    if (is_seen[block->id])
        return;
    is_seen[block->id] = true;
    for (size_t i = 0; block != head && i < block->predecessors.len; i++)
        mark_ways(block->predecessors.items[i], head, is_seen);
}

// Whether `head` is the head of a loop that `block` is in. Only loops lead to a block of
// a smaller number.
static bool is_in_loop(const struct ir_function *function, const struct ir_block *block,
        const struct ir_block *head)
{
    bool *is_seen = memory_zalloc(function->blocks.len);
    for (size_t i = 0; i < head->predecessors.len; i++)
        if (head->predecessors.items[i]->id >= head->id)
            mark_ways(head->predecessors.items[i], head, is_seen);
    bool is_in = is_seen[block->id];
    free(is_seen);
    return is_in;
}

// Whether the flag changes from turn to turn of a loop, or once within the one that asks.
static bool is_carried(const struct ir_function *function, const struct ir_instr *flag,
        const struct ir_block *asks, char *states)
{
    enum { NEW, BEGUN, DONE };
    if (flag->op != IR_PHI || states[flag->id] == DONE)
        return false;
    if (states[flag->id] == BEGUN || is_in_loop(function, asks, flag->block))
        return true;
    states[flag->id] = BEGUN;
    for (size_t i = 0; i < flag->operand_count; i++)
        if (is_carried(function, flag->operands[i], asks, states))
            return true;
    states[flag->id] = DONE;
    return false;
}

void ssa_settle_checks(struct lowering *lw)
{
    vec_each (branch, &lw->checks) {
        char *states = memory_zalloc((size_t)lw->function->next_id + 1);
        if (is_carried(lw->function, (*branch)->operands[0], (*branch)->block, states))
            (*branch)->operands[0] = truth(lw, true);
        free(states);
    }
}
