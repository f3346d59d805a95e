// SPDX-License-Identifier: MIT
// Globals and captured variables are constants of compiled code. A jitted function
// notices at its next call that one of them, or one of a function that it calls, means
// something else now, and is compiled again.
#include "base/py_compat.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/types/source.h"
#include "runtime/host/dispatch/py_dispatcher.h"
#include "runtime/host/state/py_error.h"

// --- What was used

// Entries are (cell or None, name, object).
static bool add_entries(PyObject *all, const struct source *source, PyObject *globals)
{
    PyObject *watched = source->watched;
    for (Py_ssize_t i = 0; watched && i < PyList_GET_SIZE(watched); i++)
        if (PyList_Append(all, PyList_GET_ITEM(watched, i)) < 0) // borrowed: appended
            return false;
    return true;
}

// Adds what the jitted functions use that a source refers to, in the same namespace.
// Other namespaces are not watched: a library's globals do not change in practice, and
// each would be one more number to compare at every call.
static bool add_callees(
        PyObject *all, PyObject *seen, const struct source *source, PyObject *globals)
{
    PyObject *captured = source->captured;
    for (Py_ssize_t i = 0; captured && i < PyList_GET_SIZE(captured); i++) {
        PyObject *object = PyList_GET_ITEM(captured, i); // borrowed: the source keeps it
        if (!PyObject_TypeCheck(object, py_runtime()->dispatcher_type))
            continue;
        struct dispatcher *callee = (struct dispatcher *)object;
        int is_known = PySequence_Contains(seen, object);
        if (is_known || !callee->source ||
                PyFunction_GetGlobals(callee->py_func) != globals)
            continue;
        if (PyList_Append(seen, object) < 0 ||
                !add_entries(all, callee->source, globals) ||
                !add_callees(all, seen, callee->source, globals))
            return false;
    }
    return !PyErr_Occurred();
}

bool dispatcher_watch(struct dispatcher *self)
{
    PyObject *globals = PyFunction_GetGlobals(self->py_func);
    PyObject *all = PyList_New(0), *seen = PyList_New(0);
    bool is_done = all && seen && self->source && globals &&
                   add_entries(all, self->source, globals) &&
                   add_callees(all, seen, self->source, globals);
    Py_XDECREF(seen);
    self->has_cells = false;
    for (Py_ssize_t i = 0; is_done && i < PyList_GET_SIZE(all); i++) {
        PyObject *entry = PyList_GET_ITEM(all, i); // borrowed: `all` keeps it
        self->has_cells |= PyTuple_GET_ITEM(entry, 0) != Py_None;
    }
    self->is_watching = is_done && PyList_GET_SIZE(all) > 0;
    self->namespace_version = is_done ? py_dict_version(globals) : 0;
    Py_XSETREF(self->watched, is_done ? Py_NewRef(all) : NULL);
    Py_XDECREF(all);
    return is_done;
}

// --- Whether it means the same

static bool is_simple(PyObject *object)
{
    return PyLong_CheckExact(object) || PyFloat_CheckExact(object) ||
           PyUnicode_CheckExact(object) || PyBool_Check(object);
}

// Equal numbers and texts are the same constant.
// A cell that is run again assigns the same number anew: that must not compile again.
// 1 and 1.0 are not the same, nor 1 and True: they have other types.
static bool is_same(PyObject *now, PyObject *before)
{
    if (now == before)
        return true;
    if (!now || Py_TYPE(now) != Py_TYPE(before) || !is_simple(now))
        return false;
    int equal = PyObject_RichCompareBool(now, before, Py_EQ);
    py_error_drop();
    return equal > 0;
}

static PyObject *current_value(PyObject *entry, PyObject *globals)
{
    PyObject *cell = PyTuple_GET_ITEM(entry, 0), *name = PyTuple_GET_ITEM(entry, 1);
    PyObject *value = NULL;
    if (cell != Py_None)
        value = PyCell_Get(cell);
    else if (py_dict_get(globals, name, &value) > 0)
        py_import_lazy(globals, name, &value);
    py_error_drop();
    return value;
}

// The name of what has changed, borrowed; NULL: nothing has.
static PyObject *find_change(struct dispatcher *self, PyObject *globals)
{
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(self->watched); i++) {
        PyObject *entry =
                PyList_GET_ITEM(self->watched, i); // borrowed: `watched` keeps it
        PyObject *value = current_value(entry, globals);
        bool has_changed = !is_same(value, PyTuple_GET_ITEM(entry, 2));
        Py_XDECREF(value);
        if (has_changed)
            return PyTuple_GET_ITEM(entry, 1);
    }
    return NULL;
}

// The first change in a program is told, so that nobody wonders about the pause.
static bool tell(struct dispatcher *self, PyObject *name)
{
    static bool is_told;
    PyCodeObject *code = (PyCodeObject *)PyFunction_GetCode(self->py_func);
    const char *text = PyUnicode_AsUTF8(name);
    const char *file = code ? PyUnicode_AsUTF8(code->co_filename) : NULL;
    const char *function = code ? PyUnicode_AsUTF8(code->co_name) : NULL;
    if (is_told || !text || !file || !function)
        return !PyErr_Occurred();
    is_told = true;
    struct str message = {0};
    str_printf(&message,
            "'%s' has changed since '%s' was compiled: it is compiled again. (A jitted "
            "function takes globals as constants; this is said once. With "
            "GRIDCELL_WATCH_GLOBALS=0 it keeps its first values, as in numba.)",
            text, function);
    bool is_done = py_warn("NumbaWarning", "numba.core.dispatcher", file,
            code->co_firstlineno, str_text(&message));
    str_finish(&message);
    return is_done;
}

// Read where something has changed, so that os.environ in a program counts, and calls
// cost nothing.
static bool is_switched_off(void)
{
    const char *value = getenv("GRIDCELL_WATCH_GLOBALS");
    return value && !strcmp(value, "0");
}

bool dispatcher_refresh(struct dispatcher *self)
{
    PyObject *globals = PyFunction_GetGlobals(self->py_func);
    PyObject *name = is_switched_off() ? NULL : find_change(self, globals);
    self->namespace_version = py_dict_version(globals);
    if (!name)
        return true;
    Py_INCREF(name);
    bool is_done = tell(self, name);
    Py_DECREF(name);
    self->is_watching = false;
    return is_done && dispatcher_renew(self);
}

// Cells of closures have no version: who has some looks at them at each call.
bool dispatcher_is_current(const struct dispatcher *self)
{
    return !self->has_cells &&
           self->namespace_version ==
                   py_dict_version(PyFunction_GetGlobals(self->py_func));
}
