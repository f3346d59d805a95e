// SPDX-License-Identifier: MIT
// The table of builtins: which rule, or function of the library, a name stands for.
#pragma once

#include "compiler/typing/infer/rule.h"

// NULL: no such name.
const struct builtin *builtin_find(const char *name);
