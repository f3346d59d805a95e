// SPDX-License-Identifier: MIT
// Views by basic indexing with Python's rules for slices, and reshaping.
#include "compiler/codegen/arrays/array.h"
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/bounds/bounds.h"
#include "compiler/codegen/values/array.h"
#include "compiler/codegen/values/number.h"

#include <assert.h>
#include <string.h>

struct view {
    const struct type *type; // of the result
    value *out;
    int axis; // of the result, next to be filled
};

// Brings one end of a slice into [low, high], after counting a negative one from the end.
// As PySlice_AdjustIndices does: with a step below zero both ends lie between -1 and
// extent - 1, else between 0 and extent.
static value clip(struct body *body, value end, value extent, value low, value high)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value is_negative = LLVMBuildICmp(b, LLVMIntSLT, end, value_i64(gen, 0), "");
    value counted = value_select(gen, is_negative, LLVMBuildAdd(b, end, extent, ""), end);
    value under = LLVMBuildICmp(b, LLVMIntSLT, counted, low, "");
    counted = value_select(gen, under, low, counted);
    value over = LLVMBuildICmp(b, LLVMIntSGT, counted, high, "");
    return value_select(gen, over, high, counted);
}

static void add_axis(struct body *body, struct view *view, value extent, value stride)
{
    if (view->axis < view->type->array.ndim) {
        view->out[ARRAY_SHAPE(view->axis)] = extent;
        view->out[ARRAY_STRIDE(view->type, view->axis)] = stride;
    }
    view->axis++;
}

// An empty slice has a start in range or one past it: the address is computed, and never
// read. So the sums may not be marked "inbounds".
static void take_slice(struct body *body, struct view *view, const struct ir_instr *instr,
        const value *slice, value extent, value stride)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value zero = value_i64(gen, 0), one = value_i64(gen, 1),
          minus_one = value_i64(gen, -1);
    value is_zero = LLVMBuildICmp(b, LLVMIntEQ, slice[2], zero, "");
    control_raise_if(
            body, is_zero, ERROR_VALUE, "slice step cannot be zero", instr->span);
    value is_down = LLVMBuildICmp(b, LLVMIntSLT, slice[2], zero, "");
    value low = value_select(gen, is_down, minus_one, zero);
    value high = value_select(gen, is_down, LLVMBuildNSWSub(b, extent, one, ""), extent);
    value start = clip(body, slice[0], extent, low, high);
    value stop = clip(body, slice[1], extent, low, high);
    value parts[3] = {start, stop, slice[2]};
    value length = range_length(body, type_int64, parts);
    value offset = LLVMBuildMul(b, start, stride, "");
    view->out[ARRAY_DATA] =
            LLVMBuildGEP2(b, gen->i8, view->out[ARRAY_DATA], &offset, 1, "");
    add_axis(body, view, length, LLVMBuildMul(b, stride, slice[2], ""));
}

// One integer drops its axis: the data moves there.
static void take_index(struct body *body, struct view *view, const struct ir_instr *instr,
        size_t place, int axis)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    const value *array = operand(body, instr, 0);
    value stride = array[ARRAY_STRIDE(instr->operands[0]->type, axis)];
    struct bounds bounds;
    bounds_begin(&bounds, body, instr);
    value index =
            bounds_ask(&bounds, axis, instr->operands[place], array[ARRAY_SHAPE(axis)]);
    bounds_end(&bounds);
    value offset = LLVMBuildMul(b, index, stride, "");
    view->out[ARRAY_DATA] =
            LLVMBuildGEP2(b, gen->i8, view->out[ARRAY_DATA], &offset, 1, "");
}

