// SPDX-License-Identifier: MIT
// Imports functions that are defined in a function. What such a function uses of its
// surroundings becomes its first parameters.
#include "compiler/frontend/importer/py_ast_private.h"

#include <string.h>

// --- Its code object, among the constants of the outer function's

static bool is_code_of(struct importer *im, PyObject *code, PyObject *node)
{
    PyObject *found = py_find_function(im->tree, code);
    Py_XDECREF(found);
    return found == node;
}

PyObject *py_find_code(struct importer *im, PyObject *code, PyObject *node)
{
    PyObject *constants = PyObject_GetAttrString(code, "co_consts");
    PyObject *found = NULL;
    for (Py_ssize_t i = 0; constants && !found && i < PyTuple_GET_SIZE(constants); i++) {
        PyObject *item = PyTuple_GET_ITEM(constants, i);
        if (!PyCode_Check(item))
            continue;
        found = is_code_of(im, item, node) ? Py_NewRef(item)
                                           : py_find_code(im, item, node);
    }
    py_error_drop();
    Py_XDECREF(constants);
    return found;
}

// --- What it captures

// Each name of the outer functions that it uses: `captures` are their locals there.
static bool find_captures(struct importer *inner, PyObject *node, struct ast_node *out)
{
    PyObject *names = PyObject_GetAttrString(inner->code, "co_freevars");
    if (!names)
        return error_from_python(inner->err);
    struct importer *outer = inner->outer;
    size_t count = (size_t)PyTuple_GET_SIZE(names);
    int *captures = arena_array(&outer->source->arena, int, count + 1);
    for (size_t i = 0; i < count; i++) {
        const char *name = PyUnicode_AsUTF8(PyTuple_GET_ITEM(names, (Py_ssize_t)i));
        int local = name ? scope_find(&outer->scope, name) : -1;
        if (local < 0 || (inner->own_name && !strcmp(inner->own_name, name)))
            continue; // of the module or a Python function, or its own name
        captures[out->function.capture_count++] = local;
        scope_add(&inner->scope, arena_strdup(&inner->source->arena, name));
    }
    Py_DECREF(names);
    out->function.captures = captures;
    return true;
}

// --- Its parameters

// A default that is computed where the function is defined is kept in a variable there
// without a name in Python, which the function captures.
static bool capture_default(struct importer *inner, struct ast_node *value,
        struct source_param *param, struct ast_node *out)
{
    struct importer *outer = inner->outer;
    struct arena *arena = &outer->source->arena;
    char *name = arena_printf(arena, "default.%zu", outer->scope.names.len);
    int local = scope_add(&outer->scope, name);
    scope_add(&inner->scope, name);
    struct ast_node **values = (struct ast_node **)out->function.defaults.items;
    size_t at = out->function.defaults.len++;
    values[at] = value;
    ((int *)out->function.default_locals)[at] = local;
    ((int *)out->function.captures)[out->function.capture_count++] = local;
    param->default_param = (int)out->function.capture_count;
    return true;
}

static bool set_default(struct importer *inner, PyObject *node,
        struct source_param *param, struct ast_node *out)
{
    struct ast_node *value = py_import_expr(inner->outer, node);
    if (!value)
        return false;
    param->has_default = true;
    if (value->kind != AST_CONSTANT || !value->constant.value.type)
        return capture_default(inner, value, param, out);
    const struct type *type = value->constant.value.type;
    param->default_value = value->constant.value;
    if (py_is_known(type))
        param->omitted = type_omitted(type, param->name);
    return true;
}

struct parameters {
    VEC(struct source_param) list;
    VEC(PyObject *) defaults; // by parameter, borrowed from the tree; NULL: none
};

static bool add_parameter(struct importer *inner, struct parameters *to, PyObject *arg,
        PyObject *value, bool is_star)
{
    const char *name = py_node_text(inner, arg, "arg");
    if (!name)
        return false;
    vec_push(&to->list, (struct source_param){.name = name, .is_star = is_star});
    vec_push(&to->defaults, value);
    return true;
}

// The list `field` of the arguments; `defaults` belong to its last items.
static bool add_parameters(struct importer *inner, struct parameters *to,
        PyObject *arguments, const char *field, PyObject *defaults)
{
    PyObject *list = py_node_get(inner, arguments, field);
    if (!list)
        return false;
    Py_ssize_t count = PyList_GET_SIZE(list);
    Py_ssize_t first = defaults ? count - PyList_GET_SIZE(defaults) : count;
    bool is_done = true;
    for (Py_ssize_t i = 0; is_done && i < count; i++) {
        PyObject *arg = py_list_get(list, i);
        PyObject *value = i >= first ? py_list_get(defaults, i - first) : NULL;
        Py_XDECREF(value); // the tree keeps it
        is_done = arg &&
                  add_parameter(inner, to, arg, value == Py_None ? NULL : value, false);
        Py_XDECREF(arg);
        if (is_done) {
            struct source_param *param = &to->list.items[to->list.len - 1];
            param->is_positional_only = !strcmp(field, "posonlyargs");
            param->is_keyword_only = !strcmp(field, "kwonlyargs");
        }
    }
    Py_DECREF(list);
    return is_done;
}

