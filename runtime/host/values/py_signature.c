// SPDX-License-Identifier: MIT
// Signature objects: `(int32, int64) -> float64`.
#include "base/py.h"

#include "runtime/host/values/py_values.h"

static struct py_signature *signature_alloc(
        const struct type *returns, PyObject *args_stolen)
{
    PyTypeObject *class = py_runtime()->signature_type;
    struct py_signature *self =
            args_stolen ? (struct py_signature *)class->tp_alloc(class, 0) : NULL;
    if (!self) {
        Py_XDECREF(args_stolen);
        return NULL;
    }
    self->returns = returns;
    self->args = args_stolen;
    return self;
}

PyObject *py_signature_new(
        const struct type *returns, const struct type *const *params, size_t count)
{
    return (PyObject *)signature_alloc(returns, py_type_tuple(params, count));
}

// Signature(return_type, args): args is a tuple of types.
static PyObject *signature_new(PyTypeObject *class, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"return_type", "args", "recvr", NULL};
    PyObject *returns_object, *params_object, *receiver = NULL;
    if (!PyArg_ParseTupleAndKeywords(
                args, kwargs, "OO|O", names, &returns_object, &params_object, &receiver))
        return NULL;
    const struct type *returns = NULL;
    if (returns_object != Py_None && !(returns = py_type_from(returns_object)))
        return NULL;
    const struct type **params = NULL;
    size_t count = 0;
    if (!py_types_from_sequence(params_object, &params, &count))
        return NULL;
    returns = returns ? py_argument_type(returns) : NULL;
    PyObject *self = py_signature_new(returns, params, count);
    PyMem_Free(params);
    return self;
}

static void signature_dealloc(PyObject *object)
{
    Py_XDECREF(((struct py_signature *)object)->args);
    py_dealloc_end(object);
}

static PyObject *signature_repr(PyObject *object)
{
    struct py_signature *self = (struct py_signature *)object;
    PyObject *args = PyUnicode_FromString("(");
    for (Py_ssize_t i = 0; args && i < PyTuple_GET_SIZE(self->args); i++) {
        PyObject *longer = PyUnicode_FromFormat(
                "%U%s%S", args, i ? ", " : "", PyTuple_GET_ITEM(self->args, i));
        Py_SETREF(args, longer);
    }
    PyObject *text = args ? PyUnicode_FromFormat("%U%s) -> %s", args,
                                    PyTuple_GET_SIZE(self->args) == 1 ? "," : "",
                                    self->returns ? self->returns->name : "None")
                          : NULL;
    Py_XDECREF(args);
    return text;
}

static Py_hash_t signature_hash(PyObject *object)
{
    struct py_signature *self = (struct py_signature *)object;
    Py_hash_t hash = PyObject_Hash(self->args);
    if (hash == -1)
        return -1;
    hash ^= self->returns ? (Py_hash_t)self->returns->id : 0;
    return hash == -1 ? -2 : hash;
}

static PyObject *signature_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!PyObject_TypeCheck(b, py_runtime()->signature_type) ||
            (op != Py_EQ && op != Py_NE))
        Py_RETURN_NOTIMPLEMENTED;
    struct py_signature *left = (struct py_signature *)a,
                        *right = (struct py_signature *)b;
    int equal = left->returns == right->returns
                        ? PyObject_RichCompareBool(left->args, right->args, Py_EQ)
                        : 0;
    if (equal < 0)
        return NULL;
    return PyBool_FromLong(equal == (op == Py_EQ));
}

static PyObject *get_return_type(PyObject *object, void *closure)
{
    const struct type *returns = ((struct py_signature *)object)->returns;
    if (!returns)
        Py_RETURN_NONE;
    return py_type_wrap(returns);
}

static PyObject *get_args(PyObject *object, void *closure)
{
    return Py_NewRef(((struct py_signature *)object)->args);
}

static PyObject *get_none(PyObject *object, void *closure)
{
    Py_RETURN_NONE;
}

static PyObject *signature_reduce(PyObject *object, PyObject *none)
{
    PyObject *returns = get_return_type(object, NULL);
    if (!returns)
        return NULL;
    return Py_BuildValue("(O(NO))", (PyObject *)Py_TYPE(object), returns,
            ((struct py_signature *)object)->args);
}

static PyGetSetDef signature_getset[] = {
        PY_GETTER("return_type", get_return_type),
        PY_GETTER("args", get_args),
        PY_GETTER("recvr", get_none),
        PY_GETTER("pysig", get_none),
        {0},
};

static PyMethodDef signature_methods[] = {
        {"__reduce__", signature_reduce, METH_NOARGS, NULL},
        {NULL, NULL, 0, NULL},
};

static PyType_Slot signature_slots[] = {
        {Py_tp_doc, "Argument types and return type of a compiled function."},
        {Py_tp_new, signature_new},
        {Py_tp_dealloc, signature_dealloc},
        {Py_tp_repr, signature_repr},
        {Py_tp_hash, signature_hash},
        {Py_tp_richcompare, signature_richcompare},
        {Py_tp_getset, signature_getset},
        {Py_tp_methods, signature_methods},
        {0, NULL},
};

bool py_signature_init(struct runtime *runtime)
{
    runtime->signature_type = py_add_type("numba.core.typing.templates.Signature",
            sizeof(struct py_signature), 0, signature_slots);
    return runtime->signature_type != NULL;
}
