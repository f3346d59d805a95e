// SPDX-License-Identifier: MIT
// A block of the emulated device without barriers, row by row of its threads, and inside
// of the kernel's own loop where that strides by the grid. Blocks side by side make
// longer rows where their threads do not ask which block they are in. In each row the
// threads that take the usual way run in a loop of their own, which vectorises
// (codegen/emulated/lanes.h); the others run one by one, and so do all that have long
// loops.
#include "compiler/backends/emulator/block.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/declare.h"
#include "compiler/codegen/control.h"
#include "compiler/codegen/loops/parallel.h"
#include "compiler/ir/analyses.h"

// The first failure of a row: the largest of keys made of the thread's number in the row,
// lower numbers first, and its status. 0 is none.
enum {
    STATUS_BITS = 21,
    STATUS_MASK = (1 << STATUS_BITS) - 1,
    LAST_LANE = EMULATED_ROW_THREADS - 1,
};

struct row {
    struct row_work work;
    struct block_entry *entry;
    const struct callee *kernel; // for single threads, without a turn
    struct {
        const struct ir_block *header; // NULL: the kernel runs whole
        value number;
    } turn;
    value count;          // of the row's threads, int64
    value coordinates[3]; // y and z of the row
    value failure;        // slot of the row's key
    value first, status;  // slots: number of the first thread that failed, int64; and how
};

// A loop over int32 numbers of threads in their row.
struct lane_loop {
    LLVMBasicBlockRef head, exit;
    value lane, back_edge;
};

static void lane_loop_open(
        struct body *body, value from, value to, struct lane_loop *loop)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b);
    loop->head = body_block_after(body, "lane");
    LLVMPositionBuilderAtEnd(b, loop->head);
    LLVMBasicBlockRef inside = body_block_after(body, "lane.body");
    LLVMPositionBuilderAtEnd(b, inside);
    loop->exit = body_block_after(body, "lane.end");
    LLVMPositionBuilderAtEnd(b, before);
    LLVMBuildBr(b, loop->head);
    LLVMPositionBuilderAtEnd(b, loop->head);
    loop->lane = LLVMBuildPhi(b, gen->i32, "lane");
    LLVMAddIncoming(loop->lane, &from, &before, 1);
    LLVMBuildCondBr(
            b, LLVMBuildICmp(b, LLVMIntSLT, loop->lane, to, ""), inside, loop->exit);
    LLVMPositionBuilderAtEnd(b, inside);
}

static void lane_loop_close(struct codegen *gen, struct lane_loop *loop)
{
    LLVMBuilderRef b = gen->builder;
    value next = LLVMBuildNSWAdd(b, loop->lane, value_i32(gen, 1), "");
    LLVMSetNUW(next, true);
    LLVMBasicBlockRef end = LLVMGetInsertBlock(b);
    LLVMAddIncoming(loop->lane, &next, &end, 1);
    loop->back_edge = LLVMBuildBr(b, loop->head);
    LLVMPositionBuilderAtEnd(b, loop->exit);
}

// --- Failures

// Without branches, so that the loop over threads still vectorises: the key of a thread
// that has not failed is 0, and loses.
static void note_failure(struct row *row, value lane, value status)
{
    struct codegen *gen = row->entry->gen;
    LLVMBuilderRef b = gen->builder;
    value order = LLVMBuildSub(b, value_i32(gen, LAST_LANE), lane, "");
    value key = LLVMBuildOr(b, LLVMBuildShl(b, order, value_i32(gen, STATUS_BITS), ""),
            LLVMBuildAnd(b, status, value_i32(gen, STATUS_MASK), ""), "");
    value is_failure = LLVMBuildICmp(b, LLVMIntNE, status, value_i32(gen, 0), "");
    value keys[2] = {LLVMBuildLoad2(b, gen->i32, row->failure, ""),
            value_select(gen, is_failure, key, value_i32(gen, 0))};
    LLVMBuildStore(b, codegen_intrinsic(gen, "llvm.umax", &gen->i32, 1, keys, 2, ""),
            row->failure);
}

// The number of a thread of the row among those of all blocks that run as one: block by
// block, as they would fail one after the other.
static value number_of(struct row *row, value lane)
{
    struct block_entry *entry = row->entry;
    LLVMBuilderRef b = entry->gen->builder;
    value parts[3] = {NULL}, x = LLVMBuildURem(b, lane, entry->extent[0], "");
    value number = LLVMBuildUDiv(b, lane, entry->extent[0], "");
    for (int axis = 2; axis >= 0; axis--) {
        parts[axis] =
                axis ? LLVMBuildZExt(b, row->coordinates[axis], entry->gen->i64, "") : x;
        number = LLVMBuildAdd(
                b, LLVMBuildMul(b, number, entry->extent[axis], ""), parts[axis], "");
    }
    return number;
}

