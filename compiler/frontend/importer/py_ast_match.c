// SPDX-License-Identifier: MIT
// Imports match statements: each pattern becomes a condition, which binds the pattern's
// names on its way, and the cases a chain of if and else. What the subject's type tells
// is asked first, by builtins without a name in Python: the rest of a pattern is looked
// at only where it has a meaning.
#include "compiler/frontend/importer/py_ast_private.h"

#include <string.h>

// The conditions of a pattern, all of which must hold, in order.
struct parts {
    VEC(struct ast_node *) list;
};

// --- Nodes

static struct ast_node *local_node(struct importer *im, PyObject *node, int local)
{
    struct ast_node *out = py_node_new(im, AST_LOCAL, node);
    out->local = local;
    return out;
}

static struct ast_node *integer_node(struct importer *im, PyObject *node, int64_t value)
{
    struct ast_node *out = py_node_new(im, AST_CONSTANT, node);
    out->constant.value.type = type_int64;
    out->constant.value.integer = value;
    return out;
}

static struct ast_node *text_node(struct importer *im, PyObject *node, const char *text)
{
    struct ast_node *out = py_node_new(im, AST_CONSTANT, node);
    out->constant.value.type = type_string;
    out->constant.value.string.text = text;
    out->constant.value.string.len = strlen(text);
    return out;
}

static struct ast_node *call_node(struct importer *im, PyObject *node, const char *name,
        struct ast_node *first, struct ast_node *second)
{
    struct ast_node *out = py_node_call(im, node, name, second ? 2 : 1);
    out->call.args.items[0] = first;
    out->call.args.items[1] = second;
    return out;
}

static struct ast_node *compare_node(struct importer *im, PyObject *node,
        enum ir_compare op, struct ast_node *left, struct ast_node *right)
{
    struct ast_node *out = py_node_new(im, AST_COMPARE, node);
    out->compare.ops = arena_new(&im->source->arena, enum ir_compare);
    out->compare.ops[0] = op;
    out->compare.items.items = arena_array(&im->source->arena, struct ast_node *, 2);
    out->compare.items.items[0] = left;
    out->compare.items.items[1] = right;
    out->compare.items.len = 2;
    return out;
}

static struct ast_node *item_node(struct importer *im, PyObject *node,
        struct ast_node *value, struct ast_node *index)
{
    struct ast_node *out = py_node_new(im, AST_SUBSCRIPT, node);
    out->subscript.value = value;
    out->subscript.index = index;
    return out;
}

static struct ast_node *attribute_node(
        struct importer *im, PyObject *node, struct ast_node *value, const char *name)
{
    struct ast_node *out = py_node_new(im, AST_ATTRIBUTE, node);
    out->attribute.value = value;
    out->attribute.name = name;
    return out;
}

// All, or one, of several conditions.
static struct ast_node *join_node(
        struct importer *im, PyObject *node, enum ast_kind kind, struct parts *parts)
{
    size_t count = parts->list.len;
    struct ast_node *out = count ? parts->list.items[0] : integer_node(im, node, 1);
    if (count > 1) {
        out = py_node_new(im, kind, node);
        out->items.len = count;
        out->items.items = arena_copy(
                &im->source->arena, parts->list.items, count * sizeof *parts->list.items);
    }
    vec_finish(&parts->list);
    return out;
}

// --- Names

static int hidden_local(struct importer *im)
{
    char *name = arena_printf(&im->source->arena, "match.%zu", im->scope.names.len);
    return scope_add(&im->scope, name);
}

static void add_capture(struct importer *im, PyObject *node, struct ast_node *target,
        struct ast_node *value, struct parts *to)
{
    struct ast_node *out = py_node_new(im, AST_CAPTURE, node);
    out->named.target = target;
    out->named.value = value;
    vec_push(&to->list, out);
}

// The variable that a pattern's `name` binds; NULL with err set. *is_left_out: there is
// none.
static struct ast_node *import_target(
        struct importer *im, PyObject *node, const char *field, bool *is_left_out)
{
    PyObject *value = py_node_get(im, node, field);
    *is_left_out = value == Py_None;
    Py_XDECREF(value);
    if (!value || value == Py_None)
        return NULL;
    const char *name = py_node_text(im, node, field);
    int local = name ? scope_find(&im->scope, name) : -1;
    if (name && local < 0)
        py_refuse_global(im, py_node_span(im, node));
    if (local < 0)
        return NULL;
    py_bind_local(im, local, NULL);
    return local_node(im, node, local);
}

