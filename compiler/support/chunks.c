// SPDX-License-Identifier: MIT
// Arrays of any strides gone over together, for compiled code, in chunks whose items lie
// side by side: the code has one loop, over rows without gaps. Of an array that has such
// rows the chunk is a part of it. Of one that is stretched it is a block, which is filled
// with the items.
#include "compiler/support/support.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum {
    MAX_AXES = 64,
    MAX_ARRAYS = 7,
    ITEM_BYTES = 16,    // of the largest number
    BLOCK_BYTES = 8192, // that all blocks stay in the first cache
    WORDS_BYTES = 32,   // are written at a time, also behind the last item
    LEAST_CHOSEN =
            4,  // bytes of an item: smaller ones are read from a block faster than chosen
    SHORT = 64, // rows of fewer items are taken several at a time, whatever is copied for
                // it
    ROWS = 256, // or at most this many, if only what is stretched is copied
};

// What a chunk is to the library.
enum { OF_ARRAY, OF_BLOCK, OF_ITEM };

enum { IS_WRITTEN = 1, CAN_BE_ITEM = 2 };

struct operand {
    char *first, *place; // of the array, of the chunk
    const char *copied;  // what the block has a copy of, or NULL
    int64_t item_bytes, copied_rows, flags;
    int64_t strides[MAX_AXES];
};

// What the library reads by numbers comes first (library/chunks.py): these are rows of
// int64 in its order.
struct chunks {
    int64_t offsets[MAX_ARRAYS]; // where the chunk is, in bytes
    int64_t kinds[MAX_ARRAYS];   // and of what: a block is in this struct
    int64_t items[MAX_ARRAYS]; // where the one item of a chunk is, in bytes of the array
    int64_t ndim, count;
    int64_t shape[MAX_AXES], index[MAX_AXES];
    int64_t unit;        // the axis of which a chunk is a part; those behind it are whole
    int64_t width;       // how many items one step along that axis takes
    int64_t limit, rows; // how much of that axis at most, and now
    int64_t is_begun;
    struct operand operands[MAX_ARRAYS];
    char blocks[MAX_ARRAYS][BLOCK_BYTES + WORDS_BYTES]; // as many as there are arrays
};

_Static_assert(ROWS *ITEM_BYTES * 2 <= BLOCK_BYTES, "a block has room for a row");
_Static_assert(offsetof(struct chunks, blocks) <= 8 * 800,
        "library/chunks.py keeps 800 numbers and the blocks");

void gridcell_chunks_open(struct chunks *chunks, const int64_t *shape, int64_t ndim)
{
    assert(ndim > 0 && ndim <= MAX_AXES);
    chunks->ndim = ndim;
    chunks->count = chunks->is_begun = 0;
    memcpy(chunks->shape, shape, (size_t)ndim * sizeof *shape);
}

// Adds an array, which stretches to the shape of all. One that is written is no block.
void gridcell_chunks_add(struct chunks *chunks, char *items, const int64_t *shape,
        const int64_t *strides, int64_t ndim, int64_t item_bytes, int64_t flags)
{
    assert(chunks->count < MAX_ARRAYS && ndim <= chunks->ndim &&
            item_bytes <= ITEM_BYTES);
    struct operand *operand = &chunks->operands[chunks->count++];
    operand->first = operand->place = items;
    operand->copied = NULL;
    operand->item_bytes = item_bytes;
    operand->flags = flags;
    int64_t missing = chunks->ndim - ndim;
    for (int64_t i = 0; i < chunks->ndim; i++)
        operand->strides[i] =
                i < missing || shape[i - missing] == 1 ? 0 : strides[i - missing];
}

// --- Blocks

typedef uint64_t words __attribute__((vector_size(WORDS_BYTES), aligned(1), may_alias));

#define READ(bytes)                                                                      \
    case bytes:                                                                          \
        memcpy(low, item, bytes);                                                        \
        break

// The 16 bytes that an item makes when it is repeated; its size is a power of two.
static void repeat_item(
        const char *item, int64_t item_bytes, uint64_t *low, uint64_t *high)
{
    static const uint64_t copies[] = {
            0, 0x0101010101010101, 0x0001000100010001, 0, 0x0000000100000001};
    *low = *high = 0;
    if (item_bytes == ITEM_BYTES)
        memcpy(high, item + 8, 8);
    switch (item_bytes) {
        READ(1);
        READ(2);
        READ(4);
    default:
        memcpy(low, item, 8);
    }
    if (item_bytes == ITEM_BYTES)
        return;
    if (item_bytes < 8)
        *low *= copies[item_bytes];
    *high = *low;
}

