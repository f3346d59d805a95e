// SPDX-License-Identifier: MIT
// Complex multiplication, division and power, and powers with an integer exponent for
// every number type.
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/values/arith.h"
#include "compiler/codegen/values/math.h"

#include <math.h>
#include <string.h>

static value add(struct body *body, value a, value b)
{
    return fp(body, LLVMBuildFAdd(body->gen->builder, a, b, ""));
}

static value sub(struct body *body, value a, value b)
{
    return fp(body, LLVMBuildFSub(body->gen->builder, a, b, ""));
}

static value mul(struct body *body, value a, value b)
{
    return fp(body, LLVMBuildFMul(body->gen->builder, a, b, ""));
}

static value quotient(struct body *body, value a, value b)
{
    return fp(body, LLVMBuildFDiv(body->gen->builder, a, b, ""));
}

void complex_multiply(struct body *body, const value *a, const value *b, value *out)
{
    value real = sub(body, mul(body, a[0], b[0]), mul(body, a[1], b[1]));
    value imag = add(body, mul(body, a[0], b[1]), mul(body, a[1], b[0]));
    out[0] = real;
    out[1] = imag;
}

static value is_complex_zero(struct body *body, const struct type *part, const value *a)
{
    LLVMBuilderRef builder = body->gen->builder;
    value zero = value_zero(body->gen, part);
    return LLVMBuildAnd(builder, LLVMBuildFCmp(builder, LLVMRealOEQ, a[0], zero, ""),
            LLVMBuildFCmp(builder, LLVMRealOEQ, a[1], zero, ""), "");
}

// Smith's method: scales by the larger part of the divisor. By zero both parts are
// divided as numbers are, as NumPy does: infinite or NaN each for itself.
static void divide(struct body *body, const struct type *part, const value *a,
        const value *b, value *out)
{
    struct codegen *gen = body->gen;
    value sizes[2];
    for (int i = 0; i < 2; i++)
        sizes[i] = math_call(body, PRIMITIVE_MATH_FABS, part, &b[i], 1);
    value is_real = LLVMBuildFCmp(gen->builder, LLVMRealOGE, sizes[0], sizes[1], "");
    value by_zero = is_complex_zero(body, part, b);
    value big = value_select(gen, is_real, b[0], b[1]);
    value small = value_select(gen, is_real, b[1], b[0]);
    value ratio = quotient(body, small, big);
    value scale = add(body, big, mul(body, small, ratio));
    value first = value_select(gen, is_real, a[0], a[1]);
    value second = value_select(gen, is_real, a[1], a[0]);
    value real = add(body, first, mul(body, second, ratio));
    value cross = mul(body, first, ratio);
    value imag = value_select(
            gen, is_real, sub(body, second, cross), sub(body, cross, second));
    scale = value_select(gen, by_zero, sizes[0], scale);
    real = value_select(gen, by_zero, a[0], real);
    imag = value_select(gen, by_zero, a[1], imag);
    out[0] = quotient(body, real, scale);
    out[1] = quotient(body, imag, scale);
}

void complex_divide(struct body *body, const struct ir_instr *instr, const value *a,
        const value *b, value *out)
{
    if (!arith_divides_as_numpy(body, instr))
        control_raise_if(body, is_complex_zero(body, instr->type->element, b),
                ERROR_ZERO_DIVISION, "complex division by zero", instr->span);
    divide(body, instr->type->element, a, b, out);
}

// 0 ** b: 0 where b has a positive real part, else NaN, as in NumPy; CPython would raise.
static value power_of_zero(struct body *body, const struct type *part, const value *b)
{
    value zero = value_zero(body->gen, part);
    value is_positive = LLVMBuildFCmp(body->gen->builder, LLVMRealOGT, b[0], zero, "");
    return value_select(body->gen, is_positive, zero, value_float(body->gen, part, NAN));
}

