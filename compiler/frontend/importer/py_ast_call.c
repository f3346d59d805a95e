// SPDX-License-Identifier: MIT
// Imports calls: keyword arguments, and the defaults of named tuples' fields.
#include <string.h>

#include "compiler/frontend/importer/py_ast_private.h"
#include "compiler/types/type.h"

static bool import_keyword(
        struct importer *im, PyObject *node, const char **name, struct ast_node **value)
{
    PyObject *arg = py_node_get(im, node, "arg");
    if (!arg)
        return false;
    bool is_named = arg != Py_None;
    Py_DECREF(arg);
    if (!is_named)
        return error_set(im->err, ERROR_UNSUPPORTED, py_node_span(im, node),
                "passing keyword arguments with '**' is not supported in a compiled "
                "function.");
    *name = py_node_text(im, node, "arg");
    *value = *name ? py_import_expr_field(im, node, "value") : NULL;
    return *value != NULL;
}

static bool import_keywords(struct importer *im, PyObject *keywords, struct ast_node *out,
        struct ast_list positional)
{
    size_t count = (size_t)PyList_GET_SIZE(keywords);
    struct arena *arena = &im->source->arena;
    out->call.keyword_count = count;
    out->call.keywords = arena_array(arena, const char *, count);
    out->call.args.len = positional.len + count;
    out->call.args.items = arena_array(arena, struct ast_node *, positional.len + count);
    memcpy(out->call.args.items, positional.items,
            positional.len * sizeof *positional.items);
    for (size_t i = 0; i < count; i++) {
        PyObject *keyword = py_list_get(keywords, (Py_ssize_t)i);
        bool is_done = keyword && import_keyword(im, keyword, &out->call.keywords[i],
                                          &out->call.args.items[positional.len + i]);
        Py_XDECREF(keyword);
        if (!is_done)
            return keyword ? false : error_from_python(im->err);
    }
    return true;
}

// --- Named tuples

static bool is_named_class(const struct ast_node *function)
{
    const struct type *type =
            function->kind == AST_CONSTANT ? function->constant.value.type : NULL;
    return type && type->kind == TYPE_CLASS && type->element->kind == TYPE_TUPLE &&
           type->element->tuple.names;
}

static bool has_keyword(const struct ast_node *call, const char *name)
{
    for (size_t i = 0; i < call->call.keyword_count; i++)
        if (!strcmp(call->call.keywords[i], name))
            return true;
    return false;
}

static bool add_default(struct importer *im, PyObject *node, struct ast_node *call,
        const char *name, PyObject *value)
{
    struct ast_node *constant = py_node_new(im, AST_CONSTANT, node);
    call->call.keywords[call->call.keyword_count++] = name;
    call->call.args.items[call->call.args.len++] = constant;
    return py_resolve_constant(im, value, NULL, constant);
}

// Passes the defaults of the fields that the call leaves out, as keywords.
static bool add_defaults(
        struct importer *im, PyObject *node, struct ast_node *call, PyObject *defaults)
{
    const struct type *type = call->call.function->constant.value.type->element;
    struct arena *arena = &im->source->arena;
    size_t len = call->call.args.len, most = len + type->tuple.len;
    size_t positional = len - call->call.keyword_count;
    const char **keywords = arena_array(arena, const char *, most + 1);
    struct ast_node **args = arena_array(arena, struct ast_node *, most + 1);
    for (size_t i = 0; i < call->call.keyword_count; i++)
        keywords[i] = call->call.keywords[i];
    for (size_t i = 0; i < len; i++) {
        args[i] = call->call.args.items[i];
        if (args[i]->kind == AST_STARRED) // how many there are is not known yet
            return true;
    }
    call->call.keywords = keywords;
    call->call.args.items = args;
    for (size_t i = positional; i < type->tuple.len; i++) {
        const char *name = type->tuple.names[i];
        PyObject *value = NULL;
        int found =
                has_keyword(call, name) ? 0 : py_dict_get_text(defaults, name, &value);
        bool is_done =
                found == 0 || (found > 0 && add_default(im, node, call, name, value));
        Py_XDECREF(value);
        if (!is_done)
            return found > 0 ? false : error_from_python(im->err);
    }
    return true;
}

