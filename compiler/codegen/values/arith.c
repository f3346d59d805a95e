// SPDX-License-Identifier: MIT
// Arithmetic on one number type with Python's meaning: floor division, modulo with the
// sign of the divisor, wrapping integers, integer powers, and division by zero as the
// error model asks.
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/values/arith.h"
#include "compiler/codegen/values/math.h"

#include <assert.h>

bool arith_divides_as_numpy(const struct body *body, const struct ir_instr *instr)
{
    return body->options->is_numpy_error_model || instr->immediate == DIVISION_AS_NUMPY;
}

// A NaN is not zero: the comparison is an ordered one.
static value is_zero(struct body *body, const struct type *type, value number)
{
    LLVMBuilderRef b = body->gen->builder;
    if (type->kind == TYPE_FLOAT)
        return LLVMBuildFCmp(b, LLVMRealOEQ, number, value_zero(body->gen, type), "");
    return LLVMBuildICmp(b, LLVMIntEQ, number, LLVMConstNull(LLVMTypeOf(number)), "");
}

// Where the divisor is a constant other than 0, LLVM folds the condition and the raise
// goes (control_raise_if).
static void check_divisor(struct body *body, const struct ir_instr *instr, value divisor,
        const char *message)
{
    if (!arith_divides_as_numpy(body, instr))
        control_raise_if(body, is_zero(body, instr->type, divisor), ERROR_ZERO_DIVISION,
                message, instr->span);
}

static value unsigned_division(
        struct body *body, const struct ir_instr *instr, value a, value b)
{
    LLVMBuilderRef builder = body->gen->builder;
    value zero = LLVMConstNull(LLVMTypeOf(b));
    bool is_mod = instr->binary == BINARY_MOD;
    value safe = b, by_zero = NULL;
    if (arith_divides_as_numpy(body, instr)) {
        by_zero = is_zero(body, instr->type, b);
        safe = value_select(body->gen, by_zero, LLVMConstInt(LLVMTypeOf(b), 1, 0), b);
    }
    value result = is_mod ? LLVMBuildURem(builder, a, safe, "")
                          : LLVMBuildUDiv(builder, a, safe, "");
    return by_zero ? value_select(body->gen, by_zero, zero, result) : result;
}

// Division by -1 is negation (the smallest integer would trap); by 0, in NumPy's model,
// 0.
static value signed_division(
        struct body *body, const struct ir_instr *instr, value a, value b)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef builder = gen->builder;
    value zero = LLVMConstNull(LLVMTypeOf(b)), one = LLVMConstInt(LLVMTypeOf(b), 1, 0);
    value minus_one = LLVMConstAllOnes(LLVMTypeOf(b));
    value is_minus = LLVMBuildICmp(builder, LLVMIntEQ, b, minus_one, "");
    value by_zero = is_zero(body, instr->type, b);
    value unsafe = LLVMBuildOr(builder, is_minus, by_zero, "");
    value safe = value_select(gen, unsafe, one, b);
    value remainder = LLVMBuildSRem(builder, a, safe, "");
    value mixed = LLVMBuildICmp(
            builder, LLVMIntSLT, LLVMBuildXor(builder, remainder, safe, ""), zero, "");
    value is_odd = LLVMBuildICmp(builder, LLVMIntNE, remainder, zero, "");
    value adjust = LLVMBuildAnd(builder, mixed, is_odd, "");
    if (instr->binary == BINARY_MOD) // by 1 in the unsafe cases: 0
        return LLVMBuildAdd(
                builder, remainder, value_select(gen, adjust, safe, zero), "");
    value quotient = LLVMBuildSDiv(builder, a, safe, "");
    quotient = LLVMBuildAdd(
            builder, quotient, value_select(gen, adjust, minus_one, zero), "");
    quotient = value_select(gen, is_minus, LLVMBuildNeg(builder, a, ""), quotient);
    return arith_divides_as_numpy(body, instr)
                   ? value_select(gen, by_zero, zero, quotient)
                   : quotient;
}

// The power of two that a constant is, or -1.
static int exponent_of_two(value number)
{
    if (!LLVMIsAConstantInt(number))
        return -1;
    int64_t bits = LLVMConstIntGetSExtValue(number);
    return bits > 0 && (bits & (bits - 1)) == 0 ? __builtin_ctzll((uint64_t)bits) : -1;
}

// Rounding down is what shifting and masking do, whatever the sign.
static value division_by_power(
        struct body *body, const struct ir_instr *instr, value a, int exponent)
{
    LLVMBuilderRef builder = body->gen->builder;
    LLVMTypeRef type = LLVMTypeOf(a);
    if (instr->binary == BINARY_MOD)
        return LLVMBuildAnd(
                builder, a, LLVMConstInt(type, ((uint64_t)1 << exponent) - 1, 0), "");
    return LLVMBuildAShr(builder, a, LLVMConstInt(type, (unsigned)exponent, 0), "");
}

