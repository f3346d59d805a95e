// SPDX-License-Identifier: MIT
// Imports what raises exceptions and what handles them.
#include "compiler/frontend/importer/py_ast_private.h"

// --- try

static bool is_class(const struct ast_node *node)
{
    return node->kind == AST_CONSTANT && node->constant.value.type == type_exception;
}

// The classes that `except CLASS` or `except (CLASS, ...)` names.
static bool read_classes(
        struct importer *im, struct ast_node *what, struct ast_node *handler)
{
    const struct constant *constant = &what->constant.value;
    struct ast_list *classes = &handler->handler.classes;
    if (what->kind == AST_TUPLE) {
        *classes = what->items;
    } else if (what->kind == AST_CONSTANT && constant->type &&
               constant->type->kind == TYPE_TUPLE) {
        classes->len = constant->tuple.len;
        classes->items =
                arena_array(&im->source->arena, struct ast_node *, classes->len + 1);
        for (size_t i = 0; i < classes->len; i++) {
            struct ast_node *item = arena_new(&im->source->arena, struct ast_node);
            *item = *what;
            item->constant.value = constant->tuple.items[i];
            classes->items[i] = item;
        }
    } else {
        classes->len = 1;
        classes->items = arena_array(&im->source->arena, struct ast_node *, 1);
        classes->items[0] = what;
    }
    for (size_t i = 0; i < classes->len; i++)
        if (!is_class(classes->items[i]))
            return error_set(im->err, ERROR_UNSUPPORTED, classes->items[i]->span,
                    "what 'except' names must be exception classes, known when the code "
                    "is compiled.");
    return true;
}

static bool read_name(struct importer *im, PyObject *node, struct ast_node *out)
{
    PyObject *name = py_node_get(im, node, "name");
    out->handler.local = -1;
    if (name && name != Py_None) {
        const char *text = PyUnicode_AsUTF8(name);
        out->handler.local = text ? scope_find(&im->scope, text) : -1;
        if (out->handler.local >= 0)
            py_bind_local(im, out->handler.local, NULL);
    }
    Py_XDECREF(name);
    return name != NULL;
}

static struct ast_node *import_handler(struct importer *im, PyObject *node)
{
    struct ast_node *out = py_node_new(im, AST_HANDLER, node), *what = NULL;
    out->handler.catches_all = false;
    if (!py_import_optional_field(im, node, "type", &what))
        return NULL;
    out->handler.catches_all = !what;
    bool is_done = (!what || read_classes(im, what, out)) && read_name(im, node, out) &&
                   py_import_body(im, node, "body", &out->handler.body);
    return is_done ? out : NULL;
}

struct ast_node *py_import_try(struct importer *im, PyObject *node)
{
    struct ast_node *out = py_node_new(im, AST_TRY, node);
    bool is_done = py_import_body(im, node, "body", &out->attempt.body) &&
                   py_import_list(im, node, "handlers", import_handler,
                           &out->attempt.handlers) &&
                   py_import_body(im, node, "orelse", &out->attempt.orelse) &&
                   py_import_body(im, node, "finalbody", &out->attempt.finally);
    return is_done ? out : NULL;
}

// --- raise

struct ast_node *py_import_raise(struct importer *im, PyObject *node)
{
    struct ast_node *out = py_node_new(im, AST_RAISE, node);
    return py_import_optional_field(im, node, "exc", &out->raise.exception) &&
                           py_import_optional_field(im, node, "cause", &out->raise.cause)
                   ? out
                   : NULL;
}
