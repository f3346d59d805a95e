// SPDX-License-Identifier: MIT
// Operators on numbers and tuples, by numba's promotion rules.
#include <string.h>

#include "compiler/typing/container.h"
#include "compiler/typing/object_class.h"
#include "compiler/typing/text.h"

static const char *const binary_names[] = {"add", "sub", "mul", "truediv", "floordiv",
        "mod", "pow", "lshift", "rshift", "and_", "or_", "xor", "matmul"};
static const char *const inplace_names[] = {"iadd", "isub", "imul", "itruediv",
        "ifloordiv", "imod", "ipow", "ilshift", "irshift", "iand", "ior", "ixor",
        "imatmul"};
static const char *const compare_names[] = {
        "eq", "ne", "lt", "le", "gt", "ge", "is_", "is_not", "contains", "contains"};
static const char *const unary_names[] = {"neg", "pos", "invert", "not_"};

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

static bool concatenate_tuples(struct rule *r, const struct type *a, const struct type *b)
{
    size_t count = a->tuple.len + b->tuple.len;
    const struct type **types =
            arena_array(&r->in->function->arena, const struct type *, count + 1);
    for (size_t i = 0; i < count; i++)
        types[i] =
                i < a->tuple.len ? a->tuple.items[i] : b->tuple.items[i - a->tuple.len];
    r->type = type_tuple(types, count);
    if (!r->is_emitting)
        return true;
    struct ir_instr **items =
            arena_array(&r->in->function->arena, struct ir_instr *, count + 1);
    for (size_t i = 0; i < count; i++)
        items[i] = i < a->tuple.len ? rule_tuple_get(r, r->args[0], i)
                                    : rule_tuple_get(r, r->args[1], i - a->tuple.len);
    r->value = rule_tuple(r, items, count);
    return true;
}

static const char *const binary_ufuncs[] = {"numpy.add", "numpy.subtract",
        "numpy.multiply", "numpy.divide", "numpy.floor_divide", "numpy.remainder",
        "numpy.power", "numpy.left_shift", "numpy.right_shift", "numpy.bitwise_and",
        "numpy.bitwise_or", "numpy.bitwise_xor"};
static const char *const compare_ufuncs[] = {"numpy.equal", "numpy.not_equal",
        "numpy.less", "numpy.less_equal", "numpy.greater", "numpy.greater_equal"};
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

// a += b: the array itself is changed
static bool update_array(struct rule *r, enum ir_binary op, const struct type *array)
{
    if (array->array.is_readonly)
        return rule_fail(
                r, ERROR_TYPING, "Cannot modify readonly array of type: %s", array->name);
    if (!rule_elementwise(r, binary_ufuncs[op]) || !r->type)
        return r->in->err->kind == ERROR_NONE;
    if (r->type->kind != TYPE_ARRAY || r->type->array.ndim > array->array.ndim ||
            type_conversion(r->type->element, array->element) == CONVERT_NEVER)
        return rule_no_match(r, "The result does not fit into the array.");
    r->type = array;
    if (!r->is_emitting)
        return true;
    struct ir_instr *operands[] = {rule_cast(r, r->args[0], array), r->value};
    rule_primitive(r, PRIMITIVE_ARRAY_COPY_INTO, type_none, operands, 2);
    r->value = operands[0];
    return true;
}

