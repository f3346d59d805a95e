// SPDX-License-Identifier: MIT
// Hash map from byte strings to pointers; keys are copied.
#pragma once

#include <stddef.h>
#include <stdint.h>

struct map_slot {
    char *key; // NULL: free
    size_t key_len;
    uint64_t hash;
    void *value;
};

struct map {
    struct map_slot *slots;
    size_t len, capacity; // capacity is 0 or a power of two
};

// A zeroed struct map is empty. map_get returns NULL for a missing key.
void *map_get(const struct map *map, const char *key);
void *map_get_bytes(const struct map *map, const void *key, size_t key_len);
// Sets or replaces; `value` must not be NULL.
void map_set(struct map *map, const char *key, void *value);
void map_set_bytes(struct map *map, const void *key, size_t key_len, void *value);
void map_finish(struct map *map);

uint64_t map_hash(const void *bytes, size_t len);

// for (struct map_slot *slot : occupied slots), in no particular order
#define map_each(slot, map)                                                              \
    for (struct map_slot *slot = (map)->slots; slot < (map)->slots + (map)->capacity;    \
            slot++)                                                                      \
        if (slot->key)
