// SPDX-License-Identifier: MIT
// A kernel with barriers, cut at them. A segment is what all threads of a block may run
// one after the other, up to the next barrier. Segments lie on the spine: the blocks that
// all threads come to together.
#pragma once

#include "compiler/codegen/base/body.h"

// Consecutive instructions of a block of the spine.
struct piece {
    const struct ir_block *block;
    const struct ir_instr *from, *to; // `to` is not in it; the terminator or a barrier
};

enum segment_end {
    SEGMENT_BARRIER, // the next segment follows
    SEGMENT_JUMP,    // to `target`, at the end of the last piece
    SEGMENT_JOIN,    // to `target`, from the region behind the last piece
    SEGMENT_BRANCH,  // of the last piece, the same way for all threads
    SEGMENT_RETURN,
    SEGMENT_TURNS, // the loop of its block, turn by turn; then to `target`
};

struct segment {
    VEC(struct piece) pieces;
    enum segment_end end;
    const struct ir_block *target;
    const struct ir_instr *shuffle; // whose result it begins with, or NULL
};

struct segments {
    const struct ir_function *ir;
    struct flow *flow;
    bool allows_turns;
    VEC(struct segment) list;
    int *first;        // by block id: where a block begins a segment; else -1
    int *of_block;     // by block id: of blocks of a region; -1 of the spine
    int *piece;        // by block id: of blocks of a region, which piece they follow
    int *of;           // by instruction id; -1: phis that begin a segment
    bool *is_uniform;  // by instruction id: the same for all threads, computed once
    bool *is_kept;     // by instruction id: each thread's value outlives its segment
    bool *is_cheap;    // by instruction id: computed again where it is needed
    bool *is_repeated; // by block id: in a loop without barriers
    bool *is_on_spine; // by block id
    bool *is_joined;   // by block id: come to from a region
    bool *takes_turns; // by block id: header of a loop whose turns threads take together
    bool *is_of_turns; // by instruction id: makes the iterator of such a loop
    bool *splits;      // by block id: between the ways that its branch has are barriers
    int *post, *entries; // by block id: the block that all ways come to, or -1
};

// NULL if the kernel has to run as coroutines.
struct segments *segments_find(struct codegen *gen, const struct ir_function *ir);
// Frees what the arena of the code generator does not hold.
void segments_finish(struct segments *segments);
// Whether instructions after this one belong to another segment.
bool segments_is_barrier(const struct ir_instr *instr);
// Calls `visit` for each value of another segment that segment `index` uses.
void segments_each_use(const struct segments *segments, int index,
        void (*visit)(const struct ir_instr *used, void *context), void *context);
