// SPDX-License-Identifier: MIT
// Whole arrays in memory, for compiled code: copies between any two layouts. Done here
// once rather than in every module.
#include "compiler/support/refusal.h"
#include "compiler/support/support.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/support/interrupt.h"

enum {
    MAX_AXES = 64,
    PIECE = 1 << 16,    // items that are copied between two looks at the interrupt flag
    REPEATED = 1 << 22, // bytes, likewise
    SQUARE = 16,        // items along each side
    SHORT_ROW = 12,
    ROWS = 512, // that are copied column by column, so that they stay in the first cache
};

// Axes of a copy, outermost first, after the pointless ones have gone.
struct copy {
    char *to;
    const char *from;
    int64_t shape[MAX_AXES], to_strides[MAX_AXES], from_strides[MAX_AXES];
    int64_t ndim, item_bytes;
    int64_t since; // items copied since the flag was looked at
    bool is_stopped;
};

static bool joins(const struct copy *copy, int64_t axis, int64_t inner_len,
        int64_t to_stride, int64_t from_stride)
{
    return copy->to_strides[axis] == inner_len * to_stride &&
           copy->from_strides[axis] == inner_len * from_stride;
}

static void add_axis(struct copy *copy, int64_t len, int64_t to, int64_t from)
{
    int64_t last = copy->ndim - 1;
    if (len == 1)
        return;
    if (copy->ndim && joins(copy, last, len, to, from)) {
        copy->shape[last] *= len;
        copy->to_strides[last] = to;
        copy->from_strides[last] = from;
        return;
    }
    copy->shape[copy->ndim] = len;
    copy->to_strides[copy->ndim] = to;
    copy->from_strides[copy->ndim++] = from;
}

static void swap_axes(struct copy *copy, int64_t i, int64_t j)
{
    int64_t *const rows[] = {copy->shape, copy->to_strides, copy->from_strides};
    for (size_t k = 0; k < 3; k++) {
        int64_t kept = rows[k][i];
        rows[k][i] = rows[k][j];
        rows[k][j] = kept;
    }
}

// Walks the target in order of its memory, so that writes stay together.
static void order_axes(struct copy *copy)
{
    for (int64_t i = 1; i < copy->ndim; i++)
        for (int64_t j = i;
                j > 0 && llabs(copy->to_strides[j - 1]) < llabs(copy->to_strides[j]); j--)
            swap_axes(copy, j - 1, j);
}

static void join_axes(struct copy *copy)
{
    int64_t count = copy->ndim;
    copy->ndim = 0; // axes are written no further than they have been read
    for (int64_t i = 0; i < count; i++)
        add_axis(copy, copy->shape[i], copy->to_strides[i], copy->from_strides[i]);
}

// Loops by steps that are known vectorise: from items without gaps, backwards, every
// second one, and of one item.
#define COPY_ITEMS(type, to_step, from_step)                                             \
    for (int64_t i = 0; i < len; i++)                                                    \
    memcpy(to + i * (to_step), from + i * (from_step), sizeof(type))
#define COPY_LINE(name, type)                                                            \
    static void copy_##name(char *restrict to, const char *restrict from, int64_t len,   \
            int64_t to_stride, int64_t from_stride)                                      \
    {                                                                                    \
        const int64_t item = sizeof(type);                                               \
        if (to_stride != item)                                                           \
            COPY_ITEMS(type, to_stride, from_stride);                                    \
        else if (from_stride == -item)                                                   \
            COPY_ITEMS(type, item, -item);                                               \
        else if (from_stride == 2 * item)                                                \
            COPY_ITEMS(type, item, 2 * item);                                            \
        else if (from_stride == 0)                                                       \
            COPY_ITEMS(type, item, 0);                                                   \
        else                                                                             \
            COPY_ITEMS(type, item, from_stride);                                         \
    }

COPY_LINE(bytes, char)
COPY_LINE(shorts, int16_t)
COPY_LINE(words, int32_t)
COPY_LINE(doubles, int64_t)
COPY_LINE(pairs, char[16])

void support_copy_line(char *to, const char *from, int64_t len, int64_t to_stride,
        int64_t from_stride, int64_t item_bytes)
{
    if (to_stride == item_bytes && from_stride == item_bytes)
        memcpy(to, from, (size_t)(len * item_bytes));
    else if (item_bytes == 8)
        copy_doubles(to, from, len, to_stride, from_stride);
    else if (item_bytes == 4)
        copy_words(to, from, len, to_stride, from_stride);
    else if (item_bytes == 1)
        copy_bytes(to, from, len, to_stride, from_stride);
    else if (item_bytes == 2)
        copy_shorts(to, from, len, to_stride, from_stride);
    else if (item_bytes == 16)
        copy_pairs(to, from, len, to_stride, from_stride);
    else
        for (int64_t i = 0; i < len; i++)
            memcpy(to + i * to_stride, from + i * from_stride, (size_t)item_bytes);
}

