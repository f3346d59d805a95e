// SPDX-License-Identifier: MIT
// Makes a function's tree of its body, for outermost and inner functions alike.
#include "compiler/frontend/importer/py_ast_private.h"

#include <string.h>

static bool import_lambda_body(struct importer *im, PyObject *node, struct ast_list *body)
{
    struct ast_node *value = py_import_expr_field(im, node, "body");
    if (!value)
        return false;
    struct ast_node *statement = py_node_new(im, AST_RETURN, node);
    statement->span = value->span;
    statement->value = value;
    body->items = arena_array(&im->source->arena, struct ast_node *, 1);
    body->items[0] = statement;
    body->len = 1;
    return true;
}

// By local: the inner function that it always is.
static const struct ast_node **known_functions(struct importer *im)
{
    const struct ast_node **functions = arena_array(
            &im->source->arena, const struct ast_node *, im->scope.names.len + 1);
    for (size_t i = im->source->param_count; i < im->bindings.len; i++)
        functions[i] = im->bindings.items[i].function;
    return functions;
}

// By local: a capture that the function assigns, with `nonlocal`.
static bool *assigned_captures(struct importer *im)
{
    bool *cells = arena_array(&im->source->arena, bool, im->scope.names.len + 1);
    for (size_t i = 0; i < im->source->capture_count && i < im->bindings.len; i++)
        cells[i] = im->bindings.items[i].count > 0;
    return cells;
}

void py_finish_tree(struct importer *im, PyObject *node, struct ast_list body)
{
    struct ast_function *ast = arena_new(&im->source->arena, struct ast_function);
    ast->span = py_node_span(im, node);
    im->source->last_line = ast->span.end_line;
    ast->body = body;
    ast->local_count = im->scope.names.len;
    ast->locals = arena_copy(&im->source->arena, im->scope.names.items,
            im->scope.names.len * sizeof *im->scope.names.items);
    ast->functions = known_functions(im);
    ast->cells = assigned_captures(im);
    ast->made = arena_copy(
            &im->source->arena, im->made.items, im->made.len * sizeof *im->made.items);
    ast->made_count = im->made.len;
    ast->is_generator = im->is_generator;
    im->source->ast = ast;
}

bool py_import_tree(struct importer *im, PyObject *node)
{
    struct ast_list body = {0};
    const char *class = py_node_class(node);
    if (!strcmp(class, "AsyncFunctionDef"))
        return py_node_unsupported(im, node) != NULL;
    bool is_lambda = !strcmp(class, "Lambda");
    if (is_lambda ? !import_lambda_body(im, node, &body)
                  : !py_import_body(im, node, "body", &body))
        return false;
    py_finish_tree(im, node, body);
    return true;
}
