// SPDX-License-Identifier: MIT
// All places of a shape, in C order.
#pragma once

#include "compiler/codegen/base/body.h"

// An array of the shape: how far the place is from its first item, in bytes.
struct axes_follower {
    value slot; // the next place's
    const value *strides;
    bool is_dense; // its items lie in C order without gaps
};

struct axes {
    value *slots; // the next index along each axis
    int count;    // 0: there are none
    const value *extents;
    struct axes_follower *followers;
    size_t follower_count;
};

void axes_open(struct body *body, struct axes *axes, const value *extents, int count);
// Whether there is a place, of which `now` is the index; goes on to the next one, as the
// followers do. `offsets` are theirs at this place.
value axes_advance(
        struct body *body, const struct axes *axes, value *now, value *offsets);

// An array, or a tuple of arrays of one shape: how many, and their types.
size_t axes_array_count(const struct type *arrays);
const struct type *axes_array(const struct type *arrays, size_t k);
// Likewise over the places of arrays, whose leaves these are, with a follower for each.
// False: they have one axis, for which an index does.
bool axes_open_arrays(struct body *body, struct axes *axes, const struct type *arrays,
        const value *leaves);
// Of an array's item: at the follower's offset, or by the index along the one axis.
value axes_address(struct body *body, const struct axes *axes, const struct type *type,
        const value *array, value index, const value *offset);
