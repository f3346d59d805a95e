// SPDX-License-Identifier: MIT
// Values of expressions that somebody is typing: nothing of the user's is called.
#pragma once

#include "kernel/python/state/py_state.h"

// The value of an expression of names, attributes, subscripts and literals; a new
// reference, NULL without an exception when it has none or finding it would run code of
// the user's. `code` is the cell: a module that it imports is known by its name there.
PyObject *evaluate_safely(const char *expression, const char *code);
// _gridcell_kernel.evaluate(expression): that value, but a property as the last part is
// itself. LookupError when there is none.
PyObject *evaluate_for_inspection(PyObject *self, PyObject *expression);
// An attribute, without properties and __getattr__ of classes that are not known to be
// harmless. NULL without an exception.
PyObject *evaluate_attribute(PyObject *object, PyObject *name);
// What an attribute is before any getter runs (so a property is itself); NULL without an
// exception.
PyObject *evaluate_static(PyObject *object, PyObject *name);
// Whether the class comes from a library whose properties are cheap and have no effects.
bool evaluate_trusts(PyTypeObject *type);

// ---- py_time_limit.c
// From now on, KeyboardInterrupt comes after so many milliseconds. Main thread, with the
// GIL; elsewhere it does nothing.
void time_limit_begin(int limit_ms);
// Ends that, and drops an interrupt that is on its way. Whether the time was over.
bool time_limit_end(void);
