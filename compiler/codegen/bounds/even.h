// SPDX-License-Identifier: MIT
// Indices that an innermost `range` loop moves evenly.
#pragma once

#include "compiler/codegen/bounds/bounds.h"

enum { EVEN_MAX_FACTOR = 64 };

// An index that was asked about before the loop: factor * number + base.
struct hoisted {
    const struct ir_instr *access, *index;
    int axis;
    int64_t factor;
    value base, extent; // base NULL: 0
};

// A loop that ends where an index would be out of range.
struct clamp {
    struct body *body;
    const struct ir_block *header;
    const bool *in_loop;
    const struct ir_instr *number; // that the range gives
    value start, stop, step, clamped;
    value all_in; // bool: what is asked about has no turn out of range; NULL: nothing yet
    bool is_up;
    struct hoisted *hoisted;
    size_t count;
    LLVMBasicBlockRef exit; // where the loop is left to, once all is well
};

bool even_is_fixed(const struct clamp *clamp, const struct ir_instr *instr);
// Whether the index is factor * number + something that the loop leaves alone.
bool even_find_factor(
        const struct clamp *clamp, const struct ir_instr *instr, int64_t *factor);
// What such an index is where the range gives 0; NULL: it is 0.
value even_base(const struct clamp *clamp, const struct ir_instr *instr);
value even_index_at(struct codegen *gen, const struct hoisted *hoisted, value number);
// Whether two such indices are always equal.
bool even_is_same(const struct ir_instr *a, const struct ir_instr *b);
