// SPDX-License-Identifier: MIT
// Loops that count from 0, for code that no loop of the user's program stands for.
#pragma once

#include "compiler/codegen/base/body.h"

// A loop of `count` (int64) turns: open yields the index; the code until close is its
// body.
struct counted_loop {
    LLVMBasicBlockRef head, exit;
    value index, count, back_edge;
};

value control_loop_open(struct body *body, value count, struct counted_loop *loop);
void control_loop_close(struct body *body, struct counted_loop *loop);
// Of a loop with few turns: it is neither vectorised nor unrolled.
void loop_keep_scalar(struct codegen *gen, value back_edge);
// Of a loop that may be vectorised, but is not worth unrolling.
void loop_keep_rolled(struct codegen *gen, value back_edge);
// Of a loop that may be vectorised, whose turns are of two vectors: what they leave over
// is little.
void loop_keep_short(struct codegen *gen, value back_edge);
