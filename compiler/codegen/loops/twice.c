// SPDX-License-Identifier: MIT
// Loops that are there twice, with questions and without (bounds/row.c): the blocks of
// the IR are emitted one time after the other, and what is kept by block or instruction
// is by then of the second copy.
#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/bounds/bounds.h"
#include "compiler/codegen/loops/strip.h"
#include "compiler/codegen/loops/twice.h"

#include <assert.h>

// All of the row's blocks begin anew, and its accesses ask.
static void begin_again(struct body *body, size_t place, size_t count)
{
    for (size_t i = place; i < place + count; i++) {
        const struct ir_block *block = body->flow->order[i];
        body->starts[block->id] = body_block(body, "seldom");
        body->ends[block->id] = NULL;
        body->bounds->rows[block->id] = NULL;
        ir_each_instr(instr, block) body->bounds->hoisted[instr->id] = 0;
    }
}

static void connect(struct body *body, size_t place, size_t count)
{
    for (size_t i = place; i < place + count; i++) {
        size_t number = 0;
        const struct ir_instr *phi = body->flow->order[i]->first;
        for (; phi->op == IR_PHI; phi = phi->next)
            body_connect_phi(body, phi, number++);
    }
}

size_t twice_emit(struct body *body, size_t place,
        void (*emit)(struct body *body, const struct ir_block *block))
{
    struct ir_block *const *order = body->flow->order;
    const struct ir_block *header = order[place];
    struct bounds_row *row = body->bounds->rows[header->id];
    if (!row)
        return 0;
    assert(row->is_in && row->entry && place + row->block_count <= body->flow->order_len);
    assert(!body->bounds->is_seldom && header->first->op != IR_PHI);
    LLVMBasicBlockRef usual = strip_start(body, header);
    emit(body, header);
    for (size_t i = place + 1; i < place + row->block_count;) {
        size_t inner = twice_emit(body, i, emit);
        if (!inner)
            emit(body, order[i]);
        i += inner ? inner : 1;
    }
    connect(body, place, row->block_count);
    begin_again(body, place, row->block_count);
    LLVMBasicBlockRef seldom = strip_begin_again(body, header);
    LLVMPositionBuilderAtEnd(body->gen->builder, row->entry);
    control_branch_unlikely(
            body, LLVMBuildNot(body->gen->builder, row->is_in, ""), seldom, usual);
    body->bounds->is_seldom = true;
    for (size_t i = place; i < place + row->block_count; i++)
        emit(body, order[i]);
    body->bounds->is_seldom = false;
    return row->block_count;
}
