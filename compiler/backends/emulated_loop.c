// SPDX-License-Identifier: MIT
// A block of the emulated device as a loop over its threads, which vectorises, and inside
// of the kernel's own loop where that strides by the grid.
#include "compiler/backends/emulated_block.h"

#include <string.h>

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

void block_note_failure(struct block_entry *entry, const struct thread_loops *threads,
        value slot, value status)
{
    struct codegen *gen = entry->gen;
    LLVMBuilderRef b = gen->builder;
    value number = threads->coordinates[2];
    for (int axis = 1; axis >= 0; axis--) {
        value extent = LLVMBuildTrunc(b, entry->extent[axis], gen->i32, "");
        number = LLVMBuildAdd(
                b, LLVMBuildMul(b, number, extent, ""), threads->coordinates[axis], "");
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

void emulated_loop_emit(struct block_entry *entry, const struct callee *kernel)
{
    struct codegen *gen = entry->gen;
    struct parallel_loop parallel = {0};
    if (!gen->has_private_memory)
        parallel = parallel_create(gen, true);
    value failure = block_failure_slot(entry);
    struct thread_loops threads;
    block_threads_open(entry, &threads);
    LLVMBasicBlockRef first = LLVMGetInsertBlock(gen->builder);
    value *args = block_thread_args(entry, LLVMConstNull(gen->ptr), threads.coordinates);
    value status = LLVMBuildCall2(gen->builder, kernel->type, kernel->function, args,
            (unsigned)(5 + entry->arg_count), "");
    codegen_attribute(gen, status, LLVMAttributeFunctionIndex, "alwaysinline", 0);
    block_note_failure(entry, &threads, failure, status);
    parallel_mark_blocks(gen, &parallel, first, LLVMGetInsertBlock(gen->builder));
    block_threads_close(entry, &threads);
    parallel_mark_latch(gen, &parallel, &threads.loops[2]);
    block_leave_on_failure(entry, failure);
    block_close(entry);
}

// The body of the kernel for turn `number` of its loop, for the thread that the loops
// stand at; returns its status.
static value emit_turn(struct block_entry *entry, const struct thread_loops *threads,
        const struct ir_block *header, value number, value any)
{
    struct codegen *gen = entry->gen;
    struct body body = {.gen = gen,
            .ir = entry->ir,
            .function = entry->body.function,
            .allocas = entry->body.allocas,
            .args = entry->args,
            .mode = RETURN_JUMP,
            .result = LLVMConstNull(gen->ptr),
            .turn = {.header = header, .number = number, .any = any}};
    body.hidden[0] = entry->block;
    memcpy(body.hidden + 1, threads->coordinates, 3 * sizeof *body.hidden);
    body.status_slot = value_alloca(&entry->body, gen->i32, "status");
    body.exit = body_block(&body, "thread.end");
    body_emit(&body);
    LLVMPositionBuilderAtEnd(gen->builder, body.exit);
    return LLVMBuildLoad2(gen->builder, gen->i32, body.status_slot, "");
}

// Turn after turn over all threads, until none has had one.
void emulated_turns_emit(struct block_entry *entry, const struct ir_block *header)
{
    struct codegen *gen = entry->gen;
    LLVMBuilderRef b = gen->builder;
    struct parallel_loop parallel = parallel_create(gen, true);
    value any = value_alloca(&entry->body, gen->i1, "any"),
          failure = block_failure_slot(entry);
    value number_slot = value_alloca(&entry->body, gen->i64, "turn");
    LLVMBasicBlockRef turn = body_block(&entry->body, "turn");
    LLVMBuildStore(b, value_i64(gen, 0), number_slot);
    LLVMBuildBr(b, turn);
    LLVMPositionBuilderAtEnd(b, turn);
    block_check_stop(entry);
    LLVMBuildStore(b, value_bool(gen, false), any);
    value number = LLVMBuildLoad2(b, gen->i64, number_slot, "turn");
    struct thread_loops threads;
    block_threads_open(entry, &threads);
    LLVMBasicBlockRef first = LLVMGetInsertBlock(b);
    value status = emit_turn(entry, &threads, header, number, any);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(b);
    if (!codegen_emit_pending(gen)) // its callees, which may have memory of their own
        return;
    LLVMPositionBuilderAtEnd(b, here);
    block_note_failure(entry, &threads, failure, status);
    if (!gen->has_private_memory)
        parallel_mark_blocks(gen, &parallel, first, NULL);
    block_threads_close(entry, &threads);
    if (!gen->has_private_memory)
        parallel_mark_latch(gen, &parallel, &threads.loops[2]);
    block_leave_on_failure(entry, failure);
    LLVMBuildStore(b, LLVMBuildNSWAdd(b, number, value_i64(gen, 1), ""), number_slot);
    LLVMBasicBlockRef done = body_block(&entry->body, "done");
    LLVMBuildCondBr(b, LLVMBuildLoad2(b, gen->i1, any, ""), turn, done);
    LLVMPositionBuilderAtEnd(b, done);
    block_close(entry);
}