// At the end of a row: keeps its failure if that comes before those of other rows.
static void keep_failure(struct row *row)
{
    struct codegen *gen = row->entry->gen;
    struct body *body = &row->entry->body;
    LLVMBuilderRef b = gen->builder;
    LLVMBasicBlockRef failed = body_block(body, "row.failed"),
                      next = body_block_after(body, "row.end");
    value key = LLVMBuildLoad2(b, gen->i32, row->failure, "");
    LLVMBuildCondBr(
            b, LLVMBuildICmp(b, LLVMIntNE, key, value_i32(gen, 0), ""), failed, next);
    LLVMPositionBuilderAtEnd(b, failed);
    value order = LLVMBuildLShr(b, key, value_i32(gen, STATUS_BITS), "");
    value lane = LLVMBuildSub(b, value_i32(gen, LAST_LANE), order, "");
    // the status may be negative: its sign goes back to where it was
    value unused = value_i32(gen, 32 - STATUS_BITS);
    value status = LLVMBuildAShr(b, LLVMBuildShl(b, key, unused, ""), unused, "");
    value number = number_of(row, LLVMBuildZExt(b, lane, gen->i64, ""));
    value first = LLVMBuildLoad2(b, gen->i64, row->first, "");
    value is_before = LLVMBuildICmp(b, LLVMIntULT, number, first, "");
    LLVMBuildStore(b, value_select(gen, is_before, number, first), row->first);
    value kept = LLVMBuildLoad2(b, gen->i32, row->status, "");
    LLVMBuildStore(b, value_select(gen, is_before, status, kept), row->status);
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, next);
}

// Leaves the function if a thread has failed.
static void leave_on_failure(struct row *row)
{
    struct block_entry *entry = row->entry;
    struct codegen *gen = entry->gen;
    LLVMBuilderRef b = gen->builder;
    LLVMBasicBlockRef failed = body_block(&entry->body, "failed"),
                      next = body_block_after(&entry->body, "next");
    value status = LLVMBuildLoad2(b, gen->i32, row->status, "");
    LLVMBuildCondBr(
            b, LLVMBuildICmp(b, LLVMIntNE, status, value_i32(gen, 0), ""), failed, next);
    LLVMPositionBuilderAtEnd(b, failed);
    value number = LLVMBuildLoad2(b, gen->i64, row->first, ""), coordinates[3];
    value threads = entry->extent[0];
    for (int axis = 1; axis < 3; axis++)
        threads = LLVMBuildMul(b, threads, entry->extent[axis], "");
    value block = LLVMBuildUDiv(b, number, threads, "");
    LLVMBuildStore(b, LLVMBuildTrunc(b, block, gen->i32, ""),
            value_offset(gen, entry->block,
                    offsetof(struct abi_emulated_block, failed_joined)));
    block_coordinates(entry, LLVMBuildURem(b, number, threads, ""), coordinates);
    block_return_failure(entry, status, coordinates);
    LLVMPositionBuilderAtEnd(b, next);
}

// --- A row

// The kernel, or its turn, inside of a loop over threads.
static struct body make_body(struct row *row)
{
    struct block_entry *entry = row->entry;
    struct body body = {.gen = entry->gen,
            .ir = entry->ir,
            .function = entry->body.function,
            .allocas = entry->body.allocas,
            .args = entry->args,
            .mode = RETURN_JUMP,
            .result = LLVMConstNull(entry->gen->ptr),
            .turn = {.header = row->turn.header,
                    .number = row->turn.number,
                    .any = row->work.any}};
    body.hidden[0] = entry->block;
    memcpy(body.hidden + 1, row->coordinates, 3 * sizeof *body.hidden);
    body.status_slot = value_alloca(&entry->body, entry->gen->i32, "status");
    return body;
}

// Status of the thread `lane`; the builder ends behind it.
static value emit_body(struct body *body, value lane)
{
    struct codegen *gen = body->gen;
    body->hidden[1] = lane;
    body->exit = body_block(body, "thread.end");
    body_emit(body);
    LLVMPositionBuilderAtEnd(gen->builder, body->exit);
    return LLVMBuildLoad2(gen->builder, gen->i32, body->status_slot, "");
}

