// SPDX-License-Identifier: MIT
// Imports with statements: the body of `with objmode(...)` becomes a Python function of
// the variables that it reads, which returns those that it declares; that of
// `with parallel_chunksize(n)` runs with another size of parts.
#include "compiler/frontend/importer/py_ast_private.h"

#include <string.h>

// A context manager that is not called: `with objmode:` is `with objmode():`. Takes the
// reference; a new one, or NULL with err set.
static PyObject *as_call(struct importer *im, PyObject *function)
{
    PyObject *class = py_import_attr("ast", "Call");
    PyObject *copy = py_import_attr("ast", "copy_location");
    PyObject *call =
            class && copy ? PyObject_CallFunction(class, "O[][]", function) : NULL;
    PyObject *placed = call ? PyObject_CallFunction(copy, "OO", call, function) : NULL;
    if (!placed)
        error_from_python(im->err);
    Py_XDECREF(call);
    Py_XDECREF(copy);
    Py_XDECREF(class);
    Py_DECREF(function);
    return placed;
}

// The call in `with CALL:`, with its function; a new reference, or NULL with err set.
static PyObject *context_call(struct importer *im, PyObject *node)
{
    PyObject *items = py_node_get(im, node, "items");
    PyObject *item = items ? py_list_get(items, 0) : NULL;
    PyObject *call = item ? py_node_get(im, item, "context_expr") : NULL;
    PyObject *name = call ? py_node_get(im, item, "optional_vars") : NULL;
    bool is_named = name && name != Py_None;
    if (call && !is_named &&
            (!strcmp(py_node_class(call), "Name") ||
                    !strcmp(py_node_class(call), "Attribute")))
        call = as_call(im, call);
    bool is_plain = call && name && !is_named && PyList_GET_SIZE(items) == 1 &&
                    !strcmp(py_node_class(call), "Call");
    if (is_named)
        error_set(im->err, ERROR_UNSUPPORTED, py_node_span(im, node),
                "The 'with (context manager) as (variable):' construct is not "
                "supported.");
    else if (call && !is_plain)
        error_set(im->err, ERROR_UNSUPPORTED, py_node_span(im, node),
                "a with statement is not supported in a compiled function, other than "
                "'with objmode(...):' and 'with parallel_chunksize(n):'.");
    if (!is_plain)
        Py_CLEAR(call);
    Py_XDECREF(name);
    Py_XDECREF(item);
    Py_XDECREF(items);
    return call;
}

// What kind of with statement it is: the canonical name; NULL with err set.
static const char *context_name(struct importer *im, PyObject *call)
{
    struct ast_node *function = py_import_expr_field(im, call, "func");
    if (!function)
        return NULL;
    const struct constant *constant = &function->constant.value;
    const char *name = function->kind == AST_CONSTANT && constant->type == type_function
                               ? constant->name
                               : "";
    if (!strcmp(name, "numba.objmode") || !strcmp(name, "numba.parallel_chunksize"))
        return name;
    if (function->kind == AST_CONSTANT && !constant->type)
        error_set(im->err, ERROR_TYPING, function->span, "%s",
                function->constant.origin ? function->constant.origin
                                          : "Undefined variable used as context manager");
    else
        error_set(im->err, ERROR_UNSUPPORTED, function->span,
                "a with statement is not supported in a compiled function, other than "
                "'with objmode(...):' and 'with parallel_chunksize(n):'.");
    return NULL;
}

// --- parallel_chunksize

static struct ast_node *statement(
        struct importer *im, PyObject *node, struct ast_node *value)
{
    struct ast_node *out = py_node_new(im, AST_EXPRESSION, node);
    out->value = value;
    return out;
}

static struct ast_list list_of(
        struct importer *im, struct ast_node *first, struct ast_node *second)
{
    struct ast_list list = {.len = second ? 2 : 1};
    list.items = arena_array(&im->source->arena, struct ast_node *, 2);
    list.items[0] = first;
    list.items[1] = second;
    return list;
}

// The size is set, and set back however the body ends.
static struct ast_node *import_chunksize(
        struct importer *im, PyObject *node, PyObject *call)
{
    struct ast_list args, body;
    if (!py_import_expr_list(im, call, "args", &args))
        return NULL;
    if (args.len != 1 || args.items[0]->kind == AST_STARRED) {
        error_set(im->err, ERROR_TYPING, py_node_span(im, call),
                "parallel_chunksize takes exactly one argument, the size of the parts");
        return NULL;
    }
    if (!py_import_body(im, node, "body", &body))
        return NULL;
    struct ast_node *before = py_node_new(im, AST_LOCAL, node);
    before->local = scope_add(&im->scope,
            arena_printf(&im->source->arena, "chunksize.%zu", im->scope.names.len));
    struct ast_node *set = py_node_call(im, call, "numba.set_parallel_chunksize", 1);
    set->call.args.items[0] = args.items[0];
    struct ast_node *back = py_node_call(im, call, "numba.set_parallel_chunksize", 1);
    back->call.args.items[0] = before;
    struct ast_node *keep = py_node_new(im, AST_ASSIGN, node);
    keep->assign.targets = list_of(im, before, NULL);
    keep->assign.value = set;
    struct ast_node *inside = py_node_new(im, AST_TRY, node);
    inside->attempt.body = body;
    inside->attempt.finally = list_of(im, statement(im, call, back), NULL);
    struct ast_node *out = py_node_new(im, AST_IF, node); // both, as one statement
    out->block.test = py_node_new(im, AST_CONSTANT, node);
    out->block.test->constant.value.type = type_int64;
    out->block.test->constant.value.integer = 1;
    out->block.body = list_of(im, keep, inside);
    return out;
}

