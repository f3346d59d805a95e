// SPDX-License-Identifier: MIT
// bfloat16: its operations are those of float32, the results rounded. Products, quotients
// and roots of such short numbers are rounded correctly that way, too.

#include <assert.h>
#include <string.h>

#include "base/str.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/numbers/numbers.h"

static const char takes_bfloats[] = "It takes bfloat16 values.";

// --- Operands as float32

bool rule_has_bfloat(const struct rule *r)
{
    for (size_t i = 0; i < r->arg_count; i++)
        if (r->args[i] && r->args[i]->type && rule_arg_type(r, i)->kind == TYPE_BFLOAT)
            return true;
    return false;
}

// The value as another type: while types are found, something that has this type.
static struct ir_instr *as_type(
        struct rule *r, struct ir_instr *value, const struct type *type)
{
    if (r->is_emitting)
        return rule_cast(r, value, type);
    struct ir_instr *cast = arena_array(&r->in->function->arena, struct ir_instr, 1);
    struct ir_instr **operand =
            arena_array(&r->in->function->arena, struct ir_instr *, 1);
    operand[0] = value;
    *cast = (struct ir_instr){.op = IR_CAST,
            .id = value->id,
            .type = type,
            .span = value->span,
            .operands = operand,
            .operand_count = 1};
    return cast;
}

static void widen(struct rule *r, bool with_integers)
{
    struct ir_instr **args =
            arena_array(&r->in->function->arena, struct ir_instr *, r->arg_count + 1);
    for (size_t i = 0; i < r->arg_count; i++) {
        const struct type *type =
                r->args[i] && r->args[i]->type ? rule_arg_type(r, i) : type_none;
        bool is_cast =
                type->kind == TYPE_BFLOAT || (with_integers && type_is_integer(type));
        args[i] = is_cast ? as_type(r, r->args[i], type_float32) : r->args[i];
    }
    r->args = args;
}

void rule_bfloat_widen(struct rule *r)
{
    if (rule_has_bfloat(r))
        widen(r, false);
}

void rule_bfloat_narrow(struct rule *r)
{
    if (!r->type || r->type->kind != TYPE_FLOAT)
        return;
    r->type = type_bfloat16;
    if (r->is_emitting)
        r->value = rule_cast(r, r->value, type_bfloat16);
}

// Whether some operand is a number that bfloat16 gives way to.
static bool has_wider(const struct rule *r)
{
    for (size_t i = 0; i < r->arg_count; i++) {
        const struct type *type =
                r->args[i] && r->args[i]->type ? rule_arg_type(r, i) : type_none;
        if (type->kind == TYPE_FLOAT || type->kind == TYPE_COMPLEX)
            return true;
    }
    return false;
}

// --- Operators

bool rule_bfloat_binary(struct rule *r, enum ir_binary op)
{
    bool is_wide = has_wider(r);
    widen(r, !is_wide && op != BINARY_POW);
    if (!rule_number_binary(r, op))
        return false;
    if (!is_wide)
        rule_bfloat_narrow(r);
    return true;
}

bool rule_bfloat_unary(struct rule *r)
{
    widen(r, false);
    if (!rule_number_unary(r))
        return false;
    rule_bfloat_narrow(r);
    return true;
}

bool rule_bfloat_compare(struct rule *r, enum ir_compare op)
{
    assert(rule_has_bfloat(r));
    widen(r, false);
    return rule_compare_numbers(r, op, rule_arg_type(r, 0), rule_arg_type(r, 1));
}

// bfloat16(x)
bool rule_bfloat_class(struct rule *r)
{
    bool is_number = r->arg_count == 1 && (type_is_number(rule_arg_type(r, 0)) ||
                                                  rule_arg_type(r, 0) == type_bfloat16);
    if (!is_number || r->instr->call.keyword_count ||
            type_conversion(rule_arg_type(r, 0), type_bfloat16) == CONVERT_NEVER)
        return rule_no_match(r, "The argument is one real number.");
    r->type = type_bfloat16;
    if (r->is_emitting)
        r->value = rule_cast(r, r->args[0], type_bfloat16);
    return true;
}

// --- Functions

// Whether a call is of a function of numbers, some of them bfloat16, or of one of their
// own.
bool rule_computes_bfloat(const struct rule *r, const char *builtin)
{
    if (str_starts_with(builtin, "cuda.bf16."))
        return !strstr(builtin, "_bfloat16") && !strstr(builtin, ".bfloat16_as_");
    return rule_has_bfloat(r) && strcmp(builtin, "builtins.isinstance") != 0 &&
           strcmp(builtin, "builtins.type") != 0;
}

bool rule_bfloat_enter(struct rule *r, const char *builtin, bool *is_wide)
{
    bool is_own = str_starts_with(builtin, "cuda.bf16.");
    *is_wide = has_wider(r);
    for (size_t i = 0; is_own && i < r->arg_count; i++)
        if (rule_arg_type(r, i)->kind != TYPE_BFLOAT)
            return rule_no_match(r, takes_bfloats);
    widen(r, false);
    return true;
}

