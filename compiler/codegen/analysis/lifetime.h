// SPDX-License-Identifier: MIT
// Where the values of a function that own counted memory are used for the last time.
#pragma once

#include "compiler/codegen/analysis/flow.h"

// Lists of owners, each ended by NULL; NULL: an empty one. Tables are by id, in the
// arena.
struct lifetime {
    const struct ir_instr ***after; // by instruction: who ends with it
    const struct ir_instr **
            *at_start; // by block: who has ended before it, after its phis
    bool *is_again;    // by phi: whether it may own from before still
    bool *is_long;     // by owner: lives until it is made again, or the function ends
    bool has_long;     // some owner does
};

// `is_owner` by instruction id.
struct lifetime *lifetime_find(struct arena *arena, const struct ir_function *function,
        const struct flow *flow, const bool *is_owner);
