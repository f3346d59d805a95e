// SPDX-License-Identifier: MIT
// The object that get_ipython() returns, and the events that it hears of.
#include "kernel/python/state/py_state.h"

#include "kernel/python/display/py_display.h"
#include "kernel/python/execute/py_execute.h"
#include "kernel/python/state/py_text.h"

PyObject *shell_instance(void)
{
    struct shell *shell = shell_get();
    if (!shell->instance)
        shell->instance =
                py_call_module(shell->uses_real_ipython ? "gridcell.ipython.real"
                                                        : "gridcell.ipython.shell",
                        "make_instance", NULL);
    return Py_XNewRef(shell->instance);
}

void shell_event(const char *name, PyObject *argument)
{
    PyObject *instance = shell_get()->instance;
    if (!instance)
        return;
    PyObject *result = argument
                               ? py_call_method(instance, "_fire", "(sO)", name, argument)
                               : py_call_method(instance, "_fire", "(s)", name);
    if (!result)
        json_decref(traceback_report(true));
    Py_XDECREF(result);
}
