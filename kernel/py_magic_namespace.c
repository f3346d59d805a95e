// SPDX-License-Identifier: MIT
// The user's names: %who, %whos, %reset, %xdel, and what was typed: %history.
#include "kernel/py_magics.h"

#include <ctype.h>
#include <string.h>

#include "kernel/py_shell.h"

// The user's own names, sorted, of the given types (a list of type names; NULL: all).
static PyObject *user_names(PyObject *types)
{
    struct shell *shell = shell_get();
    PyObject *keys = PyDict_Keys(shell->user_ns), *names = PyList_New(0);
    for (Py_ssize_t i = 0; keys && names && i < PyList_GET_SIZE(keys); i++) {
        PyObject *key = PyList_GET_ITEM(keys, i), *value = NULL; // borrowed: keys is ours
        const char *text = PyUnicode_Check(key) ? PyUnicode_AsUTF8(key) : NULL;
        if (!text || text[0] == '_' || PySet_Contains(shell->initial_names, key) == 1)
            continue;
        py_dict_get(shell->user_ns, key, &value);
        PyObject *type =
                value ? PyObject_GetAttrString((PyObject *)Py_TYPE(value), "__name__")
                      : NULL;
        bool is_wanted = !types || PyList_GET_SIZE(types) == 0 ||
                         (type && PySequence_Contains(types, type) == 1);
        if (is_wanted && PyList_Append(names, key) < 0)
            Py_CLEAR(names);
        Py_XDECREF(type);
        Py_XDECREF(value);
    }
    PyErr_Clear();
    Py_XDECREF(keys);
    if (names && PyList_Sort(names) < 0)
        Py_CLEAR(names);
    return names;
}

static PyObject *names_for(PyObject *line)
{
    PyObject *types = PyUnicode_Split(line, NULL, -1);
    PyObject *names = types ? user_names(types) : NULL;
    Py_XDECREF(types);
    return names;
}

static bool say_when_empty(PyObject *names, PyObject *line)
{
    if (PyList_GET_SIZE(names) > 0)
        return false;
    py_print(PyUnicode_GET_LENGTH(line) ? "No variables match your requested type.\n"
                                        : "Interactive namespace is empty.\n");
    return true;
}

static PyObject *run_who_ls(const char *name, PyObject *line, PyObject *body)
{
    return names_for(line);
}

static PyObject *run_who(const char *name, PyObject *line, PyObject *body)
{
    enum { NAMES_PER_LINE = 9 };
    PyObject *names = names_for(line);
    if (!names)
        return NULL;
    if (!say_when_empty(names, line)) {
        struct str text = {0};
        Py_ssize_t count = PyList_GET_SIZE(names);
        for (Py_ssize_t i = 0; i < count; i++) {
            str_printf(&text, "%s\t ",
                    PyUnicode_AsUTF8(
                            PyList_GET_ITEM(names, i))); // borrowed: names is ours
            if ((i + 1) % NAMES_PER_LINE == 0)
                str_append_char(&text, '\n');
        }
        str_append_char(&text, '\n');
        py_write_stream("stdout", str_text(&text), text.len);
        str_finish(&text);
    }
    Py_DECREF(names);
    Py_RETURN_NONE;
}

static PyObject *run_whos(const char *name, PyObject *line, PyObject *body)
{
    PyObject *names = names_for(line), *text = NULL;
    if (names && !say_when_empty(names, line)) {
        text = py_call_module("gridcell.ipython.namespace", "describe", "(O)", names);
        const char *utf8 = text ? PyUnicode_AsUTF8(text) : NULL;
        if (utf8)
            py_write_stream("stdout", utf8, strlen(utf8));
    }
    bool is_ok = names && !PyErr_Occurred();
    Py_XDECREF(text);
    Py_XDECREF(names);
    return is_ok ? Py_NewRef(Py_None) : NULL;
}

// ---- %reset, %xdel

static void clear_outputs(void)
{
    struct shell *shell = shell_get();
    PyObject *empty = PyUnicode_FromString("");
    PyDict_Clear(shell->outputs);
    static const char *const names[] = {"_", "__", "___"};
    for (int i = 0; empty && i < 3; i++)
        PyDict_SetItemString(shell->user_ns, names[i], empty);
    Py_XSETREF(shell->last_result, Py_XNewRef(empty));
    Py_XDECREF(empty);
    PyErr_Clear();
}

