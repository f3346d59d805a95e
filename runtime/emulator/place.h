// SPDX-License-Identifier: MIT
// A place in the source that an observed kernel tells of, with what the lanes of the warp
// that runs have told there, and what has been counted of the warps before.
#pragma once

#include "runtime/emulator/observer.h"

enum { LANES = OBSERVED_LANES };

// What lanes do together, so many times, each at equal distances.
struct request {
    uint32_t lanes;
    int64_t times;
    int64_t what[LANES], step[LANES]; // the first time, by lane
};

// The addresses of a request's lanes, from that of the first, and what requests of this
// shape cost. That depends on where in a line of the cache the first one is, no more.
struct pattern {
    uint32_t lanes; // 0: there is none yet
    int64_t offsets[LANES];
    bool is_even; // the lanes lie at one distance
    int64_t stride;
    // What the lanes touch, as stretches without a sector between that is left out.
    int span_count;
    int64_t low[LANES], high[LANES];
    int64_t lowest, highest;
    uint64_t known[2]; // costs, a bit each
    struct cost {
        int32_t sectors, ideal, wavefronts, conflicts;
    } costs[128];
};

// So many times the lanes have told what is equally far apart, in turns likewise.
struct lane_runs {
    uint64_t turn[LANES], turn_step[LANES];
    int64_t what[LANES], what_step[LANES], count[LANES];
};

// Memory in which coroutines keep what is a thread's own, of the threads of a block one
// after the other.
struct frames {
    int64_t start, end, thread_bytes;
};

// When the lanes of the first block told a run, among all that is told.
struct lane_orders {
    int64_t order[LANES], step[LANES];
};

struct place {
    struct place *other; // of the same site, for another line of the user's
    const struct observed_site *site;
    const struct frames *frames;
    int number; // of the site
    int32_t line;
    struct observed_track *track; // the site's, or its own
    struct observed_track own;
    int64_t thread;               // whose run is in `track`, -1: none
    int64_t turn_step, what_step; // of the last run of which they are known
    struct lane_runs *runs;       // of this warp
    struct lane_orders *orders;   // of runs, in the first block
    size_t capacity, order_capacity;
    uint32_t lens[LANES];
    uint32_t begun;          // lanes that have runs
    uint32_t repeats[LANES]; // how often the lane has come again in the turn of `raw`
    uint64_t raw[LANES];
    bool has_repeats; // of any warp
    struct observed_counts counts;
    struct observed_range range;
    struct pattern pattern; // the last: large, and need not be cleared
};

// What a thread tells; `order`: NOT_KEPT, or among all that is told.
struct told {
    int32_t thread;
    int64_t order;
    uint64_t turn;
    int64_t what;
};
enum { NOT_KEPT = -1 };

// What follows it, in all so many, at equal distances.
struct told_run {
    int64_t count, what_step, order_step;
};

// lane_runs.c: a thread tells; `most`: runs that are kept of a lane.
void place_record(struct place *place, const struct told *told, size_t most);
// Likewise so many things at once, in turns one after the other.
void place_record_run(struct place *place, const struct told *told,
        const struct told_run *run, size_t most);
// Whether all lanes told the same turns in a run; mostly they have.
bool runs_are_alike(const struct lane_runs *runs);
// That each lane has at least.
uint32_t place_fewest_runs(const struct place *place);
// Lets compiled code go on by itself, where it is known how.
void place_expose(struct place *place);
// Forgets the warp.
void place_clear(struct place *place);
// Puts the run of the thread that told last where those of the others are.
void place_keep(struct place *place);

// merge.c: an address of a lane's own memory as it would be in any other lane.
int64_t place_address(const struct place *place, int lane, int64_t what);

struct first_block;

// first_block.c: what the threads of a first block tell, with their order, up to a limit.
struct first_block *first_block_create(void);
void first_block_destroy(struct first_block *first_block);
void first_block_begin(struct first_block *first_block);
bool first_block_is_full(const struct first_block *first_block);
// Keeps what the lanes of a warp have told at a place.
void first_block_keep(
        struct first_block *first_block, const struct place *place, int warp);
void first_block_report(struct first_block *first_block, const struct compiled *compiled,
        struct observation *observation);

// requests.c: counts a request at a place.
void place_count(
        struct place *place, struct footprint *footprint, const struct request *request);

struct groups;

// groups.c: lanes that do not all come in the same turns, sorted by turn.
struct groups *groups_create(void);
void groups_destroy(struct groups *groups);
// Between launches: gives much memory back.
void groups_forget(struct groups *groups);
// False: there is no room for more than `most` turns.
bool groups_add(
        struct groups *groups, int lane, uint64_t turn, int64_t what, size_t most);
void groups_next_lane(struct groups *groups);
// Counts all, and forgets them; returns how many.
int64_t groups_count(
        struct groups *groups, struct place *place, struct footprint *footprint);

// merge.c: counts what the lanes of the warp have told at a place; returns how many
// requests it was. `most`: turns that are kept of lanes that come in different ones.
int64_t place_merge(struct place *place, struct footprint *footprint,
        struct groups *groups, size_t most);