// Unsigned division is one instruction where Python's floor takes a handful.
static bool is_never_negative(const struct body *body, const struct ir_instr *instr)
{
    return body->intervals[instr->id].low >= 0;
}

static value integer_division(
        struct body *body, const struct ir_instr *instr, value a, value b)
{
    int exponent = instr->type->is_signed ? exponent_of_two(b) : -1;
    if (exponent >= 0)
        return division_by_power(body, instr, a, exponent);
    check_divisor(body, instr, b,
            instr->immediate == DIVISION_OF_DIVMOD ? "integer divmod by zero"
            : instr->binary == BINARY_MOD          ? "integer modulo by zero"
                                                   : "integer division by zero");
    bool is_signed = instr->type->is_signed &&
                     !(is_never_negative(body, instr->operands[0]) &&
                             is_never_negative(body, instr->operands[1]));
    return is_signed ? signed_division(body, instr, a, b)
                     : unsigned_division(body, instr, a, b);
}

// Shifts by the width or more give what shifting bit by bit would.
// 0 ** -1, as Python has it.
static void check_power(
        struct body *body, const struct ir_instr *instr, value base, value exponent)
{
    LLVMBuilderRef b = body->gen->builder;
    value zero = LLVMConstNull(LLVMTypeOf(base));
    bool is_natural =
            LLVMIsAConstantInt(exponent) && LLVMConstIntGetSExtValue(exponent) >= 0;
    if (!arith_divides_as_numpy(body, instr) && instr->type->is_signed && !is_natural)
        control_raise_if(body,
                LLVMBuildAnd(b, LLVMBuildICmp(b, LLVMIntEQ, base, zero, ""),
                        LLVMBuildICmp(b, LLVMIntSLT, exponent, zero, ""), ""),
                ERROR_ZERO_DIVISION, "0 cannot be raised to a negative power",
                instr->span);
}

static value shift(struct body *body, const struct ir_instr *instr, value a, value b)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef builder = gen->builder;
    LLVMTypeRef type = LLVMTypeOf(a);
    value last = LLVMConstInt(type, LLVMGetIntTypeWidth(type) - 1, 0);
    value is_wide = LLVMBuildICmp(builder, LLVMIntUGT, b, last, "");
    value amount = value_select(gen, is_wide, last, b);
    if (instr->binary == BINARY_RSHIFT && instr->type->is_signed)
        return LLVMBuildAShr(builder, a, amount, "");
    value shifted = instr->binary == BINARY_LSHIFT
                            ? LLVMBuildShl(builder, a, amount, "")
                            : LLVMBuildLShr(builder, a, amount, "");
    return value_select(gen, is_wide, LLVMConstNull(type), shifted);
}

// Whether a sum, difference or product of integers is one of the type, by what is known
// of where they lie.
static bool stays_in_type(const struct body *body, const struct ir_instr *instr)
{
    const struct interval *a = &body->intervals[instr->operands[0]->id];
    const struct interval *b = &body->intervals[instr->operands[1]->id];
    __int128 ends[4];
    for (int i = 0; i < 4; i++) {
        __int128 left = i % 2 ? a->high : a->low, right = i / 2 ? b->high : b->low;
        ends[i] = instr->binary == BINARY_ADD   ? left + right
                  : instr->binary == BINARY_SUB ? left - right
                                                : left * right;
    }
    __int128 most = ((__int128)1 << (instr->type->bits - 1)) - 1;
    for (int i = 0; i < 4; i++)
        if (ends[i] < -most - 1 || ends[i] > most)
            return false;
    return instr->type->is_signed;
}

// What never wraps around is told to LLVM, which then counts turns of loops, and compares
// places, that such numbers tell of.
static value plain_binary(
        struct body *body, const struct ir_instr *instr, value a, value b)
{
    LLVMBuilderRef builder = body->gen->builder;
    bool is_exact = stays_in_type(body, instr);
    if (instr->binary == BINARY_ADD)
        return is_exact ? LLVMBuildNSWAdd(builder, a, b, "")
                        : LLVMBuildAdd(builder, a, b, "");
    if (instr->binary == BINARY_SUB)
        return is_exact ? LLVMBuildNSWSub(builder, a, b, "")
                        : LLVMBuildSub(builder, a, b, "");
    return is_exact ? LLVMBuildNSWMul(builder, a, b, "")
                    : LLVMBuildMul(builder, a, b, "");
}

