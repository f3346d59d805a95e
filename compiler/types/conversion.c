// SPDX-License-Identifier: MIT
// How values of one type become values of another, and which type holds values of two.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compiler/types/datetime.h"
#include "compiler/types/functions.h"
#include "compiler/types/told.h"

static enum conversion worst(enum conversion a, enum conversion b)
{
    return a > b ? a : b;
}

static enum conversion convert_int(const struct type *from, const struct type *to)
{
    if (to->kind == TYPE_INT) {
        if (from->is_signed == to->is_signed)
            return from->bits <= to->bits ? CONVERT_PROMOTE : CONVERT_UNSAFE;
        return to->is_signed && from->bits < to->bits ? CONVERT_SAFE : CONVERT_UNSAFE;
    }
    const struct type *real = to->kind == TYPE_COMPLEX ? to->element : to;
    if (real->kind != TYPE_FLOAT)
        return CONVERT_UNSAFE; // bool
    if (real->bits == 64)
        return CONVERT_SAFE;
    int exact_bits = real->bits == 32 ? (from->is_signed ? 16 : 8) : 8;
    return from->bits <= exact_bits ? CONVERT_SAFE : CONVERT_UNSAFE;
}

static enum conversion convert_number(const struct type *from, const struct type *to)
{
    if (from->kind == TYPE_BOOL)
        return CONVERT_SAFE;
    if (from->kind == TYPE_INT)
        return convert_int(from, to);
    if (from->kind == TYPE_FLOAT) {
        if (to->kind == TYPE_FLOAT)
            return from->bits <= to->bits ? CONVERT_PROMOTE : CONVERT_UNSAFE;
        if (to->kind == TYPE_COMPLEX)
            return from->bits <= to->element->bits ? CONVERT_SAFE : CONVERT_UNSAFE;
        return CONVERT_UNSAFE;
    }
    if (to->kind != TYPE_COMPLEX)
        return CONVERT_NEVER;
    return from->bits <= to->bits ? CONVERT_PROMOTE : CONVERT_UNSAFE;
}

static bool is_same_field(const struct type_field *a, const struct type_field *b)
{
    return !strcmp(a->name, b->name) && a->type == b->type &&
           a->offset_bytes == b->offset_bytes && a->ndim == b->ndim &&
           !memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof *a->shape);
}

// Whether a record begins with all fields of another, at the same places: then it can be
// read as that.
static bool begins_with(const struct type *record, const struct type *part)
{
    if (record->kind != TYPE_RECORD || part->kind != TYPE_RECORD ||
            part->record.len > record->record.len)
        return false;
    for (size_t i = 0; i < part->record.len; i++)
        if (!is_same_field(&record->record.fields[i], &part->record.fields[i]))
            return false;
    return true;
}

static enum conversion convert_array(const struct type *from, const struct type *to)
{
    if (from->array.ndim != to->array.ndim)
        return CONVERT_NEVER;
    bool is_record = from->array.ndim == 0 && begins_with(from->element, to->element);
    if (from->element != to->element && !is_record)
        return CONVERT_NEVER;
    if (from->array.layout != to->array.layout && to->array.layout != LAYOUT_A)
        return CONVERT_NEVER;
    if (from->array.is_readonly && !to->array.is_readonly)
        return CONVERT_NEVER;
    if (to->array.is_aligned && !from->array.is_aligned)
        return CONVERT_NEVER;
    if (to->array.address_space && to->array.address_space != from->array.address_space)
        return CONVERT_NEVER;
    return CONVERT_SAFE;
}

static enum conversion convert_tuple(const struct type *from, const struct type *to)
{
    if (from->tuple.len != to->tuple.len)
        return CONVERT_NEVER;
    enum conversion conversion = CONVERT_EXACT;
    for (size_t i = 0; i < from->tuple.len; i++)
        conversion = worst(
                conversion, type_conversion(from->tuple.items[i], to->tuple.items[i]));
    return conversion;
}

