// SPDX-License-Identifier: MIT
// Allocation that cannot be recovered from: amid guarded work it gives that up, elsewhere
// it says so on stderr and ends the process.
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/guard.h"

static void *checked(void *memory, size_t size_bytes)
{
    if (!memory && size_bytes > 0) {
        guard_give_up("out of memory");
        fprintf(stderr, "gridcell: out of memory (%zu bytes)\n", size_bytes);
        abort();
    }
    return memory;
}

void *memory_alloc(size_t size_bytes)
{
    return checked(malloc(size_bytes), size_bytes);
}

void *memory_zalloc(size_t size_bytes)
{
    return checked(calloc(1, size_bytes), size_bytes);
}

void *memory_realloc(void *memory, size_t size_bytes)
{
    return checked(realloc(memory, size_bytes), size_bytes);
}

char *memory_strdup(const char *text)
{
    return checked(strdup(text), strlen(text) + 1);
}

bool memory_has_room(size_t size_bytes)
{
    int access = PROT_READ | PROT_WRITE, kind = MAP_PRIVATE | MAP_ANONYMOUS;
    void *room = mmap(NULL, size_bytes, access, kind, -1, 0);
    return room != MAP_FAILED && munmap(room, size_bytes) == 0;
}
