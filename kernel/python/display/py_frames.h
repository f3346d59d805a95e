// SPDX-License-Identifier: MIT
// The frames of a traceback as text, and the colours that tracebacks use.
#pragma once

#include "kernel/python/state/py_state.h"

#define RED "\033[31m"
#define GREEN "\033[32m"
#define BLUE "\033[34m"
#define CYAN "\033[36m"
#define OFF "\033[39m"

// Appends one text per frame to a JSON array; frames of the kernel itself are left out.
void frames_report(PyObject *traceback, enum traceback_mode mode, json_t *report);
// The line of a cell or a file as a str; NULL, without an exception, when it is not
// known.
PyObject *frames_source_line(PyObject *file, int line);
// `Cell In[3], line 4` or `File /path/name.py:12`.
void frames_append_place(struct str *out, PyObject *file, int line);
// A Python str; nothing for NULL.
void frames_append_text(struct str *out, PyObject *text);
