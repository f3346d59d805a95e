// SPDX-License-Identifier: MIT
// Which magics there are: the built-in families, which the room of magics gives at start,
// and the user's own.
#include "kernel/python/state/py_magic_table.h"

#include <string.h>

#include "kernel/python/state/py_state.h"

static const struct magic *const *families; // set once, before the first cell
static size_t family_count;

void magic_set_families(const struct magic *const *given, size_t count)
{
    families = given;
    family_count = count;
}

const struct magic *magic_find(enum magic_kind kind, const char *name)
{
    for (size_t i = 0; i < family_count; i++) {
        for (const struct magic *magic = families[i]; magic->name; magic++) {
            if ((magic->kinds & kind) && !strcmp(magic->name, name))
                return magic;
        }
    }
    return NULL;
}

// The user's magic of that name; new reference, NULL without an exception when there is
// none.
static PyObject *find_user_magic(enum magic_kind kind, const char *name)
{
    PyObject *by_name = NULL, *function = NULL;
    const char *key = kind == MAGIC_LINE ? "line" : "cell";
    if (py_dict_get_text(shell_get()->user_magics, key, &by_name) > 0)
        py_dict_get_text(by_name, name, &function);
    py_error_drop();
    Py_XDECREF(by_name);
    return function;
}

// A name that %unalias took away from its built-in magic.
static bool is_hidden(PyObject *user_magic)
{
    return user_magic == Py_None;
}

bool magic_has_mark(PyObject *function, const char *name)
{
    PyObject *mark = PyObject_GetAttrString(function, name);
    bool is_set = mark && PyObject_IsTrue(mark) == 1;
    py_error_drop();
    Py_XDECREF(mark);
    return is_set;
}

bool magic_find_any(enum magic_kind kind, const char *name, PyObject **function,
        const struct magic **magic)
{
    *function = find_user_magic(kind, name);
    *magic = *function ? NULL : magic_find(kind, name);
    if (*function && is_hidden(*function))
        Py_CLEAR(*function);
    return *function ? !magic_has_mark(*function, "_ipython_magic_no_var_expand")
                     : *magic && (*magic)->expands_line;
}

bool magic_exists(enum magic_kind kind, const char *name)
{
    PyObject *function;
    const struct magic *magic;
    magic_find_any(kind, name, &function, &magic);
    Py_XDECREF(function);
    return function || magic;
}

static bool discard_hidden(enum magic_kind kind, PyObject *names)
{
    PyObject *all = PySequence_List(names);
    bool is_ok = all != NULL;
    for (Py_ssize_t i = 0; is_ok && i < PyList_GET_SIZE(all); i++) {
        PyObject *name = PyList_GET_ITEM(all, i); // borrowed: all is ours
        const char *text = PyUnicode_AsUTF8(name);
        is_ok = text && (magic_exists(kind, text) || PySet_Discard(names, name) >= 0);
    }
    Py_XDECREF(all);
    return is_ok;
}

PyObject *magic_names(enum magic_kind kind)
{
    PyObject *by_name = NULL;
    py_dict_get_text(
            shell_get()->user_magics, kind == MAGIC_LINE ? "line" : "cell", &by_name);
    PyObject *names = by_name ? PySet_New(by_name) : PySet_New(NULL);
    Py_XDECREF(by_name);
    for (size_t i = 0; names && i < family_count; i++) {
        for (const struct magic *magic = families[i]; magic->name; magic++) {
            PyObject *name =
                    magic->kinds & kind ? PyUnicode_FromString(magic->name) : NULL;
            if (name && PySet_Add(names, name) < 0)
                Py_CLEAR(names);
            Py_XDECREF(name);
        }
    }
    if (names && !discard_hidden(kind, names))
        Py_CLEAR(names);
    PyObject *list = names ? PySequence_List(names) : NULL;
    if (list && PyList_Sort(list) < 0)
        Py_CLEAR(list);
    Py_XDECREF(names);
    return list;
}
