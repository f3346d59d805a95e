// SPDX-License-Identifier: MIT
// Sums and differences of numbers of ranges and what these were made of.
#pragma once

#include "compiler/ir/ir.h"

// More turns than a loop makes: 2^50 of a nanosecond take a fortnight.
static const int64_t MAX_TURNS = (int64_t)1 << 50;

// Whether a sum or a difference is at least 0 whatever its terms are, as far as that is
// known of the intervals of instructions.
bool ir_is_never_negative(const struct ir_instr *instr, const struct interval *of);
