// SPDX-License-Identifier: MIT
// NumPy functions: ufuncs on scalars, by NumPy's types, and the making of arrays.

#include <assert.h>
#include <string.h>

#include "base/guard.h"
#include "compiler/types/datetime.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/arrays/arrays.h"
#include "compiler/typing/rules/cuda/cuda.h"
#include "compiler/typing/rules/numbers/numbers.h"

// --- Scalar ufuncs

static bool are_numbers(const struct rule *r, bool allow_complex)
{
    for (size_t i = 0; i < r->arg_count; i++) {
        const struct type *type = rule_arg_type(r, i);
        if (!type_is_number(type) || (type->kind == TYPE_COMPLEX && !allow_complex))
            return false;
    }
    return true;
}

static bool has_complex(const struct rule *r)
{
    return rule_arg_type(r, 0)->kind == TYPE_COMPLEX ||
           rule_arg_type(r, 1)->kind == TYPE_COMPLEX;
}

static bool no_ufunc(struct rule *r)
{
    return rule_no_match(r, "It takes real numbers, or arrays of them.");
}

// The float that NumPy computes an integer in; float32 for those that it holds.
static const struct type *ufunc_float(const struct type *type)
{
    if (type->kind == TYPE_FLOAT)
        return type;
    return type->kind == TYPE_BOOL || type->bits <= 16 ? type_float32 : type_float64;
}

static bool is_inexact(const struct type *type)
{
    return type->kind == TYPE_FLOAT || type->kind == TYPE_COMPLEX;
}

// An integer takes the width of the float or complex number that it meets, as in numba:
// complex64 * 2 is complex64.
static const struct type *ufunc_unify(const struct type *a, const struct type *b)
{
    if (is_inexact(a) && type_is_integer(b))
        return a;
    if (is_inexact(b) && type_is_integer(a))
        return b;
    return type_unify(a, b);
}

bool rule_np_unary(struct rule *r)
{
    if (rule_arg_type(r, 0)->kind == TYPE_COMPLEX)
        return rule_complex_function(r, (enum ir_primitive)r->data);
    if (!are_numbers(r, false))
        return no_ufunc(r);
    const struct type *type = ufunc_float(rule_arg_type(r, 0));
    return rule_do_primitive(r, (enum ir_primitive)r->data, type, type);
}

bool rule_np_binary(struct rule *r)
{
    if (!are_numbers(r, false))
        return no_ufunc(r);
    const struct type *a = rule_arg_type(r, 0), *b = rule_arg_type(r, 1);
    bool are_integers = type_is_integer(a) && type_is_integer(b);
    const struct type *type = are_integers ? type_unify(ufunc_float(a), ufunc_float(b))
                                           : ufunc_float(ufunc_unify(a, b));
    return rule_do_primitive(r, (enum ir_primitive)r->data, type, type);
}

// floor, ceil, trunc: integers stay as they are; rint makes floats of them
bool rule_np_integral(struct rule *r)
{
    if (r->data == PRIMITIVE_MATH_RINT && rule_arg_type(r, 0)->kind == TYPE_COMPLEX)
        return rule_library(r, "ufuncs.rint_of_complex");
    if (!are_numbers(r, false))
        return no_ufunc(r);
    const struct type *type = rule_arg_type(r, 0);
    assert(type_is_number(type));
    if (r->data == PRIMITIVE_MATH_RINT)
        type = ufunc_float(type);
    if (type->kind == TYPE_FLOAT)
        return rule_do_primitive(r, (enum ir_primitive)r->data, type, type);
    r->type = type;
    r->value = r->is_emitting ? rule_cast(r, r->args[0], type) : NULL;
    return true;
}

bool rule_np_abs(struct rule *r)
{
    if (rule_has_time(r))
        return rule_time_abs(r);
    if (!are_numbers(r, true))
        return no_ufunc(r);
    if (rule_arg_type(r, 0)->kind != TYPE_BOOL)
        return rule_number_abs(r);
    r->type = type_bool;
    r->value = r->is_emitting ? rule_cast(r, r->args[0], type_bool) : NULL;
    return true;
}

