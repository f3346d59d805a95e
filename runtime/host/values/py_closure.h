// SPDX-License-Identifier: MIT
// Inner functions of compiled functions that are returned to Python.
#pragma once

#include "base/py.h"
#include "compiler/types/type.h"

// The name that keeps a closure from being returned; NULL when it can be.
const char *py_closure_reason(const struct type *type);
// A jitted function for a closure in ABI form, whose references it takes over.
PyObject *py_closure_box(const struct type *type, const void *value);
