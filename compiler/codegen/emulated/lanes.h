// SPDX-License-Identifier: MIT
// A row of threads that differ in x alone, on the emulated device: for which of them the
// kernel's guards ("if i < n") hold and its indices are in range. Those run in a loop
// without these questions, which vectorises; the few others run as written.
#pragma once

#include "compiler/codegen/base/body.h"

// While the body of the loop is emitted: what it takes for granted.
struct lanes {
    struct codegen *gen;
    struct body pure;       // computes what the first lane of the row has, in `head`
    LLVMBasicBlockRef head; // runs once, ahead of the loops; open at its end
    unsigned char *kinds;   // by instruction id
    bool *is_certain;       // by block id: each lane comes to it that the loop is for
    value from, to;         // int64: the lanes that all assumptions hold for
    int assumptions;
    value turn_first; // of a body for one turn: the number that the first lane has
};

// The builder stands in `head`. `count`: int64, at most INT32_MAX lanes.
struct lanes *lanes_open(struct codegen *gen, value count);
// When `body`, which is to be emitted from the block `first` on, is open.
void lanes_begin(
        struct lanes *lanes, const struct body *body, const struct ir_block *first);
// The lanes for which all assumptions hold, int64; the builder stands at the end of
// `head`.
void lanes_close(struct lanes *lanes, value *from, value *to);

// Whether the loop is for lanes whose index is in range.
bool lanes_assume_index(struct body *body, const struct ir_instr *index, value extent);
// Which way the lanes go that the loop is for: 0, 1, or -1 if they may part.
int lanes_assume_branch(struct body *body, const struct ir_instr *branch);
// Whether the loop is for lanes that have a turn of the kernel's loop.
bool lanes_assume_turn(struct body *body, const struct ir_instr *iternext);
// A block ends: where to do the lanes go that came to it?
void lanes_leave(struct body *body, const struct ir_instr *terminator);

// Whether threads know their place in the grid but not which block it is in, so that
// blocks side by side can run as one.
bool lanes_may_join_blocks(const struct ir_function *ir);
// Whether threads side by side touch items side by side: blocks of several rows gain from
// long rows then, and lose by them otherwise.
bool lanes_walk_rows(struct codegen *gen, const struct ir_function *ir);
