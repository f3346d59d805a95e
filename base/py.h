// SPDX-License-Identifier: MIT
// The only #include of Python.h: what every py_*.c needs of CPython, with strong
// references only, and the two translations between Python exceptions and struct error.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "base/error.h"

#if PY_VERSION_HEX < 0x030B0000
#error "gridcell needs Python 3.11 or later"
#endif

// Raises `err` as the Python exception of its kind and returns NULL. ERROR_PYTHON leaves
// the exception that is set. Needs the GIL.
PyObject *py_raise(const struct error *err);

// Moves the Python exception that is set into `err` (message: its str; kind: by class,
// with ERROR_RUNTIME for unknown ones) and returns false. An interrupt waits besides, as
// after py_error_drop(), until py_raise() takes it. Needs the GIL.
bool error_from_python(struct error *err);

// Forgets the exception that is set, if any. An interrupt is not the caller's to forget:
// it waits, and comes when Python code runs next. Needs the GIL.
void py_error_drop(void);
// Tells the user of the exception that is set, as of one in a finalizer, and drops it.
void py_error_report(PyObject *where);
// The attribute is there. False where asking fails.
bool py_has_attr(PyObject *object, const char *name);

// Names the Python class for a kind, where it lives outside builtins: `module` is
// imported when first raised. Called once by the runtime, which knows those modules.
// Strings are borrowed.
void py_error_class(enum error_kind kind, const char *module, const char *name);

// Strong-reference getters. 1: found, 0: missing (*value NULL), -1: error set.
int py_dict_get(PyObject *dict, PyObject *key, PyObject **value);
int py_dict_get_text(PyObject *dict, const char *key, PyObject **value);
// The item, or NULL with IndexError set.
PyObject *py_list_get(PyObject *list, Py_ssize_t index);
// The attribute, or NULL without an exception when it is missing; -1 in *failed on other
// errors.
PyObject *py_attr_or_null(PyObject *object, const char *name, int *failed);
// Imports `module` and returns its attribute `name`; NULL with an exception set.
PyObject *py_import_attr(const char *module, const char *name);

// Gives up references, of which some may be NULL.
void py_drop_all(PyObject *const *objects, size_t count);
#define py_drop(...)                                                                     \
    py_drop_all((PyObject *const[]){__VA_ARGS__},                                        \
            sizeof((PyObject *const[]){__VA_ARGS__}) / sizeof(PyObject *))

// The start of a tp_dealloc: the collector and weak references let go of the object. Only
// needed where the class takes part in either.
void py_dealloc_begin(PyObject *object);
// The end of a tp_dealloc: frees the object and gives up its class, which each instance
// of a heap type holds.
void py_dealloc_end(PyObject *object);

// The whole of a tp_dealloc of a class that no other is derived from, where tp_clear
// gives up all that the object holds.
void py_dealloc_clear(PyObject *object);

// Puts an item, whose reference it takes, into a new tuple. Where the item is NULL, the
// tuple is given up and becomes NULL.
void py_tuple_put(PyObject **tuple, Py_ssize_t index, PyObject *item);
// The dict at that place, made when it is first asked for: borrowed, or NULL with an
// exception set.
PyObject *py_dict_at(PyObject **place);
// A capsule that owns `data` of malloc, which holds a reference to `held`. Where it
// cannot be made both are given up: NULL with an exception set.
PyObject *py_capsule_new(
        void *data, const char *name, PyCapsule_Destructor destroy, PyObject *held);

// The function and the flags in a row of a table of methods that take keywords.
#define PY_KEYWORDS(function)                                                            \
    (PyCFunction)(void (*)(void))(function), METH_VARARGS | METH_KEYWORDS
// A row of a table of members: a field of the object that Python cannot set.
#define PY_OBJECT(name, type, field)                                                     \
    {                                                                                    \
        name, T_OBJECT_EX, offsetof(type, field), READONLY, NULL                         \
    }
// Rows that tell Python where an object keeps its attributes, weak references to it, and
// the function that calls it: in fields of these names.
#define PY_DICT(type) PY_OFFSET("__dictoffset__", type, dict)
#define PY_WEAKREFS(type) PY_OFFSET("__weaklistoffset__", type, weakrefs)
#define PY_VECTORCALL(type) PY_OFFSET("__vectorcalloffset__", type, vectorcall)
#define PY_OFFSET(name, type, field)                                                     \
    {                                                                                    \
        name, T_PYSSIZET, offsetof(type, field), READONLY, NULL                          \
    }
// A row of a table of attributes that Python reads and cannot set.
#define PY_GETTER(name, get)                                                             \
    {                                                                                    \
        name, get, NULL, NULL, NULL                                                      \
    }
