// SPDX-License-Identifier: MIT
// Bump allocator: many small objects of one lifetime, freed at once.
#pragma once

#include <stddef.h>

struct arena_chunk;

struct arena {
    struct arena_chunk *chunk; // newest first
    char *next, *end;
};

// A zeroed struct arena is empty and ready. The memory that arena_alloc returns is
// zeroed, aligned for any type, and lives until arena_finish. Running out of memory ends
// the process.
void *arena_alloc(struct arena *arena, size_t size_bytes);
void *arena_copy(struct arena *arena, const void *source, size_t size_bytes);
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t len);
char *arena_printf(struct arena *arena, const char *format, ...)
        __attribute__((format(printf, 2, 3)));
void arena_finish(struct arena *arena);

#define arena_new(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define arena_array(arena, type, count)                                                  \
    ((type *)arena_alloc((arena), sizeof(type) * (size_t)(count)))