// minimum and maximum pass a NaN on; data: MIN or MAX
bool rule_np_extreme(struct rule *r)
{
    if (rule_has_time(r))
        return rule_time_extreme(r, r->data == PRIMITIVE_MIN);
    if (!are_numbers(r, true))
        return no_ufunc(r);
    if (has_complex(r))
        return rule_library(r, r->data == PRIMITIVE_MIN ? "ufuncs.complex_minimum"
                                                        : "ufuncs.complex_maximum");
    r->type = ufunc_unify(rule_arg_type(r, 0), rule_arg_type(r, 1));
    if (!r->is_emitting)
        return true;
    struct ir_instr *operands[] = {
            rule_cast(r, r->args[0], r->type), rule_cast(r, r->args[1], r->type)};
    r->value = rule_primitive(r, (enum ir_primitive)r->data, r->type, operands, 2);
    for (size_t i = 0; r->type->kind == TYPE_FLOAT && i < 2; i++) {
        struct ir_instr *is_nan =
                rule_primitive(r, PRIMITIVE_MATH_ISNAN, type_bool, &operands[i], 1);
        struct ir_instr *choice[] = {is_nan, operands[i], r->value};
        r->value = rule_primitive(r, PRIMITIVE_SELECT, r->type, choice, 3);
    }
    return true;
}

static const struct type *ufunc_arith_type(enum ir_binary op, const struct type *type)
{
    if (op == BINARY_TRUEDIV && type_is_integer(type))
        return type_float64;
    return type->kind == TYPE_BOOL ? type_int8 : type;
}

// add, subtract, multiply, divide, ...; data: the operator
bool rule_np_arith(struct rule *r)
{
    enum ir_binary op = (enum ir_binary)r->data;
    if (rule_has_time(r))
        return rule_time_binary(r, op);
    bool is_bitwise = op >= BINARY_LSHIFT && op <= BINARY_XOR;
    bool is_real = is_bitwise || op == BINARY_FLOORDIV || op == BINARY_MOD;
    if (!are_numbers(r, !is_real))
        return no_ufunc(r);
    const struct type *type = ufunc_unify(rule_arg_type(r, 0), rule_arg_type(r, 1));
    if (type->kind == TYPE_BOOL && (op == BINARY_ADD || op == BINARY_MUL)) {
        op = op == BINARY_ADD ? BINARY_OR : BINARY_AND; // of truth values
        is_bitwise = true;
    }
    bool are_integers =
            type_is_integer(rule_arg_type(r, 0)) && type_is_integer(rule_arg_type(r, 1));
    if (is_bitwise && are_integers && !type_is_integer(type))
        type = type_uint64; // an array of uint64 with a plain 1
    if (is_bitwise && !type_is_integer(type))
        return rule_no_match(r, "It takes integers.");
    if (type->kind == TYPE_BOOL && (op == BINARY_LSHIFT || op == BINARY_RSHIFT))
        type = type_int8; // NumPy shifts no truths
    r->type = is_bitwise ? type : ufunc_arith_type(op, type);
    if (!r->is_emitting)
        return true;
    if (op == BINARY_TRUEDIV &&
            r->type->kind == TYPE_FLOAT) // NumPy's division never raises
        return rule_do_primitive(r, PRIMITIVE_DIVIDE, r->type, r->type);
    int64_t exponent;
    bool is_whole_power = op == BINARY_POW && type_is_integer(rule_arg_type(r, 1)) &&
                          (r->type->kind == TYPE_COMPLEX ||
                                  (r->type->kind == TYPE_FLOAT &&
                                          arith_literal_halves(r->args[1], &exponent)));
    struct ir_instr *operands[] = {rule_cast(r, r->args[0], r->type),
            rule_cast(r, r->args[1], is_whole_power ? type_int64 : r->type)};
    r->value = rule_emit(r, IR_BINARY, r->type, operands, 2); // by products, if whole
    r->value->binary = op;
    r->value->immediate =
            op == BINARY_TRUEDIV || op == BINARY_FLOORDIV || op == BINARY_MOD;
    return true;
}

