// SPDX-License-Identifier: MIT
// Functions of C as ctypes and cffi have them: their types and addresses.
#include "runtime/host/values/py_c_function.h"

#include <string.h>

#include "runtime/host/values/py_values.h"

// What a module that cffi compiled has its functions in.
static bool is_cffi_library(PyObject *object)
{
    return object && !strcmp(Py_TYPE(object)->tp_name, "_cffi_backend.Lib");
}

// An object of the class in numba/core/foreign.py.
static bool is_named_function(PyObject *object)
{
    PyObject *class = (PyObject *)Py_TYPE(object), *module = NULL;
    if (strcmp(Py_TYPE(object)->tp_name, "ExternalFunction") != 0)
        return false;
    module = PyObject_GetAttrString(class, "__module__");
    bool is_ours = module && PyUnicode_Check(module) &&
                   PyUnicode_CompareWithASCIIString(module, "numba.core.foreign") == 0;
    Py_XDECREF(module);
    py_error_drop();
    return is_ours;
}

bool py_is_foreign(PyObject *object)
{
    for (PyTypeObject *class = Py_TYPE(object)->tp_base; class; class = class->tp_base)
        if (!strcmp(class->tp_name, "_ctypes.PyCFuncPtr") ||
                !strcmp(class->tp_name, "_ctypes.CFuncPtr"))
            return true;
    const char *name = Py_TYPE(object)->tp_name;
    return !strncmp(name, "_cffi_backend._CData", 20) || is_named_function(object) ||
           (PyCFunction_Check(object) && is_cffi_library(PyCFunction_GET_SELF(object)));
}

static PyObject *ask_foreign(const char *question, PyObject *object)
{
    PyObject *function = py_import_attr("numba.core.foreign", question);
    PyObject *answer = function ? PyObject_CallOneArg(function, object) : NULL;
    Py_XDECREF(function);
    return answer;
}

const struct type *py_foreign_type(PyObject *object)
{
    PyObject *answer = ask_foreign("type_of", object);
    const struct type *type = answer ? py_type_get(answer) : NULL;
    Py_XDECREF(answer);
    return type;
}

bool py_foreign_unbox(PyObject *object, void *target)
{
    PyObject *answer = ask_foreign("address_of", object);
    void *address = answer ? PyLong_AsVoidPtr(answer) : NULL;
    Py_XDECREF(answer);
    memcpy(target, &address, sizeof address);
    return !PyErr_Occurred();
}
