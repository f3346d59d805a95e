// SPDX-License-Identifier: MIT
// print() of compiled code goes where Python's print goes: sys.stdout, in order with it.
#include "base/py.h"

#include <stdio.h>

#include "runtime/host/py_runtime.h"

static void write_to_c(const char *text, size_t len)
{
    fwrite(text, 1, len, stdout);
    fflush(stdout);
}

static bool write_to_python(const char *text, size_t len)
{
    PyObject *stream = py_import_attr("sys", "stdout");
    PyObject *string = PyUnicode_DecodeUTF8(text, (Py_ssize_t)len, "surrogatepass");
    PyObject *result =
            stream && string ? PyObject_CallMethod(stream, "write", "O", string) : NULL;
    Py_XDECREF(stream);
    Py_XDECREF(string);
    Py_XDECREF(result);
    return result != NULL;
}

// A thread without the GIL must not wait for it: the one that holds it may wait for this
// thread.
static void print_line(const char *text, size_t len)
{
    if (!PyGILState_Check()) {
        write_to_c(text, len);
        return;
    }
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    if (!write_to_python(text, len)) {
        PyErr_Clear();
        write_to_c(text, len);
    }
    PyErr_Restore(type, value, traceback);
}

void py_output_init(void)
{
    compiler_print = print_line;
}
