// SPDX-License-Identifier: MIT
// Rows of items, for compiled code and for the runtime: how they are made, grow, and end.
// Items may hold pointers to counted memory; what a row does not hold yet is zero.
#include "compiler/support/refusal.h"
#include "compiler/support/support.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/support/host_hooks.h"
#include "compiler/support/interrupt.h"

enum {
    PIECE_BYTES = 1 << 22, // between which an interrupt is seen
    MOST_NESTED = 64,      // rows that end one within the other
    MOST_INSIDE = 256,     // bytes of items that lie in their row's own block
    USUAL_INSIDE = 64,     // for rows that begin without items
    ITEM_ALIGNMENT = 16,   // as of any block
};

static char *item_at(const struct abi_row *row, int64_t index)
{
    return (char *)row->memory.data + index * row->item_bytes;
}

static void release_items(struct abi_row *row, int64_t first, int64_t count)
{
    for (int64_t i = first; row->place_count && i < first + count; i++)
        for (int64_t k = 0; k < row->place_count; k++) {
            struct abi_memory *memory;
            memcpy(&memory, item_at(row, i) + row->places[k], sizeof memory);
            gridcell_memory_release(memory);
        }
}

static size_t head_bytes(int64_t place_count)
{
    size_t size = sizeof(struct abi_row) + (size_t)place_count * sizeof(int64_t) +
                  ITEM_ALIGNMENT - 1;
    return size - size % ITEM_ALIGNMENT;
}

// Few items lie in the row's own block: one to make and to free. When they become more,
// they move into one of their own, and the room for them stays.
static bool lies_inside(const struct abi_row *row)
{
    return row->inside_bytes &&
           row->memory.data == (const char *)row + head_bytes(row->place_count);
}

// --- The block of a set or dict

// Its fields, and the rows that these begin with: one block to make and to free. Where
// each of the three rows is in it, and how many of them have not ended: the last one
// takes the block along, as an iterator may hold the entries for longer than the fields
// live.
enum {
    BEGIN_PLACES = 16,  // that a table begins with
    BEGIN_ENTRIES = 10, // that make it two thirds full
    AT_FIELDS = ABI_TABLE_FIELDS,
    AT_LIVING = AT_FIELDS + 2 * sizeof(void *) + sizeof(int64_t),
    AT_TABLE = AT_LIVING + sizeof(int64_t),
    AT_ENTRIES = AT_TABLE + sizeof(struct abi_row) + BEGIN_PLACES * sizeof(int32_t),
};
_Static_assert(AT_FIELDS % ITEM_ALIGNMENT == 0 && AT_TABLE % ITEM_ALIGNMENT == 0 &&
                       AT_ENTRIES % ITEM_ALIGNMENT == 0,
        "items lie where a row looks for them");

static void fields_free(struct abi_memory *memory);
static void table_free(struct abi_memory *memory);
static void entries_free(struct abi_memory *memory);

static char *block_of(struct abi_row *row)
{
    void (*release)(struct abi_memory *) = row->memory.release;
    return release == fields_free    ? (char *)row
           : release == table_free   ? (char *)row - AT_TABLE
           : release == entries_free ? (char *)row - AT_ENTRIES
                                     : NULL;
}

static void block_free(void *block)
{
    support_count(SUPPORT_RELEASED);
    support_count(SUPPORT_FREED);
    free(block);
}

static void give_back(struct abi_row *row)
{
    char *block = block_of(row);
    if (!block) {
        block_free(row);
        return;
    }
    int64_t *living = (int64_t *)(block + AT_LIVING);
    if (__atomic_load_n(living, __ATOMIC_ACQUIRE) == 1 ||
            __atomic_sub_fetch(living, 1, __ATOMIC_ACQ_REL) == 0)
        block_free(block);
}

static void row_end(struct abi_row *row)
{
    release_items(row, 0, row->len);
    if (!lies_inside(row))
        support_block_destroy(row->memory.data, (size_t)row->memory.size_bytes);
    give_back(row);
}

// Rows whose items are the last to hold other rows end one within the other; a linked
// list would fill the stack. From some depth on a row waits for the outermost to end it.
static void row_free(struct abi_memory *memory)
{
    static _Thread_local int depth;
    static _Thread_local struct abi_row *waiting; // the next one is its `parent`
    struct abi_row *row = (struct abi_row *)memory;
    if (!row->place_count) {
        row_end(row);
        return;
    }
    if (depth == MOST_NESTED) {
        row->parent = waiting;
        waiting = row;
        return;
    }
    depth++;
    row_end(row);
    for (struct abi_row *next = waiting; next && depth == 1; next = waiting) {
        waiting = next->parent;
        row_end(next);
    }
    depth--;
}

