// SPDX-License-Identifier: MIT
// What Python gives and takes of the files of caches: gridcell.dask shares them so
// through a scheduler. A failure there is none here: the code is compiled, and stays in
// this process.
#include "runtime/host/state/py_exchange.h"

#include <stdlib.h>
#include <string.h>

#include "base/file_store.h"
#include "runtime/host/state/py_enter.h"
#include "runtime/host/state/py_runtime.h"

static char *copy_bytes(PyObject *bytes, size_t *size_bytes)
{
    *size_bytes = (size_t)PyBytes_GET_SIZE(bytes);
    char *copy = malloc(*size_bytes ? *size_bytes : 1);
    if (copy)
        memcpy(copy, PyBytes_AS_STRING(bytes), *size_bytes);
    return copy;
}

// What the compilation around this is about to raise stays as it is.
static PyObject *call(PyObject *function, PyObject *args_stolen)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *own = Py_NewRef(function);
    PyObject *result = args_stolen ? PyObject_CallObject(own, args_stolen) : NULL;
    if (!result)
        py_error_drop();
    Py_DECREF(own);
    Py_XDECREF(args_stolen);
    PyErr_Restore(type, value, traceback);
    return result;
}

static char *fetch(const char *name, size_t *size_bytes)
{
    PyGILState_STATE gil = py_enter();
    PyObject *bytes = call(py_runtime()->fetch_code, Py_BuildValue("(s)", name));
    char *file = bytes && PyBytes_Check(bytes) ? copy_bytes(bytes, size_bytes) : NULL;
    Py_XDECREF(bytes);
    py_leave(gil);
    return file;
}

static void offer(const char *name, const void *bytes, size_t size_bytes)
{
    PyGILState_STATE gil = py_enter();
    PyObject *args = Py_BuildValue("(sy#)", name, bytes, (Py_ssize_t)size_bytes);
    Py_XDECREF(call(py_runtime()->offer_code, args));
    py_leave(gil);
}

static const struct file_exchange exchange = {.fetch = fetch, .offer = offer};

static PyObject *share_code(PyObject *module, PyObject *args)
{
    PyObject *fetches, *offers;
    if (!PyArg_ParseTuple(args, "OO", &fetches, &offers))
        return NULL;
    if (fetches == Py_None) {
        file_store_join(NULL);
        Py_RETURN_NONE;
    }
    Py_XSETREF(py_runtime()->fetch_code, Py_NewRef(fetches));
    Py_XSETREF(py_runtime()->offer_code, Py_NewRef(offers));
    file_store_join(&exchange);
    Py_RETURN_NONE;
}

PyMethodDef py_exchange_functions[] = {
        {"share_code", share_code, METH_VARARGS,
                "Shares code with other processes through fetch(name), which returns the "
                "bytes or None, and offer(name, bytes); None, None ends that."},
        {NULL, NULL, 0, NULL},
};
