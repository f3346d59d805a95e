// SPDX-License-Identifier: MIT
// Functions that compiled code calls while it runs on the CPU.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "compiler/types/abi.h"

struct support_symbol {
    const char *name;
    void *address;
};

// A row of a table of them, which ends with {0}.
#define SUPPORT_SYMBOL(name, function)                                                   \
    {                                                                                    \
        name, (void *)(function)                                                         \
    }
// The row of a function that has the same name here, without "gridcell_".
#define SUPPORT_FUNCTION(name) SUPPORT_SYMBOL("gridcell_" #name, name)

// By name what this room has; each table ends with a NULL name.
extern const struct support_symbol support_symbols[], value_symbols[], complex_symbols[],
        meminfo_symbols[];

// What is counted where that is asked for (support/count.c): blocks of memory, and values
// with a count of references.
enum support_count {
    SUPPORT_ALLOCATED,
    SUPPORT_FREED,
    SUPPORT_MADE,
    SUPPORT_RELEASED,
    SUPPORT_COUNTS,
};
extern _Atomic(bool) support_counts; // whether it is asked for
void support_count_one(enum support_count what);
static inline void support_count(enum support_count what)
{
    if (__builtin_expect(atomic_load_explicit(&support_counts, memory_order_relaxed), 0))
        support_count_one(what);
}
int64_t support_counted(enum support_count what);
bool support_is_counting(void);
void support_set_counting(bool value);

// Memory that may be one of those destroyed last (support/memory.c); NULL if there is
// none. Blocks below this length are the C library's own.
enum { SUPPORT_LEAST_ALIGNED = 4096 };
void *support_block_create(size_t size);
void *support_block_create_zeroed(size_t size);
// A block of at least `wanted` bytes, which becomes how many, in the place of one of
// `size` bytes or of NULL; NULL if there is no memory, and the block stays.
void *support_block_grow(void *block, size_t size, size_t *wanted);
void support_block_destroy(void *block, size_t size);
// Whether all of this lies in one of the larger blocks that are in use. It may be false
// of some.
bool support_block_holds(const void *start, size_t bytes);

// Counted memory with room for `size_bytes` behind its header; NULL if there is none.
struct abi_memory *gridcell_memory_create(int64_t size_bytes);
struct abi_memory *gridcell_memory_create_zeroed(int64_t size_bytes);
// Notes the array that there was no memory for (support/refusal.c); of more than four
// axes their number alone.
void gridcell_array_refused(const char *dtype, int64_t size_bytes, int64_t ndim,
        int64_t first, int64_t second, int64_t third, int64_t fourth);
// Whole arrays (support/arrays.c)
int32_t gridcell_array_repeat(char *items, int64_t done, int64_t bytes);
int32_t gridcell_array_copy(char *to, const int64_t *to_strides, const char *from,
        const int64_t *from_strides, const int64_t *shape, int64_t ndim,
        int64_t item_bytes);
// Copies items one after another; the two lines do not overlap.
void support_copy_line(char *to, const char *from, int64_t len, int64_t to_stride,
        int64_t from_stride, int64_t item_bytes);
int64_t gridcell_array_is_dense(
        const int64_t *shape, const int64_t *strides, int64_t ndim, int64_t item_bytes);
int64_t gridcell_axes_order(
        int64_t *order, int64_t ndim, const int64_t *axes, int64_t count);
void gridcell_copy_blocks(char *base, char *rows, const int64_t *offsets,
        const int64_t *outer, int64_t outer_ndim, const int64_t *inner,
        const int64_t *inner_strides, int64_t inner_ndim, const int64_t *row_strides,
        int64_t item_bytes, int64_t is_write);
void gridcell_take_blocks(char *to, const char *from, const int64_t *numbers,
        int64_t count, int64_t outer, int64_t len, int64_t block_bytes);
void gridcell_repeat_blocks(
        char *to, const char *from, int64_t count, int64_t times, int64_t block_bytes);
void gridcell_unravel(const int64_t *numbers, int64_t n, const int64_t *shape,
        int64_t ndim, int64_t *out, int64_t axis_step, int64_t item_step);
