// SPDX-License-Identifier: MIT
// Arrays: accesses with their checks, views, memory.
#pragma once

#include "compiler/codegen/base/body.h"

emitter array_load, array_store, array_shape, array_strides, array_len, array_size;
emitter array_transpose, array_field;
emitter array_part; // the real or the imaginary parts, as a view
// The address of the element that an access is to: operands: array, indices...
value array_address(struct body *body, const struct ir_instr *access);

// --- view.c

emitter array_view, array_strided, array_reshape, array_broadcast;

// --- memory.c

emitter array_copy_into, array_allocate;
// The bytes of an array of this shape; raises where they are more than can be counted.
value array_checked_size(
        struct body *body, const struct type *type, const value *shape, struct span span);

// --- fill.c

emitter array_fill;
