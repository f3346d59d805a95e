// SPDX-License-Identifier: MIT
// Objects on their way to the front end: representations, results, tracebacks, figures.
// All of it needs the GIL.
#pragma once

#include "base/py.h"

#include <jansson.h>

#include "kernel/python/state/py_state.h"

// ---- py_display.c
bool display_init(void);
// data and metadata dicts of every representation; *data is None when the object
// displayed itself.
int display_format(PyObject *object, PyObject *include, PyObject *exclude,
        PyObject **data, PyObject **metadata);
int display_publish(
        const char *msg_type, PyObject *data, PyObject *metadata, PyObject *transient);
PyObject *display_objects(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *display_hook(PyObject *self, PyObject *value);

// ---- py_display_hooks.c
// Whether displays go through hooks_publish_display.
bool hooks_watch_displays(void);
int hooks_publish_display(
        const char *msg_type, PyObject *data, PyObject *metadata, PyObject *transient);

// ---- py_results.c
// Binds a displayed result to the names that results have.
void results_cache(PyObject *value, int number);

// ---- py_pretty.c
bool pretty_init(void);
PyObject *pretty_text(PyObject *object);

struct pretty_options {
    int max_width;
    int max_items; // of a container; 0: all
    const char *newline;
    int is_verbose;
};

// As asked for, whatever the notebook's own settings are.
PyObject *pretty_text_with(PyObject *object, const struct pretty_options *options);

// ---- py_traceback.c
// The `ename`, `evalue` and `traceback` of an exception. `skip` hides that many outer
// frames.
json_t *traceback_format(PyObject *exception, enum traceback_mode mode);
// Takes the exception that is set: formats it, keeps it for %tb, publishes it when
// `publishes`.
json_t *traceback_report(bool publishes);

// ---- py_figures.c
void figures_show(void);
