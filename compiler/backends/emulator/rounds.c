// SPDX-License-Identifier: MIT
// A block of the emulated device as coroutines, one a thread, resumed in rounds from
// barrier to barrier.
#include "compiler/backends/emulator/block.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/coroutine.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/control.h"

// What the runtime sets aside for a thread: its slot (the status first), then LLVM's
// frame.
enum { SLOT_SCOPE = 4, SLOT_FRAME = 64, SLOT_ALIGNMENT = 64 };

// ptr name(slot, block, x, y, z, leaves...): starts a thread, which runs to its first
// barrier.
static value emit_thread(struct block_entry *entry, const char *name, value frame_bytes)
{
    struct codegen *gen = entry->gen;
    size_t count = 5 + entry->arg_count;
    LLVMTypeRef *types = arena_array(&gen->arena, LLVMTypeRef, count);
    types[0] = types[1] = gen->ptr;
    types[2] = types[3] = types[4] = gen->i32;
    for (size_t i = 0; i < entry->arg_count; i++)
        types[5 + i] = LLVMTypeOf(entry->args[i]);
    value thread = LLVMAddFunction(
            gen->module, name, LLVMFunctionType(gen->ptr, types, (unsigned)count, false));
    codegen_attribute(gen, thread, LLVMAttributeFunctionIndex, "nounwind", 0);
    // An observed kernel that is called takes longer over its arguments, which lie on the
    // stack in words and are taken in vectors, than over an access. Others are shown.
    codegen_attribute(gen, thread, LLVMAttributeFunctionIndex,
            gen->is_observed ? "alwaysinline" : "noinline", 0);
    struct body body = {.gen = gen,
            .ir = entry->ir,
            .function = thread,
            .mode = RETURN_JUMP,
            .result = LLVMConstNull(gen->ptr)};
    for (unsigned i = 0; i < 4; i++)
        body.hidden[i] = LLVMGetParam(thread, 1 + i);
    body.args = value_row(gen, count);
    for (unsigned i = 5; i < count; i++)
        body.args[i - 5] = LLVMGetParam(thread, i);
    body.allocas = body_block(&body, "entry");
    LLVMPositionBuilderAtEnd(gen->builder, body.allocas);
    body.status_slot = LLVMGetParam(thread, 0);
    gen->coroutine.slot = body.status_slot;
    gen->coroutine.scope_slot = value_offset(gen, body.status_slot, SLOT_SCOPE);
    value frame = value_offset(gen, body.status_slot, SLOT_FRAME);
    coroutine_begin(&body, frame, frame_bytes);
    body.exit = body_block(&body, "finish");
    body_emit(&body);
    LLVMPositionBuilderAtEnd(gen->builder, body.exit);
    coroutine_end(&body);
    return thread;
}

// A loop over the threads of the block by number, for kernels with barriers.
struct slot_loop {
    struct counted_loop loop;
    value slot;
};

// Slots lie side by side in the scratch memory that the runtime has set aside for the
// block: as many as it has threads.
static void open_slots(
        struct block_entry *entry, value slot_bytes, struct slot_loop *slots)
{
    struct codegen *gen = entry->gen;
    LLVMBuilderRef b = gen->builder;
    value count = entry->extent[0];
    for (int axis = 1; axis < 3; axis++)
        count = LLVMBuildMul(b, count, entry->extent[axis], "");
    value scratch =
            block_field(entry, gen->ptr, offsetof(struct abi_emulated_block, scratch));
    value number = control_loop_open(&entry->body, count, &slots->loop);
    value offset = LLVMBuildMul(b, number, slot_bytes, "");
    slots->slot = LLVMBuildInBoundsGEP2(b, gen->i8, scratch, &offset, 1, "slot");
}

// Leaves the block when the thread at hand has failed. The others are left where they
// wait: their frames are scratch memory.
static void check_status(struct block_entry *entry, const struct slot_loop *slots)
{
    struct codegen *gen = entry->gen;
    LLVMBuilderRef b = gen->builder;
    LLVMBasicBlockRef failed = body_block(&entry->body, "failed");
    LLVMBasicBlockRef next = body_block(&entry->body, "next");
    value status = LLVMBuildLoad2(b, gen->i32, slots->slot, "status");
    LLVMBuildCondBr(
            b, LLVMBuildICmp(b, LLVMIntNE, status, value_i32(gen, 0), ""), failed, next);
    LLVMPositionBuilderAtEnd(b, failed);
    value coordinates[3];
    block_coordinates(entry, slots->loop.index, coordinates);
    block_return_failure(entry, status, coordinates);
    LLVMPositionBuilderAtEnd(b, next);
}