static value integer_binary(
        struct body *body, const struct ir_instr *instr, value a, value b)
{
    static const LLVMOpcode plain[] = {
            [BINARY_AND] = LLVMAnd,
            [BINARY_OR] = LLVMOr,
            [BINARY_XOR] = LLVMXor,
    };
    if ((size_t)instr->binary < sizeof plain / sizeof *plain && plain[instr->binary])
        return LLVMBuildBinOp(body->gen->builder, plain[instr->binary], a, b, "");
    switch (instr->binary) {
    case BINARY_ADD:
    case BINARY_SUB:
    case BINARY_MUL:
        return plain_binary(body, instr, a, b);
    case BINARY_FLOORDIV:
    case BINARY_MOD:
        return integer_division(body, instr, a, b);
    case BINARY_LSHIFT:
    case BINARY_RSHIFT:
        return shift(body, instr, a, b);
    case BINARY_POW: {
        value result;
        check_power(body, instr, a, b);
        power_by_integer(body, instr->type, &a, b, instr->type->is_signed, &result);
        return result;
    }
    default:
        codegen_fail(body->gen, ERROR_INTERNAL, instr->span, "no such operation on %s",
                instr->type->name);
        return a;
    }
}

static bool is_one(value number)
{
    LLVMBool loses;
    return LLVMIsAConstantFP(number) && LLVMConstRealGetDouble(number, &loses) == 1;
}

// x % 1.0: what fmod leaves is exact, and so is the sum of it and 1 but for the rounding
// that this difference has too. Of a whole number it is 0.0, as Python has it.
static value fraction(struct body *body, const struct type *type, value a)
{
    value floor = math_call(body, PRIMITIVE_MATH_FLOOR, type, &a, 1);
    return LLVMBuildFSub(body->gen->builder, a, floor, "");
}

// fmod, then the divisor once more where the signs differ.
static value float_modulo(
        struct body *body, const struct type *type, value a, value b, value *is_adjusted)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef builder = gen->builder;
    if (is_one(b) && !is_adjusted && type->bits >= 32)
        return fraction(body, type, a);
    value zero = value_zero(gen, type);
    value args[2] = {a, b};
    value m = math_call(body, PRIMITIVE_MATH_FMOD, type, args, 2);
    value nonzero = LLVMBuildFCmp(builder, LLVMRealUNE, m, zero, "");
    value m_negative = LLVMBuildFCmp(builder, LLVMRealOLT, m, zero, "");
    value b_negative = LLVMBuildFCmp(builder, LLVMRealOLT, b, zero, "");
    value differs = LLVMBuildXor(builder, m_negative, b_negative, "");
    value adjust = LLVMBuildAnd(builder, nonzero, differs, "");
    value moved =
            value_select(gen, adjust, fp(body, LLVMBuildFAdd(builder, m, b, "")), m);
    value signs[2] = {zero, b};
    value signed_zero = math_call(body, PRIMITIVE_MATH_COPYSIGN, type, signs, 2);
    if (is_adjusted)
        *is_adjusted = adjust;
    return value_select(gen, nonzero, moved, signed_zero);
}

static value float_floor_division(
        struct body *body, const struct type *type, value a, value b)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef builder = gen->builder;
    value zero = value_zero(gen, type), one = value_float(gen, type, 1.0);
    value args[2] = {a, b};
    value m = math_call(body, PRIMITIVE_MATH_FMOD, type, args, 2);
    value quotient = LLVMBuildFDiv(builder, LLVMBuildFSub(builder, a, m, ""), b, "");
    value nonzero = LLVMBuildFCmp(builder, LLVMRealUNE, m, zero, "");
    value m_negative = LLVMBuildFCmp(builder, LLVMRealOLT, m, zero, "");
    value b_negative = LLVMBuildFCmp(builder, LLVMRealOLT, b, zero, "");
    value adjust = LLVMBuildAnd(
            builder, nonzero, LLVMBuildXor(builder, m_negative, b_negative, ""), "");
    quotient = value_select(
            gen, adjust, LLVMBuildFSub(builder, quotient, one, ""), quotient);
    value floor = math_call(body, PRIMITIVE_MATH_FLOOR, type, &quotient, 1);
    value excess = LLVMBuildFSub(builder, quotient, floor, "");
    value is_up =
            LLVMBuildFCmp(builder, LLVMRealOGT, excess, value_float(gen, type, 0.5), "");
    floor = value_select(gen, is_up, LLVMBuildFAdd(builder, floor, one, ""), floor);
    value signs[2] = {zero, LLVMBuildFDiv(builder, a, b, "")};
    value signed_zero = math_call(body, PRIMITIVE_MATH_COPYSIGN, type, signs, 2);
    value result_nonzero = LLVMBuildFCmp(builder, LLVMRealUNE, quotient, zero, "");
    value result = value_select(gen, result_nonzero, floor, signed_zero);
    // only NumPy's division gets here with b == 0: a / 0 is inf or nan
    value by_zero = LLVMBuildFCmp(builder, LLVMRealOEQ, b, zero, "");
    return value_select(gen, by_zero, signs[1], result);
}

