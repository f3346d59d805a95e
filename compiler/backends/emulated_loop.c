// SPDX-License-Identifier: MIT
// Loops over the threads of a block of the emulated device, and how they keep the first
// failure.
#include "compiler/backends/emulated_block.h"

void block_threads_open(struct block_entry *entry, struct thread_loops *threads)
{
    for (int i = 0; i < 3; i++) {
        int axis = 2 - i;
        value index =
                control_loop_open(&entry->body, entry->extent[axis], &threads->loops[i]);
        threads->coordinates[axis] =
                LLVMBuildTrunc(entry->gen->builder, index, entry->gen->i32, "");
    }
}

void block_threads_close(struct block_entry *entry, struct thread_loops *threads)
{
    for (int i = 2; i >= 0; i--)
        control_loop_close(&entry->body, &threads->loops[i]);
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

void block_note_failure(
        struct block_entry *entry, const value *coordinates, value slot, value status)
{
    struct codegen *gen = entry->gen;
    LLVMBuilderRef b = gen->builder;
    value number = coordinates[2];
    for (int axis = 1; axis >= 0; axis--) {
        value extent = LLVMBuildTrunc(b, entry->extent[axis], gen->i32, "");
        number = LLVMBuildAdd(
                b, LLVMBuildMul(b, number, extent, ""), coordinates[axis], "");
    }
    value order = LLVMBuildSub(b, value_i32(gen, MAX_THREADS - 1), number, "");
    value key =
            LLVMBuildOr(b, LLVMBuildShl(b, order, value_i32(gen, KEY_STATUS_BITS), ""),
                    LLVMBuildAnd(b, status, value_i32(gen, KEY_STATUS_MASK), ""), "");
    value is_failure = LLVMBuildICmp(b, LLVMIntNE, status, value_i32(gen, 0), "");
    value keys[2] = {LLVMBuildLoad2(b, gen->i32, slot, ""),
            value_select(gen, is_failure, key, value_i32(gen, 0))};
    LLVMBuildStore(
            b, codegen_intrinsic(gen, "llvm.umax", &gen->i32, 1, keys, 2, ""), slot);
}

// Leaves the block if a thread has failed.
void block_leave_on_failure(struct block_entry *entry, value slot)
{
    struct codegen *gen = entry->gen;
    LLVMBuilderRef b = gen->builder;
    LLVMBasicBlockRef failed = body_block(&entry->body, "failed");
    LLVMBasicBlockRef next = body_block(&entry->body, "next");
    value key = LLVMBuildLoad2(b, gen->i32, slot, "");
    LLVMBuildCondBr(
            b, LLVMBuildICmp(b, LLVMIntNE, key, value_i32(gen, 0), ""), failed, next);
    LLVMPositionBuilderAtEnd(b, failed);
    value order = LLVMBuildLShr(b, key, value_i32(gen, KEY_STATUS_BITS), "");
    value number = LLVMBuildSub(b, value_i32(gen, MAX_THREADS - 1), order, "");
    // the status may be negative: its sign goes back to where it was
    value unused = value_i32(gen, 32 - KEY_STATUS_BITS);
    value status = LLVMBuildAShr(b, LLVMBuildShl(b, key, unused, ""), unused, "");
    value coordinates[3];
    block_coordinates(entry, LLVMBuildZExt(b, number, gen->i64, ""), coordinates);
    block_return_failure(entry, status, coordinates);
    LLVMPositionBuilderAtEnd(b, next);
}