// Fills `rows` rows of `row_bytes`, all items of a row the same. Goes on beyond the end
// of each row, where the next one or nothing is.
static void fill_columns(char *block, const char *from, int64_t rows, int64_t row_stride,
        int64_t row_bytes, int64_t item_bytes)
{
    for (int64_t i = 0; i < rows; i++, from += row_stride, block += row_bytes) {
        uint64_t a, b;
        repeat_item(from, item_bytes, &a, &b);
        words items = {a, b, a, b};
        for (int64_t done = 0; done < row_bytes; done += WORDS_BYTES)
            *(words *)(block + done) = items;
    }
}

// The first `done` bytes are there; they are repeated up to `bytes`.
static void repeat_bytes(char *block, size_t done, size_t bytes)
{
    for (size_t n; done < bytes; done += n) {
        n = done < bytes - done ? done : bytes - done;
        memcpy(block + done, block, n);
    }
}

// Fills `rows` rows of `width` items.
static void fill_block(char *block, const char *from, int64_t rows, int64_t row_stride,
        int64_t width, int64_t stride, int64_t item_bytes)
{
    size_t row_bytes = (size_t)(width * item_bytes);
    if (!stride) {
        fill_columns(block, from, rows, row_stride, width * item_bytes, item_bytes);
    } else if (!row_stride) {
        memcpy(block, from, row_bytes);
        repeat_bytes(block, row_bytes, (size_t)rows * row_bytes);
    } else {
        for (int64_t i = 0; i < rows; i++, block += row_bytes, from += row_stride)
            memcpy(block, from, row_bytes);
    }
}

static void update_block(struct chunks *chunks, int64_t i)
{
    struct operand *operand = &chunks->operands[i];
    int64_t last = chunks->ndim - 1;
    bool is_part = chunks->unit == last;
    fill_block(chunks->blocks[i], operand->place, is_part ? 1 : chunks->rows,
            operand->strides[chunks->unit], is_part ? chunks->rows : chunks->width,
            operand->strides[last], operand->item_bytes);
    operand->copied = operand->place;
    operand->copied_rows = chunks->rows;
}

// --- Axes

static bool can_join(const struct chunks *chunks, int64_t axis)
{
    for (int64_t i = 0; i < chunks->count; i++) {
        const int64_t *strides = chunks->operands[i].strides;
        if (strides[axis - 1] != strides[axis] * chunks->shape[axis])
            return false;
    }
    return true;
}

static void drop_axis(struct chunks *chunks, int64_t axis)
{
    for (int64_t k = axis; k + 1 < chunks->ndim; k++) {
        chunks->shape[k] = chunks->shape[k + 1];
        for (int64_t i = 0; i < chunks->count; i++)
            chunks->operands[i].strides[k] = chunks->operands[i].strides[k + 1];
    }
    chunks->ndim--;
}

// Leaves as few axes as do, and at least one.
static void simplify(struct chunks *chunks)
{
    for (int64_t axis = chunks->ndim - 1; axis >= 0 && chunks->ndim > 1; axis--)
        if (chunks->shape[axis] == 1)
            drop_axis(chunks, axis);
    for (int64_t axis = chunks->ndim - 1; axis > 0; axis--)
        if (can_join(chunks, axis)) {
            chunks->shape[axis] *= chunks->shape[axis - 1];
            drop_axis(chunks, axis - 1);
        }
}

static int64_t kind_of(const struct chunks *chunks, const struct operand *operand)
{
    int64_t last = chunks->ndim - 1, stride = operand->strides[last];
    bool is_part = chunks->unit == last;
    bool can_be_item = (operand->flags & (CAN_BE_ITEM | IS_WRITTEN)) == CAN_BE_ITEM;
    if (is_part && !stride && can_be_item && operand->item_bytes >= LEAST_CHOSEN)
        return OF_ITEM;
    bool is_dense = stride == operand->item_bytes &&
                    (is_part || operand->strides[chunks->unit] == chunks->width * stride);
    return is_dense ? OF_ARRAY : OF_BLOCK;
}

