// SPDX-License-Identifier: MIT
// Loops over the threads of a block of the emulated device, and how they keep the first
// failure.
#include "compiler/backends/emulator/block.h"

#include "base/machine.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/loops/parallel.h"

void block_rows_open(struct block_entry *entry, struct row_loop *rows)
{
    struct codegen *gen = entry->gen;
    LLVMBuilderRef b = gen->builder;
    value height = LLVMBuildTrunc(b, entry->extent[1], gen->i32, "");
    value count = LLVMBuildNSWMul(b, entry->extent[1], entry->extent[2], "");
    value index = control_loop_open(&entry->body, count, &rows->loop);
    value row = LLVMBuildTrunc(b, index, gen->i32, "");
    rows->coordinates[0] = NULL;
    rows->coordinates[1] = LLVMBuildURem(b, row, height, "");
    rows->coordinates[2] = LLVMBuildUDiv(b, row, height, "");
    rows->first = LLVMBuildNSWMul(b, index, entry->extent[0], "");
}

void block_rows_close(struct block_entry *entry, struct row_loop *rows)
{
    control_loop_close(&entry->body, &rows->loop);
    loop_keep_rolled(entry->gen, rows->loop.back_edge);
}

void block_threads_open(struct block_entry *entry, struct thread_loops *threads)
{
    LLVMBuilderRef b = entry->gen->builder;
    block_rows_open(entry, &threads->rows);
    value index = control_loop_open(&entry->body, entry->extent[0], &threads->loop);
    threads->coordinates[0] = LLVMBuildTrunc(b, index, entry->gen->i32, "");
    for (int axis = 1; axis < 3; axis++)
        threads->coordinates[axis] = threads->rows.coordinates[axis];
    threads->number = LLVMBuildNSWAdd(b, threads->rows.first, index, "");
}

void block_threads_close(struct block_entry *entry, struct thread_loops *threads)
{
    control_loop_close(&entry->body, &threads->loop);
    block_rows_close(entry, &threads->rows);
}

// Rows are short. Where the processor masks vectors, one loop is enough for all threads
// of a row; elsewhere those that fill no vector take another, which is more to compile.
enum parallel_kind block_parallel_kind(void)
{
    return machine_has_masks() ? PARALLEL_MASKED : PARALLEL_SHORT;
}

// A loop over threads that may fail does not stop at the first failure, for that would
// keep it from being vectorised: it keeps the largest of keys made of the thread's
// number, lower numbers first, and its status. 0 is no failure.
enum {
    KEY_STATUS_BITS = 21,
    KEY_STATUS_MASK = (1 << KEY_STATUS_BITS) - 1,
    MAX_THREADS = 1024
};

value block_failure_slot(struct block_entry *entry)
{
    struct codegen *gen = entry->gen;
    value slot = value_alloca(&entry->body, gen->i32, "failure");
    LLVMBuildStore(gen->builder, value_i32(gen, 0), slot);
    return slot;
}

void block_note_failure(struct block_entry *entry, value number, value slot, value status)
{
    struct codegen *gen = entry->gen;
    LLVMBuilderRef b = gen->builder;
    value order = LLVMBuildSub(b, value_i32(gen, MAX_THREADS - 1),
            LLVMBuildTrunc(b, number, gen->i32, ""), "");
    value key =
            LLVMBuildOr(b, LLVMBuildShl(b, order, value_i32(gen, KEY_STATUS_BITS), ""),
                    LLVMBuildAnd(b, status, value_i32(gen, KEY_STATUS_MASK), ""), "");
    value is_failure = LLVMBuildICmp(b, LLVMIntNE, status, value_i32(gen, 0), "");
    value keys[2] = {LLVMBuildLoad2(b, gen->i32, slot, ""),
            value_select(gen, is_failure, key, value_i32(gen, 0))};
    LLVMBuildStore(
            b, codegen_intrinsic(gen, "llvm.umax", &gen->i32, 1, keys, 2, ""), slot);
}

// The end of a block in which a thread has failed.
static void emit_failed(struct block_entry *entry, value slot)
{
    struct codegen *gen = entry->gen;
    LLVMBuilderRef b = gen->builder;
    LLVMPositionBuilderAtEnd(b, entry->failed);
    value key = LLVMBuildLoad2(b, gen->i32, slot, "");
    value order = LLVMBuildLShr(b, key, value_i32(gen, KEY_STATUS_BITS), "");
    value number = LLVMBuildSub(b, value_i32(gen, MAX_THREADS - 1), order, "");
    // the status may be negative: its sign goes back to where it was
    value unused = value_i32(gen, 32 - KEY_STATUS_BITS);
    value status = LLVMBuildAShr(b, LLVMBuildShl(b, key, unused, ""), unused, "");
    value coordinates[3];
    block_coordinates(entry, LLVMBuildZExt(b, number, gen->i64, ""), coordinates);
    block_return_failure(entry, status, coordinates);
}

// Leaves the block if a thread has failed.
void block_leave_on_failure(struct block_entry *entry, value slot)
{
    struct codegen *gen = entry->gen;
    LLVMBuilderRef b = gen->builder;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(b),
                      next = body_block(&entry->body, "next");
    if (!entry->failed) {
        entry->failed = body_block(&entry->body, "failed");
        emit_failed(entry, slot);
        LLVMPositionBuilderAtEnd(b, here);
    }
    value key = LLVMBuildLoad2(b, gen->i32, slot, "");
    value is_failure = LLVMBuildICmp(b, LLVMIntNE, key, value_i32(gen, 0), "");
    LLVMBuildCondBr(b, is_failure, entry->failed, next);
    LLVMPositionBuilderAtEnd(b, next);
}