// To the power of a literal; data: the exponent
bool rule_np_power(struct rule *r)
{
    r->type = rule_arg_type(r, 0);
    if (!r->is_emitting)
        return true;
    struct ir_instr *operands[] = {
            rule_cast(r, r->args[0], r->type), rule_int(r, type_int64, r->data)};
    r->value = rule_emit(r, IR_BINARY, r->type, operands, 2);
    r->value->binary = BINARY_POW;
    return true;
}

// equal, less, ...; data: the comparison
bool rule_np_compare(struct rule *r)
{
    if (rule_has_time(r))
        return rule_time_compare(r, (enum ir_compare)r->data);
    if (!are_numbers(r, true))
        return no_ufunc(r);
    static const char *const orders[] = {[COMPARE_LT] = "ufuncs.complex_less",
            [COMPARE_LE] = "ufuncs.complex_less_equal",
            [COMPARE_GT] = "ufuncs.complex_greater",
            [COMPARE_GE] = "ufuncs.complex_greater_equal"};
    if (has_complex(r) && r->data != COMPARE_EQ && r->data != COMPARE_NE)
        return rule_library(r, orders[r->data]);
    return rule_compare_numbers(
            r, (enum ir_compare)r->data, rule_arg_type(r, 0), rule_arg_type(r, 1));
}

// -1, 0 or 1; a NaN stays one
static struct ir_instr *emit_sign(struct rule *r, struct ir_instr *value)
{
    struct ir_instr *zero = rule_int(r, r->type, 0);
    struct ir_instr *above[] = {
            rule_compare_op(r, COMPARE_GT, value, zero), rule_int(r, r->type, 1), value};
    struct ir_instr *below[] = {
            rule_compare_op(r, COMPARE_LT, value, zero), rule_int(r, r->type, -1), NULL};
    below[2] = rule_primitive(r, PRIMITIVE_SELECT, r->type, above, 3);
    return rule_primitive(r, PRIMITIVE_SELECT, r->type, below, 3);
}

static struct ir_instr *emit_unary(
        struct rule *r, enum ir_unary op, struct ir_instr *value)
{
    struct ir_instr *result = rule_emit(r, IR_UNARY, r->type, &value, 1);
    result->unary = op;
    return result;
}

static struct ir_instr *emit_simple(struct rule *r, struct ir_instr *value)
{
    switch (r->data) {
    case SIMPLE_SQUARE:
        return rule_binary_op(r, BINARY_MUL, r->type, value, value);
    case SIMPLE_NEGATIVE:
        return emit_unary(r, UNARY_NEGATIVE, value);
    case SIMPLE_SIGN:
        return emit_sign(r, value);
    case SIMPLE_INVERT:
        return emit_unary(r, UNARY_INVERT, value);
    case SIMPLE_LOGICAL_NOT:
        return emit_unary(r, UNARY_NOT, value);
    default: // positive
        return value;
    }
}

static const struct type *simple_type(const struct rule *r, const struct type *type)
{
    if (r->data == SIMPLE_LOGICAL_NOT)
        return type_bool;
    return type->kind == TYPE_BOOL && r->data != SIMPLE_INVERT ? type_int8 : type;
}

