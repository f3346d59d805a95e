// SPDX-License-Identifier: MIT
// What a name outside the function means, as a node: a constant, or the expression that
// makes the value of parts that are constants (slices, tuples with slices, records).
#include "compiler/frontend/importer/py_ast_private.h"

#include <string.h>

static struct ast_node *new_node(struct importer *im, struct span span)
{
    struct ast_node *node = arena_new(&im->source->arena, struct ast_node);
    node->kind = AST_CONSTANT;
    node->span = span;
    return node;
}

static struct ast_node *resolve_part(
        struct importer *im, PyObject *object, const char *origin, struct span span)
{
    struct ast_node *part = new_node(im, span);
    return py_resolve_constant(im, object, origin, part) ? part : NULL;
}

static bool resolve_slice(
        struct importer *im, PyObject *object, const char *origin, struct ast_node *out)
{
    PySliceObject *slice = (PySliceObject *)object;
    PyObject *values[] = {slice->start, slice->stop, slice->step};
    struct ast_node *parts[3] = {NULL};
    for (int i = 0; i < 3; i++)
        if (values[i] != Py_None &&
                !(parts[i] = resolve_part(im, values[i], origin, out->span)))
            return false;
    out->kind = AST_SLICE;
    out->slice.start = parts[0];
    out->slice.stop = parts[1];
    out->slice.step = parts[2];
    return true;
}

static bool has_slice(PyObject *tuple)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++)
        if (PySlice_Check(PyTuple_GET_ITEM(tuple, i)))
            return true;
    return false;
}

static bool resolve_tuple(
        struct importer *im, PyObject *tuple, const char *origin, struct ast_node *out)
{
    size_t len = (size_t)PyTuple_GET_SIZE(tuple);
    struct ast_node **items = arena_array(&im->source->arena, struct ast_node *, len + 1);
    for (size_t i = 0; i < len; i++) {
        PyObject *item = PyTuple_GET_ITEM(tuple, (Py_ssize_t)i);
        items[i] = resolve_part(im, item, origin, out->span);
        if (!items[i])
            return false;
    }
    out->kind = AST_TUPLE;
    out->items = (struct ast_list){items, len};
    return true;
}

// A scalar of a structured dtype, as np.void and np.record are.
static bool is_record(PyObject *object)
{
    const char *name = Py_TYPE(object)->tp_name;
    if (strcmp(name, "numpy.void") != 0 && strcmp(name, "numpy.record") != 0 &&
            strcmp(name, "record") != 0)
        return false;
    PyObject *dtype = PyObject_GetAttrString(object, "dtype");
    PyObject *names = dtype ? PyObject_GetAttrString(dtype, "names") : NULL;
    bool has_names = names && PyTuple_Check(names);
    Py_XDECREF(dtype);
    Py_XDECREF(names);
    py_error_drop();
    return has_names;
}

// The item of an array of one record.
static bool resolve_record(
        struct importer *im, PyObject *record, const char *origin, struct ast_node *out)
{
    PyObject *array = PyObject_CallMethod(record, "reshape", "i", 1);
    if (!array)
        return error_from_python(im->err);
    struct ast_node *value = resolve_part(im, array, origin, out->span);
    Py_DECREF(array);
    struct ast_node *index = new_node(im, out->span);
    index->constant.value.type = type_int64;
    out->kind = AST_SUBSCRIPT;
    out->subscript.value = value;
    out->subscript.index = index;
    return value != NULL;
}

bool py_resolve_constant(
        struct importer *im, PyObject *object, const char *origin, struct ast_node *out)
{
    if (PySlice_Check(object))
        return resolve_slice(im, object, origin, out);
    if (PyTuple_CheckExact(object) && has_slice(object))
        return resolve_tuple(im, object, origin, out);
    if (is_record(object))
        return resolve_record(im, object, origin, out);
    out->constant.origin = origin;
    return im->resolver->constant(
            im->resolver->context, object, im->source, &out->constant.value, im->err);
}

bool py_is_known(const struct type *type)
{
    return type == type_function || type == type_module || type == type_dispatcher ||
           type == type_exception || type->kind == TYPE_CLASS;
}
