// SPDX-License-Identifier: MIT
// A value on its way to text: the layout so far, and what is being printed.
#pragma once

#include "kernel/python/state/py_state.h"

#include "kernel/cells/pretty_layout.h"

struct printer {
    PyObject_HEAD struct layout layout;
    PyObject *active; // list of the objects being printed, outermost first
    int max_items;    // of a container that are shown; 0: all
    bool is_verbose;  // plain objects show their attributes
};

typedef int (*print_function)(struct printer *, PyObject *, bool is_cycle);

// NULL with an exception on failure.
struct printer *printer_create(int width);
// -1 with an exception, as the next one.
int printer_print(struct printer *printer, PyObject *object);
int printer_put_text(struct printer *printer, PyObject *text);
void printer_put(struct printer *printer, const char *text);
// Items between brackets, `key: value` pairs of a mapping, and `name(first, key=value,
// ...)` of a tuple and a dict, which may be NULL. The call takes the references to its
// name and tuple, and fails where one of them is NULL.
int printer_put_items(
        struct printer *printer, PyObject *items, const char *open, const char *close);
int printer_put_pairs(
        struct printer *printer, PyObject *mapping, const char *open, const char *close);
int printer_put_call(struct printer *printer, PyObject *name_stolen,
        PyObject *arguments_stolen, PyObject *keywords);
// ---- py_pretty_collections.c
// How instances of the class are printed; NULL: it is none of these.
print_function printer_of_collection(PyTypeObject *type);
