// SPDX-License-Identifier: MIT
// NVIDIA GPUs as a target: special registers, shared memory as globals of its address
// space, libdevice for mathematics, vprintf.
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/body/observe.h"
#include "compiler/codegen/calls/print.h"
#include "compiler/codegen/cuda/counting.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "compiler/llvm/versions.h"

enum { GLOBAL_SPACE = 1, SHARED_SPACE = 3 };

static void math_symbol(enum ir_primitive primitive, int bits, char *name, size_t size)
{
    snprintf(
            name, size, "__nv_%s%s", ir_primitive_name(primitive), bits == 32 ? "f" : "");
}

static value geometry(struct body *body, enum ir_primitive primitive, int axis)
{
    const char *group = primitive == PRIMITIVE_CUDA_THREAD_IDX  ? "tid"
                        : primitive == PRIMITIVE_CUDA_BLOCK_IDX ? "ctaid"
                        : primitive == PRIMITIVE_CUDA_BLOCK_DIM ? "ntid"
                                                                : "nctaid";
    char name[64];
    snprintf(name, sizeof name, "llvm.nvvm.read.ptx.sreg.%s.%c", group, "xyz"[axis]);
    return codegen_intrinsic(body->gen, name, NULL, 0, NULL, 0, "");
}

static value generic_address(struct codegen *gen, value global)
{
    return LLVMConstAddrSpaceCast(global, gen->ptr);
}

static value shared_memory(struct body *body, const struct ir_instr *instr,
        size_t size_bytes, size_t alignment)
{
    struct codegen *gen = body->gen;
    value known = map_get_bytes(&gen->shared_arrays, &instr, sizeof instr);
    if (known)
        return known;
    LLVMTypeRef type = LLVMArrayType2(gen->i8, size_bytes);
    if (!size_bytes) {
        value dynamic = LLVMGetNamedGlobal(gen->module, "dynamic_shared");
        if (!dynamic) {
            dynamic = LLVMAddGlobalInAddressSpace(
                    gen->module, type, "dynamic_shared", SHARED_SPACE);
            LLVMSetAlignment(dynamic, 16);
        }
        return generic_address(gen, dynamic);
    }
    // whole words, in which atomics on narrow items work
    size_bytes = (size_bytes + 3) & ~(size_t)3;
    alignment = alignment < 4 ? 4 : alignment;
    type = LLVMArrayType2(gen->i8, size_bytes);
    char name[32];
    snprintf(name, sizeof name, "shared_%d", gen->serial++);
    value global = LLVMAddGlobalInAddressSpace(gen->module, type, name, SHARED_SPACE);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    LLVMSetInitializer(global, LLVMGetUndef(type));
    LLVMSetAlignment(global, (unsigned)alignment);
    gen->shared_bytes =
            (gen->shared_bytes + alignment - 1) / alignment * alignment + size_bytes;
    known = generic_address(gen, global);
    map_set_bytes(&gen->shared_arrays, &instr, sizeof instr, known);
    return known;
}

static value dynamic_shared_bytes(struct body *body)
{
    struct codegen *gen = body->gen;
    static const char text[] = "mov.u32 $0, %dynamic_smem_size;", constraint[] = "=r";
    LLVMTypeRef type = LLVMFunctionType(gen->i32, NULL, 0, false);
    value code = LLVMGetInlineAsm(type, text, sizeof text - 1, constraint,
            sizeof constraint - 1, false, false, LLVMInlineAsmDialectATT, false);
    value bytes = LLVMBuildCall2(gen->builder, type, code, NULL, 0, "");
    return LLVMBuildZExt(gen->builder, bytes, gen->i64, "");
}

// Whether a coordinate is 0 on all three axes.
static value is_first(struct body *body, enum ir_primitive coordinate)
{
    LLVMBuilderRef b = body->gen->builder;
    value any = geometry(body, coordinate, 0);
    for (int axis = 1; axis < 3; axis++)
        any = LLVMBuildOr(b, any, geometry(body, coordinate, axis), "");
    return LLVMBuildICmp(b, LLVMIntEQ, any, value_i32(body->gen, 0), "");
}

// A word of the kernel's control variable, in global memory.
static value control_word(struct codegen *gen, size_t offset)
{
    value control = LLVMGetNamedGlobal(gen->module, ABI_GPU_CONTROL);
    if (!control) {
        LLVMTypeRef type = LLVMArrayType2(gen->i32, sizeof(struct abi_gpu_control) / 4);
        control = LLVMAddGlobalInAddressSpace(
                gen->module, type, ABI_GPU_CONTROL, GLOBAL_SPACE);
        LLVMSetInitializer(control, LLVMConstNull(type));
        LLVMSetAlignment(control, 8);
        if (!gen->is_interruptible) // the host has no use for it
            LLVMSetLinkage(control, LLVMInternalLinkage);
    }
    return value_offset(gen, generic_address(gen, control), offset);
}

