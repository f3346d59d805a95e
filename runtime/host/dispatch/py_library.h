// SPDX-License-Identifier: MIT
// The compiler's library of Python functions.
#pragma once

#include "base/error.h"

struct source;

// The function "module.function"; its module keeps it. Takes the GIL.
struct source *py_library_load(const char *name, struct error *err);
