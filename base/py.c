// SPDX-License-Identifier: MIT
// Error translation in both directions, and getters that never hand out borrowed
// references.
#include "base/py.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    const char *module, *name;
} error_classes[] = {
        [ERROR_TYPING] = {"builtins", "TypeError"},
        [ERROR_UNSUPPORTED] = {"builtins", "NotImplementedError"},
        [ERROR_LOWERING] = {"builtins", "NotImplementedError"},
        [ERROR_INTERNAL] = {"builtins", "NotImplementedError"},
        [ERROR_NAME] = {"builtins", "NameError"},
        [ERROR_TYPE] = {"builtins", "TypeError"},
        [ERROR_VALUE] = {"builtins", "ValueError"},
        [ERROR_INDEX] = {"builtins", "IndexError"},
        [ERROR_KEY] = {"builtins", "KeyError"},
        [ERROR_ATTRIBUTE] = {"builtins", "AttributeError"},
        [ERROR_OVERFLOW] = {"builtins", "OverflowError"},
        [ERROR_ZERO_DIVISION] = {"builtins", "ZeroDivisionError"},
        [ERROR_ASSERTION] = {"builtins", "AssertionError"},
        [ERROR_RUNTIME] = {"builtins", "RuntimeError"},
        [ERROR_MEMORY] = {"builtins", "MemoryError"},
        [ERROR_SYSTEM] = {"builtins", "OSError"},
        [ERROR_INTERRUPT] = {"builtins", "KeyboardInterrupt"},
        [ERROR_DEVICE] = {"builtins", "RuntimeError"},
        [ERROR_DEVICE_SUPPORT] = {"builtins", "ImportError"},
        [ERROR_NVVM] = {"builtins", "RuntimeError"},
        [ERROR_PYTHON] = {"builtins", "RuntimeError"},
};

enum { ERROR_CLASS_COUNT = sizeof error_classes / sizeof *error_classes };

void py_error_class(enum error_kind kind, const char *module, const char *name)
{
    error_classes[kind].module = module;
    error_classes[kind].name = name;
}

PyObject *py_import_attr(const char *module, const char *name)
{
    PyObject *imported = PyImport_ImportModule(module);
    if (!imported)
        return NULL;
    PyObject *value = PyObject_GetAttrString(imported, name);
    Py_DECREF(imported);
    return value;
}

// An interrupt comes to Python's main thread as a signal, to others from outside.
static bool is_main_thread(void)
{
    return gettid() == getpid();
}

// The interrupt that was raised here waits again, as if it had not been seen yet.
static void put_off_interrupt(void)
{
    if (is_main_thread())
        PyErr_SetInterrupt();
    else
        PyThreadState_SetAsyncExc(PyThread_get_thread_ident(), PyExc_KeyboardInterrupt);
}

// Raised now, an interrupt that was put off waits no more.
static bool raise_put_off(void)
{
    if (is_main_thread())
        return PyErr_CheckSignals() < 0;
    PyThreadState_SetAsyncExc(PyThread_get_thread_ident(), NULL);
    return false;
}

void py_error_drop(void)
{
    if (!PyErr_Occurred())
        return;
    bool is_interrupt = PyErr_ExceptionMatches(PyExc_KeyboardInterrupt);
    PyErr_Clear(); // answered: an interrupt is put off
    if (is_interrupt)
        put_off_interrupt();
}

void py_error_report(PyObject *where)
{
    bool is_interrupt = PyErr_ExceptionMatches(PyExc_KeyboardInterrupt);
    PyErr_WriteUnraisable(where); // answered: an interrupt is put off
    if (is_interrupt)
        put_off_interrupt();
}

PyObject *py_raise(const struct error *err)
{
    if (err->kind == ERROR_PYTHON && PyErr_Occurred())
        return NULL;
    if (err->kind == ERROR_INTERRUPT && raise_put_off())
        return NULL;
    enum error_kind kind = err->kind == ERROR_NONE ? ERROR_RUNTIME : err->kind;
    PyObject *class =
            py_import_attr(error_classes[kind].module, error_classes[kind].name);
    if (!class)
        return NULL;
    if (kind == ERROR_DEVICE) {
        PyObject *args = Py_BuildValue("(is)", err->code, err->message);
        if (args)
            PyErr_SetObject(class, args);
        Py_XDECREF(args);
    } else {
        PyObject *text = PyUnicode_DecodeUTF8(
                err->message, (Py_ssize_t)strlen(err->message), "replace");
        if (text)
            PyErr_SetObject(class, text);
        Py_XDECREF(text);
    }
    Py_DECREF(class);
    return NULL;
}

