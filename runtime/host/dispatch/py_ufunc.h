// SPDX-License-Identifier: MIT
// Ufuncs made of jitted scalar functions.
#pragma once

#include "base/py.h"
#include "compiler/types/type.h"
#include "runtime/host/values/py_numpy.h"

// The dispatcher of the scalar function behind a ufunc of ours, as a new reference; NULL
// (no exception) for any other object.
PyObject *py_ufunc_dispatcher(PyObject *object);

// The jitted function that compiled code calls for a gufunc of ours, as a new reference;
// NULL for any other object, or with an exception set.
PyObject *py_gufunc_function(PyObject *object);

// The type of the elements that a ufunc sees in a value: of an array its dtype, of
// anything else that NumPy would take as an array that array's. type_pyobject when there
// is none.
const struct type *py_element_type(PyObject *value);

// Whether the operands convert safely to dtypes among which are dates: 1, with the dtypes
// of all `count` elements in `out`; 0; -1: an exception is set.
int py_times_resolve(const struct type *const *elements, int input_count, int count,
        PyArrayObject *const *operands, PyArray_Descr **out);
// The exception that there is no loop for the operands. Returns -1.
int py_times_refuse(const PyUFuncObject *ufunc);

// PyUFunc_None and such for what a decorator's `identity` says. False: ValueError is set.
bool py_ufunc_identity(PyObject *identity, int *out);