// Threads apart from the usual ones are few: they share one copy of the kernel's code.
static value call_kernel(struct row *row, value lane)
{
    struct codegen *gen = row->entry->gen;
    value coordinates[3] = {lane, row->coordinates[1], row->coordinates[2]};
    value *args = block_thread_args(row->entry, LLVMConstNull(gen->ptr), coordinates);
    value status = LLVMBuildCall2(gen->builder, row->kernel->type, row->kernel->function,
            args, (unsigned)(5 + row->entry->arg_count), "");
    codegen_attribute(gen, status, LLVMAttributeFunctionIndex, "noinline", 0);
    return status;
}

static bool emit_thread(struct row_work *work, value lane, struct lanes *lanes)
{
    struct row *row = (struct row *)work;
    struct codegen *gen = row->entry->gen;
    value status;
    if ((work->is_usual && !work->is_plain) || row->turn.header) {
        struct body body = make_body(row);
        body.lanes = lanes;
        status = emit_body(&body, lane);
        LLVMBasicBlockRef here = LLVMGetInsertBlock(gen->builder);
        if (!codegen_emit_pending(gen)) // callees, which may have memory of their own
            return false;
        LLVMPositionBuilderAtEnd(gen->builder, here);
    } else {
        status = call_kernel(row, lane);
    }
    note_failure(row, lane, status);
    return true;
}

// The threads ahead of those that take the usual way and behind them.
static bool emit_others(
        struct block_entry *entry, value count, struct row_work *work, const value *usual)
{
    struct codegen *gen = entry->gen;
    LLVMBuilderRef b = gen->builder;
    struct counted_loop sides;
    struct lane_loop lanes;
    work->is_usual = false;
    count = LLVMBuildTrunc(b, count, gen->i32, "");
    value side = control_loop_open(&entry->body, value_i64(gen, 2), &sides);
    value is_ahead = LLVMBuildICmp(b, LLVMIntEQ, side, value_i64(gen, 0), "");
    lane_loop_open(&entry->body, value_select(gen, is_ahead, value_i32(gen, 0), usual[1]),
            value_select(gen, is_ahead, usual[0], count), &lanes);
    if (!work->emit(work, lanes.lane, NULL))
        return false;
    lane_loop_close(gen, &lanes);
    control_loop_close(&entry->body, &sides);
    loop_keep_scalar(gen, lanes.back_edge);
    loop_keep_scalar(gen, sides.back_edge);
    return true;
}

static void note_turn(struct codegen *gen, struct row_work *work, const value *usual)
{
    LLVMBuilderRef b = gen->builder;
    value any = LLVMBuildLoad2(b, gen->i1, work->any, "");
    value has_turn = LLVMBuildICmp(b, LLVMIntSLT, usual[0], usual[1], "");
    LLVMBuildStore(b, LLVMBuildOr(b, any, has_turn, ""), work->any);
}

bool block_row_emit(struct block_entry *entry, value count, struct row_work *work)
{
    assert(work->emit);
    struct codegen *gen = entry->gen;
    LLVMBuilderRef b = gen->builder;
    bool is_plain = gen->checks_shared || work->is_plain;
    struct lanes *lanes = is_plain ? NULL : lanes_open(gen, count);
    value slots[2], usual[2], ends[2] = {value_i64(gen, 0), count};
    LLVMBasicBlockRef head = LLVMGetInsertBlock(b),
                      row = body_block_after(&entry->body, "row");
    LLVMPositionBuilderAtEnd(b, row);
    for (int i = 0; i < 2; i++) {
        slots[i] = value_alloca(&entry->body, gen->i32, i ? "to" : "from");
        usual[i] = LLVMBuildLoad2(b, gen->i32, slots[i], i ? "to" : "from");
    }
    struct lane_loop loop;
    lane_loop_open(&entry->body, usual[0], usual[1], &loop);
    work->first = LLVMGetInsertBlock(b);
    work->is_usual = true;
    if (!work->emit(work, loop.lane, lanes))
        return false;
    lane_loop_close(gen, &loop);
    work->back_edge = loop.back_edge;
    LLVMPositionBuilderAtEnd(b, head);
    if (lanes)
        lanes_close(lanes, &ends[0], &ends[1]);
    for (int i = 0; i < 2; i++)
        LLVMBuildStore(b, LLVMBuildTrunc(b, ends[i], gen->i32, ""), slots[i]);
    LLVMBuildBr(b, row);
    LLVMPositionBuilderAtEnd(b, loop.exit);
    if (lanes && lanes->turn_first)
        note_turn(gen, work, usual);
    return !lanes || !lanes->assumptions || emit_others(entry, count, work, usual);
}

