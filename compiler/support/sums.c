// SPDX-License-Identifier: MIT
// Sums of rows of floats as NumPy adds them: eight sums side by side, and halves of what
// is long. Done here once rather than in every module.
#include "compiler/support/support.h"

#include <stdbool.h>
#include <string.h>

enum { LANES = 8, BLOCK = 128 };

#define ITEM double
#define NAMED(name) name##_doubles
#include "compiler/support/sum_template.def"
#undef ITEM
#undef NAMED

#define ITEM float
#define NAMED(name) name##_floats
#include "compiler/support/sum_template.def"
#undef ITEM
#undef NAMED

double gridcell_sum_doubles(const char *items, int64_t start, int64_t n, int64_t stride)
{
    return sum_doubles(items + start * stride, n, stride);
}

float gridcell_sum_floats(const char *items, int64_t start, int64_t n, int64_t stride)
{
    return sum_floats(items + start * stride, n, stride);
}