// --- Patterns

static bool add_pattern(
        struct importer *im, PyObject *pattern, int subject, struct parts *to);

// A pattern within a pattern, for a value that is computed.
static bool add_inner(
        struct importer *im, PyObject *pattern, struct ast_node *value, struct parts *to)
{
    if (!strcmp(py_node_class(pattern), "MatchAs")) {
        PyObject *inner = py_node_get(im, pattern, "pattern");
        bool is_plain = inner == Py_None, is_left_out = false;
        Py_XDECREF(inner);
        struct ast_node *target =
                is_plain ? import_target(im, pattern, "name", &is_left_out) : NULL;
        if (target)
            add_capture(im, pattern, target, value, to);
        if (!inner || is_plain)
            return inner && (target || is_left_out);
    }
    int subject = hidden_local(im);
    add_capture(im, pattern, local_node(im, pattern, subject), value, to);
    return add_pattern(im, pattern, subject, to);
}

static bool add_value(
        struct importer *im, PyObject *pattern, int subject, struct parts *to)
{
    struct ast_node *value = py_import_expr_field(im, pattern, "value");
    if (!value)
        return false;
    struct ast_node *left = local_node(im, pattern, subject);
    vec_push(&to->list, call_node(im, pattern, "gridcell.match_comparable", left, value));
    vec_push(&to->list, compare_node(im, pattern, COMPARE_EQ, left, value));
    return true;
}

// None, True or False, which a pattern holds as it is; NULL with err set.
static struct ast_node *singleton_node(struct importer *im, PyObject *pattern)
{
    PyObject *value = py_node_get(im, pattern, "value");
    struct ast_node *out = py_node_new(im, AST_CONSTANT, pattern);
    out->constant.value.type = value == Py_None ? type_none : type_bool;
    out->constant.value.integer = value == Py_True;
    Py_XDECREF(value);
    return value ? out : NULL;
}

static bool add_singleton(
        struct importer *im, PyObject *pattern, int subject, struct parts *to)
{
    struct ast_node *left = local_node(im, pattern, subject);
    struct ast_node *right = singleton_node(im, pattern);
    if (right && right->constant.value.type == type_bool) {
        struct ast_node *class = py_node_new(im, AST_CONSTANT, pattern);
        class->constant.value.type = type_class(type_bool);
        class->constant.value.instance = type_bool;
        class->constant.origin = "bool";
        vec_push(&to->list, call_node(im, pattern, "builtins.isinstance", left, class));
    }
    if (right)
        vec_push(&to->list, compare_node(im, pattern, COMPARE_IS, left, right));
    return right != NULL;
}

// The place of the star among the patterns, or -1.
static Py_ssize_t star_place(PyObject *patterns)
{
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(patterns); i++) {
        PyObject *pattern = py_list_get(patterns, i);
        bool is_star = pattern && !strcmp(py_node_class(pattern), "MatchStar");
        Py_XDECREF(pattern);
        if (is_star)
            return i;
    }
    return -1;
}

// first, *name, last: the name gets what the others leave
static bool add_star(struct importer *im, PyObject *star, int subject, Py_ssize_t place,
        Py_ssize_t count, struct parts *to)
{
    bool is_left_out;
    struct ast_node *name = import_target(im, star, "name", &is_left_out);
    if (!name)
        return is_left_out;
    struct ast_node *target = py_node_new(im, AST_TUPLE, star);
    target->items.len = (size_t)count;
    target->items.items =
            arena_array(&im->source->arena, struct ast_node *, (size_t)count);
    for (Py_ssize_t i = 0; i < count; i++)
        target->items.items[i] = i == place ? py_node_new(im, AST_STARRED, star)
                                            : local_node(im, star, hidden_local(im));
    target->items.items[place]->value = name;
    add_capture(im, star, target, local_node(im, star, subject), to);
    return true;
}

