// SPDX-License-Identifier: MIT
// Functions and ufunc loops for the CPU.
#pragma once

#include "compiler/backends/compilation.h"

// Makes the module: the function, all that it calls, and what callers enter it by.
compilation_pass host_emit;
// Loads the machine code and looks up the entry.
compilation_pass host_load;
