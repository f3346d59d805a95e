// SPDX-License-Identifier: MIT
// Atomic operations on elements that devices cannot swap as they are.
#pragma once

#include "compiler/codegen/base/body.h"

// The old value of the element of 8 or 16 bits at the address, on which the primitive has
// been done; `expected` is what a compare-and-swap looks for.
value atomic_narrow(struct body *body, enum ir_primitive primitive,
        const struct type *type, value address, value expected, value number);
