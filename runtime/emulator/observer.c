// SPDX-License-Identifier: MIT
// Puts together again what the lanes of a warp do in one instruction. They run one after
// the other, so that each leaves what it does with the place and the turn that it is in
// (lane_runs.c); when the block comes to another warp, what lies there is counted.
#include "runtime/emulator/observer.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compiler/types/abi.h"
#include "runtime/emulator/place.h"

// Runs of a lane at a place: 42 MB; and of warps that come after much has been observed,
// as many as fit into a cache. Of lanes that come in different turns so many turns,
// likewise.
enum { MOST_RUNS = 1 << 15, FEW_RUNS = 1 << 11, MUCH_OBSERVED = 1 << 19 };
enum { MOST_TURNS = 1 << 16, FEW_TURNS = 1 << 12 };

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
    struct abi_emulated_block *block; // that runs
    struct frames frames;
    int32_t warp;                  // that runs, -1: none yet
    struct place **places;         // by site
    struct observed_track *tracks; // by site
    size_t most_sites;             // that there is room for
    struct place *spare;           // places of launches before
    struct footprint *footprint;
    struct groups *groups;
    struct tally *tally;
    struct phase phase;
    int64_t events, effort, blocks;
    bool has_much; // has been observed before the warp that runs
    struct first_block *first_block;
    bool keeps_first; // what is told now is kept in `first_block`
};

struct observer *observer_create(void)
{
    struct observer *observer = memory_zalloc(sizeof *observer);
    observer->footprint = footprint_create();
    observer->groups = groups_create();
    observer->first_block = first_block_create();
    observer->tally = tally_create();
    return observer;
}

static void place_destroy(struct place *place)
{
    free(place->runs);
    free(place->orders);
    free(place);
}

static void spare_places(struct observer *observer)
{
    size_t sites = observer->compiled ? observer->compiled->observed_site_count : 0;
    for (size_t i = 0; i < sites; i++)
        for (struct place *place = observer->places[i], *other; place; place = other) {
            other = place->other;
            place->other = observer->spare;
            observer->spare = place;
        }
    observer->compiled = NULL;
}

void observer_begin(
        struct observer *observer, const struct compiled *compiled, size_t threads)
{
    size_t sites = compiled->observed_site_count;
    if (sites > observer->most_sites || !observer->places) {
        free(observer->places);
        free(observer->tracks);
        observer->places = memory_zalloc((sites + 1) * sizeof *observer->places);
        observer->tracks = memory_zalloc((sites + 1) * sizeof *observer->tracks);
        observer->most_sites = sites;
    }
    memset(observer->places, 0, sites * sizeof *observer->places);
    // until there is a place of the site, the runtime is called
    for (size_t i = 0; i < sites; i++)
        observer->tracks[i].thread = observer->tracks[i].first_lanes = -1;
    observer->compiled = compiled;
    observer->warp = -1;
    observer->phase = (struct phase){0};
    observer->events = observer->effort = observer->blocks = 0;
    observer->has_much = observer->keeps_first = false;
    footprint_clear(observer->footprint);
    first_block_begin(observer->first_block);
    tally_begin(observer->tally, compiled, threads);
}

void observer_destroy(struct observer *observer)
{
    if (!observer)
        return;
    spare_places(observer);
    for (struct place *place = observer->spare, *other; place; place = other) {
        other = place->other;
        place_destroy(place);
    }
    footprint_destroy(observer->footprint);
    groups_destroy(observer->groups);
    tally_destroy(observer->tally);
    first_block_destroy(observer->first_block);
    free(observer->places);
    free(observer->tracks);
    free(observer);
}

void observer_join(struct observer *observer, struct abi_emulated_block *block)
{
    int64_t scratch = (int64_t)(intptr_t)block->scratch;
    observer->frames = (struct frames){.start = scratch,
            .end = scratch + block->scratch_bytes,
            .thread_bytes = (int64_t)observer->compiled->frame_bytes};
    observer->block = block;
    block->observer = observer;
    block->tally = tally_slots(observer->tally);
    block->tally_slots = (int64_t)observer->compiled->observed_part_count;
    block->tracks = observer->tracks;
    block->observed_warp = block->observed_barrier = -1;
}

// A run takes about as long as one thing that is told by itself, its turns next to
// nothing.
static int64_t effort_of(const struct place *place, int64_t events)
{
    enum { FREE_TURNS = 32 };
    int64_t runs = __builtin_popcount((uint32_t)place->track->first_lanes);
    for (int lane = 0; place->begun && lane < LANES; lane++)
        runs += place->lens[lane];
    return runs + events / FREE_TURNS;
}

static void place_flush(struct observer *observer, struct place *place)
{
    const struct observed_counts *counts = &place->counts;
    int64_t before = counts->lanes + counts->skipped;
    if (!place->begun && !place->track->first_lanes)
        return;
    place_keep(place);
    if (observer->keeps_first)
        first_block_keep(observer->first_block, place, observer->warp);
    int64_t requests = place_merge(place, observer->footprint, observer->groups,
            observer->has_much ? FEW_TURNS : MOST_TURNS);
    if (!place->has_repeats)
        tally_note(observer->tally, place->site->part, requests);
    int64_t events = counts->lanes + counts->skipped - before;
    observer->events += events;
    observer->effort += effort_of(place, events);
    place_clear(place);
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
    if (observer->warp < 0)
        return;
    int64_t barrier = observer->block->observed_barrier;
    if (barrier >= 0)
        observer->phase.barrier = observer->places[barrier];
    observer->block->observed_barrier = -1;
    for (size_t i = 0; i < observer->compiled->observed_site_count; i++)
        for (struct place *place = observer->places[i]; place; place = place->other)
            place_flush(observer, place);
    add_to_phase(observer, tally_take_warp(observer->tally, observer->warp));
}