enum conversion type_conversion(const struct type *from, const struct type *to)
{
    if (from == to)
        return CONVERT_EXACT;
    if (type_is_number(from) && type_is_number(to))
        return convert_number(from, to);
    if (to->kind == TYPE_OPTIONAL) {
        if (from->kind == TYPE_NONE)
            return CONVERT_PROMOTE;
        const struct type *value = from->kind == TYPE_OPTIONAL ? from->element : from;
        return worst(type_conversion(value, to->element), CONVERT_PROMOTE);
    }
    if (from->kind == TYPE_OPTIONAL)
        return worst(type_conversion(from->element, to), CONVERT_SAFE);
    if (from->kind == TYPE_EXTENSION || to->kind == TYPE_EXTENSION)
        return told_conversion(from, to);
    if (from->kind == TYPE_BFLOAT)
        return worst(type_conversion(type_float32, to), CONVERT_PROMOTE);
    if (to->kind == TYPE_BFLOAT)
        return worst(type_conversion(from, type_float32), CONVERT_UNSAFE);
    if (from->kind == TYPE_ENUM && from->enumeration.is_int)
        return worst(type_conversion(from->element, to), CONVERT_SAFE);
    if (type_is_container(from) && type_is_incomplete(from) && type_unify(from, to) == to)
        return CONVERT_PROMOTE;
    if (to->kind == TYPE_CALLABLE || to->kind == TYPE_CHOICE)
        return function_conversion(from, to);
    if (to == type_voidptr && from->kind == TYPE_INT && from->bits == 64)
        return CONVERT_UNSAFE; // an address
    if (from->kind != to->kind)
        return CONVERT_NEVER;
    if (from->kind == TYPE_POINTER)
        return to == type_voidptr ? CONVERT_SAFE : CONVERT_NEVER;
    if (from->kind == TYPE_ARRAY)
        return convert_array(from, to);
    if (from->kind == TYPE_TUPLE)
        return convert_tuple(from, to);
    if (from->kind == TYPE_RANGE)
        return type_conversion(from->element, to->element);
    if (from->kind == TYPE_TIME && time_converts(from, to))
        return CONVERT_SAFE;
    if (from->kind == TYPE_TIME && time_converts_roughly(from, to) &&
            !(from->time.is_delta && time_crosses_calendar(from, to)))
        return CONVERT_UNSAFE;
    return CONVERT_NEVER;
}

static const struct type *unify_ints(const struct type *a, const struct type *b)
{
    if (a->is_signed == b->is_signed)
        return a->bits >= b->bits ? a : b;
    const struct type *natural = a->is_signed ? b : a;
    const struct type *integer = a->is_signed ? a : b;
    if (integer->bits > natural->bits)
        return integer;
    return natural->bits == 64 ? type_float64 : type_int(natural->bits * 2, true);
}

// Bits of the float that holds an integer type, or of a float type itself.
static int float_bits(const struct type *type)
{
    if (type->kind == TYPE_FLOAT)
        return type->bits;
    return type->bits <= 8 ? 16 : type->bits <= 16 ? 32 : 64;
}

static const struct type *unify_numbers(const struct type *a, const struct type *b)
{
    if (a->kind == TYPE_BOOL)
        return b;
    if (b->kind == TYPE_BOOL)
        return a;
    if (a->kind == TYPE_INT && b->kind == TYPE_INT)
        return unify_ints(a, b);
    bool is_complex = a->kind == TYPE_COMPLEX || b->kind == TYPE_COMPLEX;
    int bits_a = float_bits(a->kind == TYPE_COMPLEX ? a->element : a);
    int bits_b = float_bits(b->kind == TYPE_COMPLEX ? b->element : b);
    int bits = bits_a > bits_b ? bits_a : bits_b;
    return is_complex ? type_complex(2 * (bits < 32 ? 32 : bits)) : type_float(bits);
}

static const struct type *unify_arrays(const struct type *a, const struct type *b)
{
    if (a->element != b->element || a->array.ndim != b->array.ndim)
        return NULL;
    return type_array_in(a->element, a->array.ndim,
            a->array.layout == b->array.layout ? a->array.layout : LAYOUT_A,
            a->array.is_readonly || b->array.is_readonly,
            a->array.is_aligned && b->array.is_aligned,
            a->array.address_space == b->array.address_space ? a->array.address_space
                                                             : 0);
}

