// SPDX-License-Identifier: MIT
// Kernels for the emulated device: one call runs a block of threads. A kernel without
// barriers is a loop over the threads, which vectorises; one with barriers is a coroutine
// for each thread, resumed in rounds from barrier to barrier.
#include "compiler/backends/backend.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

// What the runtime sets aside for a thread with barriers: its slot, followed by LLVM's
// frame.
enum { SLOT_STATUS = 0, SLOT_SCOPE = 4, SLOT_FRAME = 64, SLOT_ALIGNMENT = 64 };

struct block_entry {
    struct body body; // of the wrapper
    struct codegen *gen;
    const struct ir_function *ir;
    value block; // struct abi_emulated_block *
    value *args; // leaves
    size_t arg_count;
    value extent[3]; // block_dim, int64
};

static value block_field(struct block_entry *entry, LLVMTypeRef type, size_t offset)
{
    struct codegen *gen = entry->gen;
    return LLVMBuildLoad2(
            gen->builder, type, value_offset(gen, entry->block, offset), "");
}

static void load_args(struct block_entry *entry, value args)
{
    struct codegen *gen = entry->gen;
    const struct ir_function *ir = entry->ir;
    size_t *offsets = arena_array(&gen->arena, size_t, ir->param_count + 1), count = 0;
    abi_block_layout(ir->params, ir->param_count, offsets);
    for (size_t i = 0; i < ir->param_count; i++)
        count += type_leaf_count(gen, ir->params[i]);
    entry->args = value_row(gen, count);
    for (size_t i = 0; i < ir->param_count; i++) {
        const char *name =
                ir->param_names && ir->param_names[i] ? ir->param_names[i] : "";
        value_load(gen, ir->params[i], value_offset(gen, args, offsets[i]), 0, name,
                entry->args + entry->arg_count);
        entry->arg_count += type_leaf_count(gen, ir->params[i]);
    }
}

// Opens i32 name(block, args) and loads what all threads share.
static void open_entry(struct block_entry *entry, const char *name)
{
    struct codegen *gen = entry->gen;
    LLVMTypeRef params[2] = {gen->ptr, gen->ptr};
    value function = LLVMAddFunction(
            gen->module, name, LLVMFunctionType(gen->i32, params, 2, false));
    codegen_attribute(gen, function, LLVMAttributeFunctionIndex, "nounwind", 0);
    entry->body = (struct body){
            .gen = gen, .ir = entry->ir, .function = function, .mode = RETURN_STATUS};
    entry->body.allocas = body_block(&entry->body, "entry");
    LLVMPositionBuilderAtEnd(gen->builder, entry->body.allocas);
    entry->block = LLVMGetParam(function, 0);
    load_args(entry, LLVMGetParam(function, 1));
    for (size_t axis = 0; axis < 3; axis++) {
        value extent = block_field(entry, gen->i32,
                offsetof(struct abi_emulated_block, block_dim) + 4 * axis);
        entry->extent[axis] = LLVMBuildZExt(gen->builder, extent, gen->i64, "");
    }
}

static void close_entry(struct block_entry *entry)
{
    LLVMBuildRet(entry->gen->builder, value_i32(entry->gen, STATUS_OK));
}

// Three nested loops over the coordinates, x innermost.
struct thread_loops {
    struct counted_loop loops[3]; // z, y, x
    value coordinates[3];         // x, y, z as int32
};

static void open_threads(struct block_entry *entry, struct thread_loops *threads)
{
    for (int i = 0; i < 3; i++) {
        int axis = 2 - i;
        value index =
                control_loop_open(&entry->body, entry->extent[axis], &threads->loops[i]);
        threads->coordinates[axis] =
                LLVMBuildTrunc(entry->gen->builder, index, entry->gen->i32, "");
    }
}

static void close_threads(struct block_entry *entry, struct thread_loops *threads)
{
    for (int i = 2; i >= 0; i--)
        control_loop_close(&entry->body, &threads->loops[i]);
}

// Leaves the block with a thread's error, noting which thread it was.
static void return_failure(
        struct block_entry *entry, value status, const value *coordinates)
{
    struct codegen *gen = entry->gen;
    for (size_t axis = 0; axis < 3; axis++) {
        size_t offset = offsetof(struct abi_emulated_block, failed_thread) + 4 * axis;
        LLVMBuildStore(
                gen->builder, coordinates[axis], value_offset(gen, entry->block, offset));
    }
    LLVMBuildRet(gen->builder, status);
}

