// SPDX-License-Identifier: MIT
// A generator as a value: asked for its next item.
#pragma once

#include "compiler/codegen/base/body.h"

// Whether the generator has another value; leaves the function when it failed.
value generator_next(struct body *body, value object, struct span span);
// Likewise, but it is asked only where the condition holds: what a generator in zip has
// left, where those before it have ended, can be read after the loop.
value generator_next_if(
        struct body *body, value object, value condition, struct span span);
void generator_value(
        struct body *body, const struct type *type, value object, value *out);
