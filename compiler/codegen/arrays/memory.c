// SPDX-License-Identifier: MIT
// Whole arrays: allocation, and copying with broadcasting.
#include "compiler/codegen/arrays/array.h"
#include "compiler/codegen/arrays/nest.h"
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/counted_loop.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/values/array.h"
#include "compiler/codegen/values/cast.h"

#include <assert.h>
#include <string.h>

enum {
    MEMORY_HEADER_BYTES = 64, // where gridcell_memory_create puts the data
    MOST_PIECES = 64,         // of a record that are copied without a loop
    MOVED_AT_ONCE = 1 << 24,  // bytes, which take some milliseconds
    FEW_COPIED = 64,          // items, for which no call is worth while
    FEW_AXES = 3,             // along which they lie
    ITEM_ALIGNMENT = 16,      // as of any block, and the most that a number takes
};

// Multiplies, and notes in *overflows whether the product did not fit.
static value checked_product(struct body *body, value a, value b, value *overflows)
{
    struct codegen *gen = body->gen;
    value args[2] = {a, b};
    value pair =
            codegen_intrinsic(gen, "llvm.smul.with.overflow", &gen->i64, 1, args, 2, "");
    value flag = LLVMBuildExtractValue(gen->builder, pair, 1, "");
    *overflows = LLVMBuildOr(gen->builder, *overflows, flag, "");
    return LLVMBuildExtractValue(gen->builder, pair, 0, "");
}

// Lengths of zero do not make a shape smaller: as in NumPy the sizes of its parts fit,
// too.
value array_checked_size(
        struct body *body, const struct type *type, const value *shape, struct span span)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value zero = value_i64(gen, 0), one = value_i64(gen, 1);
    value overflows = value_bool(gen, false), is_empty = overflows;
    value size = value_i64(gen, (int64_t)array_item_bytes(type));
    for (int i = 0; i < type->array.ndim; i++) {
        value is_zero = LLVMBuildICmp(b, LLVMIntEQ, shape[i], zero, "");
        value length = value_select(gen, is_zero, one, shape[i]);
        size = checked_product(body, size, length, &overflows);
        is_empty = LLVMBuildOr(b, is_empty, is_zero, "");
    }
    control_raise_if(body, overflows, ERROR_VALUE,
            "array is too big; `arr.size * arr.dtype.itemsize` is larger than the "
            "maximum possible size.",
            span);
    return value_select(gen, is_empty, zero, size);
}

static value memory_create(struct body *body, value size_bytes, bool is_zeroed)
{
    struct codegen *gen = body->gen;
    const char *name =
            is_zeroed ? "gridcell_memory_create_zeroed" : "gridcell_memory_create";
    bool is_new = !LLVMGetNamedFunction(gen->module, name);
    value create = codegen_external(gen, name, gen->ptr, &gen->i64, 1);
    if (is_new)
        codegen_attribute(gen, create, LLVMAttributeReturnIndex, "noalias", 0);
    return codegen_call(gen, create, &size_bytes, 1, "memory");
}

// Leaves the function where there was no memory for an array, whose shape and type the
// error tells.
static void fail_if_refused(struct body *body, const struct type *type, value memory,
        value size, const value *shape)
{
    enum { AXES = 4, ARGUMENTS = 3 + AXES };
    struct codegen *gen = body->gen;
    const char *dtype = type->element->name;
    LLVMBasicBlockRef next =
            body_enter_seldom(body, LLVMBuildIsNull(gen->builder, memory, ""), "failed");
    value args[ARGUMENTS] = {codegen_text(gen, dtype, strlen(dtype)), size,
            value_i64(gen, type->array.ndim)};
    LLVMTypeRef params[ARGUMENTS] = {gen->ptr, gen->i64, gen->i64};
    for (int i = 0; i < AXES; i++) {
        args[3 + i] = i < type->array.ndim ? shape[i] : value_i64(gen, 0);
        params[3 + i] = gen->i64;
    }
    value tell = codegen_external(
            gen, "gridcell_array_refused", gen->void_type, params, ARGUMENTS);
    codegen_attribute(gen, tell, LLVMAttributeFunctionIndex, "cold", 0);
    codegen_call(gen, tell, args, ARGUMENTS, "");
    control_return(body, value_i32(gen, STATUS_MEMORY));
    LLVMPositionBuilderAtEnd(gen->builder, next);
}

