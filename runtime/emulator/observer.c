// SPDX-License-Identifier: MIT
// Puts together again what the lanes of a warp do in one instruction. They run one after
// the other, so that each leaves what it does with the place and the turn that it is in;
// when the block comes to another warp, what lies there is counted.
#include "runtime/emulator/observer.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compiler/types/abi.h"

enum {
    LANES = 32,
    MOST_GROUPS = 1 << 16, // of a place and warp: 18 MB
    FIRST_TABLE = 64,
};

// What lanes do together.
struct group {
    uint64_t turn;
    uint32_t lanes;
    int64_t what[LANES];
};

// A place in the source, with what the present warp does there.
struct place {
    struct place *other; // of the same site, for another line of the user's
    const struct observed_site *site;
    int32_t line;
    struct group *groups;
    size_t len, capacity;
    uint32_t begun;          // lanes that have come here
    uint32_t next[LANES];    // the group that a lane will most likely want now
    uint64_t turns[LANES];   // that it came here in last
    uint32_t repeats[LANES]; // how often it has come again in the same turn
    uint32_t *table;         // groups by turn, plus 1: made when first asked
    size_t table_size, tabled;
    struct observed_counts counts;
};

struct observer {
    const struct compiled *compiled;
    size_t thread_bytes;
    int32_t warp;          // that runs
    struct place **places; // by site
    struct footprint *footprint;
    int64_t events, blocks;
};

struct observer *observer_create(const struct compiled *compiled, size_t thread_bytes)
{
    struct observer *observer = memory_zalloc(sizeof *observer);
    observer->compiled = compiled;
    observer->thread_bytes = thread_bytes;
    observer->footprint = footprint_create();
    observer->places =
            memory_zalloc((compiled->observed_site_count + 1) * sizeof *observer->places);
    return observer;
}

void observer_destroy(struct observer *observer)
{
    if (!observer)
        return;
    for (size_t i = 0; i < observer->compiled->observed_site_count; i++)
        for (struct place *place = observer->places[i], *other; place; place = other) {
            other = place->other;
            free(place->groups);
            free(place->table);
            free(place);
        }
    footprint_destroy(observer->footprint);
    free(observer->places);
    free(observer);
}

static void count_group(
        struct footprint *footprint, struct place *place, const struct group *group)
{
    struct observed_counts *counts = &place->counts;
    uint32_t yes = 0;
    counts->requests++;
    counts->lanes += __builtin_popcount(group->lanes);
    if (place->site->kind < OBSERVED_BRANCH)
        warp_access_count(place->site, group->lanes, group->what, counts);
    if (place->site->kind == OBSERVED_LOAD && place->site->space == OBSERVED_GLOBAL)
        counts->distinct +=
                footprint_add(footprint, place->site, group->lanes, group->what);
    if (place->site->kind != OBSERVED_BRANCH)
        return;
    for (int lane = 0; lane < LANES; lane++)
        yes |= (uint32_t)(group->what[lane] & 1) << lane;
    yes &= group->lanes;
    counts->divergent += yes && yes != group->lanes;
}

static void place_flush(struct footprint *footprint, struct place *place)
{
    if (!place->begun)
        return;
    for (size_t i = 0; i < place->len; i++)
        count_group(footprint, place, &place->groups[i]);
    if (place->tabled)
        memset(place->table, 0, place->table_size * sizeof *place->table);
    memset(place->next, 0, sizeof place->next);
    place->len = place->tabled = 0;
    place->begun = 0;
}

static void flush(struct observer *observer)
{
    for (size_t i = 0; i < observer->compiled->observed_site_count; i++)
        for (struct place *place = observer->places[i]; place; place = place->other)
            place_flush(observer->footprint, place);
}

void observer_end_block(struct observer *observer)
{
    flush(observer);
    footprint_clear(observer->footprint);
    observer->blocks++;
}

static void add_counts(struct observed_counts *to, const struct observed_counts *from)
{
    int64_t *numbers = (int64_t *)to;
    const int64_t *more = (const int64_t *)from;
    for (size_t i = 0; i < sizeof *to / sizeof *numbers; i++)
        numbers[i] += more[i];
}

static struct observed_counts *row_of(
        struct observation *observation, const struct place *place)
{
    vec_each (row, &observation->rows)
        if (row->line == place->line && row->place == place->site)
            return &row->counts;
    vec_push(&observation->rows,
            (struct observed_row){
                    .place = place->site, .site = *place->site, .line = place->line});
    return &vec_last(&observation->rows).counts;
}

void observer_report(struct observer *observer, struct observation *observation)
{
    flush(observer);
    for (size_t i = 0; i < observer->compiled->observed_site_count; i++)
        for (struct place *place = observer->places[i]; place; place = place->other)
            add_counts(row_of(observation, place), &place->counts);
    observation->observed_blocks += observer->blocks;
    observation->events += observer->events;
}