// LLVM is told that assembly touches no memory that the program can see, else loads could
// not be moved past a poll. The number is of LLVM's making: reads and writes inaccessible
// memory.
static void leaves_memory_alone(struct codegen *gen, value call)
{
    enum { INACCESSIBLE_MEMORY = 3 << LLVM_MEMORY_INACCESSIBLE };
    unsigned index = (unsigned)LLVMAttributeFunctionIndex;
    codegen_attribute(gen, call, index, "memory", INACCESSIBLE_MEMORY);
    codegen_attribute(gen, call, index, "nounwind", 0);
}

static value stop_flag(struct body *body)
{
    struct codegen *gen = body->gen;
    value word = control_word(gen, offsetof(struct abi_gpu_control, stop));
    value flag = gpu_assembly(
            gen, "ld.volatile.u32 $0, [$1];", "=r,l", gen->i32, &word, 1, false);
    leaves_memory_alone(gen, flag);
    return flag;
}

// Threads that wait at a barrier do not wait for those that have ended.
static void end_thread(struct body *body)
{
    struct codegen *gen = body->gen;
    value end = gpu_assembly(gen, "exit;", "", gen->void_type, NULL, 0, false);
    leaves_memory_alone(gen, end);
    codegen_attribute(gen, end, (unsigned)LLVMAttributeFunctionIndex, "noreturn", 0);
}

// One thread of each block counts its block in and waits for the others. The first block
// adds so much that the top bit of the counter flips when all have come: it needs no
// resetting, but after a kernel that was stopped.
static void meet_blocks(struct body *body)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value place = control_word(gen, offsetof(struct abi_gpu_control, arrived)),
          blocks = value_i32(gen, 1);
    for (int axis = 0; axis < 3; axis++)
        blocks = LLVMBuildMul(
                b, blocks, geometry(body, PRIMITIVE_CUDA_GRID_DIM, axis), "");
    value most = LLVMBuildSub(b, value_i32(gen, (int32_t)0x80000001), blocks, "");
    value step = LLVMBuildSelect(
            b, is_first(body, PRIMITIVE_CUDA_BLOCK_IDX), most, value_i32(gen, 1), "");
    codegen_intrinsic(gen, "llvm.nvvm.membar.gl", NULL, 0, NULL, 0, "");
    value before = LLVMBuildAtomicRMW(
            b, LLVMAtomicRMWBinOpAdd, place, step, LLVMAtomicOrderingMonotonic, false);
    LLVMBasicBlockRef wait = body_block(body, "grid.wait"),
                      met = body_block(body, "grid.met");
    LLVMBuildBr(b, wait);
    LLVMPositionBuilderAtEnd(b, wait);
    value now = LLVMBuildLoad2(b, gen->i32, place, "");
    LLVMSetVolatile(now, true);
    if (gen->is_interruptible)
        control_poll(body);
    value is_same = LLVMBuildICmp(
            b, LLVMIntSGE, LLVMBuildXor(b, before, now, ""), value_i32(gen, 0), "");
    LLVMBuildCondBr(b, is_same, wait, met);
    LLVMPositionBuilderAtEnd(b, met);
    codegen_intrinsic(gen, "llvm.nvvm.membar.gl", NULL, 0, NULL, 0, "");
}

static void block_barrier(struct codegen *gen)
{
    value number = value_i32(gen, 0);
    codegen_intrinsic(
            gen, LLVM_BLOCK_BARRIER, NULL, 0, &number, LLVM_BLOCK_BARRIER_ARGUMENTS, "");
}

// The launch sees to it that all blocks run at once.
static void grid_barrier(struct body *body)
{
    struct codegen *gen = body->gen;
    LLVMBasicBlockRef lead = body_block(body, "grid.lead"),
                      all = body_block(body, "grid.all");
    block_barrier(gen);
    LLVMBuildCondBr(gen->builder, is_first(body, PRIMITIVE_CUDA_THREAD_IDX), lead, all);
    LLVMPositionBuilderAtEnd(gen->builder, lead);
    meet_blocks(body);
    LLVMBuildBr(gen->builder, all);
    LLVMPositionBuilderAtEnd(gen->builder, all);
    block_barrier(gen);
}

static void barrier(struct body *body, enum barrier_scope scope)
{
    if (scope == BARRIER_GRID) {
        grid_barrier(body);
        return;
    }
    value mask = value_i32(body->gen, -1);
    if (scope == BARRIER_BLOCK)
        block_barrier(body->gen);
    else
        codegen_intrinsic(body->gen, "llvm.nvvm.bar.warp.sync", NULL, 0, &mask, 1, "");
}

static void tell_access(struct body *body, const struct type *array, value address,
        enum abi_access access, const value *stored, struct span span)
{
    observe_access(body, array, address, access, span);
}

const struct target target_gpu = {
        .kind = TARGET_GPU,
        .triple = "nvptx64-nvidia-cuda",
        .data_layout =
                "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-"
                "f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:"
                "64",
        .math_symbol = math_symbol,
        .geometry = geometry,
        .shared_memory = shared_memory,
        .dynamic_shared_bytes = dynamic_shared_bytes,
        .barrier = barrier,
        .stop_flag = stop_flag,
        .end_thread = end_thread,
        .strip_turns = 4096,
        .loop_turns = 64,
        .print = print_by_vprintf,
        .check_access = tell_access,
        .tell_site = count_site,
        .tell_part = count_part,
        .tell_loop = count_loop,
};
