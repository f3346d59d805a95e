// SPDX-License-Identifier: MIT
// Generators while compiled code runs: their objects, and asking one for its next value.
#include <stddef.h>
#include <stdlib.h>

#include "base/memory.h"
#include "compiler/support/support.h"

void *gridcell_coroutine_alloc(int64_t size_bytes)
{
    return memory_alloc((size_t)size_bytes);
}

void gridcell_coroutine_free(void *memory)
{
    free(memory);
}

static void generator_release(struct abi_memory *memory)
{
    struct abi_generator *generator = (struct abi_generator *)memory;
    if (generator->handle)
        generator->destroy(generator->handle);
    support_count(SUPPORT_RELEASED);
    support_count(SUPPORT_FREED);
    free(generator);
}

struct abi_generator *gridcell_generator_create(
        int64_t value_bytes, void (*resume)(void *handle), void (*destroy)(void *handle))
{
    size_t size = offsetof(struct abi_generator, value) + (size_t)value_bytes + 1;
    struct abi_generator *generator = calloc(1, (size + 63) / 64 * 64);
    if (!generator)
        return NULL;
    support_count(SUPPORT_MADE);
    support_count(SUPPORT_ALLOCATED);
    generator->memory.count = 1;
    generator->memory.release = generator_release;
    generator->resume = resume;
    generator->destroy = destroy;
    return generator;
}

int32_t gridcell_generator_next(struct abi_generator *generator)
{
    if (!generator || generator->is_done || generator->is_running)
        return GENERATOR_ENDED;
    generator->is_running = 1;
    generator->resume(generator->handle);
    generator->is_running = 0;
    if (!generator->is_done)
        return GENERATOR_YIELDED;
    return generator->status ? generator->status : GENERATOR_ENDED;
}
