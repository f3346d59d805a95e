// SPDX-License-Identifier: MIT
// A set of the sectors that a block has loaded, by place in the source: what is loaded
// again could have been kept in shared memory.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runtime/emulator/observer.h"

enum { FIRST_SLOTS = 1 << 10, SECTOR_BITS = 5 };

struct footprint {
    uint64_t *slots; // keys, never 0: open addressing, half of them free
    size_t len, capacity;
};

struct footprint *footprint_create(void)
{
    struct footprint *footprint = memory_zalloc(sizeof *footprint);
    footprint->capacity = FIRST_SLOTS;
    footprint->slots = memory_zalloc(FIRST_SLOTS * sizeof *footprint->slots);
    return footprint;
}

void footprint_destroy(struct footprint *footprint)
{
    free(footprint->slots);
    free(footprint);
}

void footprint_clear(struct footprint *footprint)
{
    if (footprint->len)
        memset(footprint->slots, 0, footprint->capacity * sizeof *footprint->slots);
    footprint->len = 0;
}

static bool add(struct footprint *footprint, uint64_t key)
{
    size_t mask = footprint->capacity - 1;
    size_t slot = (size_t)(key * 0x9E3779B97F4A7C15u >> 24) & mask;
    while (footprint->slots[slot] && footprint->slots[slot] != key)
        slot = (slot + 1) & mask;
    if (footprint->slots[slot])
        return false;
    footprint->slots[slot] = key;
    footprint->len++;
    return true;
}

static void grow(struct footprint *footprint)
{
    struct footprint larger = {.capacity = 2 * footprint->capacity};
    larger.slots = memory_zalloc(larger.capacity * sizeof *larger.slots);
    for (size_t i = 0; i < footprint->capacity; i++)
        if (footprint->slots[i])
            add(&larger, footprint->slots[i]);
    free(footprint->slots);
    *footprint = larger;
}

int footprint_add(struct footprint *footprint, const struct observed_site *site,
        uint32_t lanes, const int64_t *what)
{
    uint64_t place = (uint64_t)((uintptr_t)site >> 3) << 43, last = 0;
    int count = 0;
    for (; lanes; lanes &= lanes - 1) {
        uint64_t address = (uint64_t)what[__builtin_ctz(lanes)];
        uint64_t end = (address + (uint64_t)site->item_bytes - 1) >> SECTOR_BITS;
        for (uint64_t sector = address >> SECTOR_BITS; sector <= end; sector++) {
            if (2 * footprint->len >= footprint->capacity)
                grow(footprint);
            uint64_t key = (place ^ sector) | (uint64_t)1 << 63;
            count += key != last && add(footprint, key);
            last = key;
        }
    }
    return count;
}
