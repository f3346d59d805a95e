// SPDX-License-Identifier: MIT
// A set of the sectors that a block has touched, by place in the source: what is loaded
// again could have been kept in shared memory. A slot holds 64 neighbouring sectors.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runtime/emulator/place.h"

enum { FIRST_SLOTS = 1 << 8, SECTOR = 32, SECTOR_BITS = 5, SLOT_BITS = 6 };

struct slot {
    uint64_t key; // 0: free
    uint64_t sectors;
};

struct footprint {
    struct slot *slots; // open addressing, half of them free
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

void footprint_forget(struct footprint *footprint)
{
    enum { KEPT = 1 << 12 };
    footprint_clear(footprint);
    if (footprint->capacity <= KEPT)
        return;
    free(footprint->slots);
    footprint->capacity = FIRST_SLOTS;
    footprint->slots = memory_zalloc(FIRST_SLOTS * sizeof *footprint->slots);
}

// Where a key is, or would be.
static struct slot *find(const struct footprint *footprint, uint64_t key)
{
    size_t mask = footprint->capacity - 1;
    size_t at = (size_t)(key * 0x9E3779B97F4A7C15u >> 24) & mask;
    while (footprint->slots[at].key && footprint->slots[at].key != key)
        at = (at + 1) & mask;
    return &footprint->slots[at];
}

static void grow(struct footprint *footprint)
{
    struct footprint larger = {
            .capacity = 2 * footprint->capacity, .len = footprint->len};
    larger.slots = memory_zalloc(larger.capacity * sizeof *larger.slots);
    for (size_t i = 0; i < footprint->capacity; i++)
        if (footprint->slots[i].key)
            *find(&larger, footprint->slots[i].key) = footprint->slots[i];
    free(footprint->slots);
    *footprint = larger;
}

static int64_t count_bits(uint64_t bits)
{
    bits -= bits >> 1 & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return (int64_t)(bits * 0x0101010101010101 >> 56);
}

// Sectors of a slot that are still to be added.
struct touch {
    struct footprint *footprint;
    uint64_t key, sectors;
    int64_t count; // that were new
};

static void add(struct touch *touch)
{
    struct footprint *footprint = touch->footprint;
    if (!touch->key)
        return;
    if (2 * footprint->len >= footprint->capacity)
        grow(footprint);
    struct slot *slot = find(footprint, touch->key);
    footprint->len += !slot->key;
    slot->key = touch->key;
    uint64_t more = touch->sectors & ~slot->sectors;
    slot->sectors |= touch->sectors;
    bool is_few = !(more & (more - 1));
    touch->count += is_few ? more != 0 : count_bits(more);
}

// What comes next is often in the same slot.
static void note(struct touch *touch, uint64_t key, uint64_t sectors)
{
    if (key == touch->key) {
        touch->sectors |= sectors;
        return;
    }
    add(touch);
    touch->key = key;
    touch->sectors = sectors;
}

static void note_span(struct touch *touch, uint64_t place, int64_t low, int64_t high)
{
    enum { LAST = (1 << SLOT_BITS) - 1 };
    uint64_t first = (uint64_t)low >> SECTOR_BITS;
    uint64_t last = ((uint64_t)high - 1) >> SECTOR_BITS;
    for (uint64_t slot = first >> SLOT_BITS; slot <= last >> SLOT_BITS; slot++) {
        uint64_t sectors = UINT64_MAX;
        if (slot == first >> SLOT_BITS)
            sectors &= UINT64_MAX << (first & LAST);
        if (slot == last >> SLOT_BITS)
            sectors &= UINT64_MAX >> (LAST - (last & LAST));
        note(touch, place ^ slot, sectors);
    }
}

int64_t footprint_add(struct footprint *footprint, const struct place *place,
        int64_t first, int64_t step, int64_t times)
{
    const struct pattern *pattern = &place->pattern;
    struct touch touch = {footprint, 0, 0, 0};
    uint64_t key = ((uint64_t)place->number + 1) << 40;
    int64_t before = 0, behind = 0;
    // by steps that leave no sector out: all of them at once
    if (step >= -SECTOR && step <= SECTOR) {
        before = step < 0 ? step * (times - 1) : 0;
        behind = step > 0 ? step * (times - 1) : 0;
        times = 1;
    }
    for (; times > 0; times--, first += step)
        for (int i = 0; i < pattern->span_count; i++)
            note_span(&touch, key, first + pattern->low[i] + before,
                    first + pattern->high[i] + behind);
    add(&touch);
    return touch.count;
}