static bool add_items(
        struct importer *im, PyObject *patterns, int subject, struct parts *to)
{
    Py_ssize_t count = PyList_GET_SIZE(patterns), star = star_place(patterns);
    bool is_done = true;
    for (Py_ssize_t i = 0; is_done && i < count; i++) {
        PyObject *pattern = py_list_get(patterns, i);
        if (!pattern)
            return error_from_python(im->err);
        if (i == star) {
            is_done = add_star(im, pattern, subject, i, count, to);
        } else {
            int64_t place = star >= 0 && i > star ? i - count : i;
            is_done = add_inner(im, pattern,
                    item_node(im, pattern, local_node(im, pattern, subject),
                            integer_node(im, pattern, place)),
                    to);
        }
        Py_DECREF(pattern);
    }
    return is_done;
}

static bool add_sequence(
        struct importer *im, PyObject *pattern, int subject, struct parts *to)
{
    PyObject *patterns = py_node_get(im, pattern, "patterns");
    if (!patterns)
        return false;
    bool is_open = star_place(patterns) >= 0;
    int64_t least = PyList_GET_SIZE(patterns) - is_open;
    struct ast_node *value = local_node(im, pattern, subject);
    vec_push(&to->list, call_node(im, pattern, "gridcell.match_sequence", value, NULL));
    if (least || !is_open)
        vec_push(&to->list, compare_node(im, pattern, is_open ? COMPARE_GE : COMPARE_EQ,
                                    call_node(im, pattern, "builtins.len", value, NULL),
                                    integer_node(im, pattern, least)));
    bool is_done = add_items(im, patterns, subject, to);
    Py_DECREF(patterns);
    return is_done;
}

// **name: a copy of the dict, without the keys of the pattern
static bool add_rest(struct importer *im, PyObject *pattern, int subject,
        const struct ast_list *keys, struct parts *to)
{
    bool is_left_out;
    struct ast_node *rest = import_target(im, pattern, "rest", &is_left_out);
    if (!rest)
        return is_left_out;
    struct ast_node *copy = py_node_new(im, AST_CALL, pattern);
    copy->call.function =
            attribute_node(im, pattern, local_node(im, pattern, subject), "copy");
    add_capture(im, pattern, rest, copy, to);
    for (size_t i = 0; i < keys->len; i++) {
        struct ast_node *pop = py_node_new(im, AST_CALL, pattern);
        pop->call.function = attribute_node(im, pattern, rest, "pop");
        pop->call.args.items = (struct ast_node **)&keys->items[i];
        pop->call.args.len = 1;
        add_capture(im, pattern, local_node(im, pattern, hidden_local(im)), pop, to);
    }
    return true;
}

static bool add_entries(struct importer *im, PyObject *pattern, PyObject *patterns,
        int subject, const struct ast_list *keys, struct parts *to)
{
    struct ast_node *value = local_node(im, pattern, subject);
    for (size_t i = 0; i < keys->len; i++) {
        struct ast_node *key = keys->items[i];
        vec_push(&to->list, call_node(im, pattern, "gridcell.match_mapping", value, key));
        vec_push(&to->list, compare_node(im, pattern, COMPARE_IN, key, value));
    }
    for (size_t i = 0; i < keys->len; i++) {
        PyObject *inner = py_list_get(patterns, (Py_ssize_t)i);
        bool is_done = inner && add_inner(im, inner,
                                        item_node(im, inner, value, keys->items[i]), to);
        Py_XDECREF(inner);
        if (!is_done)
            return inner ? false : error_from_python(im->err);
    }
    return add_rest(im, pattern, subject, keys, to);
}

static bool add_mapping(
        struct importer *im, PyObject *pattern, int subject, struct parts *to)
{
    struct ast_list keys;
    if (!py_import_expr_list(im, pattern, "keys", &keys))
        return false;
    if (!keys.len)
        vec_push(&to->list, call_node(im, pattern, "gridcell.match_mapping",
                                    local_node(im, pattern, subject), NULL));
    PyObject *patterns = py_node_get(im, pattern, "patterns");
    bool is_done = patterns && add_entries(im, pattern, patterns, subject, &keys, to);
    Py_XDECREF(patterns);
    return is_done;
}

// --- Classes

// Whether the one positional part of a pattern of this class is the subject itself.
static bool is_matched_whole(PyObject *class)
{
    PyTypeObject *const classes[] = {&PyBool_Type, &PyLong_Type, &PyFloat_Type,
            &PyUnicode_Type, &PyBytes_Type, &PyByteArray_Type, &PyTuple_Type,
            &PyList_Type, &PyDict_Type, &PySet_Type, &PyFrozenSet_Type};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (class == (PyObject *)classes[i])
            return true;
    return false;
}

