// SPDX-License-Identifier: MIT
// print(): on the CPU a call for each value, on a GPU one vprintf.
#pragma once

#include "compiler/codegen/base/body.h"

// Both are what a target's `print` is.
void print_by_calls(struct body *body, const struct ir_instr *instr);
void print_by_vprintf(struct body *body, const struct ir_instr *instr);
