// SPDX-License-Identifier: MIT
// What a loop over a value of a type gives. Loops over sets, dicts, views of dicts and
// enums go over lists or tuples of their items by the time that code is generated;
// codegen/loops/iter.c has a row for each of the other kinds.
#include "compiler/types/type.h"

#include <stdlib.h>

#include "base/memory.h"
#include "compiler/types/kinds.h"

// How many of the kind it goes over, itself included.
static size_t iterated_count(const struct type *iterable, enum type_kind kind)
{
    const struct type_traits *traits = type_traits_of(iterable);
    if (iterable->kind == kind)
        return 1;
    if (traits->role != ROLE_ITERATOR)
        return 0;
    if (traits->counted == COUNTED_ELEMENT)
        return iterated_count(iterable->element, kind);
    size_t count = 0;
    for (size_t i = 0; i < iterable->tuple.len; i++)
        count += iterated_count(iterable->tuple.items[i], kind);
    return count;
}

static bool iterates(const struct type *iterable, enum type_kind kind)
{
    return iterated_count(iterable, kind) > 0;
}

bool type_asks_generator(const struct type *iterable)
{
    return iterates(iterable, TYPE_GENERATOR);
}

// Each place counts, also where the same one may stand at two of them.
size_t type_generator_count(const struct type *iterable)
{
    return iterated_count(iterable, TYPE_GENERATOR);
}

bool type_iterates_list(const struct type *iterable)
{
    return iterates(iterable, TYPE_LIST);
}

static const struct type *element_item(const struct type *iterable)
{
    return iterable->element;
}

// The loop is typed once for all items, so they must be of one type.
static const struct type *tuple_item(const struct type *tuple)
{
    if (!tuple->tuple.len)
        return type_none; // for a loop that never runs
    return types_are_equal(tuple->tuple.items, tuple->tuple.len) ? tuple->tuple.items[0]
                                                                 : NULL;
}

static const struct type *text_item(const struct type *text)
{
    return text == type_bytes ? type_int64 : text;
}

// A record is given as a view of it without dimensions, so that its fields can be set;
// text of fixed length has no such view.
static const struct type *array_item(const struct type *array)
{
    if (array->array.ndim == 0)
        return NULL;
    if (array->array.ndim == 1 && array->element->kind == TYPE_CELLS)
        return NULL;
    if (array->array.ndim == 1 && array->element->kind != TYPE_RECORD)
        return array->element;
    bool is_item = array->array.ndim == 1;
    enum array_layout layout =
            is_item || array->array.layout == LAYOUT_C ? LAYOUT_C : LAYOUT_A;
    return type_array_in(array->element, array->array.ndim - 1, layout,
            array->array.is_readonly, array->array.is_aligned,
            array->array.address_space);
}

static const struct type *zip_item(const struct type *zip)
{
    const struct type **types = memory_alloc(zip->tuple.len * sizeof *types);
    bool is_iterable = true;
    for (size_t i = 0; i < zip->tuple.len; i++) {
        types[i] = type_iterated(zip->tuple.items[i]);
        is_iterable = is_iterable && types[i];
    }
    const struct type *tuple = is_iterable ? type_tuple(types, zip->tuple.len) : NULL;
    free(types);
    return tuple;
}

static const struct type *enumerate_item(const struct type *enumerate)
{
    const struct type *item = type_iterated(enumerate->element);
    return item ? type_tuple((const struct type *[]){type_int64, item}, 2) : NULL;
}

static const struct type *dict_view_item(const struct type *view)
{
    const struct type *dict = view->element;
    const struct type *pair[] = {dict->element, dict->cell.value};
    return view->bits == DICT_ITEMS ? type_tuple(pair, 2) : pair[view->bits];
}

static const struct type *iterator_item(const struct type *iterator)
{
    return type_iterated(iterator->element);
}

// What can be written to: an item where it lies.
static const struct type *view_of_item(const struct type *array)
{
    return type_array_in(array->element, 0, LAYOUT_C, array->array.is_readonly,
            array->array.is_aligned, array->array.address_space);
}

static const struct type *view_item(const struct type *views)
{
    const struct type *walked = views->element;
    if (walked->kind == TYPE_ARRAY)
        return view_of_item(walked);
    const struct type **types = memory_alloc(walked->tuple.len * sizeof *types);
    for (size_t i = 0; i < walked->tuple.len; i++)
        types[i] = view_of_item(walked->tuple.items[i]);
    const struct type *tuple = type_tuple(types, walked->tuple.len);
    free(types);
    return tuple;
}

// A record is given as a view, as in loops over the array.
static const struct type *walked_item(const struct type *array)
{
    return array->element->kind == TYPE_RECORD ? view_of_item(array) : array->element;
}

static const struct type *flat_item(const struct type *flat)
{
    return walked_item(flat->element);
}

// The index alone, or with the item.
static const struct type *index_item(const struct type *indices)
{
    const struct type *walked = indices->element;
    if (walked->kind != TYPE_ARRAY)
        return walked;
    const struct type *both[] = {type_index(walked->array.ndim), walked_item(walked)};
    return type_tuple(both, 2);
}

// The members of an enum.
static const struct type *class_item(const struct type *class)
{
    return class->element->kind == TYPE_ENUM ? class->element : NULL;
}

// By kind; NULL: not iterable.
static const struct type *(*const items[TYPE_KIND_COUNT])(const struct type *) = {
        [TYPE_STRING] = text_item,
        [TYPE_TUPLE] = tuple_item,
        [TYPE_ARRAY] = array_item,
        [TYPE_RANGE] = element_item,
        [TYPE_ENUMERATE] = enumerate_item,
        [TYPE_ZIP] = zip_item,
        [TYPE_INDICES] = index_item,
        [TYPE_VIEWS] = view_item,
        [TYPE_FLAT] = flat_item,
        [TYPE_ITERATOR] = iterator_item,
        [TYPE_LIST] = element_item,
        [TYPE_SET] = element_item,
        [TYPE_DICT] = element_item,
        [TYPE_DICT_VIEW] = dict_view_item,
        [TYPE_CLASS] = class_item,
        [TYPE_GENERATOR] = element_item,
};

const struct type *type_iterated(const struct type *iterable)
{
    assert(iterable->kind < TYPE_KIND_COUNT);
    return items[iterable->kind] ? items[iterable->kind](iterable) : NULL;
}
