// SPDX-License-Identifier: MIT
// The text, or syntax tree, of code that a program made while it runs (exec, eval,
// compile): it lies in no file, or under the name of a file that has other text, so an
// audit hook keeps what Python compiled last. When it runs, it is known by the functions
// that it defines, for as long as their code lives.
#include <string.h>

#include "compiler/frontend/importer/py_ast_private.h"

enum {
    KEPT_TEXTS = 256,
    MAX_TEXT_SIZE = 128 << 10, // bytes
    KEPT_TREES = 64,
    MAX_TREE_STATEMENTS = 8, // more of them: a module or cell, whose text is known
    KEPT_NAMED = 64,
    MAX_NAMED_SIZE = 16 << 10, // bytes; longer ones are likely what the file has
};

// The lists of what is kept, and a dict.
enum {
    TEXTS,
    TREES,
    KNOWN, // address of a code -> (weak reference to it, text or tree)
    NAMED, // (file, text)
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
    PyObject *texts = is_wanted ? py_list_get(kept, TEXTS) : NULL;
    bool is_kept = !texts || keep(texts, text, KEPT_TEXTS);
    Py_XDECREF(texts);
    return is_kept;
}

static bool is_cell(PyObject *file)
{
    const char *name = PyUnicode_AsUTF8(file);
    PyObject *lines = name ? py_lines_of_cell(name) : NULL;
    bool is_so = lines != NULL;
    Py_XDECREF(lines);
    return is_so;
}

// Whether the text is what the file has: Python's import, or runpy, compiles it, or it is
// a cell's.
static bool is_of_file(PyObject *name)
{
    PyFrameObject *frame = PyEval_GetFrame();
    PyCodeObject *code = frame ? PyFrame_GetCode(frame) : NULL;
    const char *file = code ? PyUnicode_AsUTF8(code->co_filename) : NULL;
    bool is_so = (file && str_starts_with(file, "<frozen ")) || is_cell(name);
    Py_XDECREF(code);
    return is_so;
}

// A text under the name of a file.
static bool keep_named(PyObject *kept, PyObject *text, PyObject *file)
{
    if (!PyBytes_Check(text) || !file || !PyUnicode_Check(file) ||
            PyBytes_GET_SIZE(text) > MAX_NAMED_SIZE || lies_in_no_file(file) ||
            !makes_functions(text) || is_of_file(file))
        return true;
    PyObject *named = py_list_get(kept, NAMED), *entry = PyTuple_Pack(2, file, text);
    bool is_kept = named && entry && keep(named, entry, KEPT_NAMED);
    Py_XDECREF(entry);
    Py_XDECREF(named);
    return is_kept;
}

static bool keep_tree(PyObject *kept, PyObject *tree)
{
    PyObject *body = PyObject_GetAttrString(tree, "body");
    PyObject *trees =
            body && PyList_Check(body) && PyList_GET_SIZE(body) <= MAX_TREE_STATEMENTS
                    ? py_list_get(kept, TREES)
                    : NULL;
    bool is_kept = !trees || keep(trees, tree, KEPT_TREES);
    Py_XDECREF(trees);
    Py_XDECREF(body);
    return is_kept;
}

static void note_compiled(PyObject *kept, PyObject *args)
{
    PyObject *source = PyTuple_GET_ITEM(args, 0);
    bool is_text = PyBytes_Check(source) || PyUnicode_Check(source);
    if (is_text && keep_text(kept, source, PyTuple_GET_ITEM(args, 1)))
        keep_named(kept, source, PyTuple_GET_ITEM(args, 1));
    if (is_text)
        return;
    if (!strcmp(Py_TYPE(source)->tp_name, "Module") ||
            !strcmp(Py_TYPE(source)->tp_name, "ast.Module"))
        keep_tree(kept, source);
}

// --- Texts and trees by the code of the functions that they define

// The code is gone, and with it what was known of it. self: (the dict, its key)
static PyObject *forget(PyObject *self, PyObject *reference)
{
    if (PyDict_DelItem(PyTuple_GET_ITEM(self, 0), PyTuple_GET_ITEM(self, 1)) < 0)
        py_error_drop();
    Py_RETURN_NONE;
}

static PyMethodDef forget_method = {"forget", forget, METH_O, NULL};

static PyObject *reference_to(PyObject *known, PyObject *key, PyObject *code)
{
    PyObject *self = Py_BuildValue("(OO)", known, key);
    PyObject *callback = self ? PyCFunction_New(&forget_method, self) : NULL;
    PyObject *reference = callback ? PyWeakref_NewRef(code, callback) : NULL;
    Py_XDECREF(callback);
    Py_XDECREF(self);
    return reference;
}

