// SPDX-License-Identifier: MIT
// The library's unchecked accesses: items of lists, and views by offset and strides. It
// has looked before; where it is compiled with checks these ask whether it has.
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/exception.h"
#include "compiler/codegen/bounds/bounds.h"
#include "compiler/codegen/values/array.h"
#include "compiler/codegen/values/row.h"

#include <assert.h>
#include <stddef.h>

static void fail_if(struct body *body, const struct ir_instr *instr, value is_out,
        value index, int axis, value extent)
{
    struct codegen *gen = body->gen;
    LLVMBasicBlockRef next = body_enter_seldom(body, is_out, "bounds");
    value failure[BOUNDS_FAILURE_PARTS] = {
            value_i32(gen, exception_index_site(body, instr->span)), index,
            value_i64(gen, axis), extent};
    exception_raise_index(body, failure);
    LLVMPositionBuilderAtEnd(gen->builder, next);
}

// --- Lists

static void ask_item(
        struct body *body, const struct ir_instr *instr, size_t place, value extent)
{
    assert(place < instr->operand_count);
    assert(instr->operands[0]->type->kind == TYPE_LIST);
    value index = operand(body, instr, place)[0];
    value is_out = LLVMBuildICmp(body->gen->builder, LLVMIntUGE, index, extent, "");
    fail_if(body, instr, is_out, index, 0, extent);
}

static void ask_room(struct body *body, const struct ir_instr *instr, value row)
{
    value len = row_length(body, row), capacity = row_capacity(body, row);
    value is_full = LLVMBuildICmp(body->gen->builder, LLVMIntSGE, len, capacity, "");
    fail_if(body, instr, is_full, len, 0, capacity);
}

// list, at, removed, inserted
static void ask_splice(struct body *body, const struct ir_instr *instr, value len)
{
    assert(instr->operand_count == 4);
    LLVMBuilderRef b = body->gen->builder;
    value at = operand(body, instr, 1)[0], removed = operand(body, instr, 2)[0];
    value inserted = operand(body, instr, 3)[0], zero = value_i64(body->gen, 0);
    fail_if(body, instr, LLVMBuildICmp(b, LLVMIntUGT, at, len, ""), at, 0, len);
    value rest = LLVMBuildSub(b, len, at, "");
    fail_if(body, instr, LLVMBuildICmp(b, LLVMIntUGT, removed, rest, ""), removed, 0,
            rest);
    fail_if(body, instr, LLVMBuildICmp(b, LLVMIntSLT, inserted, zero, ""), inserted, 0,
            zero);
}

// --- Views

// The bytes that items lie in, as distances from the first item's address.
struct reach {
    value low, high; // the first byte, and the one after the last
    value is_empty;
    value is_negative; // some extent is
};

static struct reach reach_of(struct body *body, const struct type *type,
        const value *shape, const value *strides, size_t ndim)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value zero = value_i64(gen, 0), one = value_i64(gen, 1), no = value_bool(gen, false);
    struct reach reach = {zero, value_i64(gen, (int64_t)array_item_bytes(type)), no, no};
    for (size_t i = 0; i < ndim; i++) {
        value last = LLVMBuildMul(b, LLVMBuildSub(b, shape[i], one, ""), strides[i], "");
        value is_back = LLVMBuildICmp(b, LLVMIntSLT, last, zero, "");
        reach.low =
                LLVMBuildAdd(b, reach.low, value_select(gen, is_back, last, zero), "");
        reach.high =
                LLVMBuildAdd(b, reach.high, value_select(gen, is_back, zero, last), "");
        reach.is_empty = LLVMBuildOr(
                b, reach.is_empty, LLVMBuildICmp(b, LLVMIntEQ, shape[i], zero, ""), "");
        reach.is_negative = LLVMBuildOr(b, reach.is_negative,
                LLVMBuildICmp(b, LLVMIntSLT, shape[i], zero, ""), "");
    }
    return reach;
}

