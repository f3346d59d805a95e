// SPDX-License-Identifier: MIT
// Several arrays of one shape and any layout, gone over together in C order, for compiled
// code: in pieces in which the items of each lie side by side, where they are or, put
// together, in a room of the walk. So code has one loop, over dense items, whatever the
// layouts.
#include "compiler/support/support.h"

#include <stdbool.h>
#include <string.h>

enum {
    MAX_OPERANDS = 6,
    LONG_ROW = 64, // a row of so many items is a piece; of shorter ones several are
    HEADER = 48,   // numbers of struct walk that the library keeps (library/walks.py)
};

struct operand {
    char *items, *place; // the first item, and that of the piece
    int64_t item_bytes;
};

// What the library reads by numbers (library/walks.py) comes first. Behind it there are
// the lengths of the axes, the present turns of these, the strides of each operand, and
// the rooms.
struct walk {
    int64_t at;                        // number of the piece's first item
    int64_t offsets[MAX_OPERANDS];     // bytes from the operand's first item, or,
    int64_t is_gathered[MAX_OPERANDS]; // of one that is put together, from the walk
    int64_t first, stop, size;
    int64_t given_ndim, ndim, count; // axes at first, and when those of neighbours join
    int64_t axis, slab; // a piece is slabs of so many items, neighbours along this axis
    int64_t piece;      // items at most; 0: not begun
    int64_t n;          // items of the present one
    int64_t room_bytes; // for an operand
    struct operand operands[MAX_OPERANDS];
    int64_t shape[];
};

_Static_assert(sizeof(struct walk) <= 8 * HEADER, "library/walks.py keeps 48 numbers");

static int64_t *turns_of(struct walk *walk)
{
    return walk->shape + walk->given_ndim;
}

static int64_t *strides_of(struct walk *walk, int64_t k)
{
    return walk->shape + (2 + k) * walk->given_ndim;
}

static char *room_of(struct walk *walk, int64_t k)
{
    return (char *)strides_of(walk, walk->count) + k * walk->room_bytes;
}

// Of `count` operands, those that are arrays described next; the items from number
// `first` to `stop`, both moved down to where a piece may begin, so that neighbouring
// walks share all items out.
void gridcell_walk(struct walk *walk, const int64_t *shape, int64_t ndim, int64_t count,
        int64_t room_numbers, int64_t first, int64_t stop)
{
    walk->given_ndim = walk->ndim = ndim;
    walk->count = count;
    walk->room_bytes = room_numbers * 8;
    walk->piece = 0;
    walk->first = first;
    walk->stop = stop;
    walk->size = 1;
    for (int64_t i = 0; i < ndim; i++) {
        walk->shape[i] = shape[i];
        walk->size *= shape[i];
    }
    for (int64_t k = 0; k < count; k++) { // a number: nothing to walk over
        walk->operands[k].items = (char *)walk;
        walk->operands[k].item_bytes = 0;
        memset(strides_of(walk, k), 0, (size_t)ndim * sizeof(int64_t));
    }
}

void gridcell_walk_operand(struct walk *walk, int64_t k, char *items,
        const int64_t *strides, int64_t item_bytes)
{
    walk->operands[k].items = items;
    walk->operands[k].item_bytes = item_bytes;
    memcpy(strides_of(walk, k), strides, (size_t)walk->ndim * sizeof *strides);
}

static bool joins(struct walk *walk, int64_t outer, int64_t inner)
{
    for (int64_t k = 0; k < walk->count; k++) {
        const int64_t *strides = strides_of(walk, k);
        if (strides[outer] != walk->shape[inner] * strides[inner])
            return false;
    }
    return true;
}

// Makes one axis of neighbours over which all operands go evenly.
static void join_axes(struct walk *walk)
{
    int64_t ndim = 0;
    for (int64_t i = 0; i < walk->ndim; i++) {
        int64_t len = walk->shape[i];
        if (len == 1 && (ndim || i < walk->ndim - 1))
            continue;
        // a first axis of length 1 is left only where there is no other
        bool is_joined = ndim && joins(walk, ndim - 1, i);
        int64_t at = is_joined ? ndim - 1 : ndim++;
        for (int64_t k = 0; k < walk->count; k++)
            strides_of(walk, k)[at] = strides_of(walk, k)[i];
        walk->shape[at] = is_joined ? walk->shape[at] * len : len;
    }
    walk->ndim = ndim;
}

