// SPDX-License-Identifier: MIT
// Pointers, which callbacks of C are given: arrays over them, their items, and the
// addresses of arrays for functions of C.
#include <assert.h>
#include <string.h>

#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/cuda/cuda.h"

static bool is_shape(const struct type *type)
{
    if (type->kind == TYPE_INT)
        return true;
    for (size_t i = 0; type->kind == TYPE_TUPLE && i < type->tuple.len; i++)
        if (type->tuple.items[i]->kind != TYPE_INT)
            return false;
    return type->kind == TYPE_TUPLE;
}

static struct ir_instr *emit_shape(struct rule *r, const struct type *given)
{
    struct ir_instr *axes[32];
    size_t ndim = given->kind == TYPE_TUPLE ? given->tuple.len : 1;
    for (size_t i = 0; i < ndim && i < 32; i++)
        axes[i] = rule_cast(r,
                given->kind == TYPE_TUPLE ? rule_tuple_get(r, r->args[1], i) : r->args[1],
                type_int64);
    return rule_tuple(r, axes, ndim < 32 ? ndim : 32);
}

// The type of the items that carray's arguments say, or NULL with an error.
static const struct type *item_type(struct rule *r, const struct type *pointer)
{
    bool is_given = rule_has_arg(r, 2) && r->args[2]->type != type_none;
    const struct type *dtype = is_given ? rule_dtype(r->args[2]) : pointer->element;
    if (is_given && !dtype)
        rule_no_match(r, "dtype must be a type.");
    else if (!dtype)
        rule_fail(r, ERROR_TYPING, "explicit dtype required for void* argument");
    else if (pointer->element && pointer->element != dtype)
        rule_fail(r, ERROR_TYPING, "mismatching dtype '%s' for pointer type '%s'",
                dtype->name, pointer->name);
    else
        return dtype;
    return NULL;
}

// carray(pointer, shape[, dtype]), farray; data: the layout
bool rule_carray(struct rule *r)
{
    const struct type *pointer = rule_arg_type(r, 0), *shape = rule_arg_type(r, 1);
    if (type_is_integer(pointer) &&
            type_conversion(pointer, type_voidptr) != CONVERT_NEVER)
        pointer = type_voidptr; // an address, as functions of C return it
    if (pointer->kind != TYPE_POINTER)
        return rule_no_match(
                r, "It takes a pointer, as callbacks of C and kernels are given them.");
    if (!is_shape(shape))
        return rule_no_match(r, "The shape must be an integer or a tuple of them.");
    const struct type *dtype = item_type(r, pointer);
    if (!dtype)
        return false;
    int ndim = shape->kind == TYPE_TUPLE ? (int)shape->tuple.len : 1;
    bool is_fortran = r->data == LAYOUT_F && ndim > 1;
    r->type = type_array(dtype, ndim, is_fortran ? LAYOUT_F : LAYOUT_C, false);
    if (!r->is_emitting)
        return true;
    struct ir_instr *operands[] = {
            rule_cast(r, r->args[0], pointer), emit_shape(r, shape)};
    r->value = rule_primitive(r, PRIMITIVE_POINTER_ARRAY, r->type, operands, 2);
    return true;
}

struct ir_instr *rule_pointer_items(struct rule *r, struct ir_instr *pointer)
{
    assert(rule_value_type(pointer->type)->kind == TYPE_POINTER);
    struct ir_instr *len = rule_int(r, type_int64, INT64_MAX);
    struct ir_instr *parts[] = {pointer, rule_tuple(r, &len, 1)};
    return rule_primitive(r, PRIMITIVE_POINTER_ARRAY,
            type_array(pointer->type->element, 1, LAYOUT_C, false), parts, 2);
}

// pointer[i], pointer[i] = value: as in C, whatever lies there
bool rule_pointer_item(struct rule *r)
{
    const struct type *pointer = rule_arg_type(r, 0), *item = pointer->element;
    bool is_set = r->arg_count == 3;
    if (!type_is_number(item) || !type_is_integer(rule_arg_type(r, 1)))
        return rule_no_match(r, "A pointer to numbers is indexed by an integer.");
    if (is_set && type_conversion(rule_arg_type(r, 2), item) == CONVERT_NEVER)
        return rule_no_match(r, "The value cannot be converted to what it points to.");
    r->type = is_set ? type_none : item;
    if (!r->is_emitting)
        return true;
    struct ir_instr *operands[3];
    operands[0] = rule_pointer_items(r, rule_cast(r, r->args[0], pointer));
    operands[1] = rule_cast(r, rule_cast(r, r->args[1], type_int64), type_uint64);
    if (is_set)
        operands[2] = rule_cast(r, r->args[2], item);
    r->value = rule_primitive(r, is_set ? PRIMITIVE_ARRAY_STORE : PRIMITIVE_ARRAY_LOAD,
            r->type, operands, 2 + (size_t)is_set);
    return true;
}

bool rule_pointer_attribute(struct rule *r, const struct type *type)
{
    if (strcmp(r->name, "data") != 0)
        return rule_fail(r, ERROR_TYPING, "Unknown attribute '%s' of type %s", r->name,
                type->name);
    return rule_do_primitive(r, PRIMITIVE_POINTER_ADDRESS, type_uint64, type);
}

// array.ctypes
bool rule_array_pointer(struct rule *r, const struct type *type)
{
    assert(type->kind == TYPE_ARRAY);
    return rule_do_primitive(
            r, PRIMITIVE_ARRAY_POINTER, type_pointer(type->element), type);
}