// --- objmode

// The names of the function's variables: a new list of str.
static PyObject *scope_names(struct importer *im)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < im->scope.names.len; i++) {
        PyObject *name = PyUnicode_FromString(im->scope.names.items[i]);
        if (!name || PyList_Append(list, name) < 0)
            Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

// Variables of the Python function that this one is defined in: a new dict.
static PyObject *free_variables(struct importer *im)
{
    PyObject *dict = PyDict_New();
    for (Py_ssize_t i = 0; dict && im->closure && i < PyTuple_GET_SIZE(im->freevars);
            i++) {
        PyObject *value = PyCell_Get(PyTuple_GET_ITEM(im->closure, i));
        if (value && PyDict_SetItem(dict, PyTuple_GET_ITEM(im->freevars, i), value) < 0)
            Py_CLEAR(dict);
        Py_XDECREF(value);
    }
    return dict;
}

static bool read_locals(
        struct importer *im, PyObject *names, const int **locals, size_t *count)
{
    *count = (size_t)PyTuple_GET_SIZE(names);
    int *list = arena_array(&im->source->arena, int, *count + 1);
    for (size_t i = 0; i < *count; i++) {
        const char *name = PyUnicode_AsUTF8(PyTuple_GET_ITEM(names, (Py_ssize_t)i));
        list[i] = name ? scope_find(&im->scope, name) : -1;
        if (list[i] < 0)
            return error_set(im->err, ERROR_UNSUPPORTED, SPAN_NONE,
                    "objmode() declares '%s', which its body does not set",
                    name ? name : "?");
    }
    *locals = list;
    return true;
}

static bool read_types(struct importer *im, PyObject *types, struct ast_node *out)
{
    size_t count = (size_t)PyTuple_GET_SIZE(types);
    out->objmode.types = arena_array(&im->source->arena, const struct type *, count + 1);
    for (size_t i = 0; i < count; i++) {
        struct constant constant = {0};
        if (!im->resolver->constant(im->resolver->context,
                    PyTuple_GET_ITEM(types, (Py_ssize_t)i), im->source, &constant,
                    im->err))
            return false;
        if (!constant.type || constant.type->kind != TYPE_CLASS)
            return error_set(im->err, ERROR_TYPING, out->span,
                    "what objmode() declares must be types");
        out->objmode.types[i] = constant.type->element;
    }
    return true;
}

// `made`: (function, inputs, outputs, types).
static bool read_made(struct importer *im, PyObject *made, struct ast_node *out)
{
    out->objmode.function = PyTuple_GET_ITEM(made, 0);
    if (PyList_Append(im->source->captured, out->objmode.function) < 0)
        return error_from_python(im->err);
    bool is_done = read_locals(im, PyTuple_GET_ITEM(made, 1), &out->objmode.inputs,
                           &out->objmode.input_count) &&
                   read_locals(im, PyTuple_GET_ITEM(made, 2), &out->objmode.outputs,
                           &out->objmode.output_count) &&
                   read_types(im, PyTuple_GET_ITEM(made, 3), out);
    for (size_t i = 0; is_done && i < out->objmode.output_count; i++)
        py_bind_local(im, out->objmode.outputs[i], NULL);
    return is_done;
}

static struct ast_node *import_objmode(
        struct importer *im, PyObject *node, PyObject *call)
{
    struct ast_node *out = py_node_new(im, AST_OBJMODE, node);
    PyObject *make = py_import_attr("numba.core.objmode", "make_function");
    PyObject *names = scope_names(im), *free = free_variables(im);
    PyObject *made = make && names && free
                             ? PyObject_CallFunction(make, "OOsOOO", node, call,
                                       im->source->file, im->globals, names, free)
                             : NULL;
    if (!made) {
        error_from_python(im->err);
        if (!im->err->span.line)
            im->err->span = out->span;
    }
    bool is_done = made && read_made(im, made, out);
    Py_XDECREF(made);
    Py_XDECREF(free);
    Py_XDECREF(names);
    Py_XDECREF(make);
    return is_done ? out : NULL;
}

struct ast_node *py_import_with(struct importer *im, PyObject *node)
{
    PyObject *call = context_call(im, node);
    const char *name = call ? context_name(im, call) : NULL;
    struct ast_node *out = NULL;
    if (name && !strcmp(name, "numba.objmode"))
        out = import_objmode(im, node, call);
    else if (name)
        out = import_chunksize(im, node, call);
    Py_XDECREF(call);
    return out;
}
