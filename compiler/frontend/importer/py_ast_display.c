// SPDX-License-Identifier: MIT
// Imports sets, dicts and comprehensions. A comprehension becomes a loop that fills a
// variable which has no name in Python.
#include "compiler/frontend/importer/py_ast_private.h"

#include <string.h>

struct ast_node *py_import_set(struct importer *im, PyObject *node)
{
    struct ast_node *out = py_node_new(im, AST_SET, node);
    return py_import_expr_list(im, node, "elts", &out->items) ? out : NULL;
}

// --- Comprehensions

// What names meant before the comprehension's own variables hid them.
struct hidden {
    const char *name;
    int local; // or -1
};

struct comprehension {
    struct importer *im;
    PyObject *node;
    int local;
    VEC(struct hidden) hidden;
};

static bool hide_name(struct comprehension *c, PyObject *target)
{
    struct importer *im = c->im;
    const char *name = py_node_text(im, target, "id");
    if (!name)
        return false;
    for (size_t i = 0; i < c->hidden.len; i++)
        if (!strcmp(c->hidden.items[i].name, name))
            return true;
    vec_push(&c->hidden, (struct hidden){name, scope_find(&im->scope, name)});
    py_bind_local(im, scope_hide(&im->scope, name), NULL);
    return true;
}

// Gives the names in a target variables of their own.
static bool hide_names(struct comprehension *c, PyObject *target)
{
    const char *class = py_node_class(target);
    if (!strcmp(class, "Name"))
        return hide_name(c, target);
    if (strcmp(class, "Tuple") && strcmp(class, "List"))
        return true;
    PyObject *items = py_node_get(c->im, target, "elts");
    bool is_done = items != NULL;
    for (Py_ssize_t i = 0; is_done && i < PyList_GET_SIZE(items); i++) {
        PyObject *item = py_list_get(items, i);
        is_done = item && hide_names(c, item);
        Py_XDECREF(item);
    }
    Py_XDECREF(items);
    return is_done;
}

static void show_names(struct comprehension *c)
{
    for (size_t i = 0; i < c->hidden.len; i++)
        scope_show(&c->im->scope, c->hidden.items[i].name, c->hidden.items[i].local);
    vec_finish(&c->hidden);
}

static struct ast_node *local_node(struct comprehension *c)
{
    struct ast_node *out = py_node_new(c->im, AST_LOCAL, c->node);
    out->local = c->local;
    return out;
}

static void set_single(
        struct comprehension *c, struct ast_list *list, struct ast_node *item)
{
    list->items = arena_array(&c->im->source->arena, struct ast_node *, 1);
    list->items[0] = item;
    list->len = 1;
}

// result.METHOD(value)
static struct ast_node *call_step(
        struct comprehension *c, const char *name, struct ast_node *value)
{
    struct ast_node *method = py_node_new(c->im, AST_ATTRIBUTE, c->node);
    method->attribute.value = local_node(c);
    method->attribute.name = name;
    struct ast_node *out = py_node_new(c->im, AST_EXPRESSION, c->node);
    out->value = py_node_new(c->im, AST_CALL, c->node);
    out->value->call.function = method;
    set_single(c, &out->value->call.args, value);
    return out;
}

// result[key] = value
static struct ast_node *set_step(
        struct comprehension *c, struct ast_node *key, struct ast_node *value)
{
    struct ast_node *target = py_node_new(c->im, AST_SUBSCRIPT, c->node);
    target->subscript.value = local_node(c);
    target->subscript.index = key;
    struct ast_node *out = py_node_new(c->im, AST_ASSIGN, c->node);
    set_single(c, &out->assign.targets, target);
    out->assign.value = value;
    return out;
}

// Of {**d for ...}, which has no value, too.
static struct ast_node *import_dict_step(struct comprehension *c)
{
    struct ast_node *value;
    struct ast_node *key = py_import_expr_field(c->im, c->node, "key");
    if (!key || !py_import_optional_field(c->im, c->node, "value", &value))
        return NULL;
    return value ? set_step(c, key, value) : call_step(c, "update", key);
}

// What a list's or a set's comprehension does with an item; of [*x for ...], which Python
// 3.15 has, with the items of each.
static struct ast_node *import_item_step(struct comprehension *c, bool is_set)
{
    PyObject *item = py_node_get(c->im, c->node, "elt");
    bool is_unpacked = item && !strcmp(py_node_class(item), "Starred");
    struct ast_node *value = is_unpacked ? py_import_expr_field(c->im, item, "value")
                             : item      ? py_import_expr(c->im, item)
                                         : NULL;
    Py_XDECREF(item);
    const char *one = is_set ? "add" : "append", *many = is_set ? "update" : "extend";
    return value ? call_step(c, is_unpacked ? many : one, value) : NULL;
}

// --- Dicts

static struct ast_node *plain_dict(
        struct importer *im, PyObject *node, const struct ast_list *pairs)
{
    struct ast_node *out = py_node_new(im, AST_DICT, node);
    out->items = *pairs;
    return out;
}