// The shape is the user's, and may ask for anything: it is checked here, before the
// product of it is a size.
void array_allocate(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    if (gen->target->kind != TARGET_HOST) {
        codegen_fail(gen, ERROR_UNSUPPORTED, instr->span,
                "arrays cannot be allocated in CUDA kernels; use cuda.local.array");
        return;
    }
    const value *shape = operand(body, instr, 0);
    assert(instr->type->kind == TYPE_ARRAY);
    assert(instr->operands[0]->type->tuple.len == (size_t)instr->type->array.ndim);
    value negative = value_bool(gen, false);
    for (int i = 0; i < instr->type->array.ndim; i++) {
        value below = LLVMBuildICmp(b, LLVMIntSLT, shape[i], value_i64(gen, 0), "");
        negative = LLVMBuildOr(b, negative, below, "");
    }
    control_raise_if(
            body, negative, ERROR_VALUE, "negative dimensions not allowed", instr->span);
    value size = array_checked_size(body, instr->type, shape, instr->span);
    value memory = memory_create(body, size, instr->primitive == PRIMITIVE_ARRAY_ZEROS);
    fail_if_refused(body, instr->type, memory, size, shape);
    value data = value_offset(gen, memory, MEMORY_HEADER_BYTES);
    array_describe(body, instr->type, data, shape, out);
    out[ARRAY_MEMORY] = memory;
}

// An array that does not fit into another: the message names both shapes.
static void raise_shapes(struct body *body, value differs, const struct ir_instr *instr)
{
    const struct type *to = instr->operands[0]->type, *from = instr->operands[1]->type;
    const struct type *shapes[] = {
            type_index(to->array.ndim), type_index(from->array.ndim)};
    value leaves[2 * MAX_NDIM];
    int count = to->array.ndim;
    memcpy(leaves, operand(body, instr, 0) + ARRAY_SHAPE(0),
            (size_t)count * sizeof *leaves);
    memcpy(leaves + count, operand(body, instr, 1) + ARRAY_SHAPE(0),
            (size_t)from->array.ndim * sizeof *leaves);
    control_raise_format_if(body, differs, ERROR_VALUE,
            "cannot assign slice from input of different size",
            "cannot assign slice of shape %s from input of shape %s",
            type_tuple(shapes, 2), leaves, instr->span);
}

// Strides of the source along the target's axes: 0 where it is broadcast.
static void broadcast(struct body *body, const struct ir_instr *instr, value *strides)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    const struct type *to = instr->operands[0]->type, *from = instr->operands[1]->type;
    const value *target = operand(body, instr, 0), *source = operand(body, instr, 1);
    assert(to->kind == TYPE_ARRAY && from->kind == TYPE_ARRAY);
    int shift = to->array.ndim - from->array.ndim;
    value differs = value_bool(gen, false), one = value_i64(gen, 1);
    // axes that the target lacks must have extent 1
    for (int i = 0; i < -shift; i++)
        differs = LLVMBuildOr(b, differs,
                LLVMBuildICmp(b, LLVMIntNE, source[ARRAY_SHAPE(i)], one, ""), "");
    for (int i = 0; i < to->array.ndim; i++) {
        strides[i] = value_i64(gen, 0);
        if (i < shift)
            continue;
        value extent = source[ARRAY_SHAPE(i - shift)];
        value is_one = LLVMBuildICmp(b, LLVMIntEQ, extent, one, "");
        value same = LLVMBuildICmp(b, LLVMIntEQ, extent, target[ARRAY_SHAPE(i)], "");
        value fits = LLVMBuildOr(b, same, is_one, "");
        differs = LLVMBuildOr(b, differs, LLVMBuildNot(b, fits, ""), "");
        value spread = LLVMBuildAnd(b, is_one, LLVMBuildNot(b, same, ""), "");
        strides[i] = value_select(
                gen, spread, strides[i], source[ARRAY_STRIDE(from, i - shift)]);
    }
    raise_shapes(body, differs, instr);
}

