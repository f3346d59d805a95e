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
    self->receiver = Py_NewRef(Py_None);
    self->python = Py_NewRef(Py_None);
    return self;
}

PyObject *py_signature_new(
        const struct type *returns, const struct type *const *params, size_t count)
{
    return (PyObject *)signature_alloc(returns, py_type_tuple(params, count));
}

// Signature(return_type, args, recvr=None, pysig=None): args is a tuple of types.
static PyObject *signature_new(PyTypeObject *class, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"return_type", "args", "recvr", "pysig", NULL};
    PyObject *returns_object, *params_object, *receiver = Py_None, *python = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|OO", names, &returns_object,
                &params_object, &receiver, &python))
        return NULL;
    const struct type *returns = NULL;
    if (returns_object != Py_None && !(returns = py_type_from(returns_object)))
        return NULL;
    const struct type **params = NULL;
    size_t count = 0;
    if (!py_types_from_sequence(params_object, &params, &count))
        return NULL;
    returns = returns ? py_argument_type(returns) : NULL;
    struct py_signature *self = signature_alloc(returns, py_type_tuple(params, count));
    PyMem_Free(params);
    if (self) {
        Py_SETREF(self->receiver, Py_NewRef(receiver));
        Py_SETREF(self->python, Py_NewRef(python));
    }
    return (PyObject *)self;
}

static void signature_dealloc(PyObject *object)
{
    struct py_signature *self = (struct py_signature *)object;
    Py_XDECREF(self->args);
    Py_XDECREF(self->receiver);
    Py_XDECREF(self->python);
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
    PyObject *const pairs[][2] = {{left->args, right->args},
            {left->receiver, right->receiver}, {left->python, right->python}};
    int equal = left->returns == right->returns;
    for (int i = 0; i < 3 && equal > 0; i++)
        equal = PyObject_RichCompareBool(pairs[i][0], pairs[i][1], Py_EQ);
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

static PyObject *get_receiver(PyObject *object, void *closure)
{
    return Py_NewRef(((struct py_signature *)object)->receiver);
}

static PyObject *get_python(PyObject *object, void *closure)
{
    return Py_NewRef(((struct py_signature *)object)->python);
}

static PyObject *get_is_method(PyObject *object, void *closure)
{
    return PyBool_FromLong(((struct py_signature *)object)->receiver != Py_None);
}

static PyObject *signature_reduce(PyObject *object, PyObject *none)
{
    PyObject *returns = get_return_type(object, NULL);
    if (!returns)
        return NULL;
    struct py_signature *self = (struct py_signature *)object;
    return Py_BuildValue("(O(NOOO))", (PyObject *)Py_TYPE(object), returns, self->args,
            self->receiver, self->python);
}

// replace(return_type=, args=, recvr=, pysig=): a copy, with these.
static PyObject *signature_replace(PyObject *object, PyObject *args, PyObject *kwargs)
{
    struct py_signature *self = (struct py_signature *)object;
    if (PyTuple_GET_SIZE(args))
        return PyErr_Format(PyExc_TypeError, "replace() takes keyword arguments alone");
    PyObject *returns = get_return_type(object, NULL);
    PyObject *all =
            returns ? Py_BuildValue("{sNsOsOsO}", "return_type", returns, "args",
                              self->args, "recvr", self->receiver, "pysig", self->python)
                    : NULL;
    PyObject *empty = all ? PyTuple_New(0) : NULL;
    PyObject *made = NULL;
    if (empty && (!kwargs || PyDict_Update(all, kwargs) == 0))
        made = PyObject_Call((PyObject *)Py_TYPE(object), empty, all);
    Py_XDECREF(empty);
    Py_XDECREF(all);
    return made;
}

// Of the Python function's signature, without its first parameter.
static PyObject *without_first(PyObject *python)
{
    if (python == Py_None)
        return Py_NewRef(python);
    PyObject *params = PyObject_GetAttrString(python, "parameters");
    PyObject *values = params ? PyMapping_Values(params) : NULL;
    PyObject *rest = values ? PyList_GetSlice(values, 1, PyList_GET_SIZE(values)) : NULL;
    PyObject *kwargs = rest ? Py_BuildValue("{sO}", "parameters", rest) : NULL;
    PyObject *replace = kwargs ? PyObject_GetAttrString(python, "replace") : NULL;
    PyObject *empty = replace ? PyTuple_New(0) : NULL;
    PyObject *made = empty ? PyObject_Call(replace, empty, kwargs) : NULL;
    Py_XDECREF(empty);
    Py_XDECREF(replace);
    Py_XDECREF(kwargs);
    Py_XDECREF(rest);
    Py_XDECREF(values);
    Py_XDECREF(params);
    return made;
}

static PyObject *signature_as_method(PyObject *object, PyObject *none)
{
    struct py_signature *self = (struct py_signature *)object;
    Py_ssize_t count = PyTuple_GET_SIZE(self->args);
    if (self->receiver != Py_None)
        return Py_NewRef(object);
    if (!count)
        return PyErr_Format(PyExc_ValueError,
                "%R takes no argument that a method could be of", object);
    PyObject *args = PyTuple_GetSlice(self->args, 1, count);
    struct py_signature *made = signature_alloc(self->returns, args);
    PyObject *python = made ? without_first(self->python) : NULL;
    if (!python) {
        Py_XDECREF(made);
        return NULL;
    }
    Py_SETREF(made->receiver, Py_NewRef(PyTuple_GET_ITEM(self->args, 0)));
    Py_SETREF(made->python, python);
    return (PyObject *)made;
}

static PyObject *signature_as_function(PyObject *object, PyObject *none)
{
    struct py_signature *self = (struct py_signature *)object;
    if (self->receiver == Py_None)
        return Py_NewRef(object);
    PyObject *first = PyTuple_Pack(1, self->receiver);
    PyObject *args = first ? PySequence_Concat(first, self->args) : NULL;
    Py_XDECREF(first);
    return (PyObject *)signature_alloc(self->returns, args);
}

static PyObject *signature_is_precise(PyObject *object, PyObject *none)
{
    struct py_signature *self = (struct py_signature *)object;
    bool is_precise = self->returns && self->returns->kind != TYPE_PYOBJECT;
    for (Py_ssize_t i = 0; is_precise && i < PyTuple_GET_SIZE(self->args); i++) {
        const struct type *type = py_type_from(PyTuple_GET_ITEM(self->args, i));
        if (!type)
            return NULL;
        is_precise = type->kind != TYPE_PYOBJECT;
    }
    return PyBool_FromLong(is_precise);
}

static PyGetSetDef signature_getset[] = {
        PY_GETTER("return_type", get_return_type),
        PY_GETTER("args", get_args),
        PY_GETTER("recvr", get_receiver),
        PY_GETTER("pysig", get_python),
        PY_GETTER("is_method", get_is_method),
        {0},
};

static PyMethodDef signature_methods[] = {
        {"__reduce__", signature_reduce, METH_NOARGS, NULL},
        {"replace", (PyCFunction)(void (*)(void))signature_replace,
                METH_VARARGS | METH_KEYWORDS,
                "A copy with another return_type, args, recvr or pysig."},
        {"as_method", signature_as_method, METH_NOARGS,
                "That of a method, whose receiver the first argument is."},
        {"as_function", signature_as_function, METH_NOARGS,
                "That of a function, whose first argument a method's receiver is."},
        {"is_precise", signature_is_precise, METH_NOARGS,
                "Whether all types are fully known."},
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
