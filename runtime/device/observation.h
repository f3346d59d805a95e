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
};

struct observed_row {
    const struct observed_site *place; // of the compiled kernel; may be gone
    struct observed_site site;
    int32_t line; // of the user's code
    struct observed_counts counts;
};

struct observation {
    VEC(struct observed_row) rows;
    int64_t blocks, observed_blocks; // of the grid; of these, those that are counted
    int64_t shared_bytes;            // of a block
    int64_t events;                  // told by threads
    bool is_failure_plain;           // the launch failed in a block that is not observed
};
