// SPDX-License-Identifier: MIT
// Loops that make no more turns than a number has bits.
#pragma once

#include "compiler/codegen/analysis/flow.h"

// Whether the loop, with one jump back, which comes from `latch`, ends with the bits of a
// number.
bool bits_run_out(const struct flow *flow, const bool *in_loop,
        const struct ir_block *header, const struct ir_block *latch);