bool observer_wants(int64_t block, int64_t blocks, int64_t wanted)
{
    if (wanted >= blocks || block == 0)
        return true;
    // the blocks behind the first, in wanted - 1 parts
    int64_t rest = blocks - 1, parts = wanted - 1;
    if (parts < 1)
        return false;
    int64_t part = (block - 1) * parts / rest;
    while (part * rest / parts > block - 1)
        part--;
    while ((part + 1) * rest / parts <= block - 1)
        part++;
    int64_t first = part * rest / parts, len = (part + 1) * rest / parts - first;
    uint64_t chance = ((uint64_t)part + 1) * 0x9E3779B97F4A7C15u;
    return block - 1 - first == (int64_t)((chance >> 32) % (uint64_t)len);
}

static struct place *find_place(struct observer *observer, int32_t site, int32_t line)
{
    struct place **at = &observer->places[site];
    while (*at && (*at)->line != line)
        at = &(*at)->other;
    if (!*at) {
        *at = memory_zalloc(sizeof **at);
        (*at)->site = &observer->compiled->observed_sites[site];
        (*at)->line = line;
    }
    return *at;
}

static size_t table_slot(const struct place *place, uint64_t turn)
{
    return (size_t)(turn * 0x9E3779B97F4A7C15u >> 20) & (place->table_size - 1);
}

static void table_add(struct place *place, size_t number)
{
    size_t slot = table_slot(place, place->groups[number].turn);
    while (place->table[slot])
        slot = (slot + 1) & (place->table_size - 1);
    place->table[slot] = (uint32_t)number + 1;
}

// Puts in what has come since, in a table of at least twice as many slots.
static void table_fill(struct place *place)
{
    size_t size = place->table_size ? place->table_size : FIRST_TABLE;
    while (size < 2 * place->len)
        size *= 2;
    if (size != place->table_size) {
        free(place->table);
        place->table = memory_zalloc(size * sizeof *place->table);
        place->table_size = size;
        place->tabled = 0;
    }
    while (place->tabled < place->len)
        table_add(place, place->tabled++);
}

// The group of this turn that lacks the lane; its number, or `len`.
static size_t table_find(struct place *place, uint64_t turn, uint32_t bit)
{
    table_fill(place);
    for (size_t slot = table_slot(place, turn); place->table[slot];
            slot = (slot + 1) & (place->table_size - 1)) {
        const struct group *group = &place->groups[place->table[slot] - 1];
        if (group->turn == turn && !(group->lanes & bit))
            return place->table[slot] - 1;
    }
    return place->len;
}

static void append(struct place *place, uint64_t turn)
{
    if (place->len == place->capacity)
        vec_grow(&place->groups, &place->capacity, sizeof *place->groups);
    place->groups[place->len].turn = turn;
    place->groups[place->len++].lanes = 0;
}

// Not where the lane looks first: behind a branch, or in a new turn.
static struct group *search(struct place *place, uint64_t turn, uint32_t bit)
{
    bool is_first = !(place->begun & ~bit);
    size_t number = is_first ? place->len : table_find(place, turn, bit);
    if (number == place->len) {
        if (place->len == MOST_GROUPS)
            return NULL;
        append(place, turn);
    }
    return &place->groups[number];
}

// An address of the thread's own memory as it would be in any other thread of the block:
// what coroutines keep lies in the frame of each.
static int64_t in_thread(const struct observer *observer,
        const struct abi_emulated_block *block, int32_t thread, int64_t address)
{
    int64_t start = (int64_t)(intptr_t)block->scratch;
    bool is_frame = address >= start && address < start + block->scratch_bytes;
    return is_frame ? address - thread * (int64_t)observer->thread_bytes : address;
}

void gridcell_observe(struct abi_emulated_block *block, int32_t site, int32_t line,
        int32_t thread, int64_t turn, int64_t what)
{
    struct observer *observer = block->observer;
    struct place *place = observer->places[site];
    if (!place || place->line != line)
        place = find_place(observer, site, line);
    if (thread / LANES != observer->warp) {
        flush(observer);
        observer->warp = thread / LANES;
    }
    observer->events++;
    if (place->site->space == OBSERVED_LOCAL)
        what = in_thread(observer, block, thread, what);
    uint32_t lane = (uint32_t)thread % LANES, bit = 1u << lane;
    uint64_t wanted = (uint64_t)turn;
    if (place->begun & bit && place->turns[lane] == wanted) {
        wanted += ++place->repeats[lane] * 0xD1B54A32D192ED03u;
    } else {
        place->turns[lane] = wanted;
        place->repeats[lane] = 0;
    }
    uint32_t next = place->next[lane];
    struct group *group = &place->groups[next];
    if (next >= place->len || group->turn != wanted || group->lanes & bit)
        group = search(place, wanted, bit);
    place->begun |= bit;
    if (!group) {
        place->counts.skipped++;
        return;
    }
    group->lanes |= bit;
    group->what[lane] = what;
    place->next[lane] = (uint32_t)(group - place->groups) + 1;
}
