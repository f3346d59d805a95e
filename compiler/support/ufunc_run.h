// SPDX-License-Identifier: MIT
// What a compiled ufunc loop hands to the code that drives it.
#pragma once

#include <stdint.h>

enum { UFUNC_MAX_OPERANDS = 32 };

// Applies the scalar function `count` times; `args` holds the operands' addresses, inputs
// first. Returns a status. The dense form ignores `steps`, and its turns may run in any
// order.
typedef int32_t (*ufunc_loop)(char *const *args, const intptr_t *steps, int64_t count);

// The layout is known to ufunc.c.
struct ufunc_plan {
    ufunc_loop dense, serial;
    int64_t inputs, operands;
    int64_t sizes[UFUNC_MAX_OPERANDS];
};

// Runs a ufunc's inner loop over all its elements, with NumPy's arguments for such a
// loop.
int32_t gridcell_ufunc_run(const struct ufunc_plan *plan, char **args,
        const intptr_t *dims, const intptr_t *steps);
