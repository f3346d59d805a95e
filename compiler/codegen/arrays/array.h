// SPDX-License-Identifier: MIT
// Arrays: accesses with their checks, views, memory.
#pragma once

#include "compiler/codegen/base/body.h"

void array_primitive(struct body *body, const struct ir_instr *instr, value *out);
// The address of the element that an access is to: operands: array, indices...
value array_address(struct body *body, const struct ir_instr *access);

// --- view.c

void array_view(struct body *body, const struct ir_instr *instr, value *out);
void array_strided(struct body *body, const struct ir_instr *instr, value *out);
void array_reshape(struct body *body, const struct ir_instr *instr, value *out);
void array_broadcast(struct body *body, const struct ir_instr *instr, value *out);

// --- memory.c

void array_copy_into(struct body *body, const struct ir_instr *instr);
void array_fill(struct body *body, const struct ir_instr *instr);
void array_allocate(
        struct body *body, const struct ir_instr *instr, bool is_zeroed, value *out);
