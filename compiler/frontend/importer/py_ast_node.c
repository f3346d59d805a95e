// SPDX-License-Identifier: MIT
// What importers read of a node of CPython's tree, and the node that they make for it.
#include "compiler/frontend/importer/py_ast_private.h"

#include <string.h>

PyObject *py_node_get(struct importer *im, PyObject *node, const char *name)
{
    PyObject *value = PyObject_GetAttrString(node, name);
    if (!value)
        error_from_python(im->err);
    return value;
}

// The name of the class that a function stands in, without underscores before it, by the
// function's qualified name; *len: 0 where it stands in none.
static const char *class_of(const char *qualname, size_t *len)
{
    static const char locals[] = "<locals>";
    const char *end = qualname + strlen(qualname), *start = end;
    bool is_function = true; // the part between is a function, whose parent is looked for
    *len = 0;
    for (;;) {
        for (start = end; start > qualname && start[-1] != '.';)
            start--;
        bool is_locals = (size_t)(end - start) == strlen(locals) &&
                         !memcmp(start, locals, strlen(locals));
        if (!is_function && !is_locals)
            break;
        is_function = is_locals;
        if (start == qualname)
            return start;
        end = start - 1;
    }
    for (; start < end && *start == '_';)
        start++;
    *len = (size_t)(end - start);
    return start;
}

// A name as Python has it in a class: __name is _Class__name.
static const char *mangled(struct importer *im, const char *text)
{
    size_t len = strlen(text), class_len;
    const char *qualname = im->source->qualname;
    if (len < 3 || strncmp(text, "__", 2) != 0 || !strcmp(text + len - 2, "__") ||
            !qualname)
        return text;
    const char *class = class_of(qualname, &class_len);
    return class_len ? arena_printf(
                               &im->source->arena, "_%.*s%s", (int)class_len, class, text)
                     : text;
}

const char *py_node_text(struct importer *im, PyObject *node, const char *name)
{
    PyObject *value = py_node_get(im, node, name);
    const char *text = value ? PyUnicode_AsUTF8(value) : NULL;
    if (value && !text)
        error_from_python(im->err);
    const char *copy = text ? arena_strdup(&im->source->arena, text) : NULL;
    Py_XDECREF(value);
    return copy ? mangled(im, copy) : NULL;
}

const char *py_node_class(PyObject *node)
{
    const char *name = Py_TYPE(node)->tp_name;
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

int py_node_int(PyObject *node, const char *name)
{
    PyObject *value = PyObject_GetAttrString(node, name);
    long number = value ? PyLong_AsLong(value) : 0;
    py_error_drop();
    Py_XDECREF(value);
    return number > 0 ? (int)number : 0;
}

struct span py_node_span(struct importer *im, PyObject *node)
{
    return (struct span){
            .file = im->source->file,
            .line = py_node_int(node, "lineno"),
            .column = py_node_int(node, "col_offset"),
            .end_line = py_node_int(node, "end_lineno"),
            .end_column = py_node_int(node, "end_col_offset"),
    };
}

struct ast_node *py_node_new(struct importer *im, enum ast_kind kind, PyObject *node)
{
    struct ast_node *copy = arena_new(&im->source->arena, struct ast_node);
    copy->kind = kind;
    copy->span = py_node_span(im, node);
    return copy;
}

struct ast_node *py_node_unsupported(struct importer *im, PyObject *node)
{
    // its name in the tree, in words, numba's name for it, and what to do instead
    static const char *const words[][4] = {
            {"AsyncFor", "'async for'"},
            {"AsyncFunctionDef", "an async function"},
            {"AsyncWith", "'async with'"},
            {"Await", "'await'"},
            {"ClassDef", "a class definition", "LOAD_BUILD_CLASS",
                    ": define it outside, with numba.experimental.jitclass"},
            {"FormattedValue", "an f-string"},
            {"Import", "an import statement", "IMPORT_NAME",
                    ": import outside of it, at the top of the module or in a cell"},
            {"ImportFrom", "an import statement", "IMPORT_NAME",
                    ": import outside of it, at the top of the module or in a cell"},
            {"JoinedStr", "an f-string"},
            {"MatMult", "matrix multiplication with '@'"},
            {"Starred", "unpacking with '*'"},
            {"TemplateStr", "a template string"},
            {"TryStar", "try/except* (compiled code raises no groups of exceptions)"},
            {"TypeAlias", "a type alias", "CALL_INTRINSIC_1", ": define it outside"},
    };
    const char *class = py_node_class(node), *const *known = NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i][0], class))
            known = words[i];
    if (known && known[2])
        error_set(im->err, ERROR_UNSUPPORTED, py_node_span(im, node),
                "Use of unsupported opcode (%s) found\n\n%s is not supported in a "
                "compiled "
                "function%s.",
                known[2], known[1], known[3]);
    else
        error_set(im->err, ERROR_UNSUPPORTED, py_node_span(im, node),
                "%s is not supported in a compiled function.", known ? known[1] : class);
    return NULL;
}