// Arrays along some of their axes (support/axes.c)
struct plan;
void gridcell_plan(struct plan *plan, const int64_t *shape, const int64_t *strides,
        int64_t ndim, const int64_t *named, int64_t named_count, int64_t wants_lines);
int64_t gridcell_plan_next(struct plan *plan);
int64_t gridcell_plan_order(const struct plan *plan, char *to, const char *results,
        const int64_t *shape, int64_t ndim, int64_t item_bytes);
int64_t gridcell_copy_lines(char *rows, char *items, const int64_t *shape,
        const int64_t *strides, const int64_t *order, int64_t ndim, int64_t gone,
        int64_t first, int64_t count, int64_t item_bytes, int64_t is_write);
// Arrays of any strides in chunks without gaps (support/chunks.c)
struct chunks;
void gridcell_chunks_open(struct chunks *chunks, const int64_t *shape, int64_t ndim);
void gridcell_chunks_add(struct chunks *chunks, char *items, const int64_t *shape,
        const int64_t *strides, int64_t ndim, int64_t item_bytes, int64_t flags);
int64_t gridcell_chunks_begin(struct chunks *chunks);
int64_t gridcell_chunks_next(struct chunks *chunks);
// Operands of any layout as dense pieces (support/walk.c)
struct walk;
void gridcell_walk(struct walk *walk, const int64_t *shape, int64_t ndim, int64_t count,
        int64_t room_numbers, int64_t first, int64_t stop);
void gridcell_walk_operand(struct walk *walk, int64_t k, char *items,
        const int64_t *strides, int64_t item_bytes);
int64_t gridcell_walk_next(struct walk *walk);
// Sums of `n` items, `stride` bytes apart, from the item `start` on (support/sums.c)
double gridcell_sum_doubles(const char *items, int64_t start, int64_t n, int64_t stride);
float gridcell_sum_floats(const char *items, int64_t start, int64_t n, int64_t stride);
// Sorting (support/sort.c); type: kind * 1000 + bits as the library knows them. 0, or the
// status of a failure
int64_t gridcell_sort(void *items, int64_t n, int64_t type);
int64_t gridcell_select(void *items, int64_t n, int64_t k, int64_t type);
int64_t gridcell_argsort(const void *items, int64_t *index, int64_t n, int64_t type);
// Generators (generator_run.c); NULL when there is no memory
struct abi_generator *gridcell_generator_create(
        int64_t value_bytes, void (*resume)(void *handle), void (*destroy)(void *handle));
// GENERATOR_YIELDED, GENERATOR_ENDED, or the status that it failed with.
int32_t gridcell_generator_next(struct abi_generator *generator);
void *gridcell_coroutine_alloc(int64_t size_bytes);
void gridcell_coroutine_free(void *memory);
// Rows of items (support/rows.c): false, or NULL, when there is no memory
struct abi_row *gridcell_row_create(
        int64_t capacity, int64_t item_bytes, int64_t place_count, const int64_t *places);
// The fields of a new set or dict: no entries, and a table that is ready for some.
struct abi_row *gridcell_table_create(
        int64_t entry_bytes, int64_t place_count, const int64_t *places);
int32_t gridcell_row_splice(
        struct abi_row *row, int64_t at, int64_t removed, int64_t inserted);
// Whether what an array lies in has its bytes from `low` to below `high`, counted from
// its first item; where that cannot be told it has.
int32_t gridcell_owner_holds(const struct abi_memory *memory, const void *parent,
        const char *first, int64_t low, int64_t high);
// The memory of an array that is stored away, kept: also that of an argument.
struct abi_memory *gridcell_array_keep(struct abi_memory *memory, void *parent);
void gridcell_row_swap(struct abi_row *row, int64_t a, int64_t b);
// Notes a call that an exception passes through.
void gridcell_trace_call(const char *function, const char *file, int32_t line);
// Any thread; NULL is fine.
void gridcell_memory_retain(struct abi_memory *memory);
void gridcell_memory_release(struct abi_memory *memory);
void gridcell_memory_release_each(struct abi_memory *const *slots, int64_t count);
