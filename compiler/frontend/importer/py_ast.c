// SPDX-License-Identifier: MIT
// Imports a Python function: its source text and tree, its parameters, its scope.
#include "compiler/frontend/importer/py_ast_private.h"

#include <string.h>

// --- Parameters

static bool describe_names(
        PyObject *function, PyObject *code, struct source *source, struct error *err)
{
    static const char *const names[] = {"__name__", "__qualname__", "__module__"};
    const char **fields[] = {&source->name, &source->qualname, &source->module};
    for (int i = 0; i < 3; i++) {
        PyObject *value = PyObject_GetAttrString(function, names[i]);
        const char *text =
                value && PyUnicode_Check(value) ? PyUnicode_AsUTF8(value) : NULL;
        py_error_drop();
        *fields[i] = arena_strdup(&source->arena, text ? text : "<unknown>");
        Py_XDECREF(value);
    }
    PyObject *file = PyObject_GetAttrString(code, "co_filename");
    const char *text = file ? PyUnicode_AsUTF8(file) : NULL;
    if (text)
        source->file = arena_strdup(&source->arena, text);
    Py_XDECREF(file);
    source->first_line = py_node_int(code, "co_firstlineno");
    return text || error_from_python(err);
}

// Whether no program can change the value: None, numbers, short texts, tuples of these.
static bool is_unchangeable(PyObject *value)
{
    enum { LONGEST = 64 };
    if (PyTuple_CheckExact(value)) {
        bool is_so = PyTuple_GET_SIZE(value) <= LONGEST;
        for (Py_ssize_t i = 0; is_so && i < PyTuple_GET_SIZE(value); i++)
            is_so = is_unchangeable(PyTuple_GET_ITEM(value, i));
        return is_so;
    }
    if (PyUnicode_CheckExact(value))
        return PyUnicode_GET_LENGTH(value) <= LONGEST;
    return value == Py_None || PyBool_Check(value) || PyLong_CheckExact(value) ||
           PyFloat_CheckExact(value) || PyComplex_CheckExact(value);
}

// The code is compiled for such a default as for a constant, if the argument is left out.
static bool note_omitted(PyObject *value, struct source_param *param, struct error *err)
{
    PyObject *text = PyObject_Repr(value);
    const char *utf8 = text ? PyUnicode_AsUTF8(text) : NULL;
    if (utf8)
        param->omitted = type_omitted(param->default_value.type, utf8);
    Py_XDECREF(text);
    return utf8 || error_from_python(err);
}

static bool default_value(PyObject *value, struct source_param *param,
        struct source *source, const struct py_resolver *resolver, struct error *err)
{
    param->has_default = true;
    if (!resolver->constant(resolver->context, value, source, &param->default_value, err))
        return false;
    bool is_constant = is_unchangeable(value) || py_is_known(param->default_value.type);
    return !is_constant || note_omitted(value, param, err);
}

static bool describe_defaults(PyObject *function, struct source *source,
        int positional_count, const struct py_resolver *resolver, struct error *err)
{
    PyObject *defaults = PyFunction_GetDefaults(function); // borrowed from the function
    Py_ssize_t count = defaults ? PyTuple_GET_SIZE(defaults) : 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        struct source_param *param = &source->params[positional_count - (int)count + i];
        if (!default_value(PyTuple_GET_ITEM(defaults, i), param, source, resolver, err))
            return false;
    }
    PyObject *keyword_defaults = PyFunction_GetKwDefaults(function); // borrowed likewise
    for (size_t i = 0; keyword_defaults && i < source->param_count; i++) {
        PyObject *value = NULL;
        int status = py_dict_get_text(keyword_defaults, source->params[i].name, &value);
        if (status < 0)
            return error_from_python(err);
        bool is_done =
                !value || default_value(value, &source->params[i], source, resolver, err);
        Py_XDECREF(value);
        if (!is_done)
            return false;
    }
    return true;
}

// Python orders co_varnames as positional, keyword-only, *args; a *args comes after the
// positional parameters here, as in the source.
static bool describe_params(PyObject *function, PyObject *code, struct source *source,
        const struct py_resolver *resolver, struct error *err)
{
    int positional = py_node_int(code, "co_argcount"),
        leading = py_node_int(code, "co_posonlyargcount"),
        keyword = py_node_int(code, "co_kwonlyargcount");
    int flags = py_node_int(code, "co_flags");
    struct span span = {source->file, source->first_line, 0, source->first_line, 0};
    if (flags & CO_VARKEYWORDS)
        return error_set(err, ERROR_UNSUPPORTED, span,
                "a parameter that takes any keywords ('**') is not supported in a "
                "compiled function.");
    bool has_star = flags & CO_VARARGS;
    PyObject *names = PyObject_GetAttrString(code, "co_varnames");
    if (!names)
        return error_from_python(err);
    size_t count = (size_t)(positional + keyword + has_star);
    source->params = arena_array(&source->arena, struct source_param, count);
    for (size_t i = 0; i < count; i++) {
        size_t place = i < (size_t)positional       ? i
                       : i == count - 1 && has_star ? (size_t)positional
                                                    : i + has_star;
        const char *name = PyUnicode_AsUTF8(PyTuple_GET_ITEM(names, (Py_ssize_t)i));
        source->params[place].name = arena_strdup(&source->arena, name ? name : "?");
        source->params[place].is_star = has_star && i == count - 1;
        source->params[place].is_positional_only = i < (size_t)leading;
        source->params[place].is_keyword_only =
                i >= (size_t)positional && !source->params[place].is_star;
    }
    Py_DECREF(names);
    py_error_drop();
    source->param_count = count;
    return describe_defaults(function, source, positional, resolver, err);
}

