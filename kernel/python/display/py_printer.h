// SPDX-License-Identifier: MIT
// A value on its way to text: the layout so far, and what is being printed.
#pragma once

#include "kernel/python/state/py_state.h"

#include "kernel/cells/pretty_layout.h"

struct printer {
    PyObject_HEAD struct layout layout;
    PyObject *active; // list of the objects being printed, outermost first
};

// NULL with an exception on failure.
struct printer *printer_create(int width);
// -1 with an exception, as the next one.
int printer_print(struct printer *printer, PyObject *object);
int printer_put_text(struct printer *printer, PyObject *text);
