// SPDX-License-Identifier: MIT
// What was counted of one launch of an observed kernel, by place in the source.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "compiler/types/observed.h"

struct observed_counts {
    int64_t requests;               // by warps: accesses, branches or barriers
    int64_t lanes;                  // that took part, over all requests
    int64_t bytes;                  // that they asked for
    int64_t sectors, sectors_ideal; // of 32 bytes: touched, and enough for these bytes
    int64_t distinct;               // sectors by block, each counted once
    int64_t wavefronts;             // see warp_access.c
    int64_t conflicts;
    int64_t even, strides; // requests of lanes at one distance, and the sum of these
    int64_t changes;       // of them, those at another distance than before
    int64_t divergent;     // branches of which lanes take both ways
    int64_t skipped;       // by lanes: for want of memory counted here alone
    int64_t work_most; // of barriers: what the warps of a block would have done if all
    int64_t work_sum;  // had done as much as the busiest, and what they did
};

// Of global memory: the first address, and the end of the last; both 0: none yet.
struct observed_range {
    int64_t low, high;
};

struct observed_row {
    const struct observed_site *place; // of the compiled kernel; may be gone
    struct observed_site site;
    int32_t line; // of the user's code
    struct observed_counts counts;
    struct observed_range range;
};

// What the threads do for a line of the source, besides accesses.
struct observed_work_row {
    const char *file;
    int32_t line;
    int64_t warps[CLASS_COUNT], lanes[CLASS_COUNT]; // instructions
    int64_t flops[3], integers;                     // operations of lanes
};

struct observed_loop_row {
    const char *file;
    int32_t line;
    int64_t entries, turns; // of all lanes
    double least, most; // turns for each entry, of the lane that has the fewest or most
};

// What a thread of the first block tells, or so many things in a row at equal distances.
struct observed_event {
    int32_t row; // of `rows`; while the kernel runs, the site
    int32_t line, thread;
    int32_t count;             // how many these are
    int64_t order, order_step; // among all that the block tells
    uint64_t turn, turn_step;  // what lanes tell in the same turn, they do together
    int64_t what, what_step;
};

// What lanes of a warp of the first block tell in the same turns, all by the same steps.
struct observed_told {
    int32_t row, line, warp;
    uint32_t lanes;
    int64_t count;
    uint64_t turn, turn_step;
    int64_t what_step, order_step;
    int64_t what[OBSERVED_LANES], order[OBSERVED_LANES];
};

// Of the first block things are kept until there are so many; of a lane of a warp so many
// of each place.
enum { OBSERVED_MOST_TOLD = 1 << 16, OBSERVED_KEPT_TURNS = 1 << 9 };

struct observation {
    VEC(struct observed_row) rows;
    VEC(struct observed_work_row) works;
    VEC(struct observed_loop_row) loops;
    VEC(struct observed_event) first_block; // with these
    VEC(struct observed_told) first_told;
    int64_t blocks, observed_blocks; // of the grid; of these, those that are counted
    int64_t shared_bytes;            // of a block
    int64_t effort;                  // that it took to count, by runs of lanes
    bool recurses, has_links;        // on a GPU: what these functions do is not counted
    bool is_failure_plain;           // the launch failed in a block that is not observed
};

// How often threads came to a loop, and for how many turns: in all, and by entry of the
// thread that has the fewest or most.
struct observed_turns {
    int64_t entries, turns;
    double least, most;
};

struct compiled;
struct launch_config;

// observation.c: a launch begins.
void observation_begin(struct observation *observation, const struct compiled *compiled,
        const struct launch_config *config);
// Adds what another has counted of its blocks, as if it were of so many; 0: as it is.
void observation_add(
        struct observation *observation, const struct observation *part, int64_t blocks);
void observation_finish(struct observation *observation);
// The number of the row of a site, for a line of the user's.
size_t observation_row(
        struct observation *observation, const struct observed_site *site, int32_t line);
void observed_row_add(struct observed_row *row, const struct observed_counts *counts,
        const struct observed_range *range);
// Adds the instructions of each part.
void observation_weigh(const struct compiled *compiled, int64_t *weights);
// What the lanes of a warp, or all warps, did together at a part; for the line that
// stands there, 0: each has its own.
void observation_add_work(const struct compiled *compiled, int part, int32_t line,
        int64_t warps, int64_t lanes, struct observation *observation);
// What one thread did.
void observed_turns_add(struct observed_turns *of, int64_t entries, int64_t turns);
void observation_add_turns(const struct observed_loop_site *loop,
        const struct observed_turns *counts, struct observation *observation);
