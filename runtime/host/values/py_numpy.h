// SPDX-License-Identifier: MIT
// NumPy's C API for py_*.c files. NumPy is imported when a program first has a use for
// it, since that takes longer than everything else at the start: before any PyArray_*
// call one of the two functions below must have returned true.
// runtime/host/values/py_numpy.c defines the tables.
#pragma once

#include "base/py.h"

#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL gridcell_array_api
#define PY_UFUNC_UNIQUE_SYMBOL gridcell_ufunc_api
#ifndef GRIDCELL_DEFINES_NUMPY_API
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#endif
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>
#include <numpy/ufuncobject.h>

// Makes a call of NumPy that comes too soon a Python error. Called once, before all else.
// False with an exception set.
bool py_numpy_start(void);
// Imports NumPy if need be; false with an exception set when that fails.
bool py_numpy_load(void);
// Whether an object can be NumPy's at all: false as long as nobody has imported NumPy.
bool py_numpy_is_loaded(void);
