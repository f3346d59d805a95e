// SPDX-License-Identifier: MIT
// Variables to SSA values while the blocks are being made (Braun et al. 2013): each block
// knows its definitions, reads look through predecessors, phis are made where paths meet.
//
// "Simple and Efficient Construction of Static Single Assignment Form", Compiler
// Construction 2013. No dominance frontiers, no second walk: what a read needs is made
// when it is read. Reads in a block whose predecessors are not all known (a loop's head)
// get a phi without operands, which ssa_seal fills in. The paper removes a phi at once
// that turns out to merge one value; here they all go at the end, since removing one
// early would need lists of its uses.
#include "compiler/ir/lower/lower.h"

static void define(struct lowering *lw, int local, const struct ir_block *block,
        struct lower_definition definition)
{
    lw->blocks.items[block->id].definitions[local] = definition;
}

void ssa_write(struct lowering *lw, int local, struct ir_instr *value, struct span place)
{
    define(lw, local, lw->block,
            (struct lower_definition){value, place.line, ASSIGNMENT_SURE});
}

void ssa_note_value(struct lowering *lw, int local, struct ir_instr *value)
{
    define(lw, local, lw->block, (struct lower_definition){value, 0, ASSIGNMENT_SURE});
}

void ssa_name(struct lowering *lw, int local, struct ir_instr *value)
{
    value->variable = lw->ast->locals[local];
    value->version = lw->versions[local]++;
}

struct ir_instr *ssa_entry_constant(struct lowering *lw)
{
    struct ir_block *entry = lw->function->blocks.items[0];
    struct ir_instr *constant = ir_instr_create(lw->function, IR_CONST, 0, lw->ast->span);
    if (entry->first)
        ir_insert_before(entry->first, constant);
    else
        ir_append(entry, constant);
    return constant;
}

// A CONST without a type, one for each variable. Whether such a read is an error, typing
// says: it may be in code that types rule out.
struct ir_instr *ssa_undefined(struct lowering *lw, int local)
{
    if (lw->undefined[local])
        return lw->undefined[local];
    struct ir_instr *marker = ssa_entry_constant(lw);
    marker->variable = lw->ast->locals[local];
    return lw->undefined[local] = marker;
}

void ssa_forget(struct lowering *lw, int local)
{
    define(lw, local, lw->block,
            (struct lower_definition){.value = ssa_undefined(lw, local)});
    lw->is_forgotten[local] = true;
}

void ssa_note_assigned(
        struct lowering *lw, int local, struct span span, struct ir_instr *value)
{
    vec_push(&lw->assigned, (struct lower_assigned){local, span.line, value});
}

static struct ir_instr *new_phi(
        struct lowering *lw, int local, struct ir_block *block, struct span span)
{
    struct ir_instr *phi = ir_instr_create(lw->function, IR_PHI, 0, span);
    ssa_name(lw, local, phi);
    if (block->first)
        ir_insert_before(block->first, phi);
    else
        ir_append(block, phi);
    define(lw, local, block, (struct lower_definition){.value = phi});
    return phi;
}

static struct lower_definition definition_at(
        struct lowering *lw, int local, struct ir_block *block, struct span span);

// The operands come after the phi is the block's definition: through a loop the read may
// come back to this block, and finds the phi.
static void fill_phi(struct lowering *lw, int local, struct ir_instr *phi)
{
    size_t count = phi->block->predecessors.len;
    phi->operand_count = count;
    phi->operands = arena_array(&lw->function->arena, struct ir_instr *, count);
    phi->lines = arena_array(&lw->function->arena, int, count);
    for (size_t i = 0; i < count; i++) {
        struct lower_definition operand =
                definition_at(lw, local, phi->block->predecessors.items[i], phi->span);
        phi->operands[i] = operand.value;
        phi->lines[i] = operand.line;
    }
}

