// SPDX-License-Identifier: MIT
// Checks that indices are in range: which, and where.
#pragma once

#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/base/body.h"
#include "compiler/types/source.h"

// What is known of the indices of a body.
struct body_bounds {
    struct bounds_row **rows; // by block id: of headers of loops that are there twice
    bool is_seldom;           // whether what is emitted of one hardly ever runs
    struct clamp **clamps;    // by block id: of headers whose ranges end in time
    struct clamp **turns;     // by block id: of loops that ask where turns begin, there
    unsigned char *lax;       // by block id: of headers, 1: computed indices go unchecked
    uint64_t *hoisted;        // by instruction id: the axes that are asked about before
};
void bounds_prepare(struct body *body, size_t id_count);

// Which indices of the body are checked, on its target.
enum bounds_checks bounds_mode(const struct body *body);

// Whether LLVM makes a sequence of the loop's turns. It needs to know how many there are,
// and a shortened range would leave it a loop: each access asks, and LLVM finds what is
// asked twice.
bool bounds_is_written_out(const struct body *body, const struct ir_block *header);
bool bounds_is_access(const struct ir_instr *instr); // to an element, of an array

// --- What is known of an index: bounds/proof.c

// Whether the index and a constant are less than the extent, whatever the turn.
bool bounds_is_below(const struct body *body, const struct ir_instr *index, int64_t moved,
        value extent);
// Whether the index is in range.
bool bounds_is_proven(
        const struct body *body, const struct ir_instr *index, value extent);

// Whether the index is held within the axis by min and max: in range, and not negative,
// where the axis has items; where it has none it is *of_none.
bool bounds_is_held(const struct body *body, const struct ir_instr *index, value extent,
        int64_t *of_none);

// --- Neighbours in a ring: bounds/wrapped.c

// Whether it is the remainder of a number that is known to be near the range of the
// divisor, which then is above 0: such a remainder is never negative.
bool bounds_is_wrapped(const struct body *body, const struct ir_instr *instr);
// That remainder, or one of what may be near; false if it is another operation.
bool bounds_wrap(struct body *body, const struct ir_instr *instr, value *out);

// --- Before a loop: bounds/loop.c

enum { BOUNDS_DEEP_NEST = 4 }; // where the innermost loop makes few turns: windows
// Whether nobody sees how far the loop's last turn came that fails.
bool bounds_loop_is_quiet(const struct flow *flow, const bool *in_loop);
// Whether the block comes in each turn of a loop, that ends or that is left.
// `may_store`: also where a window inside stores.
bool bounds_is_in_each_turn(const struct body *body, const struct ir_block *header,
        const bool *in_loop, const struct ir_block *block, bool may_store);
// Whether checks at computed indices would keep LLVM from taking several turns of the
// loop at once, or would be much of what it does.
bool bounds_is_lax(const struct body *body, const struct ir_block *header);

// What an iterator is to run over, so that what the loop's turns have in common is in
// range: the one given, or a shorter range.
const value *bounds_open(
        struct body *body, const struct ir_instr *getiter, const value *iterable);
// Where a turn begins whose indices were asked about before, it ends if they are out.
void bounds_enter(struct body *body, const struct ir_block *block);
// Where the header's branch out of the loop goes instead of to `target`, to ask whether
// the range was over; `target` if there is nothing to ask.
LLVMBasicBlockRef bounds_leave(
        struct body *body, const struct ir_block *header, LLVMBasicBlockRef target);
// Whether the range ends where an index that moves with it would leave its array.
bool bounds_end_loop(const struct body *body, const struct ir_block *header);
// The block from which control then comes to the target; NULL: the usual one.
LLVMBasicBlockRef bounds_exit(const struct body *body, const struct ir_block *header);

// --- Rows that are written out: bounds/row.c

// A loop that is there twice: loops/twice.c emits both.
struct bounds_row {
    size_t block_count;      // from the header on, in the order of the flow
    value is_in;             // whether the copy may run that does not ask
    LLVMBasicBlockRef entry; // where control goes from before the loop
};

// Where that is, if the header's loop is there twice; else NULL.
LLVMBasicBlockRef bounds_row_entry(
        const struct body *body, const struct ir_block *header);

// --- What only the library does, unchecked: bounds/trusted.c

// Before the instruction, where source_checks_library().
void bounds_ask_trusted(struct body *body, const struct ir_instr *instr);

// --- At an access: bounds.c

struct bounds_axis {
    value is_out, extent;
    const struct ir_instr *index;
    int number;
};

struct bounds {
    struct body *body;
    const struct ir_instr *access;
    struct bounds_axis axes[64];
    int count;
};

void bounds_begin(
        struct bounds *bounds, struct body *body, const struct ir_instr *access);
// The index counted from the axis's start, to be checked where that is due.
value bounds_ask(struct bounds *bounds, int axis, const struct ir_instr *index_instr,
        value extent);
// Leaves the function if an index that was asked about is out of range.
void bounds_end(struct bounds *bounds);
