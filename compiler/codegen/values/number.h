// SPDX-License-Identifier: MIT
// Primitives on numbers, random numbers, ranges and slices.
#pragma once

#include "compiler/codegen/base/body.h"

void number_primitive(struct body *body, const struct ir_instr *instr, value *out);
void random_primitive(struct body *body, const struct ir_instr *instr, value *out);
void range_primitive(struct body *body, const struct ir_instr *instr, value *out);
value range_length(struct body *body, const struct type *element, const value *range);
void slice_primitive(struct body *body, const struct ir_instr *instr, value *out);
