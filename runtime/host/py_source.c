// SPDX-License-Identifier: MIT
// Importing a Python function for the compiler, with the runtime's way to resolve its
// names.
#include "runtime/host/py_source.h"

#include <pthread.h>

#include "compiler/frontend/py_ast.h"
#include "runtime/host/py_runtime.h"

enum { KEPT_TREES = 4 };

static bool resolve_constant(void *context, PyObject *object, struct source *source,
        struct constant *out, struct error *err)
{
    return py_resolve(object, source, out, err);
}

// The syntax trees of the files imported last, so that several functions of one cell or
// module share a parse.
static PyObject *kept_trees(struct runtime *runtime)
{
    if (!runtime->parsed)
        runtime->parsed = PyDict_New();
    else if (PyDict_GET_SIZE(runtime->parsed) > KEPT_TREES)
        PyDict_Clear(runtime->parsed);
    return runtime->parsed;
}

// The place of an error outlives the source that it names: the name comes from the code
// object.
static void keep_file_name(
        struct error *err, const struct source *source, PyObject *function)
{
    if (!err->span.file || err->span.file != source->file)
        return;
    err->span.file = NULL;
    PyCodeObject *code = (PyCodeObject *)PyFunction_GetCode(function);
    if (code)
        err->span.file = PyUnicode_AsUTF8(code->co_filename);
    PyErr_Clear();
}

bool py_source_import(struct source **slot, PyObject *function,
        const struct source_options *options, PyObject *owner, struct error *err)
{
    struct source *source = source_create("");
    source->options = *options;
    source->owner = owner;
    PyObject *watched = PyList_New(0);
    source->captured = PyList_New(0);
    if (watched && source->captured && PyList_Append(source->captured, watched) == 0)
        source->watched = watched; // borrowed: `captured` keeps it
    Py_XDECREF(watched);
    *slot = source;
    const struct py_resolver resolver = {
            .constant = resolve_constant,
            .parsed = kept_trees(py_runtime()),
    };
    PyErr_Clear();
    if (py_ast_import(function, source, &resolver, err))
        return true;
    *slot = NULL;
    keep_file_name(err, source, function);
    py_source_destroy(source);
    return false;
}

void py_source_destroy(struct source *source)
{
    if (!source)
        return;
    PyObject *captured = source->captured;
    source_destroy(source);
    Py_XDECREF(captured);
}

// --- One at a time

static pthread_mutex_t compile_lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int compile_depth;

void py_compile_enter(void)
{
    if (compile_depth++ || pthread_mutex_trylock(&compile_lock) == 0)
        return;
    PyThreadState *state = PyEval_SaveThread();
    pthread_mutex_lock(&compile_lock);
    PyEval_RestoreThread(state);
}

void py_compile_leave(void)
{
    if (--compile_depth == 0)
        pthread_mutex_unlock(&compile_lock);
}
