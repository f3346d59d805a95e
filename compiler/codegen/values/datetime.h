// SPDX-License-Identifier: MIT
// Dates and spans of time, which are counts of a unit.
#pragma once

#include "compiler/codegen/base/body.h"

// A date or span in another unit.
value datetime_convert(
        struct body *body, const struct type *from, const struct type *to, value count);
// What a comparison of two counts is with regard to NaT.
value datetime_compare(struct body *body, value compared, enum ir_compare compare,
        value left, value right);