static struct lower_definition definition_at(
        struct lowering *lw, int local, struct ir_block *block, struct span span)
{
    struct lower_block *state = &lw->blocks.items[block->id];
    struct lower_definition found = state->definitions[local];
    if (found.value)
        return found;
    if (!state->is_sealed) {
        found.value = new_phi(lw, local, block, span);
        vec_push(&state->incomplete, (struct incomplete_phi){local, found.value, false});
        return found;
    }
    if (block->predecessors.len == 0) {
        found.value = ssa_undefined(lw, local);
    } else if (block->predecessors.len == 1) {
        found = definition_at(lw, local, block->predecessors.items[0], span);
    } else {
        found.value = new_phi(lw, local, block, span);
        fill_phi(lw, local, found.value);
        return found;
    }
    define(lw, local, block, found);
    return found;
}

struct ir_instr *ssa_read(
        struct lowering *lw, int local, struct ir_block *block, struct span span)
{
    return definition_at(lw, local, block, span).value;
}

void ssa_seal(struct lowering *lw, struct ir_block *block)
{
    lw->blocks.items[block->id].is_sealed = true;
    // reading through the predecessors can move lw->blocks, never this block's own list
    for (size_t i = 0; i < lw->blocks.items[block->id].incomplete.len; i++) {
        struct incomplete_phi incomplete =
                lw->blocks.items[block->id].incomplete.items[i];
        (incomplete.is_flag ? ssa_fill_flag : fill_phi)(
                lw, incomplete.local, incomplete.phi);
    }
}

// --- Cleaning up

static struct ir_instr *forwarded(struct ir_instr *const *forward, struct ir_instr *value)
{
    while (forward[value->id])
        value = forward[value->id];
    return value;
}

// The one value that a phi merges besides itself, or NULL when there are several.
static struct ir_instr *only_value(struct ir_instr *const *forward, struct ir_instr *phi)
{
    struct ir_instr *only = NULL;
    for (size_t i = 0; i < phi->operand_count; i++) {
        struct ir_instr *value = forwarded(forward, phi->operands[i]);
        if (value == phi || value == only)
            continue;
        if (only)
            return NULL;
        only = value;
    }
    return only;
}

// Where the value that is left of a phi was assigned.
static int line_of_only(const struct ir_instr *phi)
{
    for (size_t i = 0; phi->lines && i < phi->operand_count; i++)
        if (phi->lines[i])
            return phi->lines[i];
    return 0;
}

// Of an operand that is a removed phi: the line that this one knows. Loops of removed
// phis end, as `forward` has none.
static int forwarded_line(struct ir_instr *const *forward, const struct ir_instr *value)
{
    int line = 0;
    for (; !line && forward[value->id]; value = forward[value->id])
        line = line_of_only(value);
    return line;
}

// Until nothing changes: a phi that merged a trivial one may be trivial now. Operands are
// not rewritten meanwhile; `forward` says by id what stands for a removed value.
static void remove_trivial_phis(struct ir_function *function, struct ir_instr **forward)
{
    for (bool changed = true; changed;) {
        changed = false;
        vec_each (block, &function->blocks) {
            struct ir_instr *next;
            for (struct ir_instr *phi = (*block)->first; phi && phi->op == IR_PHI;
                    phi = next) {
                next = phi->next;
                struct ir_instr *only = only_value(forward, phi);
                if (!only)
                    continue;
                forward[phi->id] = only;
                ir_remove(phi);
                changed = true;
            }
        }
    }
}

static void forward_operands(
        struct ir_function *function, struct ir_instr *const *forward)
{
    vec_each (block, &function->blocks)
        ir_each_instr(instr, *block) for (size_t i = 0; i < instr->operand_count; i++)
        {
            if (instr->op == IR_PHI && instr->lines && !instr->lines[i])
                instr->lines[i] = forwarded_line(forward, instr->operands[i]);
            instr->operands[i] = forwarded(forward, instr->operands[i]);
        }
}

// --- Reads that no assignment reaches

