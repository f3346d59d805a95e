// SPDX-License-Identifier: MIT
// Types that a program adds: between their objects, their values and the compiler.
#pragma once

#include "base/py.h"
#include "compiler/types/type.h"

// The type of an object of a class derived from Type; NULL without an exception while the
// object is being made.
const struct type *py_extension_type(PyObject *object);
// Lets packages of the environment register types and functions of theirs, once. Whether
// there are some that did so now.
bool py_extensions_load(void);
// What the program registered for values of its classes; NULL: nothing. Sets no
// exception.
const struct type *py_typeof_registered(PyObject *value);
// Why that gave no type: new reference, or NULL without an exception where it was not
// asked.
PyObject *py_extension_failure(PyObject *value);
bool py_extension_unbox(PyObject *value, const struct type *type, void *target);
PyObject *py_extension_box(const struct type *type, const void *source);
// A jitted function without parameters that gives the value as a constant; None: the
// program has no code for constants of the type. NULL with an exception.
PyObject *py_extension_constant(PyObject *value, const struct type *type);
