// SPDX-License-Identifier: MIT
// Arithmetic operators on numbers, by numba's promotion rules.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "compiler/types/datetime.h"
#include "compiler/types/object_class.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/numbers/numbers.h"

static const char *const binary_names[] = {"add", "sub", "mul", "truediv", "floordiv",
        "mod", "pow", "lshift", "rshift", "and_", "or_", "xor", "matmul"};
static const char *const inplace_names[] = {"iadd", "isub", "imul", "itruediv",
        "ifloordiv", "imod", "ipow", "ilshift", "irshift", "iand", "ior", "ixor",
        "imatmul"};
static const char *const unary_names[] = {"neg", "pos", "invert", "not_"};

const char *arith_operator_name(const struct ir_instr *instr)
{
    return instr->op == IR_UNARY     ? unary_names[instr->unary]
           : instr->op == IR_INPLACE ? inplace_names[instr->binary]
                                     : binary_names[instr->binary];
}

const char *arith_plain_name(const struct ir_instr *update)
{
    return binary_names[update->binary];
}

// --- Types

const struct type *arith_float(const struct type *type)
{
    if (type->kind == TYPE_FLOAT)
        return type;
    if (type->kind == TYPE_COMPLEX)
        return type->element;
    return type_conversion(type, type_float32) <= CONVERT_SAFE ? type_float32
                                                               : type_float64;
}

const struct type *arith_float_pair(const struct type *a, const struct type *b)
{
    const struct type *left = arith_float(a), *right = arith_float(b);
    return left->bits >= right->bits ? left : right;
}

static bool is_unsigned(const struct type *type)
{
    return type->kind == TYPE_INT && !type->is_signed;
}

// Integers compute in 64 bits, unsigned only among themselves.
static const struct type *integer_result(const struct type *a, const struct type *b)
{
    return is_unsigned(a) && is_unsigned(b) ? type_uint64 : type_int64;
}

static const struct type *float_result(const struct type *a, const struct type *b)
{
    const struct type *real = arith_float_pair(a, b);
    bool is_complex = a->kind == TYPE_COMPLEX || b->kind == TYPE_COMPLEX;
    return is_complex ? type_complex(2 * (real->bits < 32 ? 32 : real->bits)) : real;
}

static const struct type *pow_result(const struct type *a, const struct type *b)
{
    if (a->kind == TYPE_FLOAT && type_is_integer(b))
        return a;
    if (a->kind == TYPE_BOOL && b == type_int32)
        return type_float32; // numba's overload for float32 ** int32 comes first
    return type_is_integer(a) && type_is_integer(b) ? integer_result(a, b)
                                                    : float_result(a, b);
}

static const struct type *bitwise_result(const struct type *a, const struct type *b)
{
    if (a->kind == TYPE_BOOL && b->kind == TYPE_BOOL)
        return type_bool;
    return integer_result(a, b);
}

const struct type *arith_result(
        enum ir_binary op, const struct type *a, const struct type *b)
{
    if (!type_is_number(a) || !type_is_number(b))
        return NULL;
    bool are_integers = type_is_integer(a) && type_is_integer(b);
    bool is_complex = a->kind == TYPE_COMPLEX || b->kind == TYPE_COMPLEX;
    switch (op) {
    case BINARY_ADD:
    case BINARY_SUB:
    case BINARY_MUL:
        return are_integers ? integer_result(a, b) : float_result(a, b);
    case BINARY_TRUEDIV:
        return are_integers ? type_float64 : float_result(a, b);
    case BINARY_FLOORDIV:
    case BINARY_MOD:
        return is_complex     ? NULL
               : are_integers ? integer_result(a, b)
                              : float_result(a, b);
    case BINARY_POW:
        return pow_result(a, b);
    case BINARY_LSHIFT:
    case BINARY_RSHIFT:
        return are_integers ? (is_unsigned(a) ? type_uint64 : type_int64) : NULL;
    case BINARY_AND:
    case BINARY_OR:
    case BINARY_XOR:
        return are_integers ? bitwise_result(a, b) : NULL;
    default:
        return NULL;
    }
}

// --- Binary operators

static bool no_operator(
        struct rule *r, enum ir_binary op, const struct type *a, const struct type *b)
{
    if (op == BINARY_MATMUL)
        return rule_no_match(r, "'@' works on arrays.");
    if (type_is_number(a) && type_is_number(b))
        return rule_no_match(
                r, "This operator is not defined for these kinds of numbers.");
    return rule_no_match(r,
            "This operator works on two numbers (bool, integers, floats, complex) "
            "or, for +, on two tuples.");
}