// {1: 2, **other, 3: 4}: a variable that begins as {1: 2} and takes the rest in turn.
static struct ast_node *unpacking_dict(
        struct importer *im, PyObject *node, const struct ast_list *pairs, size_t plain)
{
    struct comprehension c = {.im = im, .node = node};
    struct arena *arena = &im->source->arena;
    c.local =
            scope_add(&im->scope, arena_printf(arena, "result.%zu", im->scope.names.len));
    struct ast_node *out = py_node_new(im, AST_COMPREHENSION, node);
    out->comprehension.local = c.local;
    out->comprehension.start =
            plain_dict(im, node, &(struct ast_list){pairs->items, plain});
    struct ast_list *steps = &out->comprehension.loop;
    steps->items = arena_array(arena, struct ast_node *, pairs->len / 2 + 1);
    for (size_t i = plain; i < pairs->len; i += 2)
        steps->items[steps->len++] =
                pairs->items[i] ? set_step(&c, pairs->items[i], pairs->items[i + 1])
                                : call_step(&c, "update", pairs->items[i + 1]);
    return out;
}

struct ast_node *py_import_dict(struct importer *im, PyObject *node)
{
    PyObject *keys = py_node_get(im, node, "keys");
    struct ast_list values, pairs = {0};
    size_t plain = 0;
    bool is_done = keys && py_import_expr_list(im, node, "values", &values);
    if (is_done)
        pairs.items =
                arena_array(&im->source->arena, struct ast_node *, 2 * values.len + 1);
    for (size_t i = 0; is_done && i < values.len; i++) {
        PyObject *key = py_list_get(keys, (Py_ssize_t)i);
        bool is_unpacked = key == Py_None;
        struct ast_node *item = key && !is_unpacked ? py_import_expr(im, key) : NULL;
        Py_XDECREF(key);
        pairs.items[pairs.len++] = item;
        pairs.items[pairs.len++] = values.items[i];
        if (item && plain + 2 == pairs.len)
            plain = pairs.len;
        is_done = item || is_unpacked;
    }
    Py_XDECREF(keys);
    if (!is_done)
        return NULL;
    return plain == pairs.len ? plain_dict(im, node, &pairs)
                              : unpacking_dict(im, node, &pairs, plain);
}

// --- Loops

static bool is_async(struct importer *im, PyObject *generator)
{
    PyObject *flag = py_node_get(im, generator, "is_async");
    bool answer = flag && PyLong_Check(flag) && PyLong_AsLong(flag) != 0;
    Py_XDECREF(flag);
    return answer;
}

static struct ast_node *import_loop(
        struct comprehension *c, PyObject *generators, Py_ssize_t at, const char *class);

// The conditions of a generator around what it runs.
static struct ast_node *import_conditions(struct comprehension *c, PyObject *generator,
        PyObject *generators, Py_ssize_t at, const char *class)
{
    struct ast_list tests;
    if (!py_import_expr_list(c->im, generator, "ifs", &tests))
        return NULL;
    struct ast_node *inner = import_loop(c, generators, at + 1, class);
    for (size_t i = tests.len; inner && i-- > 0;) {
        struct ast_node *condition = py_node_new(c->im, AST_IF, c->node);
        condition->span = tests.items[i]->span;
        condition->block.test = tests.items[i];
        set_single(c, &condition->block.body, inner);
        inner = condition;
    }
    return inner;
}

// Generator number `at` and all that is within it.
static struct ast_node *import_loop(
        struct comprehension *c, PyObject *generators, Py_ssize_t at, const char *class)
{
    if (at == PyList_GET_SIZE(generators))
        return !strcmp(class, "DictComp")
                       ? import_dict_step(c)
                       : import_item_step(c, !strcmp(class, "SetComp"));
    PyObject *generator = py_list_get(generators, at);
    if (!generator || is_async(c->im, generator)) {
        Py_XDECREF(generator);
        return py_node_unsupported(c->im, c->node);
    }
    struct ast_node *out = py_node_new(c->im, AST_FOR, c->node), *inner = NULL;
    out->block.test = py_import_expr_field(c->im, generator, "iter");
    PyObject *target = out->block.test ? py_node_get(c->im, generator, "target") : NULL;
    if (target && hide_names(c, target))
        out->block.target = py_import_expr(c->im, target);
    if (out->block.target)
        inner = import_conditions(c, generator, generators, at, class);
    if (inner)
        set_single(c, &out->block.body, inner);
    Py_XDECREF(target);
    Py_DECREF(generator);
    return inner ? out : NULL;
}

struct ast_node *py_import_comprehension(struct importer *im, PyObject *node)
{
    struct comprehension c = {.im = im, .node = node};
    const char *class = py_node_class(node);
    struct arena *arena = &im->source->arena;
    c.local =
            scope_add(&im->scope, arena_printf(arena, "result.%zu", im->scope.names.len));
    struct ast_node *out = py_node_new(im, AST_COMPREHENSION, node);
    out->comprehension.local = c.local;
    out->comprehension.start = py_node_new(im,
            !strcmp(class, "DictComp")  ? AST_DICT
            : !strcmp(class, "SetComp") ? AST_SET
                                        : AST_LIST,
            node);
    PyObject *generators = py_node_get(im, node, "generators");
    struct ast_node *loop = generators ? import_loop(&c, generators, 0, class) : NULL;
    Py_XDECREF(generators);
    show_names(&c);
    if (!loop)
        return NULL;
    set_single(&c, &out->comprehension.loop, loop);
    return out;
}
