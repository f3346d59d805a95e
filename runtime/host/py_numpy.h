// SPDX-License-Identifier: MIT
// NumPy's C API for py_*.c files; runtime/py_module.c alone defines its tables.
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
