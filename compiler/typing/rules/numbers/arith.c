// SPDX-License-Identifier: MIT
// Arithmetic operators, by numba's promotion rules.
#include <string.h>

#include "compiler/typing/rules/containers/container.h"
#include "compiler/types/datetime.h"
#include "compiler/types/object_class.h"
#include "compiler/typing/rules/text/text.h"

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

static const char *const binary_ufuncs[] = {"numpy.add", "numpy.subtract",
        "numpy.multiply", "numpy.divide", "numpy.floor_divide", "numpy.remainder",
        "numpy.power", "numpy.left_shift", "numpy.right_shift", "numpy.bitwise_and",
        "numpy.bitwise_or", "numpy.bitwise_xor"};
static const char *const unary_ufuncs[] = {
        "numpy.negative", "numpy.positive", "numpy.invert"};

static bool has_array(const struct type *a, const struct type *b)
{
    return a->kind == TYPE_ARRAY || b->kind == TYPE_ARRAY;
}

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

static void emit_binary(struct rule *r, enum ir_binary op)
{
    struct ir_instr *left = rule_cast(r, r->args[0], r->type);
    const struct type *right_type = r->type;
    bool is_float = r->type->kind == TYPE_FLOAT || r->type->kind == TYPE_COMPLEX;
    if (op == BINARY_POW && is_float && type_is_integer(rule_arg_type(r, 1)))
        right_type = type_int64;
    struct ir_instr *right = rule_cast(r, r->args[1], right_type);
    r->value = rule_emit(r, IR_BINARY, r->type, (struct ir_instr *[]){left, right}, 2);
    r->value->binary = op;
}

static bool update_on_device(struct rule *r, enum ir_binary op, const struct type *array)
{
    r->out = r->args[0];
    bool done = rule_elementwise(r, binary_ufuncs[op]);
    if (done && r->type)
        r->type = array;
    return done;
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

// a += b: the array itself is changed
static bool update_array(struct rule *r, enum ir_binary op, const struct type *array)
{
    if (array->array.is_readonly)
        return rule_fail(
                r, ERROR_TYPING, "Cannot modify readonly array of type: %s", array->name);
    if (r->in->target != TARGET_HOST)
        return update_on_device(r, op, array);
    if (!rule_elementwise(r, binary_ufuncs[op]) || !r->type)
        return r->in->err->kind == ERROR_NONE;
    if (r->type->kind != TYPE_ARRAY || r->type->array.ndim > array->array.ndim ||
            !arith_can_hold(array->element, r->type->element))
        return rule_no_match(r, "The result does not fit into the array.");
    r->type = array;
    if (!r->is_emitting)
        return true;
    struct ir_instr *operands[] = {rule_cast(r, r->args[0], array), r->value};
    if (r->value) // a new array: else it is done
        rule_primitive(r, PRIMITIVE_ARRAY_COPY_INTO, type_none, operands, 2);
    r->value = operands[0];
    return true;
}

// a @= b: the product is put into the array
static bool put_product(struct rule *r, const struct type *array)
{
    if (array->array.is_readonly)
        return rule_fail(
                r, ERROR_TYPING, "Cannot modify readonly array of type: %s", array->name);
    r->out = r->args[0];
    return rule_put_out(r);
}

bool rule_arith(struct rule *r, enum ir_binary op)
{
    const struct type *a = rule_arg_type(r, 0), *b = rule_arg_type(r, 1);
    bool is_update = a->kind == TYPE_ARRAY && r->instr->op == IR_INPLACE;
    if (op == BINARY_ADD && a->kind == TYPE_TUPLE && b->kind == TYPE_TUPLE)
        return rule_tuple_add(r);
    if (op == BINARY_MUL && (a->kind == TYPE_TUPLE || b->kind == TYPE_TUPLE))
        return rule_tuple_repeat(r);
    if (a == type_string && op == BINARY_MOD)
        return rule_text_percent(r);
    if (a == type_string || b == type_string)
        return rule_text_binary(r, op);
    if (a == type_bytes || b == type_bytes)
        return rule_bytes_binary(r, op);
    if (is_update && op != BINARY_MATMUL)
        return update_array(r, op, a);
    if (has_array(a, b) && op != BINARY_MATMUL)
        return rule_elementwise(r, binary_ufuncs[op]);
    if (has_array(a, b))
        return rule_note_strided(r, "'@'") && rule_library(r, "products.matmul") &&
               (!is_update || put_product(r, a));
    if (rule_has_time(r))
        return rule_time_binary(r, op);
    if (rule_has_bfloat(r))
        return rule_bfloat_binary(r, op);
    r->type = arith_result(op, a, b);
    if (!r->type)
        return no_operator(r, op, a, b);
    if (r->is_emitting)
        emit_binary(r, op);
    return true;
}

static bool is_instance(const struct rule *r, size_t i)
{
    return rule_arg_type(r, i)->kind == TYPE_INSTANCE;
}

bool rule_binary(struct rule *r)
{
    enum ir_binary op = r->instr->binary;
    r->name = r->instr->op == IR_INPLACE ? inplace_names[op] : binary_names[op];
    if (is_instance(r, 0) || is_instance(r, 1))
        return rule_instance_binary(r, op, r->instr->op == IR_INPLACE);
    if (rule_arg_type(r, 0) != type_string &&
            (type_is_container(rule_arg_type(r, 0)) ||
                    type_is_container(rule_arg_type(r, 1))))
        return rule_container_binary(r, op, r->instr->op == IR_INPLACE);
    return rule_arith(r, op);
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

bool rule_unary(struct rule *r)
{
    enum ir_unary op = r->instr->unary;
    r->name = unary_names[op];
    if (op == UNARY_NOT)
        return rule_not(r);
    if (is_instance(r, 0))
        return rule_instance_operation(r, op == UNARY_NEGATIVE   ? "__neg__"
                                          : op == UNARY_POSITIVE ? "__pos__"
                                                                 : "__invert__");
    const struct type *type = rule_arg_type(r, 0);
    if (type->kind == TYPE_ARRAY)
        return rule_elementwise(r, unary_ufuncs[op]);
    if (type->kind == TYPE_TIME)
        return rule_time_unary(r, op);
    if (type->kind == TYPE_BFLOAT)
        return rule_bfloat_unary(r);
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
    r->value = rule_emit(r, IR_UNARY, r->type, &operand, 1);
    r->value->unary = op;
    return true;
}
