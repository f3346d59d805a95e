// SPDX-License-Identifier: MIT
// Imports stencils that are made in a compiled function: stencil(lambda a: a[-1] + a[1])
// is made once, when the function is imported, and is a constant of it.
#include "compiler/frontend/importer/py_ast_private.h"

#include <string.h>

static void *refuse(struct importer *im, PyObject *node, const char *why)
{
    error_set(im->err, ERROR_UNSUPPORTED, py_node_span(im, node),
            "a stencil in a compiled function is made of a lambda or a function of the "
            "module, with options that are literals: %s",
            why);
    return NULL;
}

// The cells that the lambda's code needs, of the Python function around: a new tuple.
static PyObject *cells_of(struct importer *im, PyObject *node, PyObject *code)
{
    PyObject *names = PyObject_GetAttrString(code, "co_freevars");
    PyObject *cells = names ? PyTuple_New(PyTuple_GET_SIZE(names)) : NULL;
    for (Py_ssize_t i = 0; cells && i < PyTuple_GET_SIZE(names); i++) {
        PyObject *name = PyTuple_GET_ITEM(names, i);
        Py_ssize_t place = im->closure ? PySequence_Index(im->freevars, name) : -1;
        py_error_drop();
        if (place >= 0)
            PyTuple_SET_ITEM(cells, i, Py_NewRef(PyTuple_GET_ITEM(im->closure, place)));
        else
            Py_CLEAR(cells);
    }
    Py_XDECREF(names);
    if (!cells && !PyErr_Occurred())
        refuse(im, node, "this lambda uses a variable of the compiled function.");
    return cells;
}

static PyObject *function_of_lambda(struct importer *im, PyObject *node)
{
    PyObject *code = py_find_code(im, im->code, node);
    if (!code)
        return refuse(im, node, "the lambda's code was not found.");
    PyObject *cells = cells_of(im, node, code);
    PyObject *function = cells ? PyFunction_New(code, im->globals) : NULL;
    if (function && PyTuple_GET_SIZE(cells) > 0 &&
            PyFunction_SetClosure(function, cells) < 0)
        Py_CLEAR(function);
    Py_XDECREF(cells);
    Py_DECREF(code);
    return function;
}

// The kernel: a new reference, or NULL with err or an exception set.
static PyObject *kernel_of(struct importer *im, PyObject *node)
{
    if (!strcmp(py_node_class(node), "Lambda"))
        return function_of_lambda(im, node);
    PyObject *object = NULL;
    struct ast_node *value = py_import_chain(im, node, &object);
    if (value && !object)
        refuse(im, node, "this is a variable of the compiled function.");
    return object;
}

// The options: a new dict, or NULL likewise.
static PyObject *options_of(struct importer *im, PyObject *call)
{
    PyObject *keywords = py_node_get(im, call, "keywords");
    PyObject *evaluate = keywords ? py_import_attr("ast", "literal_eval") : NULL;
    PyObject *options = evaluate ? PyDict_New() : NULL;
    for (Py_ssize_t i = 0; options && i < PyList_GET_SIZE(keywords); i++) {
        PyObject *keyword = py_list_get(keywords, i);
        PyObject *name = keyword ? py_node_get(im, keyword, "arg") : NULL;
        PyObject *node = name ? py_node_get(im, keyword, "value") : NULL;
        PyObject *value = node && name != Py_None
                                  ? PyObject_CallFunctionObjArgs(evaluate, node, NULL)
                                  : NULL;
        if (node && !value &&
                (name == Py_None || PyErr_ExceptionMatches(PyExc_ValueError))) {
            py_error_drop();
            refuse(im, node, "this option is none.");
        }
        if (!value || PyDict_SetItem(options, name, value) < 0)
            Py_CLEAR(options);
        Py_XDECREF(value);
        Py_XDECREF(node);
        Py_XDECREF(name);
        Py_XDECREF(keyword);
    }
    Py_XDECREF(evaluate);
    Py_XDECREF(keywords);
    return options;
}

bool py_is_stencil(const struct ast_node *function)
{
    const struct constant *constant = &function->constant.value;
    return function->kind == AST_CONSTANT && constant->type == type_function &&
           !strcmp(constant->name, "numba.stencil");
}

struct ast_node *py_import_stencil(struct importer *im, PyObject *node)
{
    struct ast_node *out = py_node_new(im, AST_CONSTANT, node);
    PyObject *args = py_node_get(im, node, "args"), *stencil = NULL;
    bool is_single = args && PyList_GET_SIZE(args) == 1;
    if (args && !is_single)
        refuse(im, node, "it takes one function.");
    PyObject *first = is_single ? py_list_get(args, 0) : NULL;
    PyObject *kernel = first ? kernel_of(im, first) : NULL;
    PyObject *options = kernel ? options_of(im, node) : NULL;
    PyObject *make = options ? py_import_attr("numba", "stencil") : NULL;
    PyObject *positional = make ? PyTuple_Pack(1, kernel) : NULL;
    if (positional)
        stencil = PyObject_Call(make, positional, options);
    bool is_done = stencil && py_resolve_constant(im, stencil, "stencil", out);
    if (!is_done && im->err->kind == ERROR_NONE)
        error_from_python(im->err);
    Py_XDECREF(stencil);
    Py_XDECREF(positional);
    Py_XDECREF(make);
    Py_XDECREF(options);
    Py_XDECREF(kernel);
    Py_XDECREF(first);
    Py_XDECREF(args);
    return is_done ? out : NULL;
}
