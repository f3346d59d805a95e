// SPDX-License-Identifier: MIT
// All places of a shape, in C order.
#pragma once

#include "compiler/codegen/base/body.h"

struct axes {
    value *slots; // the next index along each axis
    int count;    // 0: there are none
};

void axes_open(struct body *body, struct axes *axes, const value *extents, int count);
// Whether there is a place, of which `now` is the index; goes on to the next one. *offset
// goes along by `strides`, unless it is NULL.
value axes_advance(struct body *body, const struct axes *axes, const value *extents,
        const value *strides, value *now, value *offset);