// A loop over threads that may fail does not stop at the first failure, for that would
// keep it from being vectorised: it keeps the largest of keys made of the thread's
// number, lower numbers first, and its status. 0 is no failure.
enum {
    KEY_STATUS_BITS = 21,
    KEY_STATUS_MASK = (1 << KEY_STATUS_BITS) - 1,
    MAX_THREADS = 1024
};

static value failure_slot(struct block_entry *entry)
{
    struct codegen *gen = entry->gen;
    value slot = value_alloca(&entry->body, gen->i32, "failure");
    LLVMBuildStore(gen->builder, value_i32(gen, 0), slot);
    return slot;
}

static void note_failure(struct block_entry *entry, const struct thread_loops *threads,
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

static void number_to_coordinates(
        struct block_entry *entry, value number, value *coordinates);

// Leaves the block if a thread has failed.
static void leave_on_failure(struct block_entry *entry, value slot)
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
    number_to_coordinates(entry, LLVMBuildZExt(b, number, gen->i64, ""), coordinates);
    return_failure(entry, status, coordinates);
    LLVMPositionBuilderAtEnd(b, next);
}

// Arguments of a kernel or thread function: one pointer, the hidden four, the leaves.
static value *thread_args(
        struct block_entry *entry, value first, const value *coordinates)
{
    value *args = value_row(entry->gen, 5 + entry->arg_count);
    args[0] = first;
    args[1] = entry->block;
    memcpy(args + 2, coordinates, 3 * sizeof *args);
    memcpy(args + 5, entry->args, entry->arg_count * sizeof *args);
    return args;
}

static void emit_thread_loop(struct block_entry *entry, const struct callee *kernel)
{
    struct codegen *gen = entry->gen;
    struct parallel_loop parallel = {0};
    if (!gen->has_private_memory)
        parallel = parallel_create(gen);
    value failure = failure_slot(entry);
    struct thread_loops threads;
    open_threads(entry, &threads);
    LLVMBasicBlockRef first = LLVMGetInsertBlock(gen->builder);
    value *args = thread_args(entry, LLVMConstNull(gen->ptr), threads.coordinates);
    value status = LLVMBuildCall2(gen->builder, kernel->type, kernel->function, args,
            (unsigned)(5 + entry->arg_count), "");
    codegen_attribute(gen, status, LLVMAttributeFunctionIndex, "alwaysinline", 0);
    note_failure(entry, &threads, failure, status);
    parallel_mark_blocks(gen, &parallel, first, LLVMGetInsertBlock(gen->builder));
    close_threads(entry, &threads);
    parallel_mark_latch(gen, &parallel, &threads.loops[2]);
    leave_on_failure(entry, failure);
    close_entry(entry);
}

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
    codegen_attribute(gen, thread, LLVMAttributeFunctionIndex, "noinline", 0);
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

// x, y, z of a thread by its number.
static void number_to_coordinates(
        struct block_entry *entry, value number, value *coordinates)
{
    LLVMBuilderRef b = entry->gen->builder;
    for (int axis = 0; axis < 3; axis++) {
        value here = LLVMBuildURem(b, number, entry->extent[axis], "");
        coordinates[axis] = LLVMBuildTrunc(b, here, entry->gen->i32, "");
        number = LLVMBuildUDiv(b, number, entry->extent[axis], "");
    }
}

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
    number_to_coordinates(entry, slots->loop.index, coordinates);
    return_failure(entry, status, coordinates);
    LLVMPositionBuilderAtEnd(b, next);
}

static void start_threads(struct block_entry *entry, value thread, value slot_bytes)
{
    struct codegen *gen = entry->gen;
    struct slot_loop slots;
    open_slots(entry, slot_bytes, &slots);
    value coordinates[3];
    number_to_coordinates(entry, slots.loop.index, coordinates);
    LLVMBuildStore(gen->builder, value_i32(gen, STATUS_OK), slots.slot);
    LLVMBuildStore(gen->builder, value_i32(gen, BARRIER_WARP),
            value_offset(gen, slots.slot, SLOT_SCOPE));
    codegen_call(gen, thread, thread_args(entry, slots.slot, coordinates),
            (unsigned)(5 + entry->arg_count), "");
    check_status(entry, &slots);
    control_loop_close(&entry->body, &slots.loop);
}