static const struct type *unify_ranges(const struct type *a, const struct type *b)
{
    const struct type *item = type_unify(a->element, b->element);
    return item && item->kind == TYPE_INT ? type_range(item) : NULL;
}

static const struct type *unify_tuples(const struct type *a, const struct type *b)
{
    if (a->tuple.len != b->tuple.len)
        return NULL;
    const struct type **items = memory_alloc(a->tuple.len * sizeof *items);
    bool has_all = true;
    for (size_t i = 0; i < a->tuple.len; i++) {
        items[i] = type_unify(a->tuple.items[i], b->tuple.items[i]);
        has_all = has_all && items[i];
    }
    bool is_same_class = a->tuple.class_object == b->tuple.class_object;
    const struct type *tuple = !has_all        ? NULL
                               : is_same_class ? type_tuple_like(a, items)
                                               : type_tuple(items, a->tuple.len);
    free(items);
    return tuple;
}

// What one of two lists lacks is taken from the other; what both have must be the same.
static const struct type *unify_parts(
        const struct type *a, const struct type *b, bool *differ)
{
    if (!a || !b || a == b)
        return a ? a : b;
    bool is_open = type_is_incomplete(a) || type_is_incomplete(b);
    const struct type *both = is_open ? type_unify(a, b) : NULL;
    *differ = *differ || !both;
    return both;
}

static const struct type *unify_containers(const struct type *a, const struct type *b)
{
    bool differ = a->cell.is_typed != b->cell.is_typed;
    const struct type *element = unify_parts(a->element, b->element, &differ);
    const struct type *value = unify_parts(a->cell.value, b->cell.value, &differ);
    if (differ)
        return NULL;
    return a->kind == TYPE_LIST  ? type_list(element, a->cell.is_typed)
           : a->kind == TYPE_SET ? type_set(element, a->cell.is_typed)
                                 : type_dict(element, value, a->cell.is_typed);
}

static const struct type *unify_optional(const struct type *a, const struct type *b)
{
    if (a == type_ellipsis || b == type_ellipsis)
        return NULL; // by its type alone an index says how many axes there are
    if (a->kind == TYPE_NONE)
        return type_optional(b);
    if (b->kind == TYPE_NONE)
        return type_optional(a);
    const struct type *value = type_unify(a->kind == TYPE_OPTIONAL ? a->element : a,
            b->kind == TYPE_OPTIONAL ? b->element : b);
    return value ? type_optional(value) : NULL;
}

// A bfloat16 and another type: integers become bfloat16.
static const struct type *unify_bfloat(const struct type *other)
{
    return type_is_integer(other) ? type_bfloat16 : type_unify(type_float32, other);
}

const struct type *type_unify(const struct type *a, const struct type *b)
{
    if (a == b)
        return a;
    if (type_is_number(a) && type_is_number(b))
        return unify_numbers(a, b);
    if (a->kind == TYPE_NONE || b->kind == TYPE_NONE || a->kind == TYPE_OPTIONAL ||
            b->kind == TYPE_OPTIONAL)
        return unify_optional(a, b);
    if (a->kind == TYPE_EXTENSION || b->kind == TYPE_EXTENSION)
        return told_common(a, b);
    if (a->kind == TYPE_BFLOAT || b->kind == TYPE_BFLOAT)
        return unify_bfloat(a->kind == TYPE_BFLOAT ? b : a);
    if (a->kind == TYPE_ENUM && a->enumeration.is_int)
        return type_unify(a->element, b);
    if (b->kind == TYPE_ENUM && b->enumeration.is_int)
        return type_unify(a, b->element);
    if (a->kind == TYPE_CALLABLE || b->kind == TYPE_CALLABLE || a->kind == TYPE_CHOICE ||
            type_is_known_function(a))
        return function_unify(a, b);
    if (a->kind != b->kind)
        return NULL;
    if (a->kind == TYPE_ARRAY)
        return unify_arrays(a, b);
    if (a->kind == TYPE_TUPLE)
        return unify_tuples(a, b);
    if (a->kind == TYPE_RANGE)
        return unify_ranges(a, b);
    if (a->kind == TYPE_TIME)
        return a->time.is_delta == b->time.is_delta ? time_unify(a, b) : NULL;
    return type_is_container(a) ? unify_containers(a, b) : NULL;
}
