// SPDX-License-Identifier: MIT
// Finds for a node the function that imports its class, and imports fields and lists of
// nodes by it. Importers call each other through here alone: expressions hold functions,
// whose bodies hold statements, which hold expressions.
#include "compiler/frontend/importer/py_ast_private.h"

#include <string.h>

static struct ast_node *import_by(
        const struct grammar_row *rows, struct importer *im, PyObject *node)
{
    const char *class = py_node_class(node);
    for (const struct grammar_row *row = rows; row->class; row++)
        if (!strcmp(row->class, class))
            return row->import(im, node);
    return py_node_unsupported(im, node);
}

struct ast_node *py_import_expr(struct importer *im, PyObject *node)
{
    return import_by(im->grammar->expressions, im, node);
}

static struct ast_node *import_stmt(struct importer *im, PyObject *node)
{
    return import_by(im->grammar->statements, im, node);
}

struct ast_node *py_import_expr_field(
        struct importer *im, PyObject *node, const char *name)
{
    PyObject *value = py_node_get(im, node, name);
    struct ast_node *out = value ? py_import_expr(im, value) : NULL;
    Py_XDECREF(value);
    return out;
}

bool py_import_optional_field(
        struct importer *im, PyObject *node, const char *name, struct ast_node **out)
{
    PyObject *value = py_node_get(im, node, name);
    *out = value && value != Py_None ? py_import_expr(im, value) : NULL;
    bool is_done = value && (value == Py_None || *out);
    Py_XDECREF(value);
    return is_done;
}

bool py_import_list(struct importer *im, PyObject *node, const char *name,
        struct ast_node *(*import)(struct importer *im, PyObject *node),
        struct ast_list *out)
{
    PyObject *list = py_node_get(im, node, name);
    if (!list)
        return false;
    out->len = (size_t)PyList_GET_SIZE(list);
    out->items = arena_array(&im->source->arena, struct ast_node *, out->len + 1);
    bool is_done = true;
    for (size_t i = 0; is_done && i < out->len; i++) {
        PyObject *item = py_list_get(list, (Py_ssize_t)i);
        out->items[i] = item ? import(im, item) : NULL;
        is_done = out->items[i] != NULL;
        Py_XDECREF(item);
    }
    Py_DECREF(list);
    return is_done;
}

bool py_import_expr_list(
        struct importer *im, PyObject *node, const char *name, struct ast_list *out)
{
    return py_import_list(im, node, name, py_import_expr, out);
}

bool py_import_body(
        struct importer *im, PyObject *node, const char *name, struct ast_list *out)
{
    return py_import_list(im, node, name, import_stmt, out);
}
