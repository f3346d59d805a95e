// SPDX-License-Identifier: MIT
// Functions as values, and pointers.
#pragma once

#include "compiler/codegen/base/body.h"

emitter callable_call;
// A function, or one of several, as a value of another type; false if it is neither.
bool callable_cast(struct body *body, const struct type *from, const struct type *to,
        const value *in, value *out, struct span span);
emitter pointer_array, pointer_address, pointer_of_array;
