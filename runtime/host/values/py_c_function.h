// SPDX-License-Identifier: MIT
// Functions of C that Python objects stand for.
#pragma once

#include "base/py.h"

struct type;

// Functions of ctypes: the type, NULL for other objects; and the address. numba's words
// for one without argument types are set as an exception.
bool py_is_foreign(PyObject *object);
const struct type *py_foreign_type(PyObject *object);
bool py_foreign_unbox(PyObject *object, void *target);
