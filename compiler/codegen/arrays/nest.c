// SPDX-License-Identifier: MIT
// Loops over all items of an array.
#include "compiler/codegen/arrays/nest.h"
#include "compiler/codegen/base/types.h"

#include <assert.h>

void nest_open(
        struct body *body, struct nest *nest, const struct type *type, const value *array)
{
    assert(type->kind == TYPE_ARRAY && type->array.ndim <= MAX_NDIM);
    nest->depth = type->array.ndim;
    for (int i = 0; i < nest->depth; i++)
        nest->indices[i] =
                control_loop_open(body, array[ARRAY_SHAPE(i)], &nest->loops[i]);
}

void nest_close(struct body *body, struct nest *nest)
{
    while (nest->depth--) {
        control_loop_close(body, &nest->loops[nest->depth]);
        if (nest->is_short)
            loop_keep_scalar(body->gen, nest->loops[nest->depth].back_edge);
    }
}
