// SPDX-License-Identifier: MIT
// Iteration over the places of a shape, and over the items of arrays of any layout, alone
// or together, with their indices or without.
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/loops/iterator.h"
#include "compiler/codegen/values/array.h"

#include <string.h>

// Along one axis the position is an index, along several each array has its own offset.
void places_open(struct body *body, struct iterator *iterator)
{
    if (!axes_open_arrays(
                body, &iterator->axes, iterator->type->element, iterator->leaves))
        iterator_count(body, iterator);
}

// Of a shape, or of an array with its items.
void indices_open(struct body *body, struct iterator *iterator)
{
    if (iterator->type->element->kind == TYPE_ARRAY)
        places_open(body, iterator);
    else
        axes_open(body, &iterator->axes, iterator->leaves,
                (int)type_leaf_count(body->gen, iterator->type));
}

bool places_bounds(struct body *body, const struct iterator *iterator, value position,
        struct strip_bounds *bounds)
{
    return !iterator->axes.count &&
           iterator_bounds_to(body, position, iterator->leaves[ARRAY_SHAPE(0)], bounds);
}

bool indices_bounds(struct body *body, const struct iterator *iterator, value position,
        struct strip_bounds *bounds)
{
    return iterator->type->element->kind == TYPE_ARRAY &&
           places_bounds(body, iterator, position, bounds);
}

value places_advance(struct body *body, struct iterator *iterator, value position,
        struct positions *positions)
{
    const struct axes *axes = &iterator->axes;
    if (!axes->count)
        return iterator_count_on(body, iterator, position, positions);
    value *now = positions->items + positions->len;
    positions->len += (size_t)axes->count + axes->follower_count;
    return axes_advance(body, axes, now, now + axes->count);
}

// An item as an array without axes.
static void put_view(const value *array, value address, value *out)
{
    memcpy(out, array, ARRAY_DIMS * sizeof *out);
    out[ARRAY_DATA] = address;
}

// The index and the distances that `places_advance` left.
static const value *walked_place(
        const struct iterator *iterator, struct positions *positions)
{
    const value *place = positions->items + positions->len;
    positions->len += (size_t)iterator->axes.count + iterator->axes.follower_count;
    return place;
}

void flat_item(struct body *body, const struct iterator *iterator,
        const struct type *item, value position, struct positions *positions, value *out)
{
    const struct type *type = iterator->type->element;
    const value *place = walked_place(iterator, positions);
    value address = axes_address(body, &iterator->axes, type, iterator->leaves, position,
            place + iterator->axes.count);
    if (item->kind == TYPE_ARRAY) {
        put_view(iterator->leaves, address, out);
        return;
    }
    array_tell_access(body, type, address, ACCESS_LOAD, NULL, positions->span);
    value_load(body->gen, type->element, address, array_item_alignment(type), "", out);
}

void indices_item(struct body *body, const struct iterator *iterator,
        const struct type *item, value position, struct positions *positions, value *out)
{
    size_t count = (size_t)iterator->axes.count;
    const value *place = positions->items + positions->len;
    if (iterator->type->element->kind == TYPE_ARRAY) {
        size_t index_count = count ? count : 1;
        flat_item(body, iterator, item->tuple.items[1], position, positions,
                out + index_count);
        memcpy(out, count ? place : &position, index_count * sizeof *out);
        return;
    }
    memcpy(out, place, count * sizeof *out);
    positions->len += count;
}

void views_item(struct body *body, const struct iterator *iterator,
        const struct type *item, value position, struct positions *positions, value *out)
{
    const value *place = walked_place(iterator, positions);
    const struct type *walked = iterator->type->element;
    const value *leaves = iterator->leaves, *offset = place + iterator->axes.count;
    for (size_t k = 0; k < axes_array_count(walked); k++) {
        const struct type *type = axes_array(walked, k);
        put_view(leaves,
                axes_address(body, &iterator->axes, type, leaves, position, offset + k),
                out);
        leaves += type_leaf_count(body->gen, type);
        out += ARRAY_DIMS;
    }
}
