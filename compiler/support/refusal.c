// SPDX-License-Identifier: MIT
// The size, shape and type that there was no memory for. Each place that gives up for
// lack of memory notes them, and who raises the MemoryError takes the note: one that was
// caught in between is written over by the next.
#include "compiler/support/refusal.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/support/support.h"

static _Thread_local struct refusal last = {.ndim = -1};

struct refusal *refusal_last(void)
{
    return &last;
}

void *refusal_note(size_t size_bytes)
{
    last = (struct refusal){.size_bytes = size_bytes, .ndim = -1};
    return NULL;
}

void *refusal_malloc(size_t size_bytes)
{
    void *memory = malloc(size_bytes);
    return memory ? memory : refusal_note(size_bytes);
}

void *refusal_realloc(void *memory, size_t size_bytes)
{
    void *larger = realloc(memory, size_bytes);
    return larger ? larger : refusal_note(size_bytes);
}

void gridcell_array_refused(const char *dtype, int64_t size_bytes, int64_t ndim,
        int64_t first, int64_t second, int64_t third, int64_t fourth)
{
    last = (struct refusal){.size_bytes = (uint64_t)size_bytes,
            .ndim = ndim,
            .shape = {first, second, third, fourth}};
    strncpy(last.dtype, dtype, sizeof last.dtype - 1);
}
