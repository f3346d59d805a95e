// SPDX-License-Identifier: MIT
// Arrays that a kernel only adds to: each thread of the CPU counts in copies of its own,
// which need no locks, and adds them up when it has run its blocks.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runtime/emulator/emulator.h"

// Copies that do not fit into a core's cache cost more than atomic additions, and so does
// adding them up where few threads count.
enum { MOST_BYTES = 1 << 18, THREADS_PER_ITEM = 4, LINE = 64 };

struct counters {
    const struct compiled *compiled;
    const char *original; // arguments
    char *args;           // with the copies
    char *memory;
};

// How an array argument lies in the argument block.
struct array_head {
    void *memory, *parent;
    char *data;
    int64_t extents[]; // shape, then strides
};

static const struct array_head *head_of(
        const char *args, const struct array_argument *argument)
{
    return (const struct array_head *)(args + argument->offset);
}

static int64_t items_of(
        const struct array_head *head, const struct array_argument *argument)
{
    int64_t count = 1;
    for (int i = 0; i < argument->ndim; i++)
        count *= head->extents[i];
    return count;
}

// The bytes from the first that belongs to an array to behind the last.
static void range_of(const struct array_head *head, const struct array_argument *argument,
        uintptr_t *from, uintptr_t *to)
{
    int64_t low = 0, high = (int64_t)argument->item_bytes;
    for (int i = 0; i < argument->ndim; i++) {
        int64_t reach = (head->extents[i] - 1) * head->extents[argument->ndim + i];
        low += reach < 0 ? reach : 0;
        high += reach > 0 ? reach : 0;
    }
    *from = (uintptr_t)head->data + (uintptr_t)low;
    *to = (uintptr_t)head->data + (uintptr_t)high;
}

// Whether no other argument shares memory with a counter.
// A kernel might read through the other argument what it has counted.
static bool is_alone(const struct compiled *compiled, const char *args, size_t counter)
{
    const struct array_argument *list = compiled->array_arguments;
    uintptr_t from, to, other_from, other_to;
    range_of(head_of(args, &list[counter]), &list[counter], &from, &to);
    for (size_t i = 0; i < compiled->array_argument_count; i++) {
        const struct array_head *head = head_of(args, &list[i]);
        range_of(head, &list[i], &other_from, &other_to);
        if (i != counter && items_of(head, &list[i]) && from < other_to &&
                other_from < to)
            return false;
    }
    return true;
}

// Whole lines of the cache: two threads never write to one line.
static size_t padded(int64_t items, const struct array_argument *argument)
{
    size_t bytes = (size_t)items * argument->item_bytes;
    return (bytes + LINE - 1) & ~(size_t)(LINE - 1);
}

// Bytes of all copies; 0: better without.
static size_t wanted_bytes(
        const struct compiled *compiled, const char *args, int64_t threads)
{
    size_t bytes = 0;
    for (size_t i = 0; i < compiled->array_argument_count; i++) {
        const struct array_argument *argument = &compiled->array_arguments[i];
        if (!argument->is_counter)
            continue;
        int64_t items = items_of(head_of(args, argument), argument);
        if (items < 1 || items > MOST_BYTES / (int64_t)argument->item_bytes ||
                items > threads / THREADS_PER_ITEM || !is_alone(compiled, args, i))
            return 0;
        bytes += padded(items, argument);
    }
    return bytes <= MOST_BYTES ? bytes : 0;
}

struct counters *counters_open(
        const struct compiled *compiled, const void *args, int64_t threads)
{
    size_t bytes = wanted_bytes(compiled, args, threads);
    if (!bytes)
        return NULL;
    struct counters *counters = memory_zalloc(sizeof *counters);
    *counters = (struct counters){compiled, args, memory_zalloc(compiled->argument_bytes),
            memory_zalloc(bytes)};
    memcpy(counters->args, args, compiled->argument_bytes);
    char *copy = counters->memory;
    for (size_t i = 0; i < compiled->array_argument_count; i++) {
        const struct array_argument *argument = &compiled->array_arguments[i];
        struct array_head *head =
                (struct array_head *)(counters->args + argument->offset);
        if (!argument->is_counter)
            continue;
        head->data = copy;
        copy += padded(items_of(head, argument), argument);
    }
    return counters;
}

const void *counters_arguments(const struct counters *counters)
{
    return counters->args;
}

static void add_up(char *to, const char *from, int64_t items, size_t item_bytes)
{
    for (int64_t i = 0; i < items; i++) {
        if (item_bytes == sizeof(uint32_t)) {
            uint32_t number = ((const uint32_t *)from)[i];
            if (number)
                __atomic_fetch_add((uint32_t *)to + i, number, __ATOMIC_RELAXED);
        } else {
            uint64_t number = ((const uint64_t *)from)[i];
            if (number)
                __atomic_fetch_add((uint64_t *)to + i, number, __ATOMIC_RELAXED);
        }
    }
}

void counters_close(struct counters *counters)
{
    if (!counters)
        return;
    const struct compiled *compiled = counters->compiled;
    for (size_t i = 0; i < compiled->array_argument_count; i++) {
        const struct array_argument *argument = &compiled->array_arguments[i];
        const struct array_head *own = head_of(counters->args, argument);
        if (argument->is_counter)
            add_up(head_of(counters->original, argument)->data, own->data,
                    items_of(own, argument), argument->item_bytes);
    }
    free(counters->args);
    free(counters->memory);
    free(counters);
}