static void note_copied(struct copy *copy, int64_t len)
{
    copy->since += len;
    if (copy->since < PIECE)
        return;
    copy->since = 0;
    if (compiler_interrupt_flag)
        copy->is_stopped = true;
}

static void copy_last_axis(struct copy *copy, char *to, const char *from)
{
    int64_t last = copy->ndim - 1, n = copy->shape[last];
    int64_t to_stride = copy->to_strides[last], from_stride = copy->from_strides[last];
    for (int64_t at = 0; at < n && !copy->is_stopped; at += PIECE) {
        int64_t len = n - at < PIECE ? n - at : PIECE;
        support_copy_line(to + at * to_stride, from + at * from_stride, len, to_stride,
                from_stride, copy->item_bytes);
        note_copied(copy, len);
    }
}

// Whether the items of the last axis but one lie side by side in the source, as those of
// the last do in the target.
static bool is_transposition(const struct copy *copy)
{
    int64_t last = copy->ndim - 1;
    return last > 0 && copy->to_strides[last] == copy->item_bytes &&
           copy->from_strides[last - 1] == copy->item_bytes;
}

// Squares of items whose rows fill 16 bytes: a read and a write for each row.
typedef int64_t long_pair __attribute__((vector_size(16), aligned(1), may_alias));
typedef int32_t int_four __attribute__((vector_size(16), aligned(1), may_alias));

static void transpose_longs(
        char *to, const char *from, int64_t to_row, int64_t from_column)
{
    long_pair a = *(const long_pair *)from, b = *(const long_pair *)(from + from_column);
    *(long_pair *)to = __builtin_shufflevector(a, b, 0, 2);
    *(long_pair *)(to + to_row) = __builtin_shufflevector(a, b, 1, 3);
}

static void transpose_ints(
        char *to, const char *from, int64_t to_row, int64_t from_column)
{
    int_four a = *(const int_four *)from, b = *(const int_four *)(from + from_column),
             c = *(const int_four *)(from + 2 * from_column),
             d = *(const int_four *)(from + 3 * from_column);
    int_four first = __builtin_shufflevector(a, b, 0, 4, 1, 5),
             second = __builtin_shufflevector(c, d, 0, 4, 1, 5),
             third = __builtin_shufflevector(a, b, 2, 6, 3, 7),
             fourth = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    *(int_four *)to = __builtin_shufflevector(first, second, 0, 1, 4, 5);
    *(int_four *)(to + to_row) = __builtin_shufflevector(first, second, 2, 3, 6, 7);
    *(int_four *)(to + 2 * to_row) = __builtin_shufflevector(third, fourth, 0, 1, 4, 5);
    *(int_four *)(to + 3 * to_row) = __builtin_shufflevector(third, fourth, 2, 3, 6, 7);
}

// So many rows of the target, as many as items of 16 bytes.
static void copy_rows(char *to, const char *from, int64_t len, int64_t to_row,
        int64_t from_column, int64_t item_bytes)
{
    int64_t side = 16 / item_bytes, j = 0;
    if (item_bytes == 8)
        for (; j + 2 <= len; j += 2)
            transpose_longs(to + j * 8, from + j * from_column, to_row, from_column);
    else
        for (; j + 4 <= len; j += 4)
            transpose_ints(to + j * 4, from + j * from_column, to_row, from_column);
    for (int64_t k = 0; j < len && k < side; k++)
        support_copy_line(to + k * to_row + j * item_bytes,
                from + k * item_bytes + j * from_column, len - j, item_bytes, from_column,
                item_bytes);
}

