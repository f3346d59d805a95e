// SPDX-License-Identifier: MIT
// A generator as a value: asked for its next item.
#pragma once

#include "compiler/codegen/base/body.h"

// Whether the generator has another value; leaves the function when it failed.
value generator_next(struct body *body, value object, struct span span);
void generator_value(
        struct body *body, const struct type *type, value object, value *out);