static void table_free(struct abi_memory *memory)
{
    row_free(memory);
}

static void entries_free(struct abi_memory *memory)
{
    row_free(memory);
}

static bool is_only_in(const struct abi_row *row, const char *at)
{
    return (const char *)row == at && !row->place_count &&
           __atomic_load_n(&row->memory.count, __ATOMIC_ACQUIRE) == 1;
}

// What most sets and dicts are when they end, the owner of all that is in their block,
// takes no counting.
static void fields_free(struct abi_memory *memory)
{
    char *block = (char *)memory;
    struct abi_row *rows[2]; // the entries, the table
    memcpy(rows, block + AT_FIELDS, sizeof rows);
    if (!is_only_in(rows[0], block + AT_ENTRIES) ||
            !is_only_in(rows[1], block + AT_TABLE)) {
        row_free(memory);
        return;
    }
    for (int i = 0; i < 2; i++)
        if (!lies_inside(rows[i]))
            support_block_destroy(
                    rows[i]->memory.data, (size_t)rows[i]->memory.size_bytes);
    block_free(block);
}

// A larger block for the items of a row, or a first one; *size may become more.
static void *larger(struct abi_row *row, size_t *size)
{
    if (!lies_inside(row)) {
        void *data = support_block_grow(
                row->memory.data, (size_t)row->memory.size_bytes, size);
        if (data && !row->memory.data)
            support_count(SUPPORT_ALLOCATED);
        return data;
    }
    void *data = support_block_create(*size);
    if (data)
        memcpy(data, row->memory.data, (size_t)(row->len * row->item_bytes));
    return data;
}

static bool set_capacity(struct abi_row *row, int64_t capacity)
{
    int64_t bytes;
    assert(capacity > 0);
    if (__builtin_mul_overflow(capacity, row->item_bytes, &bytes)) {
        refusal_note(0); // of no size, and no longer that of an earlier one
        return false;
    }
    size_t size = bytes ? (size_t)bytes : 1;
    void *data = larger(row, &size);
    if (!data)
        return false;
    row->memory.data = data;
    row->memory.size_bytes = (int64_t)size;
    row->capacity = row->item_bytes ? (int64_t)size / row->item_bytes : capacity;
    return true;
}

// How many bytes of items are to lie in the row's own block.
static int64_t room_inside(int64_t capacity, int64_t item_bytes)
{
    int64_t bytes;
    if (item_bytes <= 0)
        return 0;
    if (capacity <= 0)
        return USUAL_INSIDE / item_bytes * item_bytes;
    bool is_much = __builtin_mul_overflow(capacity, item_bytes, &bytes);
    return is_much || bytes > MOST_INSIDE ? 0 : bytes;
}

static void begin(struct abi_row *row, void (*release)(struct abi_memory *memory),
        int64_t item_bytes, int64_t place_count, int64_t inside_bytes)
{
    *row = (struct abi_row){.memory = {.count = 1, .release = release},
            .item_bytes = item_bytes,
            .inside_bytes = inside_bytes,
            .place_count = place_count};
    if (inside_bytes) {
        row->memory.data = (char *)row + head_bytes(place_count);
        row->memory.size_bytes = inside_bytes;
        row->capacity = inside_bytes / item_bytes;
    }
}

struct abi_row *gridcell_row_create(
        int64_t capacity, int64_t item_bytes, int64_t place_count, const int64_t *places)
{
    size_t head = head_bytes(place_count);
    int64_t inside = room_inside(capacity, item_bytes);
    // calloc would take nothing of what the thread freed last
    struct abi_row *row = malloc(head + (size_t)inside);
    if (!row)
        return NULL;
    begin(row, row_free, item_bytes, place_count, inside);
    if (place_count)
        memcpy(row->places, places, (size_t)place_count * sizeof *places);
    if (!inside && capacity > 0 && !set_capacity(row, capacity)) {
        free(row);
        return NULL;
    }
    support_count(SUPPORT_MADE);
    support_count(SUPPORT_ALLOCATED);
    return row;
}

