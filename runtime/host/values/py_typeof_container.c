// SPDX-License-Identifier: MIT
// Which type a plain list, dict or set has: the one that holds all that is in it now.
// type_pyobject where there is none. All need the GIL, and run no code of the program.
#include "runtime/host/values/py_values.h"

// --- Lists

// The type that holds all items; NULL when there is none.
static const struct type *item_type(PyObject *list)
{
    const struct type *type = NULL;
    PyTypeObject *class = NULL;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++) {
        PyObject *item = PyList_GET_ITEM(list, i); // borrowed: nothing runs meanwhile
        bool is_simple = Py_TYPE(item) == class &&
                         (class == &PyFloat_Type || class == &PyUnicode_Type ||
                                 class == &PyBool_Type);
        class = Py_TYPE(item);
        if (is_simple)
            continue;
        const struct type *one = py_typeof(item);
        type = !type || type == one ? one : type_unify(type, one);
        if (!type || one == type_pyobject)
            return type_pyobject;
    }
    return type;
}

const struct type *py_typeof_list(PyObject *list)
{
    if (Py_EnterRecursiveCall(" while finding the type of a list")) {
        py_error_drop();
        return type_pyobject;
    }
    const struct type *item = item_type(list);
    Py_LeaveRecursiveCall();
    return item == type_pyobject ? item : type_list(item, false);
}

// --- Dicts and sets

static const struct type *join_types(const struct type *known, PyObject *value)
{
    if (known == type_pyobject)
        return known;
    const struct type *type = py_typeof(value);
    const struct type *both = !known || known == type ? type : type_unify(known, type);
    return both ? both : type_pyobject;
}

// Dicts of text stay Python's, as numba has it: a plain @jit then runs its function in
// the interpreter. Everything else goes in.
static bool is_taken(const struct type *key, const struct type *value)
{
    return key != type_pyobject && value != type_pyobject && value != type_string;
}

const struct type *py_typeof_dict(PyObject *dict)
{
    const struct type *key = NULL, *value = NULL;
    PyObject *pairs = PyDict_Items(dict);
    if (!pairs || Py_EnterRecursiveCall(" while finding the type of a dict")) {
        Py_XDECREF(pairs);
        py_error_drop();
        return type_pyobject;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(pairs); i++) {
        PyObject *pair = PyList_GET_ITEM(pairs, i); // borrowed: nobody else has the list
        key = join_types(key, PyTuple_GET_ITEM(pair, 0));
        value = join_types(value, PyTuple_GET_ITEM(pair, 1));
    }
    Py_LeaveRecursiveCall();
    Py_DECREF(pairs);
    return is_taken(key, value) ? type_dict(key, value, false) : type_pyobject;
}

const struct type *py_typeof_set(PyObject *set)
{
    const struct type *item = NULL;
    PyObject *items = PyObject_GetIter(set), *value;
    while (items && item != type_pyobject && (value = PyIter_Next(items))) {
        item = join_types(item, value);
        Py_DECREF(value);
    }
    if (!items || PyErr_Occurred())
        item = type_pyobject;
    py_error_drop();
    Py_XDECREF(items);
    return item == type_pyobject ? item : type_set(item, false);
}
