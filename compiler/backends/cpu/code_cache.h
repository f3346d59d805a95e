// SPDX-License-Identifier: MIT
// Code of portable modules on disk.
#pragma once

#include "compiler/backends/compilation.h"

// Looks for the module's code, before it is optimised. That there is none, or no cache,
// is no failure.
bool code_cache_find(struct compilation *c);
// Keeps the object that was made, in the first folder that can be written. That there is
// none is no failure either: cache_failure says why.
bool code_cache_keep(struct compilation *c);
// Loads the object, found or made, under names of this process: sets code_symbol and
// entry_symbol to them.
bool code_cache_load(struct compilation *c);
