// SPDX-License-Identifier: MIT
// Memory of the emulated device. A map from address to size finds a wrong address before
// it does harm; freed blocks wait in a cache, because fresh pages cost more than most
// kernels.
#include "runtime/emulator/emulator.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/vec.h"

enum { ALIGNMENT = 256, MIN_TABLE = 64 };

struct block {
    device_address address; // 0: free slot of the table
    size_t size_bytes;      // rounded up to ALIGNMENT
    bool is_mapped;         // by mmap, not from the heap
    bool is_imported;       // mapped, and another process's
    bool is_orphan;         // of a context that has ended
    int fd;                 // of what is mapped and ours
};

// Addresses are the CPU's own, so that kernels use them as they are; the table says which
// of them are the device's. Every call takes the lock, also from Python's finalisers.
struct emulated_memory {
    pthread_mutex_t lock;
    size_t total_bytes;
    // guarded by lock
    size_t used_bytes, cached_bytes;
    struct block *table; // open addressing, capacity a power of two
    size_t len, capacity;
    VEC(struct block) cache; // oldest first
};

struct emulated_memory *emulated_memory_create(size_t total_bytes)
{
    struct emulated_memory *memory = memory_zalloc(sizeof *memory);
    pthread_mutex_init(&memory->lock, NULL);
    memory->total_bytes = total_bytes;
    memory->capacity = MIN_TABLE;
    memory->table = memory_zalloc(MIN_TABLE * sizeof *memory->table);
    return memory;
}

// The oldest first; what is kept is what was freed last, and may be in the cache still.
static void drop_cached(struct emulated_memory *memory, size_t keep_bytes)
{
    size_t dropped = 0;
    while (memory->cached_bytes > keep_bytes && dropped < memory->cache.len) {
        struct block *block = &memory->cache.items[dropped++];
        memory->cached_bytes -= block->size_bytes;
        free((void *)(uintptr_t)block->address);
    }
    memory->cache.len -= dropped;
    for (size_t i = 0; i < memory->cache.len; i++)
        memory->cache.items[i] = memory->cache.items[i + dropped];
}

static void release(const struct block *block)
{
    void *start = (void *)(uintptr_t)block->address;
    if (!start || !block->is_mapped) {
        free(start);
        return;
    }
    munmap(start, block->size_bytes);
    if (!block->is_imported)
        close(block->fd);
}

void emulated_memory_destroy(struct emulated_memory *memory)
{
    if (!memory)
        return;
    drop_cached(memory, 0);
    for (size_t i = 0; i < memory->capacity; i++)
        release(&memory->table[i]);
    vec_finish(&memory->cache);
    free(memory->table);
    pthread_mutex_destroy(&memory->lock);
    free(memory);
}

static size_t slot_of(const struct emulated_memory *memory, device_address address)
{
    size_t slot = (size_t)((address / ALIGNMENT) * 0x9E3779B97F4A7C15u) &
                  (memory->capacity - 1);
    while (memory->table[slot].address && memory->table[slot].address != address)
        slot = (slot + 1) & (memory->capacity - 1);
    return slot;
}

static void table_insert(struct emulated_memory *memory, struct block block)
{
    if (memory->len * 2 >= memory->capacity) {
        struct block *old = memory->table;
        size_t old_capacity = memory->capacity;
        memory->capacity *= 2;
        memory->table = memory_zalloc(memory->capacity * sizeof *memory->table);
        for (size_t i = 0; i < old_capacity; i++) {
            if (old[i].address)
                memory->table[slot_of(memory, old[i].address)] = old[i];
        }
        free(old);
    }
    memory->table[slot_of(memory, block.address)] = block;
    memory->len++;
}

// Takes a slot out and moves later ones of its run into place.
// So that there are no tombstones: a search ends at the first free slot.
static void table_remove(struct emulated_memory *memory, size_t slot)
{
    memory->table[slot].address = 0;
    memory->len--;
    for (size_t i = (slot + 1) & (memory->capacity - 1); memory->table[i].address;
            i = (i + 1) & (memory->capacity - 1)) {
        struct block moved = memory->table[i];
        memory->table[i].address = 0;
        memory->table[slot_of(memory, moved.address)] = moved;
    }
}

// A cached block of exactly this size, the youngest first, or 0.
static device_address take_cached(struct emulated_memory *memory, size_t size_bytes)
{
    for (size_t i = memory->cache.len; i-- > 0;) {
        if (memory->cache.items[i].size_bytes != size_bytes)
            continue;
        device_address address = memory->cache.items[i].address;
        memory->cached_bytes -= size_bytes;
        for (size_t j = i + 1; j < memory->cache.len; j++)
            memory->cache.items[j - 1] = memory->cache.items[j];
        memory->cache.len--;
        return address;
    }
    return 0;
}

bool emulated_memory_alloc(struct emulated_memory *memory, size_t size_bytes,
        device_address *address, struct error *err)
{
    if (size_bytes > memory->total_bytes)
        return emulated_error(err, DEVICE_ERROR_OUT_OF_MEMORY, "cuMemAlloc");
    size_t rounded = size_bytes ? (size_bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1)
                                : ALIGNMENT;
    pthread_mutex_lock(&memory->lock);
    device_address found = 0;
    if (rounded <= memory->total_bytes - memory->used_bytes) {
        found = take_cached(memory, rounded);
        if (!found &&
                memory->cached_bytes > memory->total_bytes - memory->used_bytes - rounded)
            drop_cached(memory, memory->total_bytes - memory->used_bytes - rounded);
        if (!found)
            found = (device_address)(uintptr_t)aligned_alloc(ALIGNMENT, rounded);
    }
    if (found) {
        table_insert(memory, (struct block){.address = found, .size_bytes = rounded});
        memory->used_bytes += rounded;
        *address = found;
    }
    pthread_mutex_unlock(&memory->lock);
    return found || emulated_error(err, DEVICE_ERROR_OUT_OF_MEMORY, "cuMemAlloc");
}

