// SPDX-License-Identifier: MIT
// Telling Python of compilations, where somebody listens: numba.core.event.
#include "runtime/host/dispatch/py_dispatch.h"

// observer(function, types, what it returns or None, is_start, *exception)
static PyObject *tell(PyObject *function, const struct type *const *types, size_t count,
        const struct type *returns, bool is_start, PyObject *const failure[3])
{
    PyObject *list = py_type_tuple(types, count);
    PyObject *result = returns ? py_type_wrap(returns) : Py_NewRef(Py_None);
    PyObject *called = py_runtime()->compile_observer, *done = NULL;
    Py_INCREF(called); // it may ask not to be called again
    if (list && result && failure[0])
        done = PyObject_CallFunctionObjArgs(called, function, list, result,
                is_start ? Py_True : Py_False, failure[0],
                failure[1] ? failure[1] : Py_None, failure[2] ? failure[2] : Py_None,
                NULL);
    else if (list && result)
        done = PyObject_CallFunctionObjArgs(
                called, function, list, result, is_start ? Py_True : Py_False, NULL);
    Py_DECREF(called);
    Py_XDECREF(list);
    Py_XDECREF(result);
    return done;
}

bool py_observe_compilation(PyObject *function, const struct type *const *types,
        size_t count, const struct type *returns, bool is_start)
{
    if (!py_runtime()->compile_observer)
        return true;
    PyObject *failure[3];
    PyErr_Fetch(&failure[0], &failure[1], &failure[2]);
    if (failure[0])
        PyErr_NormalizeException(&failure[0], &failure[1], &failure[2]);
    PyObject *done = tell(function, types, count, returns, is_start, failure);
    bool is_told = done != NULL;
    Py_XDECREF(done);
    if (failure[0] && !is_told)
        py_error_report(function); // what failed first is raised
    if (failure[0])
        PyErr_Restore(failure[0], failure[1], failure[2]);
    return is_told;
}

static PyObject *module_observer(PyObject *module, PyObject *argument)
{
    PyObject *observer = argument == Py_None ? NULL : Py_NewRef(argument);
    Py_XSETREF(py_runtime()->compile_observer, observer);
    Py_RETURN_NONE;
}

PyMethodDef py_observe_functions[] = {
        {"compile_observer", module_observer, METH_O,
                "Has a function be called before and after each compilation; None: "
                "none."},
        {0},
};
