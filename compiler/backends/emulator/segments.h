// SPDX-License-Identifier: MIT
// A kernel that is cut at its barriers, while its segments are emitted.
#pragma once

#include "compiler/backends/emulator/block.h"
#include "compiler/codegen/emulated/segments.h"

// How control comes from a block to one that begins a segment.
struct edge {
    const struct ir_block *from, *to;
    LLVMBasicBlockRef source;
};

struct cutting {
    struct block_entry *entry;
    const struct segments *segments;
    struct body body;
    size_t **kept;       // by instruction id: offsets of its leaves, for one thread
    size_t exchange[2];  // where every other shuffle puts its items
    size_t thread_bytes; // of all that is kept
    value failure, number, count, scratch;
    value **joined; // by instruction id of phis: their leaves where ways come together
    int *loaded;    // by instruction id: the last loop that has loaded it, from 1
    int loop_count;
    VEC(struct edge) edges;
    VEC(value) back_edges;
};

// Keeps the leaves that an instruction has for the thread at hand.
void cutting_keep(
        struct cutting *cutting, const struct ir_instr *instr, const value *leaves);
// Loads or computes what the thread needs of another segment; for segments_each_use.
void cutting_load(const struct ir_instr *instr, void *context);
// The code that follows is of the thread with these coordinates and number.
void cutting_begin_thread(
        struct cutting *cutting, const value *coordinates, value number);
// The thread's part ends where the builder stands; its failure is noted.
void cutting_end_thread(struct cutting *cutting);
// What each thread does in a segment, but for its phis.
void cutting_emit_pieces(struct cutting *cutting, int index);
// Phis of the segment's block from the ways that come from segment `index`; keeps them.
void cutting_join(struct cutting *cutting, const struct ir_block *block, int index);

// emulator/turns.c: a segment that is a loop, turn by turn over all threads
void cutting_emit_turns(struct cutting *cutting, int index);
