// SPDX-License-Identifier: MIT
// Ufuncs that programs make (@vectorize), as compiled code sees them: functions of
// numbers, under names of their own among the builtins.
#pragma once

#include "compiler/types/source.h"

#define UFUNC_PREFIX "ufunc@"

// The name by which compiled code calls the ufunc of a scalar function; lives for ever.
const char *ufunc_register(struct source *source);
// The scalar function behind such a name; NULL once it is gone.
struct source *ufunc_find(const char *name);
// Ends the name of a function that is destroyed, if it has one.
void ufunc_forget(const struct source *source);
