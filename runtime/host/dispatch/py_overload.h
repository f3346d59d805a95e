// SPDX-License-Identifier: MIT
// Functions that the program implements for compiled code by argument types.
#pragma once

#include "base/py.h"
#include "compiler/types/type.h"

struct error;
struct overload_question;
struct overload_reply;
struct told;

// Answers what typing asks. Takes the GIL.
bool py_overload_choose(const struct overload_question *question,
        struct overload_reply *reply, struct error *err);
// What compiled code calls in place of the object: a new reference, or NULL without an
// exception.
PyObject *py_overload_find(PyObject *object);
// What the program says of a conversion, of which one type is its own. Takes the GIL.
bool py_overload_tell(const struct type *from, const struct type *to, struct told *told,
        struct error *err);
// type_conversion, for which the program is asked what it did not tell yet. Sets no
// exception: where it fails, nothing converts.
enum conversion py_conversion(const struct type *from, const struct type *to);
extern PyMethodDef py_overload_functions[];
