// SPDX-License-Identifier: MIT
// The loops of an IR function, and what is known of each before a line of it is emitted.
#pragma once

#include "compiler/ir/ir.h"

// All arrays live in the arena that flow_analyse is given.
struct flow {
    size_t block_count, order_len;
    struct ir_block **order;           // reachable blocks, reverse postorder
    int *position;                     // by block id: index in `order`, -1 unreachable
    const struct ir_block **dominator; // by block id: immediate; NULL: entry, unreachable
    bool *is_header;                   // by block id
    bool *is_innermost;                // headers: no loop inside
    const struct ir_block **innermost; // by block id: header of such a loop around it
    bool *is_straight;  // headers: lowest, counted, each turn comes to its end
    int *depth;         // by block id: the loops around it
    bool *is_counted;   // headers: a for loop over what stays as long as it is
    bool *is_brief;     // headers: few turns, known now, with those of loops inside
    int64_t *few_turns; // headers: how many at most, where that is few; else 0
    bool *is_bounded;   // headers: innermost, light, not counted, of few turns at most
    bool *is_formula; // headers: counted, innermost, only adds polynomials of its number
    bool *ends_soon; // headers: few turns, with loops inside, or a while loop over memory
    bool *is_heavy;  // headers: a loop inside may make many turns
    bool *is_small;  // headers: innermost, of few instructions, no vectors
    bool *is_tiny;   // headers: innermost, counted, of very few instructions
    bool *is_light;  // headers: of few instructions, and no call that may take long
    bool *is_unrolled; // headers: so brief that LLVM is told to unroll the loop
    bool *is_lowest;   // headers: no loop inside but such as are unrolled
    const struct ir_block **lowest;   // by block id: the outermost of them around it
    bool is_of_library, is_of_device; // the function
};

struct flow *flow_analyse(struct arena *arena, const struct ir_function *function);
// The ITERNEXT of a header of the usual shape: its answer decides between the body and
// the exit.
const struct ir_instr *flow_deciding_iternext(const struct ir_block *header);
// Whether the condition of a branch, as it was on the way to the block, is so that
// `says` finds there what it looks for.
typedef bool flow_fact(const struct ir_instr *condition, bool is_so, const void *wanted);
bool flow_is_told(const struct flow *flow, const struct ir_block *block, flow_fact *says,
        const void *wanted);
enum { FLOW_MOST_MOVED = 1 << 20 };
bool flow_is_int64(const struct type *type);
// Takes constants, up to that size each, off a sum: what is left of it.
const struct ir_instr *flow_without_constants(
        const struct ir_instr *instr, int64_t *constant);
// Whether a loop's ITERNEXT goes over a range of small constants, and which.
bool flow_constant_range(
        const struct ir_instr *next, int64_t *start, int64_t *stop, int64_t *step);
// By block id: whether the block belongs to the header's loop.
bool *flow_loop(
        struct arena *arena, const struct flow *flow, const struct ir_block *header);
bool flow_stores(const struct flow *flow, const bool *in_loop); // to arrays
bool flow_takes_numbers(const struct ir_instr *instr);          // and nothing else
bool flow_is_of_library(const struct ir_function *function);
// Whether all that asks this iterator for items is a counted loop.
bool flow_counts(const struct flow *flow, const struct ir_instr *getiter);

// Metadata of a module with loops that are to be unrolled before all else.
#define HAS_BRIEF_LOOPS "gridcell.brief_loops"