bool rule_np_simple(struct rule *r)
{
    bool is_real = r->data == SIMPLE_SIGN || r->data == SIMPLE_INVERT;
    if (rule_has_time(r) && r->data == SIMPLE_SIGN)
        return rule_time_sign(r);
    if (rule_has_time(r) && (r->data == SIMPLE_NEGATIVE || r->data == SIMPLE_POSITIVE))
        return rule_time_unary(
                r, r->data == SIMPLE_NEGATIVE ? UNARY_NEGATIVE : UNARY_POSITIVE);
    if (r->data == SIMPLE_SIGN && rule_arg_type(r, 0)->kind == TYPE_COMPLEX)
        return rule_library(r, "ufuncs.sign");
    if (!are_numbers(r, !is_real))
        return no_ufunc(r);
    const struct type *type = rule_arg_type(r, 0);
    if (r->data == SIMPLE_INVERT && !type_is_integer(type))
        return rule_no_match(r, "It takes integers.");
    r->type = simple_type(r, type);
    if (r->is_emitting)
        r->value = emit_simple(r, rule_cast(r, r->args[0], r->type));
    return true;
}

// gcd and lcm; data: whether it is the first. Floats are refused, whose remainders need
// not come to 0.
bool rule_np_divisor(struct rule *r)
{
    const struct type *a = rule_arg_type(r, 0), *b = rule_arg_type(r, 1);
    if (!type_is_integer(a) || !type_is_integer(b))
        return rule_no_match(r, "It takes integers, or arrays of them.");
    if (type_unify(a, b)->kind != TYPE_INT)
        return rule_no_match(r, "No integer type holds both: convert one of them.");
    return rule_library(r, r->data ? "ufuncs.gcd" : "ufuncs.lcm");
}

bool rule_np_ndim(struct rule *r)
{
    const struct type *type = rule_arg_type(r, 0);
    int ndim = type->kind == TYPE_ARRAY ? type->array.ndim : 0;
    return rule_do_constant(r, (struct constant){.type = type_int64, .integer = ndim});
}

// --- Making arrays

bool rule_can_allocate(struct rule *r)
{
    return rule_on_host(r,
            "%s() allocates an array, which CUDA code cannot do: use cuda.local.array or "
            "cuda.shared.array",
            r->name);
}

static bool is_shape(const struct type *type)
{
    if (type->kind != TYPE_TUPLE)
        return type->kind == TYPE_INT;
    for (size_t i = 0; i < type->tuple.len; i++)
        if (rule_value_type(type->tuple.items[i])->kind != TYPE_INT)
            return false;
    return true;
}

static struct ir_instr *emit_shape(struct rule *r, struct ir_instr *shape)
{
    const struct type *type = rule_value_type(shape->type);
    size_t count = type->kind == TYPE_TUPLE ? type->tuple.len : 1;
    struct ir_instr **items =
            arena_array(&r->in->function->arena, struct ir_instr *, count + 1);
    for (size_t i = 0; i < count; i++) {
        items[i] = type->kind == TYPE_TUPLE ? rule_tuple_get(r, shape, i) : shape;
        items[i] = rule_cast(r, items[i], type_int64);
    }
    return rule_tuple(r, items, count);
}

// Fills the new array r->value: with nothing, or with a number for FILL.
static void emit_fill(struct rule *r, struct ir_instr *value)
{
    struct ir_instr *operands[] = {r->value, rule_cast(r, value, r->type->element)};
    rule_primitive(r, PRIMITIVE_ARRAY_FILL, type_none, operands, 2);
}

// What a new array holds beyond zeros.
static void emit_contents(struct rule *r, struct ir_instr *fill)
{
    if (r->data == NEW_ONES)
        emit_fill(r, rule_int(r, r->type->element, 1));
    else if (r->data == NEW_FULL)
        emit_fill(r, fill);
}

// Where the order of a new array is given, a letter.
static size_t order_at(const struct rule *r)
{
    return r->data == NEW_FULL ? 3 : 2;
}

static bool has_order(const struct rule *r, size_t i, const char *letter)
{
    const struct type *type = rule_has_arg(r, i) ? r->args[i]->type : NULL;
    if (!type)
        return false;
    size_t len;
    const char *order = type->kind == TYPE_LITERAL ? type->function
                                                   : rule_constant_text(r->args[i], &len);
    return order && !strcmp(order, letter);
}