// State of the rounds, in stack slots: whether this round wakes only threads that wait
// for their warp, and what was left waiting.
struct rounds {
    value warp_only, waiting, warp_waiting;
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

static value waits_for_warp(struct codegen *gen, value slot)
{
    value scope = LLVMBuildLoad2(
            gen->builder, gen->i32, value_offset(gen, slot, SLOT_SCOPE), "");
    return LLVMBuildICmp(
            gen->builder, LLVMIntEQ, scope, value_i32(gen, BARRIER_WARP), "");
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
    value may_wake = LLVMBuildOr(b, waits_for_warp(gen, slot),
            LLVMBuildNot(b, get_flag(gen, rounds->warp_only), ""), "");
    LLVMBuildCondBr(b, may_wake, wake, woken);
    LLVMPositionBuilderAtEnd(b, wake);
    coroutine_resume(gen, frame);
    check_status(entry, slots);
    LLVMBuildBr(b, woken);
    LLVMPositionBuilderAtEnd(b, woken);
    value is_alive = LLVMBuildNot(b, coroutine_is_done(gen, frame), "");
    or_flag(gen, rounds->waiting, is_alive);
    or_flag(gen, rounds->warp_waiting,
            LLVMBuildAnd(b, is_alive, waits_for_warp(gen, slot), ""));
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, next);
}

static void check_stop(struct block_entry *entry)
{
    struct codegen *gen = entry->gen;
    value flag = block_field(entry, gen->ptr, offsetof(struct abi_emulated_block, stop));
    value stop = LLVMBuildLoad2(gen->builder, gen->i32, flag, "");
    LLVMSetVolatile(stop, true);
    value is_set = LLVMBuildICmp(gen->builder, LLVMIntNE, stop, value_i32(gen, 0), "");
    control_fail_if(&entry->body, is_set, value_i32(gen, STATUS_INTERRUPTED));
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
    };
    LLVMBasicBlockRef round = body_block(&entry->body, "round");
    set_flag(gen, rounds.warp_waiting, value_bool(gen, true));
    LLVMBuildBr(b, round);
    LLVMPositionBuilderAtEnd(b, round);
    check_stop(entry);
    set_flag(gen, rounds.warp_only, get_flag(gen, rounds.warp_waiting));
    set_flag(gen, rounds.waiting, value_bool(gen, false));
    set_flag(gen, rounds.warp_waiting, value_bool(gen, false));
    struct slot_loop slots;
    open_slots(entry, slot_bytes, &slots);
    wake_thread(entry, &rounds, &slots);
    control_loop_close(&entry->body, &slots.loop);
    LLVMBasicBlockRef done = body_block(&entry->body, "done");
    LLVMBuildCondBr(b, get_flag(gen, rounds.waiting), round, done);
    LLVMPositionBuilderAtEnd(b, done);
    close_entry(entry);
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
static void emit_turns(struct block_entry *entry, const struct ir_block *header)
{
    struct codegen *gen = entry->gen;
    LLVMBuilderRef b = gen->builder;
    struct parallel_loop parallel = parallel_create(gen);
    value any = value_alloca(&entry->body, gen->i1, "any"), failure = failure_slot(entry);
    value number_slot = value_alloca(&entry->body, gen->i64, "turn");
    LLVMBasicBlockRef turn = body_block(&entry->body, "turn");
    LLVMBuildStore(b, value_i64(gen, 0), number_slot);
    LLVMBuildBr(b, turn);
    LLVMPositionBuilderAtEnd(b, turn);
    check_stop(entry);
    set_flag(gen, any, value_bool(gen, false));
    value number = LLVMBuildLoad2(b, gen->i64, number_slot, "turn");
    struct thread_loops threads;
    open_threads(entry, &threads);
    LLVMBasicBlockRef first = LLVMGetInsertBlock(b);
    value status = emit_turn(entry, &threads, header, number, any);
    if (codegen_failed(gen))
        return;
    note_failure(entry, &threads, failure, status);
    if (!gen->has_private_memory)
        parallel_mark_blocks(gen, &parallel, first, NULL);
    close_threads(entry, &threads);
    if (!gen->has_private_memory)
        parallel_mark_latch(gen, &parallel, &threads.loops[2]);
    leave_on_failure(entry, failure);
    LLVMBuildStore(b, LLVMBuildNSWAdd(b, number, value_i64(gen, 1), ""), number_slot);
    LLVMBasicBlockRef done = body_block(&entry->body, "done");
    LLVMBuildCondBr(b, get_flag(gen, any), turn, done);
    LLVMPositionBuilderAtEnd(b, done);
    close_entry(entry);
}

