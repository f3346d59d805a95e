// SPDX-License-Identifier: MIT
// What becomes of results: _, __, ___, _N and Out[N], of which the oldest go.
#include "kernel/python/state/py_state.h"

#include <stdio.h>

#include "kernel/python/display/py_display.h"

static int set_name(const char *name, PyObject *value)
{
    return PyDict_SetItemString(shell_get()->user_ns, name, value);
}

static void shift_name(const char *from, const char *to)
{
    PyObject *value = NULL;
    if (py_dict_get_text(shell_get()->user_ns, from, &value) > 0)
        set_name(to, value);
    Py_XDECREF(value);
    py_error_drop();
}

// _ is the user's own once it was bound to something that is not the last result.
static bool user_owns_underscore(void)
{
    struct shell *shell = shell_get();
    PyObject *current = NULL;
    py_dict_get_text(shell->user_ns, "_", &current);
    bool owns = current && current != shell->last_result;
    Py_XDECREF(current);
    py_error_drop();
    return owns;
}

enum { MAX_OUTPUTS = 1000, DROPPED_OUTPUTS = 200 };

// Out grows to MAX_OUTPUTS entries; then the oldest go, with their _N names.
static void drop_old_outputs(void)
{
    struct shell *shell = shell_get();
    if (PyDict_GET_SIZE(shell->outputs) < MAX_OUTPUTS)
        return;
    PyObject *keys = PyDict_Keys(shell->outputs);
    for (Py_ssize_t i = 0; keys && i < DROPPED_OUTPUTS; i++) {
        PyObject *key = PyList_GET_ITEM(keys, i); // borrowed: keys is ours
        PyObject *name = PyUnicode_FromFormat("_%S", key);
        PyDict_DelItem(shell->outputs, key);
        if (name && PyDict_Contains(shell->user_ns, name) == 1)
            PyDict_DelItem(shell->user_ns, name);
        Py_XDECREF(name);
    }
    py_error_drop();
    Py_XDECREF(keys);
}

// _N goes with the result, and so not interned: Python 3.12 keeps such names for good.
static void set_numbered(int number, PyObject *value)
{
    PyObject *name = PyUnicode_FromFormat("_%d", number);
    if (name)
        PyDict_SetItem(shell_get()->user_ns, name, value);
    Py_XDECREF(name);
}

void results_cache(PyObject *value, int number)
{
    struct shell *shell = shell_get();
    if (!user_owns_underscore()) {
        shift_name("__", "___");
        shift_name("_", "__");
        set_name("_", value);
        Py_XSETREF(shell->last_result, Py_NewRef(value));
    }
    if (!cell_get()->keeps_results)
        return;
    drop_old_outputs();
    set_numbered(number, value);
    PyObject *key = PyLong_FromLong(number);
    if (key)
        PyDict_SetItem(shell->outputs, key, value);
    Py_XDECREF(key);
    py_error_drop();
}