// Whether there is such an order: NumPy's error, when it runs, or *done is left false.
static bool refuse_order(struct rule *r, bool is_like, bool *done)
{
    size_t at = order_at(r), len;
    *done = false;
    if (!rule_has_arg(r, at) || has_order(r, at, "C") || has_order(r, at, "F") ||
            (is_like && (has_order(r, at, "A") || has_order(r, at, "K"))) ||
            !rule_constant_text(r->args[at], &len))
        return true;
    struct ir_instr *args[] = {r->args[0], r->args[at]};
    r->args = args;
    r->arg_count = 2;
    *done = true;
    return rule_library(r, is_like ? "creation.misordered_like" : "creation.misordered");
}

static bool make_array(struct rule *r, const struct type *dtype, int ndim,
        struct ir_instr *shape, struct ir_instr *fill)
{
    bool is_aligned = dtype->kind != TYPE_RECORD || dtype->record.is_aligned;
    // one made like an array in Fortran order is in that order
    const struct type *first = rule_arg_type(r, 0);
    bool is_like = first->kind == TYPE_ARRAY && first->array.layout == LAYOUT_F;
    bool is_kept =
            is_like && (first->array.ndim == ndim || has_order(r, order_at(r), "A"));
    enum array_layout layout = has_order(r, order_at(r), "F")   ? LAYOUT_F
                               : has_order(r, order_at(r), "C") ? LAYOUT_C
                               : is_kept                        ? LAYOUT_F
                                                                : LAYOUT_C;
    r->type = type_array_in(
            dtype, ndim, ndim > 1 ? layout : LAYOUT_C, false, is_aligned, 0);
    if (!r->is_emitting)
        return true;
    bool is_zero = r->data == NEW_ZEROS;
    r->value = rule_primitive(r, is_zero ? PRIMITIVE_ARRAY_ZEROS : PRIMITIVE_ARRAY_EMPTY,
            r->type, &shape, 1);
    emit_contents(r, fill);
    return true;
}

// In CUDA code an array of known shape is the thread's own.
static bool make_local_array(
        struct rule *r, const struct type *dtype, struct ir_instr *fill)
{
    if (!rule_local_array(r, dtype))
        return false;
    if (r->is_emitting && r->data == NEW_ZEROS)
        emit_fill(r, rule_int(r, dtype, 0));
    else if (r->is_emitting)
        emit_contents(r, fill);
    return true;
}

// The dtype argument at `i`, or `otherwise` where it is left out; NULL with an error.
static const struct type *dtype_argument(
        struct rule *r, size_t i, const struct type *otherwise)
{
    if (!rule_has_arg(r, i) || r->args[i]->type == type_none)
        return otherwise;
    const struct type *dtype = rule_dtype(r->args[i]);
    bool is_record = dtype && (dtype->kind == TYPE_RECORD || dtype->kind == TYPE_CELLS) &&
                     (r->data == NEW_EMPTY || r->data == NEW_ZEROS) &&
                     r->in->target == TARGET_HOST;
    if (dtype && (type_is_item(dtype) || is_record))
        return dtype;
    rule_no_match(r, "The dtype must be a number type such as np.float32.");
    return NULL;
}