// By squares, so that every line of the cache is read and written once.
static void copy_transposed(struct copy *copy, char *to, const char *from)
{
    int64_t rows = copy->shape[copy->ndim - 2], columns = copy->shape[copy->ndim - 1];
    int64_t to_row = copy->to_strides[copy->ndim - 2], item = copy->item_bytes;
    int64_t from_column = copy->from_strides[copy->ndim - 1];
    int64_t together = item == 8 || item == 4 ? 16 / item : 1;
    for (int64_t i0 = 0; i0 < rows; i0 += SQUARE)
        for (int64_t j0 = 0; j0 < columns && !copy->is_stopped; j0 += SQUARE) {
            int64_t len = columns - j0 < SQUARE ? columns - j0 : SQUARE;
            int64_t end = rows < i0 + SQUARE ? rows : i0 + SQUARE, i = i0;
            char *place = to + j0 * item;
            const char *items = from + j0 * from_column;
            for (; together > 1 && i + together <= end; i += together)
                copy_rows(place + i * to_row, items + i * item, len, to_row, from_column,
                        item);
            for (; i < end; i++)
                support_copy_line(place + i * to_row, items + i * item, len, item,
                        from_column, item);
            note_copied(copy, SQUARE * SQUARE);
        }
}

// Whether the last axis is so short that it is copied column by column.
static bool has_short_rows(const struct copy *copy)
{
    int64_t last = copy->ndim - 1;
    return copy->shape[last] <= SHORT_ROW && copy->shape[last] < copy->shape[last - 1];
}

static void copy_columns(struct copy *copy, char *to, const char *from)
{
    int64_t last = copy->ndim - 1, rows = copy->shape[last - 1];
    int64_t to_row = copy->to_strides[last - 1], from_row = copy->from_strides[last - 1];
    for (int64_t at = 0; at < rows && !copy->is_stopped; at += ROWS) {
        int64_t len = rows - at < ROWS ? rows - at : ROWS;
        for (int64_t j = 0; j < copy->shape[last]; j++)
            support_copy_line(to + at * to_row + j * copy->to_strides[last],
                    from + at * from_row + j * copy->from_strides[last], len, to_row,
                    from_row, copy->item_bytes);
        note_copied(copy, len * copy->shape[last]);
    }
}

static void copy_axes(struct copy *copy, int64_t axis, char *to, const char *from)
{
    if (copy->ndim == 0) {
        memcpy(to, from, (size_t)copy->item_bytes);
    } else if (axis == copy->ndim - 1) {
        copy_last_axis(copy, to, from);
    } else if (axis == copy->ndim - 2 && is_transposition(copy)) {
        copy_transposed(copy, to, from);
    } else if (axis == copy->ndim - 2 && has_short_rows(copy)) {
        copy_columns(copy, to, from);
    } else {
        for (int64_t i = 0; i < copy->shape[axis] && !copy->is_stopped; i++)
            copy_axes(copy, axis + 1, to + i * copy->to_strides[axis],
                    from + i * copy->from_strides[axis]);
    }
}

static void bounds(const struct copy *copy, const char *start, const int64_t *strides,
        const char **low, const char **high)
{
    *low = start;
    *high = start + copy->item_bytes;
    for (int64_t i = 0; i < copy->ndim; i++) {
        int64_t reach = (copy->shape[i] - 1) * strides[i];
        *(reach < 0 ? low : high) += reach;
    }
}

static bool overlaps(const struct copy *copy)
{
    const char *low[2], *high[2];
    bounds(copy, copy->to, copy->to_strides, &low[0], &high[0]);
    bounds(copy, copy->from, copy->from_strides, &low[1], &high[1]);
    return low[0] < high[1] && low[1] < high[0];
}

// Through a dense buffer; false when there is no memory for it.
static bool copy_buffered(struct copy *copy)
{
    int64_t dense[MAX_AXES], size = copy->item_bytes;
    for (int64_t i = copy->ndim; i-- > 0;) {
        dense[i] = size;
        size *= copy->shape[i];
    }
    char *buffer = refusal_malloc((size_t)size);
    if (!buffer)
        return false;
    struct copy half = *copy;
    half.to = buffer;
    memcpy(half.to_strides, dense, (size_t)copy->ndim * sizeof *dense);
    copy_axes(&half, 0, buffer, copy->from);
    copy->is_stopped = half.is_stopped;
    if (!copy->is_stopped) {
        half = *copy;
        memcpy(half.from_strides, dense, (size_t)copy->ndim * sizeof *dense);
        copy_axes(&half, 0, copy->to, buffer);
        copy->is_stopped = half.is_stopped;
    }
    free(buffer);
    return true;
}

