// SPDX-License-Identifier: MIT
// Imports statements.
#include "compiler/frontend/importer/py_ast_private.h"

#include <string.h>

// Whether `target` can be assigned to: a local name, an attribute, a subscript, or a
// tuple of such.
static bool check_target(struct importer *im, const struct ast_node *target)
{
    switch (target->kind) {
    case AST_LOCAL:
        py_bind_local(im, target->local, NULL);
        return true;
    case AST_STARRED:
        return check_target(im, target->value);
    case AST_SUBSCRIPT:
    case AST_ATTRIBUTE:
        return true;
    case AST_TUPLE:
    case AST_LIST:
        for (size_t i = 0; i < target->items.len; i++)
            if (!check_target(im, target->items.items[i]))
                return false;
        return true;
    default:
        return py_refuse_global(im, target->span);
    }
}

static struct ast_node *import_target(
        struct importer *im, PyObject *node, const char *name)
{
    struct ast_node *target = py_import_expr_field(im, node, name);
    return target && check_target(im, target) ? target : NULL;
}

static struct ast_node *import_expression(struct importer *im, PyObject *node)
{
    struct ast_node *out = py_node_new(im, AST_EXPRESSION, node);
    out->value = py_import_expr_field(im, node, "value");
    return out->value ? out : NULL;
}

static struct ast_node *import_assign(struct importer *im, PyObject *node)
{
    struct ast_node *out = py_node_new(im, AST_ASSIGN, node);
    if (!py_import_expr_list(im, node, "targets", &out->assign.targets))
        return NULL;
    const struct ast_node *first = out->assign.targets.items[0];
    if (out->assign.targets.len == 1 && first->kind == AST_LOCAL) {
        out->assign.value = py_import_expr_field(im, node, "value");
        if (out->assign.value && out->assign.value->kind == AST_FUNCTION)
            return py_define(im, node, out->assign.value, first->local);
        py_bind_local(im, first->local, NULL);
        return out->assign.value ? out : NULL;
    }
    for (size_t i = 0; i < out->assign.targets.len; i++)
        if (!check_target(im, out->assign.targets.items[i]))
            return NULL;
    out->assign.value = py_import_expr_field(im, node, "value");
    return out->assign.value ? out : NULL;
}

static struct ast_node *import_annotated(struct importer *im, PyObject *node)
{
    struct ast_node *value = NULL;
    if (!py_import_optional_field(im, node, "value", &value))
        return NULL;
    if (!value)
        return py_node_new(im, AST_PASS, node);
    struct ast_node *out = py_node_new(im, AST_ASSIGN, node);
    struct ast_node *target = import_target(im, node, "target");
    if (!target)
        return NULL;
    out->assign.value = value;
    out->assign.targets.items = arena_array(&im->source->arena, struct ast_node *, 1);
    out->assign.targets.items[0] = target;
    out->assign.targets.len = 1;
    return out;
}

static struct ast_node *import_augmented(struct importer *im, PyObject *node)
{
    struct ast_node *out = py_node_new(im, AST_AUGMENTED, node);
    out->binary.left = py_import_operator(im, node, &out->binary.op)
                               ? import_target(im, node, "target")
                               : NULL;
    out->binary.right = out->binary.left ? py_import_expr_field(im, node, "value") : NULL;
    return out->binary.right ? out : NULL;
}

static struct ast_node *import_return(struct importer *im, PyObject *node)
{
    struct ast_node *out = py_node_new(im, AST_RETURN, node);
    return py_import_optional_field(im, node, "value", &out->value) ? out : NULL;
}

static struct ast_node *import_if(struct importer *im, PyObject *node)
{
    struct ast_node *out = py_node_new(im, AST_IF, node);
    out->block.test = py_import_expr_field(im, node, "test");
    bool is_done = out->block.test &&
                   py_import_body(im, node, "body", &out->block.body) &&
                   py_import_body(im, node, "orelse", &out->block.orelse);
    return is_done ? out : NULL;
}

static struct ast_node *import_while(struct importer *im, PyObject *node)
{
    struct ast_node *out = import_if(im, node);
    if (out)
        out->kind = AST_WHILE;
    return out;
}

static struct ast_node *import_for(struct importer *im, PyObject *node)
{
    struct ast_node *out = py_node_new(im, AST_FOR, node);
    out->block.target = import_target(im, node, "target");
    out->block.test = out->block.target ? py_import_expr_field(im, node, "iter") : NULL;
    bool is_done = out->block.test &&
                   py_import_body(im, node, "body", &out->block.body) &&
                   py_import_body(im, node, "orelse", &out->block.orelse);
    return is_done ? out : NULL;
}

static struct ast_node *import_assert(struct importer *im, PyObject *node)
{
    struct ast_node *out = py_node_new(im, AST_ASSERT, node);
    out->check.test = py_import_expr_field(im, node, "test");
    bool is_done = out->check.test &&
                   py_import_optional_field(im, node, "msg", &out->check.message);
    return is_done ? out : NULL;
}

static struct ast_node *import_delete(struct importer *im, PyObject *node)
{
    struct ast_node *out = py_node_new(im, AST_DELETE, node);
    if (!py_import_expr_list(im, node, "targets", &out->items))
        return NULL;
    for (size_t i = 0; i < out->items.len; i++) {
        if (out->items.items[i]->kind == AST_LOCAL)
            py_bind_local(im, out->items.items[i]->local, NULL);
        if (out->items.items[i]->kind != AST_LOCAL &&
                out->items.items[i]->kind != AST_SUBSCRIPT) {
            error_set(im->err, ERROR_UNSUPPORTED, out->items.items[i]->span,
                    "deleting anything but a local variable or an item is not supported "
                    "in a "
                    "compiled "
                    "function.");
            return NULL;
        }
    }
    return out;
}

static struct ast_node *import_pass(struct importer *im, PyObject *node)
{
    return py_node_new(im, AST_PASS, node);
}

static struct ast_node *import_leave(struct importer *im, PyObject *node)
{
    bool is_break = !strcmp(py_node_class(node), "Break");
    return py_node_new(im, is_break ? AST_BREAK : AST_CONTINUE, node);
}

const struct grammar_row py_statements[] = {
        {"Assign", import_assign},
        {"Expr", import_expression},
        {"If", import_if},
        {"For", import_for},
        {"AugAssign", import_augmented},
        {"Return", import_return},
        {"While", import_while},
        {"AnnAssign", import_annotated},
        {"Pass", import_pass},
        {"Break", import_leave},
        {"Continue", import_leave},
        {"Raise", py_import_raise},
        {"Try", py_import_try},
        {"With", py_import_with},
        {"Assert", import_assert},
        {"Delete", import_delete},
        {"Global", import_pass}, // writing one fails in check_target
        {"Nonlocal", import_pass},
        {"FunctionDef", py_import_definition},
        {"Match", py_import_match},
        {NULL, NULL},
};
