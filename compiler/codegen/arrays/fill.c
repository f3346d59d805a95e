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
    FILLED_AT_ONCE = 1 << 20, // items, which take a millisecond
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

// Fills items of a dense array, from the first one on, in a loop that LLVM may turn into
// memset.
static void fill_row(
        struct body *body, const struct filling *filling, value first, value count)
{
    struct codegen *gen = body->gen;
    struct counted_loop loop;
    value index = control_loop_open(body, count, &loop);
    value offset =
            LLVMBuildNSWMul(gen->builder, LLVMBuildNSWAdd(gen->builder, first, index, ""),
                    value_i64(gen, (int64_t)array_item_bytes(filling->type)), "");
    value address = LLVMBuildInBoundsGEP2(
            gen->builder, gen->i8, filling->array[ARRAY_DATA], &offset, 1, "");
    fill_item(body, filling, address);
    control_loop_close(body, &loop);
}

// On the host, an interrupt stops between long rows.
static void fill_dense(struct body *body, const struct filling *filling)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value size = value_i64(gen, 1), row = value_i64(gen, FILLED_AT_ONCE);
    for (int i = 0; i < filling->type->array.ndim; i++)
        size = LLVMBuildNSWMul(b, size, filling->array[ARRAY_SHAPE(i)], "");
    if (gen->target->kind != TARGET_HOST) {
        fill_row(body, filling, value_i64(gen, 0), size);
        return;
    }
    value more = LLVMBuildNSWAdd(b, size, value_i64(gen, FILLED_AT_ONCE - 1), "");
    struct counted_loop rows;
    value index = control_loop_open(body, LLVMBuildSDiv(b, more, row, ""), &rows);
    value first = LLVMBuildNSWMul(b, index, row, "");
    value left = LLVMBuildNSWSub(b, size, first, "");
    value has_more = LLVMBuildICmp(b, LLVMIntSGT, left, row, "");
    fill_row(body, filling, first, LLVMBuildSelect(b, has_more, row, left, ""));
    control_poll_if(body, has_more);
    control_loop_close(body, &rows);
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
