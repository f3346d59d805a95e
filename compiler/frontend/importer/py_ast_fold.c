// SPDX-License-Identifier: MIT
// Expressions of number literals that leave 64 bits on the way: CPython computes them
// when it compiles, with integers of any size, so that 2**64 - 1 is an unsigned constant,
// and 2**64 one that is too large.
#include <string.h>

#include "compiler/frontend/importer/py_ast_private.h"

enum { MAX_NESTING = 8, MAX_BITS = 128 };

static PyObject *number_of(struct importer *im, PyObject *node, int depth, bool *is_wide);

static PyObject *number_field(
        struct importer *im, PyObject *node, const char *name, int depth, bool *is_wide)
{
    PyObject *child = py_node_get(im, node, name);
    PyObject *value = child ? number_of(im, child, depth, is_wide) : NULL;
    Py_XDECREF(child);
    return value;
}

// What the operator gives, where CPython would compute it, too.
static PyObject *compute(enum ir_binary op, PyObject *left, PyObject *right)
{
    static PyObject *(*const functions[])(PyObject *, PyObject *) = {
            [BINARY_ADD] = PyNumber_Add,
            [BINARY_SUB] = PyNumber_Subtract,
            [BINARY_MUL] = PyNumber_Multiply,
            [BINARY_TRUEDIV] = PyNumber_TrueDivide,
            [BINARY_FLOORDIV] = PyNumber_FloorDivide,
            [BINARY_MOD] = PyNumber_Remainder,
            [BINARY_LSHIFT] = PyNumber_Lshift,
            [BINARY_RSHIFT] = PyNumber_Rshift,
            [BINARY_AND] = PyNumber_And,
            [BINARY_OR] = PyNumber_Or,
            [BINARY_XOR] = PyNumber_Xor,
    };
    int overflow;
    long count = PyLong_AsLongAndOverflow(right, &overflow);
    bool is_small = !overflow && count >= 0 && count < MAX_BITS;
    bool may_grow = op == BINARY_POW || op == BINARY_LSHIFT || op == BINARY_RSHIFT;
    if (may_grow && !is_small)
        return NULL;
    if (op == BINARY_POW)
        return PyNumber_Power(left, right, Py_None);
    bool is_known = (size_t)op < sizeof functions / sizeof *functions && functions[op];
    return is_known ? functions[op](left, right) : NULL;
}

// Whether the integer has no more than this many bits.
static bool is_bounded(PyObject *value, long bits)
{
    PyObject *count = PyObject_CallMethod(value, "bit_length", NULL);
    bool is_so = count && PyLong_AsLong(count) <= bits;
    Py_XDECREF(count);
    return is_so;
}

static PyObject *binary_of(struct importer *im, PyObject *node, int depth, bool *is_wide)
{
    enum ir_binary op;
    PyObject *right = number_field(im, node, "right", depth, is_wide);
    PyObject *left = right ? number_field(im, node, "left", depth, is_wide) : NULL;
    bool is_known = left && py_import_operator(im, node, &op);
    PyObject *value = is_known ? compute(op, left, right) : NULL;
    Py_XDECREF(left);
    Py_XDECREF(right);
    return value;
}

static PyObject *unary_of(struct importer *im, PyObject *node, int depth, bool *is_wide)
{
    PyObject *op = py_node_get(im, node, "op");
    PyObject *operand = op ? number_field(im, node, "operand", depth, is_wide) : NULL;
    const char *name = op ? py_node_class(op) : "";
    PyObject *value = !operand                  ? NULL
                      : !strcmp(name, "USub")   ? PyNumber_Negative(operand)
                      : !strcmp(name, "UAdd")   ? PyNumber_Positive(operand)
                      : !strcmp(name, "Invert") ? PyNumber_Invert(operand)
                                                : NULL;
    Py_XDECREF(operand);
    Py_XDECREF(op);
    return value;
}

// The value of an expression of literals, int or float, a new reference; NULL for other
// ones.
static PyObject *number_of(struct importer *im, PyObject *node, int depth, bool *is_wide)
{
    const char *class = py_node_class(node);
    PyObject *value = NULL;
    if (depth > MAX_NESTING)
        return NULL;
    if (!strcmp(class, "Constant"))
        value = py_node_get(im, node, "value");
    else if (!strcmp(class, "BinOp"))
        value = binary_of(im, node, depth + 1, is_wide);
    else if (!strcmp(class, "UnaryOp"))
        value = unary_of(im, node, depth + 1, is_wide);
    int overflow = 0;
    if (value && PyLong_CheckExact(value) && is_bounded(value, MAX_BITS))
        PyLong_AsLongLongAndOverflow(value, &overflow);
    else if (value && !PyFloat_CheckExact(value))
        Py_CLEAR(value);
    *is_wide = *is_wide || overflow;
    return value;
}

PyObject *py_fold_wide(struct importer *im, PyObject *node)
{
    bool is_wide = false;
    PyObject *value = number_of(im, node, 0, &is_wide);
    if (!is_wide)
        Py_CLEAR(value);
    py_error_drop();
    return value;
}
