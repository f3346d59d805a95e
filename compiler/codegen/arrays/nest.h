// SPDX-License-Identifier: MIT
// Loops over all items of an array, an axis each.
#pragma once

#include "compiler/codegen/base/body.h"
#include "compiler/codegen/body/counted_loop.h"

// A loop for each axis, the last innermost. Its code lies between nest_open and
// nest_close; what is emitted there runs once for each element.
struct nest {
    struct counted_loop loops[MAX_NDIM];
    value indices[MAX_NDIM];
    int depth;
    bool is_short; // it has few turns
};

void nest_open(struct body *body, struct nest *nest, const struct type *type,
        const value *array);
void nest_close(struct body *body, struct nest *nest);
