// SPDX-License-Identifier: MIT
// Matches that Python code of ours finds: of results of calls, of \\alpha, and jedi's.
#include "kernel/python/questions/py_complete.h"

#include <ctype.h>
#include <string.h>

#include "kernel/python/state/py_text.h"

bool match_found(struct completion *completion, PyObject *found, const char *prefix)
{
    bool is_any = false;
    for (Py_ssize_t i = 0; found && PyList_Check(found) && i < PyList_GET_SIZE(found);
            i++) {
        PyObject *name, *signature;
        const char *type;
        PyObject *item = PyList_GET_ITEM(found, i); // borrowed: found is ours
        if (!PyArg_ParseTuple(item, "UsU", &name, &type, &signature) ||
                !match_fits(completion, name, prefix))
            continue;
        match_add(completion, name, type, signature);
        is_any = true;
    }
    py_error_drop();
    Py_XDECREF(found);
    return is_any;
}

bool match_results(
        struct completion *completion, const char *expression, const char *prefix)
{
    if (!strchr(expression, '('))
        return false;
    return match_found(completion,
            py_call_module("gridcell.ipython.call_types", "members", "(s)", expression),
            prefix);
}

bool match_written(struct completion *completion, const char *code, size_t start,
        const char *owner, PyObject *object)
{
    if (!strpbrk(owner, "([") && !memchr(code, '\n', start) && !memchr(code, ';', start))
        return false; // a cell of one statement has bound nothing
    PyObject *before = py_text(code, start);
    PyObject *live = object ? PyTuple_Pack(1, object) : PyTuple_New(0);
    PyObject *found = before && live ? py_call_module("gridcell.ipython.cell_types",
                                               "members", "(OsO)", before, owner, live)
                                     : NULL;
    Py_XDECREF(live);
    Py_XDECREF(before);
    return match_found(completion, found, code + context_name_start(code, strlen(code)));
}

// Whether a text is what may follow a backslash: one word, or words in capitals.
static bool is_symbol_name(const char *text)
{
    bool has_blank = false, is_upper = true;
    for (const char *p = text; *p; p++) {
        if (strchr("\n\r\t\"'", *p))
            return false;
        has_blank |= *p == ' ';
        is_upper &= !islower((unsigned char)*p);
    }
    return *text && (!has_blank || is_upper);
}

bool match_symbols(struct completion *completion, const char *code, bool is_string)
{
    const char *typed = strrchr(code, '\\');
    if (!typed || !is_symbol_name(typed + 1))
        return false;
    PyObject *found = py_call_module("gridcell.ipython.symbols", "matches", "(sO)", typed,
            is_string ? Py_True : Py_False);
    bool is_any = found && PyList_Check(found) && PyList_GET_SIZE(found) > 0;
    for (Py_ssize_t i = 0; is_any && i < PyList_GET_SIZE(found); i++) {
        PyObject *name = PyList_GET_ITEM(found, i); // borrowed: found is ours
        match_add(completion, name, "symbol", NULL);
    }
    if (is_any)
        completion->start = (size_t)(typed - code);
    py_error_drop();
    Py_XDECREF(found);
    return is_any;
}
