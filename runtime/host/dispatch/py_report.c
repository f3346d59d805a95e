// SPDX-License-Identifier: MIT
// The text of functions, what reports of the compiler's defects ask of Python besides,
// and provoking such defects.
#include <string.h>

#include "compiler/compiler.h"
#include "runtime/host/dispatch/py_dispatch.h"
#include "runtime/host/state/py_enter.h"

PyObject *py_source_lines(const struct source *source)
{
    PyObject *linecache = PyImport_ImportModule("linecache");
    PyObject *all =
            linecache ? PyObject_CallMethod(linecache, "getlines", "s", source->file)
                      : NULL;
    PyObject *own =
            all ? PyList_GetSlice(all, source->first_line - 1, source->last_line) : NULL;
    Py_XDECREF(linecache);
    Py_XDECREF(all);
    return own;
}

static PyObject *source_text(const struct source *source)
{
    PyObject *lines = py_source_lines(source);
    PyObject *empty = lines ? PyUnicode_FromString("") : NULL;
    PyObject *text = empty ? PyUnicode_Join(empty, lines) : NULL;
    Py_XDECREF(lines);
    Py_XDECREF(empty);
    return text;
}

// Without a text there is no exception either.
char *py_report_source_text(const struct source *source)
{
    PyGILState_STATE state = py_enter();
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *text = source->file ? source_text(source) : NULL;
    const char *utf8 = text ? PyUnicode_AsUTF8(text) : NULL;
    char *copy = utf8 ? strdup(utf8) : NULL;
    Py_XDECREF(text);
    PyErr_Restore(type, value, traceback);
    py_leave(state);
    return copy;
}

const char *py_report_versions(void)
{
    return "Python " PY_VERSION;
}

// provoke(pass, way): a pass of the compiler fails when it is run next. For tests.
static PyObject *module_provoke(PyObject *module, PyObject *args)
{
    const char *pass, *way;
    if (!PyArg_ParseTuple(args, "ss", &pass, &way))
        return NULL;
    if (!compiler_provoke(pass, way))
        return PyErr_Format(PyExc_ValueError, "no pass %s, or no way %s", pass, way);
    Py_RETURN_NONE;
}

// pass_names(): of the compiler, in order.
static PyObject *module_pass_names(PyObject *module, PyObject *none)
{
    PyObject *names = PyList_New(0);
    for (const char *const *name = compiler_pass_names(); names && *name; name++) {
        PyObject *text = PyUnicode_FromString(*name);
        if (!text || PyList_Append(names, text) != 0)
            Py_CLEAR(names);
        Py_XDECREF(text);
    }
    return names;
}

PyMethodDef py_report_functions[] = {
        {"provoke", module_provoke, METH_VARARGS,
                "Has a pass of the compiler fail when it is run next; for tests."},
        {"pass_names", module_pass_names, METH_NOARGS,
                "The passes of the compiler, in order."},
        {NULL, NULL, 0, NULL},
};