static bool add_member(struct importer *im, PyObject *pattern, int subject,
        const char *name, struct parts *to)
{
    vec_push(&to->list,
            call_node(im, pattern, "builtins.hasattr", local_node(im, pattern, subject),
                    text_node(im, pattern, name)));
    return add_inner(im, pattern,
            attribute_node(im, pattern, local_node(im, pattern, subject), name), to);
}

// The attributes that positional parts stand for: a new tuple of names, or NULL with err
// set.
static PyObject *match_arguments(
        struct importer *im, PyObject *pattern, PyObject *class, Py_ssize_t count)
{
    int failed = 0;
    PyObject *names = class ? py_attr_or_null(class, "__match_args__", &failed) : NULL;
    Py_ssize_t known = names && PyTuple_Check(names) ? PyTuple_GET_SIZE(names) : 0;
    if (!failed && count <= known)
        return names;
    if (failed)
        error_from_python(im->err);
    else
        error_set(im->err, ERROR_TYPING, py_node_span(im, pattern),
                "%s() accepts %zd positional sub-pattern%s (%zd given)",
                class && PyType_Check(class) ? ((PyTypeObject *)class)->tp_name : "class",
                known, known == 1 ? "" : "s", count);
    Py_XDECREF(names);
    return NULL;
}

static bool add_positional(struct importer *im, PyObject *pattern, PyObject *class,
        PyObject *patterns, int subject, struct parts *to)
{
    Py_ssize_t count = PyList_GET_SIZE(patterns);
    bool is_whole = count == 1 && class && is_matched_whole(class);
    PyObject *names = NULL;
    if (!count)
        return true;
    if (!is_whole && !(names = match_arguments(im, pattern, class, count)))
        return false;
    bool is_done = true;
    for (Py_ssize_t i = 0; is_done && i < count; i++) {
        PyObject *inner = py_list_get(patterns, i);
        const char *name = names ? PyUnicode_AsUTF8(PyTuple_GET_ITEM(names, i)) : NULL;
        if (!inner || (names && !name))
            is_done = error_from_python(im->err);
        else
            is_done = is_whole ? add_inner(im, inner, local_node(im, inner, subject), to)
                               : add_member(im, inner, subject,
                                         arena_strdup(&im->source->arena, name), to);
        Py_XDECREF(inner);
    }
    Py_XDECREF(names);
    return is_done;
}

static bool add_keywords(
        struct importer *im, PyObject *pattern, int subject, struct parts *to)
{
    PyObject *names = py_node_get(im, pattern, "kwd_attrs");
    PyObject *patterns = names ? py_node_get(im, pattern, "kwd_patterns") : NULL;
    bool is_done = patterns;
    for (Py_ssize_t i = 0; is_done && i < PyList_GET_SIZE(patterns); i++) {
        PyObject *name = py_list_get(names, i), *inner = py_list_get(patterns, i);
        const char *text = name ? PyUnicode_AsUTF8(name) : NULL;
        is_done = text && inner ? add_member(im, inner, subject,
                                          arena_strdup(&im->source->arena, text), to)
                                : error_from_python(im->err);
        Py_XDECREF(name);
        Py_XDECREF(inner);
    }
    Py_XDECREF(names);
    Py_XDECREF(patterns);
    return is_done;
}

static bool add_class(
        struct importer *im, PyObject *pattern, int subject, struct parts *to)
{
    PyObject *node = py_node_get(im, pattern, "cls"), *class = NULL;
    PyObject *patterns = node ? py_node_get(im, pattern, "patterns") : NULL;
    struct ast_node *value = patterns ? py_import_chain(im, node, &class) : NULL;
    if (value)
        vec_push(&to->list, call_node(im, pattern, "builtins.isinstance",
                                    local_node(im, pattern, subject), value));
    bool is_done = value && add_positional(im, pattern, class, patterns, subject, to) &&
                   add_keywords(im, pattern, subject, to);
    Py_XDECREF(class);
    Py_XDECREF(patterns);
    Py_XDECREF(node);
    return is_done;
}

