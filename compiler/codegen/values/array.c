// SPDX-License-Identifier: MIT
// Arrays as they are described, and addresses of elements whose indices are in range.
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/values/array.h"

#include <assert.h>

size_t array_item_bytes(const struct type *type)
{
    return abi_size(type->element);
}

// What a load of an element may assume; parts of a complex number are aligned like its
// float.
size_t array_item_alignment(const struct type *type)
{
    return type->array.is_aligned ? 0 : 1;
}

// Without an owner: who has allocated the memory, or views another array's, puts the
// first two leaves in afterwards. Layout A is described as C.
void array_describe(struct body *body, const struct type *type, value data,
        const value *shape, value *out)
{
    struct codegen *gen = body->gen;
    int ndim = type->array.ndim;
    assert(type->kind == TYPE_ARRAY && ndim <= MAX_NDIM);
    out[ARRAY_MEMORY] = out[ARRAY_PARENT] = LLVMConstNull(gen->ptr);
    out[ARRAY_DATA] = data;
    value stride = value_i64(gen, (int64_t)array_item_bytes(type));
    for (int i = 0; i < ndim; i++) {
        int axis = type->array.layout == LAYOUT_F ? i : ndim - 1 - i;
        out[ARRAY_SHAPE(axis)] = shape[axis];
        out[ARRAY_STRIDE(type, axis)] = stride;
        stride = LLVMBuildNSWMul(gen->builder, stride, shape[axis], "");
    }
}

// The address of an element by indices that are in range.
// One step for each axis, so that LLVM can move what does not change out of a loop. Where
// an axis is dense the step is in items: LLVM's vectoriser and NVPTX's addressing see a
// plain array then.
void array_fix_dense_stride(struct body *body, const struct type *type, value *leaves)
{
    int ndim = type->array.ndim;
    value item = value_i64(body->gen, (int64_t)array_item_bytes(type));
    if (ndim && type->array.layout == LAYOUT_C)
        leaves[ARRAY_STRIDE(type, ndim - 1)] = item;
    else if (ndim && type->array.layout == LAYOUT_F)
        leaves[ARRAY_STRIDE(type, 0)] = item;
}

value array_element_address(struct body *body, const struct type *type,
        const value *array, const value *indices)
{
    struct codegen *gen = body->gen;
    assert(type->kind == TYPE_ARRAY);
    value address = array[ARRAY_DATA];
    value item = value_i64(gen, (int64_t)array_item_bytes(type));
    for (int i = 0; i < type->array.ndim; i++) {
        value stride = array[ARRAY_STRIDE(type, i)], index = indices[i];
        bool is_dense = stride == item && type_leaf_count(gen, type->element) == 1;
        if (is_dense) {
            LLVMTypeRef element = type_memory(gen, type->element);
            address =
                    LLVMBuildInBoundsGEP2(gen->builder, element, address, &index, 1, "");
        } else {
            value offset = LLVMBuildNSWMul(gen->builder, index, stride, "");
            address =
                    LLVMBuildInBoundsGEP2(gen->builder, gen->i8, address, &offset, 1, "");
        }
    }
    return address;
}

static bool is_signed_int(const struct type *type)
{
    return type->kind == TYPE_INT && type->is_signed;
}

value array_plain_index(struct body *body, const struct ir_instr *instr)
{
    struct codegen *gen = body->gen;
    value index = body->values[instr->id][0];
    assert(type_is_integer(instr->type));
    if (LLVMTypeOf(index) == gen->i64)
        return index;
    return is_signed_int(instr->type) ? LLVMBuildSExt(gen->builder, index, gen->i64, "")
                                      : LLVMBuildZExt(gen->builder, index, gen->i64, "");
}

// Unsigned indices do not count from the end, as NumPy's do not.
value array_wrap_index(struct body *body, const struct ir_instr *instr, value extent)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value index = array_plain_index(body, instr);
    bool is_signed = is_signed_int(instr->type);
    if (!is_signed || body->intervals[instr->id].low >= 0)
        return index;
    value is_negative = LLVMBuildICmp(b, LLVMIntSLT, index, value_i64(gen, 0), "");
    return value_select(gen, is_negative, LLVMBuildAdd(b, index, extent, ""), index);
}

void array_tell_access(struct body *body, const struct type *array, value address,
        enum abi_access access, const value *stored, struct span span)
{
    if (body->gen->target->check_access)
        body->gen->target->check_access(body, array, address, access, stored, span);
}