static int64_t room_items(const struct walk *walk)
{
    int64_t largest = 1;
    for (int64_t k = 0; k < walk->count; k++)
        if (walk->operands[k].item_bytes > largest)
            largest = walk->operands[k].item_bytes;
    return walk->room_bytes / largest;
}

static void choose_pieces(struct walk *walk)
{
    int64_t axis = walk->ndim - 1, room = room_items(walk);
    walk->slab = 1;
    if (walk->shape[axis] < LONG_ROW)
        for (; axis > 0 && walk->slab * walk->shape[axis] <= room; axis--)
            walk->slab *= walk->shape[axis];
    walk->axis = axis;
    walk->piece = walk->size;
    for (int64_t k = 0; k < walk->count; k++) {
        int64_t dense = walk->operands[k].item_bytes;
        walk->is_gathered[k] = 0;
        for (int64_t i = walk->ndim; i-- > axis;) {
            walk->is_gathered[k] |= strides_of(walk, k)[i] != dense;
            dense *= walk->shape[i];
        }
        if (walk->is_gathered[k])
            walk->piece = room / walk->slab * walk->slab;
    }
}

static void begin(struct walk *walk)
{
    join_axes(walk);
    choose_pieces(walk);
    int64_t turn = walk->first / walk->slab, *turns = turns_of(walk);
    walk->at = turn * walk->slab;
    if (walk->stop < walk->size)
        walk->stop -= walk->stop % walk->slab;
    for (int64_t i = walk->axis; i >= 0; i--) {
        turns[i] = turn % walk->shape[i];
        turn /= walk->shape[i];
    }
    for (int64_t k = 0; k < walk->count; k++) {
        struct operand *operand = &walk->operands[k];
        operand->place = operand->items;
        for (int64_t i = 0; i <= walk->axis; i++)
            operand->place += turns[i] * strides_of(walk, k)[i];
    }
}

static void advance(struct walk *walk)
{
    int64_t axis = walk->axis, moved = walk->n / walk->slab, *turns = turns_of(walk);
    walk->at += walk->n;
    turns[axis] += moved;
    for (int64_t k = 0; k < walk->count; k++)
        walk->operands[k].place += moved * strides_of(walk, k)[axis];
    for (; axis > 0 && turns[axis] == walk->shape[axis]; axis--) {
        turns[axis] = 0;
        turns[axis - 1]++;
        for (int64_t k = 0; k < walk->count; k++) {
            const int64_t *strides = strides_of(walk, k);
            walk->operands[k].place +=
                    strides[axis - 1] - walk->shape[axis] * strides[axis];
        }
    }
}

// Copies `len` slabs along the axis into the room.
static void gather(struct walk *walk, int64_t k, int64_t axis, int64_t len, char *room,
        const char *place)
{
    int64_t item = walk->operands[k].item_bytes;
    const int64_t *strides = strides_of(walk, k);
    if (axis == walk->ndim - 1) {
        support_copy_line(room, place, len, item, strides[axis], item);
        return;
    }
    int64_t inner = walk->shape[axis + 1], slab = item;
    for (int64_t i = axis + 1; i < walk->ndim; i++)
        slab *= walk->shape[i];
    if (axis == walk->ndim - 2 && inner <= len) // many short rows: column by column
        for (int64_t i = 0; i < inner; i++)
            support_copy_line(room + i * item, place + i * strides[axis + 1], len, slab,
                    strides[axis], item);
    else
        for (int64_t i = 0; i < len; i++)
            gather(walk, k, axis + 1, inner, room + i * slab, place + i * strides[axis]);
}

// Goes on to the next piece; how many items it has, 0: there is none.
int64_t gridcell_walk_next(struct walk *walk)
{
    if (!walk->size)
        return 0;
    if (walk->piece)
        advance(walk);
    else
        begin(walk);
    if (walk->at >= walk->stop)
        return 0;
    int64_t left = (walk->shape[walk->axis] - turns_of(walk)[walk->axis]) * walk->slab;
    walk->n = walk->stop - walk->at;
    walk->n = left < walk->n ? left : walk->n;
    walk->n = walk->piece < walk->n ? walk->piece : walk->n;
    for (int64_t k = 0; k < walk->count; k++) {
        struct operand *operand = &walk->operands[k];
        char *room = room_of(walk, k);
        walk->offsets[k] = walk->is_gathered[k] ? room - (char *)walk
                                                : operand->place - operand->items;
        if (walk->is_gathered[k])
            gather(walk, k, walk->axis, walk->n / walk->slab, room, operand->place);
    }
    return walk->n;
}
