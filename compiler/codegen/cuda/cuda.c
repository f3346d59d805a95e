// SPDX-License-Identifier: MIT
// CUDA primitives common to the emulated device and GPUs: coordinates, shared and local
// arrays, barriers and fences. What differs is in the target's table.
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/cuda/cuda.h"
#include "compiler/codegen/body/observe.h"
#include "compiler/codegen/emulated/shared_check.h"
#include "compiler/codegen/values/array.h"

#include <assert.h>
#include <string.h>

static value coordinate(struct body *body, enum ir_primitive primitive, int axis)
{
    assert(axis >= 0 && axis < 3);
    return body->gen->target->geometry(body, primitive, axis);
}

// Coordinates are never negative.
static value wide(struct body *body, value number)
{
    return LLVMBuildZExt(body->gen->builder, number, body->gen->i64, "");
}

// blockIdx * blockDim + threadIdx, or blockDim * gridDim
static value grid_axis(struct body *body, bool is_size, int axis)
{
    LLVMBuilderRef b = body->gen->builder;
    value block = wide(body, coordinate(body, PRIMITIVE_CUDA_BLOCK_DIM, axis));
    if (is_size)
        return LLVMBuildNSWMul(b, block,
                wide(body, coordinate(body, PRIMITIVE_CUDA_GRID_DIM, axis)), "");
    value base = LLVMBuildNSWMul(
            b, wide(body, coordinate(body, PRIMITIVE_CUDA_BLOCK_IDX, axis)), block, "");
    value thread = wide(body, coordinate(body, PRIMITIVE_CUDA_THREAD_IDX, axis));
    return LLVMBuildNSWAdd(b, base, thread, "");
}

void cuda_coordinate(struct body *body, const struct ir_instr *instr, value *out)
{
    out[0] = coordinate(body, instr->primitive, instr->immediate);
}

void cuda_grid(struct body *body, const struct ir_instr *instr, value *out)
{
    bool is_size = instr->primitive == PRIMITIVE_CUDA_GRID_SIZE;
    for (size_t i = 0; i < type_leaf_count(body->gen, instr->type); i++)
        out[i] = grid_axis(body, is_size, (int)i);
}

static void describe_shape(
        struct body *body, const struct ir_instr *instr, value data, value *out)
{
    value shape[MAX_NDIM];
    for (int i = 0; i < instr->type->array.ndim; i++)
        shape[i] = value_i64(body->gen, instr->immediate_shape[i]);
    array_describe(body, instr->type, data, shape, out);
}

// Bytes of an array of the given shape; 0 if all extents are 0.
// Typing has seen to it that the shape is constant and the size one that a device has.
static size_t shape_bytes(const struct ir_instr *instr)
{
    assert(instr->immediate_shape);
    size_t size = array_item_bytes(instr->type);
    for (int i = 0; i < instr->type->array.ndim; i++)
        size *= (size_t)instr->immediate_shape[i];
    return size;
}

// At least enough for the widest loads.
static size_t array_alignment(const struct ir_instr *instr)
{
    return instr->immediate > 16 ? (size_t)instr->immediate : 16;
}

void cuda_shared_array(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    size_t size = shape_bytes(instr), item = array_item_bytes(instr->type);
    value data = gen->target->shared_memory(body, instr, size, array_alignment(instr));
    if (size) {
        describe_shape(body, instr, data, out);
        return;
    }
    gen->uses_dynamic_shared = true;
    value bytes = gen->target->dynamic_shared_bytes(body);
    value shape[MAX_NDIM];
    shape[0] = LLVMBuildUDiv(gen->builder, bytes, value_i64(gen, (int64_t)item), "");
    for (int i = 1; i < instr->type->array.ndim; i++)
        shape[i] = value_i64(gen, 1);
    array_describe(body, instr->type, data, shape, out);
}

void cuda_local_array(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    size_t size = shape_bytes(instr);
    value data = value_alloca(body, LLVMArrayType2(gen->i8, size ? size : 1), "local");
    LLVMSetAlignment(data, (unsigned)array_alignment(instr));
    gen->has_private_memory = true;
    describe_shape(body, instr, data, out);
}

// CUDA's order of threads in a block: x fastest, then y, then z.
void cuda_lane(struct body *body, const struct ir_instr *instr, value *out)
{
    LLVMBuilderRef b = body->gen->builder;
    value flat = coordinate(body, PRIMITIVE_CUDA_THREAD_IDX, 2);
    for (int axis = 1; axis >= 0; axis--)
        flat = LLVMBuildAdd(b,
                LLVMBuildMul(
                        b, flat, coordinate(body, PRIMITIVE_CUDA_BLOCK_DIM, axis), ""),
                coordinate(body, PRIMITIVE_CUDA_THREAD_IDX, axis), "");
    out[0] = LLVMBuildAnd(b, flat, value_i32(body->gen, 31), "");
}

void cuda_barrier(struct body *body, const struct ir_instr *instr, value *out)
{
    bool is_grid = instr->primitive == PRIMITIVE_CUDA_SYNCGRID;
    observe_barrier(body, instr->span);
    shared_check_barrier(body, instr->span);
    body->gen->target->barrier(body, is_grid ? BARRIER_GRID : BARRIER_BLOCK);
}