bool py_source_describe(PyObject *function, struct source *source,
        const struct py_resolver *resolver, struct error *err)
{
    PyObject *code = PyFunction_Check(function) ? PyFunction_GetCode(function) : NULL;
    if (!code)
        return error_set(err, ERROR_TYPE, SPAN_NONE,
                "The decorated object is not a function (got type %s).",
                Py_TYPE(function)->tp_name);
    if (source->file)
        return true;
    return describe_names(function, code, source, err) &&
           describe_params(function, code, source, resolver, err);
}

// --- The function

static bool fill_scope(struct importer *im, PyObject *code)
{
    for (size_t i = 0; i < im->source->param_count; i++)
        scope_add(&im->scope, im->source->params[i].name);
    return py_add_names(im, code, "co_varnames") && py_add_names(im, code, "co_cellvars");
}

static const struct grammar grammar = {py_expressions, py_statements};

static bool import_found(PyObject *function, PyObject *tree, PyObject *node,
        struct source *source, const struct py_resolver *resolver, struct error *err)
{
    PyObject *code = PyFunction_GetCode(function);
    struct importer im = {.grammar = &grammar,
            .source = source,
            .resolver = resolver,
            .code = code,
            .tree = tree,
            .err = err};
    im.globals = PyFunction_GetGlobals(function);
    im.closure = PyFunction_GetClosure(function);
    im.builtins = PyObject_GetAttrString(function, "__builtins__");
    im.freevars = PyObject_GetAttrString(code, "co_freevars");
    bool is_done = im.builtins && im.freevars
                           ? fill_scope(&im, code) && py_import_tree(&im, node)
                           : error_from_python(err);
    if (is_done)
        ast_join_inner(source);
    scope_finish(&im.scope);
    vec_finish(&im.bindings);
    vec_finish(&im.made);
    Py_XDECREF(im.freevars);
    Py_XDECREF(im.builtins);
    return is_done;
}

// A text that ran under the name of a file, or of other text, need not be there.
static PyObject *find_elsewhere(PyObject *function, PyObject **tree, PyObject *kept)
{
    PyObject *own = py_kept_tree(kept, PyFunction_GetCode(function));
    PyObject *node = own ? py_find_function(own, PyFunction_GetCode(function)) : NULL;
    if (node)
        Py_XSETREF(*tree, Py_NewRef(own));
    Py_XDECREF(own);
    return node;
}

// The function's node and the tree it is in: new references; NULL, NULL with err set.
static PyObject *find_node(PyObject *function, PyObject **tree, struct source *source,
        const struct py_resolver *resolver, struct error *err)
{
    *tree = py_read_tree(function, source, resolver, err);
    PyObject *node = *tree ? py_find_function(*tree, PyFunction_GetCode(function)) : NULL;
    bool is_changed = *tree && !node;
    if (!node)
        node = find_elsewhere(function, tree, resolver->kept);
    if (node)
        *err = (struct error){0};
    else if (is_changed)
        error_set(err, ERROR_SYSTEM, SPAN_NONE,
                "could not find the source code of '%s' at line %d of %s: the file has "
                "changed since it was run",
                source->name, source->first_line, source->file);
    if (!node)
        Py_CLEAR(*tree);
    return node;
}

PyObject *py_ast_node(PyObject *function, struct source *source,
        const struct py_resolver *resolver, struct error *err)
{
    if (!py_source_describe(function, source, resolver, err))
        return NULL;
    PyObject *tree, *node = find_node(function, &tree, source, resolver, err);
    Py_XDECREF(tree);
    return node;
}

bool py_ast_import(PyObject *function, struct source *source,
        const struct py_resolver *resolver, struct error *err)
{
    if (source->ast)
        return true;
    if (!py_source_describe(function, source, resolver, err))
        return false;
    PyObject *tree, *node = find_node(function, &tree, source, resolver, err);
    bool is_done = node && import_found(function, tree, node, source, resolver, err);
    Py_XDECREF(node);
    Py_XDECREF(tree);
    return is_done;
}
