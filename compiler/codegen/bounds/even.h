// SPDX-License-Identifier: MIT
// Indices that a loop moves evenly, or leaves alone.
#pragma once

#include "compiler/codegen/bounds/bounds.h"

enum { EVEN_MAX_FACTOR = 64, EVEN_MAX_SPREAD = 1 << 20 };

// What a loop makes of an index: factor * number + what it leaves alone + something from
// low to high, which unrolled loops inside give in each turn.
struct even {
    int64_t factor, low, high;
};

// An index that was asked about before the loop: factor * number + base.
struct hoisted {
    const struct ir_instr *access, *index;
    int axis;
    int64_t factor, spread; // spread: what the least index of a turn is below this one
    value base, extent;     // base NULL: 0
    bool is_unsigned;       // the index: a negative number is a very large one
};

// A loop that ends where an index would be out of range, or, if it has none that move,
// asks so in each turn: what no turn changes is answered once.
struct clamp {
    struct body *body;
    const struct ir_block *header;
    const bool *in_loop, *in_outer;        // by block id; the latter NULL: none around it
    const struct ir_instr *range, *number; // that the range gives; NULL: unused,
                                           // or none that ends where it has to
    value start, stop, step, clamped;
    // Bools: what is asked about has no turn out of range; NULL: nothing yet. Of the
    // second the loop around this one has an answer for each of its turns.
    value all_in, all_in_now;
    value is_out;         // of a loop that asks in each turn
    bool is_up, is_twice; // is_twice: another copy of the loop makes turns that fail
    struct hoisted *hoisted;
    size_t count;
    LLVMBasicBlockRef exit; // where the loop is left to, once all is well
};

// --- What the loop leaves alone: bounds/fixed.c

bool even_is_fixed(const struct clamp *clamp, const struct ir_instr *instr);
// As int64, made before the loop; NULL: another in each turn, or nothing is known of it.
value even_fixed_index(const struct clamp *clamp, const struct ir_instr *index);
value even_fixed_length(
        const struct clamp *clamp, const struct ir_instr *array, int axis);

// --- What it moves: bounds/even.c

// Whether the index is such a sum, and which.
bool even_find(
        const struct clamp *clamp, const struct ir_instr *instr, struct even *even);
// What it is where the range and the loops inside give 0; NULL: it is 0.
value even_base(const struct clamp *clamp, const struct ir_instr *instr);
value even_moved(const struct clamp *clamp, value base, int64_t by);
value even_index_at(struct codegen *gen, const struct hoisted *hoisted, value number);
// Whether the index, and so what is asked about it, is another in each turn of the loop
// around this one.
bool even_varies(const struct clamp *clamp, const struct ir_instr *index);
// Whether two such indices are always equal.
bool even_is_same(const struct ir_instr *a, const struct ir_instr *b);

// Asks about all accesses of the loop that may be asked about before it, and marks them.
void bounds_hoist_all(struct clamp *clamp);
// Whether the primitive changes nothing.
bool bounds_only_looks(enum ir_primitive primitive);
// The same for a row that is written out, or a loop over such rows; false if that is not
// to be there twice: bounds/row.c.
bool bounds_row_open(struct clamp *clamp);
