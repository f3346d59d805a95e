// SPDX-License-Identifier: MIT
// Functions as values on the border of compiled code.
#pragma once

#include "base/py.h"
#include "compiler/types/abi.h"

// The function that an object stands for in compiled code (a callback, one behind an
// address): a dispatcher, or NULL, without an exception, for other objects.
PyObject *py_function_behind(PyObject *object);
// Stores a new reference on the function as a value of the type, a CALLABLE.
bool py_callable_unbox(PyObject *object, const struct type *type, void *target);
// The object of a value, whose reference it takes over.
PyObject *py_callable_box(const struct type *type, const void *source);
// Which of the functions of a choice, a CHOICE; and the object of one.
bool py_choice_unbox(PyObject *object, const struct type *type, void *target);
PyObject *py_choice_box(const struct type *type, const void *source);
