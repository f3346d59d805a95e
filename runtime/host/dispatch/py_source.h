// SPDX-License-Identifier: MIT
// A Python function as a compiler source: import with resolved constants, for dispatchers
// of every kind (CPU, CUDA, ufuncs).
#pragma once

#include "base/py.h"
#include "compiler/compiler.h"
#include "compiler/types/source.h"

// A dispatcher of another kind is known by this attribute of its class: a capsule of this
// name holding the struct source, imported when the attribute is read.
#define PY_SOURCE_ATTRIBUTE "__gridcell_source__"
#define PY_SOURCE_CAPSULE "gridcell.source"

// Imports `function` and stores its source at `*slot` before reading its globals, so that
// a function that refers to itself through `owner` finds it. On failure `*slot` is NULL
// again. `owner` is the dispatcher, not kept alive. Needs the GIL.
bool py_source_import(struct source **slot, PyObject *function,
        const struct source_options *options, PyObject *owner, struct error *err);
// Frees a source and the objects that it kept alive; NULL is nothing. Needs the GIL.
void py_source_destroy(struct source *source);

// Puts into the dict of what stands for a function all that functools.update_wrapper
// would put there, but for the annotations.
bool py_copy_function_names(PyObject *function, PyObject *dict);
// `__annotations__` of an object with the attribute `py_func`: those of that function,
// which may name what is not defined yet, and are asked for only when they are read.
PyObject *py_function_annotations(PyObject *object, void *closure);
int py_function_annotate(PyObject *object, PyObject *value, void *closure);
#define PY_ANNOTATIONS_ROW                                                               \
    {                                                                                    \
        .name = "__annotations__", .get = py_function_annotations,                       \
        .set = py_function_annotate                                                      \
    }

// One thread at a time imports and compiles, for importing runs Python code; the same
// thread may enter again. Waits without the GIL. numba.core.compiler_lock is this lock.
void py_compile_enter(void);
void py_compile_leave(void);
// As compile(), in the lock.
struct compiled *py_compile(struct source *source, const struct type *const *params,
        size_t count, const struct type *returns, const struct compile_options *options,
        struct error *err);
