// SPDX-License-Identifier: MIT
// Counting along several axes, without a division in each turn.
#include "compiler/codegen/loops/axes.h"

#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"

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
    for (int i = 0; i < count; i++) {
        axes->slots[i] = value_alloca(body, gen->i64, "axis");
        value first = i ? zero : value_select(gen, is_empty, extents[0], zero);
        LLVMBuildStore(b, first, axes->slots[i]);
    }
}

// Moves on to the next place: the last index by one, and where one comes to its end, to 0
// and the one before it on. `offset`, unless NULL, moves along by `strides`.
value axes_advance(struct body *body, const struct axes *axes, const value *extents,
        const value *strides, value *now, value *offset)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value one = value_i64(gen, 1), zero = value_i64(gen, 0);
    value moves = value_bool(gen, true);
    for (int i = axes->count; i-- > 0;) {
        now[i] = LLVMBuildLoad2(b, gen->i64, axes->slots[i], "");
        value next = LLVMBuildNSWAdd(b, now[i], one, "");
        value ends = i ? LLVMBuildICmp(b, LLVMIntSGE, next, extents[i], "")
                       : value_bool(gen, false);
        value moved = value_select(gen, ends, zero, next);
        LLVMBuildStore(b, value_select(gen, moves, moved, now[i]), axes->slots[i]);
        if (offset) {
            value back = LLVMBuildMul(b, now[i], strides[i], "");
            value by = value_select(gen, ends, LLVMBuildNeg(b, back, ""), strides[i]);
            *offset = LLVMBuildAdd(b, *offset, value_select(gen, moves, by, zero), "");
        }
        moves = LLVMBuildAnd(b, moves, ends, "");
    }
    return LLVMBuildICmp(b, LLVMIntSLT, now[0], extents[0], "");
}
