// SPDX-License-Identifier: MIT
// Chunks double from 4 KiB to 256 KiB; a larger request gets a chunk of its own size.
#include "base/arena.h"

#include <assert.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { FIRST_CHUNK_BYTES = 4096, LARGEST_CHUNK_BYTES = 256 * 1024 };

struct arena_chunk {
    struct arena_chunk *previous;
    size_t size_bytes;
    alignas(max_align_t) char data[];
};

static void add_chunk(struct arena *arena, size_t least_bytes)
{
    size_t size = arena->chunk ? arena->chunk->size_bytes * 2 : FIRST_CHUNK_BYTES;
    if (size > LARGEST_CHUNK_BYTES)
        size = LARGEST_CHUNK_BYTES;
    if (size < least_bytes)
        size = least_bytes;
    struct arena_chunk *chunk = memory_alloc(sizeof *chunk + size);
    chunk->previous = arena->chunk;
    chunk->size_bytes = size;
    arena->chunk = chunk;
    arena->next = chunk->data;
    arena->end = chunk->data + size;
}

void *arena_alloc(struct arena *arena, size_t size_bytes)
{
    assert(size_bytes < SIZE_MAX / 2);
    size_t rounded =
            (size_bytes + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
    if (!arena->chunk || (size_t)(arena->end - arena->next) < rounded)
        add_chunk(arena, rounded);
    void *memory = arena->next;
    arena->next += rounded;
    return memset(memory, 0, size_bytes);
}

void *arena_copy(struct arena *arena, const void *source, size_t size_bytes)
{
    void *copy = arena_alloc(arena, size_bytes);
    return size_bytes ? memcpy(copy, source, size_bytes) : copy;
}

char *arena_strndup(struct arena *arena, const char *text, size_t len)
{
    char *copy = arena_alloc(arena, len + 1);
    memcpy(copy, text, len);
    return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
    return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    char *text = arena_alloc(arena, (size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, format, again);
    va_end(again);
    va_end(args);
    return text;
}

void arena_finish(struct arena *arena)
{
    struct arena_chunk *chunk = arena->chunk;
    while (chunk) {
        struct arena_chunk *previous = chunk->previous;
        free(chunk);
        chunk = previous;
    }
    *arena = (struct arena){0};
}
