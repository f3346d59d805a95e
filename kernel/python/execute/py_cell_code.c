// SPDX-License-Identifier: MIT
// Compiling a cell: its last expression apart from what comes before, as its value is
// shown. Most cells go through Python's syntax tree. Of a long one only the last
// statement does: a tree takes two kilobytes and several microseconds a line, three times
// what the code itself takes.
#include "kernel/python/execute/py_cell_code.h"

#include <string.h>

#include "kernel/python/execute/py_execute.h"
#include "kernel/python/state/py_state.h"
#include "kernel/python/state/py_text.h"

enum {
    LONG_CELL = 1 << 18, // bytes
    LAST_LINES = 16,     // in which its last statement is looked for
};

void cell_code_finish(struct cell_code *cell)
{
    Py_CLEAR(cell->body);
    Py_CLEAR(cell->last);
}

static bool is_expression(PyObject *statements, Py_ssize_t index)
{
    PyObject *statement = py_list_get(statements, index);
    const char *type = statement ? Py_TYPE(statement)->tp_name : "";
    bool matches = !strcmp(type, "Expr") || !strcmp(type, "ast.Expr");
    Py_XDECREF(statement);
    return matches;
}

// The first statement whose value is shown: the last one, if it is an expression, unless
// get_ipython().ast_node_interactivity says otherwise.
static Py_ssize_t first_shown(PyObject *tree, PyObject *statements, bool is_value)
{
    PyObject *instance = shell_get()->instance, *setting = NULL;
    if (instance && !is_value)
        setting = PyObject_GetAttrString(instance, "ast_node_interactivity");
    const char *mode =
            setting && PyUnicode_Check(setting) ? PyUnicode_AsUTF8(setting) : NULL;
    if (mode && !strcmp(mode, "last_expr_or_assign"))
        Py_XDECREF(py_call_module(
                "gridcell.ipython.interactivity", "show_assignment", "(O)", tree));
    py_error_drop();
    Py_ssize_t count = PyList_GET_SIZE(statements);
    Py_ssize_t first =
            count > 0 && is_expression(statements, count - 1) ? count - 1 : count;
    if (mode && !strcmp(mode, "all"))
        first = 0;
    else if (mode && !strcmp(mode, "none"))
        first = count;
    else if (mode && !strcmp(mode, "last"))
        first = count > 0 ? count - 1 : 0;
    Py_XDECREF(setting);
    return first;
}

// The statements as a module that displays them, or the one expression's value.
static PyObject *wrap_shown(PyObject *statements, bool is_value)
{
    if (!is_value)
        return py_call_module("_ast", "Interactive", "(O)", statements);
    PyObject *expression = py_list_get(statements, 0);
    PyObject *value = expression ? PyObject_GetAttrString(expression, "value") : NULL;
    PyObject *wrapped = value ? py_call_module("_ast", "Expression", "(O)", value) : NULL;
    Py_XDECREF(value);
    Py_XDECREF(expression);
    return wrapped;
}

static bool compile_shown(PyObject *shown, PyObject *file_name, bool is_value, int flags,
        struct cell_code *cell)
{
    PyObject *wrapped = wrap_shown(shown, is_value);
    const char *mode = is_value ? "eval" : "single";
    cell->last = wrapped ? execute_compile(wrapped, file_name, mode, flags) : NULL;
    Py_XDECREF(wrapped);
    return cell->last != NULL;
}

static bool compile_cell(PyObject *tree, PyObject *file_name, bool is_value, int flags,
        struct cell_code *cell)
{
    PyObject *statements = PyObject_GetAttrString(tree, "body");
    Py_ssize_t first = statements ? first_shown(tree, statements, is_value) : 0;
    Py_ssize_t count = statements ? PyList_GET_SIZE(statements) : 0;
    PyObject *shown = statements ? PyList_GetSlice(statements, first, count) : NULL;
    bool is_ok = shown && PyList_SetSlice(statements, first, count, NULL) == 0;
    if (is_ok && first > 0) {
        cell->body = execute_compile(tree, file_name, "exec", flags);
        is_ok = cell->body != NULL;
        flags |= is_ok ? ((PyCodeObject *)cell->body)->co_flags & PyCF_MASK : 0;
    }
    if (is_ok && first < count)
        is_ok = compile_shown(shown, file_name, is_value, flags, cell);
    Py_XDECREF(shown);
    Py_XDECREF(statements);
    if (is_ok)
        shell_get()->compiler_flags = flags & PyCF_MASK;
    return is_ok;
}

// A tree has no cycles: the collector would only count its nodes again and again, which
// takes most of the time where a cell has a million lines.
static PyObject *parse_cell(PyObject *source, PyObject *file_name, int flags)
{
    int was_enabled = PyGC_Disable();
    PyObject *tree = execute_compile(source, file_name, "exec", flags | PyCF_ONLY_AST);
    if (was_enabled)
        PyGC_Enable();
    return tree;
}

static bool compile_by_tree(struct cell_code *cell, PyObject *source, PyObject *file_name,
        bool is_value, int flags)
{
    PyObject *tree = parse_cell(source, file_name, flags);
    if (tree)
        Py_SETREF(tree, hooks_transform_tree(tree));
    bool is_compiled = tree && compile_cell(tree, file_name, is_value, flags, cell);
    Py_XDECREF(tree);
    return is_compiled;
}