bool rule_arith(struct rule *r, enum ir_binary op)
{
    const struct type *a = rule_arg_type(r, 0), *b = rule_arg_type(r, 1);
    if (op == BINARY_ADD && a->kind == TYPE_TUPLE && b->kind == TYPE_TUPLE)
        return concatenate_tuples(r, a, b);
    if (a == type_string && op == BINARY_MOD)
        return rule_text_percent(r);
    if (a == type_string || b == type_string)
        return rule_text_binary(r, op);
    if (a == type_bytes || b == type_bytes)
        return rule_bytes_binary(r, op);
    if (a->kind == TYPE_ARRAY && r->instr->op == IR_INPLACE && op != BINARY_MATMUL)
        return update_array(r, op, a);
    if (has_array(a, b) && op != BINARY_MATMUL)
        return rule_elementwise(r, binary_ufuncs[op]);
    if (has_array(a, b))
        return rule_library(r, "linalg.matmul");
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

static struct ir_instr *emit_truth(struct rule *r, struct ir_instr *value);

// By __bool__ or __len__; an object without them is true.
static bool instance_truth(struct rule *r, const struct type *type)
{
    const char *name = object_method_find(type, "__bool__")  ? "__bool__"
                       : object_method_find(type, "__len__") ? "__len__"
                                                             : NULL;
    if (!name)
        return rule_do_constant(r, (struct constant){.type = type_bool, .integer = 1});
    if (!rule_instance_operation(r, name))
        return false;
    r->type = type_bool;
    if (r->is_emitting)
        r->value = rule_cast(r, r->value, type_bool);
    return true;
}

static bool rule_not(struct rule *r)
{
    bool truth;
    if (infer_known_truth(r->instr, &truth))
        return rule_do_constant(
                r, (struct constant){.type = type_bool, .integer = truth});
    if (is_instance(r, 0))
        return instance_truth(r, rule_arg_type(r, 0)) && rule_negate(r);
    if (type_is_container(rule_arg_type(r, 0)))
        return rule_container_truth(r) && rule_negate(r);
    if (!type_is_number(rule_arg_type(r, 0)) && rule_arg_type(r, 0)->kind != TYPE_STRING)
        return rule_no_match(r, "'not' needs a number, a bool, a string or None.");
    r->type = type_bool;
    if (!r->is_emitting)
        return true;
    struct ir_instr *truth_value = emit_truth(r, r->args[0]);
    r->value = rule_emit(r, IR_UNARY, type_bool, &truth_value, 1);
    r->value->unary = UNARY_NOT;
    return true;
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
    r->type = type_is_number(type) ? unary_result(op, type) : NULL;
    if (!r->type)
        return rule_no_match(r, "This operator works on one number.");
    if (!r->is_emitting)
        return true;
    struct ir_instr *operand = rule_cast(r, r->args[0], r->type);
    if (op == UNARY_POSITIVE) {
        r->value = operand;
        return true;
    }
    r->value = rule_emit(r, IR_UNARY, r->type, &operand, 1);
    r->value->unary = op;
    return true;
}

// --- Truth

bool infer_never_iterates(const struct ir_instr *next)
{
    const struct type *iterator = next->operands[0]->type;
    return iterator && iterator->kind == TYPE_ITERATOR &&
           iterator->element->kind == TYPE_TUPLE && !iterator->element->tuple.len;
}

// The order of two constant strings, for comparing with 0.
static bool compare_known_texts(const struct ir_instr *compare, int64_t *order)
{
    const struct constant *a = rule_constant(compare->operands[0]),
                          *b = rule_constant(compare->operands[1]);
    if (!a || !b || a->type != type_string || b->type != type_string)
        return false;
    size_t shorter = a->string.len < b->string.len ? a->string.len : b->string.len;
    int difference = memcmp(a->string.text, b->string.text, shorter);
    *order = difference                       ? difference
             : a->string.len == b->string.len ? 0
             : a->string.len < b->string.len  ? -1
                                              : 1;
    return true;
}

// What types, or members of an enum, tell: 0 for equal.
static bool compare_known_objects(const struct ir_instr *compare, int64_t *order)
{
    const struct type *a = compare->operands[0]->type, *b = compare->operands[1]->type;
    if (!a || !b || compare->compare > COMPARE_NE)
        return false;
    *order = a != b;
    if (a->kind == TYPE_CLASS && b->kind == TYPE_CLASS)
        return true;
    const struct constant *left = rule_constant(compare->operands[0]),
                          *right = rule_constant(compare->operands[1]);
    if (!left || !right || a != b || a->kind != TYPE_ENUM || !type_is_integer(a->element))
        return false;
    *order = left->integer != right->integer;
    return true;
}

static bool compare_known(const struct ir_instr *compare, bool *truth)
{
    int64_t a, b = 0;
    if (compare_known_objects(compare, &a)) {
        *truth = (a == 0) == (compare->compare == COMPARE_EQ);
        return true;
    }
    if (compare->compare <= COMPARE_GE && compare_known_texts(compare, &a)) {
        const bool results[] = {a == b, a != b, a<b, a <= b, a> b, a >= b};
        *truth = results[compare->compare];
        return true;
    }
    if (compare->compare > COMPARE_GE || !rule_constant_int(compare->operands[0], &a) ||
            !rule_constant_int(compare->operands[1], &b))
        return false;
    const bool results[] = {a == b, a != b, a<b, a <= b, a> b, a >= b};
    *truth = results[compare->compare];
    return true;
}

static const char *literal_text(const struct ir_instr *value)
{
    const struct constant *constant = rule_constant(value);
    if (value->type && value->type->kind == TYPE_LITERAL)
        return value->type->function;
    return constant && constant->type == type_string ? constant->string.text : NULL;
}

// A literal argument of a library function against a string
static bool compare_literals(const struct ir_instr *compare, bool *truth)
{
    const struct ir_instr *a = compare->operands[0], *b = compare->operands[1];
    if (compare->compare > COMPARE_NE || !a->type || !b->type ||
            (a->type->kind != TYPE_LITERAL && b->type->kind != TYPE_LITERAL))
        return false;
    const char *left = literal_text(a), *right = literal_text(b);
    *truth = (left && right && !strcmp(left, right)) == (compare->compare == COMPARE_EQ);
    return true;
}

bool infer_known_truth(const struct ir_instr *condition, bool *truth)
{
    if (condition->op == IR_PAIR_SECOND && infer_never_iterates(condition->operands[0])) {
        *truth = false;
        return true;
    }
    int64_t known;
    if (rule_constant_int(condition, &known)) {
        *truth = known != 0;
        return true;
    }
    if (condition->op == IR_UNARY && condition->unary == UNARY_NOT &&
            infer_known_truth(condition->operands[0], truth)) {
        *truth = !*truth;
        return true;
    }
    if (condition->op == IR_TRUTH)
        return infer_known_truth(condition->operands[0], truth);
    if (condition->type == type_none) {
        *truth = false;
        return true;
    }
    if (condition->type && condition->type->kind == TYPE_LITERAL) {
        *truth = condition->type->function[0] &&
                 strcmp(condition->type->function, "False");
        return true;
    }
    if (condition->op == IR_COMPARE &&
            (compare_known(condition, truth) || compare_literals(condition, truth)))
        return true;
    if (condition->op != IR_COMPARE ||
            (condition->compare != COMPARE_IS && condition->compare != COMPARE_IS_NOT))
        return false;
    const struct type *a = condition->operands[0]->type,
                      *b = condition->operands[1]->type;
    if (!a || !b || (a != type_none && b != type_none) || a->kind == TYPE_OPTIONAL ||
            b->kind == TYPE_OPTIONAL)
        return false;
    *truth = (a == b) == (condition->compare == COMPARE_IS);
    return true;
}

static struct ir_instr *emit_truth(struct rule *r, struct ir_instr *value)
{
    return rule_cast(r, value, type_bool);
}

bool rule_truth(struct rule *r)
{
    bool truth;
    r->name = "bool";
    const struct type *type = rule_arg_type(r, 0);
    if (infer_known_truth(r->instr, &truth))
        return rule_do_constant(
                r, (struct constant){.type = type_bool, .integer = truth});
    if (type->kind == TYPE_TUPLE)
        return rule_do_constant(
                r, (struct constant){.type = type_bool, .integer = type->tuple.len != 0});
    if (type->kind == TYPE_INSTANCE)
        return instance_truth(r, type);
    if (type_is_container(type))
        return rule_container_truth(r);
    if (!type_is_number(type) && type->kind != TYPE_STRING)
        return rule_no_match(
                r, "A condition must be a number, a bool, a string, a tuple or None.");
    r->type = type_bool;
    if (r->is_emitting)
        r->value = emit_truth(r, r->args[0]);
    return true;
}

// --- Comparisons

static bool compare_constant(struct rule *r, bool truth)
{
    return rule_do_constant(r, (struct constant){.type = type_bool, .integer = truth});
}

static bool compare_as(struct rule *r, enum ir_compare op, const struct type *type)
{
    r->type = type_bool;
    if (r->is_emitting)
        r->value = rule_compare_op(
                r, op, rule_cast(r, r->args[0], type), rule_cast(r, r->args[1], type));
    return true;
}

static bool compare_common(struct rule *r, const struct type *type)
{
    return compare_as(r, r->instr->compare, type);
}

static struct ir_instr *emit_not(struct rule *r, struct ir_instr *value)
{
    struct ir_instr *result = rule_emit(r, IR_UNARY, type_bool, &value, 1);
    result->unary = UNARY_NOT;
    return result;
}

// int64 against uint64: no integer type holds both, so the sign is looked at first.
static bool compare_mixed_signs(struct rule *r, enum ir_compare op, bool is_left_signed)
{
    r->type = type_bool;
    if (!r->is_emitting)
        return true;
    static const enum ir_compare mirrored[] = {
            COMPARE_EQ, COMPARE_NE, COMPARE_GT, COMPARE_GE, COMPARE_LT, COMPARE_LE};
    if (!is_left_signed)
        op = mirrored[op];
    struct ir_instr *integer = rule_cast(r, r->args[!is_left_signed], type_int64);
    struct ir_instr *natural = rule_cast(r, r->args[is_left_signed], type_uint64);
    struct ir_instr *is_negative =
            rule_compare_op(r, COMPARE_LT, integer, rule_int(r, type_int64, 0));
    struct ir_instr *result =
            rule_compare_op(r, op, rule_cast(r, integer, type_uint64), natural);
    bool negative_result = op == COMPARE_LT || op == COMPARE_LE || op == COMPARE_NE;
    if (!negative_result)
        is_negative = emit_not(r, is_negative);
    r->value = rule_binary_op(
            r, negative_result ? BINARY_OR : BINARY_AND, type_bool, is_negative, result);
    return true;
}

bool rule_compare_numbers(
        struct rule *r, enum ir_compare op, const struct type *a, const struct type *b)
{
    bool is_order = op != COMPARE_EQ && op != COMPARE_NE;
    if (is_order && (a->kind == TYPE_COMPLEX || b->kind == TYPE_COMPLEX))
        return rule_no_match(r, "Complex numbers have no order.");
    if (a->kind == TYPE_INT && b->kind == TYPE_INT && a->is_signed != b->is_signed &&
            (a == type_uint64 || b == type_uint64))
        return compare_mixed_signs(r, op, a->is_signed);
    return compare_as(r, op, type_unify(a, b));
}

static bool compare_identity(struct rule *r)
{
    const struct type *a = r->args[0]->type, *b = r->args[1]->type;
    if (a == type_none || b == type_none)
        return compare_common(r, a == type_none ? b : a); // an optional
    if (a->kind == TYPE_BOOL && b->kind == TYPE_BOOL)
        return compare_common(r, type_bool);
    return rule_no_match(r, "'is' compares with None; use == for values.");
}

static bool compare_membership(struct rule *r)
{
    const struct type *item = rule_arg_type(r, 0), *container = r->args[1]->type;
    if (rule_value_type(container) == type_string)
        return rule_text_contains(r);
    if (container->kind != TYPE_TUPLE)
        return rule_no_match(r, "'in' looks in tuples and strings only.");
    r->type = type_bool;
    if (!r->is_emitting)
        return true;
    struct ir_instr *found = NULL;
    for (size_t i = 0; i < container->tuple.len; i++) {
        const struct type *common = type_unify(item, container->tuple.items[i]);
        if (!common) // never equal
            continue;
        struct ir_instr *value = rule_tuple_get(r, r->args[1], i);
        struct ir_instr *equal = rule_compare_op(r, COMPARE_EQ,
                rule_cast(r, r->args[0], common), rule_cast(r, value, common));
        found = found ? rule_binary_op(r, BINARY_OR, type_bool, found, equal) : equal;
    }
    if (!found)
        found = rule_int(r, type_bool, 0);
    r->value = r->instr->compare == COMPARE_IN ? found : emit_not(r, found);
    return true;
}

// Members of one enum compare by their values; nothing else is equal to them.
static bool compare_members(struct rule *r, enum ir_compare op)
{
    const struct type *a = r->args[0]->type, *b = r->args[1]->type;
    bool is_equality = op <= COMPARE_NE || op == COMPARE_IS || op == COMPARE_IS_NOT;
    if (!is_equality)
        return rule_no_match(r, "Members of an Enum have no order.");
    if (a == b)
        return compare_as(r,
                op == COMPARE_IS       ? COMPARE_EQ
                : op == COMPARE_IS_NOT ? COMPARE_NE
                                       : op,
                a);
    return compare_constant(r, op == COMPARE_NE || op == COMPARE_IS_NOT);
}

static bool is_plain_member(const struct type *type)
{
    return type->kind == TYPE_ENUM && !type->enumeration.is_int;
}

// Whether it is left to compare_members.
static bool concerns_members(const struct rule *r, enum ir_compare op)
{
    const struct type *a = r->args[0]->type, *b = r->args[1]->type;
    bool is_identity = op == COMPARE_IS || op == COMPARE_IS_NOT;
    if (op == COMPARE_IN || op == COMPARE_NOT_IN || a->kind == TYPE_OPTIONAL ||
            b->kind == TYPE_OPTIONAL)
        return false;
    return is_plain_member(a) || is_plain_member(b) ||
           (is_identity && (a->kind == TYPE_ENUM || b->kind == TYPE_ENUM));
}

// Tuples of different lengths: their common part decides, else the shorter is less.
static bool compare_lengths(
        struct rule *r, enum ir_compare op, const struct type *a, const struct type *b)
{
    size_t len = a->tuple.len < b->tuple.len ? a->tuple.len : b->tuple.len;
    const struct type *left = type_tuple(a->tuple.items, len),
                      *right = type_tuple(b->tuple.items, len);
    const struct type *common =
            a->tuple.len != b->tuple.len ? type_unify(left, right) : NULL;
    if (!common)
        return rule_no_match(r, "The items of the tuples have no order.");
    r->type = type_bool;
    if (!r->is_emitting)
        return true;
    struct ir_instr *parts[2];
    for (size_t k = 0; k < 2; k++) {
        struct ir_instr **items =
                arena_array(&r->in->function->arena, struct ir_instr *, len + 1);
        for (size_t i = 0; i < len; i++)
            items[i] = rule_tuple_get(r, r->args[k], i);
        parts[k] = rule_cast(r, rule_tuple(r, items, len), common);
    }
    bool is_shorter_true =
            (op == COMPARE_LT || op == COMPARE_LE) == (a->tuple.len < b->tuple.len);
    enum ir_compare strict =
            op == COMPARE_LT || op == COMPARE_LE ? COMPARE_LT : COMPARE_GT;
    enum ir_compare loose = strict == COMPARE_LT ? COMPARE_LE : COMPARE_GE;
    r->value = rule_compare_op(r, is_shorter_true ? loose : strict, parts[0], parts[1]);
    return true;
}

static bool compares_container(const struct rule *r)
{
    enum ir_compare op = r->instr->compare;
    const struct type *a = r->args[0]->type, *b = r->args[1]->type;
    if (op == COMPARE_IN || op == COMPARE_NOT_IN)
        return type_is_container(rule_value_type(b));
    return a != type_none && b != type_none &&
           (type_is_container(rule_value_type(a)) ||
                   type_is_container(rule_value_type(b)));
}

static bool compares_instance(const struct rule *r)
{
    enum ir_compare op = r->instr->compare;
    if (op == COMPARE_IN || op == COMPARE_NOT_IN)
        return is_instance(r, 1);
    return r->args[0]->type != type_none && r->args[1]->type != type_none &&
           (is_instance(r, 0) || is_instance(r, 1));
}

bool rule_compare(struct rule *r)
{
    enum ir_compare op = r->instr->compare;
    bool truth;
    r->name = compare_names[op];
    if (infer_known_truth(r->instr, &truth))
        return compare_constant(r, truth);
    if (concerns_members(r, op))
        return compare_members(r, op);
    if (compares_instance(r))
        return rule_instance_compare(r);
    if (compares_container(r))
        return rule_container_compare(r);
    if (op == COMPARE_IS || op == COMPARE_IS_NOT)
        return compare_identity(r);
    if (op == COMPARE_IN || op == COMPARE_NOT_IN)
        return compare_membership(r);
    const struct type *a = rule_arg_type(r, 0), *b = rule_arg_type(r, 1);
    if (has_array(a, b))
        return rule_elementwise(r, compare_ufuncs[op]);
    if (type_is_number(a) && type_is_number(b))
        return rule_compare_numbers(r, op, a, b);
    if (a->kind == TYPE_STRING && a == b)
        return compare_common(r, a);
    bool is_equality = op == COMPARE_EQ || op == COMPARE_NE;
    if (r->args[0]->type->kind == TYPE_OPTIONAL && b == type_none)
        return is_equality ? compare_common(r, r->args[0]->type)
                           : rule_no_match(r, "None has no order.");
    if (is_equality && (a == type_none || b == type_none))
        return compare_constant(r, (a == b) == (op == COMPARE_EQ));
    if (a->kind == TYPE_TUPLE && b->kind == TYPE_TUPLE) {
        if (a->tuple.len != b->tuple.len && is_equality)
            return compare_constant(r, op == COMPARE_NE);
        const struct type *common = type_unify(a, b);
        if (common)
            return compare_common(r, common);
        if (is_equality)
            return compare_constant(r, op == COMPARE_NE);
        return compare_lengths(r, op, a, b);
    }
    return rule_no_match(r,
            "Numbers compare with numbers, tuples with tuples, strings with "
            "strings.");
}
