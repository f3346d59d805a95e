// SPDX-License-Identifier: MIT
// Arrays: addresses of elements, loads and stores, and the primitives that describe
// arrays.
#include "compiler/codegen/bounds/bounds.h"
#include "compiler/codegen/emulated/lanes.h"

#include <string.h>

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

void array_describe(struct body *body, const struct type *type, value data,
        const value *shape, value *out)
{
    struct codegen *gen = body->gen;
    int ndim = type->array.ndim;
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
value array_element_address(struct body *body, const struct type *type,
        const value *array, const value *indices)
{
    struct codegen *gen = body->gen;
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
    if (LLVMTypeOf(index) == gen->i64)
        return index;
    return is_signed_int(instr->type) ? LLVMBuildSExt(gen->builder, index, gen->i64, "")
                                      : LLVMBuildZExt(gen->builder, index, gen->i64, "");
}

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

value array_address(struct body *body, const struct ir_instr *access)
{
    const struct type *type = access->operands[0]->type;
    const value *array = operand(body, access, 0);
    value indices[64];
    struct bounds bounds;
    bounds_begin(&bounds, body, access);
    for (int i = 0; i < type->array.ndim; i++) {
        const struct ir_instr *index = access->operands[1 + i];
        value extent = array[ARRAY_SHAPE(i)];
        bool is_assumed = bounds_mode(body) == BOUNDS_ALL &&
                          lanes_assume_index(body, index, extent);
        indices[i] = is_assumed ? array_plain_index(body, index)
                                : bounds_ask(&bounds, i, index, extent);
    }
    bounds_end(&bounds);
    return array_element_address(body, type, array, indices);
}

static void load_element(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct type *type = instr->operands[0]->type;
    value address = array_address(body, instr);
    shared_check_access(body, type, address, ACCESS_LOAD, NULL, instr->span);
    value_load(body->gen, type->element, address, array_item_alignment(type), "", out);
}

static void store_element(struct body *body, const struct ir_instr *instr)
{
    const struct type *type = instr->operands[0]->type;
    value address = array_address(body, instr);
    const value *element = operand(body, instr, instr->operand_count - 1);
    shared_check_access(body, type, address, ACCESS_STORE, element, instr->span);
    value_store(body->gen, type->element, address, array_item_alignment(type), element);
}

static value array_size(struct body *body, const struct type *type, const value *array)
{
    value size = value_i64(body->gen, 1);
    for (int i = 0; i < type->array.ndim; i++)
        size = LLVMBuildNSWMul(body->gen->builder, size, array[ARRAY_SHAPE(i)], "");
    return size;
}

static void transpose(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct type *type = instr->type;
    const value *array = operand(body, instr, 0);
    int ndim = type->array.ndim;
    memcpy(out, array, ARRAY_DIMS * sizeof *out);
    for (int i = 0; i < ndim; i++) {
        out[ARRAY_SHAPE(i)] = array[ARRAY_SHAPE(ndim - 1 - i)];
        out[ARRAY_STRIDE(type, i)] = array[ARRAY_STRIDE(type, ndim - 1 - i)];
    }
}

static void complex_part(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct type *from = instr->operands[0]->type;
    memcpy(out, operand(body, instr, 0),
            type_leaf_count(body->gen, instr->type) * sizeof *out);
    if (instr->primitive == PRIMITIVE_ARRAY_IMAG && from->element->kind == TYPE_COMPLEX)
        out[ARRAY_DATA] = value_offset(
                body->gen, out[ARRAY_DATA], abi_size(from->element->element));
}

// A view of one field of all records; the axes of a nested array come last.
static void record_field(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    const struct type *array = instr->operands[0]->type, *view = instr->type;
    const struct type_field *field = &array->element->record.fields[instr->immediate];
    const value *from = operand(body, instr, 0);
    memcpy(out, from, ARRAY_DIMS * sizeof *out);
    for (int i = 0; i < array->array.ndim; i++) {
        out[ARRAY_SHAPE(i)] = from[ARRAY_SHAPE(i)];
        out[ARRAY_STRIDE(view, i)] = from[ARRAY_STRIDE(array, i)];
    }
    int64_t stride = (int64_t)abi_size(field->type);
    for (int i = field->ndim; i-- > 0;) {
        out[ARRAY_SHAPE(array->array.ndim + i)] = value_i64(gen, field->shape[i]);
        out[ARRAY_STRIDE(view, array->array.ndim + i)] = value_i64(gen, stride);
        stride *= field->shape[i];
    }
    out[ARRAY_DATA] = value_offset(gen, out[ARRAY_DATA], field->offset_bytes);
}

void array_primitive(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct type *type = instr->operands[0]->type;
    const value *array = operand(body, instr, 0);
    size_t ndim = type->kind == TYPE_ARRAY ? (size_t)type->array.ndim : 0;
    switch (instr->primitive) {
    case PRIMITIVE_ARRAY_LOAD:
        load_element(body, instr, out);
        break;
    case PRIMITIVE_ARRAY_STORE:
        store_element(body, instr);
        break;
    case PRIMITIVE_ARRAY_VIEW:
        array_view(body, instr, out);
        break;
    case PRIMITIVE_ARRAY_FILL:
        array_fill(body, instr);
        break;
    case PRIMITIVE_ARRAY_COPY_INTO:
        array_copy_into(body, instr);
        break;
    case PRIMITIVE_ARRAY_SHAPE:
        memcpy(out, array + ARRAY_SHAPE(0), ndim * sizeof *out);
        break;
    case PRIMITIVE_ARRAY_STRIDES:
        memcpy(out, array + ARRAY_STRIDE(type, 0), ndim * sizeof *out);
        break;
    case PRIMITIVE_ARRAY_LEN:
        out[0] = array[ARRAY_SHAPE(0)];
        break;
    case PRIMITIVE_ARRAY_SIZE:
        out[0] = array_size(body, type, array);
        break;
    case PRIMITIVE_ARRAY_FIELD:
        record_field(body, instr, out);
        break;
    case PRIMITIVE_ARRAY_TRANSPOSE:
        transpose(body, instr, out);
        break;
    case PRIMITIVE_ARRAY_RESHAPE:
        array_reshape(body, instr, out);
        break;
    case PRIMITIVE_ARRAY_BROADCAST:
        array_broadcast(body, instr, out);
        break;
    case PRIMITIVE_ARRAY_STRIDED:
        array_strided(body, instr, out);
        break;
    case PRIMITIVE_ARRAY_EMPTY:
        array_allocate(body, instr, false, out);
        break;
    case PRIMITIVE_ARRAY_ZEROS:
        array_allocate(body, instr, true, out);
        break;
    default:
        complex_part(body, instr, out);
        break;
    }
}