void observer_end_block(struct observer *observer)
{
    flush(observer);
    end_phase(&observer->phase);
    observer->warp = observer->block->observed_warp = -1;
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

void observer_report(struct observer *observer, struct observation *observation)
{
    flush(observer);
    end_phase(&observer->phase);
    tally_end_block(observer->tally); // of a block that an interrupt ended
    for (size_t i = 0; i < observer->compiled->observed_site_count; i++)
        for (struct place *place = observer->places[i]; place; place = place->other)
            report_place(observer->compiled, place, observation);
    tally_report(observer->tally, observation);
    first_block_report(observer->first_block, observer->compiled, observation);
    observation->observed_blocks += observer->blocks;
    observation->effort += observer->effort;
    spare_places(observer);
    footprint_forget(observer->footprint);
    groups_forget(observer->groups);
}

enum { KEPT_RUNS = 64 };

// A place that another launch has had, or a new one. Much memory is not kept.
static struct place *take_place(struct observer *observer)
{
    struct place *place = observer->spare;
    if (!place)
        return memory_zalloc(sizeof *place);
    observer->spare = place->other;
    if (place->capacity > KEPT_RUNS || place->order_capacity > KEPT_RUNS) {
        place_destroy(place);
        return memory_zalloc(sizeof *place);
    }
    struct place kept = {.runs = place->runs,
            .orders = place->orders,
            .capacity = place->capacity,
            .order_capacity = place->order_capacity};
    memcpy(place, &kept, offsetof(struct place, pattern));
    place->pattern.lanes = 0;
    return place;
}

static struct place *add_place(struct observer *observer, int32_t site, int32_t line)
{
    struct place *place = take_place(observer), *first = observer->places[site];
    place->site = &observer->compiled->observed_sites[site];
    place->number = site;
    place->line = line;
    place->frames = &observer->frames;
    place->track = first ? &place->own : &observer->tracks[site];
    place_clear(place);
    return place;
}

static struct place *find_place(struct observer *observer, int32_t site, int32_t line)
{
    struct place **at = &observer->places[site];
    while (*at && (*at)->line != line)
        at = &(*at)->other;
    if (!*at)
        *at = add_place(observer, site, line);
    return *at;
}

static void enter_warp(struct observer *observer, int32_t warp)
{
    const int32_t *index = observer->block->block_idx;
    bool is_first = !(index[0] | index[1] | index[2]);
    flush(observer);
    observer->warp = warp;
    observer->has_much = observer->events >= MUCH_OBSERVED;
    observer->block->observed_warp = warp;
    observer->keeps_first = is_first && !first_block_is_full(observer->first_block);
}

// Whether it is told in the turn in which the warp has come here first.
static bool record_first(struct place *place, const struct told *told)
{
    struct observed_track *track = place->track;
    int lane = told->thread % LANES;
    if (!track->first_lanes)
        track->first_turn = (int64_t)told->turn;
    if ((uint64_t)track->first_turn != told->turn)
        return false;
    if (track->first_lanes >> lane & 1) {
        place->has_repeats = true;
        return false;
    }
    track->first_lanes |= (int64_t)1 << lane;
    track->first_what[lane] = told->what;
    track->first_order[lane] = told->order;
    return true;
}

// The place of the site for the line; the warp of the thread is the one that runs.
static inline struct place *enter(
        struct observer *observer, int32_t site, int32_t line, int32_t thread)
{
    struct place *place = observer->places[site];
    if (!place || place->line != line)
        place = find_place(observer, site, line);
    if (thread / LANES != observer->warp)
        enter_warp(observer, thread / LANES);
    return place;
}

static size_t most_runs(const struct observer *observer)
{
    return observer->has_much ? FEW_RUNS : MOST_RUNS;
}

void gridcell_observe(struct abi_emulated_block *block, int32_t site, int32_t line,
        int32_t thread, int64_t turn, int64_t what)
{
    struct observer *observer = block->observer;
    if (!observer)
        return;
    struct place *place = enter(observer, site, line, thread);
    int64_t order = block->observed_order++;
    struct told told = {
            thread, observer->keeps_first ? order : NOT_KEPT, (uint64_t)turn, what};
    if (place->site->kind == OBSERVED_BARRIER)
        observer->phase.barrier = place;
    if (record_first(place, &told))
        return;
    place_record(place, &told, most_runs(observer));
    place_expose(place);
}

void gridcell_observe_runs(struct abi_emulated_block *block,
        const struct observed_run *runs, int32_t count, int32_t thread, int64_t turn,
        int64_t order, int64_t order_step)
{
    struct observer *observer = block->observer;
    for (int32_t i = 0; observer && i < count; i++) {
        const struct observed_run *run = &runs[i];
        if (!run->count)
            continue;
        struct place *place =
                enter(observer, (int32_t)run->site, (int32_t)run->line, thread);
        int64_t own = order + i + run->from * order_step;
        struct told told = {thread, observer->keeps_first ? own : NOT_KEPT,
                (uint64_t)(turn + run->from), run->first};
        struct told_run all = {run->count, run->step, order_step};
        place_record_run(place, &told, &all, most_runs(observer));
    }
}
