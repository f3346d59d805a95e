// SPDX-License-Identifier: MIT
// Accesses to elements with their checks, and the primitives that describe arrays.
#include "compiler/codegen/arrays/array.h"
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/bounds/bounds.h"
#include "compiler/codegen/values/array.h"

#include <assert.h>
#include <string.h>

value array_address(struct body *body, const struct ir_instr *access)
{
    const struct type *type = access->operands[0]->type;
    const struct target *target = body->gen->target;
    const value *array = operand(body, access, 0);
    value indices[MAX_NDIM];
    struct bounds bounds;
    assert(type->kind == TYPE_ARRAY && type->array.ndim <= MAX_NDIM);
    assert(access->operand_count > (size_t)type->array.ndim);
    bounds_begin(&bounds, body, access);
    for (int i = 0; i < type->array.ndim; i++) {
        const struct ir_instr *index = access->operands[1 + i];
        value extent = array[ARRAY_SHAPE(i)];
        bool is_assumed = bounds_mode(body) == BOUNDS_ALL && target->assume_index &&
                          target->assume_index(body, index, extent);
        indices[i] = is_assumed ? array_plain_index(body, index)
                                : bounds_ask(&bounds, i, index, extent);
    }
    bounds_end(&bounds);
    return array_element_address(body, type, array, indices);
}

void array_load(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct type *type = instr->operands[0]->type;
    value address = array_address(body, instr);
    array_tell_access(body, type, address, ACCESS_LOAD, NULL, instr->span);
    value_load(body->gen, type->element, address, array_item_alignment(type), "", out);
}

void array_store(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct type *type = instr->operands[0]->type;
    value address = array_address(body, instr);
    assert(instr->operands[instr->operand_count - 1]->type == type->element);
    const value *element = operand(body, instr, instr->operand_count - 1);
    array_tell_access(body, type, address, ACCESS_STORE, element, instr->span);
    value_store(body->gen, type->element, address, array_item_alignment(type), element);
}

void array_shape(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct type *array = instr->operands[0]->type;
    memcpy(out, operand(body, instr, 0) + ARRAY_SHAPE(0),
            (size_t)array->array.ndim * sizeof *out);
}

void array_strides(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct type *array = instr->operands[0]->type;
    memcpy(out, operand(body, instr, 0) + ARRAY_STRIDE(array, 0),
            (size_t)array->array.ndim * sizeof *out);
}

void array_len(struct body *body, const struct ir_instr *instr, value *out)
{
    out[0] = operand(body, instr, 0)[ARRAY_SHAPE(0)];
}

void array_size(struct body *body, const struct ir_instr *instr, value *out)
{
    const value *array = operand(body, instr, 0);
    value size = value_i64(body->gen, 1);
    for (int i = 0; i < instr->operands[0]->type->array.ndim; i++)
        size = LLVMBuildNSWMul(body->gen->builder, size, array[ARRAY_SHAPE(i)], "");
    out[0] = size;
}

// Only the description changes. Memory and parent are the array's, for which the view
// needs no reference: its definition is dominated by the array's (body/ownership.c).
void array_transpose(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct type *type = instr->type;
    const value *array = operand(body, instr, 0);
    int ndim = type->array.ndim;
    assert(instr->operands[0]->type->array.ndim == ndim);
    memcpy(out, array, ARRAY_DIMS * sizeof *out);
    for (int i = 0; i < ndim; i++) {
        out[ARRAY_SHAPE(i)] = array[ARRAY_SHAPE(ndim - 1 - i)];
        out[ARRAY_STRIDE(type, i)] = array[ARRAY_STRIDE(type, ndim - 1 - i)];
    }
}

// The real and imaginary parts lie side by side; the strides, in bytes, stay.
void array_part(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct type *from = instr->operands[0]->type;
    assert(from->kind == TYPE_ARRAY && from->array.ndim == instr->type->array.ndim);
    memcpy(out, operand(body, instr, 0),
            type_leaf_count(body->gen, instr->type) * sizeof *out);
    if (instr->primitive == PRIMITIVE_ARRAY_IMAG && from->element->kind == TYPE_COMPLEX)
        out[ARRAY_DATA] = value_offset(
                body->gen, out[ARRAY_DATA], abi_size(from->element->element));
}

// A view of one field of all records; the axes of a nested array come last.
void array_field(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    const struct type *array = instr->operands[0]->type, *view = instr->type;
    const struct type_field *field = &array->element->record.fields[instr->immediate];
    assert(array->element->kind == TYPE_RECORD);
    assert((size_t)instr->immediate < array->element->record.len);
    assert(view->array.ndim == array->array.ndim + field->ndim);
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