static bool emit_row(struct row *row)
{
    struct codegen *gen = row->entry->gen;
    LLVMBuildStore(gen->builder, value_i32(gen, 0), row->failure);
    if (!block_row_emit(row->entry, row->count, &row->work))
        return false;
    if (row->work.is_plain) {
        loop_keep_scalar(gen, row->work.back_edge);
    } else if (!gen->has_private_memory) {
        struct parallel_loop parallel = parallel_create(gen, block_parallel_kind());
        parallel_mark_blocks(gen, &parallel, row->work.first, NULL);
        parallel_mark_latch(
                gen, &parallel, &(struct counted_loop){.back_edge = row->work.back_edge});
    }
    keep_failure(row);
    return !codegen_failed(gen);
}

// All rows of the block.
static bool emit_rows(struct row *row)
{
    struct row_loop rows;
    block_rows_open(row->entry, &rows);
    for (int axis = 1; axis < 3; axis++)
        row->coordinates[axis] = rows.coordinates[axis];
    if (!emit_row(row))
        return false;
    block_rows_close(row->entry, &rows);
    leave_on_failure(row);
    return true;
}

// Slots that outlive one row: the failure that comes first among all rows.
static struct row make_row(struct block_entry *entry)
{
    struct codegen *gen = entry->gen;
    struct row row = {.work = {.emit = emit_thread},
            .entry = entry,
            .count = entry->extent[0],
            .failure = value_alloca(&entry->body, gen->i32, "failure"),
            .first = value_alloca(&entry->body, gen->i64, "first"),
            .status = value_alloca(&entry->body, gen->i32, "first.status")};
    if (entry->joins_blocks) {
        value joined =
                block_field(entry, gen->i32, offsetof(struct abi_emulated_block, joined));
        value_set_range(gen, joined, 1, EMULATED_ROW_THREADS + 1);
        joined = LLVMBuildZExt(gen->builder, joined, gen->i64, "");
        row.count = LLVMBuildNSWMul(gen->builder, row.count, joined, "");
    }
    row.coordinates[0] = value_i32(gen, 0);
    LLVMBuildStore(gen->builder, value_i64(gen, -1), row.first);
    LLVMBuildStore(gen->builder, value_i32(gen, 0), row.status);
    return row;
}

// Whether threads have long loops of their own: those keep the loop over the threads from
// being vectorised, and need the registers that it would take.
static bool has_long_loop(struct codegen *gen, const struct ir_function *ir)
{
    const struct flow *flow = gen->analyses->flow(&gen->arena, ir);
    for (size_t i = 0; i < flow->order_len; i++) {
        int id = flow->order[i]->id;
        if (flow->is_header[id] && !flow->is_brief[id])
            return true;
    }
    return false;
}

void emulated_loop_emit(struct block_entry *entry, const struct callee *kernel)
{
    struct row row = make_row(entry);
    row.kernel = kernel;
    assert(kernel->ir == entry->ir);
    row.work.is_plain = entry->gen->is_observed || entry->gen->has_line_hooks ||
                        has_long_loop(entry->gen, entry->ir);
    if (emit_rows(&row))
        block_close(entry);
}

// Turn after turn over all threads, until none has had one.
void emulated_turns_emit(struct block_entry *entry, const struct ir_block *header)
{
    assert(header);
    struct codegen *gen = entry->gen;
    LLVMBuilderRef b = gen->builder;
    struct row row = make_row(entry);
    value any = value_alloca(&entry->body, gen->i1, "any");
    value number_slot = value_alloca(&entry->body, gen->i64, "turn");
    LLVMBasicBlockRef turn = body_block(&entry->body, "turn");
    LLVMBuildStore(b, value_i64(gen, 0), number_slot);
    LLVMBuildBr(b, turn);
    LLVMPositionBuilderAtEnd(b, turn);
    block_check_stop(entry);
    LLVMBuildStore(b, value_bool(gen, false), any);
    value number = LLVMBuildLoad2(b, gen->i64, number_slot, "turn");
    row.turn.header = header;
    row.turn.number = number;
    row.work.any = any;
    if (!emit_rows(&row))
        return;
    LLVMBuildStore(b, LLVMBuildNSWAdd(b, number, value_i64(gen, 1), ""), number_slot);
    LLVMBasicBlockRef done = body_block(&entry->body, "done");
    LLVMBuildCondBr(b, LLVMBuildLoad2(b, gen->i1, any, ""), turn, done);
    LLVMPositionBuilderAtEnd(b, done);
    block_close(entry);
}
