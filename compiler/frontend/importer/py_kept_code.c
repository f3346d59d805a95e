// SPDX-License-Identifier: MIT
// The text, or syntax tree, of code that a program made while it runs (exec, eval,
// compile): it lies in no file, so an audit hook keeps what Python compiled last.
#include <string.h>

#include "compiler/frontend/importer/py_ast_private.h"

enum {
    KEPT_TEXTS = 256,
    MAX_TEXT_SIZE = 128 << 10, // bytes
    KEPT_TREES = 64,
    MAX_TREE_STATEMENTS = 8, // more of them: a module or cell, whose text is known
};

// While kept code is compared, it is compiled: that is not kept again.
static _Thread_local bool is_searching;

static bool keep(PyObject *list, PyObject *item, Py_ssize_t limit)
{
    return PyList_Append(list, item) == 0 &&
           (PyList_GET_SIZE(list) <= limit || PyList_SetSlice(list, 0, 1, NULL) == 0);
}

// Whether a compiled text of this name can be read nowhere else.
static bool lies_in_no_file(PyObject *file)
{
    PyObject *text = file && PyUnicode_Check(file) ? Py_NewRef(file)
                     : file && PyBytes_Check(file)
                             ? PyUnicode_DecodeFSDefault(PyBytes_AS_STRING(file))
                             : NULL;
    const char *name = text ? PyUnicode_AsUTF8(text) : NULL;
    bool is_so = name && name[0] != '/' && strcmp(name, "<unknown>") != 0;
    Py_XDECREF(text);
    return is_so;
}

static bool mentions(PyObject *item, const char *name)
{
    const char *text = PyBytes_Check(item)     ? PyBytes_AS_STRING(item)
                       : PyUnicode_Check(item) ? PyUnicode_AsUTF8(item)
                                               : name;
    return text && strstr(text, name);
}

// Expressions that a program evaluates again and again leave no room for functions.
static bool makes_functions(PyObject *text)
{
    return mentions(text, "def ") || mentions(text, "lambda");
}

static bool keep_text(PyObject *kept, PyObject *text, PyObject *file)
{
    Py_ssize_t size =
            PyBytes_Check(text) ? PyBytes_GET_SIZE(text) : PyUnicode_GET_LENGTH(text);
    bool is_wanted =
            size <= MAX_TEXT_SIZE && lies_in_no_file(file) && makes_functions(text);
    PyObject *texts = is_wanted ? py_list_get(kept, 0) : NULL;
    bool is_kept = !texts || keep(texts, text, KEPT_TEXTS);
    Py_XDECREF(texts);
    return is_kept;
}

static bool keep_tree(PyObject *kept, PyObject *tree)
{
    PyObject *body = PyObject_GetAttrString(tree, "body");
    PyObject *trees =
            body && PyList_Check(body) && PyList_GET_SIZE(body) <= MAX_TREE_STATEMENTS
                    ? py_list_get(kept, 1)
                    : NULL;
    bool is_kept = !trees || keep(trees, tree, KEPT_TREES);
    Py_XDECREF(trees);
    Py_XDECREF(body);
    return is_kept;
}

// Python calls it at each of its audit events; whatever fails here, the program goes on.
static int audit(const char *event, PyObject *args, void *kept)
{
    if (strcmp(event, "compile") != 0 || is_searching || !args || !PyTuple_Check(args) ||
            PyTuple_GET_SIZE(args) < 2 ||
            PyInterpreterState_Get() != PyInterpreterState_Main())
        return 0;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *source = PyTuple_GET_ITEM(args, 0);
    if (PyBytes_Check(source) || PyUnicode_Check(source))
        keep_text(kept, source, PyTuple_GET_ITEM(args, 1));
    else if (!strcmp(Py_TYPE(source)->tp_name, "Module") ||
             !strcmp(Py_TYPE(source)->tp_name, "ast.Module"))
        keep_tree(kept, source);
    py_error_drop();
    PyErr_Restore(type, value, traceback);
    return 0;
}