bool arith_literal_halves(const struct ir_instr *exponent, int64_t *out)
{
    enum { MOST = 16 }; // more would lose accuracy
    const struct constant *constant = rule_constant(exponent);
    if (rule_constant_int(exponent, out)) {
        bool is_small = *out >= -MOST && *out <= MOST;
        *out = is_small ? 2 * *out : 0;
        return is_small;
    }
    if (!constant || constant->type != type_float64 || !(fabs(constant->real) <= MOST))
        return false;
    *out = (int64_t)(2 * constant->real);
    return (double)*out == 2 * constant->real;
}

// What is known now is a constant: loops over `2 * RADIUS + 1` have few turns.
static void emit_binary(struct rule *r, enum ir_binary op)
{
    assert(type_is_number(r->type));
    struct ir_instr *left = rule_cast(r, r->args[0], r->type);
    const struct type *right_type = r->type;
    bool is_float = r->type->kind == TYPE_FLOAT || r->type->kind == TYPE_COMPLEX;
    int64_t halves, known;
    if (r->type == type_int64 && rule_constant_int(r->instr, &known)) {
        r->value = rule_int(r, type_int64, known);
        return;
    }
    if (op == BINARY_POW && r->type == type_float64 &&
            arith_literal_halves(r->args[1], &halves) && halves % 2 == 0) {
        struct ir_instr *operands[] = {left, rule_int(r, type_int64, halves / 2)};
        r->value = rule_emit(r, IR_BINARY, r->type, operands, 2);
        r->value->binary = op;
        return;
    }
    if (op == BINARY_POW && is_float && type_is_integer(rule_arg_type(r, 1)))
        right_type = rule_arg_type(r, 1) == type_uint64 ? type_uint64 : type_int64;
    struct ir_instr *right = rule_cast(r, r->args[1], right_type);
    r->value = rule_emit(r, IR_BINARY, r->type, (struct ir_instr *[]){left, right}, 2);
    r->value->binary = op;
}

static int breadth(const struct type *type)
{
    return type->kind == TYPE_BOOL    ? 0
           : type->kind == TYPE_INT   ? 1
           : type->kind == TYPE_FLOAT ? 2
                                      : 3;
}

// Truth values take no integers, integers no floats.
bool arith_can_hold(const struct type *item, const struct type *result)
{
    bool is_narrower = type_is_number(item) && type_is_number(result) &&
                       breadth(item) < breadth(result);
    return !is_narrower && type_conversion(result, item) != CONVERT_NEVER;
}

bool rule_number_binary(struct rule *r, enum ir_binary op)
{
    const struct type *a = rule_arg_type(r, 0), *b = rule_arg_type(r, 1);
    r->type = arith_result(op, a, b);
    if (!r->type)
        return no_operator(r, op, a, b);
    if (r->is_emitting)
        emit_binary(r, op);
    return true;
}

// --- Unary operators

static const struct type *unary_result(enum ir_unary op, const struct type *type)
{
    if (op == UNARY_INVERT && type->kind == TYPE_BOOL)
        return type_bool;
    if (type_is_integer(type))
        return is_unsigned(type) ? type_uint64 : type_int64;
    return op == UNARY_INVERT ? NULL : type;
}

bool rule_number_unary(struct rule *r)
{
    enum ir_unary op = r->instr->unary;
    const struct type *type = rule_arg_type(r, 0);
    r->type = type_is_number(type) ? unary_result(op, type) : NULL;
    if (!r->type)
        return rule_no_match(r, "This operator works on one number.");
    if (!r->is_emitting)
        return true;
    // integers are negated in their own width, then widened
    bool is_narrow = type->kind == TYPE_INT && type->bits < 64 && op != UNARY_POSITIVE;
    struct ir_instr *operand = rule_cast(r, r->args[0], is_narrow ? type : r->type);
    if (is_narrow) {
        struct ir_instr *narrow = rule_emit(r, IR_UNARY, type, &operand, 1);
        narrow->unary = op;
        r->value = rule_cast(r, narrow, r->type);
        return true;
    }
    if (op == UNARY_POSITIVE) {
        r->value = operand;
        return true;
    }
    int64_t known;
    if (r->type == type_int64 && rule_constant_int(r->instr, &known)) {
        r->value = rule_int(r, type_int64, known);
        return true;
    }
    r->value = rule_emit(r, IR_UNARY, r->type, &operand, 1);
    r->value->unary = op;
    return true;
}

bool rule_number_abs(struct rule *r)
{
    const struct type *type = rule_arg_type(r, 0);
    if (!type_is_number(type))
        return rule_no_match(r, "abs() takes a number.");
    if (type->kind == TYPE_BOOL)
        type = type_int8;
    r->type = type->kind == TYPE_COMPLEX ? type->element : type;
    if (r->is_emitting) {
        struct ir_instr *value = rule_cast(r, r->args[0], type);
        bool is_unsigned = type->kind == TYPE_INT && !type->is_signed;
        r->value = is_unsigned ? value
                               : rule_primitive(r, PRIMITIVE_ABS, r->type, &value, 1);
    }
    return true;
}
