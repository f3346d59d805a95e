// SPDX-License-Identifier: MIT
// Importing Python functions: the one place where the compiler sees Python objects.
#pragma once

#include "base/py.h"
#include "compiler/frontend/source.h"

// How the objects that a function refers to become constants; the runtime implements it.
struct py_resolver {
    void *context;
    // Describes `object` in *out. Whatever cannot be typed becomes TYPE_PYOBJECT; false
    // is for Python exceptions only. Memory comes from source->arena; Python objects that
    // *out refers to are appended to source->captured. For TYPE_DISPATCHER the source
    // behind it must be imported here (unless its import is under way: recursion). For
    // TYPE_MODULE the importer itself goes on with the attributes of `object`; so
    // namespaces such as cuda.atomic may be given as TYPE_MODULE.
    bool (*constant)(void *context, PyObject *object, struct source *source,
            struct constant *out, struct error *err);
    PyObject *parsed; // borrowed dict, or NULL: file name -> (text, tree), for the next
                      // function
    PyObject *kept;   // borrowed, or NULL: what py_kept_code_start gave
};

// Begins to keep what the program compiles from text that lies in no file: a new
// reference, or NULL with an exception set. Once in a process.
PyObject *py_kept_code_start(void);

// Fills in names, file, lines and parameters (with defaults) from the function object
// alone; at decoration time. Needs the GIL. Unsupported: **kwargs.
bool py_source_describe(PyObject *function, struct source *source,
        const struct py_resolver *resolver, struct error *err);

// The node of the function in its file's syntax tree: a new reference to an object of
// Python's ast. Describes the source first. NULL with err set.
PyObject *py_ast_node(PyObject *function, struct source *source,
        const struct py_resolver *resolver, struct error *err);

// Reads the function's source text (linecache), and fills in source->ast, resolving every
// global and captured name to a constant. Describes the source first where that is not
// done. Needs the GIL. Errors: ERROR_UNSUPPORTED naming a construct that is no part of
// the language, with its place; ERROR_SYSTEM when there is no source text.
bool py_ast_import(PyObject *function, struct source *source,
        const struct py_resolver *resolver, struct error *err);
