// SPDX-License-Identifier: MIT
// Ufuncs made of jitted scalar functions.
#pragma once

#include "base/py.h"
#include "compiler/typing/type.h"

// The dispatcher of the scalar function behind a ufunc of ours, as a new reference; NULL
// (no exception) for any other object.
PyObject *py_ufunc_dispatcher(PyObject *object);

// The type of the elements that a ufunc sees in a value: of an array its dtype, of
// anything else that NumPy would take as an array that array's. type_pyobject when there
// is none.
const struct type *py_element_type(PyObject *value);
