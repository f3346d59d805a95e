// SPDX-License-Identifier: MIT
// The table of builtins: which rule, or function of the library, a name stands for.
#pragma once

struct builtin; // typing/infer/rule.h

// Builtins by canonical name ("math.exp", "builtins.abs", "cuda.grid"): all that typing
// knows, for the importer to recognise Python objects by. NULL-terminated.
const char *const *compiler_builtin_names(void);
// NULL: no such name.
const struct builtin *builtin_find(const char *name);
