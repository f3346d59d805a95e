// SPDX-License-Identifier: MIT
// C's fmod on the host. The library's takes a step for each bit of the quotient; what
// programs divide (angles, places in a box) has small quotients, for which a division and
// a fused multiplication give the same number.
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/values/math.h"

#include <math.h>

static value call(
        struct codegen *gen, const char *name, const value *args, unsigned count)
{
    LLVMTypeRef type = LLVMTypeOf(args[0]);
    return codegen_intrinsic(gen, name, &type, 1, args, count, "");
}

static value with_sign(struct codegen *gen, value size, value sign)
{
    return call(gen, "llvm.copysign", (value[2]){size, sign}, 2);
}

// The power of two, 1 or more, that a constant is but for its sign; 0: it is none.
static double power_of_two(value number)
{
    LLVMBool loses;
    int exponent;
    if (!LLVMIsAConstantFP(number))
        return 0;
    double size = fabs(LLVMConstRealGetDouble(number, &loses));
    bool is_power = isfinite(size) && size >= 1 && frexp(size, &exponent) == 0.5;
    return is_power && !loses ? size : 0;
}

// Division and multiplication only move the exponent: nothing is rounded.
static value by_power(struct codegen *gen, const struct type *type, value a, double size)
{
    LLVMBuilderRef b = gen->builder;
    value divisor = value_float(gen, type, size);
    value quotient = LLVMBuildFDiv(b, a, divisor, "");
    value whole = call(gen, "llvm.trunc", &quotient, 1);
    value rest = LLVMBuildFSub(b, a, LLVMBuildFMul(b, whole, divisor, ""), "");
    return with_sign(gen, rest, a);
}

// The quotient is rounded: its whole part is the right one, or one more where the exact
// quotient is just below a whole number. The rest is then negative, and is exact either
// way: it is a multiple of the last bits of both numbers, and smaller than they are.
static value by_quotient(struct codegen *gen, value a, value divisor, value quotient)
{
    LLVMBuilderRef b = gen->builder;
    value zero = LLVMConstNull(LLVMTypeOf(a));
    value size = call(gen, "llvm.fabs", &divisor, 1);
    value dividend = call(gen, "llvm.fabs", &a, 1);
    value part = call(gen, "llvm.fabs", &quotient, 1);
    value whole = call(gen, "llvm.trunc", &part, 1);
    value rest = call(
            gen, "llvm.fma", (value[3]){LLVMBuildFNeg(b, whole, ""), size, dividend}, 3);
    value is_over = LLVMBuildFCmp(b, LLVMRealOLT, rest, zero, "");
    value mended = LLVMBuildFAdd(b, rest, size, "");
    // without a whole part the divisor does not count, which may be infinite
    value is_whole = LLVMBuildFCmp(b, LLVMRealOGT, whole, zero, "");
    rest = value_select(gen, is_over, mended, rest);
    return with_sign(gen, value_select(gen, is_whole, rest, dividend), a);
}

value math_remainder(struct body *body, const struct type *type, const value *args,
        value_call *library)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    double size = power_of_two(args[1]);
    if (size != 0)
        return by_power(gen, type, args[0], size);
    value quotient = LLVMBuildFDiv(b, args[0], args[1], "");
    value part = call(gen, "llvm.fabs", &quotient, 1);
    value limit = value_float(gen, type, type->bits == 32 ? 0x1p22 : 0x1p51);
    value is_large = LLVMBuildNot(b, LLVMBuildFCmp(b, LLVMRealOLT, part, limit, ""), "");
    value usual = by_quotient(gen, args[0], args[1], quotient);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(b);
    LLVMBasicBlockRef next = body_enter_seldom(body, is_large, "remainder");
    value seldom = library(body, PRIMITIVE_MATH_FMOD, type, args, 2);
    LLVMBasicBlockRef there = LLVMGetInsertBlock(b);
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, next);
    return value_phi(
            gen, "", (value[]){usual, seldom}, (LLVMBasicBlockRef[]){here, there});
}
