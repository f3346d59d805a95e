// SPDX-License-Identifier: MIT
// Loops that come to their end by themselves, however they are told to stop: of few
// turns, or of no more than memory has items.
#pragma once

#include "compiler/codegen/analysis/flow.h"

// How many turns the loop makes at most, and one more, where they are few; else 0.
int64_t ends_most_turns(
        const struct flow *flow, const bool *in_loop, const struct ir_block *header);
// Whether a loop over this has no more turns than memory has items.
bool ends_is_within_memory(const struct ir_instr *iterable);
// Whether a while loop without loops inside moves numbers on with each turn, towards
// bounds no further away than memory has items.
bool ends_while_within_memory(
        const struct flow *flow, const bool *in_loop, const struct ir_block *header);
// What is known of a number, casts of integers aside.
bool ends_is_constant_within(const struct ir_instr *number, int64_t low, int64_t high);
bool ends_is_never_negative(const struct ir_instr *number);
