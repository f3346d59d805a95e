// SPDX-License-Identifier: MIT
// What iter.c and the files of single kinds of iterables have in common.
#pragma once

#include "compiler/codegen/base/body.h"
#include "compiler/codegen/loops/axes.h"
#include "compiler/codegen/loops/strip.h"

struct iterator {
    const struct type *type; // of the iterable
    const value *leaves;
    struct span span;
    value position;      // slot: the next number of a range, else the next index
    value remaining;     // slot: turns left, of ranges that step by more than one
    value limit;         // slot: where to pause, of loops in strips; else NULL
    value length;        // of a list that stays as long as it is; else NULL
    value opened_length; // of a typed list, which may not change meanwhile
    const struct ir_instr *table; // the dict, view or set whose items these are, or NULL
    value opened_count;           // of its items
    value asked;                  // whether it is asked for an item; NULL: it is
    value spilled;                // memory of a tuple's items
    struct iterator **children;   // of enumerate and zip
    size_t child_count;
    struct axes axes; // of what counts along several
};

// Positions of an iterator and those inside it, in a row.
struct positions {
    value *items;
    size_t len;
    struct span span; // where the item is asked for
};

// How iterables of a kind are gone over. NULL: nothing to do, or no bounds.
struct iteration {
    // Makes the state before the loop.
    void (*open)(struct body *body, struct iterator *iterator);
    // How far it has come and has to go; false if it does not count to a bound.
    // `position` is NULL before the loop.
    bool (*bounds)(struct body *body, const struct iterator *iterator, value position,
            struct strip_bounds *bounds);
    // Whether there is an item at the position, which is NULL if the iterator has none.
    // Goes on from there. Adds the positions of iterators inside.
    value (*advance)(struct body *body, struct iterator *iterator, value position,
            struct positions *positions);
    // The item that `advance` said was there; takes the positions that it added.
    void (*fetch)(struct body *body, const struct iterator *iterator,
            const struct type *item, value position, struct positions *positions,
            value *out);
};

// Counts from 0: the position before the loop, the next one, which is there before the
// end, and that end.
void iterator_count(struct body *body, struct iterator *iterator);
value iterator_count_on(struct body *body, struct iterator *iterator, value position,
        struct positions *positions);
bool iterator_bounds_to(
        struct body *body, value position, value end, struct strip_bounds *bounds);

// --- places.c

void indices_open(struct body *body, struct iterator *iterator);
void places_open(struct body *body, struct iterator *iterator);
bool indices_bounds(struct body *body, const struct iterator *iterator, value position,
        struct strip_bounds *bounds);
bool places_bounds(struct body *body, const struct iterator *iterator, value position,
        struct strip_bounds *bounds);
value places_advance(struct body *body, struct iterator *iterator, value position,
        struct positions *positions);
void flat_item(struct body *body, const struct iterator *iterator,
        const struct type *item, value position, struct positions *positions, value *out);
void indices_item(struct body *body, const struct iterator *iterator,
        const struct type *item, value position, struct positions *positions, value *out);
void views_item(struct body *body, const struct iterator *iterator,
        const struct type *item, value position, struct positions *positions, value *out);