struct abi_row *gridcell_table_create(
        int64_t entry_bytes, int64_t place_count, const int64_t *places)
{
    static const int64_t rows_among_fields[2] = {0, sizeof(void *)};
    int64_t inside = room_inside(BEGIN_ENTRIES, entry_bytes);
    char *block = malloc(AT_ENTRIES + head_bytes(place_count) + (size_t)inside);
    if (!block)
        return NULL;
    struct abi_row *fields = (void *)block, *table = (void *)(block + AT_TABLE),
                   *entries = (void *)(block + AT_ENTRIES);
    begin(fields, fields_free, AT_LIVING - AT_FIELDS, 2, AT_LIVING - AT_FIELDS);
    memcpy(fields->places, rows_among_fields, sizeof rows_among_fields);
    memcpy(block + AT_FIELDS, (struct abi_row *[2]){entries, table}, 2 * sizeof entries);
    memcpy(block + AT_LIVING - sizeof(int64_t), (int64_t[2]){0, 3}, 2 * sizeof(int64_t));
    fields->len = 1;
    begin(table, table_free, sizeof(int32_t), 0, BEGIN_PLACES * sizeof(int32_t));
    memset(table->memory.data, 0, BEGIN_PLACES * sizeof(int32_t));
    table->len = BEGIN_PLACES;
    begin(entries, entries_free, entry_bytes, place_count, inside);
    if (place_count)
        memcpy(entries->places, places, (size_t)place_count * sizeof *places);
    support_count(SUPPORT_MADE);
    support_count(SUPPORT_ALLOCATED);
    return fields;
}

// Zeroes bytes; where that may stop, false as soon as an interrupt came.
static bool clear(char *start, int64_t size, bool may_stop)
{
    for (int64_t at = 0; at < size; at += PIECE_BYTES) {
        if (at && may_stop && compiler_interrupt_flag)
            return false;
        memset(start + at, 0,
                (size_t)(size - at < PIECE_BYTES ? size - at : PIECE_BYTES));
    }
    return true;
}

// Removes `removed` items from `at` on, and makes room there for `inserted` others. An
// interrupt leaves a row that was to grow at its end as it is.
int32_t gridcell_row_splice(
        struct abi_row *row, int64_t at, int64_t removed, int64_t inserted)
{
    int64_t len = row->len - removed + inserted, tail = row->len - at - removed;
    if (inserted > removed && len > row->capacity &&
            !set_capacity(row, len + len / 8 + 4 > row->capacity + row->capacity / 2
                                       ? len + len / 8 + 4
                                       : row->capacity + row->capacity / 2))
        return STATUS_MEMORY;
    // what is released may look at the row: it is whole by then
    char *old = NULL;
    if (removed && row->place_count) {
        old = refusal_malloc((size_t)(removed * row->item_bytes));
        if (!old)
            return STATUS_MEMORY;
        memcpy(old, item_at(row, at), (size_t)(removed * row->item_bytes));
    }
    if (tail && removed != inserted)
        memmove(item_at(row, at + inserted), item_at(row, at + removed),
                (size_t)(tail * row->item_bytes));
    if (inserted &&
            !clear(item_at(row, at), inserted * row->item_bytes, !tail && !removed))
        return STATUS_INTERRUPTED;
    row->len = len;
    if (old) {
        struct abi_row gone = *row;
        gone.memory.data = old;
        for (int64_t i = 0; i < removed; i++)
            for (int64_t k = 0; k < row->place_count; k++) {
                struct abi_memory *memory;
                memcpy(&memory, item_at(&gone, i) + row->places[k], sizeof memory);
                gridcell_memory_release(memory);
            }
        free(old);
    }
    return STATUS_OK;
}

void gridcell_row_swap(struct abi_row *row, int64_t a, int64_t b)
{
    char *left = item_at(row, a), *right = item_at(row, b);
    for (int64_t i = 0; i < row->item_bytes; i++) {
        char byte = left[i];
        left[i] = right[i];
        right[i] = byte;
    }
}

int32_t gridcell_owner_holds(const struct abi_memory *memory, const void *parent,
        const char *first, int64_t low, int64_t high)
{
    // what is kept for an object of the host has no data of its own
    if (memory && memory->data)
        return first + low >= (const char *)memory->data &&
               first + high <= (const char *)memory->data + memory->size_bytes;
    return !parent || parent == ABI_NOBODY || !host_hooks.parent_holds ||
           host_hooks.parent_holds(parent, first + low, first + high);
}

struct abi_memory *gridcell_array_keep(struct abi_memory *memory, void *parent)
{
    if (!memory && parent && parent != ABI_NOBODY && host_hooks.keep_parent)
        return host_hooks.keep_parent(parent);
    gridcell_memory_retain(memory);
    return memory;
}