// Copies items of one size over a shape; the sides may overlap. 0, STATUS_MEMORY, or
// STATUS_INTERRUPTED when part has been copied.
int32_t gridcell_array_copy(char *to, const int64_t *to_strides, const char *from,
        const int64_t *from_strides, const int64_t *shape, int64_t ndim,
        int64_t item_bytes)
{
    struct copy copy = {.to = to, .from = from, .item_bytes = item_bytes};
    for (int64_t i = 0; i < ndim; i++)
        if (shape[i] == 0)
            return STATUS_OK;
    memcpy(copy.shape, shape, (size_t)ndim * sizeof *shape);
    memcpy(copy.to_strides, to_strides, (size_t)ndim * sizeof *shape);
    memcpy(copy.from_strides, from_strides, (size_t)ndim * sizeof *shape);
    copy.ndim = ndim;
    order_axes(&copy);
    join_axes(&copy);
    if (!overlaps(&copy))
        copy_axes(&copy, 0, to, from);
    else if (!copy_buffered(&copy))
        return STATUS_MEMORY;
    return copy.is_stopped ? STATUS_INTERRUPTED : STATUS_OK;
}

// The first `done` of so many bytes are there; the others repeat them. 0, or
// STATUS_INTERRUPTED when part has been written.
int32_t gridcell_array_repeat(char *items, int64_t done, int64_t bytes)
{
    for (int64_t at = done, since = 0; at < bytes; at += done, since += done) {
        if (since >= REPEATED && compiler_interrupt_flag)
            return STATUS_INTERRUPTED;
        since = since >= REPEATED ? 0 : since;
        memcpy(items + at, items, (size_t)(done < bytes - at ? done : bytes - at));
    }
    return STATUS_OK;
}

// Whether the items lie side by side in C order.
int64_t gridcell_array_is_dense(
        const int64_t *shape, const int64_t *strides, int64_t ndim, int64_t item_bytes)
{
    int64_t expected = item_bytes;
    bool is_dense = true;
    for (int64_t i = ndim; i-- > 0;) {
        if (shape[i] == 0)
            return true;
        is_dense = is_dense && (shape[i] == 1 || strides[i] == expected);
        expected *= shape[i];
    }
    return is_dense;
}

// Writes the axes that are not named, in order, then the named ones. 0; 1: an axis is out
// of bounds, which is written behind them; 2: one is named twice. `order` has room for
// ndim + 1.
int64_t gridcell_axes_order(
        int64_t *order, int64_t ndim, const int64_t *axes, int64_t count)
{
    bool is_named[MAX_AXES] = {false};
    int64_t at = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t axis = axes[i] < 0 ? axes[i] + ndim : axes[i];
        if (axis < 0 || axis >= ndim) {
            order[ndim] = axes[i];
            return 1;
        }
        if (is_named[axis])
            return 2;
        is_named[axis] = true;
        order[ndim - count + i] = axis;
    }
    for (int64_t i = 0; i < ndim; i++)
        if (!is_named[i])
            order[at++] = i;
    return 0;
}

// Copies blocks between places of an array, each `offsets` bytes from `base`, and the
// blocks of `rows`, whose outer axes are those of the offsets (in C order).
struct blocks {
    char *base, *rows;
    const int64_t *offsets, *outer, *inner, *row_strides, *inner_strides;
    int64_t outer_ndim, inner_ndim, item_bytes;
    bool is_write; // from the rows to the places
};

static void copy_block(const struct blocks *blocks, int64_t axis, char *place, char *row)
{
    if (blocks->inner_ndim == 0) {
        support_copy_line(blocks->is_write ? place : row, blocks->is_write ? row : place,
                1, 0, 0, blocks->item_bytes);
        return;
    }
    int64_t len = blocks->inner[axis], place_stride = blocks->inner_strides[axis];
    int64_t row_stride = blocks->row_strides[blocks->outer_ndim + axis];
    if (axis == blocks->inner_ndim - 1) {
        if (blocks->is_write)
            support_copy_line(
                    place, row, len, place_stride, row_stride, blocks->item_bytes);
        else
            support_copy_line(
                    row, place, len, row_stride, place_stride, blocks->item_bytes);
        return;
    }
    for (int64_t i = 0; i < len; i++)
        copy_block(blocks, axis + 1, place + i * place_stride, row + i * row_stride);
}

static const int64_t *copy_blocks(
        const struct blocks *blocks, int64_t axis, char *row, const int64_t *offsets)
{
    if (axis == blocks->outer_ndim) {
        copy_block(blocks, 0, blocks->base + *offsets, row);
        return offsets + 1;
    }
    for (int64_t i = 0; i < blocks->outer[axis]; i++)
        offsets = copy_blocks(
                blocks, axis + 1, row + i * blocks->row_strides[axis], offsets);
    return offsets;
}

