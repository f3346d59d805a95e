// SPDX-License-Identifier: MIT
// Atomics, and loads and stores with cache hints: of one item of an array.

#include <string.h>

#include "compiler/types/abi.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/cuda/cuda.h"

static size_t index_count(const struct type *index)
{
    return index->kind == TYPE_TUPLE ? index->tuple.len : 1;
}

static const struct type *index_type(const struct type *index, size_t i)
{
    return index->kind == TYPE_TUPLE ? index->tuple.items[i] : index;
}

// uint64 and int64 together make a float64, which old programs use as an index here.
static bool is_index(const struct type *type)
{
    return type->kind == TYPE_INT || type == type_float64;
}

static bool check_item(struct rule *r, const struct type *array, const struct type *index)
{
    if (array->kind != TYPE_ARRAY)
        return rule_no_match(r, "It works on an item of an array.");
    if (array->array.is_readonly)
        return rule_fail(
                r, ERROR_TYPING, "Cannot modify readonly array of type: %s", array->name);
    if (index_count(index) != (size_t)array->array.ndim)
        return rule_fail(r, ERROR_TYPING, "indexing %d-D array with %zu-D index",
                array->array.ndim, index_count(index));
    for (size_t i = 0; i < index_count(index); i++)
        if (!is_index(index_type(index, i)))
            return rule_no_match(r, "The index is an integer, or a tuple of integers.");
    return true;
}

// The primitive on an item: array, indices, then the arguments from first_value on.
static void emit_on_item(struct rule *r, enum ir_primitive primitive,
        const struct type *array, const struct type *index, size_t first_value)
{
    struct ir_instr *operands[40];
    size_t count = 0;
    operands[count++] = rule_cast(r, r->args[0], array);
    for (size_t i = 0; i < index_count(index); i++) {
        struct ir_instr *item =
                index->kind == TYPE_TUPLE ? rule_tuple_get(r, r->args[1], i) : r->args[1];
        operands[count++] = rule_cast(r, item, type_int64);
    }
    for (size_t i = first_value; i < r->arg_count; i++)
        operands[count++] = rule_cast(r, r->args[i], array->element);
    r->value = rule_primitive(r, primitive, array->element, operands, count);
}

// Complex numbers are added part by part; devices exchange at most 64 bits at once.
static bool is_for_complex(const struct rule *r)
{
    bool is_exchange =
            r->data == PRIMITIVE_ATOMIC_EXCH || r->data == PRIMITIVE_ATOMIC_CAS;
    return r->data == PRIMITIVE_ATOMIC_ADD || r->data == PRIMITIVE_ATOMIC_SUB ||
           (is_exchange && rule_arg_type(r, 0)->element->bits == 64);
}

// add, sub, max, min, and_, or_, xor, exch (array, index, value); cas (array, index, old,
// value)
bool rule_cuda_atomic(struct rule *r)
{
    const struct type *array = rule_arg_type(r, 0), *index = rule_arg_type(r, 1);
    if (!rule_is_device(r) || !check_item(r, array, index))
        return false;
    const struct type *element = array->element;
    bool is_bitwise = r->data >= PRIMITIVE_ATOMIC_AND && r->data <= PRIMITIVE_ATOMIC_XOR;
    bool is_stored = is_bitwise || r->data == PRIMITIVE_ATOMIC_EXCH ||
                     r->data == PRIMITIVE_ATOMIC_CAS;
    bool is_real = element->kind == TYPE_FLOAT || element->kind == TYPE_BFLOAT;
    bool is_fit = element->kind == TYPE_INT || (is_real && !is_bitwise) ||
                  (element->kind == TYPE_BOOL && is_stored) ||
                  (element->kind == TYPE_COMPLEX && is_for_complex(r));
    if (!is_fit)
        return rule_no_match(r, "This atomic does not work on the array's dtype.");
    for (size_t i = 2; i < r->arg_count; i++)
        if (type_conversion(rule_arg_type(r, i), element) == CONVERT_NEVER)
            return rule_no_match(
                    r, "The value cannot be converted to the array's dtype.");
    r->type = element;
    if (r->is_emitting)
        emit_on_item(r, (enum ir_primitive)r->data, array, index, 2);
    return true;
}

