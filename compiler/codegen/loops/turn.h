// SPDX-License-Identifier: MIT
// What happens at the end of a loop's turn.
#pragma once

#include "compiler/codegen/base/body.h"

// turn.c: what happens at the end of a loop's turn
// Before the terminator of a block: asks, where it ends a turn, whether to stop.
void turn_end(struct body *body, const struct ir_block *block);
// Whether each turn of the loop asks rather than strips of them: one may take long, or
// the loop is likely to be short.
bool turn_asks(struct body *body, const struct ir_block *header);
// Says on a jump back to a header how LLVM is to treat the loop.
void turn_mark(struct body *body, const struct ir_instr *jump, value branch);
