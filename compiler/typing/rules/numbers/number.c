// SPDX-License-Identifier: MIT
// Attributes and methods of numbers and of times: those of Python's, and what a scalar of
// NumPy has in common with an array of no dimensions.

#include <stdio.h>
#include <string.h>

#include "compiler/types/abi.h"
#include "compiler/types/datetime.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/numbers/numbers.h"

// --- Attributes

static bool number_real(struct rule *r, const struct type *type)
{
    if (type->kind == TYPE_COMPLEX)
        return rule_do_primitive(r, PRIMITIVE_REAL, type->element, type);
    r->type = type;
    if (r->is_emitting)
        r->value = rule_cast(r, r->args[0], type);
    return true;
}

static bool number_imag(struct rule *r, const struct type *type)
{
    if (type->kind == TYPE_COMPLEX)
        return rule_do_primitive(r, PRIMITIVE_IMAG, type->element, type);
    return rule_do_constant(r, (struct constant){.type = type});
}

static bool number_dtype(struct rule *r, const struct type *type)
{
    return rule_do_constant(
            r, (struct constant){.type = type_class(type), .instance = type});
}

static bool number_bytes(struct rule *r, const struct type *type)
{
    return rule_do_constant(
            r, (struct constant){.type = type_int64, .integer = (int64_t)abi_size(type)});
}

static bool number_ndim(struct rule *r, const struct type *type)
{
    return rule_do_constant(r, (struct constant){.type = type_int64});
}

static bool number_size(struct rule *r, const struct type *type)
{
    return rule_do_constant(r, (struct constant){.type = type_int64, .integer = 1});
}

static bool number_shape(struct rule *r, const struct type *type)
{
    r->type = type_tuple(NULL, 0);
    if (r->is_emitting)
        r->value = rule_emit(r, IR_BUILD_TUPLE, r->type, NULL, 0);
    return true;
}

static bool number_itself(struct rule *r, const struct type *type)
{
    r->type = type;
    if (r->is_emitting)
        r->value = rule_cast(r, r->args[0], type);
    return true;
}

const struct attribute rule_number_attributes[] = {{"T", number_itself},
        {"dtype", number_dtype}, {"imag", number_imag}, {"itemsize", number_bytes},
        {"nbytes", number_bytes}, {"ndim", number_ndim}, {"real", number_real},
        {"shape", number_shape}, {"size", number_size}, {NULL, NULL}};

bool rule_number_is_scalars(const char *name)
{
    static const char *const names[] = {"T", "astype", "copy", "dtype", "itemsize",
            "nbytes", "ndim", "round", "shape", "size", "tolist"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

// --- Methods

static bool number_conjugate(struct rule *r, const struct type *type)
{
    r->type = type;
    if (r->arg_count)
        return rule_no_match(r, "conjugate() takes no arguments.");
    if (!r->is_emitting)
        return true;
    struct ir_instr *value = rule_cast(r, r->receiver, type);
    if (type->kind == TYPE_COMPLEX) {
        struct ir_instr *parts[] = {
                rule_primitive(r, PRIMITIVE_REAL, type->element, &value, 1),
                rule_primitive(r, PRIMITIVE_IMAG, type->element, &value, 1)};
        parts[1] = rule_emit(r, IR_UNARY, type->element, &parts[1], 1);
        parts[1]->unary = UNARY_NEGATIVE;
        value = rule_primitive(r, PRIMITIVE_COMPLEX, type, parts, 2);
    }
    r->value = value;
    return true;
}

static bool number_library(struct rule *r, const struct type *type)
{
    bool is_of_floats = !strcmp(r->name, "is_integer");
    if (is_of_floats ? type->kind != TYPE_FLOAT : !type_is_integer(type))
        return rule_no_match(r, is_of_floats ? "It is a method of floats."
                                             : "It is a method of integers.");
    char name[32];
    snprintf(name, sizeof name, "number.%s", r->name);
    return rule_builtin_method(r, name);
}

static int view_bits(const struct type *type)
{
    return type->kind == TYPE_BOOL ? 8 : type->bits;
}

// view(dtype): the same bits, as a number of another type
static bool number_view(struct rule *r, const struct type *type)
{
    const struct type *dtype = r->arg_count == 1 ? rule_dtype(r->args[0]) : NULL;
    bool is_known = dtype && type_is_number(dtype) && type->kind != TYPE_COMPLEX &&
                    dtype->kind != TYPE_COMPLEX;
    if (!is_known || view_bits(type) != view_bits(dtype))
        return rule_no_match(r, "Changing the dtype of a 0d array is only supported if "
                                "the itemsize is unchanged");
    r->type = dtype;
    if (!r->is_emitting)
        return true;
    struct ir_instr *value = rule_cast(r, r->receiver, type);
    bool is_bitwise = (type->kind == TYPE_FLOAT) != (dtype->kind == TYPE_FLOAT);
    r->value = is_bitwise ? rule_primitive(r, PRIMITIVE_BITS, dtype, &value, 1)
                          : rule_cast(r, value, dtype);
    return true;
}

// item(), tolist(), copy(): the number
static bool number_item(struct rule *r, const struct type *type)
{
    if (r->arg_count)
        return rule_no_match(r, "This method of a number takes no arguments.");
    r->type = type;
    r->value = r->is_emitting ? rule_cast(r, r->receiver, type) : NULL;
    return true;
}

// The method's receiver as a value of the dtype.
static bool cast_receiver(
        struct rule *r, const struct type *type, const struct type *dtype)
{
    r->type = dtype;
    if (r->is_emitting)
        r->value = rule_cast(r, rule_cast(r, r->receiver, type), dtype);
    return true;
}

static bool number_astype(struct rule *r, const struct type *type)
{
    if (r->arg_count == 1 && !rule_settle_dtype(r, r->args[0]))
        return false;
    const struct type *dtype = r->arg_count == 1 ? rule_dtype(r->args[0]) : NULL;
    if (!dtype || !type_is_number(dtype))
        return rule_no_match(r, "astype() takes a dtype that the number converts to.");
    return cast_receiver(r, type, dtype);
}

static bool number_round(struct rule *r, const struct type *type)
{
    return rule_builtin_method(r, "ndarray.round");
}

const struct attribute rule_number_methods[] = {{"astype", number_astype},
        {"bit_count", number_library}, {"bit_length", number_library},
        {"conj", number_conjugate}, {"conjugate", number_conjugate},
        {"copy", number_item}, {"is_integer", number_library}, {"item", number_item},
        {"round", number_round}, {"tolist", number_item}, {"view", number_view},
        {NULL, NULL}};

static bool time_astype(struct rule *r, const struct type *type)
{
    if (r->arg_count == 1 && !rule_settle_dtype(r, r->args[0]))
        return false;
    const struct type *dtype = r->arg_count == 1 ? rule_dtype(r->args[0]) : NULL;
    if (!dtype || !rule_time_casts(type, dtype))
        return rule_no_match(r, "astype() takes a dtype that the value converts to.");
    return cast_receiver(r, type, dtype);
}

// view(): the count, or a time of another unit with the same count
static bool time_view(struct rule *r, const struct type *type)
{
    const struct type *dtype = r->arg_count == 1 ? rule_dtype(r->args[0]) : NULL;
    if (dtype != type_int64)
        return rule_no_match(r, "view() of a time takes int64.");
    return time_astype(r, type);
}

const struct attribute rule_time_methods[] = {
        {"astype", time_astype}, {"view", time_view}, {NULL, NULL}};