// --- Patterns of patterns

// One of several patterns, all of which bind the same names.
static bool add_either(
        struct importer *im, PyObject *pattern, int subject, struct parts *to)
{
    PyObject *patterns = py_node_get(im, pattern, "patterns");
    struct parts either = {0};
    bool is_done = patterns;
    for (Py_ssize_t i = 0; is_done && i < PyList_GET_SIZE(patterns); i++) {
        struct parts all = {0};
        PyObject *inner = py_list_get(patterns, i);
        is_done = inner ? add_pattern(im, inner, subject, &all)
                        : error_from_python(im->err);
        if (is_done)
            vec_push(&either.list, join_node(im, inner, AST_AND, &all));
        else
            vec_finish(&all.list);
        Py_XDECREF(inner);
    }
    Py_XDECREF(patterns);
    if (is_done)
        vec_push(&to->list, join_node(im, pattern, AST_OR, &either));
    else
        vec_finish(&either.list);
    return is_done;
}

// pattern as name, name, or _
static bool add_as(struct importer *im, PyObject *pattern, int subject, struct parts *to)
{
    PyObject *inner = py_node_get(im, pattern, "pattern");
    bool is_left_out,
            is_done = inner && (inner == Py_None || add_pattern(im, inner, subject, to));
    Py_XDECREF(inner);
    if (!is_done)
        return false;
    struct ast_node *target = import_target(im, pattern, "name", &is_left_out);
    if (target)
        add_capture(im, pattern, target, local_node(im, pattern, subject), to);
    return target || is_left_out;
}

static bool add_pattern(
        struct importer *im, PyObject *pattern, int subject, struct parts *to)
{
    static const struct {
        const char *class;
        bool (*add)(
                struct importer *im, PyObject *pattern, int subject, struct parts *to);
    } kinds[] = {
            {"MatchValue", add_value},
            {"MatchAs", add_as},
            {"MatchOr", add_either},
            {"MatchSequence", add_sequence},
            {"MatchClass", add_class},
            {"MatchSingleton", add_singleton},
            {"MatchMapping", add_mapping},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i].class, py_node_class(pattern)))
            return kinds[i].add(im, pattern, subject, to);
    return py_node_unsupported(im, pattern) != NULL;
}

// --- The statement

static bool add_guard(struct importer *im, PyObject *node, struct parts *to)
{
    struct ast_node *guard = NULL;
    if (!py_import_optional_field(im, node, "guard", &guard))
        return false;
    if (guard)
        vec_push(&to->list, guard);
    return true;
}

// One case, with the conditions that `parts` holds already before its own.
static struct ast_node *import_case(
        struct importer *im, PyObject *node, int subject, struct parts *parts)
{
    PyObject *pattern = py_node_get(im, node, "pattern");
    struct ast_node *out = NULL;
    if (pattern && add_pattern(im, pattern, subject, parts) &&
            add_guard(im, node, parts)) {
        out = py_node_new(im, AST_IF, pattern);
        out->block.test = join_node(im, pattern, AST_AND, parts);
        if (!py_import_body(im, node, "body", &out->block.body))
            out = NULL;
    }
    vec_finish(&parts->list);
    Py_XDECREF(pattern);
    return out;
}

struct ast_node *py_import_match(struct importer *im, PyObject *node)
{
    struct ast_node *value = py_import_expr_field(im, node, "subject");
    PyObject *cases = value ? py_node_get(im, node, "cases") : NULL;
    struct ast_node *first = NULL, **place = &first;
    struct parts parts = {0};
    int subject = hidden_local(im);
    if (cases)
        add_capture(im, node, local_node(im, node, subject), value, &parts);
    for (Py_ssize_t i = 0; cases && i < PyList_GET_SIZE(cases); i++) {
        PyObject *item = py_list_get(cases, i);
        struct ast_node *one = item ? import_case(im, item, subject, &parts) : NULL;
        Py_XDECREF(item);
        if (!one) {
            first = NULL;
            break;
        }
        *place = one;
        one->block.orelse.items = arena_array(&im->source->arena, struct ast_node *, 1);
        place = &one->block.orelse.items[0];
        if (i + 1 < PyList_GET_SIZE(cases))
            one->block.orelse.len = 1;
    }
    Py_XDECREF(cases);
    return first;
}
