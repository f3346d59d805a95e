// SPDX-License-Identifier: MIT
// What a loop over a value of a type gives.
#include "compiler/types/type.h"

#include <stdlib.h>

#include "base/memory.h"

bool type_asks_generator(const struct type *iterable)
{
    switch (iterable->kind) {
    case TYPE_GENERATOR:
        return true;
    case TYPE_ITERATOR:
    case TYPE_ENUMERATE:
        return type_asks_generator(iterable->element);
    case TYPE_ZIP:
        for (size_t i = 0; i < iterable->tuple.len; i++)
            if (type_asks_generator(iterable->tuple.items[i]))
                return true;
        return false;
    default:
        return false;
    }
}

static const struct type *array_item(const struct type *array)
{
    if (array->array.ndim == 0)
        return NULL;
    if (array->array.ndim == 1 && array->element->kind == TYPE_CELLS)
        return NULL;
    if (array->array.ndim == 1 && array->element->kind != TYPE_RECORD)
        return array->element;
    bool is_item = array->array.ndim == 1; // a record: a view without dimensions
    enum array_layout layout =
            is_item || array->array.layout == LAYOUT_C ? LAYOUT_C : LAYOUT_A;
    return type_array_in(array->element, array->array.ndim - 1, layout,
            array->array.is_readonly, array->array.is_aligned,
            array->array.address_space);
}

static const struct type *zip_item(const struct type *zip)
{
    const struct type **items = memory_alloc(zip->tuple.len * sizeof *items);
    bool is_iterable = true;
    for (size_t i = 0; i < zip->tuple.len; i++) {
        items[i] = type_iterated(zip->tuple.items[i]);
        is_iterable = is_iterable && items[i];
    }
    const struct type *tuple = is_iterable ? type_tuple(items, zip->tuple.len) : NULL;
    free(items);
    return tuple;
}

const struct type *type_iterated(const struct type *iterable)
{
    switch (iterable->kind) {
    case TYPE_RANGE:
    case TYPE_GENERATOR:
        return iterable->element;
    case TYPE_ARRAY:
        return array_item(iterable);
    case TYPE_TUPLE:
        if (!iterable->tuple.len)
            return type_none; // for a loop that never runs
        return types_are_equal(iterable->tuple.items, iterable->tuple.len)
                       ? iterable->tuple.items[0]
                       : NULL;
    case TYPE_STRING:
        return iterable == type_bytes ? type_int64 : iterable;
    case TYPE_LIST:
    case TYPE_SET:
    case TYPE_DICT:
        return iterable->element;
    case TYPE_ENUMERATE: {
        const struct type *item = type_iterated(iterable->element);
        return item ? type_tuple((const struct type *[]){type_int64, item}, 2) : NULL;
    }
    case TYPE_ZIP:
        return zip_item(iterable);
    case TYPE_ITERATOR:
        return type_iterated(iterable->element);
    case TYPE_CLASS: // the members of an enum
        return iterable->element->kind == TYPE_ENUM ? iterable->element : NULL;
    default:
        return NULL;
    }
}