bool py_refuse_global(struct importer *im, struct span span)
{
    return error_set(im->err, ERROR_UNSUPPORTED, span,
            "Use of unsupported opcode (STORE_GLOBAL) found\n\nwriting a global variable "
            "is not supported in a compiled function: globals are compile-time "
            "constants.");
}

void py_bind_local(struct importer *im, int local, const struct ast_node *function)
{
    while (im->bindings.len <= (size_t)local)
        vec_push(&im->bindings, (struct binding){0});
    struct binding *binding = &im->bindings.items[local];
    binding->function = binding->count++ ? NULL : function;
}

// --- Operators

static const char *const binary_classes[] = {"Add", "Sub", "Mult", "Div", "FloorDiv",
        "Mod", "Pow", "LShift", "RShift", "BitAnd", "BitOr", "BitXor", "MatMult"};
static const char *const compare_classes[] = {
        "Eq", "NotEq", "Lt", "LtE", "Gt", "GtE", "Is", "IsNot", "In", "NotIn"};
static const char *const unary_classes[] = {"USub", "UAdd", "Invert", "Not"};

static int find_class(PyObject *op, const char *const *classes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(py_node_class(op), classes[i]))
            return (int)i;
    return 0;
}

// The index of the class of node.op in `classes`; -1 with err set.
static int operator_index(
        struct importer *im, PyObject *node, const char *const *classes, size_t count)
{
    PyObject *op = py_node_get(im, node, "op");
    int index = op ? find_class(op, classes, count) : -1;
    Py_XDECREF(op);
    return index;
}

bool py_add_names(struct importer *im, PyObject *code, const char *field)
{
    PyObject *names = PyObject_GetAttrString(code, field);
    if (!names)
        return error_from_python(im->err);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); i++) {
        const char *name = PyUnicode_AsUTF8(PyTuple_GET_ITEM(names, i));
        if (name)
            scope_add(&im->scope, arena_strdup(&im->source->arena, name));
    }
    Py_DECREF(names);
    return true;
}

bool py_import_operator(struct importer *im, PyObject *node, enum ir_binary *out)
{
    int index = operator_index(
            im, node, binary_classes, sizeof binary_classes / sizeof *binary_classes);
    *out = (enum ir_binary)index;
    return index >= 0;
}

bool py_import_unary_operator(struct importer *im, PyObject *node, enum ir_unary *out)
{
    int index = operator_index(
            im, node, unary_classes, sizeof unary_classes / sizeof *unary_classes);
    *out = (enum ir_unary)index;
    return index >= 0;
}

bool py_import_bool_operator(struct importer *im, PyObject *node, enum ast_kind *out)
{
    static const char *const classes[] = {"And", "Or"};
    int index = operator_index(im, node, classes, 2);
    *out = index == 0 ? AST_AND : AST_OR;
    return index >= 0;
}

enum ir_compare py_compare_operator(PyObject *op)
{
    return (enum ir_compare)find_class(
            op, compare_classes, sizeof compare_classes / sizeof *compare_classes);
}
