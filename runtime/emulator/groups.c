// SPDX-License-Identifier: MIT
// Sorts what lanes tell by the turn: those that told in the same one did it together.
// Lane after lane comes, each in the order of its turns.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "runtime/emulator/place.h"

enum { FIRST_TABLE = 64 };

// What lanes do together.
struct group {
    uint64_t turn;
    uint32_t lanes;
    int64_t what[LANES];
};

struct groups {
    struct group *items;
    size_t len, capacity;
    size_t next;     // that the lane will most likely want now
    bool is_first;   // lane
    uint32_t *table; // by turn, plus 1
    size_t table_size, tabled;
};

struct groups *groups_create(void)
{
    return memory_zalloc(sizeof(struct groups));
}

void groups_destroy(struct groups *groups)
{
    free(groups->items);
    free(groups->table);
    free(groups);
}

void groups_forget(struct groups *groups)
{
    enum { KEPT = 1 << 10 };
    if (groups->capacity <= KEPT)
        return;
    free(groups->items);
    groups->items = NULL;
    groups->capacity = 0;
}

static size_t table_slot(const struct groups *groups, uint64_t turn)
{
    return (size_t)(turn * 0x9E3779B97F4A7C15u >> 20) & (groups->table_size - 1);
}

static void table_add(struct groups *groups, size_t number)
{
    size_t slot = table_slot(groups, groups->items[number].turn);
    while (groups->table[slot])
        slot = (slot + 1) & (groups->table_size - 1);
    groups->table[slot] = (uint32_t)number + 1;
}

// Puts in what has come since, in a table of at least twice as many slots.
static void table_fill(struct groups *groups)
{
    size_t size = groups->table_size ? groups->table_size : FIRST_TABLE;
    while (size < 2 * groups->len)
        size *= 2;
    if (size != groups->table_size) {
        free(groups->table);
        groups->table = memory_zalloc(size * sizeof *groups->table);
        groups->table_size = size;
        groups->tabled = 0;
    }
    while (groups->tabled < groups->len)
        table_add(groups, groups->tabled++);
}

// The group of this turn that lacks the lane; its number, or `len`.
static size_t table_find(struct groups *groups, uint64_t turn, uint32_t bit)
{
    table_fill(groups);
    for (size_t slot = table_slot(groups, turn); groups->table[slot];
            slot = (slot + 1) & (groups->table_size - 1)) {
        const struct group *group = &groups->items[groups->table[slot] - 1];
        if (group->turn == turn && !(group->lanes & bit))
            return groups->table[slot] - 1;
    }
    return groups->len;
}

static void append(struct groups *groups, uint64_t turn)
{
    if (groups->len == groups->capacity)
        vec_grow(&groups->items, &groups->capacity, sizeof *groups->items);
    groups->items[groups->len].turn = turn;
    groups->items[groups->len++].lanes = 0;
}

void groups_next_lane(struct groups *groups)
{
    groups->is_first = groups->len == 0;
    groups->next = 0;
}

bool groups_add(struct groups *groups, int lane, uint64_t turn, int64_t what, size_t most)
{
    uint32_t bit = 1u << lane;
    size_t number = groups->next;
    bool is_next = number < groups->len && groups->items[number].turn == turn &&
                   !(groups->items[number].lanes & bit);
    if (!is_next) {
        // beyond what there is room for, one that has followed the others so far is not
        // looked for
        if (groups->len >= most && (groups->is_first || number >= groups->len))
            return false;
        number = groups->is_first ? groups->len : table_find(groups, turn, bit);
        if (number == groups->len && groups->len >= most)
            return false;
        if (number == groups->len)
            append(groups, turn);
    }
    groups->items[number].lanes |= bit;
    groups->items[number].what[lane] = what;
    groups->next = number + 1;
    return true;
}

// A table that is far too large is not worth being cleared.
static void forget(struct groups *groups)
{
    if (groups->table_size > 16 * groups->tabled + FIRST_TABLE) {
        free(groups->table);
        groups->table = NULL;
        groups->table_size = 0;
    } else if (groups->tabled) {
        memset(groups->table, 0, groups->table_size * sizeof *groups->table);
    }
    groups->len = groups->tabled = 0;
}

int64_t groups_count(
        struct groups *groups, struct place *place, struct footprint *footprint)
{
    struct request request;
    request.times = 1;
    int64_t count = (int64_t)groups->len;
    for (size_t i = 0; i < groups->len; i++) {
        request.lanes = groups->items[i].lanes;
        memcpy(request.what, groups->items[i].what, sizeof request.what);
        place_count(place, footprint, &request);
    }
    forget(groups);
    return count;
}
