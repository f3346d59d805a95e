// SPDX-License-Identifier: MIT
// GRIDCELL_IPYTHON=real: cells run through the shell of an installed IPython, made of
// gridcell.ipython.real when the first cell comes.
#include "kernel/python/state/py_state.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/python/display/py_display.h"
#include "kernel/python/execute/py_execute.h"
#include "kernel/python/state/py_text.h"

bool real_ipython_init(void)
{
    struct shell *shell = shell_get();
    const char *choice = getenv("GRIDCELL_IPYTHON");
    if (!choice || strcmp(choice, "real") || !shell->package_path)
        return true;
    PyObject *spec = py_call_module("importlib.util", "find_spec", "(s)", "IPython");
    if (!spec)
        return false;
    shell->uses_real_ipython = spec != Py_None;
    shell->lacks_real_ipython = spec == Py_None;
    Py_DECREF(spec);
    return true;
}

static void report_missing(void)
{
    static const char text[] =
            "GRIDCELL_IPYTHON=real, but this Python has no IPython: the kernel's own "
            "shell "
            "runs the cells. To get it: %pip install ipython, and restart the kernel.\n";
    py_write_stream("stderr", text, sizeof text - 1);
    shell_get()->lacks_real_ipython = false;
}

bool real_ipython_is_used(void)
{
    if (shell_get()->lacks_real_ipython)
        report_missing();
    return shell_get()->uses_real_ipython;
}

json_t *real_ipython_run(PyObject *cell, bool is_stored, bool is_silent)
{
    PyObject *instance = shell_instance(), *result = NULL;
    json_t *failure = NULL;
    if (instance) {
        bool has_entered = async_enter();
        result = py_call_method(instance, "_run", "(OOO)", cell,
                is_stored ? Py_True : Py_False, is_silent ? Py_True : Py_False);
        async_leave(has_entered);
    }
    if (!result)
        failure = traceback_report(true);
    else if (result != Py_None)
        failure = py_to_json(result);
    Py_XDECREF(result);
    Py_XDECREF(instance);
    return failure;
}

PyObject *real_ipython_await(PyObject *self, PyObject *coroutine)
{
    async_leave(true);
    PyObject *result = async_run(coroutine);
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    async_enter();
    PyErr_Restore(type, value, traceback);
    return result;
}
