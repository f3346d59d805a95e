// SPDX-License-Identifier: MIT
// Imports expressions.
#include "compiler/frontend/importer/py_ast_private.h"

#include <math.h>
#include <string.h>

// --- Literals

static bool import_integer(struct importer *im, PyObject *value, struct ast_node *out)
{
    int overflow = 0;
    int64_t number = PyLong_AsLongLongAndOverflow(value, &overflow);
    out->constant.value.type = type_int64;
    if (overflow > 0) {
        number = (int64_t)PyLong_AsUnsignedLongLong(value);
        out->constant.value.type = type_uint64;
    }
    if (overflow < 0 || PyErr_Occurred()) {
        py_error_drop();
        PyObject *digits = PyObject_Str(value);
        const char *text = digits ? PyUnicode_AsUTF8AndSize(digits, NULL) : NULL;
        error_set(im->err, ERROR_TYPING, out->span,
                "Int value is too large: %.60s does not fit in 64 bits.",
                text ? text : "it");
        Py_XDECREF(digits);
        py_error_drop();
        return false;
    }
    out->constant.value.integer = number;
    return true;
}

static bool import_text(struct importer *im, PyObject *value, struct ast_node *out)
{
    Py_ssize_t len = 0;
    const char *text = PyUnicode_AsUTF8AndSize(value, &len);
    if (!text)
        return error_from_python(im->err);
    out->constant.value.type = type_string;
    out->constant.value.string.text =
            arena_strndup(&im->source->arena, text, (size_t)len);
    out->constant.value.string.len = (size_t)len;
    return true;
}

static bool import_literal(struct importer *im, PyObject *value, struct ast_node *out)
{
    struct constant *constant = &out->constant.value;
    if (value == Py_None) {
        constant->type = type_none;
    } else if (PyBool_Check(value)) {
        constant->type = type_bool;
        constant->integer = value == Py_True;
    } else if (PyLong_Check(value)) {
        return import_integer(im, value, out);
    } else if (PyFloat_Check(value)) {
        constant->type = type_float64;
        constant->real = PyFloat_AS_DOUBLE(value);
    } else if (PyComplex_Check(value)) {
        constant->type = type_complex128;
        constant->complex_parts[0] = PyComplex_RealAsDouble(value);
        constant->complex_parts[1] = PyComplex_ImagAsDouble(value);
    } else if (PyUnicode_Check(value)) {
        return import_text(im, value, out);
    } else if (PyBytes_Check(value)) {
        constant->type = type_bytes;
        constant->string.len = (size_t)PyBytes_GET_SIZE(value);
        constant->string.text = arena_strndup(
                &im->source->arena, PyBytes_AS_STRING(value), constant->string.len);
    } else if (value == Py_Ellipsis) {
        constant->type = type_ellipsis;
    } else {
        return error_set(im->err, ERROR_UNSUPPORTED, out->span,
                "a %s literal is not supported in a compiled function.",
                Py_TYPE(value)->tp_name);
    }
    return true;
}

static struct ast_node *import_constant(struct importer *im, PyObject *node)
{
    PyObject *value = py_node_get(im, node, "value");
    if (!value)
        return NULL;
    struct ast_node *out = py_node_new(im, AST_CONSTANT, node);
    bool is_done = import_literal(im, value, out);
    Py_DECREF(value);
    return is_done ? out : NULL;
}

static struct ast_node *import_reference(struct importer *im, PyObject *node)
{
    PyObject *object = NULL;
    struct ast_node *out = py_import_chain(im, node, &object);
    Py_XDECREF(object);
    return out;
}

// --- Operators

// An integer literal, which may have a sign.
static bool literal_integer(const struct ast_node *node, int64_t *out)
{
    bool is_negative = node->kind == AST_UNARY && node->unary.op == UNARY_NEGATIVE;
    if (is_negative)
        node = node->unary.operand;
    if (node->kind != AST_CONSTANT || node->constant.origin ||
            node->constant.value.type != type_int64)
        return false;
    *out = is_negative ? -node->constant.value.integer : node->constant.value.integer;
    return true;
}

// CPython computes 2 ** -1 of literals when it compiles: a float, while powers of
// integers are integers.
static struct ast_node *fold_power(struct importer *im, struct ast_node *node)
{
    int64_t base, exponent;
    if (node->binary.op != BINARY_POW || !literal_integer(node->binary.left, &base) ||
            !literal_integer(node->binary.right, &exponent) || exponent >= 0 || !base)
        return node;
    struct ast_node *out = arena_new(&im->source->arena, struct ast_node);
    out->kind = AST_CONSTANT;
    out->span = node->span;
    out->constant.value.type = type_float64;
    out->constant.value.real = pow((double)base, (double)exponent);
    return out;
}

static struct ast_node *import_binary(struct importer *im, PyObject *node)
{
    struct ast_node *out = py_node_new(im, AST_BINARY, node);
    if (!py_import_operator(im, node, &out->binary.op))
        return NULL;
    out->binary.left = py_import_expr_field(im, node, "left");
    out->binary.right = out->binary.left ? py_import_expr_field(im, node, "right") : NULL;
    return out->binary.right ? fold_power(im, out) : NULL;
}

static struct ast_node *import_unary(struct importer *im, PyObject *node)
{
    struct ast_node *out = py_node_new(im, AST_UNARY, node);
    out->unary.operand = py_import_unary_operator(im, node, &out->unary.op)
                                 ? py_import_expr_field(im, node, "operand")
                                 : NULL;
    return out->unary.operand ? out : NULL;
}

