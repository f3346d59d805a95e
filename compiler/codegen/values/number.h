// SPDX-License-Identifier: MIT
// Primitives on numbers, random numbers, ranges and slices.
#pragma once

#include "compiler/codegen/base/body.h"

emitter number_abs, number_divide, number_imag;
emitter number_extreme; // the smaller or the larger of two
emitter random_next, random_bits, random_seed;
emitter range_make, range_len;
value range_length(struct body *body, const struct type *element, const value *range);
emitter slice_make;
