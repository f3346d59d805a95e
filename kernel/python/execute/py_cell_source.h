// SPDX-License-Identifier: MIT
// How long the source of a cell is kept for tracebacks and linecache. Needs the GIL.
#pragma once

#include "base/py.h"

// Called once at the start. False with an exception.
bool cell_source_init(void);
// A cell has run, or could not be compiled (no code then): its source is kept while any
// code of it is left, and for a thousand further cells. Each part of the code may be
// NULL.
void cell_source_follow(PyObject *file_name, PyObject *body, PyObject *last);