static bool add_field_defaults(
        struct importer *im, PyObject *node, struct ast_node *call, PyObject *class)
{
    int failed = 0;
    PyObject *defaults = py_attr_or_null(class, "_field_defaults", &failed);
    bool is_done = !failed || error_from_python(im->err);
    if (defaults && PyDict_Check(defaults))
        is_done = add_defaults(im, node, call, defaults);
    Py_XDECREF(defaults);
    return is_done;
}

// Point._make(items) is Point(*items).
static void replace_make(struct importer *im, PyObject *node, struct ast_node *call)
{
    struct ast_node *function = call->call.function;
    if (function->kind != AST_ATTRIBUTE || strcmp(function->attribute.name, "_make") ||
            !is_named_class(function->attribute.value) || call->call.args.len != 1 ||
            call->call.keyword_count)
        return;
    struct ast_node *starred = py_node_new(im, AST_STARRED, node);
    starred->value = call->call.args.items[0];
    call->call.args.items[0] = starred;
    call->call.function = function->attribute.value;
}

// --- The call

static bool import_arguments(struct importer *im, PyObject *node, struct ast_node *out)
{
    struct ast_list positional;
    if (!py_import_expr_list(im, node, "args", &positional))
        return false;
    PyObject *keywords = py_node_get(im, node, "keywords");
    bool is_done = keywords && import_keywords(im, keywords, out, positional);
    Py_XDECREF(keywords);
    return is_done;
}

// x.name for the arguments of getattr(x, "name"), which reads modules as well; NULL
// without an error where they are others.
static PyObject *attribute_of(PyObject *node, PyObject *args)
{
    PyObject *object = NULL, *name = NULL, *text = NULL, *ast = NULL, *made = NULL;
    if (PyList_GET_SIZE(args) == 2) {
        object = py_list_get(args, 0);
        name = py_list_get(args, 1);
    }
    if (!object || !name || strcmp(py_node_class(name), "Constant"))
        goto done;
    text = PyObject_GetAttrString(name, "value");
    if (!text || !PyUnicode_Check(text))
        goto done;
    ast = PyImport_ImportModule("ast");
    made = ast ? PyObject_CallMethod(ast, "Attribute", "OO", object, text) : NULL;
    if (made)
        Py_XSETREF(made, PyObject_CallMethod(ast, "copy_location", "OO", made, node));
done:
    Py_XDECREF(ast);
    Py_XDECREF(text);
    Py_XDECREF(name);
    Py_XDECREF(object);
    py_error_drop(); // the call itself remains
    return made;
}

static bool is_getattr(const struct ast_node *function)
{
    return function->kind == AST_CONSTANT &&
           function->constant.value.type == type_function &&
           !strcmp(function->constant.value.name, "builtins.getattr");
}

// The attribute that a call of getattr names, if it is one of a literal name.
static struct ast_node *import_getattr(struct importer *im, PyObject *node)
{
    PyObject *args = py_node_get(im, node, "args");
    PyObject *attribute = args ? attribute_of(node, args) : NULL;
    struct ast_node *out = attribute ? py_import_expr(im, attribute) : NULL;
    Py_XDECREF(attribute);
    Py_XDECREF(args);
    return out;
}

struct ast_node *py_import_call(struct importer *im, PyObject *node)
{
    struct ast_node *out = py_node_new(im, AST_CALL, node);
    PyObject *func = py_node_get(im, node, "func"), *object = NULL;
    out->call.function = func ? py_import_chain(im, func, &object) : NULL;
    Py_XDECREF(func);
    bool is_done = out->call.function != NULL;
    if (is_done && is_getattr(out->call.function)) {
        struct ast_node *attribute = import_getattr(im, node);
        if (attribute || im->err->kind) {
            Py_XDECREF(object);
            return attribute;
        }
    }
    bool is_stencil = is_done && py_is_stencil(out->call.function);
    is_done = is_done && !is_stencil && import_arguments(im, node, out);
    if (is_done)
        replace_make(im, node, out);
    if (is_done && object && is_named_class(out->call.function))
        is_done = add_field_defaults(im, node, out, object);
    Py_XDECREF(object);
    if (is_stencil)
        return py_import_stencil(im, node);
    return is_done ? out : NULL;
}
