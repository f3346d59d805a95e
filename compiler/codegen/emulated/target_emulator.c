// SPDX-License-Identifier: MIT
// The emulated CUDA device as a target: every function takes the block and the thread's
// coordinates as hidden parameters; a barrier suspends the thread's coroutine.
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/coroutine.h"
#include "compiler/codegen/body/line_hook.h"
#include "compiler/codegen/calls/print.h"
#include "compiler/codegen/emulated/interchange.h"
#include "compiler/codegen/emulated/lanes.h"
#include "compiler/codegen/body/observe.h"
#include "compiler/codegen/emulated/shared_check.h"
#include "compiler/codegen/values/math.h"
#include "compiler/support/stack.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

enum { HIDDEN_BLOCK, HIDDEN_THREAD };

static void hidden_types(struct codegen *gen, LLVMTypeRef *types, const char **names)
{
    static const char *const all[4] = {"block", "thread.x", "thread.y", "thread.z"};
    for (int i = 0; i < 4; i++) {
        types[i] = i == HIDDEN_BLOCK ? gen->ptr : gen->i32;
        names[i] = all[i];
    }
}

// What a block is given does not change while it runs.
// As an invariant load LLVM may move it over stores of the kernel and out of the loops
// over threads.
static value load_constant(
        struct body *body, LLVMTypeRef type, size_t offset, const char *name)
{
    struct codegen *gen = body->gen;
    value at = value_offset(gen, body->hidden[HIDDEN_BLOCK], offset);
    value loaded = LLVMBuildLoad2(gen->builder, type, at, name);
    value empty = LLVMMetadataAsValue(
            gen->context, LLVMMDNodeInContext2(gen->context, NULL, 0));
    LLVMSetMetadata(
            loaded, LLVMGetMDKindIDInContext(gen->context, "invariant.load", 14), empty);
    return loaded;
}

// Hidden parameters and not loads: loops over the threads of a row count thread.x.
static value geometry(struct body *body, enum ir_primitive primitive, int axis)
{
    assert(axis >= 0 && axis < 3);
    size_t offset = offsetof(struct abi_emulated_block, grid_dim);
    bool is_extent = primitive != PRIMITIVE_CUDA_BLOCK_IDX;
    if (primitive == PRIMITIVE_CUDA_THREAD_IDX)
        return body->hidden[HIDDEN_THREAD + axis];
    if (primitive == PRIMITIVE_CUDA_BLOCK_IDX)
        offset = offsetof(struct abi_emulated_block, block_idx);
    else if (primitive == PRIMITIVE_CUDA_BLOCK_DIM)
        offset = offsetof(struct abi_emulated_block, block_dim);
    value loaded = load_constant(body, body->gen->i32, offset + 4 * (size_t)axis, "");
    value_set_range(body->gen, loaded, is_extent, INT32_MAX);
    return loaded;
}

// Where dynamic shared memory begins, known when the whole module is emitted.
static value dynamic_offset(struct codegen *gen)
{
    value offset = LLVMGetNamedGlobal(gen->module, "static_shared_bytes");
    if (!offset) {
        offset = LLVMAddGlobal(gen->module, gen->i64, "static_shared_bytes");
        LLVMSetLinkage(offset, LLVMPrivateLinkage);
        LLVMSetGlobalConstant(offset, true);
    }
    return LLVMBuildLoad2(gen->builder, gen->i64, offset, "");
}

// A kernel's body is emitted several times (for rows, for turns, thread by thread); an
// instruction must have the same memory in all of them, so it is looked up by itself.
static value shared_memory(struct body *body, const struct ir_instr *instr,
        size_t size_bytes, size_t alignment)
{
    struct codegen *gen = body->gen;
    value base = load_constant(
            body, gen->ptr, offsetof(struct abi_emulated_block, shared), "shared");
    if (!size_bytes) {
        value offset = dynamic_offset(gen);
        return LLVMBuildInBoundsGEP2(gen->builder, gen->i8, base, &offset, 1, "");
    }
    // the offset plus one
    assert(alignment && !(alignment & (alignment - 1)));
    uintptr_t known = (uintptr_t)map_get_bytes(&gen->shared_arrays, &instr, sizeof instr);
    if (!known) {
        known = (gen->shared_bytes + alignment - 1) / alignment * alignment + 1;
        gen->shared_bytes = known - 1 + size_bytes;
        map_set_bytes(&gen->shared_arrays, &instr, sizeof instr, (void *)known);
    }
    return value_offset(gen, base, known - 1);
}

static value dynamic_shared_bytes(struct body *body)
{
    return load_constant(body, body->gen->i64,
            offsetof(struct abi_emulated_block, dynamic_shared_bytes), "");
}

static value counts_apart(struct body *body)
{
    value flag = load_constant(body, body->gen->i32,
            offsetof(struct abi_emulated_block, counts_apart), "apart");
    return LLVMBuildICmp(
            body->gen->builder, LLVMIntNE, flag, value_i32(body->gen, 0), "");
}

static value stop_flag(struct body *body)
{
    value flag = load_constant(
            body, body->gen->ptr, offsetof(struct abi_emulated_block, stop), "stop.flag");
    return value_load_flag(body->gen, flag);
}

static void barrier(struct body *body, enum barrier_scope scope)
{
    struct codegen *gen = body->gen;
    if (!gen->coroutine.suspend) {
        codegen_fail(
                gen, ERROR_LOWERING, SPAN_NONE, "a barrier outside of a kernel's body");
        return;
    }
    LLVMBuildStore(gen->builder, value_i32(gen, scope), gen->coroutine.scope_slot);
    line_hook_wait(body);
    coroutine_suspend(body, false);
    line_hook_wake(body);
}

static void tell_access(struct body *body, const struct type *array, value address,
        enum abi_access access, const value *stored, struct span span)
{
    observe_access(body, array, address, access, span);
    shared_check_access(body, array, address, access, stored, span);
}

const struct target target_emulator = {
        .kind = TARGET_EMULATOR,
        .hidden_count = 4,
        .hidden_types = hidden_types,
        .math_symbol = math_library_name,
        .describe_math = vector_math_describe,
        .geometry = geometry,
        .shared_memory = shared_memory,
        .dynamic_shared_bytes = dynamic_shared_bytes,
        .barrier = barrier,
        .counts_apart = counts_apart,
        .stop_flag = stop_flag,
        .loop_turns = 1,
        .stack_limit_offset = compiler_stack_limit_offset,
        .print = print_by_calls,
        .assume_index = lanes_assume_index,
        .check_access = tell_access,
        .turn_item = interchange_item,
};