static bool add_star(struct importer *inner, struct parameters *to, PyObject *arguments)
{
    PyObject *star = py_node_get(inner, arguments, "vararg");
    PyObject *stars = star ? py_node_get(inner, arguments, "kwarg") : NULL;
    bool is_done = stars;
    if (stars && stars != Py_None)
        is_done = error_set(inner->err, ERROR_UNSUPPORTED, py_node_span(inner, stars),
                "a parameter that takes any keywords ('**') is not supported in a "
                "compiled function.");
    else if (stars && star != Py_None)
        is_done = add_parameter(inner, to, star, NULL, true);
    Py_XDECREF(star);
    Py_XDECREF(stars);
    return is_done;
}

static bool collect_parameters(
        struct importer *inner, PyObject *arguments, struct parameters *to)
{
    PyObject *defaults = py_node_get(inner, arguments, "defaults");
    PyObject *only = defaults ? py_node_get(inner, arguments, "kw_defaults") : NULL;
    bool is_done = only;
    if (is_done) {
        // of `def f(a, b, /, c=1)` the defaults are those of all positional ones
        PyObject *leading = py_node_get(inner, arguments, "posonlyargs");
        PyObject *others = leading ? py_node_get(inner, arguments, "args") : NULL;
        Py_ssize_t count = others ? PyList_GET_SIZE(others) : 0;
        Py_ssize_t extra = PyList_GET_SIZE(defaults) - count;
        PyObject *head = PyList_GetSlice(defaults, 0, extra > 0 ? extra : 0);
        PyObject *tail = PyList_GetSlice(
                defaults, extra > 0 ? extra : 0, PyList_GET_SIZE(defaults));
        is_done = others && head && tail &&
                  add_parameters(inner, to, arguments, "posonlyargs", head) &&
                  add_parameters(inner, to, arguments, "args", tail) &&
                  add_star(inner, to, arguments) &&
                  add_parameters(inner, to, arguments, "kwonlyargs", only);
        Py_XDECREF(leading);
        Py_XDECREF(others);
        Py_XDECREF(head);
        Py_XDECREF(tail);
    }
    Py_XDECREF(defaults);
    Py_XDECREF(only);
    return is_done;
}

// Captured names, then defaults that are computed, then the function's own parameters.
static bool import_parameters(
        struct importer *inner, struct parameters *from, struct ast_node *out)
{
    struct source *source = inner->source;
    struct arena *arena = &inner->outer->source->arena;
    size_t own = from->list.len, room = out->function.capture_count + own;
    int *captures = arena_array(arena, int, room + 1);
    memcpy(captures, out->function.captures, out->function.capture_count * sizeof(int));
    out->function.captures = captures;
    out->function.default_locals = arena_array(arena, int, own + 1);
    out->function.defaults.items = arena_array(arena, struct ast_node *, own + 1);
    for (size_t i = 0; i < own; i++)
        if (from->defaults.items[i] &&
                !set_default(inner, from->defaults.items[i], &from->list.items[i], out))
            return false;
    source->capture_count = out->function.capture_count;
    source->param_count = source->capture_count + own;
    source->params =
            arena_array(&source->arena, struct source_param, source->param_count);
    for (size_t i = 0; i < source->capture_count; i++)
        source->params[i].name = inner->scope.names.items[i];
    for (size_t i = 0; i < own; i++) {
        source->params[source->capture_count + i] = from->list.items[i];
        scope_add(&inner->scope, from->list.items[i].name);
    }
    return true;
}

// --- The function

static struct source *inner_source(struct importer *outer, const char *name)
{
    struct source *source = source_create(name);
    vec_push(&outer->source->inner, source);
    source->qualname =
            arena_printf(&source->arena, "%s.<locals>.%s", outer->source->qualname, name);
    source->module = outer->source->module;
    source->file = outer->source->file;
    source->options = outer->source->options;
    source->captured = outer->source->captured;
    source->watched = outer->source->watched;
    return source;
}

static bool import_parts(struct importer *inner, PyObject *node, struct ast_node *out)
{
    PyObject *arguments = py_node_get(inner, node, "args");
    struct parameters parameters = {0};
    bool is_done = arguments && find_captures(inner, node, out) &&
                   collect_parameters(inner, arguments, &parameters) &&
                   import_parameters(inner, &parameters, out) &&
                   py_add_names(inner, inner->code, "co_varnames") &&
                   py_add_names(inner, inner->code, "co_cellvars") &&
                   py_import_tree(inner, node);
    vec_finish(&parameters.list);
    vec_finish(&parameters.defaults);
    Py_XDECREF(arguments);
    return is_done;
}

