// SPDX-License-Identifier: MIT
// Sources of cells go when nobody can ask for them any more: each code object of a cell
// has the file's name attached, and tells at its end. A cell with a class keeps its
// source: inspect looks for the text of classes when no code of theirs is left.
#include "kernel/python/execute/py_cell_source.h"

#include "base/py_compat.h"
#include "kernel/python/state/py_state.h"
#include "kernel/python/state/py_text.h"

enum { KEPT_AFTERWARDS = 1024 };

// Needs the GIL.
static struct {
    Py_ssize_t index;  // of what is attached to code objects
    PyObject *living;  // dict: file name -> how many code objects are left
    PyObject *waiting; // list used as a ring: names without code, the oldest at `oldest`
    Py_ssize_t oldest;
} sources;

// Not when the same cell has run again meanwhile.
static void forget(PyObject *name)
{
    struct shell *shell = shell_get();
    if (PyDict_Contains(sources.living, name))
        return;
    PyObject *linecache = py_loaded_module("linecache");
    PyObject *cache = linecache ? PyObject_GetAttrString(linecache, "cache") : NULL;
    PyObject *tables[] = {cache, shell->cell_sources, shell->cell_numbers};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (tables[i] && PyObject_DelItem(tables[i], name))
            py_error_drop();
    }
    py_error_drop();
    Py_XDECREF(cache);
    Py_XDECREF(linecache);
}

static void wait_for_others(PyObject *name)
{
    if (PyList_GET_SIZE(sources.waiting) < KEPT_AFTERWARDS) {
        PyList_Append(sources.waiting, name);
        return;
    }
    PyObject *before = py_list_get(sources.waiting, sources.oldest);
    PyList_SetItem(sources.waiting, sources.oldest, Py_NewRef(name));
    sources.oldest = (sources.oldest + 1) % KEPT_AFTERWARDS;
    forget(before);
    Py_DECREF(before);
}

static void count(PyObject *name, long more)
{
    PyObject *before = NULL;
    long left = more;
    if (py_dict_get(sources.living, name, &before) > 0)
        left += PyLong_AsLong(before);
    Py_XDECREF(before);
    if (left > 0) {
        PyObject *now = PyLong_FromLong(left);
        if (now)
            PyDict_SetItem(sources.living, name, now);
        Py_XDECREF(now);
    } else if (PyDict_DelItem(sources.living, name) == 0) {
        wait_for_others(name);
    }
}

// Of a code object that ends, in the middle of anything.
static void end_code(void *name)
{
    PyObject *type, *value, *traceback;
    if (!name || py_is_finalizing())
        return;
    PyErr_Fetch(&type, &value, &traceback);
    count(name, -1);
    Py_DECREF((PyObject *)name);
    py_error_drop();
    PyErr_Restore(type, value, traceback);
}

static bool has_class(PyCodeObject *code, bool is_outermost)
{
    bool found = !is_outermost && !(code->co_flags & CO_OPTIMIZED);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(code->co_consts) && !found; i++) {
        PyObject *constant = PyTuple_GET_ITEM(code->co_consts, i);
        found = PyCode_Check(constant) && has_class((PyCodeObject *)constant, false);
    }
    return found;
}

static void attach(PyObject *name, PyCodeObject *code)
{
    if (py_code_set_extra((PyObject *)code, sources.index, Py_NewRef(name)) == 0)
        count(name, 1);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(code->co_consts); i++) {
        PyObject *constant = PyTuple_GET_ITEM(code->co_consts, i);
        if (PyCode_Check(constant))
            attach(name, (PyCodeObject *)constant);
    }
}

bool cell_source_init(void)
{
    sources.index = py_code_extra_index(end_code);
    sources.living = PyDict_New();
    sources.waiting = PyList_New(0);
    return sources.index >= 0 && sources.living && sources.waiting;
}

static bool is_kept_for_good(PyObject *file_name, PyObject *const *parts)
{
    bool is_kept = PyDict_Contains(shell_get()->cell_numbers, file_name) <= 0;
    for (int i = 0; i < 2 && !is_kept; i++)
        is_kept = parts[i] && has_class((PyCodeObject *)parts[i], true);
    return is_kept;
}

void cell_source_follow(PyObject *file_name, PyObject *body, PyObject *last)
{
    PyObject *parts[] = {body, last}, *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    bool is_kept = is_kept_for_good(file_name, parts);
    if (!is_kept && !body && !last)
        wait_for_others(file_name);
    for (int i = 0; i < 2; i++) {
        if (parts[i] && !is_kept)
            attach(file_name, (PyCodeObject *)parts[i]);
    }
    py_error_drop();
    PyErr_Restore(type, value, traceback);
}