static bool attach(PyObject *known, PyObject *code, PyObject *item)
{
    PyObject *key = PyLong_FromVoidPtr(code);
    PyObject *reference = key ? reference_to(known, key, code) : NULL;
    PyObject *entry = reference ? Py_BuildValue("(NO)", reference, item) : NULL;
    bool is_known = entry && PyDict_SetItem(known, key, entry) == 0;
    Py_XDECREF(entry);
    Py_XDECREF(key);
    return is_known;
}

// To each code that `code` defines.
static bool attach_within(PyObject *known, PyObject *code, PyObject *item)
{
    PyObject *constants = PyObject_GetAttrString(code, "co_consts");
    bool is_done = constants != NULL;
    for (Py_ssize_t i = 0; is_done && i < PyTuple_GET_SIZE(constants); i++) {
        PyObject *constant = PyTuple_GET_ITEM(constants, i);
        if (PyCode_Check(constant))
            is_done =
                    attach(known, constant, item) && attach_within(known, constant, item);
    }
    Py_XDECREF(constants);
    return is_done;
}

static bool defines(PyObject *compiled, PyObject *code);
static PyObject *compile_tree(PyObject *tree, PyObject *code);

// The first code that a module defines, borrowed, or NULL.
static PyObject *first_defined(PyObject *module)
{
    PyObject *constants = ((PyCodeObject *)module)->co_consts;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(constants); i++)
        if (PyCode_Check(PyTuple_GET_ITEM(constants, i)))
            return PyTuple_GET_ITEM(constants, i);
    return NULL;
}

// Whether a statement of the module has the name.
static bool has_statement(PyObject *tree, PyObject *name)
{
    PyObject *body = PyObject_GetAttrString(tree, "body");
    bool is_there = PyUnicode_CompareWithASCIIString(name, "<lambda>") == 0;
    for (Py_ssize_t i = 0; body && !is_there && i < PyList_GET_SIZE(body); i++) {
        PyObject *statement = py_list_get(body, i);
        PyObject *own = statement ? PyObject_GetAttrString(statement, "name") : NULL;
        is_there = own && PyObject_RichCompareBool(own, name, Py_EQ) > 0;
        Py_XDECREF(own);
        Py_XDECREF(statement);
    }
    py_error_drop();
    Py_XDECREF(body);
    return is_there;
}

// Whether the tree is that of a module whose first definition is `defined`.
static bool is_tree_of(PyObject *tree, PyObject *module, PyObject *defined)
{
    bool may_be = has_statement(tree, ((PyCodeObject *)defined)->co_name);
    PyObject *compiled = may_be ? compile_tree(tree, module) : NULL;
    bool is_it = compiled && defines(compiled, defined);
    py_error_drop();
    Py_XDECREF(compiled);
    return is_it;
}

static const char *sought(PyObject *name)
{
    const char *text = PyUnicode_AsUTF8(name);
    return text && !strcmp(text, "<lambda>") ? "lambda" : text;
}

// The place of the tree that a module comes of, mostly the last one, or -1.
static Py_ssize_t find_tree(PyObject *trees, PyObject *module, PyObject *defined)
{
    for (Py_ssize_t i = PyList_GET_SIZE(trees); i > 0; i--) {
        PyObject *tree = py_list_get(trees, i - 1);
        bool is_it = tree && is_tree_of(tree, module, defined);
        Py_XDECREF(tree);
        if (is_it)
            return i - 1;
    }
    return -1;
}

// Of the text that a module comes of, likely: who asks compares. Texts run as soon as
// they are compiled, mostly, and are too many to be compiled again here.
static Py_ssize_t find_text(PyObject *texts, PyObject *defined)
{
    const char *name = sought(((PyCodeObject *)defined)->co_name);
    for (Py_ssize_t i = PyList_GET_SIZE(texts); name && i > 0; i--) {
        PyObject *text = py_list_get(texts, i - 1);
        bool is_it = text && mentions(text, name);
        Py_XDECREF(text);
        if (is_it)
            return i - 1;
    }
    return -1;
}

// The texts that were compiled under the file's name: a new list, or NULL.
static PyObject *texts_named(PyObject *kept, PyObject *file)
{
    PyObject *named = py_list_get(kept, NAMED), *texts = PyList_New(0);
    for (Py_ssize_t i = 0; named && texts && i < PyList_GET_SIZE(named); i++) {
        PyObject *entry = py_list_get(named, i);
        if (entry && PyUnicode_Compare(PyTuple_GET_ITEM(entry, 0), file) == 0 &&
                PyList_Append(texts, PyTuple_GET_ITEM(entry, 1)) < 0)
            py_error_drop();
        Py_XDECREF(entry);
    }
    Py_XDECREF(named);
    return texts;
}

