// SPDX-License-Identifier: MIT
// Loops that choose by a number: the cases of a switch, to LLVM.
#pragma once

#include "compiler/codegen/analysis/flow.h"

// Metadata of a module with such loops.
#define HAS_CHOICES "gridcell.choices"

// Whether a loop that could have vectors compares a number with some constants in turn.
bool choices_in_loop(
        struct arena *arena, const struct flow *flow, const struct ir_block *header);