// What a thread's meetings with others need to know.
static void introduce_thread(
        struct block_entry *entry, const struct slot_loop *slots, value slot_bytes)
{
    struct codegen *gen = entry->gen;
    LLVMBuilderRef b = gen->builder;
    value count = entry->extent[0];
    for (int axis = 1; axis < 3; axis++)
        count = LLVMBuildMul(b, count, entry->extent[axis], "");
    LLVMBuildStore(b, slot_bytes,
            value_offset(
                    gen, slots->slot, offsetof(struct abi_emulated_thread, slot_bytes)));
    LLVMBuildStore(b, LLVMBuildTrunc(b, slots->loop.index, gen->i32, ""),
            value_offset(gen, slots->slot, offsetof(struct abi_emulated_thread, number)));
    LLVMBuildStore(b, LLVMBuildTrunc(b, count, gen->i32, ""),
            value_offset(
                    gen, slots->slot, offsetof(struct abi_emulated_thread, threads)));
    LLVMBuildStore(b, value_i32(gen, MEETING_NONE),
            value_offset(
                    gen, slots->slot, offsetof(struct abi_emulated_thread, meeting)));
}

static void start_threads(struct block_entry *entry, value thread, value slot_bytes)
{
    struct codegen *gen = entry->gen;
    struct slot_loop slots;
    open_slots(entry, slot_bytes, &slots);
    value coordinates[3];
    block_coordinates(entry, slots.loop.index, coordinates);
    LLVMBuildStore(gen->builder, value_i32(gen, STATUS_OK), slots.slot);
    introduce_thread(entry, &slots, slot_bytes);
    LLVMBuildStore(gen->builder, value_i32(gen, BARRIER_WARP),
            value_offset(gen, slots.slot, SLOT_SCOPE));
    codegen_call(gen, thread, block_thread_args(entry, slots.slot, coordinates),
            (unsigned)(5 + entry->arg_count), "");
    check_status(entry, &slots);
    control_loop_close(&entry->body, &slots.loop);
}

// Whether the block goes on where its threads waited for the grid.
static value is_resumed(struct block_entry *entry)
{
    struct codegen *gen = entry->gen;
    if (!entry->syncs_grid)
        return value_bool(gen, false);
    value flag =
            block_field(entry, gen->i32, offsetof(struct abi_emulated_block, is_resumed));
    return LLVMBuildICmp(gen->builder, LLVMIntNE, flag, value_i32(gen, 0), "");
}

// State of the rounds, in stack slots: whether this round wakes only threads that wait
// for their warp, and what was left waiting.
struct rounds {
    value warp_only, waiting, warp_waiting;
    value open_grid, other_waiting; // of kernels that sync the grid
};

static void set_flag(struct codegen *gen, value slot, value flag)
{
    LLVMBuildStore(gen->builder, flag, slot);
}

static value get_flag(struct codegen *gen, value slot)
{
    return LLVMBuildLoad2(gen->builder, gen->i1, slot, "");
}

static void or_flag(struct codegen *gen, value slot, value flag)
{
    set_flag(gen, slot, LLVMBuildOr(gen->builder, get_flag(gen, slot), flag, ""));
}

static value waits_for(struct codegen *gen, value slot, enum barrier_scope barrier)
{
    value scope = LLVMBuildLoad2(
            gen->builder, gen->i32, value_offset(gen, slot, SLOT_SCOPE), "");
    return LLVMBuildICmp(gen->builder, LLVMIntEQ, scope, value_i32(gen, barrier), "");
}

// Whether this round is for the barrier that a thread waits at.
static value may_wake(struct block_entry *entry, struct rounds *rounds, value slot)
{
    struct codegen *gen = entry->gen;
    LLVMBuilderRef b = gen->builder;
    value is_open = LLVMBuildNot(b, get_flag(gen, rounds->warp_only), "");
    if (entry->syncs_grid) {
        value is_free = LLVMBuildOr(b, get_flag(gen, rounds->open_grid),
                LLVMBuildNot(b, waits_for(gen, slot, BARRIER_GRID), ""), "");
        is_open = LLVMBuildAnd(b, is_open, is_free, "");
    }
    return LLVMBuildOr(b, waits_for(gen, slot, BARRIER_WARP), is_open, "");
}