// --- Conversions; data: the integer type below, its rounding above

static const struct type *integer_of(int data)
{
    const struct type *const types[] = {type_int8, type_uint8, type_int16, type_uint16,
            type_int32, type_uint32, type_int64, type_uint64, type_float32, type_float64};
    return types[data & 15];
}

static struct ir_instr *real(struct rule *r, double number)
{
    return rule_constant_of(
            r, type_float32, (struct constant){.type = type_float32, .real = number});
}

static struct ir_instr *choose(struct rule *r, struct ir_instr *condition,
        struct ir_instr *yes, struct ir_instr *no)
{
    struct ir_instr *operands[] = {condition, yes, no};
    return rule_primitive(r, PRIMITIVE_SELECT, yes->type, operands, 3);
}

// Of numbers out of range the nearest, of NaN 0, or in 64 bits the highest bit.
static struct ir_instr *saturate(
        struct rule *r, struct ir_instr *whole, const struct type *type)
{
    int magnitude = type->bits - (type->is_signed ? 1 : 0);
    double above = (double)((uint64_t)1 << (magnitude - 1)) * 2;
    uint64_t most = UINT64_MAX >> (64 - magnitude);
    uint64_t top = (uint64_t)1 << (type->bits - 1);
    int64_t least = type->is_signed ? -(int64_t)most - 1 : 0;
    struct ir_instr *is_high = rule_compare_op(r, COMPARE_GE, whole, real(r, above));
    struct ir_instr *is_low =
            rule_compare_op(r, COMPARE_LT, whole, real(r, type->is_signed ? -above : 0));
    struct ir_instr *is_nan = rule_compare_op(r, COMPARE_NE, whole, whole);
    struct ir_instr *is_out = rule_binary_op(r, BINARY_OR, type_bool, is_high, is_low);
    is_out = rule_binary_op(r, BINARY_OR, type_bool, is_out, is_nan);
    struct ir_instr *number = rule_cast(r, choose(r, is_out, real(r, 0), whole), type);
    number = choose(r, is_high, rule_int(r, type, (int64_t)most), number);
    number = choose(r, is_low, rule_int(r, type, least), number);
    struct ir_instr *of_nan = rule_int(r, type, type->bits == 64 ? (int64_t)top : 0);
    return choose(r, is_nan, of_nan, number);
}

// bfloat16_to_int32_rn and its kin
bool rule_bfloat_to(struct rule *r)
{
    static const enum ir_primitive roundings[] = {PRIMITIVE_MATH_RINT,
            PRIMITIVE_MATH_TRUNC, PRIMITIVE_MATH_FLOOR, PRIMITIVE_MATH_CEIL};
    if (rule_arg_type(r, 0) != type_float32)
        return rule_no_match(r, takes_bfloats);
    r->type = integer_of(r->data);
    if (!r->is_emitting)
        return true;
    struct ir_instr *value = rule_cast(r, r->args[0], type_float32);
    value = rule_primitive(r, roundings[r->data >> 4], type_float32, &value, 1);
    r->value = saturate(r, value, r->type);
    return true;
}

// int32_to_bfloat16_rn and its kin
bool rule_bfloat_from(struct rule *r)
{
    static const char *const functions[] = {
            NULL, "bfloats.toward_zero", "bfloats.down", "bfloats.up"};
    static const char *const whole_functions[] = {
            NULL, "bfloats.whole_toward_zero", "bfloats.whole_down", "bfloats.whole_up"};
    const struct type *type = integer_of(r->data);
    if (!type_is_number(rule_arg_type(r, 0)) ||
            type_conversion(rule_arg_type(r, 0), type) == CONVERT_NEVER)
        return rule_no_match(r, "It takes a number.");
    struct ir_instr *value = as_type(r, r->args[0], type);
    int rounding = r->data >> 4;
    if (rounding) {
        r->args = &value;
        return rule_library(
                r, (type->kind == TYPE_INT && type->bits == 64 ? whole_functions
                                                               : functions)[rounding]);
    }
    r->type = type_bfloat16;
    if (r->is_emitting)
        r->value = rule_cast(r, value, type_bfloat16);
    return true;
}

// bfloat16_as_int16, uint16_as_bfloat16 and their kin
bool rule_bfloat_bits(struct rule *r)
{
    bool is_made = strstr(r->name, "_as_bfloat16");
    const struct type *bits = integer_of(r->data), *from = is_made ? bits : type_bfloat16;
    bool is_taken = is_made ? type_is_integer(rule_arg_type(r, 0))
                            : type_conversion(rule_arg_type(r, 0), type_bfloat16) !=
                                      CONVERT_NEVER;
    if (!is_taken)
        return rule_no_match(r, is_made ? "It takes an integer." : takes_bfloats);
    r->type = is_made ? type_bfloat16 : bits;
    if (!r->is_emitting)
        return true;
    struct ir_instr *value = rule_cast(r, r->args[0], from);
    r->value = rule_primitive(r, PRIMITIVE_BITS, r->type, &value, 1);
    return true;
}
