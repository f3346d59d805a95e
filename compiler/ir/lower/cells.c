// SPDX-License-Identifier: MIT
// Variables that an inner function assigns ('nonlocal'): each is a list of one item,
// which the functions share. What reads and writes it is functions of the library.
#include "compiler/ir/lower/lower.h"
#include "compiler/types/source.h"

bool lower_is_cell(const struct lowering *lw, int local)
{
    return lw->ast->cells && lw->ast->cells[local];
}

// By name, like a user's call: the rules need not know that there are cells.
static struct ir_instr *emit_call(struct lowering *lw, const char *function,
        struct ir_instr *const *args, size_t count, struct span span)
{
    struct constant constant = {.type = type_function, .name = function};
    struct ir_instr *callee = lower_emit_constant(lw, constant, span);
    struct ir_instr *call = lower_emit(lw, IR_CALL, count + 1, span);
    call->operands[0] = callee;
    for (size_t i = 0; i < count; i++)
        call->operands[i + 1] = args[i];
    return call;
}

struct ir_instr *lower_read_cell(struct lowering *lw, int local, struct span span)
{
    struct ir_instr *cell = ssa_read(lw, local, lw->block, span);
    return emit_call(lw, "gridcell.cell_get", &cell, 1, span);
}

void lower_write_cell(
        struct lowering *lw, int local, struct ir_instr *value, struct span span)
{
    struct ir_instr *args[] = {ssa_read(lw, local, lw->block, span), value};
    emit_call(lw, "gridcell.cell_set", args, 2, span);
}

// Captured cells come as such; a function makes those of its own variables.
void lower_make_cells(struct lowering *lw)
{
    const struct source *source = lw->source;
    size_t captured =
            source->is_loop_part ? lw->function->param_count : source->capture_count;
    for (size_t i = 0; i < lw->ast->local_count; i++) {
        struct ir_instr *initial = NULL;
        bool is_captured = false;
        for (size_t k = 0; k < lw->function->param_count; k++) {
            int local = lw->ast->param_locals ? lw->ast->param_locals[k] : (int)k;
            if (local != (int)i)
                continue;
            is_captured = k < captured;
            initial = ssa_read(lw, local, lw->block, lw->ast->span);
        }
        if (!lower_is_cell(lw, (int)i) || is_captured)
            continue;
        struct ir_instr *cell = lower_emit(lw, IR_BUILD_LIST, 0, lw->ast->span);
        ssa_write(lw, (int)i, cell, lw->ast->span);
        if (initial)
            lower_write_cell(lw, (int)i, initial, lw->ast->span);
    }
}
