// SPDX-License-Identifier: MIT
// Matplotlib figures that a cell left open are shown at its end.
#include "kernel/python/state/py_state.h"

#include <stdlib.h>

#include "kernel/python/display/py_display.h"
#include "kernel/python/state/py_text.h"

static void take_back_backend(void)
{
    PyObject *variables = py_import_attr("os", "environ");
    PyObject *old =
            variables ? py_call_method(variables, "pop", "(sO)", "MPLBACKEND", Py_None)
                      : NULL;
    py_error_drop();
    Py_XDECREF(old);
    Py_XDECREF(variables);
}

void figures_show(void)
{
    struct shell *shell = shell_get();
    if (shell->lent_backend) {
        shell->lent_backend = false;
        take_back_backend();
    }
    if (!shell->wants_figures)
        return;
    PyObject *backend = py_loaded_module("matplotlib_inline.backend_inline");
    PyObject *result = backend ? py_call_method(backend, "flush_figures", NULL) : NULL;
    Py_XDECREF(result);
    Py_XDECREF(backend);
}