// What the threads that have not ended wait for now.
static void note_waiting(
        struct block_entry *entry, struct rounds *rounds, value slot, value is_alive)
{
    struct codegen *gen = entry->gen;
    LLVMBuilderRef b = gen->builder;
    or_flag(gen, rounds->waiting, is_alive);
    or_flag(gen, rounds->warp_waiting,
            LLVMBuildAnd(b, is_alive, waits_for(gen, slot, BARRIER_WARP), ""));
    if (entry->syncs_grid)
        or_flag(gen, rounds->other_waiting,
                LLVMBuildAnd(b, is_alive,
                        LLVMBuildNot(b, waits_for(gen, slot, BARRIER_GRID), ""), ""));
}

// Wakes a thread if it has not ended and this round is for the barrier that it waits at.
static void wake_thread(
        struct block_entry *entry, struct rounds *rounds, const struct slot_loop *slots)
{
    struct codegen *gen = entry->gen;
    value slot = slots->slot;
    LLVMBuilderRef b = gen->builder;
    struct body *body = &entry->body;
    LLVMBasicBlockRef alive = body_block(body, "alive"), wake = body_block(body, "wake");
    LLVMBasicBlockRef woken = body_block(body, "woken"),
                      next = body_block(body, "next.thread");
    value frame = value_offset(gen, slot, SLOT_FRAME);
    LLVMBuildCondBr(b, coroutine_is_done(gen, frame), next, alive);
    LLVMPositionBuilderAtEnd(b, alive);
    LLVMBuildCondBr(b, may_wake(entry, rounds, slot), wake, woken);
    LLVMPositionBuilderAtEnd(b, wake);
    coroutine_resume(gen, frame);
    check_status(entry, slots);
    LLVMBuildBr(b, woken);
    LLVMPositionBuilderAtEnd(b, woken);
    note_waiting(entry, rounds, slot, LLVMBuildNot(b, coroutine_is_done(gen, frame), ""));
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, next);
}

// Under debug the runtime looks at the barrier that this round opens.
static void check_round(
        struct block_entry *entry, value slot_bytes, const struct rounds *rounds)
{
    struct codegen *gen = entry->gen;
    LLVMBuilderRef b = gen->builder;
    if (!gen->checks_shared)
        return;
    int site = codegen_raise_site(&entry->body, ERROR_RUNTIME, "RuntimeError", NULL,
            "divergent barrier: not all threads of the block come to it",
            entry->ir->blocks.items[0]->span);
    value args[] = {entry->block, slot_bytes,
            LLVMBuildZExt(b, get_flag(gen, rounds->warp_only), gen->i32, ""),
            value_i32(gen, site)};
    LLVMTypeRef types[] = {gen->ptr, gen->i64, gen->i32, gen->i32};
    value check = codegen_external(gen, "gridcell_check_round", gen->i32, types, 4);
    value status = codegen_call(gen, check, args, 4, "");
    value is_bad = LLVMBuildICmp(b, LLVMIntNE, status, value_i32(gen, STATUS_OK), "");
    control_fail_if(&entry->body, is_bad, status);
}

