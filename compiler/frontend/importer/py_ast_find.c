// SPDX-License-Identifier: MIT
// Finds the tree node that a code object was compiled from.
#include "compiler/frontend/importer/py_ast_private.h"

#include <string.h>

struct search {
    PyObject *code;             // borrowed
    int line;                   // co_firstlineno
    const char *name;           // co_name, "<lambda>" for a lambda
    int body_line, body_column; // of something within the lambda's body; -1: unknown
    PyObject *found;            // strong
    bool is_certain;
};

static int int_attribute(PyObject *object, const char *name)
{
    PyObject *value = PyObject_GetAttrString(object, name);
    long number = value && PyLong_Check(value) ? PyLong_AsLong(value) : -1;
    py_error_drop();
    Py_XDECREF(value);
    return (int)number;
}

// The first line of a definition, its decorators included.
static int definition_line(PyObject *node)
{
    int line = int_attribute(node, "lineno");
    PyObject *decorators = PyObject_GetAttrString(node, "decorator_list");
    if (decorators && PyList_Check(decorators) && PyList_GET_SIZE(decorators) > 0) {
        PyObject *first = py_list_get(decorators, 0);
        int decorator_line = first ? int_attribute(first, "lineno") : line;
        line = decorator_line < line ? decorator_line : line;
        Py_XDECREF(first);
    }
    py_error_drop();
    Py_XDECREF(decorators);
    return line;
}

static bool has_name(PyObject *node, const char *name)
{
    PyObject *value = PyObject_GetAttrString(node, "name");
    const char *text = value ? PyUnicode_AsUTF8(value) : NULL;
    bool is_same = text && !strcmp(text, name);
    py_error_drop();
    Py_XDECREF(value);
    return is_same;
}

static void found(struct search *search, PyObject *node, bool is_certain)
{
    if (search->found && !is_certain)
        return;
    Py_XSETREF(search->found, Py_NewRef(node));
    search->is_certain = is_certain;
}

static bool body_contains(PyObject *body, int line, int column)
{
    int first = int_attribute(body, "lineno"), last = int_attribute(body, "end_lineno");
    return line >= first && line <= last &&
           (line > first || column >= int_attribute(body, "col_offset")) &&
           (line < last || column < int_attribute(body, "end_col_offset"));
}

// The code of the lambda alone, in the scope that `code` is in; NULL with an error.
static PyObject *lambda_code(PyObject *node, PyObject *code)
{
    int flags = ((PyCodeObject *)code)->co_flags;
    PyObject *ast = PyImport_ImportModule("ast");
    PyObject *compile = py_import_attr("builtins", "compile");
    PyObject *tree = ast ? PyObject_CallMethod(ast, "Expression", "O", node) : NULL;
    PyObject *whole = tree && compile ? PyObject_CallFunction(compile, "Ossii", tree,
                                                "<lambda>", "eval", flags & PyCF_MASK, 1)
                                      : NULL;
    PyObject *constants = whole ? PyObject_GetAttrString(whole, "co_consts") : NULL;
    PyObject *inner = constants ? PySequence_GetItem(constants, 0) : NULL;
    PyObject *replace = inner ? PyObject_GetAttrString(inner, "replace") : NULL;
    PyObject *none = PyTuple_New(0), *scope = Py_BuildValue("{si}", "co_flags", flags);
    PyObject *placed =
            replace && none && scope ? PyObject_Call(replace, none, scope) : NULL;
    Py_XDECREF(scope);
    Py_XDECREF(none);
    Py_XDECREF(replace);
    Py_XDECREF(inner);
    Py_XDECREF(constants);
    Py_XDECREF(whole);
    Py_XDECREF(tree);
    Py_XDECREF(compile);
    Py_XDECREF(ast);
    return placed;
}

// CPython 3.12 notes no place for what only gives a constant: its code tells.
static bool is_lambda_of(struct search *search, PyObject *node, PyObject *body)
{
    if (search->body_line >= 0)
        return body_contains(body, search->body_line, search->body_column);
    PyObject *code = lambda_code(node, search->code);
    bool is_same = code && PyObject_RichCompareBool(code, search->code, Py_EQ) == 1;
    py_error_drop();
    Py_XDECREF(code);
    return is_same;
}

