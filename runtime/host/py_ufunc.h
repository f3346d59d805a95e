// SPDX-License-Identifier: MIT
// Ufuncs made of jitted scalar functions.
#pragma once

#include "base/py.h"

// The dispatcher of the scalar function behind a ufunc of ours, as a new reference; NULL
// (no exception) for any other object.
PyObject *py_ufunc_dispatcher(PyObject *object);
