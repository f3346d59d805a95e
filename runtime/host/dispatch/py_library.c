// SPDX-License-Identifier: MIT
// Supplies the compiler with the functions of its library, which are Python files of the
// package.
#include "runtime/host/dispatch/py_library.h"

#include <string.h>

#include "runtime/host/dispatch/py_dispatcher.h"
#include "runtime/host/state/py_enter.h"

// The dispatcher "module.function": a new reference, or NULL with an exception set.
static PyObject *find_function(const char *name)
{
    const char *dot = strchr(name, '.');
    char module[128];
    if (!dot || (size_t)snprintf(module, sizeof module, "gridcell.library.%.*s",
                        (int)(dot - name), name) >= sizeof module) {
        PyErr_Format(PyExc_ImportError, "no library function %s", name);
        return NULL;
    }
    return py_import_attr(module, dot + 1);
}

struct source *py_library_load(const char *name, struct error *err)
{
    PyGILState_STATE state = py_enter();
    struct source *source = NULL;
    PyObject *function = find_function(name); // its module keeps it
    if (function)
        source = py_dispatcher_source(function, err);
    else
        error_from_python(err);
    Py_XDECREF(function);
    py_leave(state);
    return source;
}
