// SPDX-License-Identifier: MIT
// Functions that the program implements for compiled code by argument types.
#pragma once

#include "base/py.h"

struct runtime;

bool py_overload_init(struct runtime *runtime);
// What compiled code calls in place of the object: a new reference, or NULL without an
// exception.
PyObject *py_overload_find(PyObject *object);