// The kind whose class `type` is, or is derived from.
static enum error_kind kind_of(PyTypeObject *type)
{
    for (; type; type = type->tp_base) {
        const char *dot = strrchr(type->tp_name, '.');
        for (int kind = ERROR_NONE + 1; kind < ERROR_CLASS_COUNT; kind++)
            if (!strcmp(error_classes[kind].name, dot ? dot + 1 : type->tp_name))
                return (enum error_kind)kind;
    }
    return ERROR_RUNTIME;
}

bool error_from_python(struct error *err)
{
    PyObject *type = NULL, *value = NULL, *traceback = NULL;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    PyObject *text = value ? PyObject_Str(value) : NULL;
    const char *utf8 = text ? PyUnicode_AsUTF8(text) : NULL;
    error_set(err, type ? kind_of((PyTypeObject *)type) : ERROR_RUNTIME, SPAN_NONE, "%s",
            utf8 ? utf8 : "(no message)");
    py_error_drop();
    if (type && PyErr_GivenExceptionMatches(type, PyExc_KeyboardInterrupt))
        put_off_interrupt(); // whoever drops `err` does not drop it
    Py_XDECREF(text);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return false;
}

int py_dict_get(PyObject *dict, PyObject *key, PyObject **value)
{
    *value = PyDict_GetItemWithError(dict, key); // borrowed: made strong on the next line
    Py_XINCREF(*value);
    if (*value)
        return 1;
    return PyErr_Occurred() ? -1 : 0;
}

int py_dict_get_text(PyObject *dict, const char *key, PyObject **value)
{
    *value = NULL;
    PyObject *name = PyUnicode_FromString(key);
    if (!name)
        return -1;
    int found = py_dict_get(dict, name, value);
    Py_DECREF(name);
    return found;
}

PyObject *py_list_get(PyObject *list, Py_ssize_t index)
{
    PyObject *item =
            PyList_GetItem(list, index); // borrowed: made strong on the next line
    Py_XINCREF(item);
    return item;
}

PyObject *py_attr_or_null(PyObject *object, const char *name, int *failed)
{
    *failed = 0;
    PyObject *value = PyObject_GetAttrString(object, name);
    if (!value && PyErr_ExceptionMatches(PyExc_AttributeError))
        py_error_drop();
    else if (!value)
        *failed = -1;
    return value;
}

bool py_has_attr(PyObject *object, const char *name)
{
    int failed;
    PyObject *value = py_attr_or_null(object, name, &failed);
    py_error_drop();
    Py_XDECREF(value);
    return value != NULL;
}

void py_drop_all(PyObject *const *objects, size_t count)
{
    for (size_t i = 0; i < count; i++)
        Py_XDECREF(objects[i]);
}

void py_dealloc_begin(PyObject *object)
{
    if (PyObject_IS_GC(object))
        PyObject_GC_UnTrack(object);
    if (Py_TYPE(object)->tp_weaklistoffset > 0)
        PyObject_ClearWeakRefs(object);
}

void py_dealloc_end(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    type->tp_free(object);
    Py_DECREF(type);
}

void py_dealloc_clear(PyObject *object)
{
    py_dealloc_begin(object);
    Py_TYPE(object)->tp_clear(object);
    py_dealloc_end(object);
}

void py_tuple_put(PyObject **tuple, Py_ssize_t index, PyObject *item)
{
    if (item)
        PyTuple_SET_ITEM(*tuple, index, item);
    else
        Py_CLEAR(*tuple);
}

PyObject *py_dict_at(PyObject **place)
{
    if (!*place)
        *place = PyDict_New();
    return *place;
}

PyObject *py_capsule_new(
        void *data, const char *name, PyCapsule_Destructor destroy, PyObject *held)
{
    PyObject *capsule = PyCapsule_New(data, name, destroy);
    if (!capsule) {
        Py_DECREF(held);
        free(data);
    }
    return capsule;
}
