// SPDX-License-Identifier: MIT
// What NumPy's names of dtypes mean.
#pragma once

#include "compiler/types/type.h"

// The type of items that NumPy's dtype of this name has; NULL: there is none.
const struct type *type_by_dtype_name(const char *name);
