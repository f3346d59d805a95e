// SPDX-License-Identifier: MIT
// Loops that the threads of the pool share: prange.
#pragma once

#include "compiler/codegen/base/body.h"

// The loop, and what it reduces to.
void parallel_for(struct body *body, const struct ir_instr *instr, value *out);
// The number of the thread, or how many there may be.
value parallel_question(struct body *body, bool is_number);
