// SPDX-License-Identifier: MIT
// Innermost loops in strips, between which they ask whether to stop.
#pragma once

#include "compiler/codegen/base/body.h"

struct strip_bounds {
    value position, stop;
    bool is_up, is_signed;
};
struct strip_state {
    value position;                  // slot of what the bounds are about
    value number_slot, number, step; // of a range that counts its turns; else NULL
};

// The slot of the limit if the loop over this iterator is to run in strips, else NULL.
// Where there are no turns the stop becomes the position.
value strip_open(struct body *body, const struct ir_instr *getiter,
        struct strip_bounds *bounds, const struct strip_state *state);
value strip_compare(struct body *body, const struct strip_bounds *bounds, value limit);
// Makes the outer phis of a header; the builder is at the header's start before and
// after.
void strip_phis(struct body *body, const struct ir_block *header);
// Emits the branch of a header that runs in strips; false if it does not.
bool strip_branch(struct body *body, const struct ir_instr *branch);
LLVMBasicBlockRef body_edge_target(
        const struct body *body, const struct ir_block *from, const struct ir_block *to);
// The block that control leaves `from` by on the way to `to`.
LLVMBasicBlockRef body_edge_source(
        const struct body *body, const struct ir_block *from, const struct ir_block *to);
// The first block of a loop; and of a second copy of it, whose header has no phis.
LLVMBasicBlockRef strip_start(const struct body *body, const struct ir_block *header);
LLVMBasicBlockRef strip_begin_again(struct body *body, const struct ir_block *header);
// Gives the phi, number `index` of its block, its incoming values.
void body_connect_phi(struct body *body, const struct ir_instr *phi, size_t index);
