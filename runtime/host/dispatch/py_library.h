// SPDX-License-Identifier: MIT
// The compiler's library of Python functions.
#pragma once

// Tells the compiler how to find them.
void py_library_init(void);
