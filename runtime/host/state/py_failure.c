// SPDX-License-Identifier: MIT
// The calls that led to an exception in code with debug=True, with their variables: where
// %debug opens. A list of (function, file, line, globals, locals), the innermost first,
// as failed() of the package gridcell.debugging gives it.
#include "base/py.h"

#include "runtime/host/state/py_error.h"
#include "runtime/host/state/py_runtime.h"

struct failed_call {
    const char *name, *file;
    int line;
    PyObject *globals, *locals; // the row's own
};

static bool read_call(PyObject *row, struct failed_call *out)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    bool is_read = PyArg_ParseTuple(row, "ssiO!O!", &out->name, &out->file, &out->line,
            &PyDict_Type, &out->globals, &PyDict_Type, &out->locals);
    py_error_drop();
    PyErr_Restore(type, value, traceback);
    return is_read;
}

// Whether the outermost call is of this function: else what was told is of a failure that
// other code has handled.
static bool ends_with(PyObject *calls, const char *name, const char *file)
{
    struct failed_call outermost;
    PyObject *row = py_list_get(calls, PyList_GET_SIZE(calls) - 1);
    bool is_so = row && read_call(row, &outermost) && !strcmp(outermost.name, name) &&
                 !strcmp(outermost.file, file);
    Py_XDECREF(row);
    return is_so;
}

static bool add_call(PyObject *row)
{
    struct failed_call call;
    bool is_call = row && read_call(row, &call);
    if (is_call)
        py_frame_add_with(call.name, call.file, call.line, call.globals, call.locals);
    Py_XDECREF(row);
    return is_call;
}

bool py_failure_add(const char *name, const char *file)
{
    PyObject *calls = py_runtime()->failed_calls;
    py_runtime()->failed_calls = NULL;
    bool is_done = calls && PyList_Check(calls) && PyList_GET_SIZE(calls) > 0 &&
                   (!name || ends_with(calls, name, file ? file : ""));
    for (Py_ssize_t i = 0; is_done && i < PyList_GET_SIZE(calls); i++)
        is_done = add_call(py_list_get(calls, i));
    Py_XDECREF(calls);
    return is_done;
}
