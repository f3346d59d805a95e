// SPDX-License-Identifier: MIT
// Puts together again what the lanes of a warp do in one instruction. They run one after
// the other, so that each leaves what it does with the place and the turn that it is in;
// when the block comes to another warp, what lies there is counted.
#include "runtime/emulator/observer.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compiler/types/abi.h"

enum { LANES = 32, FIRST_TABLE = 64 };
// Groups of a place and warp: 18 MB; and of warps that come after much has been observed,
// as many as fit into a cache.
enum { MOST_GROUPS = 1 << 16, FEW_GROUPS = 1 << 12, MUCH_OBSERVED = 1 << 19 };

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
    struct observed_range range;
    bool has_repeats; // a lane came here several times in one turn
};

// What the warps of a block did since the last barrier, up to the next.
struct phase {
    struct place *barrier; // that the present warp waits at, or NULL
    struct place *ended;   // that the warps before it wait at
    int64_t most, sum;
    int64_t warps;
    int32_t last_warp;
};

struct observer {
    const struct compiled *compiled;
    size_t thread_bytes;   // how far apart the threads of a block keep their local
                           // memory, 0: it is one thread's after the other
    int32_t warp;          // that runs
    struct place **places; // by site
    struct footprint *footprint;
    struct tally *tally;
    struct phase phase;
    int64_t events, blocks;
    size_t most_groups; // of a place, for the warp that runs
    VEC(struct observed_event) first_block;
};

struct observer *observer_create(const struct compiled *compiled, size_t threads)
{
    struct observer *observer = memory_zalloc(sizeof *observer);
    observer->compiled = compiled;
    observer->thread_bytes = compiled->frame_bytes;
    observer->most_groups = MOST_GROUPS;
    observer->footprint = footprint_create();
    observer->tally = tally_create(compiled, threads);
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
    tally_destroy(observer->tally);
    vec_finish(&observer->first_block);
    free(observer->places);
    free(observer);
}

void observer_join(struct observer *observer, struct abi_emulated_block *block)
{
    block->observer = observer;
    block->tally = tally_slots(observer->tally);
    block->tally_slots = (int64_t)observer->compiled->observed_part_count;
}

static void count_group(
        struct footprint *footprint, struct place *place, const struct group *group)
{
    struct observed_counts *counts = &place->counts;
    uint32_t yes = 0;
    counts->requests++;
    counts->lanes += __builtin_popcount(group->lanes);
    if (place->site->kind < OBSERVED_BRANCH)
        warp_access_count(place->site, group->lanes, group->what, counts, &place->range);
    if (place->site->kind < OBSERVED_BRANCH && place->site->space == OBSERVED_GLOBAL)
        counts->distinct +=
                footprint_add(footprint, place->site, group->lanes, group->what);
    if (place->site->kind != OBSERVED_BRANCH)
        return;
    for (int lane = 0; lane < LANES; lane++)
        yes |= (uint32_t)(group->what[lane] & 1) << lane;
    yes &= group->lanes;
    counts->divergent += yes && yes != group->lanes;
}

static void place_flush(struct observer *observer, struct place *place)
{
    if (!place->begun)
        return;
    for (size_t i = 0; i < place->len; i++)
        count_group(observer->footprint, place, &place->groups[i]);
    if (!place->has_repeats)
        tally_note(observer->tally, place->site->part, (int64_t)place->len);
    if (place->tabled)
        memset(place->table, 0, place->table_size * sizeof *place->table);
    memset(place->next, 0, sizeof place->next);
    place->len = place->tabled = 0;
    place->begun = 0;
}

// All warps of the block have come to a barrier, or to the end.
static void end_phase(struct phase *phase)
{
    if (phase->ended) {
        phase->ended->counts.work_most += phase->most * phase->warps;
        phase->ended->counts.work_sum += phase->sum;
    }
    *phase = (struct phase){.last_warp = -1};
}

// The warp that ran has come to a barrier, or to the end.
static void add_to_phase(struct observer *observer, int64_t work)
{
    struct phase *phase = &observer->phase;
    struct place *barrier = phase->barrier;
    if (phase->warps && observer->warp <= phase->last_warp)
        end_phase(phase);
    phase->last_warp = observer->warp;
    phase->barrier = NULL;
    phase->ended = barrier ? barrier : phase->ended;
    phase->most = work > phase->most ? work : phase->most;
    phase->sum += work;
    phase->warps++;
}

