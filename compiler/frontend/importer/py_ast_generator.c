// SPDX-License-Identifier: MIT
// Imports yield, and generator expressions: inner functions that yield in loops.
#include "compiler/frontend/importer/py_ast_private.h"

#include <string.h>

struct ast_node *py_import_yield(struct importer *im, PyObject *node)
{
    struct ast_node *out = py_node_new(im, AST_YIELD, node);
    im->is_generator = true;
    return py_import_optional_field(im, node, "value", &out->value) ? out : NULL;
}

struct ast_node *py_import_yield_from(struct importer *im, PyObject *node)
{
    struct ast_node *out = py_import_yield(im, node);
    if (out)
        out->kind = AST_YIELD_FROM;
    return out;
}

// --- Names in a generator expression

// Calls `visit` with the name of each Name below the node that is stored to, or read.
static bool each_name(struct importer *im, PyObject *node, bool is_stored,
        void (*visit)(struct importer *inner, const char *name), struct importer *inner)
{
    PyObject *walk = py_import_attr("ast", "walk");
    PyObject *nodes = walk ? PyObject_CallOneArg(walk, node) : NULL;
    PyObject *list = nodes ? PySequence_List(nodes) : NULL;
    for (Py_ssize_t i = 0; list && i < PyList_GET_SIZE(list); i++) {
        PyObject *item = PyList_GET_ITEM(list, i); // borrowed: the list is ours
        if (strcmp(py_node_class(item), "Name") != 0)
            continue;
        PyObject *context = py_node_get(im, item, "ctx");
        bool is_store = context && !strcmp(py_node_class(context), "Store");
        Py_XDECREF(context);
        const char *name = is_store == is_stored ? py_node_text(im, item, "id") : NULL;
        if (name)
            visit(inner, name);
    }
    bool is_done = list != NULL;
    Py_XDECREF(list);
    Py_XDECREF(nodes);
    Py_XDECREF(walk);
    return is_done || error_from_python(im->err);
}

static void note_target(struct importer *inner, const char *name)
{
    map_set(&inner->targets, name, inner);
}

static void add_target(struct importer *inner, const char *name)
{
    scope_add(&inner->scope, arena_strdup(&inner->source->arena, name));
}

static void add_capture(struct importer *inner, const char *name)
{
    if (!map_get(&inner->targets, name) && scope_find(&inner->outer->scope, name) >= 0)
        add_target(inner, name);
}

// --- Its loops

static struct ast_node *local_node(struct importer *im, PyObject *node, int local)
{
    struct ast_node *out = py_node_new(im, AST_LOCAL, node);
    out->local = local;
    return out;
}

static void set_only(struct importer *im, struct ast_list *list, struct ast_node *node)
{
    list->items = arena_array(&im->source->arena, struct ast_node *, 1);
    list->items[0] = node;
    list->len = 1;
}

static struct ast_node *import_clause(
        struct importer *im, PyObject *node, PyObject *clauses, Py_ssize_t index);

// What a clause's loop does: its conditions, then the next clause.
static struct ast_node *import_conditions(struct importer *im, PyObject *node,
        PyObject *clauses, Py_ssize_t index, const struct ast_list *conditions)
{
    struct ast_node *inner = import_clause(im, node, clauses, index + 1);
    for (size_t i = conditions->len; inner && i > 0; i--) {
        struct ast_node *test = py_node_new(im, AST_IF, node);
        test->block.test = conditions->items[i - 1];
        set_only(im, &test->block.body, inner);
        inner = test;
    }
    return inner;
}

