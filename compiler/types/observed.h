// SPDX-License-Identifier: MIT
// What an observed kernel tells the emulated device while it runs: code generation fills
// in a table of the places that tell something, and the runtime counts by them.
#pragma once

#include "base/error.h"
#include "compiler/types/abi.h"

enum observed_kind {
    OBSERVED_LOAD = ACCESS_LOAD,
    OBSERVED_STORE = ACCESS_STORE,
    OBSERVED_ATOMIC = ACCESS_ATOMIC,
    OBSERVED_BRANCH,
    OBSERVED_BARRIER,
    OBSERVED_PART, // the start of a part that stands for a line of its caller's
};

// As the types of arrays have it.
enum observed_space {
    OBSERVED_GLOBAL,
    OBSERVED_SHARED = 3,
    OBSERVED_CONSTANT,
    OBSERVED_LOCAL
};

// A place in the source where a thread does something that others of its warp do with it.
struct observed_site {
    enum observed_kind kind;
    enum observed_space space; // of an access
    int item_bytes;            // of an access
    struct span span;
    int part;     // that it stands in, see struct observed_work
    int32_t line; // of the user's code that it stands for; 0: told when it runs
};

// Instructions, by the units of a multiprocessor that run them. Accesses are told as
// such.
enum observed_class {
    CLASS_FP16,
    CLASS_FP32,
    CLASS_FP64,
    CLASS_INTEGER,
    CLASS_SPECIAL,
    CLASS_CONVERSION,
    CLASS_CONTROL,
    CLASS_COUNT
};

// What a thread does for a line each time that it comes to a part: a block of the IR, of
// which the line may have several. What it computes is in numbers of operations.
struct observed_work {
    int part;
    const char *file;
    int32_t line; // 0: the one that is told
    int32_t instructions[CLASS_COUNT];
    int32_t flops[3]; // float16, float32, float64
    int32_t integers;
};

enum { OBSERVED_LANES = 32 }; // of a warp

// What the lane that runs will tell of a site next, if it goes on as it has begun:
// compiled code counts what comes so by itself, and calls the runtime for all else.
struct observed_track {
    int64_t thread;     // -1: the runtime is to be called in any case
    int64_t turn, what; // that come next
    int64_t turn_step, what_step;
    int64_t count; // of what came so
    // When that is told among all that is told, where it matters: see OBSERVED_KEPT_TURNS
    int64_t order, order_step, order_mask; // 0: does not matter
    // What lanes of the warp have told in the turn in which the first of them came here.
    int64_t first_turn, first_lanes, first_what[OBSERVED_LANES];
    int64_t first_order[OBSERVED_LANES]; // and when
};

// What a thread has told of a site in turns of a loop one after the other, from a turn
// on: addresses at equal distances.
struct observed_run {
    int64_t site, line, from, count, first, step;
};

// A loop of the user's: how often it is come to, and how often its body.
struct observed_loop_site {
    const char *file;
    int32_t line;
    int entries, turns; // parts
};

// The global variable of an observed kernel for a GPU: the address of what it counts in,
// a row of int64 (compiler/library/counting.py counts there). It begins with these; from
// COUNTED_AT_ROWS on they say how many words from its start a part of it begins, each
// part zeroed.
#define COUNTED_VARIABLE "gridcell_observed"
enum counted_header {
    COUNTED_COPIES,     // of rows and parts, by blocks: so that few want the same word
    COUNTED_COPY_WORDS, // from one copy to the next
    COUNTED_THREADS,    // whose loops are counted, in the grid's order
    COUNTED_BLOCKS,     // whose phases between barriers are
    COUNTED_SECTORS,    // room for sectors by block: a power of 2
    COUNTED_EVENTS,     // room for events of the first block
    COUNTED_TOLD,       // events that there were
    COUNTED_AT_ROWS,    // by site: COUNTED_ROW_WORDS each
    COUNTED_AT_PARTS,   // by part: how often warps came to it, and lanes
    COUNTED_AT_LOOPS,   // by loop: entries of each thread, then turns of each
    COUNTED_AT_WEIGHTS, // by part: instructions
    COUNTED_AT_WARPS,   // by warp of these blocks: work since the last barrier; phase
    COUNTED_AT_PHASES,  // by block, of the two latest phases: work of the busiest warp,
                        // of all, how many, the barrier's site
    COUNTED_AT_SECTORS, // keys, 0: free
    COUNTED_AT_EVENTS,  // site, thread, turn, what
    COUNTED_HEADER_WORDS,
};
enum {
    COUNTED_ROW_WORDS = 24, // struct observed_counts, then those of enum counted_word
    COUNTED_PHASE_WORDS = 4,
    COUNTED_EVENT_WORDS = 4,
};
enum counted_word {
    COUNTED_LOW = 15, // COUNTED_FAR less the first address
    COUNTED_HIGH,     // the end of the last
    COUNTED_NEAREST,  // COUNTED_FAR less the least distance of neighbouring lanes
    COUNTED_FARTHEST,
    COUNTED_MISSED, // sectors for which there was no room
};
#define COUNTED_FAR ((int64_t)1 << 62)
// What a kernel calls to count, in the order of the names in compiler/counting.c.
enum counting {
    COUNTING_ACCESS,
    COUNTING_BRANCH,
    COUNTING_BARRIER,
    COUNTING_PART,
    COUNTING_LOOP,
    COUNTING_COUNT,
};