static value float_power(
        struct body *body, const struct ir_instr *instr, value a, value b)
{
    const struct type *exponent = instr->operands[1]->type;
    value args[2] = {a, b}, result;
    if (exponent->kind != TYPE_INT)
        return math_call(body, PRIMITIVE_MATH_POW, instr->type, args, 2);
    power_by_integer(body, instr->type, &a, b, exponent->is_signed, &result);
    return result;
}

static value float_binary(
        struct body *body, const struct ir_instr *instr, value a, value b)
{
    LLVMBuilderRef builder = body->gen->builder;
    switch (instr->binary) {
    case BINARY_ADD:
        return fp(body, LLVMBuildFAdd(builder, a, b, ""));
    case BINARY_SUB:
        return fp(body, LLVMBuildFSub(builder, a, b, ""));
    case BINARY_MUL:
        return fp(body, LLVMBuildFMul(builder, a, b, ""));
    case BINARY_TRUEDIV:
        check_divisor(body, instr, b, "division by zero");
        return fp(body, LLVMBuildFDiv(builder, a, b, ""));
    case BINARY_FLOORDIV:
        check_divisor(body, instr, b, "division by zero");
        return float_floor_division(body, instr->type, a, b);
    case BINARY_MOD:
        check_divisor(body, instr, b, "modulo by zero");
        return float_modulo(body, instr->type, a, b, NULL);
    case BINARY_POW:
        return float_power(body, instr, a, b);
    default:
        codegen_fail(body->gen, ERROR_INTERNAL, instr->span, "no such operation on %s",
                instr->type->name);
        return a;
    }
}

static void complex_binary(struct body *body, const struct ir_instr *instr,
        const value *a, const value *b, value *out)
{
    LLVMBuilderRef builder = body->gen->builder;
    switch (instr->binary) {
    case BINARY_ADD:
    case BINARY_SUB:
        for (int i = 0; i < 2; i++)
            out[i] = fp(body, instr->binary == BINARY_ADD
                                      ? LLVMBuildFAdd(builder, a[i], b[i], "")
                                      : LLVMBuildFSub(builder, a[i], b[i], ""));
        break;
    case BINARY_MUL:
        complex_multiply(body, a, b, out);
        break;
    case BINARY_TRUEDIV:
        complex_divide(body, instr, a, b, out);
        break;
    case BINARY_POW:
        if (instr->operands[1]->type->kind == TYPE_INT)
            power_by_integer(
                    body, instr->type, a, b[0], instr->operands[1]->type->is_signed, out);
        else
            complex_power(body, instr, a, b, out);
        break;
    default:
        codegen_fail(body->gen, ERROR_INTERNAL, instr->span, "no such operation on %s",
                instr->type->name);
        out[0] = out[1] = a[0];
    }
}

void arith_binary(struct body *body, const struct ir_instr *instr, value *out)
{
    const value *a = operand(body, instr, 0), *b = operand(body, instr, 1);
    assert(instr->operand_count == 2 && instr->operands[0]->type == instr->type);
    if (instr->type->kind == TYPE_COMPLEX)
        complex_binary(body, instr, a, b, out);
    else if (instr->type->kind == TYPE_FLOAT)
        out[0] = float_binary(body, instr, a[0], b[0]);
    else if (instr->binary != BINARY_POW && narrow_applies(body, instr))
        out[0] = narrow_widened(
                body, integer_binary(body, instr, narrow_operand(body, instr, 0),
                              narrow_operand(body, instr, 1)));
    else {
        overflow_check_binary(body, instr, a[0], b[0]);
        out[0] = integer_binary(body, instr, a[0], b[0]);
    }
}

void arith_unary(struct body *body, const struct ir_instr *instr, value *out)
{
    LLVMBuilderRef builder = body->gen->builder;
    size_t count = type_leaf_count(body->gen, instr->type);
    assert(instr->operands[0]->type == instr->type);
    bool is_integer = type_is_integer(instr->type);
    for (size_t i = 0; i < count; i++) {
        value in = operand(body, instr, 0)[i];
        switch (instr->unary) {
        case UNARY_NEGATIVE:
            overflow_check_negative(body, instr->type, in, instr->span);
            out[i] = is_integer ? LLVMBuildNeg(builder, in, "")
                                : fp(body, LLVMBuildFNeg(builder, in, ""));
            break;
        case UNARY_POSITIVE:
            out[i] = in;
            break;
        case UNARY_INVERT:
        case UNARY_NOT:
            out[i] = LLVMBuildNot(builder, in, "");
            break;
        }
    }
}
