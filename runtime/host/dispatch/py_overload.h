// SPDX-License-Identifier: MIT
// Functions that the program implements for compiled code by argument types.
#pragma once

#include "base/py.h"

struct error;
struct overload_question;
struct overload_reply;

// Answers what typing asks. Takes the GIL.
bool py_overload_choose(const struct overload_question *question,
        struct overload_reply *reply, struct error *err);
// What compiled code calls in place of the object: a new reference, or NULL without an
// exception.
PyObject *py_overload_find(PyObject *object);
extern PyMethodDef py_overload_functions[];
