// SPDX-License-Identifier: MIT
// Growable typed arrays: `VEC(struct instr *) list;` zeroed is empty; vec_finish frees
// it.
#pragma once

#include <stddef.h>
#include <stdlib.h>

#include "base/memory.h"

#define VEC(type)                                                                        \
    struct {                                                                             \
        type *items;                                                                     \
        size_t len, capacity;                                                            \
    }

#define vec_push(vec, ...)                                                               \
    do {                                                                                 \
        if ((vec)->len == (vec)->capacity)                                               \
            vec_grow(&(vec)->items, &(vec)->capacity, sizeof *(vec)->items);             \
        (vec)->items[(vec)->len++] = (__VA_ARGS__);                                      \
    } while (0)

#define vec_pop(vec) ((vec)->items[--(vec)->len])
#define vec_last(vec) ((vec)->items[(vec)->len - 1])
#define vec_finish(vec)                                                                  \
    (free((vec)->items), (vec)->items = NULL, (vec)->len = (vec)->capacity = 0)

// The elements, which the caller frees; the array is empty afterwards.
#define vec_take(vec, taken)                                                             \
    ((taken) = (vec)->items, (vec)->items = NULL, (vec)->len = (vec)->capacity = 0)

// for (T *item : vec), `item` a pointer to the element
#define vec_each(item, vec)                                                              \
    for (__typeof__((vec)->items + 0) item = (vec)->items;                               \
            item < (vec)->items + (vec)->len; item++)

// Appends the elements of another array, which is empty afterwards but keeps its room.
#define vec_move(vec, from)                                                              \
    do {                                                                                 \
        vec_each (moved_, (from))                                                        \
            vec_push((vec), *moved_);                                                    \
        (from)->len = 0;                                                                 \
    } while (0)

// Hands each element to the function `destroy`, then frees the array.
#define vec_destroy(vec, destroy)                                                        \
    do {                                                                                 \
        vec_each (item_, (vec))                                                          \
            destroy(*item_);                                                             \
        vec_finish(vec);                                                                 \
    } while (0)

// The place of a number among others; -1: it is not there.
static inline int int_place(const int *items, size_t count, int wanted)
{
    for (size_t i = 0; i < count; i++)
        if (items[i] == wanted)
            return (int)i;
    return -1;
}

// Doubles `*items`; `items` is the address of a pointer of any element type.
static inline void vec_grow(void *items, size_t *capacity, size_t item_bytes)
{
    void **memory = items;
    *capacity = *capacity ? *capacity * 2 : 8;
    *memory = memory_realloc(*memory, *capacity * item_bytes);
}
