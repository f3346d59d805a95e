// SPDX-License-Identifier: MIT
// One instruction that is not a terminator, whatever its operation.
#pragma once

#include "compiler/codegen/base/body.h"

// Writes the leaves of the result to `out`.
void emit_value(struct body *body, const struct ir_instr *instr, value *out);
// A phi for each leaf, without incoming values.
void emit_phi(struct body *body, const struct ir_instr *instr, value *out);