// exp(b * log(a)) in polar form, as CPython computes it; 0 ** 0 is 1.
static void power_of_parts(struct body *body, const struct type *part, const value *a,
        const value *b, value *out)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef builder = gen->builder;
    value zero = value_zero(gen, part), one = value_float(gen, part, 1.0);
    value a_zero = is_complex_zero(body, part, a),
          b_zero = is_complex_zero(body, part, b);
    value size = math_call(body, PRIMITIVE_MATH_HYPOT, part, a, 2);
    value power[2] = {size, b[0]};
    value length = math_call(body, PRIMITIVE_MATH_POW, part, power, 2);
    value tangent[2] = {a[1], a[0]};
    value angle = math_call(body, PRIMITIVE_MATH_ATAN2, part, tangent, 2);
    value phase = mul(body, angle, b[0]);
    value is_real = LLVMBuildFCmp(builder, LLVMRealOEQ, b[1], zero, "");
    value turn = mul(body, angle, b[1]);
    value shrunk =
            quotient(body, length, math_call(body, PRIMITIVE_MATH_EXP, part, &turn, 1));
    length = value_select(gen, is_real, length, shrunk);
    value logarithm = math_call(body, PRIMITIVE_MATH_LOG, part, &size, 1);
    phase = value_select(
            gen, is_real, phase, add(body, phase, mul(body, b[1], logarithm)));
    value real = mul(body, length, math_call(body, PRIMITIVE_MATH_COS, part, &phase, 1));
    value imag = mul(body, length, math_call(body, PRIMITIVE_MATH_SIN, part, &phase, 1));
    value of_zero = power_of_zero(body, part, b);
    real = value_select(gen, a_zero, of_zero, real);
    imag = value_select(gen, a_zero, of_zero, imag);
    out[0] = value_select(gen, b_zero, one, real);
    out[1] = value_select(gen, b_zero, zero, imag);
}

// Of narrow parts in float64, as in numba: else what the power is made of may be infinite
// or subnormal where the power is not. GPUs are slow at that.
void complex_power(struct body *body, const struct ir_instr *instr, const value *a,
        const value *b, value *out)
{
    struct codegen *gen = body->gen;
    const struct type *part = instr->type->element;
    if (part->bits == 64 || gen->target->kind == TARGET_GPU) {
        power_of_parts(body, part, a, b, out);
        return;
    }
    value wide[2][2];
    for (int i = 0; i < 2; i++) {
        wide[0][i] = LLVMBuildFPExt(gen->builder, a[i], gen->f64, "");
        wide[1][i] = LLVMBuildFPExt(gen->builder, b[i], gen->f64, "");
    }
    power_of_parts(body, type_float64, wide[0], wide[1], out);
    for (int i = 0; i < 2; i++)
        out[i] = LLVMBuildFPTrunc(gen->builder, out[i], type_llvm(gen, part), "");
}

static void multiply(struct body *body, const struct type *type, const value *a,
        const value *b, value *out)
{
    if (type->kind == TYPE_COMPLEX)
        complex_multiply(body, a, b, out);
    else if (type->kind == TYPE_FLOAT)
        out[0] = mul(body, a[0], b[0]);
    else
        out[0] = LLVMBuildMul(body->gen->builder, a[0], b[0], "");
}

static void one_of(struct body *body, const struct type *type, value *out)
{
    struct codegen *gen = body->gen;
    if (type->kind == TYPE_INT) {
        out[0] = LLVMConstInt(type_llvm(gen, type), 1, 0);
        return;
    }
    const struct type *part = type->kind == TYPE_COMPLEX ? type->element : type;
    out[0] = value_float(gen, part, 1.0);
    if (type->kind == TYPE_COMPLEX)
        out[1] = value_zero(gen, part);
}

// 1 / power; of an integer what is left after rounding towards zero: 1, -1 or 0.
static void invert(struct body *body, const struct type *type, const value *base,
        const value *power, value *out)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value one[2];
    one_of(body, type, one);
    if (type->kind == TYPE_COMPLEX) {
        value is_zero = is_complex_zero(body, type->element, base);
        value nan = value_float(gen, type->element, NAN);
        divide(body, type->element, one, power, out);
        for (int i = 0; i < 2; i++) // of zero as power_of_zero() has it
            out[i] = value_select(gen, is_zero, nan, out[i]);
    } else if (type->kind == TYPE_FLOAT) {
        out[0] = quotient(body, one[0], power[0]);
    } else {
        value minus_one = LLVMConstAllOnes(LLVMTypeOf(one[0]));
        value is_unit = LLVMBuildOr(b, LLVMBuildICmp(b, LLVMIntEQ, base[0], one[0], ""),
                LLVMBuildICmp(b, LLVMIntEQ, base[0], minus_one, ""), "");
        out[0] = value_select(gen, is_unit, power[0], LLVMConstNull(LLVMTypeOf(one[0])));
    }
}

static void power_by_constant(struct body *body, const struct type *type,
        const value *base, uint64_t exponent, value *out)
{
    value square[2];
    bool is_started = false;
    memcpy(square, base, type_leaf_count(body->gen, type) * sizeof *square);
    one_of(body, type, out);
    for (; exponent; exponent >>= 1) {
        if (exponent & 1 && is_started)
            multiply(body, type, out, square, out);
        else if (exponent & 1)
            memcpy(out, square, type_leaf_count(body->gen, type) * sizeof *square);
        is_started |= exponent & 1;
        if (exponent > 1)
            multiply(body, type, square, square, square);
    }
}