static const struct ir_assigned *assigned_to(
        struct lowering *lw, struct ir_instr *const *forward, int local)
{
    struct arena *arena = &lw->function->arena;
    struct ir_assigned *out = arena_new(arena, struct ir_assigned);
    out->values = arena_array(arena, struct ir_instr *, lw->assigned.len + 1);
    out->lines = arena_array(arena, int, lw->assigned.len + 1);
    vec_each (assigned, &lw->assigned)
        if (assigned->local == local) {
            out->lines[out->len] = assigned->line;
            out->values[out->len++] = forwarded(forward, assigned->value);
        }
    return out;
}

bool ssa_is_assigned_before(const struct lowering *lw, int local, int line)
{
    vec_each (assigned, &lw->assigned)
        if (assigned->local == local)
            return assigned->line < line;
    return false;
}

// The value that a variable has before it is assigned: a phi of nothing, whose type is
// that of what is assigned elsewhere.
static struct ir_instr *unassigned_value(
        struct lowering *lw, struct ir_instr *const *forward, int local, struct span span)
{
    struct ir_block *entry = lw->function->blocks.items[0];
    struct ir_instr *phi = ir_instr_create(lw->function, IR_PHI, 0, span);
    phi->variable = lw->ast->locals[local];
    phi->assigned = assigned_to(lw, forward, local);
    ir_insert_before(entry->first, phi); // the marker is there, at least
    return phi;
}

// An instruction that reads a variable where only the text says that it was assigned
// before. That is no mistake to be refused: it can be known never to happen. Others keep
// the marker.
static void replace_unassigned(
        struct lowering *lw, struct ir_instr *const *forward, int local)
{
    struct ir_instr *marker = lw->undefined[local], *value = NULL;
    if (!marker || lw->is_forgotten[local])
        return;
    vec_each (block, &lw->function->blocks)
        ir_each_instr(instr, *block) for (size_t i = 0;
                                          instr->op != IR_PHI && i < instr->operand_count;
                                          i++)
        {
            if (instr->operands[i] != marker ||
                    !ssa_is_assigned_before(lw, local, instr->span.line))
                continue;
            if (!value)
                value = unassigned_value(lw, forward, local, instr->span);
            instr->operands[i] = value;
        }
}

// Through phis only: what is no phi is kept for its own sake.
static void mark_live(struct ir_instr *value, bool *is_live)
{
    if (value->op != IR_PHI || is_live[value->id])
        return;
    is_live[value->id] = true;
    for (size_t i = 0; i < value->operand_count; i++)
        mark_live(value->operands[i], is_live);
}

// Phis that only other such phis read would unify types that no one asks for.
static void remove_dead_phis(struct ir_function *function, bool *is_live)
{
    vec_each (block, &function->blocks)
        ir_each_instr(instr, *block) for (size_t i = 0;
                                          instr->op != IR_PHI && i < instr->operand_count;
                                          i++) mark_live(instr->operands[i], is_live);
    vec_each (block, &function->blocks) {
        struct ir_instr *next;
        for (struct ir_instr *phi = (*block)->first; phi && phi->op == IR_PHI;
                phi = next) {
            next = phi->next;
            if (!is_live[phi->id])
                ir_remove(phi);
        }
    }
}

void ssa_finish(struct lowering *lw)
{
    struct ir_function *function = lw->function;
    vec_each (block, &lw->blocks)
        vec_finish(&block->incomplete);
    ir_order_blocks(function);
    struct ir_instr **forward =
            memory_zalloc((size_t)(function->next_id + 1) * sizeof(struct ir_instr *));
    remove_trivial_phis(function, forward);
    forward_operands(function, forward);
    for (int local = 0; local < (int)lw->ast->local_count; local++)
        replace_unassigned(lw, forward, local);
    free(forward);
    ssa_settle_checks(lw);
    bool *is_live = memory_zalloc((size_t)function->next_id + 1);
    remove_dead_phis(function, is_live);
    free(is_live);
    lower_seek_read_behind(lw);
}
