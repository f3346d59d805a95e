// SPDX-License-Identifier: MIT
// Values of the types that a program adds, on the way in and out.
//
// numba/core/extension/boxing.py writes the functions that box and unbox them. These are
// compiled once a type, when the first value comes, and kept by what made them.
#include "runtime/host/values/py_extension.h"

#include <stddef.h>
#include <string.h>

#include "compiler/support/support.h"
#include "compiler/types/abi.h"
#include "compiler/types/functions.h"
#include "compiler/types/kinds.h"
#include "runtime/host/values/py_reflect.h"
#include "runtime/host/values/py_values.h"

// A function that was compiled for the type: its address, or NULL with an exception set.
static void *written(const struct type *type, const char *what)
{
    PyObject *write = py_import_attr("numba.core.extension.boxing", what);
    PyObject *address =
            write ? PyObject_CallOneArg(write, (PyObject *)type->tuple.class_object)
                  : NULL;
    void *function = address ? PyLong_AsVoidPtr(address) : NULL;
    Py_XDECREF(write);
    Py_XDECREF(address);
    return function;
}

static void *written_once(const struct type *type, const char *what, void **place)
{
    if (!*place)
        *place = written(type, what);
    return *place;
}

static void say_nothing_came(const struct type *type, const char *what)
{
    if (!PyErr_Occurred())
        PyErr_Format(PyExc_SystemError,
                "what @%s registered for %s failed, and set no exception", what,
                type->name);
}

bool py_extension_unbox(PyObject *value, const struct type *type, void *target)
{
    struct py_type *self = type->tuple.class_object;
    bool (*unboxer)(void *, PyObject *) =
            (bool (*)(void *, PyObject *))written_once(type, "unboxer", &self->unboxer);
    memset(target, 0, abi_size(type));
    if (!unboxer)
        return false;
    bool done = unboxer(target, value);
    if (!done)
        say_nothing_came(type, "unbox");
    return done;
}

// The value's references are the function's to give on.
PyObject *py_extension_box(const struct type *type, const void *source)
{
    struct py_type *self = type->tuple.class_object;
    PyObject *(*boxer)(const void *) =
            (PyObject * (*)(const void *)) written_once(type, "boxer", &self->boxer);
    if (!boxer) {
        py_release(type, source);
        return NULL;
    }
    PyObject *object = boxer(source);
    if (!object)
        say_nothing_came(type, "box");
    return object;
}

PyObject *py_extension_constant(PyObject *value, const struct type *type)
{
    PyObject *reader = py_import_attr("numba.core.extension.constants", "reader");
    PyObject *made = reader ? PyObject_CallFunctionObjArgs(reader,
                                      (PyObject *)type->tuple.class_object, value, NULL)
                            : NULL;
    Py_XDECREF(reader);
    return made;
}

// --- What such functions call, by address

static bool unbox_member(const struct type *type, PyObject *value, void *target)
{
    memset(target, 0, abi_size(type));
    // code that goes on after a failure fails with that
    if (PyErr_Occurred())
        return false;
    if (py_unbox(value, type, target) && py_keep_arrays(type, target))
        return true;
    py_release(type, target);
    memset(target, 0, abi_size(type));
    return false;
}

static PyObject *box_member(const struct type *type, const void *source)
{
    return py_box(type, source);
}

// extension_addresses(): name -> address. callable_code, memory_data, row_len: where a
// function that is a value has the address of its code, counted memory that of its bytes,
// and a list its length
static PyObject *module_addresses(PyObject *module, PyObject *none)
{
    return Py_BuildValue("{snsnsnsNsNsNsNsN}", "callable_code",
            (Py_ssize_t)offsetof(struct abi_callable, code), "memory_data",
            (Py_ssize_t)offsetof(struct abi_memory, data), "row_len",
            (Py_ssize_t)offsetof(struct abi_row, len), "unbox",
            PyLong_FromVoidPtr((void *)unbox_member), "box",
            PyLong_FromVoidPtr((void *)box_member), "retain",
            PyLong_FromVoidPtr((void *)gridcell_memory_retain), "release",
            PyLong_FromVoidPtr((void *)gridcell_memory_release), "after",
            PyLong_FromVoidPtr((void *)py_reflection_after));
}

// type_address(type): the address by which the functions above know it
static PyObject *module_address(PyObject *module, PyObject *object)
{
    const struct type *type = py_type_get(object);
    if (!type)
        return PyErr_Format(PyExc_TypeError, "expected a type, got %R", object);
    return PyLong_FromVoidPtr((void *)type);
}

// --- Where their parts lie

static void add_leaf(void *context, size_t offset, size_t size_bytes)
{
    PyObject *list = context;
    PyObject *place = Py_BuildValue("nn", (Py_ssize_t)offset, (Py_ssize_t)size_bytes);
    if (place)
        PyList_Append(list, place); // a failure leaves its exception set
    Py_XDECREF(place);
}

// type_places(type): (bytes of a value, [(offset, bytes) of each leaf])
static PyObject *module_places(PyObject *module, PyObject *object)
{
    const struct type *type = py_type_get(object);
    if (!type)
        return PyErr_Format(PyExc_TypeError, "expected a type, got %R", object);
    PyObject *list = PyList_New(0);
    if (list)
        abi_leaves(type, 0, add_leaf, list);
    if (!list || PyErr_Occurred()) {
        Py_XDECREF(list);
        return NULL;
    }
    return Py_BuildValue("nN", (Py_ssize_t)abi_size(type), list);
}

// is_function_of_c(type): whether a function of C may be a value of it
static PyObject *module_is_of_c(PyObject *module, PyObject *object)
{
    const struct type *type = py_type_get(object);
    return PyBool_FromLong(
            type && type->kind == TYPE_CALLABLE && function_may_be_of_c(type));
}

PyMethodDef py_extension_value_functions[] = {
        {"is_function_of_c", module_is_of_c, METH_O,
                "Whether a function of C may be a value of the type."},
        {"extension_addresses", module_addresses, METH_NOARGS,
                "What generated functions that box and unbox call."},
        {"type_address", module_address, METH_O, "What those know a type by."},
        {"type_places", module_places, METH_O,
                "The bytes of a value in memory, and where its leaves lie."},
        {0},
};