// The lowest and one past the highest byte that an array of these axes touches.
// An empty array reaches backwards (last is -1): it may be found to overlap, and a copy
// of nothing through a buffer does no harm.
static void extent_of(struct body *body, const struct type *type, const value *array,
        value data, const value *shape, const value *strides, int ndim, value *low,
        value *high)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value zero = value_i64(gen, 0);
    *low = LLVMBuildPtrToInt(b, data, gen->i64, "");
    *high = LLVMBuildAdd(b, *low, value_i64(gen, (int64_t)array_item_bytes(type)), "");
    for (int i = 0; i < ndim; i++) {
        value last = LLVMBuildSub(b, shape[i], value_i64(gen, 1), "");
        value reach = LLVMBuildMul(b, last, strides[i], "");
        value is_down = LLVMBuildICmp(b, LLVMIntSLT, reach, zero, "");
        *low = LLVMBuildAdd(b, *low, value_select(gen, is_down, reach, zero), "");
        *high = LLVMBuildAdd(b, *high, value_select(gen, is_down, zero, reach), "");
    }
}

// Not exact: interleaved views (a[::2], a[1::2]) overlap by this, and are copied through
// a buffer. NumPy solves equations here; a wrong "no" is the only mistake that matters.
static value overlaps(
        struct body *body, const struct ir_instr *instr, const value *strides)
{
    LLVMBuilderRef b = body->gen->builder;
    const struct type *to = instr->operands[0]->type, *from = instr->operands[1]->type;
    const value *target = operand(body, instr, 0), *source = operand(body, instr, 1);
    value low[2], high[2];
    extent_of(body, to, target, target[ARRAY_DATA], target + ARRAY_SHAPE(0),
            target + ARRAY_STRIDE(to, 0), to->array.ndim, &low[0], &high[0]);
    extent_of(body, from, source, source[ARRAY_DATA], target + ARRAY_SHAPE(0), strides,
            to->array.ndim, &low[1], &high[1]);
    return LLVMBuildAnd(b, LLVMBuildICmp(b, LLVMIntULT, low[0], high[1], ""),
            LLVMBuildICmp(b, LLVMIntULT, low[1], high[0], ""), "");
}

static value strided_address(
        struct body *body, value data, const value *strides, const struct nest *nest)
{
    struct codegen *gen = body->gen;
    for (int i = 0; i < nest->depth; i++) {
        value offset = LLVMBuildNSWMul(gen->builder, nest->indices[i], strides[i], "");
        data = LLVMBuildInBoundsGEP2(gen->builder, gen->i8, data, &offset, 1, "");
    }
    return data;
}

// Copies element by element over the target's shape; each side has a type, start and
// strides.
struct copy_side {
    const struct type *type;
    value data;
    const value *strides;
};

static void copy_piece(struct codegen *gen, LLVMTypeRef type, value to, value from)
{
    LLVMBuildStore(gen->builder, LLVMBuildLoad2(gen->builder, type, from, ""), to);
}

static void copy_in_loop(
        struct body *body, LLVMTypeRef piece, value count, value to, value from)
{
    struct codegen *gen = body->gen;
    struct counted_loop loop;
    value index = control_loop_open(body, count, &loop);
    copy_piece(gen, piece, LLVMBuildInBoundsGEP2(gen->builder, piece, to, &index, 1, ""),
            LLVMBuildInBoundsGEP2(gen->builder, piece, from, &index, 1, ""));
    control_loop_close(body, &loop);
}

// All bytes of a record, in pieces that its alignment allows.
static void copy_record(struct body *body, const struct type *array, value to, value from)
{
    struct codegen *gen = body->gen;
    size_t size = array_item_bytes(array);
    bool is_wide = array->array.is_aligned && size % 8 == 0 &&
                   abi_alignment(array->element) == 8;
    if (gen->target->kind == TARGET_HOST) {
        unsigned alignment = is_wide ? 8 : 1;
        LLVMBuildMemMove(gen->builder, to, alignment, from, alignment,
                value_i64(gen, (int64_t)size));
        return;
    }
    // memmove is no function of the device
    size_t step = is_wide ? 8 : 1;
    LLVMTypeRef piece = is_wide ? gen->i64 : gen->i8;
    if (size > MOST_PIECES * step) {
        copy_in_loop(body, piece, value_i64(gen, (int64_t)(size / step)), to, from);
        return;
    }
    for (size_t at = 0; at < size; at += step)
        copy_piece(gen, piece, value_offset(gen, to, at), value_offset(gen, from, at));
}