void py_open_inner(struct importer *im, struct importer *inner, struct ast_node *function,
        const char *name)
{
    *inner = *im;
    inner->outer = im;
    inner->scope = (struct scope){0};
    inner->targets = (struct map){0};
    inner->is_generator = false;
    inner->own_name = NULL;
    memset(&inner->bindings, 0, sizeof inner->bindings);
    memset(&inner->made, 0, sizeof inner->made);
    vec_push(&im->made, function);
    inner->source = function->function.inner = inner_source(im, name);
    inner->source->first_line = function->span.line;
}

void py_close_inner(struct importer *inner)
{
    scope_finish(&inner->scope);
    map_finish(&inner->targets);
    vec_finish(&inner->bindings);
    vec_finish(&inner->made);
}

// Keeps what a Python function is made of, should this one be returned.
static bool keep_origin(struct importer *im, struct source *inner, PyObject *code)
{
    PyObject *kept = im->source->captured;
    if (!kept)
        return true;
    PyObject *origin = PyTuple_Pack(
            4, code, im->globals, im->freevars, im->closure ? im->closure : Py_None);
    bool is_done = origin && PyList_Append(kept, origin) == 0;
    inner->origin = is_done ? origin : NULL; // the list keeps it alive
    Py_XDECREF(origin);
    return is_done || error_from_python(im->err);
}

static struct ast_node *import_inner(
        struct importer *im, PyObject *node, const char *name, const char *own_name)
{
    struct ast_node *out = py_node_new(im, AST_FUNCTION, node);
    struct importer inner;
    PyObject *code = py_find_code(im, im->code, node);
    if (!code) {
        // CPython drops what stands behind a return: so does lowering, and whoever comes
        // here all the same runs another text than this
        out->kind = AST_MISSING;
        out->missing = arena_strdup(&im->source->arena, name);
        return out;
    }
    py_open_inner(im, &inner, out, name);
    inner.code = code;
    inner.own_name = own_name;
    bool is_done = keep_origin(im, inner.source, code) && import_parts(&inner, node, out);
    py_close_inner(&inner);
    Py_DECREF(code);
    return is_done ? out : NULL;
}

struct ast_node *py_import_lambda(struct importer *im, PyObject *node)
{
    return import_inner(im, node, "<lambda>", NULL);
}

struct ast_node *py_define(
        struct importer *im, PyObject *node, struct ast_node *function, int local)
{
    struct ast_node *out = py_node_new(im, AST_DEFINE, node);
    out->define.function = function;
    out->define.local = local;
    py_bind_local(im, local, function);
    return out;
}

// A decorated function: a stencil, or an error.
static struct ast_node *import_decorated(
        struct importer *im, PyObject *node, PyObject *decorators, int local)
{
    bool is_single = PyList_GET_SIZE(decorators) == 1;
    PyObject *decorator = is_single ? py_list_get(decorators, 0) : NULL;
    bool is_stencil = decorator && py_is_stencil_decorator(im, decorator);
    struct ast_node *out =
            is_stencil ? py_import_stencil_definition(im, node, decorator, local) : NULL;
    if (!is_stencil) {
        error_clear(im->err);
        error_set(im->err, ERROR_UNSUPPORTED, py_node_span(im, node),
                "a decorator on an inner function is not supported in a compiled "
                "function, but for stencil.");
    }
    Py_XDECREF(decorator);
    return out;
}

struct ast_node *py_import_definition(struct importer *im, PyObject *node)
{
    const char *name = py_node_text(im, node, "name");
    PyObject *decorators = name ? py_node_get(im, node, "decorator_list") : NULL;
    if (!decorators)
        return NULL;
    int local = scope_find(&im->scope, name);
    if (local >= 0 && PyList_GET_SIZE(decorators) > 0) {
        struct ast_node *out = import_decorated(im, node, decorators, local);
        Py_DECREF(decorators);
        return out;
    }
    Py_DECREF(decorators);
    struct ast_node *function = local < 0 ? NULL : import_inner(im, node, name, name);
    if (local < 0)
        py_refuse_global(im, py_node_span(im, node));
    if (!function || function->kind == AST_FUNCTION)
        return function ? py_define(im, node, function, local) : NULL;
    struct ast_node *missing = py_node_new(im, AST_EXPRESSION, node);
    missing->value = function;
    return missing;
}

struct ast_node *py_import_own_name(struct importer *im, PyObject *node)
{
    struct ast_node *out = py_node_new(im, AST_FUNCTION, node);
    out->function.inner = im->source;
    out->function.capture_count = im->source->capture_count;
    int *captures = arena_array(&im->source->arena, int, im->source->capture_count + 1);
    for (size_t i = 0; i < im->source->capture_count; i++)
        captures[i] = (int)i;
    out->function.captures = captures;
    vec_push(&im->made, out);
    return out;
}