// Round after round over all threads until each has ended. A barrier of the block opens
// when no thread is left waiting at one of its warp.
static void run_rounds(struct block_entry *entry, value slot_bytes)
{
    struct codegen *gen = entry->gen;
    LLVMBuilderRef b = gen->builder;
    struct rounds rounds = {
            .warp_only = value_alloca(&entry->body, gen->i1, "warp_only"),
            .waiting = value_alloca(&entry->body, gen->i1, "waiting"),
            .warp_waiting = value_alloca(&entry->body, gen->i1, "warp_waiting"),
            .open_grid = value_alloca(&entry->body, gen->i1, "open_grid"),
            .other_waiting = value_alloca(&entry->body, gen->i1, "other_waiting"),
    };
    LLVMBasicBlockRef round = body_block(&entry->body, "round");
    value resumed = is_resumed(entry);
    set_flag(gen, rounds.warp_waiting, LLVMBuildNot(b, resumed, ""));
    set_flag(gen, rounds.open_grid, resumed);
    LLVMBuildBr(b, round);
    LLVMPositionBuilderAtEnd(b, round);
    block_check_stop(entry);
    set_flag(gen, rounds.warp_only, get_flag(gen, rounds.warp_waiting));
    check_round(entry, slot_bytes, &rounds);
    set_flag(gen, rounds.waiting, value_bool(gen, false));
    set_flag(gen, rounds.warp_waiting, value_bool(gen, false));
    set_flag(gen, rounds.other_waiting, value_bool(gen, !entry->syncs_grid));
    struct slot_loop slots;
    open_slots(entry, slot_bytes, &slots);
    wake_thread(entry, &rounds, &slots);
    control_loop_close(&entry->body, &slots.loop);
    set_flag(gen, rounds.open_grid, value_bool(gen, false));
    LLVMBasicBlockRef done = body_block(&entry->body, "done"),
                      more = body_block(&entry->body, "more"),
                      grid = body_block(&entry->body, "grid");
    LLVMBuildCondBr(b, get_flag(gen, rounds.waiting), more, done);
    LLVMPositionBuilderAtEnd(b, more);
    LLVMBuildCondBr(b, get_flag(gen, rounds.other_waiting), round, grid);
    LLVMPositionBuilderAtEnd(b, grid);
    LLVMBuildRet(b, value_i32(gen, STATUS_GRID));
    LLVMPositionBuilderAtEnd(b, done);
    block_close(entry);
}

// Bytes of a slot, from the global that each thread stores LLVM's frame size to.
static value slot_size(struct codegen *gen, value frame_bytes)
{
    value frame = LLVMBuildLoad2(gen->builder, gen->i64, frame_bytes, "");
    value size = LLVMBuildAdd(
            gen->builder, frame, value_i64(gen, SLOT_FRAME + SLOT_ALIGNMENT - 1), "");
    return LLVMBuildAnd(gen->builder, size, value_i64(gen, -SLOT_ALIGNMENT), "");
}

// 0 until optimisation is done: fix_frame_bytes.
static value add_frame_global(struct codegen *gen, const char *name)
{
    value global = LLVMAddGlobal(gen->module, gen->i64, name);
    LLVMSetInitializer(global, value_i64(gen, 0));
    return global;
}

// The frame's size: a constant that optimisation has put in place of llvm.coro.size, in a
// store to the global. The store goes and the global is set for good.
static size_t fix_frame_bytes(LLVMModuleRef module, const char *name)
{
    assert(name);
    value global = LLVMGetNamedGlobal(module, name), size = NULL;
    for (LLVMUseRef use = global ? LLVMGetFirstUse(global) : NULL; use;) {
        value store = LLVMGetUser(use);
        use = LLVMGetNextUse(use);
        if (LLVMIsAStoreInst(store) && LLVMIsAConstantInt(LLVMGetOperand(store, 0))) {
            size = LLVMGetOperand(store, 0);
            LLVMInstructionEraseFromParent(store);
        }
    }
    if (!size)
        return 0;
    LLVMSetInitializer(global, size);
    return (size_t)LLVMConstIntGetZExtValue(size);
}

void emulated_rounds_emit(
        struct block_entry *entry, const char *thread, const char *frame_bytes)
{
    assert(thread && frame_bytes);
    struct codegen *gen = entry->gen;
    value frame_global = add_frame_global(gen, frame_bytes);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(gen->builder);
    value function = emit_thread(entry, thread, frame_global);
    if (codegen_failed(gen))
        return;
    LLVMPositionBuilderAtEnd(gen->builder, here);
    value slot_bytes = slot_size(gen, frame_global);
    LLVMBasicBlockRef start = body_block(&entry->body, "start"),
                      run = body_block(&entry->body, "run");
    LLVMBuildCondBr(gen->builder, is_resumed(entry), run, start);
    LLVMPositionBuilderAtEnd(gen->builder, start);
    start_threads(entry, function, slot_bytes);
    LLVMBuildBr(gen->builder, run);
    LLVMPositionBuilderAtEnd(gen->builder, run);
    run_rounds(entry, slot_bytes);
}

size_t emulated_rounds_slot_bytes(LLVMModuleRef module, const char *frame_bytes)
{
    size_t size = SLOT_FRAME + fix_frame_bytes(module, frame_bytes) + SLOT_ALIGNMENT - 1;
    return size & ~(size_t)(SLOT_ALIGNMENT - 1);
}