// inc, dec, nanmax, nanmin (array, index, value), made of others: data says which
bool rule_cuda_atomic_made(struct rule *r)
{
    static const struct {
        const char *library;
        enum ir_primitive on_integers; // the same there: of inc and dec on words
        bool is_counter;
    } made[] = {{"device.atomic_inc", PRIMITIVE_ATOMIC_INC, true},
            {"device.atomic_dec", PRIMITIVE_ATOMIC_DEC, true},
            {"device.atomic_nanmax", PRIMITIVE_ATOMIC_MAX, false},
            {"device.atomic_nanmin", PRIMITIVE_ATOMIC_MIN, false}};
    const struct type *array = rule_arg_type(r, 0);
    if (!rule_is_device(r) || !check_item(r, array, rule_arg_type(r, 1)))
        return false;
    bool is_integer = array->element->kind == TYPE_INT;
    if (made[r->data].is_counter) {
        if (!is_integer || array->element->is_signed)
            return rule_no_match(r, "It works on unsigned integers.");
        is_integer = array->element->bits == 32;
    } else if (!is_integer && array->element->kind != TYPE_FLOAT &&
               array->element->kind != TYPE_BFLOAT)
        return rule_no_match(r, "It works on integers and floats.");
    if (!is_integer)
        return rule_library(r, made[r->data].library);
    r->data = (int)made[r->data].on_integers;
    return rule_cuda_atomic(r);
}

// Loads (array, index) and stores (array, index, value) with a cache hint; the array may
// be a pointer. data: enum cache_hint
bool rule_cuda_cached(struct rule *r)
{
    const struct type *array = rule_arg_type(r, 0), *index = rule_arg_type(r, 1);
    struct ir_instr *args[3] = {0};
    if (array->kind == TYPE_POINTER && array->element) {
        memcpy(args, r->args, r->arg_count * sizeof *args);
        if (r->is_emitting)
            args[0] = rule_pointer_items(r, rule_cast(r, args[0], array));
        array = type_array(array->element, 1, LAYOUT_C, false);
        r->args = args;
    }
    if (!rule_is_device(r) || !check_item(r, array, index))
        return false;
    bool is_store = r->data >= CACHE_STORE_WB;
    if (array->element->kind != TYPE_INT && array->element->kind != TYPE_FLOAT)
        return rule_no_match(r, "It works on arrays of integers and floats.");
    if (is_store && type_conversion(rule_arg_type(r, 2), array->element) == CONVERT_NEVER)
        return rule_no_match(r, "The value cannot be converted to the array's dtype.");
    r->type = is_store ? type_none : array->element;
    if (!r->is_emitting)
        return true;
    emit_on_item(r, is_store ? PRIMITIVE_CUDA_CACHED_STORE : PRIMITIVE_CUDA_CACHED_LOAD,
            array, index, 2);
    r->value->type = r->type;
    r->value->immediate = r->data;
    return true;
}

// compare_and_swap(array, old, value) on the first item
bool rule_cuda_compare_and_swap(struct rule *r)
{
    const struct type *array = rule_arg_type(r, 0);
    if (!rule_is_device(r) || !check_item(r, array, type_int64))
        return false;
    r->type = array->element;
    if (!r->is_emitting)
        return true;
    struct ir_instr *operands[] = {rule_cast(r, r->args[0], array),
            rule_int(r, type_int64, 0), rule_cast(r, r->args[1], array->element),
            rule_cast(r, r->args[2], array->element)};
    r->value = rule_primitive(r, PRIMITIVE_ATOMIC_CAS, r->type, operands, 4);
    return true;
}