static struct ast_node *import_loop(struct importer *im, PyObject *node,
        PyObject *clauses, PyObject *clause, Py_ssize_t index)
{
    struct ast_node *loop = py_node_new(im, AST_FOR, node);
    struct ast_list conditions;
    loop->block.target = py_import_expr_field(im, clause, "target");
    if (!loop->block.target)
        return NULL;
    loop->block.test = index ? py_import_expr_field(im, clause, "iter")
                             : local_node(im, node, (int)im->source->capture_count);
    if (!loop->block.test || !py_import_expr_list(im, clause, "ifs", &conditions))
        return NULL;
    struct ast_node *body = import_conditions(im, node, clauses, index, &conditions);
    if (!body)
        return NULL;
    set_only(im, &loop->block.body, body);
    return loop;
}

// yield elt; or, for (*elt for ...), which Python 3.15 has, yield from elt
static struct ast_node *import_item(struct importer *im, PyObject *node)
{
    struct ast_node *statement = py_node_new(im, AST_EXPRESSION, node);
    PyObject *item = py_node_get(im, node, "elt");
    bool is_unpacked = item && !strcmp(py_node_class(item), "Starred");
    struct ast_node *yield = statement->value =
            py_node_new(im, is_unpacked ? AST_YIELD_FROM : AST_YIELD, node);
    if (item)
        yield->value = is_unpacked ? py_import_expr_field(im, item, "value")
                                   : py_import_expr(im, item);
    Py_XDECREF(item);
    return yield->value ? statement : NULL;
}

static struct ast_node *import_clause(
        struct importer *im, PyObject *node, PyObject *clauses, Py_ssize_t index)
{
    if (index == PyList_GET_SIZE(clauses))
        return import_item(im, node);
    PyObject *clause = py_list_get(clauses, index);
    struct ast_node *loop = clause ? import_loop(im, node, clauses, clause, index) : NULL;
    Py_XDECREF(clause);
    return loop;
}

// --- The function and its call

static void describe_inner(struct importer *inner, struct ast_node *function)
{
    struct source *source = inner->source;
    struct arena *arena = &inner->outer->source->arena;
    size_t count = inner->scope.names.len;
    int *captures = arena_array(arena, int, count + 1);
    for (size_t i = 0; i < count; i++)
        captures[i] = scope_find(&inner->outer->scope, inner->scope.names.items[i]);
    function->function.captures = captures;
    function->function.capture_count = source->capture_count = count;
    scope_add(&inner->scope, "iterable");
    source->param_count = count + 1;
    source->params = arena_array(&source->arena, struct source_param, count + 1);
    for (size_t i = 0; i <= count; i++)
        source->params[i].name = inner->scope.names.items[i];
}

static bool import_parts(struct importer *inner, PyObject *node, PyObject *clauses,
        struct ast_node *function)
{
    if (!each_name(inner, node, true, note_target, inner) ||
            !each_name(inner, node, false, add_capture, inner))
        return false;
    describe_inner(inner, function);
    if (!each_name(inner, node, true, add_target, inner))
        return false;
    struct ast_list body = {0};
    struct ast_node *loop = import_clause(inner, node, clauses, 0);
    if (!loop)
        return false;
    set_only(inner, &body, loop);
    inner->is_generator = true;
    py_finish_tree(inner, node, body);
    return true;
}

// (elt for ...) is a call of an inner generator with the first iterable.
struct ast_node *py_import_generator(struct importer *im, PyObject *node)
{
    PyObject *clauses = py_node_get(im, node, "generators");
    PyObject *first = clauses ? py_list_get(clauses, 0) : NULL;
    struct ast_node *iterable = first ? py_import_expr_field(im, first, "iter") : NULL;
    struct ast_node *call = NULL;
    if (iterable) {
        struct ast_node *function = py_node_new(im, AST_FUNCTION, node);
        struct importer inner;
        py_open_inner(im, &inner, function, "<genexpr>");
        inner.code = im->code;
        if (import_parts(&inner, node, clauses, function)) {
            call = py_node_new(im, AST_CALL, node);
            call->call.function = function;
            set_only(im, &call->call.args, iterable);
        }
        py_close_inner(&inner);
    }
    Py_XDECREF(first);
    Py_XDECREF(clauses);
    return call;
}
