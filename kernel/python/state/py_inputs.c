// SPDX-License-Identifier: MIT
// What was typed, as the names In, _i, _ii..., and in the history.
#include "kernel/python/state/py_state.h"

#include <stdio.h>

#include "kernel/history/history.h"
#include "kernel/python/state/py_text.h"

// One UTF-8 text of a str; "" when it has none. *holder owns it.
static const char *text_of(PyObject *object, PyObject **holder)
{
    Py_ssize_t len;
    const char *utf8 = py_utf8(object, &len, holder);
    py_error_drop();
    return utf8 ? utf8 : "";
}

static void set_previous_inputs(void)
{
    static const char *const names[] = {"_i", "_ii", "_iii"};
    struct shell *shell = shell_get();
    Py_ssize_t count = PyList_GET_SIZE(shell->inputs);
    for (int i = 0; i < 3; i++) {
        PyObject *text = count - 1 - i >= 0 ? py_list_get(shell->inputs, count - 1 - i)
                                            : PyUnicode_FromString("");
        if (text)
            PyDict_SetItemString(shell->user_ns, names[i], text);
        Py_XDECREF(text);
    }
}

// In[n] has no line end where the cell has none. It is the cell's own text, which _in
// names, where nothing was rewritten.
static void set_parsed(PyObject *source, PyObject *raw)
{
    Py_ssize_t len = PyUnicode_GET_LENGTH(source);
    while (len > 0 && PyUnicode_READ_CHAR(source, len - 1) == '\n')
        len--;
    PyObject *text = PyUnicode_Substring(source, 0, len);
    if (text && PyUnicode_Compare(text, raw) == 0)
        Py_SETREF(text, Py_NewRef(raw));
    if (text)
        PyList_Append(shell_get()->parsed_inputs, text);
    Py_XDECREF(text);
}

void history_add(PyObject *raw, PyObject *source, int number)
{
    struct shell *shell = shell_get();
    PyObject *raw_holder, *source_holder;
    const char *raw_text = text_of(raw, &raw_holder),
               *source_text = text_of(source, &source_holder);
    history_record(number, raw_text, source_text);
    Py_XDECREF(source_holder);
    Py_XDECREF(raw_holder);
    set_previous_inputs();
    char name[24];
    snprintf(name, sizeof name, "_i%d", number);
    PyDict_SetItemString(shell->user_ns, name, raw);
    PyList_Append(shell->inputs, raw);
    set_parsed(source, raw);
    py_error_drop();
}

PyObject *inputs_store(PyObject *self, PyObject *args)
{
    int number;
    PyObject *source, *raw;
    if (!PyArg_ParseTuple(args, "iUU", &number, &source, &raw))
        return NULL;
    history_add(raw, source, number);
    Py_RETURN_NONE;
}

void history_add_output(int number, PyObject *text)
{
    if (!PyUnicode_Check(text))
        return;
    PyObject *holder;
    const char *utf8 = text_of(text, &holder);
    history_record_output(number, utf8, shell_get()->switches[SWITCH_KEEP_OUTPUTS]);
    Py_XDECREF(holder);
}

bool history_init(void)
{
    struct shell *shell = shell_get();
    if (output_is_terminal()) // a script or notebook that is run leaves no trace
        history_use_memory();
    history_begin();
    PyObject *empty = PyUnicode_FromString("");
    shell->inputs = empty ? Py_BuildValue("[O]", empty) : NULL;
    shell->parsed_inputs = empty ? Py_BuildValue("[O]", empty) : NULL;
    shell->outputs = PyDict_New();
    Py_XDECREF(empty);
    return shell->inputs && shell->parsed_inputs && shell->outputs;
}
