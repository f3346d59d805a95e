// SPDX-License-Identifier: MIT
// input() and getpass(): a question to the front end.
#include "kernel/python/state/py_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/python/state/py_text.h"

static PyObject *raise_not_allowed(bool is_password)
{
    PyObject *class = py_import_attr("IPython.core.error", "StdinNotImplementedError");
    if (class)
        PyErr_Format(class,
                "%s was called, but this frontend does not support input requests.",
                is_password ? "getpass" : "raw_input");
    Py_XDECREF(class);
    return NULL;
}

static PyObject *read_terminal(const char *prompt)
{
    char *line = NULL;
    size_t size = 0;
    output_stream(STREAM_STDOUT, prompt, strlen(prompt));
    ssize_t len;
    Py_BEGIN_ALLOW_THREADS;
    len = getline(&line, &size, stdin);
    Py_END_ALLOW_THREADS;
    PyObject *text = NULL;
    if (len < 0)
        PyErr_SetString(PyExc_EOFError, "EOF when reading a line");
    else
        text = py_text(line, (size_t)len - (len > 0 && line[len - 1] == '\n'));
    free(line);
    return text;
}

static PyObject *ask_front_end(const char *prompt, bool is_password)
{
    struct str value = {0};
    struct error err = {0};
    bool is_answered;
    output_flush();
    front_end_input_begin();
    if (PyErr_CheckSignals() < 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    is_answered = front_end_input(prompt, is_password, &value, &err);
    Py_END_ALLOW_THREADS;
    PyObject *text = NULL;
    if (!is_answered && err.kind == ERROR_INTERRUPT) {
        // the signal may be pending as well: one KeyboardInterrupt is enough
        if (PyErr_CheckSignals() == 0)
            PyErr_SetNone(PyExc_KeyboardInterrupt);
    } else if (!is_answered) {
        raise_not_allowed(is_password);
    } else if (value.len == 1 && value.text[0] == '\x04') {
        PyErr_SetString(PyExc_EOFError, "");
    } else {
        text = py_text(str_text(&value), value.len);
    }
    str_finish(&value);
    return text;
}

PyObject *input_line(PyObject *prompt, bool is_password)
{
    PyObject *text = PyObject_Str(prompt), *holder = NULL;
    Py_ssize_t len;
    const char *utf8 = text ? py_utf8(text, &len, &holder) : NULL;
    PyObject *answer = NULL;
    if (utf8)
        answer = output_is_terminal() ? read_terminal(utf8)
                                      : ask_front_end(utf8, is_password);
    Py_XDECREF(holder);
    Py_XDECREF(text);
    return answer;
}

static PyObject *input_function(PyObject *self, PyObject *args)
{
    PyObject *prompt = NULL;
    if (!PyArg_ParseTuple(args, "|O:input", &prompt))
        return NULL;
    PyObject *empty = PyUnicode_FromString("");
    PyObject *line = empty ? input_line(prompt ? prompt : empty, false) : NULL;
    Py_XDECREF(empty);
    return line;
}

static PyMethodDef input_method = {"input", input_function, METH_VARARGS,
        "input(prompt='', /)\n--\n\nRead a line of text from the front end."};

bool input_init(void)
{
    PyObject *builtins = PyImport_ImportModule("builtins");
    PyObject *function = PyCFunction_New(&input_method, NULL);
    bool is_ok = builtins && function &&
                 PyObject_SetAttrString(builtins, "input", function) == 0;
    Py_XDECREF(function);
    Py_XDECREF(builtins);
    return is_ok;
}
