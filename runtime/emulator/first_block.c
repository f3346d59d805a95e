// SPDX-License-Identifier: MIT
// Keeps what the threads of the first block tell, up to a limit: of its lanes' runs, with
// when they were told, so that pictures can be made of them (python/gridcell/insight).
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runtime/emulator/place.h"

struct first_block {
    VEC(struct observed_event) events;
    VEC(struct observed_told) told_first;
    int64_t kept;
};

struct first_block *first_block_create(void)
{
    return memory_zalloc(sizeof(struct first_block));
}

void first_block_destroy(struct first_block *first_block)
{
    vec_finish(&first_block->events);
    vec_finish(&first_block->told_first);
    free(first_block);
}

void first_block_begin(struct first_block *first_block)
{
    enum { KEPT = 1 << 12 };
    if (first_block->events.capacity > KEPT)
        vec_finish(&first_block->events);
    first_block->events.len = first_block->told_first.len = 0;
    first_block->kept = 0;
}

bool first_block_is_full(const struct first_block *first_block)
{
    return first_block->kept >= OBSERVED_MOST_TOLD;
}

// Lanes of the warp, who tell so many things each; `what`, `order`: by lane.
static struct observed_told *add_told(struct first_block *first_block,
        const struct place *place, int warp, const int64_t *what, const int64_t *order)
{
    // one that is much to clear first
    if (first_block->told_first.len == first_block->told_first.capacity)
        vec_grow(&first_block->told_first.items, &first_block->told_first.capacity,
                sizeof *first_block->told_first.items);
    struct observed_told *told =
            &first_block->told_first.items[first_block->told_first.len++];
    told->row = place->number;
    told->line = place->line;
    told->warp = warp;
    told->turn_step = 0;
    told->what_step = told->order_step = 0;
    memcpy(told->order, order, sizeof told->order);
    memcpy(told->what, what, sizeof told->what);
    for (int lane = 0; place->site->space == OBSERVED_LOCAL && lane < LANES; lane++)
        told->what[lane] = place_address(place, lane, what[lane]);
    return told;
}

// What lanes told before there were runs.
static void keep_first(
        struct first_block *first_block, const struct place *place, int warp)
{
    const struct observed_track *track = place->track;
    if (!track->first_lanes)
        return;
    struct observed_told *told =
            add_told(first_block, place, warp, track->first_what, track->first_order);
    told->lanes = (uint32_t)track->first_lanes;
    told->turn = (uint64_t)track->first_turn;
    told->count = 1;
    first_block->kept += __builtin_popcount(told->lanes);
}

// Whether all lanes go on by the same steps, too.
static bool goes_on_alike(const struct place *place, uint32_t run)
{
    const struct lane_runs *runs = &place->runs[run];
    const struct lane_orders *orders = &place->orders[run];
    int64_t other = 0;
    for (int lane = 1; lane < LANES; lane++)
        other |= (runs->what_step[lane] ^ runs->what_step[0]) |
                 (orders->step[lane] ^ orders->step[0]);
    return runs_are_alike(runs) && (!other || runs->count[0] == 1);
}

static int64_t at_most(int64_t count, int64_t most)
{
    return count < most ? count : most;
}

// Runs that all lanes told alike, from the first on; returns how many. `left`: turns that
// are still to be kept.
static uint32_t keep_alike(struct first_block *first_block, const struct place *place,
        int warp, int64_t *left)
{
    uint32_t run = 0, fewest = place_fewest_runs(place);
    for (; run<fewest && * left> 0 && goes_on_alike(place, run); run++) {
        const struct lane_runs *runs = &place->runs[run];
        const struct lane_orders *orders = &place->orders[run];
        struct observed_told *told =
                add_told(first_block, place, warp, runs->what, orders->order);
        told->lanes = UINT32_MAX;
        told->count = at_most(runs->count[0], *left);
        told->turn = runs->turn[0];
        told->turn_step = runs->turn_step[0];
        told->what_step = runs->what_step[0];
        told->order_step = orders->step[0];
        *left -= told->count;
    }
    first_block->kept += LANES * (OBSERVED_KEPT_TURNS - *left);
    return run;
}

static void keep_lane(struct first_block *first_block, const struct place *place,
        int thread, uint32_t run, int64_t left)
{
    int lane = thread % LANES;
    for (; run < place->lens[lane] && left > 0; run++) {
        const struct lane_runs *runs = &place->runs[run];
        int64_t count = at_most(runs->count[lane], left);
        struct observed_event event = {.row = place->number,
                .line = place->line,
                .thread = thread,
                .count = (int32_t)count,
                .order = place->orders[run].order[lane],
                .order_step = place->orders[run].step[lane],
                .turn = runs->turn[lane],
                .turn_step = runs->turn_step[lane],
                .what = place_address(place, lane, runs->what[lane]),
                .what_step = runs->what_step[lane]};
        left -= count;
        first_block->kept += count;
        vec_push(&first_block->events, event);
    }
}

void first_block_keep(
        struct first_block *first_block, const struct place *place, int warp)
{
    if (place->site->kind == OBSERVED_PART)
        return;
    keep_first(first_block, place, warp);
    int64_t left = OBSERVED_KEPT_TURNS;
    uint32_t run = place->begun ? keep_alike(first_block, place, warp, &left) : 0;
    for (uint32_t lanes = place->begun; lanes; lanes &= lanes - 1)
        keep_lane(first_block, place, warp * LANES + __builtin_ctz(lanes), run, left);
}

// The row of a site, for a line of the user's; `rows`: that each had last, plus 1.
static int32_t row_of(struct observation *observation, const struct observed_site *sites,
        int32_t *rows, int32_t site, int32_t line)
{
    int32_t *row = &rows[site];
    if (!*row || observation->rows.items[*row - 1].line != line)
        *row = 1 + (int32_t)observation_row(observation, &sites[site], line);
    return *row - 1;
}

// At once, where that takes in what another thread of the CPU has, too.
#define HAND_OVER(to, from)                                                              \
    do {                                                                                 \
        size_t len_ = (to)->len + (from)->len;                                           \
        (to)->items = memory_realloc((to)->items, (len_ + 1) * sizeof *(to)->items);     \
        memcpy((to)->items + (to)->len, (from)->items,                                   \
                (from)->len * sizeof *(to)->items);                                      \
        (to)->len = (to)->capacity = len_;                                               \
        (from)->len = 0;                                                                 \
    } while (0)

void first_block_report(struct first_block *first_block, const struct compiled *compiled,
        struct observation *observation)
{
    const struct observed_site *sites = compiled->observed_sites;
    if (!first_block->kept)
        return;
    int32_t *rows = memory_zalloc((compiled->observed_site_count + 1) * sizeof *rows);
    vec_each (event, &first_block->events)
        event->row = row_of(observation, sites, rows, event->row, event->line);
    vec_each (told, &first_block->told_first)
        told->row = row_of(observation, sites, rows, told->row, told->line);
    free(rows);
    HAND_OVER(&observation->first_block, &first_block->events);
    HAND_OVER(&observation->first_told, &first_block->told_first);
    first_block->kept = 0;
}