static void copy_elements(struct body *body, const struct type *shape_type,
        const value *shape, struct copy_side to, struct copy_side from, bool is_few,
        struct span span)
{
    struct codegen *gen = body->gen;
    struct nest nest = {.is_short = is_few};
    nest_open(body, &nest, shape_type, shape);
    value source = strided_address(body, from.data, from.strides, &nest);
    value target = strided_address(body, to.data, to.strides, &nest);
    array_tell_access(body, from.type, source, ACCESS_LOAD, NULL, span);
    if (to.type->element->kind == TYPE_RECORD) {
        array_tell_access(body, to.type, target, ACCESS_STORE, NULL, span);
        copy_record(body, to.type, target, source);
        nest_close(body, &nest);
        return;
    }
    value *loaded = value_row(gen, type_leaf_count(gen, from.type->element));
    value *stored = value_row(gen, type_leaf_count(gen, to.type->element));
    value_load(
            gen, from.type->element, source, array_item_alignment(from.type), "", loaded);
    cast_value(body, from.type->element, to.type->element, loaded, stored, span);
    array_tell_access(body, to.type, target, ACCESS_STORE, stored, span);
    value_store(gen, to.type->element, target, array_item_alignment(to.type), stored);
    nest_close(body, &nest);
}

// A copy of the source in the target's shape, without gaps.
static struct copy_side between(
        struct body *body, const struct ir_instr *instr, value data)
{
    struct codegen *gen = body->gen;
    const struct type *to = instr->operands[0]->type, *from = instr->operands[1]->type;
    const struct type *type = type_array(from->element, to->array.ndim, LAYOUT_C, false);
    value *leaves = value_row(gen, type_leaf_count(gen, type));
    array_describe(body, type, LLVMConstNull(gen->ptr),
            operand(body, instr, 0) + ARRAY_SHAPE(0), leaves);
    return (struct copy_side){type, data, leaves + ARRAY_STRIDE(type, 0)};
}

// Through a temporary copy, so that overlapping sides come out right.
static void copy_buffered(
        struct body *body, const struct ir_instr *instr, const value *strides)
{
    struct codegen *gen = body->gen;
    const struct type *to = instr->operands[0]->type, *from = instr->operands[1]->type;
    const value *target = operand(body, instr, 0), *source = operand(body, instr, 1);
    struct copy_side middle = between(body, instr, NULL);
    value size = value_i64(gen, (int64_t)array_item_bytes(middle.type));
    for (int i = 0; i < to->array.ndim; i++)
        size = LLVMBuildMul(gen->builder, size, target[ARRAY_SHAPE(i)], "");
    value memory = memory_create(body, size, false);
    control_fail_if(body, LLVMBuildIsNull(gen->builder, memory, ""),
            value_i32(gen, STATUS_MEMORY));
    middle.data = value_offset(gen, memory, MEMORY_HEADER_BYTES);
    struct copy_side first = {from, source[ARRAY_DATA], strides};
    struct copy_side last = {to, target[ARRAY_DATA], target + ARRAY_STRIDE(to, 0)};
    copy_elements(body, to, target, middle, first, false, instr->span);
    copy_elements(body, to, target, last, middle, false, instr->span);
    value release = codegen_external(
            gen, "gridcell_memory_release", gen->void_type, &gen->ptr, 1);
    codegen_call(gen, release, &memory, 1, "");
}

static value spill(struct body *body, const value *items, int count)
{
    struct codegen *gen = body->gen;
    LLVMTypeRef type = LLVMArrayType2(gen->i64, (uint64_t)count);
    value slot = value_alloca(body, type, "axes");
    for (int i = 0; i < count; i++)
        LLVMBuildStore(gen->builder, items[i], value_offset(gen, slot, 8 * (size_t)i));
    return slot;
}