// Under the name of a file run mostly modules, of which nothing is kept.
static void note_named_run(PyObject *kept, PyObject *module, PyObject *defined)
{
    PyObject *texts = texts_named(kept, ((PyCodeObject *)module)->co_filename);
    Py_ssize_t at = texts ? find_text(texts, defined) : -1;
    PyObject *text = at >= 0 ? py_list_get(texts, at) : NULL;
    PyObject *known = text ? py_list_get(kept, KNOWN) : NULL;
    if (known && !attach_within(known, module, text))
        py_error_drop();
    Py_XDECREF(known);
    Py_XDECREF(text);
    Py_XDECREF(texts);
}

static void note_run(PyObject *kept, PyObject *module)
{
    PyObject *defined = first_defined(module);
    if (!defined)
        return;
    if (!lies_in_no_file(((PyCodeObject *)module)->co_filename)) {
        note_named_run(kept, module, defined);
        return;
    }
    PyObject *texts = py_list_get(kept, TEXTS), *trees = py_list_get(kept, TREES),
             *known = py_list_get(kept, KNOWN);
    is_searching = true;
    Py_ssize_t at = trees ? find_tree(trees, module, defined) : -1;
    bool is_tree = at >= 0;
    if (!is_tree && texts)
        at = find_text(texts, defined);
    PyObject *item = at >= 0 ? py_list_get(is_tree ? trees : texts, at) : NULL;
    if (item && known && attach_within(known, module, item) && is_tree)
        PyList_SetSlice(trees, at, at + 1, NULL);
    is_searching = false;
    Py_XDECREF(item);
    Py_XDECREF(known);
    Py_XDECREF(trees);
    Py_XDECREF(texts);
}

// Python calls it at each of its audit events; whatever fails here, the program goes on.
static int audit(const char *event, PyObject *args, void *kept)
{
    bool is_compiled = !strcmp(event, "compile"), is_run = !strcmp(event, "exec");
    if ((!is_compiled && !is_run) || is_searching || !args || !PyTuple_Check(args) ||
            PyTuple_GET_SIZE(args) < 1 + is_compiled ||
            PyInterpreterState_Get() != PyInterpreterState_Main())
        return 0;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    if (is_compiled)
        note_compiled(kept, args);
    else if (PyCode_Check(PyTuple_GET_ITEM(args, 0)))
        note_run(kept, PyTuple_GET_ITEM(args, 0));
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
    PyObject *kept = program ? Py_BuildValue("[[O],[],{},[]]", program)
                             : Py_BuildValue("[[],[],{},[]]");
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

// The tree of what is known for a code; a new reference, or NULL. The program may have
// changed it since, and a text is another's, where two of them ran in another order.
static PyObject *known_tree(PyObject *kept, PyObject *code)
{
    PyObject *known = py_list_get(kept, KNOWN), *key = PyLong_FromVoidPtr(code);
    PyObject *entry = NULL;
    bool is_known = known && key && py_dict_get(known, key, &entry) > 0;
    PyObject *tree = is_known ? tree_of(PyTuple_GET_ITEM(entry, 1)) : NULL;
    Py_XDECREF(entry);
    PyObject *compiled = tree ? compile_tree(tree, code) : NULL;
    if (!compiled || !defines(compiled, code))
        Py_CLEAR(tree);
    Py_XDECREF(compiled);
    Py_XDECREF(key);
    Py_XDECREF(known);
    return tree;
}

PyObject *py_kept_tree(PyObject *kept, PyObject *code)
{
    PyObject *name = kept ? PyObject_GetAttrString(code, "co_name") : NULL;
    const char *text = name ? sought(name) : NULL;
    is_searching = true;
    PyObject *found = text ? known_tree(kept, code) : NULL;
    const Py_ssize_t lists[] = {TEXTS, TREES, NAMED};
    for (size_t i = 0; text && !found && i < sizeof lists / sizeof *lists; i++) {
        PyObject *items = lists[i] == NAMED
                                  ? texts_named(kept, ((PyCodeObject *)code)->co_filename)
                                  : py_list_get(kept, lists[i]);
        if (items)
            found = search(items, code, text);
        Py_XDECREF(items);
    }
    is_searching = false;
    py_error_drop();
    Py_XDECREF(name);
    return found;
}

bool py_has_kept_text(PyObject *kept, PyObject *code)
{
    PyObject *known = kept ? py_list_get(kept, KNOWN) : NULL;
    PyObject *key = known ? PyLong_FromVoidPtr(code) : NULL;
    bool is_known = key && PyDict_Contains(known, key) > 0;
    py_error_drop();
    Py_XDECREF(key);
    Py_XDECREF(known);
    return is_known;
}
