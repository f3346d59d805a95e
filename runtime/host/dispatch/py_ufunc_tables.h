// SPDX-License-Identifier: MIT
// What a ufunc of ours lends to NumPy, and the failures of its loops.
#pragma once

#include "base/arena.h"
#include "compiler/compiler.h"
#include "runtime/host/values/py_numpy.h"

// NumPy keeps pointers to these, so they live in a capsule that the ufunc object owns.
struct ufunc_tables {
    PyObject *loops;    // tuple of capsules, one per signature
    PyObject *made_of;  // a ufunc's dispatcher, a gufunc's recipe
    struct arena arena; // holds what follows
    PyUFuncGenericFunction *functions;
    void **loop_data;
    char *types, *name, *doc, *signature;
};

// Room for the loops of the tuple `loops`. `doc` and `signature` may be NULL.
struct ufunc_tables *py_ufunc_tables_create(PyObject *loops, PyObject *made_of,
        const char *name, const char *doc, const char *signature);
// A capsule of that name, which owns the tables from here on: they are gone where it
// cannot be made. NULL with an exception set.
PyObject *py_ufunc_tables_keep(struct ufunc_tables *tables, const char *capsule_name);
// The tables of a ufunc that was made with a capsule of that name. NULL (no exception)
// for any other object.
struct ufunc_tables *py_ufunc_tables_of(PyObject *object, const char *capsule_name);
// Fills in the row of a loop: its function, what that gets as `data`, and NumPy's numbers
// of the operands' types.
void py_ufunc_tables_set(struct ufunc_tables *tables, Py_ssize_t row,
        PyUFuncGenericFunction function, void *data, const char *types,
        size_t operand_count);

// Raises what a compiled loop ended with, on a thread that NumPy may run without the GIL.
void py_ufunc_fail(int status, const struct compiled *compiled);
