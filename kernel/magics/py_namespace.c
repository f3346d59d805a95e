// SPDX-License-Identifier: MIT
// The user's names: %who, %whos, %reset, %xdel, %reset_selective.
#include "kernel/magics/py_magics.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "kernel/python/state/py_state.h"
#include "kernel/python/state/py_text.h"

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
    py_error_drop();
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

// ---- %reset

static const char confirmation[] =
        "Once deleted, variables cannot be recovered. Proceed (y/[n])? ";

// The shell lets go of the last cell's result: where it is `value`, or NULL for any.
static void forget_result(PyObject *value)
{
    PyObject *instance = shell_get()->instance;
    PyObject *done =
            instance ? py_call_method(instance, "_forget", "(O)", value ? value : Py_None)
                     : NULL;
    py_error_drop();
    Py_XDECREF(done);
}

static void clear_outputs(void)
{
    forget_result(NULL);
    struct shell *shell = shell_get();
    PyObject *empty = PyUnicode_FromString(""), *numbers = PyDict_Keys(shell->outputs);
    for (Py_ssize_t i = 0; numbers && i < PyList_GET_SIZE(numbers); i++) {
        PyObject *name = PyUnicode_FromFormat(
                "_%S", PyList_GET_ITEM(numbers, i)); // borrowed: numbers is ours
        if (name && PyDict_Contains(shell->user_ns, name) == 1)
            PyDict_DelItem(shell->user_ns, name);
        Py_XDECREF(name);
    }
    PyDict_Clear(shell->outputs);
    static const char *const names[] = {"_", "__", "___"};
    for (int i = 0; empty && i < 3; i++)
        PyDict_SetItemString(shell->user_ns, names[i], empty);
    Py_XSETREF(shell->last_result, Py_XNewRef(empty));
    Py_XDECREF(numbers);
    Py_XDECREF(empty);
    py_error_drop();
}

static void clear_inputs(void)
{
    static const char *const names[] = {"_i", "_ii", "_iii"};
    PyObject *inputs = shell_get()->inputs, *parsed = shell_get()->parsed_inputs;
    PyObject *empty = PyUnicode_FromString("");
    for (int i = 0; empty && i < 3; i++)
        PyDict_SetItemString(shell_get()->user_ns, names[i], empty);
    for (Py_ssize_t i = 0; empty && i < PyList_GET_SIZE(inputs); i++) {
        char name[24];
        snprintf(name, sizeof name, "_i%zd", i);
        PyList_SetItem(inputs, i, Py_NewRef(empty));
        if (i < PyList_GET_SIZE(parsed))
            PyList_SetItem(parsed, i, Py_NewRef(empty));
        PyDict_DelItemString(shell_get()->user_ns, name);
        py_error_drop();
    }
    Py_XDECREF(empty);
}

static bool delete_name(PyObject *name)
{
    return PyDict_DelItem(shell_get()->user_ns, name) == 0;
}

// Deletes the names for which `is_wanted` says so, of those that the user made.
static bool clear_names(bool (*is_wanted)(PyObject *name, void *data), void *data)
{
    struct shell *shell = shell_get();
    PyObject *keys = PyDict_Keys(shell->user_ns);
    bool is_ok = keys != NULL;
    for (Py_ssize_t i = 0; is_ok && i < PyList_GET_SIZE(keys); i++) {
        PyObject *key = PyList_GET_ITEM(keys, i); // borrowed: keys is ours
        if (PySet_Contains(shell->initial_names, key) == 0 && is_wanted(key, data))
            is_ok = delete_name(key);
    }
    Py_XDECREF(keys);
    return is_ok && !PyErr_Occurred();
}

static bool is_any(PyObject *name, void *data)
{
    return true;
}

static bool is_array(PyObject *name, void *data)
{
    PyObject *value = NULL;
    py_dict_get(shell_get()->user_ns, name, &value);
    int status = value ? PyObject_IsInstance(value, data) : 0;
    Py_XDECREF(value);
    return status == 1;
}

static void clear_arrays(void)
{
    PyObject *numpy = py_loaded_module("numpy");
    PyObject *type = numpy ? PyObject_GetAttrString(numpy, "ndarray") : NULL;
    if (type)
        clear_names(is_array, type);
    Py_XDECREF(type);
    Py_XDECREF(numpy);
}

static bool is_confirmed(void)
{
    PyObject *question = PyUnicode_FromString(confirmation);
    PyObject *answer = question ? input_line(question, false) : NULL;
    const char *text = answer ? PyUnicode_AsUTF8(answer) : NULL;
    bool is_yes = text && tolower((unsigned char)text[0]) == 'y';
    Py_XDECREF(answer);
    Py_XDECREF(question);
    if (text && !is_yes)
        py_print("Nothing done.\n");
    return is_yes;
}

static bool reset_part(PyObject *part)
{
    struct shell *shell = shell_get();
    const char *text = PyUnicode_AsUTF8(part);
    if (!text)
        return false;
    if (!strcmp(text, "out")) {
        py_print("Flushing output cache (%zd entries)\n", PyDict_Size(shell->outputs));
        clear_outputs();
    } else if (!strcmp(text, "in")) {
        py_print("Flushing input history\n");
        clear_inputs();
    } else if (!strcmp(text, "array")) {
        clear_arrays();
    } else if (!strcmp(text, "dhist")) {
        py_print("Flushing directory history\n");
        PyList_SetSlice(shell->directories, 0, PyList_GET_SIZE(shell->directories), NULL);
    } else {
        py_print("Don't know how to reset %s, please run `%%reset?` for details\n", text);
    }
    return !PyErr_Occurred();
}

