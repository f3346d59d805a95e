// SPDX-License-Identifier: MIT
// Iterators: GETITER, ITERNEXT and what they yield.
#pragma once

#include "compiler/codegen/base/body.h"

void iter_open(struct body *body, const struct ir_instr *instr);
void iter_next(struct body *body, const struct ir_instr *instr);
void iter_item(struct body *body, const struct ir_instr *instr, value *out);
