// SPDX-License-Identifier: MIT
// Arithmetic on one type of number.
#pragma once

#include "compiler/codegen/base/body.h"

emitter arith_unary, arith_binary;
// Whether a division by zero gives 0, inf or nan, as NumPy's do, rather than raise.
bool arith_divides_as_numpy(const struct body *body, const struct ir_instr *instr);

// --- Overflow: overflow.c

void overflow_check_binary(
        struct body *body, const struct ir_instr *instr, value a, value b);
void overflow_check_negative(
        struct body *body, const struct type *type, value number, struct span span);

// --- Numbers of a GPU's registers: narrow.c

// Whether an operation on int64 numbers may be one on int32 numbers: all of them fit.
bool narrow_applies(const struct body *body, const struct ir_instr *instr);
value narrow_operand(struct body *body, const struct ir_instr *instr, size_t index);
value narrow_widened(struct body *body, value number);
// Converts such a number to a float; false: it is none, and nothing is done.
bool narrow_cast(struct body *body, const struct ir_instr *instr, value *out);

// --- Complex numbers and powers: power.c

void complex_multiply(struct body *body, const value *a, const value *b, value *out);
void complex_divide(struct body *body, const struct ir_instr *instr, const value *a,
        const value *b, value *out);
void complex_power(struct body *body, const struct ir_instr *instr, const value *a,
        const value *b, value *out);
void power_by_integer(struct body *body, const struct type *type, const value *base,
        value exponent, bool exponent_is_signed, value *out);