static size_t accounted(const struct block *block)
{
    return block->is_imported || block->is_orphan ? 0 : block->size_bytes;
}

// Takes a block out of the table, and keeps it for later where that is worthwhile. Needs
// the lock. False when there is no such block, or it is of a context that has ended.
static bool drop(struct emulated_memory *memory, device_address address, bool is_orphan)
{
    size_t slot = slot_of(memory, address);
    struct block block = memory->table[slot];
    if (!block.address || block.is_orphan != is_orphan)
        return false;
    table_remove(memory, slot);
    memory->used_bytes -= accounted(&block);
    if (block.is_mapped || is_orphan) {
        release(&block);
        return true;
    }
    vec_push(&memory->cache, block);
    memory->cached_bytes += block.size_bytes;
    drop_cached(memory, memory->total_bytes / 8);
    return true;
}

bool emulated_memory_free(
        struct emulated_memory *memory, device_address address, struct error *err)
{
    if (!address)
        return true;
    pthread_mutex_lock(&memory->lock);
    bool is_done = drop(memory, address, false);
    pthread_mutex_unlock(&memory->lock);
    return is_done || emulated_error(err, DEVICE_ERROR_INVALID_VALUE, "cuMemFree");
}

void emulated_memory_forget(struct emulated_memory *memory, device_address address)
{
    pthread_mutex_lock(&memory->lock);
    drop(memory, address, true);
    pthread_mutex_unlock(&memory->lock);
}

void emulated_memory_reset(struct emulated_memory *memory)
{
    pthread_mutex_lock(&memory->lock);
    drop_cached(memory, 0);
    for (size_t i = 0; i < memory->capacity; i++)
        memory->table[i].is_orphan = memory->table[i].address != 0;
    memory->used_bytes = 0;
    pthread_mutex_unlock(&memory->lock);
}

void emulated_memory_trim(struct emulated_memory *memory, size_t keep_bytes)
{
    pthread_mutex_lock(&memory->lock);
    drop_cached(memory, keep_bytes);
    pthread_mutex_unlock(&memory->lock);
}

bool emulated_memory_range(struct emulated_memory *memory, device_address address,
        device_address *start, size_t *size_bytes, struct error *err)
{
    bool is_found = false;
    pthread_mutex_lock(&memory->lock);
    for (size_t i = 0; !is_found && i < memory->capacity; i++) {
        const struct block *block = &memory->table[i];
        is_found = block->address && !block->is_orphan && address >= block->address &&
                   address - block->address < block->size_bytes;
        if (is_found) {
            *start = block->address;
            *size_bytes = block->size_bytes;
        }
    }
    pthread_mutex_unlock(&memory->lock);
    return is_found ||
           emulated_error(err, DEVICE_ERROR_INVALID_VALUE, "cuMemGetAddressRange");
}

bool emulated_memory_adopt(struct emulated_memory *memory, device_address address,
        size_t size_bytes, int fd, struct error *err)
{
    struct block block = {.address = address,
            .size_bytes = size_bytes,
            .is_mapped = true,
            .is_imported = fd < 0,
            .fd = fd};
    pthread_mutex_lock(&memory->lock);
    bool fits = accounted(&block) <= memory->total_bytes - memory->used_bytes;
    if (fits) {
        table_insert(memory, block);
        memory->used_bytes += accounted(&block);
    }
    pthread_mutex_unlock(&memory->lock);
    if (!fits)
        release(&block);
    return fits || emulated_error(err, DEVICE_ERROR_OUT_OF_MEMORY, "cuMemAlloc");
}

int emulated_memory_file(
        struct emulated_memory *memory, device_address address, size_t *size_bytes)
{
    pthread_mutex_lock(&memory->lock);
    const struct block *block = &memory->table[slot_of(memory, address)];
    bool is_ours = block->address && block->is_mapped && !block->is_imported &&
                   !block->is_orphan;
    int fd = is_ours ? block->fd : -1;
    *size_bytes = is_ours ? block->size_bytes : 0;
    pthread_mutex_unlock(&memory->lock);
    return fd;
}

void emulated_memory_info(
        struct emulated_memory *memory, size_t *free_bytes, size_t *total_bytes)
{
    pthread_mutex_lock(&memory->lock);
    *total_bytes = memory->total_bytes;
    *free_bytes = memory->total_bytes - memory->used_bytes;
    pthread_mutex_unlock(&memory->lock);
}

static size_t parse_size(const char *text)
{
    char *end = NULL;
    double value = strtod(text, &end);
    if (end == text || value <= 0)
        return 0;
    int shift = *end == 'K' || *end == 'k'   ? 10
                : *end == 'M' || *end == 'm' ? 20
                : *end == 'G' || *end == 'g' ? 30
                                             : 0;
    return (size_t)(value * (double)((size_t)1 << shift));
}

size_t emulated_memory_default_total(void)
{
    const char *text = getenv("GRIDCELL_EMULATOR_MEMORY");
    size_t asked = text ? parse_size(text) : 0;
    if (asked)
        return asked;
    long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page_bytes <= 0)
        return (size_t)1 << 30;
    return (size_t)pages / 2 * (size_t)page_bytes;
}
