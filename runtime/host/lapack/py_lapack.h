// SPDX-License-Identifier: MIT
// LAPACK for compiled code, where the process has it.
#pragma once

#include "base/py.h"

// load_lapack() -> whether there is one
PyObject *py_lapack_load(PyObject *self, PyObject *ignored);
