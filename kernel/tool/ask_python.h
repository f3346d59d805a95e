// SPDX-License-Identifier: MIT
// Python of the user's environment in a process of its own, so that a broken environment
// is a line of the answer, not the end.
#pragma once

#include <stdbool.h>

#include "base/str.h"

// The interpreter to ask: `given`, or the one that the kernel would take.
void ask_choose_python(struct str *python, const char *given);
// Lets the processes that follow find the package beside the executable (a build folder),
// or under the prefix where it is installed.
void ask_add_package_path(void);
// Runs a program and appends what it printed; `failure` says why there is nothing. Where
// it is quiet, what it says besides is not shown.
void ask_program(
        char *const argv[], bool is_quiet, struct str *answer, struct str *failure);
