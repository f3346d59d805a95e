// SPDX-License-Identifier: MIT
// From a cell's source to its code. All of it needs the GIL.
#pragma once

#include "base/py.h"

#include <stdbool.h>

// A cell's code: everything before its last expression, and that expression. Either may
// be NULL.
struct cell_code {
    PyObject *body, *last;
};

// The flags are compile()'s. False with an exception. `is_value`: the last expression's
// value is wanted, else it is displayed.
bool cell_code_compile(struct cell_code *cell, PyObject *source, PyObject *file_name,
        bool is_value, int flags);
void cell_code_finish(struct cell_code *cell);