// --- Long cells

// Whether nobody has asked to see the whole tree.
static bool is_usual(bool is_value)
{
    PyObject *instance = shell_get()->instance;
    if (!instance || is_value)
        return true;
    PyObject *setting = PyObject_GetAttrString(instance, "ast_node_interactivity");
    PyObject *transformers = PyObject_GetAttrString(instance, "ast_transformers");
    bool is_so = setting && PyUnicode_Check(setting) &&
                 PyUnicode_CompareWithASCIIString(setting, "last_expr") == 0 &&
                 transformers && PyObject_Size(transformers) == 0;
    Py_XDECREF(setting);
    Py_XDECREF(transformers);
    py_error_drop();
    return is_so;
}

// Where the line before `end` begins.
static size_t line_start(const char *text, size_t end)
{
    const char *newline = end > 1 ? memrchr(text, '\n', end - 1) : NULL;
    return newline ? (size_t)(newline - text) + 1 : 0;
}

// What begins at a line, with as many empty lines before it as it has before it in the
// cell.
static PyObject *in_its_lines(const char *text, size_t start)
{
    struct str source = {0};
    const char *end = text + start;
    for (const char *at = text; (at = memchr(at, '\n', (size_t)(end - at))); at++)
        str_append_char(&source, '\n');
    str_append(&source, end);
    PyObject *result = PyUnicode_FromString(str_text(&source));
    str_finish(&source);
    return result;
}

// The tree of what begins at a line; NULL without an exception where that is not whole,
// or may lie within a text or a line that goes on. What is whole and lies in neither is
// one or more statements.
static PyObject *parse_rest(
        const char *text, size_t start, PyObject *file_name, int flags)
{
    static const char inside[] = " \t\f\r\n#)]}";
    const char *rest = text + start;
    if (strchr(inside, *rest) || strstr(rest, "\"\"\"") || strstr(rest, "'''") ||
            (start > 1 && strchr("\\\r", text[start - 2])))
        return NULL;
    PyObject *source = in_its_lines(text, start);
    PyObject *tree = source ? parse_cell(source, file_name, flags) : NULL;
    if (!tree)
        py_error_drop();
    Py_XDECREF(source);
    return tree;
}

// The cell's last statement; NULL without an exception where it is not found for sure.
static PyObject *find_last(
        const char *text, size_t len, PyObject *file_name, int flags, size_t *start)
{
    PyObject *tree = NULL;
    size_t at = len;
    for (int i = 0; i < LAST_LINES && at > 0 && !tree; i++) {
        at = line_start(text, at);
        tree = parse_rest(text, at, file_name, flags);
    }
    *start = at;
    return tree;
}

static bool compile_before_last(struct cell_code *cell, const char *text, size_t len,
        PyObject *file_name, int flags)
{
    PyObject *source = PyUnicode_FromStringAndSize(text, (Py_ssize_t)len);
    cell->body = source ? execute_compile(source, file_name, "exec", flags) : NULL;
    Py_XDECREF(source);
    return cell->body != NULL;
}

// Without a tree of the whole. False, perhaps with an exception, where that is needed.
static bool compile_by_parts(struct cell_code *cell, PyObject *source, const char *text,
        PyObject *file_name, bool is_value, int flags)
{
    size_t start;
    PyObject *tree = find_last(text, strlen(text), file_name, flags, &start);
    PyObject *statements = tree ? PyObject_GetAttrString(tree, "body") : NULL;
    Py_ssize_t count = statements ? PyList_GET_SIZE(statements) : 0;
    bool is_shown = count > 0 && is_expression(statements, count - 1), is_ok = false;
    if (is_shown && count == 1) {
        is_ok = compile_before_last(cell, text, start, file_name, flags);
        flags |= is_ok ? ((PyCodeObject *)cell->body)->co_flags & PyCF_MASK : 0;
        is_ok = is_ok && compile_shown(statements, file_name, is_value, flags, cell);
    } else if (count > 0 && !is_shown) {
        cell->body = execute_compile(source, file_name, "exec", flags);
        is_ok = cell->body != NULL;
        flags |= is_ok ? ((PyCodeObject *)cell->body)->co_flags & PyCF_MASK : 0;
    }
    Py_XDECREF(statements);
    Py_XDECREF(tree);
    if (is_ok)
        shell_get()->compiler_flags = flags & PyCF_MASK;
    else
        cell_code_finish(cell);
    return is_ok;
}

bool cell_code_compile(struct cell_code *cell, PyObject *source, PyObject *file_name,
        bool is_value, int flags)
{
    Py_ssize_t len;
    PyObject *holder = NULL;
    const char *text = py_utf8(source, &len, &holder);
    bool is_long = text && len > LONG_CELL && strlen(text) == (size_t)len;
    bool is_done = is_long && is_usual(is_value) &&
                   compile_by_parts(cell, source, text, file_name, is_value, flags);
    Py_XDECREF(holder);
    if (is_done || !text)
        return is_done;
    // the whole tree tells of a mistake as it is told of in other cells
    if (PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_SyntaxError))
        py_error_drop();
    return !PyErr_Occurred() && compile_by_tree(cell, source, file_name, is_value, flags);
}
