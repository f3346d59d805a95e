// SPDX-License-Identifier: MIT
// Loops whose turns are independent, which LLVM may vectorise without checks.
#pragma once

#include "compiler/codegen/body/counted_loop.h"

struct parallel_loop {
    value access_group, loop_id;
};
enum parallel_kind {
    PARALLEL_LONG,
    PARALLEL_SHORT,  // one vector a turn
    PARALLEL_MASKED, // the same, the last turn with what is left of one
};

struct parallel_loop parallel_create(struct codegen *gen, enum parallel_kind kind);
// Marks the memory accesses and calls in the blocks from `first` to `last` in layout
// order.
void parallel_mark_blocks(struct codegen *gen, const struct parallel_loop *parallel,
        LLVMBasicBlockRef first, LLVMBasicBlockRef last);
void parallel_mark_latch(struct codegen *gen, const struct parallel_loop *parallel,
        const struct counted_loop *loop);
