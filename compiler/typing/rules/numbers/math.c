// SPDX-License-Identifier: MIT
// The math module, and what NumPy's scalar functions share with it.
#include <assert.h>

#include "base/guard.h"
#include "compiler/types/datetime.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/numbers/numbers.h"

static bool is_real(const struct type *type)
{
    return type_is_number(type) && type->kind != TYPE_COMPLEX;
}

static bool are_real(const struct rule *r)
{
    for (size_t i = 0; i < r->arg_count; i++)
        if (!is_real(rule_arg_type(r, i)))
            return false;
    return true;
}

static const struct type *math_float(const struct type *type)
{
    return type->kind == TYPE_FLOAT ? type : type_float64;
}

static const char takes_reals[] = "It takes real numbers.";

bool rule_math_unary(struct rule *r)
{
    if (!are_real(r))
        return rule_no_match(r, takes_reals);
    const struct type *type = math_float(rule_arg_type(r, 0));
    return rule_do_primitive(r, (enum ir_primitive)r->data, type, type);
}

// Integers among themselves compute in float64; with a float by the rules of arithmetic.
static const struct type *math_pair(const struct rule *r)
{
    const struct type *a = rule_arg_type(r, 0), *b = rule_arg_type(r, 1);
    if (type_is_integer(a) && type_is_integer(b))
        return type_float64;
    return arith_float_pair(a, b);
}

bool rule_math_binary(struct rule *r)
{
    if (!are_real(r))
        return rule_no_match(r, takes_reals);
    const struct type *type = math_pair(r);
    return rule_do_primitive(r, (enum ir_primitive)r->data, type, type);
}

// Whether 0 to a power that is an integer may have to raise an error.
static bool may_divide(const struct rule *r)
{
    int64_t power;
    return r->in->target == TARGET_HOST && !r->in->source->options.is_numpy_error_model &&
           !(rule_constant_int(r->args[1], &power) && power >= 0);
}

bool rule_math_pow(struct rule *r)
{
    if (!are_real(r))
        return rule_no_match(r, takes_reals);
    bool is_integer = rule_arg_type(r, 1)->kind == TYPE_INT;
    if (is_integer && may_divide(r))
        return rule_library(r, "numbers.power");
    const struct type *type = is_integer ? type_float64 : math_pair(r);
    return rule_do_primitive(r, PRIMITIVE_MATH_POW, type, type);
}

bool rule_math_copysign(struct rule *r)
{
    if (!are_real(r))
        return rule_no_match(r, takes_reals);
    const struct type *type = arith_float_pair(rule_arg_type(r, 0), rule_arg_type(r, 1));
    return rule_do_primitive(r, PRIMITIVE_MATH_COPYSIGN, type, type);
}

// floor, ceil, trunc: an integer, unsigned for unsigned integers.
bool rule_math_integral(struct rule *r)
{
    if (!are_real(r))
        return rule_no_match(r, takes_reals);
    const struct type *type = rule_arg_type(r, 0);
    r->type = type->kind == TYPE_INT && !type->is_signed ? type_uint64 : type_int64;
    if (!r->is_emitting)
        return true;
    struct ir_instr *value = rule_cast(r, r->args[0], type);
    if (type->kind == TYPE_FLOAT)
        value = rule_primitive(r, (enum ir_primitive)r->data, type, &value, 1);
    r->value = rule_cast(r, value, r->type);
    return true;
}

// isnan, isinf, isfinite
bool rule_math_predicate(struct rule *r)
{
    const struct type *type = rule_arg_type(r, 0);
    if (type->kind == TYPE_TIME)
        return rule_time_predicate(r, (enum ir_primitive)r->data);
    if (type_is_integer(type))
        return rule_do_constant(
                r, (struct constant){.type = type_bool,
                           .integer = r->data == PRIMITIVE_MATH_ISFINITE});
    if (type->kind == TYPE_FLOAT)
        return rule_do_primitive(r, (enum ir_primitive)r->data, type_bool, type);
    if (type->kind != TYPE_COMPLEX)
        return rule_no_match(r, "It takes a number.");
    r->type = type_bool;
    if (!r->is_emitting)
        return true;
    struct ir_instr *value = rule_cast(r, r->args[0], type);
    struct ir_instr *real = rule_primitive(r, PRIMITIVE_REAL, type->element, &value, 1);
    struct ir_instr *imag = rule_primitive(r, PRIMITIVE_IMAG, type->element, &value, 1);
    real = rule_primitive(r, (enum ir_primitive)r->data, type_bool, &real, 1);
    imag = rule_primitive(r, (enum ir_primitive)r->data, type_bool, &imag, 1);
    enum ir_binary op = r->data == PRIMITIVE_MATH_ISFINITE ? BINARY_AND : BINARY_OR;
    r->value = rule_binary_op(r, op, type_bool, real, imag);
    return true;
}

