// SPDX-License-Identifier: MIT
// Counting along several axes, without a division in each turn.
#include "compiler/codegen/loops/axes.h"

#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/values/array.h"

// Counts along several axes, the last one the fastest. The first index stands at its end
// where there is nothing: so it alone tells whether there is more.
void axes_open(struct body *body, struct axes *axes, const value *extents, int count)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value zero = value_i64(gen, 0), is_empty = value_bool(gen, false);
    for (int i = 1; i < count; i++)
        is_empty = LLVMBuildOr(
                b, is_empty, LLVMBuildICmp(b, LLVMIntSLE, extents[i], zero, ""), "");
    axes->slots = value_row(gen, (size_t)count);
    axes->count = count;
    axes->extents = extents;
    for (int i = 0; i < count; i++) {
        axes->slots[i] = value_alloca(body, gen->i64, "axis");
        value first = i ? zero : value_select(gen, is_empty, extents[0], zero);
        LLVMBuildStore(b, first, axes->slots[i]);
    }
}

// Moves on along the axis, from the next place and the offsets that were left.
static void move_along(
        struct body *body, const struct axes *axes, int axis, value next, value *offsets)
{
    LLVMBuilderRef b = body->gen->builder;
    LLVMBuildStore(b, next, axes->slots[axis]);
    for (size_t k = 0; k < axes->follower_count; k++) {
        const struct axes_follower *follower = &axes->followers[k];
        if (follower->is_dense && axis + 1 < axes->count)
            continue;
        offsets[k] = LLVMBuildAdd(b, offsets[k], follower->strides[axis], "");
        LLVMBuildStore(b, offsets[k], follower->slot);
    }
}

// Back to the axis's first place, from behind its last one.
static void move_back(
        struct body *body, const struct axes *axes, int axis, value *offsets)
{
    LLVMBuilderRef b = body->gen->builder;
    LLVMBuildStore(b, value_i64(body->gen, 0), axes->slots[axis]);
    for (size_t k = 0; k < axes->follower_count; k++)
        if (!axes->followers[k].is_dense)
            offsets[k] = LLVMBuildSub(b, offsets[k],
                    LLVMBuildMul(
                            b, axes->extents[axis], axes->followers[k].strides[axis], ""),
                    "");
}

// The index along the axis moves by one, and where it comes to its end, to 0 and the one
// before it on. That is a branch: a processor foresees it, while choices would make each
// turn wait for the one before.
static void move_on(struct body *body, const struct axes *axes, int axis,
        const value *now, value *offsets)
{
    struct codegen *gen = body->gen;
    value next = LLVMBuildNSWAdd(gen->builder, now[axis], value_i64(gen, 1), "");
    move_along(body, axes, axis, next, offsets);
    if (!axis)
        return;
    value is_end = LLVMBuildICmp(gen->builder, LLVMIntSGE, next, axes->extents[axis], "");
    LLVMBasicBlockRef moved = body_enter_seldom(body, is_end, "moved");
    move_back(body, axes, axis, offsets);
    move_on(body, axes, axis - 1, now, offsets);
    LLVMBuildBr(gen->builder, moved);
    LLVMPositionBuilderAtEnd(gen->builder, moved);
}

value axes_advance(struct body *body, const struct axes *axes, value *now, value *offsets)
{
    LLVMBuilderRef b = body->gen->builder;
    LLVMTypeRef i64 = body->gen->i64;
    value *moved = value_row(body->gen, axes->follower_count + 1);
    for (int i = 0; i < axes->count; i++)
        now[i] = LLVMBuildLoad2(b, i64, axes->slots[i], "");
    for (size_t k = 0; k < axes->follower_count; k++)
        moved[k] = offsets[k] = LLVMBuildLoad2(b, i64, axes->followers[k].slot, "");
    move_on(body, axes, axes->count - 1, now, moved);
    return LLVMBuildICmp(b, LLVMIntSLT, now[0], axes->extents[0], "");
}

// --- Arrays that are gone over together

size_t axes_array_count(const struct type *arrays)
{
    return arrays->kind == TYPE_TUPLE ? arrays->tuple.len : 1;
}

const struct type *axes_array(const struct type *arrays, size_t k)
{
    return arrays->kind == TYPE_TUPLE ? arrays->tuple.items[k] : arrays;
}

bool axes_open_arrays(struct body *body, struct axes *axes, const struct type *arrays,
        const value *leaves)
{
    struct codegen *gen = body->gen;
    int ndim = axes_array(arrays, 0)->array.ndim;
    if (ndim == 1)
        return false;
    axes_open(body, axes, leaves + ARRAY_SHAPE(0), ndim);
    axes->follower_count = axes_array_count(arrays);
    axes->followers =
            arena_array(&gen->arena, struct axes_follower, axes->follower_count);
    for (size_t k = 0; k < axes->follower_count; k++) {
        const struct type *type = axes_array(arrays, k);
        value slot = value_alloca(body, gen->i64, "offset");
        LLVMBuildStore(gen->builder, value_i64(gen, 0), slot);
        axes->followers[k] = (struct axes_follower){
                slot, leaves + ARRAY_STRIDE(type, 0), type->array.layout == LAYOUT_C};
        leaves += type_leaf_count(gen, type);
    }
    return true;
}

value axes_address(struct body *body, const struct axes *axes, const struct type *type,
        const value *array, value index, const value *offset)
{
    LLVMBuilderRef b = body->gen->builder;
    value distance =
            axes->count ? *offset
                        : LLVMBuildNSWMul(b, index, array[ARRAY_STRIDE(type, 0)], "");
    return LLVMBuildInBoundsGEP2(b, body->gen->i8, array[ARRAY_DATA], &distance, 1, "");
}
