// SPDX-License-Identifier: MIT
// Functions as values, and pointers.
#pragma once

#include "compiler/codegen/base/body.h"

void callable_call(struct body *body, const struct ir_instr *instr, value *out);
// A function, or one of several, as a value of another type; false if it is neither.
bool callable_cast(struct body *body, const struct type *from, const struct type *to,
        const value *in, value *out, struct span span);
void pointer_primitive(struct body *body, const struct ir_instr *instr, value *out);
