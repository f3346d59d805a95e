// SPDX-License-Identifier: MIT
// Imports f-strings: they become calls of functions that have no name in Python.
#include "compiler/frontend/importer/py_ast_private.h"

#include <string.h>

struct ast_node *py_node_call(
        struct importer *im, PyObject *node, const char *function, size_t arg_count)
{
    struct ast_node *out = py_node_new(im, AST_CALL, node);
    out->call.function = py_node_new(im, AST_CONSTANT, node);
    out->call.function->constant.value.type = type_function;
    out->call.function->constant.value.name = function;
    out->call.function->constant.origin = strrchr(function, '.') + 1;
    out->call.args.len = arg_count;
    out->call.args.items =
            arena_array(&im->source->arena, struct ast_node *, arg_count + 1);
    return out;
}

static struct ast_node *new_text(struct importer *im, PyObject *node, const char *text)
{
    struct ast_node *out = py_node_new(im, AST_CONSTANT, node);
    out->constant.value.type = type_string;
    out->constant.value.string.text = arena_strdup(&im->source->arena, text);
    out->constant.value.string.len = strlen(text);
    return out;
}

// {value!r:spec}
struct ast_node *py_import_formatted(struct importer *im, PyObject *node)
{
    struct ast_node *value = py_import_expr_field(im, node, "value"), *spec = NULL;
    PyObject *conversion = value ? py_node_get(im, node, "conversion") : NULL;
    if (!conversion || !py_import_optional_field(im, node, "format_spec", &spec)) {
        Py_XDECREF(conversion);
        return NULL;
    }
    long letter = PyLong_AsLong(conversion);
    Py_DECREF(conversion);
    if (letter > 0) {
        struct ast_node *converted = py_node_call(im, node, "gridcell.convert", 2);
        converted->call.args.items[0] = value;
        converted->call.args.items[1] = new_text(im, node, (char[2]){(char)letter, 0});
        value = converted;
    }
    if (!spec)
        return value;
    struct ast_node *formatted = py_node_call(im, node, "builtins.format", 2);
    formatted->call.args.items[0] = value;
    formatted->call.args.items[1] = spec;
    return formatted;
}

struct ast_node *py_import_joined(struct importer *im, PyObject *node)
{
    struct ast_node *out = py_node_call(im, node, "gridcell.fstring", 0);
    if (!py_import_expr_list(im, node, "values", &out->call.args))
        return NULL;
    const struct ast_list *args = &out->call.args;
    if (!args->len)
        return new_text(im, node, "");
    bool is_constant = args->len == 1 && args->items[0]->kind == AST_CONSTANT &&
                       !args->items[0]->constant.origin &&
                       args->items[0]->constant.value.type == type_string;
    return is_constant ? args->items[0] : out;
}
