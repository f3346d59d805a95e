// SPDX-License-Identifier: MIT
// Open addressing with linear probing, at most half full. Nothing is ever removed singly.
#include "base/map.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

// FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/
uint64_t map_hash(const void *bytes, size_t len)
{
    uint64_t hash = 0xcbf29ce484222325u;
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ byte[i]) * 0x100000001b3u;
    return hash;
}

static struct map_slot *find(
        const struct map *map, const void *key, size_t key_len, uint64_t hash)
{
    size_t i = hash & (map->capacity - 1);
    for (;; i = (i + 1) & (map->capacity - 1)) {
        struct map_slot *slot = &map->slots[i];
        if (!slot->key)
            return slot;
        if (slot->hash == hash && slot->key_len == key_len &&
                !memcmp(slot->key, key, key_len))
            return slot;
    }
}

static void grow(struct map *map)
{
    struct map old = *map;
    map->capacity = old.capacity ? old.capacity * 2 : 16;
    map->slots = memory_zalloc(map->capacity * sizeof *map->slots);
    map_each(slot, &old) * find(map, slot->key, slot->key_len, slot->hash) = *slot;
    free(old.slots);
}

void *map_get_bytes(const struct map *map, const void *key, size_t key_len)
{
    if (!map->capacity)
        return NULL;
    struct map_slot *slot = find(map, key, key_len, map_hash(key, key_len));
    return slot->key ? slot->value : NULL;
}

void map_set_bytes(struct map *map, const void *key, size_t key_len, void *value)
{
    assert(value);
    if (map->len * 2 >= map->capacity)
        grow(map);
    uint64_t hash = map_hash(key, key_len);
    struct map_slot *slot = find(map, key, key_len, hash);
    if (!slot->key) {
        slot->key = memory_alloc(key_len + 1);
        memcpy(slot->key, key, key_len);
        slot->key[key_len] = '\0';
        slot->key_len = key_len;
        slot->hash = hash;
        map->len++;
    }
    slot->value = value;
}

void *map_get(const struct map *map, const char *key)
{
    return map_get_bytes(map, key, strlen(key));
}

void map_set(struct map *map, const char *key, void *value)
{
    map_set_bytes(map, key, strlen(key), value);
}

void map_finish(struct map *map)
{
    map_each(slot, map) free(slot->key);
    free(map->slots);
    *map = (struct map){0};
}