// Items that stay as they are: one call, whatever the layouts.
static void copy_by_runtime(struct body *body, const struct type *to, const value *target,
        value source, const value *strides)
{
    struct codegen *gen = body->gen;
    int ndim = to->array.ndim;
    value args[] = {target[ARRAY_DATA], spill(body, target + ARRAY_STRIDE(to, 0), ndim),
            source, spill(body, strides, ndim),
            spill(body, target + ARRAY_SHAPE(0), ndim), value_i64(gen, ndim),
            value_i64(gen, (int64_t)array_item_bytes(to))};
    LLVMTypeRef types[] = {
            gen->ptr, gen->ptr, gen->ptr, gen->ptr, gen->ptr, gen->i64, gen->i64};
    value copy = codegen_external(gen, "gridcell_array_copy", gen->i32, types, 7);
    value status = codegen_call(gen, copy, args, 7, "");
    control_fail_if(body,
            LLVMBuildICmp(gen->builder, LLVMIntNE, status, value_i32(gen, 0), ""),
            status);
}

// Whether the items are so few that code where they are needed is done before the
// runtime has looked at them.
static value is_few(struct body *body, const value *shape, int ndim)
{
    LLVMBuilderRef b = body->gen->builder;
    value few = value_i64(body->gen, FEW_COPIED), size = value_i64(body->gen, 1);
    value is_few = value_bool(body->gen, true);
    for (int i = 0; i < ndim; i++) {
        is_few = LLVMBuildAnd(
                b, is_few, LLVMBuildICmp(b, LLVMIntULE, shape[i], few, ""), "");
        size = LLVMBuildMul(b, size, shape[i], "");
    }
    return LLVMBuildAnd(b, is_few, LLVMBuildICmp(b, LLVMIntULE, size, few, ""), "");
}

// Few items, by loops that stay as small as that. Where the sides overlap, they are all
// read before the first is written.
static void copy_few(
        struct body *body, const struct ir_instr *instr, const value *strides)
{
    struct codegen *gen = body->gen;
    const struct type *to = instr->operands[0]->type, *from = instr->operands[1]->type;
    const value *target = operand(body, instr, 0), *source = operand(body, instr, 1);
    LLVMTypeRef room =
            LLVMArrayType2(gen->i8, (uint64_t)FEW_COPIED * array_item_bytes(from));
    value slot = value_alloca(body, room, "few");
    LLVMSetAlignment(slot, ITEM_ALIGNMENT);
    struct copy_side read = {from, source[ARRAY_DATA], strides};
    struct copy_side write = {to, target[ARRAY_DATA], target + ARRAY_STRIDE(to, 0)};
    struct copy_side middle = between(body, instr, slot);
    LLVMBasicBlockRef direct = body_block(body, "apart"),
                      buffered = body_block(body, "overlap");
    LLVMBasicBlockRef done = body_block(body, "copied");
    LLVMBuildCondBr(gen->builder, overlaps(body, instr, strides), buffered, direct);
    LLVMPositionBuilderAtEnd(gen->builder, buffered);
    copy_elements(body, to, target, middle, read, true, instr->span);
    copy_elements(body, to, target, write, middle, true, instr->span);
    LLVMBuildBr(gen->builder, done);
    LLVMPositionBuilderAtEnd(gen->builder, direct);
    copy_elements(body, to, target, write, read, true, instr->span);
    LLVMBuildBr(gen->builder, done);
    LLVMPositionBuilderAtEnd(gen->builder, done);
}

// Few items that stay as they are are copied by code in place, others by the runtime.
static void copy_unchanged(
        struct body *body, const struct ir_instr *instr, const value *strides)
{
    LLVMBuilderRef b = body->gen->builder;
    const struct type *to = instr->operands[0]->type;
    const value *target = operand(body, instr, 0);
    value source = operand(body, instr, 1)[ARRAY_DATA];
    bool is_number = to->element->kind != TYPE_RECORD && to->element->kind != TYPE_CELLS;
    if (to->array.ndim > FEW_AXES || !is_number) {
        copy_by_runtime(body, to, target, source, strides);
        return;
    }
    LLVMBasicBlockRef few = body_block(body, "few"), many = body_block(body, "many");
    LLVMBasicBlockRef done = body_block(body, "copied");
    LLVMBuildCondBr(b, is_few(body, target + ARRAY_SHAPE(0), to->array.ndim), few, many);
    LLVMPositionBuilderAtEnd(b, few);
    copy_few(body, instr, strides);
    LLVMBuildBr(b, done);
    LLVMPositionBuilderAtEnd(b, many);
    copy_by_runtime(body, to, target, source, strides);
    LLVMBuildBr(b, done);
    LLVMPositionBuilderAtEnd(b, done);
}

