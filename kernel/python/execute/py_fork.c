// SPDX-License-Identifier: MIT
// Children of os.fork() that come to the end of the cell: the front end, its sockets and
// the kernel's threads are the parent's, so the child ends as a script would.
#include "kernel/python/state/py_state.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/python/display/py_display.h"
#include "kernel/python/execute/py_execute.h"
#include "kernel/python/state/py_text.h"

// What sys.exit() was given, as a status; other things than numbers are printed.
static int exit_status(PyObject *exception)
{
    PyObject *code = PyObject_GetAttrString(exception, "code");
    int status = code == Py_None ? 0 : 1;
    if (code && PyLong_Check(code)) {
        status = (int)PyLong_AsLong(code);
    } else if (code && code != Py_None) {
        PyObject *text = PyObject_Str(code), *holder = NULL;
        Py_ssize_t len;
        const char *utf8 = text ? py_utf8(text, &len, &holder) : NULL;
        if (utf8)
            output_stream(STREAM_STDERR, utf8, (size_t)len);
        output_stream(STREAM_STDERR, "\n", 1);
        Py_XDECREF(holder);
        Py_XDECREF(text);
    }
    py_error_drop();
    Py_XDECREF(code);
    return status;
}

static void print_traceback(void)
{
    json_t *report = traceback_report(false);
    size_t i;
    json_t *line;
    json_array_foreach(json_object_get(report, "traceback"), i, line)
    {
        output_stream(STREAM_STDERR, json_string_value(line), json_string_length(line));
        output_stream(STREAM_STDERR, "\n", 1);
    }
    json_decref(report);
}

int execute_exit_status(void (*report)(void))
{
    if (!PyErr_Occurred())
        return 0;
    if (!PyErr_ExceptionMatches(PyExc_SystemExit)) {
        report();
        return 1;
    }
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    int status = value ? exit_status(value) : 1;
    py_drop(type, value, traceback);
    return status;
}

void fork_end_child(void)
{
    if (output_is_child())
        _exit(execute_exit_status(print_traceback));
}