static void flush(struct observer *observer)
{
    for (size_t i = 0; i < observer->compiled->observed_site_count; i++)
        for (struct place *place = observer->places[i]; place; place = place->other)
            place_flush(observer, place);
    add_to_phase(observer, tally_take_warp(observer->tally, observer->warp));
}

void observer_end_block(struct observer *observer)
{
    flush(observer);
    end_phase(&observer->phase);
    observer->warp = 0;
    tally_end_block(observer->tally);
    footprint_clear(observer->footprint);
    observer->blocks++;
}

static void report_place(const struct compiled *compiled, const struct place *place,
        struct observation *observation)
{
    const struct observed_counts *counts = &place->counts;
    if (place->site->kind == OBSERVED_PART) {
        observation_add_work(compiled, place->site->part, place->line, counts->requests,
                counts->lanes, observation);
        return;
    }
    size_t number = observation_row(observation, place->site, place->line);
    observed_row_add(&observation->rows.items[number], counts, &place->range);
}

static void report_first_block(
        const struct observer *observer, struct observation *observation)
{
    vec_each (event, &observer->first_block) {
        const struct observed_site *site =
                &observer->compiled->observed_sites[event->row];
        if (site->kind == OBSERVED_PART)
            continue;
        event->row = (int32_t)observation_row(observation, site, event->line);
        vec_push(&observation->first_block, *event);
    }
}

void observer_report(struct observer *observer, struct observation *observation)
{
    flush(observer);
    end_phase(&observer->phase);
    tally_end_block(observer->tally); // of a block that an interrupt ended
    for (size_t i = 0; i < observer->compiled->observed_site_count; i++)
        for (struct place *place = observer->places[i]; place; place = place->other)
            report_place(observer->compiled, place, observation);
    tally_report(observer->tally, observation);
    report_first_block(observer, observation);
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
// Beyond what there is room for, a lane that has followed the others so far is not
// looked for.
static struct group *search(
        struct place *place, uint64_t turn, uint32_t bit, size_t next, size_t most)
{
    bool is_first = !(place->begun & ~bit);
    if (place->len >= most && (is_first || next >= place->len))
        return NULL;
    size_t number = is_first ? place->len : table_find(place, turn, bit);
    if (number == place->len) {
        if (place->len >= most)
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

static bool is_first_block(const struct abi_emulated_block *block)
{
    return !(block->block_idx[0] | block->block_idx[1] | block->block_idx[2]);
}

static void note_event(struct observer *observer, struct observed_event event)
{
    if (observer->first_block.len < OBSERVED_MOST_TOLD)
        vec_push(&observer->first_block, event);
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
        observer->most_groups =
                observer->events < MUCH_OBSERVED ? MOST_GROUPS : FEW_GROUPS;
    }
    observer->events++;
    if (place->site->space == OBSERVED_LOCAL)
        what = in_thread(observer, block, thread, what);
    if (place->site->kind == OBSERVED_BARRIER)
        observer->phase.barrier = place;
    uint32_t lane = (uint32_t)thread % LANES, bit = 1u << lane;
    uint64_t wanted = (uint64_t)turn;
    if (place->begun & bit && place->turns[lane] == wanted) {
        wanted += ++place->repeats[lane] * 0xD1B54A32D192ED03u;
        place->has_repeats = true;
    } else {
        place->turns[lane] = wanted;
        place->repeats[lane] = 0;
    }
    if (is_first_block(block))
        note_event(observer, (struct observed_event){site, line, thread, wanted, what});
    uint32_t next = place->next[lane];
    struct group *group = &place->groups[next];
    if (next >= place->len || group->turn != wanted || group->lanes & bit)
        group = search(place, wanted, bit, next, observer->most_groups);
    place->begun |= bit;
    if (!group) {
        place->counts.skipped++;
        return;
    }
    group->lanes |= bit;
    group->what[lane] = what;
    place->next[lane] = (uint32_t)(group - place->groups) + 1;
}