// The innermost lambda around the place is the one; its inner ones are looked at later.
static void match_lambda(struct search *search, PyObject *node)
{
    PyObject *body = PyObject_GetAttrString(node, "body");
    if (body && is_lambda_of(search, node, body))
        Py_XSETREF(search->found, Py_NewRef(node));
    else
        found(search, node, false);
    py_error_drop();
    Py_XDECREF(body);
}

static void search_node(struct search *search, PyObject *node);

static void search_list(struct search *search, PyObject *list)
{
    for (Py_ssize_t i = 0; !search->is_certain && i < PyList_GET_SIZE(list); i++) {
        PyObject *item = py_list_get(list, i);
        if (item)
            search_node(search, item);
        Py_XDECREF(item);
    }
}

static void search_fields(struct search *search, PyObject *node)
{
    PyObject *fields = PyObject_GetAttrString(node, "_fields");
    for (Py_ssize_t i = 0; fields && !search->is_certain && i < PyTuple_GET_SIZE(fields);
            i++) {
        PyObject *value = PyObject_GetAttr(node, PyTuple_GET_ITEM(fields, i));
        if (value && PyList_Check(value))
            search_list(search, value);
        else if (value)
            search_node(search, value);
        py_error_drop();
        Py_XDECREF(value);
    }
    py_error_drop();
    Py_XDECREF(fields);
}

static void search_node(struct search *search, PyObject *node)
{
    int end = int_attribute(node, "end_lineno");
    const char *class = py_node_class(node);
    if (end < 0) { // a node without a place: only few of them have children with one
        if (!strcmp(class, "arguments") || !strcmp(class, "comprehension") ||
                !strcmp(class, "match_case") || !strcmp(class, "withitem"))
            search_fields(search, node);
        return;
    }
    bool is_function =
            !strcmp(class, "FunctionDef") || !strcmp(class, "AsyncFunctionDef");
    int first = is_function || !strcmp(class, "ClassDef") ? definition_line(node)
                                                          : int_attribute(node, "lineno");
    if (search->line < first || search->line > end)
        return;
    if (is_function && first == search->line && has_name(node, search->name))
        found(search, node, true);
    else if (!strcmp(class, "Lambda") && first == search->line &&
             !strcmp(search->name, "<lambda>"))
        match_lambda(search, node);
    if (!search->is_certain)
        search_fields(search, node);
}

// Reads (line, end line, column, end column); false for an instruction without a place of
// its own.
static bool read_position(PyObject *position, struct search *search)
{
    int numbers[4];
    for (Py_ssize_t i = 0; i < 4; i++) {
        PyObject *number = PySequence_GetItem(position, i);
        numbers[i] = number && PyLong_Check(number) ? (int)PyLong_AsLong(number) : -1;
        Py_XDECREF(number);
    }
    if (numbers[0] < 0 || numbers[2] < 0 || numbers[3] <= 0)
        return false;
    search->body_line = numbers[0];
    search->body_column = numbers[2];
    return true;
}

// Where the last instruction with a place stands, for telling lambdas of one line apart.
static void find_body_place(struct search *search, PyObject *code)
{
    PyObject *positions = PyObject_CallMethod(code, "co_positions", NULL);
    PyObject *list = positions ? PySequence_List(positions) : NULL;
    bool is_found = false;
    for (Py_ssize_t i = list ? PyList_GET_SIZE(list) : 0; i > 0 && !is_found; i--) {
        PyObject *position = py_list_get(list, i - 1);
        is_found = position && read_position(position, search);
        Py_XDECREF(position);
    }
    py_error_drop();
    Py_XDECREF(list);
    Py_XDECREF(positions);
}

PyObject *py_find_function(PyObject *tree, PyObject *code)
{
    PyObject *name = PyObject_GetAttrString(code, "co_name");
    PyObject *body = PyObject_GetAttrString(tree, "body");
    struct search search = {.code = code, .body_line = -1, .body_column = -1};
    search.name = name ? PyUnicode_AsUTF8(name) : NULL;
    if (search.name && body) {
        search.line = int_attribute(code, "co_firstlineno");
        if (!strcmp(search.name, "<lambda>"))
            find_body_place(&search, code);
        search_list(&search, body);
    }
    py_error_drop();
    Py_XDECREF(body);
    Py_XDECREF(name);
    return search.found;
}
