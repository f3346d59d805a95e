// SPDX-License-Identifier: MIT
// Other programs run from cells, their output shown while it comes.
#pragma once

#include "base/py.h"

#include "base/str.h"
#include "kernel/process/child.h"

struct process_result {
    struct str *output,
            *errors; // take the text of a stream instead of the cell; NULL: shown
    int exit_code;
    int interrupts; // how many were passed on to the program
};

// Runs it to its end; `output_stream_name` shows its stdout ("stdout"), or not (NULL).
bool process_run(const struct child_options *options, const char *output_stream_name,
        struct process_result *result);
// !command: on a terminal, shown. Sets _exit_code.
PyObject *process_system(PyObject *command);
// x = !command: its lines.
PyObject *process_output(PyObject *command);