// The program of `python -c`, which was compiled before anybody could listen.
static PyObject *program_text(void)
{
    PyObject *sys = PyImport_ImportModule("sys"), *program = NULL;
    PyObject *args = sys ? PyObject_GetAttrString(sys, "orig_argv") : NULL;
    Py_ssize_t count = args && PyList_Check(args) ? PyList_GET_SIZE(args) : 0;
    for (Py_ssize_t i = 1; i + 1 < count && !program; i++) {
        PyObject *arg = py_list_get(args, i);
        const char *text = arg ? PyUnicode_AsUTF8(arg) : NULL;
        size_t len = text ? strlen(text) : 0;
        bool is_option = len > 1 && text[0] == '-' && text[1] != '-';
        if (is_option && text[len - 1] == 'c')
            program = py_list_get(args, i + 1);
        if (is_option && (text[len - 1] == 'W' || text[len - 1] == 'X'))
            i++; // its argument
        Py_XDECREF(arg);
        if (!is_option)
            break;
    }
    py_error_drop();
    Py_XDECREF(args);
    Py_XDECREF(sys);
    return program;
}

PyObject *py_kept_code_start(void)
{
    PyObject *program = program_text();
    PyObject *kept =
            program ? Py_BuildValue("[[O],[]]", program) : Py_BuildValue("[[],[]]");
    Py_XDECREF(program);
    // The hook cannot be taken away again: what it holds stays.
    if (kept && PySys_AddAuditHook(audit, Py_NewRef(kept)) < 0)
        Py_CLEAR(kept);
    return kept;
}

// Whether `code` is in what `compiled` defines.
static bool defines(PyObject *compiled, PyObject *code)
{
    PyObject *constants = PyObject_GetAttrString(compiled, "co_consts");
    bool is_found = false;
    for (Py_ssize_t i = 0; constants && !is_found && i < PyTuple_GET_SIZE(constants);
            i++) {
        PyObject *constant = PyTuple_GET_ITEM(constants, i);
        if (PyCode_Check(constant))
            is_found = PyObject_RichCompareBool(constant, code, Py_EQ) > 0 ||
                       defines(constant, code);
    }
    py_error_drop();
    Py_XDECREF(constants);
    return is_found;
}

// The tree of a kept text, or the kept tree; a new reference, or NULL.
static PyObject *tree_of(PyObject *item)
{
    if (!PyBytes_Check(item) && !PyUnicode_Check(item))
        return Py_NewRef(item);
    const char *text =
            PyBytes_Check(item) ? PyBytes_AS_STRING(item) : PyUnicode_AsUTF8(item);
    return text ? py_parse(text, "<kept>", 0) : NULL;
}

// As `code` was: under the same `from __future__ import`.
static PyObject *compile_tree(PyObject *tree, PyObject *code)
{
    int flags = ((PyCodeObject *)code)->co_flags & PyCF_MASK;
    PyObject *builtins = PyImport_ImportModule("builtins");
    PyObject *compiled = builtins ? PyObject_CallMethod(builtins, "compile", "Ossii",
                                            tree, "<kept>", "exec", flags, 1)
                                  : NULL;
    Py_XDECREF(builtins);
    return compiled;
}

static PyObject *search(PyObject *items, PyObject *code, const char *name)
{
    PyObject *found = NULL;
    for (Py_ssize_t i = PyList_GET_SIZE(items); i > 0 && !found; i--) {
        PyObject *item = py_list_get(items, i - 1);
        PyObject *tree = item && mentions(item, name) ? tree_of(item) : NULL;
        PyObject *compiled = tree ? compile_tree(tree, code) : NULL;
        if (compiled && defines(compiled, code))
            found = Py_NewRef(tree);
        py_error_drop();
        Py_XDECREF(compiled);
        Py_XDECREF(tree);
        Py_XDECREF(item);
    }
    return found;
}

PyObject *py_kept_tree(PyObject *kept, PyObject *code)
{
    PyObject *name = kept ? PyObject_GetAttrString(code, "co_name") : NULL;
    const char *text = name ? PyUnicode_AsUTF8(name) : NULL;
    PyObject *found = NULL;
    is_searching = true;
    for (Py_ssize_t i = 0; text && !found && i < 2; i++) {
        PyObject *items = py_list_get(kept, i);
        if (items)
            found = search(items, code, !strcmp(text, "<lambda>") ? "lambda" : text);
        Py_XDECREF(items);
    }
    is_searching = false;
    py_error_drop();
    Py_XDECREF(name);
    return found;
}
