// SPDX-License-Identifier: MIT
// Between Jansson values and Python objects.
#include "kernel/python/state/py_text.h"

#include <math.h>
#include <stdlib.h>

#include "kernel/python/state/py_state.h"

enum { MAX_DEPTH = 200 };

json_t *json_text(const char *text, size_t len)
{
    json_t *value = json_stringn(text, len);
    return value ? value : json_string("");
}

json_t *py_text_to_json(PyObject *text)
{
    Py_ssize_t len;
    PyObject *holder;
    const char *utf8 = py_utf8(text, &len, &holder);
    json_t *value = utf8 ? json_text(utf8, (size_t)len) : NULL;
    Py_XDECREF(holder);
    return value;
}

static PyObject *list_from_json(const json_t *array)
{
    size_t len = json_array_size(array);
    PyObject *list = PyList_New((Py_ssize_t)len);
    for (size_t i = 0; list && i < len; i++) {
        PyObject *item = py_from_json(json_array_get(array, i));
        if (!item)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, (Py_ssize_t)i, item);
    }
    return list;
}

static PyObject *dict_from_json(const json_t *object)
{
    PyObject *dict = PyDict_New();
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        PyObject *item = py_from_json(value);
        if (!dict || !item || PyDict_SetItemString(dict, key, item) < 0) {
            Py_XDECREF(item);
            Py_XDECREF(dict);
            return NULL;
        }
        Py_DECREF(item);
    }
    return dict;
}

PyObject *py_from_json(const json_t *value)
{
    switch (value ? json_typeof(value) : JSON_NULL) {
    case JSON_OBJECT:
        return dict_from_json(value);
    case JSON_ARRAY:
        return list_from_json(value);
    case JSON_STRING:
        return py_text(json_string_value(value), json_string_length(value));
    case JSON_INTEGER:
        return PyLong_FromLongLong(json_integer_value(value));
    case JSON_REAL:
        return PyFloat_FromDouble(json_real_value(value));
    case JSON_TRUE:
        return Py_NewRef(Py_True);
    case JSON_FALSE:
        return Py_NewRef(Py_False);
    default:
        return Py_NewRef(Py_None);
    }
}

static json_t *to_json(PyObject *object, int depth);

static json_t *base64_text(PyObject *bytes)
{
    PyObject *encoded = py_call_module("binascii", "b2a_base64", "(O)", bytes);
    json_t *value = NULL;
    if (encoded && PyBytes_Check(encoded)) {
        Py_ssize_t len = PyBytes_GET_SIZE(encoded);
        value = json_text(PyBytes_AS_STRING(encoded), (size_t)(len > 0 ? len - 1 : 0));
    }
    Py_XDECREF(encoded);
    return value;
}

static json_t *str_of(PyObject *object)
{
    PyObject *text = PyObject_Str(object);
    json_t *value = text ? py_text_to_json(text) : NULL;
    Py_XDECREF(text);
    return value;
}

static json_t *int_to_json(PyObject *object)
{
    int overflow;
    long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (overflow)
        return json_real(PyLong_AsDouble(object));
    return json_integer(value);
}

static json_t *sequence_to_json(PyObject *object, int depth)
{
    PyObject *items = PySequence_List(object);
    json_t *array = items ? json_array() : NULL;
    for (Py_ssize_t i = 0; array && i < PyList_GET_SIZE(items); i++) {
        json_t *item =
                to_json(PyList_GET_ITEM(items, i), depth + 1); // borrowed: items is ours
        if (!item || json_array_append_new(array, item) < 0) {
            json_decref(array);
            array = NULL;
        }
    }
    Py_XDECREF(items);
    return array;
}

static int add_member(json_t *object, PyObject *key, PyObject *value, int depth)
{
    PyObject *name = PyObject_Str(key), *holder = NULL;
    Py_ssize_t len;
    const char *utf8 = name ? py_utf8(name, &len, &holder) : NULL;
    json_t *member = utf8 ? to_json(value, depth + 1) : NULL;
    int status = member ? json_object_set_new(object, utf8, member) : -1;
    Py_XDECREF(holder);
    Py_XDECREF(name);
    return status;
}

static json_t *dict_to_json(PyObject *dict, int depth)
{
    PyObject *items = PyMapping_Items(dict);
    json_t *object = items ? json_object() : NULL;
    for (Py_ssize_t i = 0; object && i < PyList_GET_SIZE(items); i++) {
        PyObject *pair = PyList_GET_ITEM(items, i); // borrowed: items is ours
        if (add_member(object, PyTuple_GET_ITEM(pair, 0), PyTuple_GET_ITEM(pair, 1),
                    depth) < 0) {
            json_decref(object);
            object = NULL;
        }
    }
    Py_XDECREF(items);
    return object;
}

static json_t *to_json(PyObject *object, int depth)
{
    if (depth > MAX_DEPTH) {
        PyErr_SetString(PyExc_ValueError, "too deeply nested for JSON");
        return NULL;
    }
    if (object == Py_None)
        return json_null();
    if (PyBool_Check(object))
        return json_boolean(object == Py_True);
    if (PyUnicode_Check(object))
        return py_text_to_json(object);
    if (PyLong_Check(object))
        return int_to_json(object);
    if (PyFloat_Check(object)) {
        double value = PyFloat_AS_DOUBLE(object);
        return isfinite(value) ? json_real(value) : str_of(object);
    }
    if (PyBytes_Check(object))
        return base64_text(object);
    if (PyDict_Check(object))
        return dict_to_json(object, depth);
    if (PyList_Check(object) || PyTuple_Check(object) || PyAnySet_Check(object))
        return sequence_to_json(object, depth);
    PyObject *index = PyIndex_Check(object) ? PyNumber_Index(object) : NULL;
    py_error_drop();
    json_t *value = index ? int_to_json(index) : str_of(object);
    Py_XDECREF(index);
    return value;
}

json_t *py_to_json(PyObject *object)
{
    json_t *value = to_json(object, 0);
    if (!value && !PyErr_Occurred())
        PyErr_NoMemory();
    return value;
}
