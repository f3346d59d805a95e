// SPDX-License-Identifier: MIT
// A value as one of another type.
#pragma once

#include "compiler/codegen/base/body.h"

void cast_value(struct body *body, const struct type *from, const struct type *to,
        const value *in, value *out, struct span span);
