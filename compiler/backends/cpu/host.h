// SPDX-License-Identifier: MIT
// Functions and ufunc loops for the CPU.
#pragma once

#include "compiler/backends/compilation.h"

// Makes the module: the function, all that it calls, and what callers enter it by.
bool host_emit(struct compilation *c);
// Loads the machine code and looks up the entry.
bool host_load(struct compilation *c);