// Those of math, which know no complex numbers.
bool rule_math_real_predicate(struct rule *r)
{
    if (!type_is_number(rule_arg_type(r, 0)) || rule_arg_type(r, 0)->kind == TYPE_COMPLEX)
        return rule_no_match(r, "It takes a real number; cmath has the same for complex "
                                "ones.");
    return rule_math_predicate(r);
}

// Functions of integers alone, by those of the library.
bool rule_math_whole(struct rule *r)
{
    for (size_t i = 0; i < r->arg_count; i++)
        if (rule_has_arg(r, i) && !type_is_integer(rule_arg_type(r, i)) &&
                r->args[i]->type != type_none)
            return rule_no_match(r, "It takes integers.");
    return rule_library(r, arena_printf(&r->in->function->arena, "numbers.%s", r->name));
}

// degrees (data 1), radians (data 0)
bool rule_math_angle(struct rule *r)
{
    if (!are_real(r))
        return rule_no_match(r, takes_reals);
    static const double factors[] = {0.017453292519943295, 57.29577951308232};
    r->type = math_float(rule_arg_type(r, 0));
    if (!r->is_emitting)
        return true;
    struct ir_instr *factor = rule_emit(r, IR_CONST, r->type, NULL, 0);
    factor->constant = (struct constant){.type = r->type, .real = factors[r->data]};
    r->value = rule_binary_op(r, BINARY_MUL, r->type, r->args[0], factor);
    return true;
}

// In 32 bits, which C's function takes: beyond these bounds all is 0 or infinite.
static struct ir_instr *small_exponent(struct rule *r, struct ir_instr *exponent)
{
    const struct type *type = rule_value_type(exponent->type);
    assert(type_is_integer(type));
    if (type->bits <= 16 || type == type_int32)
        return rule_cast(r, exponent, type_int32);
    const struct type *wide = type == type_uint64 ? type_uint64 : type_int64;
    exponent = rule_primitive(r, PRIMITIVE_MIN, wide,
            (struct ir_instr *[]){rule_cast(r, exponent, wide), rule_int(r, wide, 10000)},
            2);
    if (wide == type_int64)
        exponent = rule_primitive(r, PRIMITIVE_MAX, wide,
                (struct ir_instr *[]){exponent, rule_int(r, wide, -10000)}, 2);
    return rule_cast(r, exponent, type_int32);
}

bool rule_math_ldexp(struct rule *r)
{
    if (!are_real(r) || !type_is_integer(rule_arg_type(r, 1)))
        return rule_no_match(r, "It takes a real number and an integer.");
    r->type = math_float(rule_arg_type(r, 0));
    if (r->is_emitting) {
        struct ir_instr *operands[] = {
                rule_cast(r, r->args[0], r->type), small_exponent(r, r->args[1])};
        r->value = rule_primitive(r, PRIMITIVE_MATH_LDEXP, r->type, operands, 2);
    }
    return true;
}

// log with an optional base
bool rule_math_log(struct rule *r)
{
    if (!are_real(r))
        return rule_no_match(r, takes_reals);
    if (r->arg_count == 1) {
        const struct type *type = math_float(rule_arg_type(r, 0));
        return rule_do_primitive(r, PRIMITIVE_MATH_LOG, type, type);
    }
    r->type = math_pair(r);
    if (r->is_emitting) {
        struct ir_instr *logs[2];
        for (int i = 0; i < 2; i++) {
            struct ir_instr *value = rule_cast(r, r->args[i], r->type);
            logs[i] = rule_primitive(r, PRIMITIVE_MATH_LOG, r->type, &value, 1);
        }
        r->value = rule_emit(r, IR_BINARY, r->type, logs, 2);
        r->value->binary = BINARY_TRUEDIV; // by the logarithm of 1, too
    }
    return true;
}

bool rule_math_fma(struct rule *r)
{
    if (!are_real(r))
        return rule_no_match(r, takes_reals);
    const struct type *type = arith_float_pair(rule_arg_type(r, 0), rule_arg_type(r, 1));
    type = arith_float_pair(type, rule_arg_type(r, 2));
    return rule_do_primitive(r, PRIMITIVE_MATH_FMA, type, type);
}
