// SPDX-License-Identifier: MIT
// Arguments that are arrays in all but name.
#pragma once

#include "base/py.h"

// An array over the memory of an object that lends it: a new reference; NULL, without an
// exception, for all others, also those that compiled code knows as they are.
PyObject *py_buffer_as_array(PyObject *object);
// New references on the arguments, arrays in place of such objects; true if there are
// some.
bool py_buffers_as_arrays(PyObject *const *args, size_t count, PyObject **out);
// array.array, a class of a module that need not be loaded.
bool py_is_python_array(PyObject *value);
// Whether the value is of a class of Python's that lends its memory.
bool py_lends_memory(PyObject *value);