// A constant takes the place of an expression of literals that only wide integers hold on
// the way.
static struct ast_node *import_arithmetic(struct importer *im, PyObject *node)
{
    PyObject *value = py_fold_wide(im, node);
    if (!value)
        return !strcmp(py_node_class(node), "BinOp") ? import_binary(im, node)
                                                     : import_unary(im, node);
    struct ast_node *out = py_node_new(im, AST_CONSTANT, node);
    bool is_done = import_literal(im, value, out);
    Py_DECREF(value);
    return is_done ? out : NULL;
}

static struct ast_node *import_bool_op(struct importer *im, PyObject *node)
{
    enum ast_kind kind;
    if (!py_import_bool_operator(im, node, &kind))
        return NULL;
    struct ast_node *out = py_node_new(im, kind, node);
    return py_import_expr_list(im, node, "values", &out->items) ? out : NULL;
}

static bool import_compare_ops(struct importer *im, PyObject *node, struct ast_node *out)
{
    PyObject *ops = py_node_get(im, node, "ops");
    if (!ops)
        return false;
    Py_ssize_t count = PyList_GET_SIZE(ops);
    out->compare.ops = arena_array(&im->source->arena, enum ir_compare, count);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *op = py_list_get(ops, i);
        out->compare.ops[i] = op ? py_compare_operator(op) : 0;
        Py_XDECREF(op);
    }
    Py_DECREF(ops);
    return true;
}

static struct ast_node *import_compare(struct importer *im, PyObject *node)
{
    struct ast_node *out = py_node_new(im, AST_COMPARE, node);
    struct ast_node *left = py_import_expr_field(im, node, "left");
    struct ast_list rest;
    if (!left || !import_compare_ops(im, node, out) ||
            !py_import_expr_list(im, node, "comparators", &rest))
        return NULL;
    out->compare.items.len = rest.len + 1;
    out->compare.items.items =
            arena_array(&im->source->arena, struct ast_node *, rest.len + 1);
    out->compare.items.items[0] = left;
    memcpy(out->compare.items.items + 1, rest.items, rest.len * sizeof *rest.items);
    return out;
}

// --- The others

static struct ast_node *import_subscript(struct importer *im, PyObject *node)
{
    struct ast_node *out = py_node_new(im, AST_SUBSCRIPT, node);
    out->subscript.value = py_import_expr_field(im, node, "value");
    out->subscript.index =
            out->subscript.value ? py_import_expr_field(im, node, "slice") : NULL;
    return out->subscript.index ? out : NULL;
}

static struct ast_node *import_slice(struct importer *im, PyObject *node)
{
    struct ast_node *out = py_node_new(im, AST_SLICE, node);
    bool is_done = py_import_optional_field(im, node, "lower", &out->slice.start) &&
                   py_import_optional_field(im, node, "upper", &out->slice.stop) &&
                   py_import_optional_field(im, node, "step", &out->slice.step);
    return is_done ? out : NULL;
}

static struct ast_node *import_items(
        struct importer *im, PyObject *node, enum ast_kind kind)
{
    struct ast_node *out = py_node_new(im, kind, node);
    return py_import_expr_list(im, node, "elts", &out->items) ? out : NULL;
}

static struct ast_node *import_conditional(struct importer *im, PyObject *node)
{
    struct ast_node *out = py_node_new(im, AST_CONDITIONAL, node);
    out->conditional.test = py_import_expr_field(im, node, "test");
    out->conditional.then =
            out->conditional.test ? py_import_expr_field(im, node, "body") : NULL;
    out->conditional.otherwise =
            out->conditional.then ? py_import_expr_field(im, node, "orelse") : NULL;
    return out->conditional.otherwise ? out : NULL;
}

static struct ast_node *import_named(struct importer *im, PyObject *node)
{
    struct ast_node *out = py_node_new(im, AST_NAMED, node);
    out->named.target = py_import_expr_field(im, node, "target");
    if (out->named.target && out->named.target->kind == AST_LOCAL)
        py_bind_local(im, out->named.target->local, NULL);
    out->named.value = out->named.target ? py_import_expr_field(im, node, "value") : NULL;
    return out->named.value ? out : NULL;
}

static struct ast_node *import_starred(struct importer *im, PyObject *node)
{
    struct ast_node *out = py_node_new(im, AST_STARRED, node);
    out->value = py_import_expr_field(im, node, "value");
    return out->value ? out : NULL;
}

static struct ast_node *import_tuple(struct importer *im, PyObject *node)
{
    return import_items(im, node, AST_TUPLE);
}

static struct ast_node *import_list(struct importer *im, PyObject *node)
{
    return import_items(im, node, AST_LIST);
}

const struct grammar_row py_expressions[] = {
        {"Name", import_reference},
        {"Attribute", import_reference},
        {"Constant", import_constant},
        {"BinOp", import_arithmetic},
        {"Subscript", import_subscript},
        {"Call", py_import_call},
        {"Compare", import_compare},
        {"Tuple", import_tuple},
        {"UnaryOp", import_arithmetic},
        {"BoolOp", import_bool_op},
        {"Slice", import_slice},
        {"IfExp", import_conditional},
        {"NamedExpr", import_named},
        {"Starred", import_starred},
        {"List", import_list},
        {"Dict", py_import_dict},
        {"Set", py_import_set},
        {"ListComp", py_import_comprehension},
        {"SetComp", py_import_comprehension},
        {"DictComp", py_import_comprehension},
        {"Lambda", py_import_lambda},
        {"Yield", py_import_yield},
        {"YieldFrom", py_import_yield_from},
        {"GeneratorExp", py_import_generator},
        {"JoinedStr", py_import_joined},
        {"FormattedValue", py_import_formatted},
        {NULL, NULL},
};
