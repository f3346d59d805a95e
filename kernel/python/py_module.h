// SPDX-License-Identifier: MIT
// What start needs beside the rooms below. All of it needs the GIL.
#pragma once

#include "base/py.h"

// ---- py_module.c: the built-in module _gridcell_kernel
PyObject *kernel_module_init(void);

// ---- py_interp.c
// The interpreter whose standard library this process uses, where that is not the
// environment's own; else None. New reference.
PyObject *interp_own_executable(void);

// ---- py_guest.c
// Where Python was there first: takes it over, as far as it is not in order.
bool guest_begin(const char *connection_file);

// ---- py_imports.c
bool imports_init(void);

// ---- py_profile.c
// Loads the user's IPython configuration and runs its startup files, where there are any.
void profile_load(void);
