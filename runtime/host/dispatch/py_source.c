// SPDX-License-Identifier: MIT
// Importing a Python function for the compiler, with the runtime's way to resolve its
// names.
#include "runtime/host/dispatch/py_source.h"

#include <pthread.h>

#include "compiler/frontend/importer/py_ast.h"
#include "runtime/host/dispatch/py_dispatch.h"
#include "runtime/host/state/py_error.h"

enum { KEPT_TREES = 4 };

static bool resolve_constant(void *context, PyObject *object, struct source *source,
        struct constant *out, struct error *err)
{
    return py_resolve(object, source, out, err);
}

// Owned by the module's state, under the GIL. The syntax trees of the files imported
// last, so that several functions of one cell or module share a parse.
// Four, as a notebook's cells come one after the other: a larger store would keep trees
// of cells that are long gone.
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
    py_error_drop();
}

// Who owns what: the dispatcher owns the source; the source owns `captured`, the list
// that keeps every object alive which constants of the code point into. It is freed with
// the source, after the code, as the code uses those objects without asking.
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
            .kept = py_runtime()->kept_code,
    };
    py_error_drop();
    if (py_ast_import(function, source, &resolver, err))
        return true;
    *slot = NULL;
    keep_file_name(err, source, function);
    py_source_destroy(source);
    return false;
}

// function_tree(function): its node of Python's ast, which is shared: to be copied.
static PyObject *module_function_tree(PyObject *module, PyObject *function)
{
    const struct py_resolver resolver = {
            .constant = resolve_constant,
            .parsed = kept_trees(py_runtime()),
            .kept = py_runtime()->kept_code,
    };
    struct error err = {0};
    struct source *source = source_create("");
    source->captured = PyList_New(0);
    py_compile_enter(); // CPython 3.11 counts the depth of all threads' trees together
    PyObject *node =
            source->captured ? py_ast_node(function, source, &resolver, &err) : NULL;
    py_compile_leave();
    if (!node && err.kind)
        py_raise_compile(&err, "nopython", NULL, NULL);
    py_source_destroy(source);
    return node;
}

// infer_result(function, types): the type that a jitted function gives for arguments.
static PyObject *module_infer_result(PyObject *module, PyObject *args)
{
    PyObject *function, *sequence;
    const struct type **types = NULL;
    size_t count = 0;
    if (!PyArg_ParseTuple(args, "OO", &function, &sequence) ||
            !py_types_from_sequence(sequence, &types, &count))
        return NULL;
    struct error err = {0};
    py_compile_enter();
    struct source *source = py_dispatcher_source(function, &err);
    struct ir_function *inferred =
            source ? source_infer(source, types, count, NULL, TARGET_HOST, &err) : NULL;
    py_compile_leave();
    PyMem_Free(types);
    if (!inferred)
        return py_raise_compile(&err, "nopython", NULL, NULL);
    return py_type_wrap(inferred->returns);
}

bool py_source_init(struct runtime *runtime)
{
    runtime->kept_code = py_kept_code_start();
    return runtime->kept_code;
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

// Taken without the GIL where it has to be waited for: who has it may need the GIL.
static pthread_mutex_t compile_lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int compile_depth; // how often this thread has entered

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

struct compiled *py_compile(struct source *source, const struct type *const *params,
        size_t count, const struct type *returns, const struct compile_options *options,
        struct error *err)
{
    py_compile_enter();
    struct compiled *compiled = compile(source, params, count, returns, options, err);
    py_compile_leave();
    return compiled;
}

static PyObject *module_compile_enter(PyObject *module, PyObject *none)
{
    py_compile_enter();
    Py_RETURN_NONE;
}

// As __exit__, too, with whatever comes.
static PyObject *module_compile_leave(PyObject *module, PyObject *args)
{
    if (!compile_depth)
        return PyErr_Format(
                PyExc_RuntimeError, "this thread does not hold the compiler's lock");
    py_compile_leave();
    Py_RETURN_NONE;
}

static PyObject *module_is_compiling(PyObject *module, PyObject *none)
{
    return PyBool_FromLong(compile_depth != 0);
}

bool py_copy_function_names(PyObject *function, PyObject *dict)
{
    // the last two: since 3.12, and since 3.14
    static const char *const names[] = {"__module__", "__name__", "__qualname__",
            "__doc__", "__type_params__", "__annotate__"};
    int failed = PyDict_SetItemString(dict, "__wrapped__", function);
    for (size_t i = 0; !failed && i < sizeof names / sizeof *names; i++) {
        PyObject *value = py_attr_or_null(function, names[i], &failed);
        if (value)
            failed = PyDict_SetItemString(dict, names[i], value);
        Py_XDECREF(value);
    }
    return !failed;
}

PyObject *py_function_annotations(PyObject *object, void *closure)
{
    PyObject *function = PyObject_GetAttrString(object, "py_func");
    PyObject *value =
            function ? PyObject_GetAttrString(function, "__annotations__") : NULL;
    Py_XDECREF(function);
    return value;
}

int py_function_annotate(PyObject *object, PyObject *value, void *closure)
{
    PyObject *function = PyObject_GetAttrString(object, "py_func");
    int status =
            function ? PyObject_SetAttrString(function, "__annotations__", value) : -1;
    Py_XDECREF(function);
    return status;
}

PyMethodDef py_source_functions[] = {
        {"function_tree", module_function_tree, METH_O,
                "The node of Python's ast that a function was compiled from."},
        {"infer_result", module_infer_result, METH_VARARGS,
                "The type that a jitted function gives for types of arguments."},
        {"compile_enter", module_compile_enter, METH_NOARGS,
                "Waits for the lock of compilation, which this thread may take again."},
        {"compile_leave", module_compile_leave, METH_VARARGS, "Gives it back."},
        {"is_compiling", module_is_compiling, METH_NOARGS,
                "Whether this thread holds it."},
        {0},
};
