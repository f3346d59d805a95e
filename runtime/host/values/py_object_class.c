// SPDX-License-Identifier: MIT
// Classes whose objects are compiled (numba.experimental.jitclass): the type of their
// objects, and their methods, as the compiler sees them.
#include "base/py.h"

#include <string.h>

#include "base/memory.h"
#include "compiler/types/object_class.h"
#include "runtime/host/values/py_values.h"
#include "runtime/host/state/py_error.h"

static char *copy_text(PyObject *text)
{
    const char *utf8 = PyUnicode_AsUTF8(text);
    return utf8 ? strcpy(memory_alloc(strlen(utf8) + 1), utf8) : NULL;
}

// One (name, type) of the list.
static bool read_field(PyObject *fields, Py_ssize_t i, struct type_field *out)
{
    PyObject *pair = py_list_get(fields, i), *name, *type_object;
    bool done = pair && PyArg_ParseTuple(pair, "UO", &name, &type_object);
    if (done) {
        out->name = copy_text(name);
        out->type = py_type_from(type_object);
        done = out->name && out->type;
        out->type = done ? type_defined(out->type) : NULL;
    }
    Py_XDECREF(pair);
    return done;
}

// object_type(class, name, [(field, type), ...][, struct name]): the type of the class's
// objects. It lives on, and the class with it.
static PyObject *object_type(PyObject *module, PyObject *args)
{
    PyObject *python_class, *name, *fields, *struct_name = NULL;
    if (!PyArg_ParseTuple(args, "OUO!|U", &python_class, &name, &PyList_Type, &fields,
                &struct_name))
        return NULL;
    size_t count = (size_t)PyList_GET_SIZE(fields);
    struct type_field *list = memory_zalloc((count + 1) * sizeof *list);
    for (size_t i = 0; i < count; i++)
        if (!read_field(fields, (Py_ssize_t)i, &list[i]))
            return NULL;
    struct object_class *class = memory_zalloc(sizeof *class);
    class->name = copy_text(name);
    class->struct_name = struct_name ? copy_text(struct_name) : NULL;
    class->python_class = Py_NewRef(python_class);
    const struct type *type = type_instance(class, list, count);
    type_await(type);
    return py_type_wrap(type);
}

static struct source *source_of(PyObject *function)
{
    struct error err = {0};
    struct source *source = function == Py_None
                                    ? NULL
                                    : py_runtime()->dispatchers->source(function, &err);
    if (err.kind)
        py_raise_compile(&err, "nopython", NULL, NULL);
    return source;
}

// object_methods(type, [(name, kind, function, setter or None), ...])
static PyObject *object_methods(PyObject *module, PyObject *args)
{
    PyObject *type_object, *methods;
    if (!PyArg_ParseTuple(args, "OO!", &type_object, &PyList_Type, &methods))
        return NULL;
    const struct type *type = py_type_get(type_object);
    if (!type || type->kind != TYPE_INSTANCE)
        return PyErr_Format(PyExc_TypeError, "%R is no type of objects", type_object);
    size_t count = (size_t)PyList_GET_SIZE(methods);
    struct object_method *list = memory_zalloc((count + 1) * sizeof *list);
    for (size_t i = 0; i < count; i++) {
        PyObject *name, *function, *set_function,
                *row = py_list_get(methods, (Py_ssize_t)i);
        int kind;
        bool done = row &&
                    PyArg_ParseTuple(row, "UiOO", &name, &kind, &function, &set_function);
        if (done) {
            list[i].name = copy_text(name);
            list[i].kind = (enum object_method_kind)kind;
            list[i].source = source_of(function);
            list[i].setter = source_of(set_function);
        }
        Py_XDECREF(row);
        if (PyErr_Occurred())
            return NULL;
    }
    type->cell.class->methods = list;
    type->cell.class->method_count = count;
    Py_RETURN_NONE;
}

// deferred_type(): stands for a type that is defined later, by its method define.
static PyObject *deferred_type(PyObject *module, PyObject *none)
{
    struct object_class *class = memory_zalloc(sizeof *class);
    class->name = "deferred";
    class->is_deferred = true;
    return py_type_wrap(type_instance(class, NULL, 0));
}

PyObject *py_type_define(PyObject *self, PyObject *argument)
{
    const struct type *type = py_type_get(self), *wanted = py_type_get(argument);
    if (!wanted || !type_define(type, wanted))
        return PyErr_Format(
                PyExc_TypeError, "%R cannot be defined as %R", self, argument);
    Py_RETURN_NONE;
}

PyMethodDef py_object_class_functions[] = {
        {"deferred_type", deferred_type, METH_NOARGS, NULL},
        {"object_type", object_type, METH_VARARGS, NULL},
        {"object_methods", object_methods, METH_VARARGS, NULL},
        {0},
};
