// SPDX-License-Identifier: MIT
// Loads NumPy's function tables when they are first needed.
#define GRIDCELL_DEFINES_NUMPY_API
#include "runtime/host/values/py_numpy.h"

bool py_numpy_load(void)
{
    if (PyArray_API && PyUFunc_API)
        return true;
    PyObject *numpy = PyImport_ImportModule("numpy");
    if (!numpy && PyErr_ExceptionMatches(PyExc_ModuleNotFoundError))
        PyErr_SetString(PyExc_ImportError,
                "this needs NumPy, which this Python does not have; "
                "install it with: python3 -m pip install numpy");
    if (!numpy)
        return false;
    Py_DECREF(numpy);
    return _import_array() >= 0 && _import_umath() >= 0;
}

bool py_numpy_is_loaded(void)
{
    if (PyArray_API && PyUFunc_API)
        return true;
    PyObject *numpy = NULL;
    if (py_dict_get_text(PyImport_GetModuleDict(), "numpy", &numpy) <= 0)
        return false;
    Py_DECREF(numpy);
    bool is_loaded = py_numpy_load();
    PyErr_Clear();
    return is_loaded;
}
