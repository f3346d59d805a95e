// SPDX-License-Identifier: MIT
// A segment that is a loop without barriers, in which each thread strides by the block or
// the grid: turn after turn over all threads, so that they walk through memory side by
// side. What a thread carries from turn to turn is kept like what outlives a segment.
#include "compiler/backends/emulator/segments.h"

#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/base/value.h"

struct turns {
    struct row_work work;
    struct cutting *cutting;
    int index; // of the segment
    const struct ir_block *header;
    struct row_loop rows;
    bool is_again; // the segment has been emitted before
};

// Blocks of their own for what is emitted once more.
static void renew_blocks(struct turns *turns)
{
    const struct segments *segments = turns->cutting->segments;
    struct body *body = &turns->cutting->body;
    for (size_t i = 0; i < segments->flow->order_len; i++) {
        int id = segments->flow->order[i]->id;
        if (segments->of_block[id] != turns->index)
            continue;
        body->starts[id] = body_block(body, "again");
        body->ends[id] = NULL;
    }
}

// Emitted twice: for threads that take the usual way, and for the others.
static bool emit_thread(struct row_work *work, value lane, struct lanes *lanes)
{
    struct turns *turns = (struct turns *)work;
    struct cutting *cutting = turns->cutting;
    struct body *body = &cutting->body;
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    const struct segment *segment = &cutting->segments->list.items[turns->index];
    int exit = segment->target->id;
    value coordinates[3] = {lane, turns->rows.coordinates[1], turns->rows.coordinates[2]};
    value number = LLVMBuildNSWAdd(
            b, turns->rows.first, LLVMBuildZExt(b, lane, gen->i64, ""), "");
    if (turns->is_again)
        renew_blocks(turns);
    turns->is_again = true;
    cutting_begin_thread(cutting, coordinates, number);
    body->block = turns->header;
    if (lanes)
        lanes_begin(lanes, body, turns->header);
    body->lanes = lanes;
    body->turn.end = body_block(body, "turn.end");
    segments_each_use(cutting->segments, turns->index, cutting_load, cutting);
    // a thread that has no turn leaves what it carries as it is
    LLVMBasicBlockRef outside = body->starts[exit];
    body->starts[exit] = body->exit;
    cutting_emit_pieces(cutting, turns->index);
    body->starts[exit] = outside;
    body->lanes = NULL;
    if (codegen_failed(gen))
        return false;
    LLVMPositionBuilderAtEnd(b, body->turn.end);
    cutting_join(cutting, turns->header, turns->index);
    cutting_end_thread(cutting);
    return true;
}

static bool emit_rows(struct turns *turns)
{
    struct cutting *cutting = turns->cutting;
    struct block_entry *entry = cutting->entry;
    block_rows_open(entry, &turns->rows);
    if (!block_row_emit(entry, entry->extent[0], &turns->work))
        return false;
    vec_push(&cutting->back_edges, turns->work.back_edge);
    block_rows_close(entry, &turns->rows);
    block_leave_on_failure(entry, cutting->failure);
    return true;
}

void cutting_emit_turns(struct cutting *cutting, int index)
{
    struct body *body = &cutting->body;
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    const struct segment *segment = &cutting->segments->list.items[index];
    struct turns turns = {
            .work = {.emit = emit_thread,
                    .any = value_alloca(&cutting->entry->body, gen->i1, "any")},
            .cutting = cutting,
            .index = index,
            .header = vec_last(&segment->pieces).block};
    value number_slot = value_alloca(&cutting->entry->body, gen->i64, "turn");
    LLVMBasicBlockRef turn = body_block(body, "turn"), done = body_block(body, "done");
    LLVMBuildStore(b, value_i64(gen, 0), number_slot);
    LLVMBuildBr(b, turn);
    LLVMPositionBuilderAtEnd(b, turn);
    block_check_stop(cutting->entry);
    LLVMBuildStore(b, value_bool(gen, false), turns.work.any);
    value number = LLVMBuildLoad2(b, gen->i64, number_slot, "turn");
    body->turn.header = turns.header;
    body->turn.number = number;
    body->turn.any = turns.work.any;
    bool is_done = emit_rows(&turns);
    body->turn.header = NULL;
    if (!is_done)
        return;
    LLVMBuildStore(b, LLVMBuildNSWAdd(b, number, value_i64(gen, 1), ""), number_slot);
    LLVMBuildCondBr(b, LLVMBuildLoad2(b, gen->i1, turns.work.any, ""), turn, done);
    LLVMPositionBuilderAtEnd(b, done);
}