// How many bytes lie side by side at each place and in each row; 0: not all of a block's.
static int64_t dense_block(const struct blocks *blocks)
{
    int64_t bytes = blocks->item_bytes;
    for (int64_t i = blocks->inner_ndim; i-- > 0;) {
        if (blocks->inner[i] != 1 &&
                (blocks->inner_strides[i] != bytes ||
                        blocks->row_strides[blocks->outer_ndim + i] != bytes))
            return 0;
        bytes *= blocks->inner[i];
    }
    return bytes;
}

static void copy_dense_blocks(const struct blocks *blocks, int64_t bytes)
{
    int64_t step = blocks->row_strides[0];
    bool are_words = bytes % 8 == 0 && bytes <= 64;
    for (int64_t i = 0; i < blocks->outer[0]; i++) {
        char *place = blocks->base + blocks->offsets[i], *row = blocks->rows + i * step;
        char *to = blocks->is_write ? place : row;
        const char *from = blocks->is_write ? row : place;
        if (are_words)
            for (int64_t at = 0; at < bytes; at += 8)
                memcpy(to + at, from + at, 8);
        else
            memcpy(to, from, (size_t)bytes);
    }
}

void gridcell_copy_blocks(char *base, char *rows, const int64_t *offsets,
        const int64_t *outer, int64_t outer_ndim, const int64_t *inner,
        const int64_t *inner_strides, int64_t inner_ndim, const int64_t *row_strides,
        int64_t item_bytes, int64_t is_write)
{
    struct blocks blocks = {base, rows, offsets, outer, inner, row_strides, inner_strides,
            outer_ndim, inner_ndim, item_bytes, is_write != 0};
    int64_t dense = outer_ndim == 1 ? dense_block(&blocks) : 0;
    if (dense)
        copy_dense_blocks(&blocks, dense);
    else
        copy_blocks(&blocks, 0, rows, offsets);
}

#define TAKE_BLOCKS(type)                                                                \
    for (int64_t i = 0; i < count; i++)                                                  \
    memcpy(to + i * (int64_t)sizeof(type), from + numbers[i] * (int64_t)sizeof(type),    \
            sizeof(type))

static void take_blocks(char *to, const char *from, const int64_t *numbers, int64_t count,
        int64_t block_bytes)
{
    if (block_bytes == 8)
        TAKE_BLOCKS(int64_t);
    else if (block_bytes == 4)
        TAKE_BLOCKS(int32_t);
    else if (block_bytes == 1)
        TAKE_BLOCKS(char);
    else if (block_bytes == 16)
        TAKE_BLOCKS(char[16]);
    else
        for (int64_t i = 0; i < count; i++)
            memcpy(to + i * block_bytes, from + numbers[i] * block_bytes,
                    (size_t)block_bytes);
}

// Of each of `outer` rows of `len` blocks those with these numbers, which are in bounds.
void gridcell_take_blocks(char *to, const char *from, const int64_t *numbers,
        int64_t count, int64_t outer, int64_t len, int64_t block_bytes)
{
    for (int64_t i = 0; i < outer; i++)
        take_blocks(to + i * count * block_bytes, from + i * len * block_bytes, numbers,
                count, block_bytes);
}

// Each block so many times.
void gridcell_repeat_blocks(
        char *to, const char *from, int64_t count, int64_t times, int64_t block_bytes)
{
    for (int64_t i = 0; i < count; i++, from += block_bytes, to += times * block_bytes)
        support_copy_line(to, from, times, block_bytes, 0, block_bytes);
}

// The index along each axis, of items that are numbered in C order. Numbers that follow
// one another are mostly of the same row.
void gridcell_unravel(const int64_t *numbers, int64_t n, const int64_t *shape,
        int64_t ndim, int64_t *out, int64_t axis_step, int64_t item_step)
{
    int64_t row = 0, len = 0, last = ndim - 1; // the row's first item, and how many
    for (int64_t i = 0; i < n; i++, out += item_step) {
        int64_t rest = numbers[i];
        if (rest >= row && rest - row < len && ndim) {
            for (int64_t axis = 0; axis < last; axis++)
                out[axis * axis_step] = out[axis * axis_step - item_step];
            out[last * axis_step] = rest - row;
            continue;
        }
        for (int64_t axis = ndim; axis-- > 0;) {
            out[axis * axis_step] = axis ? rest % shape[axis] : rest;
            rest /= shape[axis] ? shape[axis] : 1;
        }
        len = ndim > 1 ? shape[last] : 0;
        row = len ? numbers[i] - out[last * axis_step] : 0;
    }
}