void array_view(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct type *from = instr->operands[0]->type;
    const value *array = operand(body, instr, 0);
    assert(from->kind == TYPE_ARRAY && instr->type->kind == TYPE_ARRAY);
    struct view view = {.type = instr->type, .out = out};
    memcpy(out, array, ARRAY_DIMS * sizeof *out);
    int axis = 0;
    for (size_t i = 1; i < instr->operand_count; i++) {
        const struct ir_instr *index = instr->operands[i];
        if (index->type->kind == TYPE_NONE) {
            add_axis(body, &view, value_i64(body->gen, 1), value_i64(body->gen, 0));
            continue;
        }
        assert(axis < from->array.ndim);
        value extent = array[ARRAY_SHAPE(axis)], stride = array[ARRAY_STRIDE(from, axis)];
        axis++;
        if (index->type->kind == TYPE_SLICE)
            take_slice(body, &view, instr, body->values[index->id], extent, stride);
        else
            take_index(body, &view, instr, i, axis - 1);
    }
    for (; axis < from->array.ndim; axis++)
        add_axis(body, &view, array[ARRAY_SHAPE(axis)], array[ARRAY_STRIDE(from, axis)]);
    if (view.axis != instr->type->array.ndim)
        codegen_fail(body->gen, ERROR_INTERNAL, instr->span,
                "a view of %d axes typed as %s", view.axis, instr->type->name);
}

// A view of the array's memory as it is described.
// What the library has checked: nothing here looks whether the view lies in the array.
void array_strided(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    const value *array = operand(body, instr, 0);
    assert(instr->operand_count >= 3 && instr->type->kind == TYPE_ARRAY);
    assert(instr->operands[2]->type->tuple.len == (size_t)instr->type->array.ndim);
    value offset = operand(body, instr, 1)[0];
    size_t ndim = (size_t)instr->type->array.ndim;
    value data = LLVMBuildGEP2(gen->builder, gen->i8, array[ARRAY_DATA], &offset, 1, "");
    bool has_strides = instr->operand_count > 3;
    if (!has_strides)
        array_describe(body, instr->type, data, operand(body, instr, 2), out);
    memcpy(out, array, ARRAY_DIMS * sizeof *out);
    out[ARRAY_DATA] = data;
    if (ndim && has_strides) {
        memcpy(out + ARRAY_SHAPE(0), operand(body, instr, 2), ndim * sizeof *out);
        memcpy(out + ARRAY_STRIDE(instr->type, 0), operand(body, instr, 3),
                ndim * sizeof *out);
    }
}

// What has more items than can be counted would pass for a smaller array. A GPU does not
// ask, as it does not ask of indices either.
static void check_size(
        struct body *body, const struct ir_instr *instr, const value *shape)
{
    if (body->gen->target->kind != TARGET_GPU)
        array_checked_size(body, instr->type, shape, instr->span);
}

// The extent that -1 stands for, and the check that the number of elements stays.
void array_reshape(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    const struct type *from = instr->operands[0]->type;
    const value *array = operand(body, instr, 0), *wanted = operand(body, instr, 1);
    assert(from->array.layout == LAYOUT_C && instr->type->array.layout == LAYOUT_C);
    assert(instr->operands[1]->type->tuple.len == (size_t)instr->type->array.ndim);
    value zero = value_i64(gen, 0), one = value_i64(gen, 1);
    value size = one, known = one, unknown = zero, shape[MAX_NDIM], is_unknown[MAX_NDIM];
    for (int i = 0; i < from->array.ndim; i++)
        size = LLVMBuildNSWMul(b, size, array[ARRAY_SHAPE(i)], "");
    int ndim = instr->type->array.ndim;
    for (int i = 0; i < ndim; i++) {
        is_unknown[i] = LLVMBuildICmp(b, LLVMIntSLT, wanted[i], zero, "");
        known = LLVMBuildMul(
                b, known, value_select(gen, is_unknown[i], one, wanted[i]), "");
        unknown = LLVMBuildAdd(
                b, unknown, LLVMBuildZExt(b, is_unknown[i], gen->i64, ""), "");
    }
    control_raise_if(body, LLVMBuildICmp(b, LLVMIntSGT, unknown, one, ""), ERROR_VALUE,
            "multiple negative shape values", instr->span);
    value none_known = LLVMBuildICmp(b, LLVMIntEQ, known, zero, "");
    value rest = LLVMBuildSDiv(b, size, value_select(gen, none_known, one, known), "");
    value total = known;
    for (int i = 0; i < ndim; i++) {
        shape[i] = value_select(gen, is_unknown[i], rest, wanted[i]);
        total = value_select(gen, is_unknown[i], LLVMBuildMul(b, known, rest, ""), total);
    }
    value is_open = LLVMBuildAnd(
            b, none_known, LLVMBuildICmp(b, LLVMIntNE, unknown, zero, ""), "");
    value differs = LLVMBuildICmp(b, LLVMIntNE, total, size, "");
    control_raise_if(body, LLVMBuildOr(b, differs, is_open, ""), ERROR_VALUE,
            "total size of new array must be unchanged", instr->span);
    check_size(body, instr, shape); // or the products wrapped
    array_describe(body, instr->type, array[ARRAY_DATA], shape, out);
    out[ARRAY_MEMORY] = array[ARRAY_MEMORY];
    out[ARRAY_PARENT] = array[ARRAY_PARENT];
}