// Bytes of a slot, from the global that each thread stores LLVM's frame size to.
static value slot_size(struct codegen *gen, value frame_bytes)
{
    value frame = LLVMBuildLoad2(gen->builder, gen->i64, frame_bytes, "");
    value size = LLVMBuildAdd(
            gen->builder, frame, value_i64(gen, SLOT_FRAME + SLOT_ALIGNMENT - 1), "");
    return LLVMBuildAnd(gen->builder, size, value_i64(gen, -SLOT_ALIGNMENT), "");
}

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

static void set_static_shared_bytes(struct compiled *compiled, struct codegen *gen)
{
    compiled->static_shared_bytes = (gen->shared_bytes + 15) & ~(size_t)15;
    value global = LLVMGetNamedGlobal(gen->module, "static_shared_bytes");
    if (global)
        LLVMSetInitializer(
                global, value_i64(gen, (int64_t)compiled->static_shared_bytes));
}

struct emulated_names {
    const char *thread, *entry, *frame_bytes; // frame_bytes: NULL without barriers
};

static bool emit_module(struct compiled *compiled, struct codegen *gen,
        const struct emulated_names *names)
{
    struct block_entry entry = {.gen = gen, .ir = compiled->function};
    if (names->frame_bytes) {
        value frame_bytes = add_frame_global(gen, names->frame_bytes);
        open_entry(&entry, names->entry);
        LLVMBasicBlockRef here = LLVMGetInsertBlock(gen->builder);
        value thread = emit_thread(&entry, names->thread, frame_bytes);
        LLVMPositionBuilderAtEnd(gen->builder, here);
        value slot_bytes = slot_size(gen, frame_bytes);
        if (codegen_failed(gen))
            return false;
        start_threads(&entry, thread, slot_bytes);
        run_rounds(&entry, slot_bytes);
        codegen_emit_pending(gen);
    } else if (interchange_find(gen, compiled->function)) {
        compiled->private->shown_symbol = names->entry;
        open_entry(&entry, names->entry);
        emit_turns(&entry, interchange_find(gen, compiled->function));
        codegen_emit_pending(gen);
    } else {
        struct callee *kernel = codegen_declare(gen, compiled->function, names->thread);
        LLVMSetLinkage(kernel->function, LLVMExternalLinkage);
        if (!codegen_emit_pending(gen))
            return false;
        open_entry(&entry, names->entry);
        emit_thread_loop(&entry, kernel);
    }
    set_static_shared_bytes(compiled, gen);
    return !codegen_failed(gen);
}

static struct emulated_names make_names(struct compiled *compiled)
{
    struct arena *arena = &compiled->private->arena;
    const char *symbol = backend_unique_name(arena, compiled->function->symbol);
    bool has_barrier = call_has_barrier(compiled->function);
    compiled->private->shown_symbol = symbol;
    return (struct emulated_names){
            .thread = symbol,
            .entry = arena_printf(arena, "%s.block", symbol),
            .frame_bytes =
                    has_barrier ? arena_printf(arena, "%s.frame_bytes", symbol) : NULL,
    };
}

static bool finish(struct compiled *compiled, LLVMModuleRef module,
        const struct emulated_names *names, const struct compile_options *options,
        struct error *err)
{
    if (!backend_verify(module, err) ||
            !jit_optimise(compiled, module, options->opt_level, err)) {
        LLVMDisposeModule(module);
        return false;
    }
    if (names->frame_bytes)
        compiled->frame_bytes =
                (SLOT_FRAME + fix_frame_bytes(module, names->frame_bytes) +
                        SLOT_ALIGNMENT - 1) &
                ~(size_t)(SLOT_ALIGNMENT - 1);
    if (!jit_load(compiled, module, err))
        return false;
    compiled->emulated_entry = (abi_emulated_entry)jit_lookup(names->entry, err);
    return compiled->emulated_entry != NULL;
}

bool emulator_compile(struct compiled *compiled, const struct compile_options *options,
        struct error *err)
{
    const struct ir_function *ir = compiled->function;
    if (ir->returns && ir->returns->kind != TYPE_NONE)
        return error_set(err, ERROR_TYPING, ir->blocks.items[0]->span,
                "a kernel must not return a value");
    if (!jit_start(err))
        return false;
    struct emulated_names names = make_names(compiled);
    LLVMContextRef context = LLVMContextCreate();
    struct codegen gen;
    codegen_init(&gen, &target_emulator, context, ir->name, err);
    jit_target_module(gen.module);
    bool is_done = emit_module(compiled, &gen, &names);
    backend_take_raise_sites(compiled, &gen);
    LLVMModuleRef module = codegen_finish(&gen, is_done);
    is_done = module && finish(compiled, module, &names, options, err);
    LLVMContextDispose(context);
    return is_done;
}