// Squares and multiplies in a loop over the bits of the exponent.
static void power_loop(struct body *body, const struct type *type, const value *base,
        value exponent, value *out)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    size_t count = type_leaf_count(gen, type);
    LLVMTypeRef integer = LLVMTypeOf(exponent);
    value one = LLVMConstInt(integer, 1, 0), start[2];
    value result[2] = {NULL}, square[2] = {NULL}, next[2] = {NULL}, more[2] = {NULL};
    one_of(body, type, start);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), loop = body_block(body, "power");
    LLVMBasicBlockRef done = body_block(body, "power.end");
    LLVMBuildBr(b, loop);
    LLVMPositionBuilderAtEnd(b, loop);
    value bits = LLVMBuildPhi(b, integer, "exponent");
    for (size_t i = 0; i < count; i++) {
        result[i] = LLVMBuildPhi(b, LLVMTypeOf(base[i]), "power");
        square[i] = LLVMBuildPhi(b, LLVMTypeOf(base[i]), "square");
    }
    multiply(body, type, result, square, next);
    multiply(body, type, square, square, more);
    value is_odd = LLVMBuildTrunc(b, bits, gen->i1, "");
    value rest = LLVMBuildLShr(b, bits, one, "");
    for (size_t i = 0; i < count; i++) {
        out[i] = value_select(gen, is_odd, next[i], result[i]);
        LLVMAddIncoming(result[i], (value[]){start[i], out[i]},
                (LLVMBasicBlockRef[]){before, loop}, 2);
        LLVMAddIncoming(square[i], (value[]){base[i], more[i]},
                (LLVMBasicBlockRef[]){before, loop}, 2);
    }
    LLVMAddIncoming(
            bits, (value[]){exponent, rest}, (LLVMBasicBlockRef[]){before, loop}, 2);
    value is_done = LLVMBuildICmp(b, LLVMIntEQ, rest, LLVMConstNull(integer), "");
    LLVMBuildCondBr(b, is_done, done, loop);
    LLVMPositionBuilderAtEnd(b, done);
}

// To be a float, an integer beyond 2**53 is rounded, which makes it even: so the sign of
// a power is what C's pow() gives it.
static value rounded_as_float(struct codegen *gen, value size)
{
    LLVMBuilderRef b = gen->builder;
    LLVMTypeRef type = LLVMTypeOf(size);
    if (LLVMGetIntTypeWidth(type) < 64)
        return size;
    value high = LLVMBuildLShr(b, size, LLVMConstInt(type, 53, false), "");
    value is_large = LLVMBuildICmp(b, LLVMIntNE, high, LLVMConstNull(type), "");
    value even = LLVMBuildAnd(b, size, LLVMConstInt(type, ~UINT64_C(1), false), "");
    return value_select(gen, is_large, even, size);
}

void power_by_integer(struct body *body, const struct type *type, const value *base,
        value exponent, bool exponent_is_signed, value *out)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    size_t count = type_leaf_count(gen, type);
    value inverse[2];
    if (LLVMIsAConstantInt(exponent)) {
        int64_t number = LLVMConstIntGetSExtValue(exponent);
        bool is_negative = exponent_is_signed && number < 0;
        if (!is_negative || number != INT64_MIN) {
            power_by_constant(
                    body, type, base, (uint64_t)(is_negative ? -number : number), out);
            if (is_negative) {
                invert(body, type, base, out, inverse);
                memcpy(out, inverse, count * sizeof *out);
            }
            return;
        }
    }
    bool is_float = type->kind == TYPE_FLOAT;
    if (!exponent_is_signed) {
        value size = is_float ? rounded_as_float(gen, exponent) : exponent;
        power_loop(body, type, base, size, out);
        return;
    }
    value zero = LLVMConstNull(LLVMTypeOf(exponent));
    value is_negative = LLVMBuildICmp(b, LLVMIntSLT, exponent, zero, "");
    value size = value_select(gen, is_negative, LLVMBuildNeg(b, exponent, ""), exponent);
    power_loop(body, type, base, is_float ? rounded_as_float(gen, size) : size, out);
    invert(body, type, base, out, inverse);
    for (size_t i = 0; i < count; i++)
        out[i] = value_select(gen, is_negative, inverse[i], out[i]);
}
