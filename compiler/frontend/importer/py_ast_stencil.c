// SPDX-License-Identifier: MIT
// Imports stencils that are made in a compiled function, of a lambda or of a function
// that is defined there: stencil(lambda a: a[-1] + a[1]) is made once, when the function
// is imported, and is a constant of it.
#include "compiler/frontend/importer/py_ast_private.h"

#include <string.h>

static void *refuse(struct importer *im, PyObject *node, const char *why)
{
    error_set(im->err, ERROR_UNSUPPORTED, py_node_span(im, node),
            "a stencil in a compiled function is made of a lambda or a plain function, "
            "with options that are literals: %s",
            why);
    return NULL;
}

// The cells that the kernel's code needs, of the Python function around: a new tuple.
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
        refuse(im, node, "the kernel uses a variable of the compiled function.");
    return cells;
}

// Of a lambda, or of what `def` names; takes the reference over.
static PyObject *function_of_code(struct importer *im, PyObject *node, PyObject *code)
{
    if (!code)
        return refuse(im, node, "the kernel's code was not found.");
    PyObject *cells = cells_of(im, node, code);
    PyObject *function = cells ? PyFunction_New(code, im->globals) : NULL;
    if (function && PyTuple_GET_SIZE(cells) > 0 &&
            PyFunction_SetClosure(function, cells) < 0)
        Py_CLEAR(function);
    Py_XDECREF(cells);
    Py_DECREF(code);
    return function;
}

// The code of the one function that is defined here under a name, or NULL.
static PyObject *code_named(struct importer *im, const char *name)
{
    PyObject *constants = PyObject_GetAttrString(im->code, "co_consts"), *found = NULL;
    size_t count = 0;
    for (Py_ssize_t i = 0; constants && i < PyTuple_GET_SIZE(constants); i++) {
        PyObject *item = PyTuple_GET_ITEM(constants, i);
        if (!PyCode_Check(item) || PyUnicode_CompareWithASCIIString(
                                           ((PyCodeObject *)item)->co_name, name) != 0)
            continue;
        found = item;
        count++;
    }
    found = count == 1 ? Py_NewRef(found) : NULL;
    Py_XDECREF(constants);
    return found;
}

// The kernel: a new reference, or NULL with err or an exception set.
static PyObject *kernel_of(struct importer *im, PyObject *node)
{
    if (!strcmp(py_node_class(node), "Lambda"))
        return function_of_code(im, node, py_find_code(im, im->code, node));
    PyObject *object = NULL;
    struct ast_node *value = py_import_chain(im, node, &object);
    if (!value || object)
        return object;
    const char *name =
            value->kind == AST_LOCAL ? im->scope.names.items[value->local] : NULL;
    PyObject *code = name ? code_named(im, name) : NULL;
    return code ? function_of_code(im, node, code)
                : refuse(im, node, "this is a variable of the compiled function.");
}

// The options of a call, if there is one: a new dict, or NULL likewise.
static PyObject *options_of(struct importer *im, PyObject *call)
{
    PyObject *keywords = call ? py_node_get(im, call, "keywords") : PyList_New(0);
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

// The constant; takes the kernel over, which is NULL after a failure.
static struct ast_node *make_stencil(
        struct importer *im, PyObject *node, PyObject *kernel, PyObject *call)
{
    struct ast_node *out = py_node_new(im, AST_CONSTANT, node);
    PyObject *stencil = NULL, *options = kernel ? options_of(im, call) : NULL;
    PyObject *make = options ? py_import_attr("numba", "stencil") : NULL;
    PyObject *positional = make ? PyTuple_Pack(1, kernel) : NULL;
    if (positional)
        stencil = PyObject_Call(make, positional, options);
    bool is_done = stencil && py_resolve_constant(im, stencil, "stencil", out);
    if (!is_done && im->err->kind == ERROR_NONE)
        error_from_python(im->err);
    PyObject *const used[] = {stencil, positional, make, options, kernel};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        Py_XDECREF(used[i]);
    return is_done ? out : NULL;
}

struct ast_node *py_import_stencil(struct importer *im, PyObject *node)
{
    PyObject *args = py_node_get(im, node, "args");
    bool is_single = args && PyList_GET_SIZE(args) == 1;
    if (args && !is_single)
        refuse(im, node, "it takes one function.");
    PyObject *first = is_single ? py_list_get(args, 0) : NULL;
    struct ast_node *out =
            make_stencil(im, node, first ? kernel_of(im, first) : NULL, node);
    Py_XDECREF(first);
    Py_XDECREF(args);
    return out;
}

bool py_is_stencil_decorator(struct importer *im, PyObject *decorator)
{
    bool is_call = !strcmp(py_node_class(decorator), "Call");
    PyObject *args = is_call ? py_node_get(im, decorator, "args") : NULL;
    PyObject *name = is_call ? py_node_get(im, decorator, "func") : Py_NewRef(decorator);
    bool is_plain = name && (!is_call || (args && PyList_GET_SIZE(args) == 0));
    const struct ast_node *function = is_plain ? py_import_expr(im, name) : NULL;
    Py_XDECREF(name);
    Py_XDECREF(args);
    return function && py_is_stencil(function);
}

struct ast_node *py_import_stencil_definition(
        struct importer *im, PyObject *node, PyObject *decorator, int local)
{
    bool is_call = !strcmp(py_node_class(decorator), "Call");
    PyObject *code = py_find_code(im, im->code, node);
    struct ast_node *stencil = make_stencil(
            im, node, function_of_code(im, node, code), is_call ? decorator : NULL);
    if (!stencil)
        return NULL;
    struct ast_node *target = py_node_new(im, AST_LOCAL, node);
    struct ast_node *out = py_node_new(im, AST_ASSIGN, node);
    target->local = local;
    out->assign.targets.items = arena_array(&im->source->arena, struct ast_node *, 1);
    out->assign.targets.items[0] = target;
    out->assign.targets.len = 1;
    out->assign.value = stencil;
    py_bind_local(im, local, NULL);
    return out;
}
