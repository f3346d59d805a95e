// SPDX-License-Identifier: MIT
// bfloat16, the upper half of a float32: to float32 and back, rounded once. NaN is the
// one that CUDA's conversions give.
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/values/bfloat.h"

enum { BFLOAT_NAN = 0x7fff, BELOW_FLOAT64 = 0x7ff };

static value i32_constant(struct codegen *gen, unsigned number)
{
    return LLVMConstInt(gen->i32, number, 0);
}

value bfloat_widen(struct body *body, value bits)
{
    struct codegen *gen = body->gen;
    value wide = LLVMBuildZExt(gen->builder, bits, gen->i32, "");
    wide = LLVMBuildShl(gen->builder, wide, i32_constant(gen, 16), "");
    return LLVMBuildBitCast(gen->builder, wide, gen->f32, "");
}

// The float32 on that side of a float64 whose last bit is set, or the very number: what
// is rounded to fewer bits then is rounded as the float64 would be.
static value to_odd(struct codegen *gen, value real)
{
    LLVMBuilderRef builder = gen->builder;
    value near = LLVMBuildFPTrunc(builder, real, gen->f32, "");
    value back = LLVMBuildFPExt(builder, near, gen->f64, "");
    value zero = LLVMConstNull(gen->f64);
    value is_positive = LLVMBuildFCmp(builder, LLVMRealOGT, real, zero, "");
    value is_above = LLVMBuildFCmp(builder, LLVMRealOGT, back, real, "");
    value is_below = LLVMBuildFCmp(builder, LLVMRealOLT, back, real, "");
    value is_beyond = value_select(gen, is_positive, is_above, is_below);
    value is_inexact = LLVMBuildOr(builder, is_above, is_below, "");
    value bits = LLVMBuildBitCast(builder, near, gen->i32, "");
    bits = LLVMBuildSub(
            builder, bits, LLVMBuildZExt(builder, is_beyond, gen->i32, ""), "");
    bits = LLVMBuildOr(
            builder, bits, LLVMBuildZExt(builder, is_inexact, gen->i32, ""), "");
    return LLVMBuildBitCast(builder, bits, gen->f32, "");
}

value bfloat_narrow(struct body *body, value real)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef builder = gen->builder;
    if (LLVMTypeOf(real) == gen->f64)
        real = to_odd(gen, real);
    value bits = LLVMBuildBitCast(builder, real, gen->i32, "");
    value odd = LLVMBuildLShr(builder, bits, i32_constant(gen, 16), "");
    odd = LLVMBuildAnd(builder, odd, i32_constant(gen, 1), "");
    value rounded = LLVMBuildAdd(builder, bits, i32_constant(gen, 0x7fff), "");
    rounded = LLVMBuildAdd(builder, rounded, odd, "");
    rounded = LLVMBuildLShr(builder, rounded, i32_constant(gen, 16), "");
    // by its bits, which fastmath leaves alone
    value magnitude = LLVMBuildAnd(builder, bits, i32_constant(gen, 0x7fffffff), "");
    value is_nan = LLVMBuildICmp(
            builder, LLVMIntUGT, magnitude, i32_constant(gen, 0x7f800000), "");
    rounded = value_select(gen, is_nan, i32_constant(gen, BFLOAT_NAN), rounded);
    return LLVMBuildTrunc(builder, rounded, gen->i16, "");
}

value bfloat_sticky(struct body *body, const struct type *type, value number)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef builder = gen->builder;
    value low = value_i64(gen, BELOW_FLOAT64);
    value rest = LLVMBuildAnd(builder, number, low, "");
    value has_rest = LLVMBuildICmp(builder, LLVMIntNE, rest, value_i64(gen, 0), "");
    value bit = LLVMBuildShl(builder, LLVMBuildZExt(builder, has_rest, gen->i64, ""),
            value_i64(gen, 11), "");
    value kept = LLVMBuildAnd(builder, number, LLVMBuildNot(builder, low, ""), "");
    kept = LLVMBuildOr(builder, kept, bit, "");
    // small ones are exact as they are
    value shifted = number;
    if (type->is_signed)
        shifted = LLVMBuildAdd(builder, number, value_i64(gen, (int64_t)1 << 53), "");
    uint64_t limit = type->is_signed ? (uint64_t)1 << 54 : (uint64_t)1 << 53;
    value is_small = LLVMBuildICmp(
            builder, LLVMIntULE, shifted, value_i64(gen, (int64_t)limit), "");
    return value_select(gen, is_small, number, kept);
}