// Items that stay as they are along one axis. Where they lie side by side on both sides,
// as parts of rows and columns mostly do, moving the bytes is all, and right for any
// overlap; but a move cannot be interrupted, so a long one is the runtime's.
static void copy_line(
        struct body *body, const struct ir_instr *instr, const value *strides)
{
    struct codegen *gen = body->gen;
    const struct type *to = instr->operands[0]->type;
    const value *target = operand(body, instr, 0);
    value source = operand(body, instr, 1)[ARRAY_DATA];
    LLVMBuilderRef b = gen->builder;
    value size = value_i64(gen, (int64_t)array_item_bytes(to));
    value bytes = LLVMBuildMul(b, target[ARRAY_SHAPE(0)], size, "");
    value is_dense = LLVMBuildAnd(b,
            LLVMBuildICmp(b, LLVMIntEQ, target[ARRAY_STRIDE(to, 0)], size, ""),
            LLVMBuildICmp(b, LLVMIntEQ, strides[0], size, ""), "");
    value is_short =
            LLVMBuildICmp(b, LLVMIntULT, bytes, value_i64(gen, MOVED_AT_ONCE), "");
    LLVMBasicBlockRef move = body_block(body, "move"), other = body_block(body, "copy");
    LLVMBasicBlockRef done = body_block(body, "copied");
    LLVMBuildCondBr(b, LLVMBuildAnd(b, is_dense, is_short, ""), move, other);
    LLVMPositionBuilderAtEnd(b, move);
    LLVMBuildMemMove(b, target[ARRAY_DATA], 1, source, 1, bytes);
    LLVMBuildBr(b, done);
    LLVMPositionBuilderAtEnd(b, other);
    copy_unchanged(body, instr, strides);
    LLVMBuildBr(b, done);
    LLVMPositionBuilderAtEnd(b, done);
}

void array_copy_into(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    const struct type *to = instr->operands[0]->type, *from = instr->operands[1]->type;
    const value *target = operand(body, instr, 0), *source = operand(body, instr, 1);
    value strides[MAX_NDIM];
    broadcast(body, instr, strides);
    struct copy_side read = {from, source[ARRAY_DATA], strides};
    struct copy_side write = {to, target[ARRAY_DATA], target + ARRAY_STRIDE(to, 0)};
    if (gen->target->kind != TARGET_HOST) {
        copy_elements(body, to, target, write, read, false, instr->span);
        return;
    }
    if (to->element == from->element && to->array.ndim == 1) {
        copy_line(body, instr, strides);
        return;
    }
    if (to->element == from->element && to->array.ndim > 0) {
        copy_unchanged(body, instr, strides);
        return;
    }
    if (to->element == from->element) {
        LLVMBuildMemMove(gen->builder, target[ARRAY_DATA], 1, source[ARRAY_DATA], 1,
                value_i64(gen, (int64_t)array_item_bytes(to)));
        return;
    }
    LLVMBasicBlockRef buffered = body_block(body, "overlap"),
                      direct = body_block(body, "copy");
    LLVMBasicBlockRef done = body_block(body, "copied");
    LLVMBuildCondBr(gen->builder, overlaps(body, instr, strides), buffered, direct);
    LLVMPositionBuilderAtEnd(gen->builder, buffered);
    copy_buffered(body, instr, strides);
    LLVMBuildBr(gen->builder, done);
    LLVMPositionBuilderAtEnd(gen->builder, direct);
    copy_elements(body, to, target, write, read, false, instr->span);
    LLVMBuildBr(gen->builder, done);
    LLVMPositionBuilderAtEnd(gen->builder, done);
}