static struct reach array_reach(
        struct body *body, const struct type *type, const value *array)
{
    size_t ndim = (size_t)type->array.ndim;
    assert(type->kind == TYPE_ARRAY && ndim <= MAX_NDIM);
    value strides[MAX_NDIM + 1];
    for (size_t i = 0; i < ndim; i++)
        strides[i] = array[ARRAY_STRIDE(type, i)];
    return reach_of(body, type, array + ARRAY_SHAPE(0), strides, ndim);
}

static struct reach view_reach(struct body *body, const struct ir_instr *instr)
{
    size_t ndim = (size_t)instr->type->array.ndim;
    const value *shape = operand(body, instr, 2);
    if (instr->operand_count > 3)
        return reach_of(body, instr->type, shape, operand(body, instr, 3), ndim);
    value *dense = value_row(body->gen, type_leaf_count(body->gen, instr->type));
    array_describe(body, instr->type, operand(body, instr, 0)[ARRAY_DATA], shape, dense);
    return array_reach(body, instr->type, dense);
}

// A view of the array's first item may stand for all of its memory (library/lines.py):
// what keeps the memory knows how far it goes.
static value is_beyond_owner(struct body *body, const value *array, value low, value high)
{
    struct codegen *gen = body->gen;
    LLVMTypeRef types[5] = {gen->ptr, gen->ptr, gen->ptr, gen->i64, gen->i64};
    value args[5] = {
            array[ARRAY_MEMORY], array[ARRAY_PARENT], array[ARRAY_DATA], low, high};
    value answer = codegen_call(gen,
            codegen_external(gen, "gridcell_owner_holds", gen->i32, types, 5), args, 5,
            "");
    return LLVMBuildICmp(gen->builder, LLVMIntEQ, answer, value_i32(gen, 0), "");
}

// array, offset, shape and strides: all of the view lies within the array, or within the
// memory that the array is a part of.
static void ask_view(struct body *body, const struct ir_instr *instr)
{
    LLVMBuilderRef b = body->gen->builder;
    value offset = operand(body, instr, 1)[0];
    const value *leaves = operand(body, instr, 0);
    struct reach array = array_reach(body, instr->operands[0]->type, leaves);
    struct reach view = view_reach(body, instr);
    value low = LLVMBuildAdd(b, view.low, offset, "");
    value high = LLVMBuildAdd(b, view.high, offset, "");
    value is_before = LLVMBuildICmp(b, LLVMIntSLT, low, array.low, "");
    value is_out = LLVMBuildOr(
            b, is_before, LLVMBuildICmp(b, LLVMIntSGT, high, array.high, ""), "");
    is_out = LLVMBuildOr(b, is_out, array.is_empty, "");
    is_out = LLVMBuildAnd(b, is_out, LLVMBuildNot(b, view.is_empty, ""), "");
    fail_if(body, instr, view.is_negative, view.low, -1, view.high);
    LLVMBasicBlockRef next = body_enter_seldom(body, is_out, "outside");
    fail_if(body, instr, is_beyond_owner(body, leaves, low, high),
            value_select(body->gen, is_before, low, high), -1, array.high);
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, next);
}

void bounds_ask_trusted(struct body *body, const struct ir_instr *instr)
{
    if (instr->op != IR_PRIMITIVE || !source_checks_library(body->options) ||
            body->gen->target->kind != TARGET_HOST)
        return;
    switch (instr->primitive) {
    case PRIMITIVE_LIST_SWAP:
        ask_item(body, instr, 2, row_length(body, operand(body, instr, 0)[0]));
        ask_item(body, instr, 1, row_length(body, operand(body, instr, 0)[0]));
        break;
    case PRIMITIVE_LIST_LOAD:
    case PRIMITIVE_LIST_STORE:
    case PRIMITIVE_LIST_PART:
    case PRIMITIVE_LIST_SET_PART:
        ask_item(body, instr, 1, row_length(body, operand(body, instr, 0)[0]));
        break;
    case PRIMITIVE_LIST_PUSH:
        ask_room(body, instr, operand(body, instr, 0)[0]);
        break;
    case PRIMITIVE_LIST_SPLICE:
        ask_splice(body, instr, row_length(body, operand(body, instr, 0)[0]));
        break;
    case PRIMITIVE_ARRAY_STRIDED:
        ask_view(body, instr);
        break;
    default:
        break;
    }
}
