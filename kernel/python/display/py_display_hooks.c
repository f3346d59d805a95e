// SPDX-License-Identifier: MIT
// Functions that watch each display message, which extensions hang on get_ipython().
#include "kernel/python/state/py_state.h"

#include "kernel/python/display/py_display.h"
#include "kernel/python/state/py_text.h"

bool hooks_watch_displays(void)
{
    PyObject *hooks = shell_get()->display_hooks;
    return hooks && PyObject_Size(hooks) > 0;
}

int hooks_publish_display(
        const char *msg_type, PyObject *data, PyObject *metadata, PyObject *transient)
{
    PyObject *none = metadata ? metadata : Py_None;
    PyObject *done = py_call_module("gridcell.ipython.hooks", "publish_display", "(sOOO)",
            msg_type, data, none, transient ? transient : Py_None);
    Py_XDECREF(done);
    return done ? 0 : -1;
}