static void raise_remapped(struct body *body, value differs, const struct ir_instr *instr)
{
    const struct type *items[MAX_NDIM];
    int from = instr->operands[0]->type->array.ndim, to = instr->type->array.ndim;
    for (int i = 0; i < (from > to ? from : to); i++)
        items[i] = type_int64;
    const struct type *shapes[] = {
            type_tuple(items, (size_t)from), type_tuple(items, (size_t)to)};
    value leaves[2 * MAX_NDIM];
    memcpy(leaves, operand(body, instr, 0) + ARRAY_SHAPE(0),
            (size_t)from * sizeof *leaves);
    memcpy(leaves + from, operand(body, instr, 1), (size_t)to * sizeof *leaves);
    control_raise_format_if(body, differs, ERROR_VALUE,
            "operands could not be broadcast together with remapped shapes",
            "operands could not be broadcast together with remapped shapes "
            "[original->remapped]: %s and requested shape %s",
            type_tuple(shapes, 2), leaves, instr->span);
}

static void check_stretched(struct body *body, const struct ir_instr *instr)
{
    LLVMBuilderRef b = body->gen->builder;
    const value *shape = operand(body, instr, 1);
    value negative = value_bool(body->gen, false), zero = value_i64(body->gen, 0);
    if (body->gen->target->kind == TARGET_GPU)
        return;
    for (int i = 0; i < instr->type->array.ndim; i++)
        negative = LLVMBuildOr(
                b, negative, LLVMBuildICmp(b, LLVMIntSLT, shape[i], zero, ""), "");
    control_raise_if(body, negative, ERROR_VALUE,
            "all elements of broadcast shape must be non-negative", instr->span);
}

// A stretched axis has stride 0.
void array_broadcast(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    const struct type *from = instr->operands[0]->type, *to = instr->type;
    const value *array = operand(body, instr, 0), *shape = operand(body, instr, 1);
    assert(instr->operands[1]->type->tuple.len == (size_t)to->array.ndim);
    control_raise_if(body, value_bool(gen, from->array.ndim > to->array.ndim),
            ERROR_VALUE,
            "input operand has more dimensions than allowed by the axis remapping",
            instr->span);
    int shift = to->array.ndim - from->array.ndim;
    value differs = value_bool(gen, false);
    check_stretched(body, instr);
    memcpy(out, array, ARRAY_DIMS * sizeof *out);
    for (int i = 0; i < to->array.ndim; i++) {
        out[ARRAY_SHAPE(i)] = shape[i];
        out[ARRAY_STRIDE(to, i)] = value_i64(gen, 0);
        if (i < shift || shift < 0)
            continue;
        value extent = array[ARRAY_SHAPE(i - shift)];
        value same = LLVMBuildICmp(b, LLVMIntEQ, extent, shape[i], "");
        value is_one = LLVMBuildICmp(b, LLVMIntEQ, extent, value_i64(gen, 1), "");
        value fits = LLVMBuildOr(b, same, is_one, "");
        differs = LLVMBuildOr(b, differs, LLVMBuildNot(b, fits, ""), "");
        out[ARRAY_STRIDE(to, i)] = value_select(gen, same,
                array[ARRAY_STRIDE(from, i - shift)], out[ARRAY_STRIDE(to, i)]);
    }
    raise_remapped(body, differs, instr);
    check_size(body, instr, shape);
}
