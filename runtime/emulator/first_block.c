// SPDX-License-Identifier: MIT
// Keeps what the threads of the first block tell, up to a limit: of its lanes' runs, with
// when they were told, so that pictures can be made of them (python/gridcell/insight).
#include <stdlib.h>

#include "base/memory.h"
#include "runtime/emulator/place.h"

struct first_block {
    VEC(struct observed_event) events;
    VEC(struct observed_told) told_first;
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
    struct observed_told told = {.row = place->number,
            .line = place->line,
            .warp = warp,
            .turn = (uint64_t)place->track->first_turn};
    for (; lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        int64_t order = place->track->first_order[lane];
        told.order[lane] = (int32_t)order;
        told.what[lane] = place_address(place, lane, place->track->first_what[lane]);
        told.lanes |= (uint32_t)(order < OBSERVED_MOST_TOLD) << lane;
    }
    vec_push(&first_block->told_first, told);
}

static void keep_lane(
        struct first_block *first_block, const struct place *place, int warp, int lane)
{
    for (uint32_t i = 0; i < place->lens[lane] && i < place->order_capacity; i++) {
        const struct lane_runs *runs = &place->runs[i];
        struct observed_event event = event_of(place, warp, lane);
        event.order = place->orders[i].order[lane];
        event.order_step = place->orders[i].step[lane];
        event.count = (int32_t)runs->count[lane];
        event.turn = runs->turn[lane];
        event.turn_step = runs->turn_step[lane];
        event.what = place_address(place, lane, runs->what[lane]);
        event.what_step = runs->what_step[lane];
        vec_push(&first_block->events, event);
    }
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

void first_block_report(const struct first_block *first_block,
        const struct compiled *compiled, struct observation *observation)
{
    const struct observed_site *sites = compiled->observed_sites;
    int32_t *rows = memory_zalloc((compiled->observed_site_count + 1) * sizeof *rows);
    vec_each (event, &first_block->events) {
        struct observed_event one = *event;
        one.row = row_of(observation, sites, rows, one.row, one.line);
        vec_push(&observation->first_block, one);
    }
    vec_each (event, &first_block->told_first) {
        struct observed_told one = *event;
        one.row = row_of(observation, sites, rows, one.row, one.line);
        vec_push(&observation->first_told, one);
    }
    free(rows);
}
