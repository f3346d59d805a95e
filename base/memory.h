// SPDX-License-Identifier: MIT
// The one place where a small internal allocation that fails ends the process, or the
// guarded work that it is part of (base/guard.h).
// A size that a user chose is checked by the caller and allocated with malloc.
#pragma once

#include <stdbool.h>
#include <stddef.h>

void *memory_alloc(size_t size_bytes);
void *memory_zalloc(size_t size_bytes);
void *memory_realloc(void *memory, size_t size_bytes);
char *memory_strdup(const char *text);
// Whether the system would give so much more now. Nothing is kept of it.
bool memory_has_room(size_t size_bytes);