// Modules that cells imported are forgotten, so that the next import runs them again.
static bool forget_modules(void)
{
    PyObject *result =
            py_call_module("gridcell.ipython.namespace", "forget_modules", NULL);
    Py_XDECREF(result);
    return result != NULL;
}

static PyObject *run_reset(const char *name, PyObject *line, PyObject *body)
{
    const char *text = PyUnicode_AsUTF8(line), *long_name = "--aggressive";
    const char *found = text ? strstr(text, long_name) : NULL;
    PyObject *shorter = found ? PyUnicode_FromFormat("%s", found + strlen(long_name))
                              : Py_XNewRef(text ? line : NULL);
    struct magic_options options = {0};
    bool is_ok = shorter && magic_parse(name, shorter, "sf", &options);
    PyObject *parts = is_ok ? PyUnicode_Split(options.rest, NULL, -1) : NULL;
    Py_ssize_t count = parts ? PyList_GET_SIZE(parts) : 0;
    is_ok = parts &&
            (magic_has(&options, 'f') || (text && strstr(text, "-f")) || is_confirmed());
    for (Py_ssize_t i = 0; is_ok && i < count; i++)
        is_ok = reset_part(PyList_GET_ITEM(parts, i)); // borrowed: parts is ours
    // inputs stay: %history, %rerun and %save know them by their numbers
    if (is_ok && count == 0 && !magic_has(&options, 's'))
        clear_outputs();
    if (is_ok && count == 0)
        is_ok = clear_names(is_any, NULL) && (!found || forget_modules());
    Py_XDECREF(parts);
    Py_XDECREF(shorter);
    magic_options_finish(&options);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

static bool matches(PyObject *name, void *pattern)
{
    PyObject *found = py_call_method(pattern, "search", "(O)", name);
    bool is_match = found && found != Py_None;
    Py_XDECREF(found);
    return is_match;
}

static PyObject *run_reset_selective(const char *name, PyObject *line, PyObject *body)
{
    struct magic_options options = {0};
    if (!magic_parse(name, line, "f", &options))
        return NULL;
    if (PyUnicode_GET_LENGTH(options.rest) == 0) {
        py_print("No regex pattern specified. Nothing done.\n");
    } else if (magic_has(&options, 'f') || is_confirmed()) {
        PyObject *pattern = py_call_module("re", "compile", "(O)", options.rest);
        if (pattern)
            clear_names(matches, pattern);
        Py_XDECREF(pattern);
    }
    magic_options_finish(&options);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

// ---- %xdel

// Other names for the same object, and cached results that are it.
static void forget_object(PyObject *dict, PyObject *value)
{
    PyObject *keys = PyDict_Keys(dict);
    for (Py_ssize_t i = 0; keys && i < PyList_GET_SIZE(keys); i++) {
        PyObject *key = PyList_GET_ITEM(keys, i), // borrowed: keys is ours
                *other = NULL;
        if (py_dict_get(dict, key, &other) > 0 && other == value)
            PyDict_DelItem(dict, key);
        Py_XDECREF(other);
    }
    Py_XDECREF(keys);
}

static PyObject *run_xdel(const char *name, PyObject *line, PyObject *body)
{
    struct shell *shell = shell_get();
    struct magic_options options = {0};
    PyObject *value = NULL;
    if (!magic_parse(name, line, "n", &options))
        return NULL;
    if (py_dict_get(shell->user_ns, options.rest, &value) <= 0) {
        py_print("NameError: name '%s' is not defined\n", PyUnicode_AsUTF8(options.rest));
    } else if (PySet_Contains(shell->initial_names, options.rest) == 1) {
        PyErr_Format(PyExc_ValueError, "cannot delete %U: it is part of the notebook",
                options.rest);
    } else {
        delete_name(options.rest);
        if (!magic_has(&options, 'n')) {
            forget_object(shell->user_ns, value);
            forget_object(shell->outputs, value);
            forget_result(value);
        }
        if (shell->last_result == value)
            Py_XSETREF(shell->last_result, Py_NewRef(Py_None));
    }
    Py_XDECREF(value);
    magic_options_finish(&options);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

const struct magic magics_namespace[] = {
        {"who", MAGIC_LINE, run_who, "The user's names, of the given types.", false,
                false},
        {"who_ls", MAGIC_LINE, run_who_ls, "The user's names as a list.", false, false},
        {"whos", MAGIC_LINE, run_whos, "The user's names with types and values.", false,
                false},
        {"reset", MAGIC_LINE, run_reset,
                "Forget the user's names: %reset [-f] [-s] [--aggressive] [in] [out] "
                "[dhist] [array]; -f does not ask, -s keeps In and Out.",
                false, false},
        {"reset_selective", MAGIC_LINE, run_reset_selective,
                "Forget the names that a regular expression matches; -f does not ask.",
                false, false},
        {"xdel", MAGIC_LINE, run_xdel,
                "Forget a name, its other names and cached results that are the same "
                "object; -n only the name.",
                false, false},
        {NULL, 0, NULL, NULL, false, false},
};
