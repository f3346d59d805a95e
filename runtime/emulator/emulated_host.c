// SPDX-License-Identifier: MIT
// Host memory that the emulated device knows. Every address of the host is good there;
// what is kept is which memory is registered, because a GPU refuses to do so twice.
#include <pthread.h>
#include <stdlib.h>

#include "base/vec.h"
#include "runtime/emulator/emulator.h"

enum { PAGE_BYTES = 4096 };

struct range {
    char *start;
    size_t size_bytes;
};

struct emulated_host {
    pthread_mutex_t lock;
    VEC(struct range) registered; // guarded by lock
};

struct emulated_host *emulated_host_create(void)
{
    struct emulated_host *host = memory_zalloc(sizeof *host);
    pthread_mutex_init(&host->lock, NULL);
    return host;
}

void emulated_host_destroy(struct emulated_host *host)
{
    if (!host)
        return;
    vec_finish(&host->registered);
    pthread_mutex_destroy(&host->lock);
    free(host);
}

static bool add_range(struct emulated_host *host, const struct host_memory *memory)
{
    char *start = memory->host, *end = start + memory->size_bytes;
    bool is_free = true;
    pthread_mutex_lock(&host->lock);
    vec_each (range, &host->registered)
        is_free = is_free &&
                  (end <= range->start || range->start + range->size_bytes <= start);
    if (is_free)
        vec_push(&host->registered, (struct range){start, memory->size_bytes});
    pthread_mutex_unlock(&host->lock);
    return is_free;
}

static void remove_range(struct emulated_host *host, const char *start)
{
    pthread_mutex_lock(&host->lock);
    for (size_t i = host->registered.len; i-- > 0;) {
        if (host->registered.items[i].start != start)
            continue;
        host->registered.items[i] = host->registered.items[--host->registered.len];
        break;
    }
    pthread_mutex_unlock(&host->lock);
}

bool emulated_host_is_pageable(struct emulated_host *host, const void *memory)
{
    const char *at = memory;
    bool is_known = false;
    pthread_mutex_lock(&host->lock);
    vec_each (range, &host->registered)
        is_known |= range->start <= at && at < range->start + range->size_bytes;
    pthread_mutex_unlock(&host->lock);
    return !is_known;
}

bool emulated_host_alloc(
        struct emulated_host *host, struct host_memory *memory, struct error *err)
{
    bool is_given = memory->kind == HOST_REGISTERED;
    if (!is_given) {
        size_t size = memory->size_bytes ? memory->size_bytes : 1;
        size_t rounded = (size + PAGE_BYTES - 1) & ~(size_t)(PAGE_BYTES - 1);
        memory->host = rounded < size ? NULL : aligned_alloc(PAGE_BYTES, rounded);
        if (!memory->host)
            return emulated_error(err, DEVICE_ERROR_OUT_OF_MEMORY,
                    memory->kind == HOST_MANAGED ? "cuMemAllocManaged"
                                                 : "cuMemHostAlloc");
    }
    memory->address = (device_address)(uintptr_t)memory->host;
    return add_range(host, memory) ||
           emulated_error(err, DEVICE_ERROR_ALREADY_REGISTERED, "cuMemHostRegister");
}

void emulated_host_free(
        struct emulated_host *host, struct host_memory *memory, bool is_live)
{
    if (!memory->host)
        return;
    if (is_live)
        remove_range(host, memory->host);
    if (memory->kind != HOST_REGISTERED)
        free(memory->host);
    memory->host = NULL;
}

void emulated_host_reset(struct emulated_host *host)
{
    pthread_mutex_lock(&host->lock);
    host->registered.len = 0;
    pthread_mutex_unlock(&host->lock);
}