static bool clear_names(void)
{
    struct shell *shell = shell_get();
    PyObject *keys = PyDict_Keys(shell->user_ns);
    bool is_ok = keys != NULL;
    for (Py_ssize_t i = 0; is_ok && i < PyList_GET_SIZE(keys); i++) {
        PyObject *key = PyList_GET_ITEM(keys, i); // borrowed: keys is ours
        if (PySet_Contains(shell->initial_names, key) == 0)
            is_ok = PyDict_DelItem(shell->user_ns, key) == 0;
    }
    Py_XDECREF(keys);
    return is_ok;
}

static bool is_confirmed(void)
{
    PyObject *question = PyUnicode_FromString(
            "Once deleted, variables cannot be recovered. Proceed (y/[n])? ");
    PyObject *answer = question ? input_line(question, false) : NULL;
    const char *text = answer ? PyUnicode_AsUTF8(answer) : NULL;
    bool is_yes = text && tolower((unsigned char)text[0]) == 'y';
    Py_XDECREF(answer);
    Py_XDECREF(question);
    if (text && !is_yes)
        py_print("Nothing done.\n");
    return is_yes;
}

static PyObject *run_reset(const char *name, PyObject *line, PyObject *body)
{
    struct magic_options options = {0};
    if (!magic_parse(name, line, "sf", &options))
        return NULL;
    const char *parts = PyUnicode_AsUTF8(options.rest);
    bool is_ok = magic_has(&options, 'f') || is_confirmed();
    if (is_ok && parts && strstr(parts, "out"))
        clear_outputs();
    if (is_ok && parts && !*parts) {
        clear_outputs();
        is_ok = clear_names();
    }
    magic_options_finish(&options);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

static PyObject *run_xdel(const char *name, PyObject *line, PyObject *body)
{
    struct shell *shell = shell_get();
    PyObject *value = NULL;
    if (py_dict_get(shell->user_ns, line, &value) <= 0)
        return PyErr_Format(PyExc_NameError, "name '%U' is not defined", line);
    PyDict_DelItem(shell->user_ns, line);
    PyObject *keys = PyDict_Keys(shell->outputs);
    for (Py_ssize_t i = 0; keys && i < PyList_GET_SIZE(keys); i++) {
        PyObject *key = PyList_GET_ITEM(keys, i); // borrowed: keys is ours
        PyObject *output = NULL;
        if (py_dict_get(shell->outputs, key, &output) > 0 && output == value)
            PyDict_DelItem(shell->outputs, key);
        Py_XDECREF(output);
    }
    Py_XDECREF(keys);
    Py_DECREF(value);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

// ---- %history

static void append_input(
        struct str *out, PyObject *text, Py_ssize_t number, bool shows_number)
{
    const char *utf8 = PyUnicode_AsUTF8(text);
    PyErr_Clear();
    if (!utf8)
        return;
    if (shows_number)
        str_printf(out, "%4zd:%s", number, strchr(utf8, '\n') ? "\n" : " ");
    str_append(out, utf8);
    if (!str_ends_with(utf8, "\n"))
        str_append_char(out, '\n');
}

static PyObject *run_history(const char *name, PyObject *line, PyObject *body)
{
    struct magic_options options = {0};
    if (!magic_parse(name, line, "notpxf:gl:u", &options))
        return NULL;
    PyObject *inputs = shell_get()->inputs;
    Py_ssize_t count = PyList_GET_SIZE(inputs), first = 1;
    long last = magic_integer(&options, 'l', 0);
    if (last > 0 && count - last > 1)
        first = count - last;
    struct str text = {0};
    for (Py_ssize_t i = first; i < count; i++) {
        PyObject *input = py_list_get(inputs, i);
        if (input)
            append_input(&text, input, i, magic_has(&options, 'n'));
        Py_XDECREF(input);
    }
    py_write_stream("stdout", str_text(&text), text.len);
    str_finish(&text);
    magic_options_finish(&options);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

const struct magic magics_namespace[] = {
        {"who", MAGIC_LINE, run_who, "The user's names, of the given types.", false,
                false},
        {"who_ls", MAGIC_LINE, run_who_ls, "The user's names as a list.", false, false},
        {"whos", MAGIC_LINE, run_whos, "The user's names with types and values.", false,
                false},
        {"reset", MAGIC_LINE, run_reset, "Forget the user's names; -f does not ask.",
                false, false},
        {"xdel", MAGIC_LINE, run_xdel,
                "Forget a name and cached results that are the same object.", false,
                false},
        {"history", MAGIC_LINE, run_history,
                "What was typed: -n numbers, -l N the last N.", false, false},
        {"hist", MAGIC_LINE, run_history, "What was typed: -n numbers, -l N the last N.",
                false, false},
        {NULL, 0, NULL, NULL, false, false},
};
