// SPDX-License-Identifier: MIT
// bfloat16, which is computed in float32.
#pragma once

#include "compiler/codegen/base/body.h"

// A float32 of its bits; the bits of a float32 or float64, rounded to nearest.
value bfloat_widen(struct body *body, value bits);
value bfloat_narrow(struct body *body, value real);
// A number of 64 bits in place of another, which float64 holds and bfloat16 rounds alike.
value bfloat_sticky(struct body *body, const struct type *type, value number);