// Whether the rows of an operand, of `width` items, lie behind each other.
static bool is_whole(const struct operand *operand, int64_t last, int64_t width)
{
    return operand->strides[last - 1] == width * operand->strides[last];
}

static bool can_take_rows(const struct chunks *chunks)
{
    int64_t last = chunks->ndim - 1, width = chunks->shape[last];
    bool can = last && width <= ROWS;
    for (int64_t i = 0; i < chunks->count && can; i++) {
        const struct operand *operand = &chunks->operands[i];
        bool is_written = operand->flags & IS_WRITTEN;
        can = is_whole(operand, last, width) ||
              (!is_written && (width < SHORT || !operand->strides[last - 1]));
    }
    return can;
}

// How many items a block holds of each operand: fewer where there are several.
static int64_t block_items(const struct chunks *chunks)
{
    int64_t count = 0, item_bytes = 1;
    for (int64_t i = 0; i < chunks->count; i++)
        if (chunks->kinds[i] != OF_ARRAY) {
            count += chunks->kinds[i] == OF_BLOCK;
            if (item_bytes < chunks->operands[i].item_bytes)
                item_bytes = chunks->operands[i].item_bytes;
        }
    return BLOCK_BYTES / item_bytes / (count > 1 ? 2 : 1);
}

static void choose_unit(struct chunks *chunks)
{
    int64_t last = chunks->ndim - 1;
    bool is_many = can_take_rows(chunks), has_block = false;
    chunks->unit = last - is_many;
    chunks->width = is_many ? chunks->shape[last] : 1;
    chunks->limit = chunks->shape[chunks->unit];
    for (int64_t i = 0; i < chunks->count; i++) {
        chunks->kinds[i] = kind_of(chunks, &chunks->operands[i]);
        chunks->offsets[i] = chunks->blocks[i] - (char *)chunks;
        has_block |= chunks->kinds[i] != OF_ARRAY;
    }
    if (has_block)
        chunks->limit = block_items(chunks) / chunks->width;
}

// 0 where there are no items, -1 where an array has gaps within its rows: nothing is to
// be gained then.
int64_t gridcell_chunks_begin(struct chunks *chunks)
{
    int64_t size = 1;
    for (int64_t i = 0; i < chunks->ndim; i++)
        size *= chunks->shape[i];
    if (!size)
        return 0;
    simplify(chunks);
    for (int64_t i = 0; i < chunks->count; i++) {
        const struct operand *operand = &chunks->operands[i];
        int64_t stride = operand->strides[chunks->ndim - 1];
        if (stride != operand->item_bytes && (stride || (operand->flags & IS_WRITTEN)))
            return -1;
    }
    choose_unit(chunks);
    memset(chunks->index, 0, (size_t)chunks->ndim * sizeof *chunks->index);
    return 1;
}

// --- What comes next

static void step(struct chunks *chunks, int64_t axis, int64_t count)
{
    for (int64_t i = 0; i < chunks->count; i++)
        chunks->operands[i].place += count * chunks->operands[i].strides[axis];
}

static bool advance(struct chunks *chunks)
{
    int64_t count = chunks->rows;
    for (int64_t axis = chunks->unit; axis >= 0; axis--, count = 1) {
        chunks->index[axis] += count;
        if (chunks->index[axis] < chunks->shape[axis]) {
            step(chunks, axis, count);
            return true;
        }
        if (count != chunks->shape[axis])
            step(chunks, axis, count - chunks->shape[axis]);
        chunks->index[axis] = 0;
    }
    return false;
}

// Goes on to the next chunk, and tells how many items it has: 0 behind the last.
int64_t gridcell_chunks_next(struct chunks *chunks)
{
    if (chunks->is_begun && !advance(chunks))
        return 0;
    chunks->is_begun = 1;
    int64_t left = chunks->shape[chunks->unit] - chunks->index[chunks->unit];
    chunks->rows = left < chunks->limit ? left : chunks->limit;
    for (int64_t i = 0; i < chunks->count; i++) {
        const struct operand *operand = &chunks->operands[i];
        if (chunks->kinds[i] == OF_ARRAY)
            chunks->offsets[i] = operand->place - operand->first;
        else if (chunks->kinds[i] == OF_ITEM)
            chunks->items[i] = operand->place - operand->first;
        else if (operand->copied != operand->place || operand->copied_rows < chunks->rows)
            update_block(chunks, i);
    }
    return chunks->rows * chunks->width;
}
