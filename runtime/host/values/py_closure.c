// SPDX-License-Identifier: MIT
// Inner functions that leave compiled code: each becomes a Python function with what it
// captured in cells, and that is jitted.
#include "runtime/host/values/py_closure.h"

#include <string.h>

#include "compiler/types/source.h"
#include "runtime/host/values/py_values.h"

// What the importer kept of the function: (code, globals, names, cells of the function
// around it or None), each borrowed.
static PyObject *origin_part(const struct source *source, Py_ssize_t i)
{
    return PyTuple_GET_ITEM((PyObject *)source->origin, i);
}

static PyObject *free_names(const struct source *source)
{
    return PyObject_GetAttrString(origin_part(source, 0), "co_freevars");
}

static int capture_named(const struct source *source, const char *name)
{
    for (size_t i = 0; i < source->capture_count; i++)
        if (!strcmp(source->params[i].name, name))
            return (int)i;
    return -1;
}

// The cell that the function around all of them, of Python, has for the name: a new
// reference, or NULL.
static PyObject *outer_cell(const struct source *source, PyObject *name)
{
    PyObject *names = origin_part(source, 2), *cells = origin_part(source, 3);
    Py_ssize_t i = cells == Py_None ? -1 : PySequence_Index(names, name);
    py_error_drop();
    return i < 0 ? NULL : Py_NewRef(PyTuple_GET_ITEM(cells, i));
}

static bool can_box(const struct type *type)
{
    if (type->kind == TYPE_CLOSURE)
        return !py_closure_reason(type);
    for (size_t i = 0; type->kind == TYPE_TUPLE && i < type->tuple.len; i++)
        if (!can_box(type->tuple.items[i]))
            return false;
    return type->kind != TYPE_ITERATOR && type->kind != TYPE_FUNCTION &&
           type->kind != TYPE_METHOD;
}

static const char *missing_name(const struct source *source)
{
    PyObject *names = free_names(source);
    const char *missing = NULL;
    for (Py_ssize_t i = 0; names && !missing && i < PyTuple_GET_SIZE(names); i++) {
        PyObject *name = PyTuple_GET_ITEM(names, i);
        const char *text = PyUnicode_AsUTF8(name);
        PyObject *cell = text ? outer_cell(source, name) : NULL;
        if (text && !cell && capture_named(source, text) < 0 &&
                strcmp(text, source->name) != 0)
            missing = text;
        Py_XDECREF(cell);
    }
    py_error_drop();
    Py_XDECREF(names);
    return missing;
}

const char *py_closure_reason(const struct type *type)
{
    const struct source *source = type->tuple.function;
    if (!source->origin)
        return source->name;
    for (size_t i = 0; i < type->tuple.len; i++)
        if (!can_box(type->tuple.items[i]) || (source->cell_captures & 1ULL << (i & 63)))
            return source->params[i].name;
    return missing_name(source);
}

// --- Its parts

static PyObject *new_cell(const struct source *source, PyObject *values, PyObject *name)
{
    const char *text = PyUnicode_AsUTF8(name);
    int i = text ? capture_named(source, text) : -1;
    if (i >= 0)
        return PyCell_New(PyTuple_GET_ITEM(values, i));
    PyObject *cell = text ? outer_cell(source, name) : NULL;
    return cell || !text ? cell : PyCell_New(NULL); // its own name
}

static PyObject *new_cells(const struct source *source, PyObject *values)
{
    PyObject *names = free_names(source);
    PyObject *cells = names ? PyTuple_New(PyTuple_GET_SIZE(names)) : NULL;
    for (Py_ssize_t i = 0; cells && i < PyTuple_GET_SIZE(names); i++) {
        PyObject *cell = new_cell(source, values, PyTuple_GET_ITEM(names, i));
        if (!cell)
            Py_CLEAR(cells);
        else
            PyTuple_SET_ITEM(cells, i, cell);
    }
    Py_XDECREF(names);
    return cells;
}

static PyObject *constant_object(const struct constant *constant)
{
    switch (constant->type->kind) {
    case TYPE_NONE:
        Py_RETURN_NONE;
    case TYPE_BOOL:
        return PyBool_FromLong(constant->integer != 0);
    case TYPE_INT:
        return constant->type == type_uint64
                       ? PyLong_FromUnsignedLongLong((uint64_t)constant->integer)
                       : PyLong_FromLongLong(constant->integer);
    case TYPE_FLOAT:
        return PyFloat_FromDouble(constant->real);
    case TYPE_COMPLEX:
        return PyComplex_FromDoubles(
                constant->complex_parts[0], constant->complex_parts[1]);
    case TYPE_STRING:
        return constant->type == type_string
                       ? PyUnicode_FromStringAndSize(
                                 constant->string.text, (Py_ssize_t)constant->string.len)
                       : PyBytes_FromStringAndSize(
                                 constant->string.text, (Py_ssize_t)constant->string.len);
    default:
        return PyErr_Format(PyExc_TypeError,
                "a function with a default of type %s cannot be returned",
                constant->type->name);
    }
}

// Its defaults by name: a new dict.
static PyObject *new_defaults(const struct source *source, PyObject *values)
{
    PyObject *defaults = PyDict_New();
    for (size_t i = source->capture_count; defaults && i < source->param_count; i++) {
        const struct source_param *param = &source->params[i];
        if (!param->has_default)
            continue;
        PyObject *value =
                param->default_param
                        ? Py_NewRef(PyTuple_GET_ITEM(values, param->default_param - 1))
                        : constant_object(&param->default_value);
        if (!value || PyDict_SetItemString(defaults, param->name, value) < 0)
            Py_CLEAR(defaults);
        Py_XDECREF(value);
    }
    return defaults;
}

PyObject *py_closure_box(const struct type *type, const void *value)
{
    const struct source *source = type->tuple.function;
    const char *reason = py_closure_reason(type);
    if (reason)
        return PyErr_Format(PyExc_TypeError,
                "cannot return the function '%s' for what it captured: '%s'",
                source->name, reason);
    PyObject *values = py_box_items(type, value);
    PyObject *cells = values ? new_cells(source, values) : NULL;
    PyObject *defaults = cells ? new_defaults(source, values) : NULL;
    PyObject *make = defaults ? py_import_attr("numba.core.made", "make_closure") : NULL;
    PyObject *made = make ? PyObject_CallFunctionObjArgs(make, origin_part(source, 0),
                                    origin_part(source, 1), cells, defaults, NULL)
                          : NULL;
    Py_XDECREF(make);
    Py_XDECREF(defaults);
    Py_XDECREF(cells);
    Py_XDECREF(values);
    return made;
}
