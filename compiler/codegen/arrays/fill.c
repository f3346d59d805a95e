// SPDX-License-Identifier: MIT
// Arrays filled with one value.
#include "compiler/codegen/arrays/array.h"
#include "compiler/codegen/arrays/nest.h"
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/values/array.h"

#include <assert.h>

enum {
    FILLED_AT_ONCE = 1 << 12, // items; more are copies of these
};

static bool is_dense(const struct type *type)
{
    return type->array.layout == LAYOUT_C || type->array.layout == LAYOUT_F;
}

// What an array is filled with, and where in the source.
struct filling {
    const struct type *type; // of the array
    const value *array, *element;
    struct span span;
};

static void fill_item(struct body *body, const struct filling *filling, value address)
{
    const struct type *type = filling->type;
    array_tell_access(body, type, address, ACCESS_STORE, filling->element, filling->span);
    value_store(body->gen, type->element, address, array_item_alignment(type),
            filling->element);
}

// Fills the first items of a dense array.
static void fill_row(struct body *body, const struct filling *filling, value count)
{
    struct codegen *gen = body->gen;
    struct counted_loop loop;
    value index = control_loop_open(body, count, &loop);
    value offset = LLVMBuildNSWMul(gen->builder, index,
            value_i64(gen, (int64_t)array_item_bytes(filling->type)), "");
    value address = LLVMBuildInBoundsGEP2(
            gen->builder, gen->i8, filling->array[ARRAY_DATA], &offset, 1, "");
    fill_item(body, filling, address);
    control_loop_close(body, &loop);
    if (gen->target->kind == TARGET_HOST)
        loop_keep_short(gen, loop.back_edge);
}

// The runtime repeats the first items, and stops at an interrupt.
static void repeat_row(struct body *body, const struct filling *filling, value size)
{
    enum { ARGUMENTS = 3, OWN_MEMORY_AND_FLAG = 0x13 }; // as LLVM numbers effects
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    LLVMTypeRef types[ARGUMENTS] = {gen->ptr, gen->i64, gen->i64};
    value repeat =
            codegen_external(gen, "gridcell_array_repeat", gen->i32, types, ARGUMENTS);
    unsigned whole = LLVMAttributeFunctionIndex;
    codegen_attribute(gen, repeat, whole, "memory", OWN_MEMORY_AND_FLAG);
    codegen_attribute(gen, repeat, 1, "nocapture", 0);
    int64_t item_bytes = (int64_t)array_item_bytes(filling->type);
    value args[ARGUMENTS] = {filling->array[ARRAY_DATA],
            value_i64(gen, FILLED_AT_ONCE * item_bytes),
            LLVMBuildNSWMul(b, size, value_i64(gen, item_bytes), "")};
    value status = codegen_call(gen, repeat, args, ARGUMENTS, "");
    control_fail_if(
            body, LLVMBuildICmp(b, LLVMIntNE, status, value_i32(gen, 0), ""), status);
}

static void fill_dense(struct body *body, const struct filling *filling)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value size = value_i64(gen, 1), row = value_i64(gen, FILLED_AT_ONCE);
    for (int i = 0; i < filling->type->array.ndim; i++)
        size = LLVMBuildNSWMul(b, size, filling->array[ARRAY_SHAPE(i)], "");
    if (gen->target->kind != TARGET_HOST) {
        fill_row(body, filling, size);
        return;
    }
    value has_more = LLVMBuildICmp(b, LLVMIntSGT, size, row, "");
    fill_row(body, filling, LLVMBuildSelect(b, has_more, row, size, ""));
    LLVMBasicBlockRef next = body_enter_seldom(body, has_more, "repeat");
    repeat_row(body, filling, size);
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, next);
}

void array_fill(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct type *type = instr->operands[0]->type;
    const value *array = operand(body, instr, 0), *element = operand(body, instr, 1);
    assert(type->kind == TYPE_ARRAY && instr->operands[1]->type == type->element);
    const struct filling filling = {type, array, element, instr->span};
    if (is_dense(type)) {
        fill_dense(body, &filling);
        return;
    }
    struct nest nest = {0};
    nest_open(body, &nest, type, array);
    fill_item(body, &filling, array_element_address(body, type, array, nest.indices));
    nest_close(body, &nest);
}
