// SPDX-License-Identifier: MIT
// A kernel's loop whose turns the threads of a block take together.
#pragma once

#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/base/body.h"

// The header of the loop of a kernel whose threads may take their turns together, or
// NULL.
const struct ir_block *interchange_find(
        struct codegen *gen, const struct ir_function *ir);
// Whether the loop with this header strides by the block or the grid from where a thread
// is, so that threads that take their turns together walk through memory side by side.
bool interchange_strides(
        struct arena *arena, const struct flow *flow, const struct ir_block *header);
// The item of the turn that the body is emitted for, and whether there is one.
value interchange_item(struct body *body, const struct ir_instr *iternext,
        const struct type *range, const value *leaves, value *position);
