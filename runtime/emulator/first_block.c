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

static struct observed_event event_of(const struct place *place, int warp, int lane)
{
    return (struct observed_event){.row = place->number,
            .line = place->line,
            .thread = warp * LANES + lane,
            .count = 1};
}

// What lanes told before there were runs.
static void keep_first(
        struct first_block *first_block, const struct place *place, int warp)
{
    uint32_t lanes = (uint32_t)place->track->first_lanes;
    if (!lanes)
        return;
    vec_push(&first_block->told_first, (struct observed_told){0});
    struct observed_told *told = &vec_last(&first_block->told_first);
    *told = (struct observed_told){.row = place->number,
            .line = place->line,
            .warp = warp,
            .lanes = lanes,
            .turn = (uint64_t)place->track->first_turn};
    memcpy(told->order, place->track->first_order, sizeof told->order);
    memcpy(told->what, place->track->first_what, sizeof told->what);
    for (int lane = 0; place->site->space == OBSERVED_LOCAL && lane < LANES; lane++)
        told->what[lane] = place_address(place, lane, told->what[lane]);
    first_block->kept += __builtin_popcount(lanes);
}

static void keep_lane(
        struct first_block *first_block, const struct place *place, int warp, int lane)
{
    int64_t left = OBSERVED_KEPT_TURNS;
    for (uint32_t i = 0; i < place->lens[lane] && left > 0; i++) {
        const struct lane_runs *runs = &place->runs[i];
        struct observed_event event = event_of(place, warp, lane);
        int64_t count = runs->count[lane] < left ? runs->count[lane] : left;
        left -= count;
        event.count = (int32_t)count;
        event.order = place->orders[i].order[lane];
        event.order_step = place->orders[i].step[lane];
        event.turn = runs->turn[lane];
        event.turn_step = runs->turn_step[lane];
        event.what = place_address(place, lane, runs->what[lane]);
        event.what_step = runs->what_step[lane];
        vec_push(&first_block->events, event);
    }
    first_block->kept += OBSERVED_KEPT_TURNS - left;
}

void first_block_keep(
        struct first_block *first_block, const struct place *place, int warp)
{
    if (place->site->kind == OBSERVED_PART)
        return;
    keep_first(first_block, place, warp);
    for (uint32_t lanes = place->begun; lanes; lanes &= lanes - 1)
        keep_lane(first_block, place, warp, __builtin_ctz(lanes));
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