// empty, zeros, ones (shape, dtype); full (shape, value, dtype)
bool rule_np_new(struct rule *r)
{
    bool is_full = r->data == NEW_FULL;
    const struct type *shape = rule_arg_type(r, 0);
    if (!is_shape(shape))
        return rule_no_match(r, "The shape must be an integer or a tuple of integers.");
    bool is_refused;
    if (!refuse_order(r, false, &is_refused) || is_refused)
        return is_refused && r->in->err->kind == ERROR_NONE;
    if (is_full && r->in->target == TARGET_HOST &&
            rule_arg_type(r, 1)->kind == TYPE_ARRAY)
        return rule_library(r, "creation.full_of");
    if (is_full && !type_is_item(rule_arg_type(r, 1)))
        return rule_no_match(r, "The value must be a number.");
    const struct type *dtype = dtype_argument(
            r, is_full ? 2 : 1, is_full ? rule_arg_type(r, 1) : type_float64);
    if (!dtype)
        return false;
    if (r->in->target != TARGET_HOST)
        return make_local_array(r, dtype, is_full ? r->args[1] : NULL);
    int ndim = shape->kind == TYPE_TUPLE ? (int)shape->tuple.len : 1;
    return make_array(r, dtype, ndim, r->is_emitting ? emit_shape(r, r->args[0]) : NULL,
            is_full ? r->args[1] : NULL);
}

// The shape that something like an array takes: the argument for it, or the array's.
static struct ir_instr *like_shape(
        struct rule *r, const struct type *array, size_t position)
{
    if (rule_has_arg(r, position))
        return emit_shape(r, r->args[position]);
    struct ir_instr *value = rule_cast(r, r->args[0], array);
    size_t ndim = (size_t)array->array.ndim;
    const struct type **items =
            arena_array(&r->in->function->arena, const struct type *, ndim + 1);
    for (size_t i = 0; i < ndim; i++)
        items[i] = type_int64;
    return rule_primitive(r, PRIMITIVE_ARRAY_SHAPE, type_tuple(items, ndim), &value, 1);
}

// empty_like, zeros_like, ones_like (array, dtype, order, subok, shape); full_like
// (array, value, dtype, order, subok, shape)
bool rule_np_new_like(struct rule *r)
{
    bool is_full = r->data == NEW_FULL;
    const struct type *array = rule_arg_type(r, 0);
    size_t position = is_full ? 5 : 4;
    if (!rule_can_allocate(r))
        return false;
    if (array->kind != TYPE_ARRAY)
        return rule_no_match(r, "It takes an array.");
    bool is_refused;
    if (!refuse_order(r, true, &is_refused) || is_refused)
        return is_refused && r->in->err->kind == ERROR_NONE;
    if (rule_has_arg(r, position) && r->args[position]->type == type_none)
        r->arg_count = position;
    rule_tuple_of_list(r, position);
    if (rule_has_arg(r, position) && !is_shape(rule_arg_type(r, position)))
        return rule_no_match(r, "The shape must be an integer or a tuple of integers.");
    if (is_full && rule_arg_type(r, 1)->kind == TYPE_ARRAY)
        return rule_library(r, "creation.full_like_of");
    const struct type *dtype = dtype_argument(r, is_full ? 2 : 1, array->element);
    if (!dtype)
        return false;
    int ndim = array->array.ndim;
    if (rule_has_arg(r, position)) {
        const struct type *shape = rule_arg_type(r, position);
        ndim = shape->kind == TYPE_TUPLE ? (int)shape->tuple.len : 1;
    }
    return make_array(r, dtype, ndim,
            r->is_emitting ? like_shape(r, array, position) : NULL,
            is_full ? r->args[1] : NULL);
}

// broadcast_to(array, shape): a view that cannot be written, stretched axes have stride 0
bool rule_np_broadcast_to(struct rule *r)
{
    const struct type *array = rule_arg_type(r, 0), *shape = rule_arg_type(r, 1);
    if (array->kind != TYPE_ARRAY || !is_shape(shape))
        return rule_no_match(r, "It takes an array and a shape.");
    int ndim = shape->kind == TYPE_TUPLE ? (int)shape->tuple.len : 1;
    r->type = type_array_in(array->element, ndim, LAYOUT_A, true, array->array.is_aligned,
            array->array.address_space);
    if (r->is_emitting) {
        struct ir_instr *operands[] = {
                rule_cast(r, r->args[0], array), emit_shape(r, r->args[1])};
        r->value = rule_primitive(r, PRIMITIVE_ARRAY_BROADCAST, r->type, operands, 2);
    }
    return true;
}
