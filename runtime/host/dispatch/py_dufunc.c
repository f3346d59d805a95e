// SPDX-License-Identifier: MIT
// The call of a ufunc that is compiled for the types it meets: types that it has met last
// go straight to the NumPy ufunc behind it; numba/np/ufunc/dufunc.py does the rest.
#include "base/py.h"

#include <stddef.h>
#include <string.h>
#include <structmember.h>

#include "runtime/host/dispatch/py_dispatch.h"
#include "runtime/host/dispatch/py_ufunc.h"
#include "runtime/host/values/py_numpy.h"

enum { MAX_INPUTS = 32 };

struct dufunc {
    PyObject ob_base;
    vectorcallfunc vectorcall;
    PyObject *dict, *weakrefs;
    PyObject *dispatcher, *ufunc; // `ufunc` is replaced whenever a loop is added
    Py_ssize_t input_count;
    bool has_last;
    const struct type *last[MAX_INPUTS]; // element types that `ufunc` is known to take
};

// Calls the method _ensure(types), which compiles a loop for the types where none takes
// them.
static bool ensure(struct dufunc *self, const struct type *const *types)
{
    PyObject *tuple = py_type_tuple(types, (size_t)self->input_count);
    PyObject *result =
            tuple ? PyObject_CallMethod((PyObject *)self, "_ensure", "(O)", tuple) : NULL;
    Py_XDECREF(tuple);
    Py_XDECREF(result);
    if (result) {
        memcpy(self->last, types, (size_t)self->input_count * sizeof *types);
        self->has_last = true;
    }
    return result != NULL;
}

// An object that takes ufunc calls over itself (an array of a device, or of Dask's) is
// not looked into: its elements may be far away.
static bool overrides(PyObject *value)
{
    PyTypeObject *class = Py_TYPE(value);
    if (PyFloat_CheckExact(value) || PyLong_CheckExact(value) || !py_numpy_load() ||
            PyArray_CheckExact(value))
        return false;
    return py_has_attr((PyObject *)class, "__array_ufunc__") &&
           !py_has_attr(value, "__array_interface__");
}

// What a call is to be made of.
enum callee { CALLEE_NONE, CALLEE_UFUNC, CALLEE_ARGUMENT };

static enum callee prepare(struct dufunc *self, PyObject *const *args)
{
    const struct type *types[MAX_INPUTS] = {NULL};
    for (Py_ssize_t i = 0; i < self->input_count; i++)
        if (overrides(args[i]))
            return CALLEE_ARGUMENT;
    for (Py_ssize_t i = 0; i < self->input_count; i++)
        types[i] = py_element_type(args[i]);
    size_t bytes = (size_t)self->input_count * sizeof *types;
    if (self->has_last && !memcmp(types, self->last, bytes))
        return CALLEE_UFUNC;
    return ensure(self, types) ? CALLEE_UFUNC : CALLEE_NONE;
}

// Has an argument do what it does for ufuncs, with this one, which compiles further loops
// where it is called later, and not with the NumPy ufunc behind it, which has none yet.
static PyObject *give_over(
        PyObject *self, PyObject *const *args, size_t flagged_count, PyObject *keywords)
{
    PyObject *method = PyObject_GetAttrString(self, "_give_over");
    PyObject *result =
            method ? PyObject_Vectorcall(method, args, flagged_count, keywords) : NULL;
    Py_XDECREF(method);
    return result;
}

static PyObject *dufunc_vectorcall(
        PyObject *object, PyObject *const *args, size_t flagged_count, PyObject *keywords)
{
    struct dufunc *self = (struct dufunc *)object;
    bool is_full = PyVectorcall_NARGS(flagged_count) >= self->input_count;
    enum callee callee = is_full ? prepare(self, args) : CALLEE_UFUNC;
    if (callee == CALLEE_NONE)
        return NULL;
    if (callee == CALLEE_ARGUMENT)
        return give_over(object, args, flagged_count, keywords);
    return PyObject_Vectorcall(self->ufunc, args, flagged_count, keywords);
}

// DUFunc(dispatcher, ufunc without loops)
static PyObject *dufunc_new(PyTypeObject *class, PyObject *args, PyObject *kwargs)
{
    PyObject *dispatcher, *ufunc;
    if (!PyArg_ParseTuple(args, "OO", &dispatcher, &ufunc))
        return NULL;
    PyObject *nin = PyObject_GetAttrString(ufunc, "nin");
    Py_ssize_t count = nin ? PyLong_AsSsize_t(nin) : -1;
    Py_XDECREF(nin);
    if (count < 0)
        return NULL;
    if (count > MAX_INPUTS)
        return PyErr_Format(PyExc_ValueError, "too many arguments for a ufunc");
    struct dufunc *self = (struct dufunc *)class->tp_alloc(class, 0);
    if (!self)
        return NULL;
    self->vectorcall = dufunc_vectorcall;
    self->dispatcher = Py_NewRef(dispatcher);
    self->ufunc = Py_NewRef(ufunc);
    self->input_count = count;
    return (PyObject *)self;
}

static int dufunc_traverse(PyObject *object, visitproc visit, void *arg)
{
    struct dufunc *self = (struct dufunc *)object;
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->dict);
    Py_VISIT(self->dispatcher);
    Py_VISIT(self->ufunc);
    return 0;
}

static int dufunc_clear(PyObject *object)
{
    struct dufunc *self = (struct dufunc *)object;
    Py_CLEAR(self->dict);
    Py_CLEAR(self->dispatcher);
    Py_CLEAR(self->ufunc);
    return 0;
}

static PyMemberDef dufunc_members[] = {
        PY_VECTORCALL(struct dufunc),
        PY_DICT(struct dufunc),
        PY_WEAKREFS(struct dufunc),
        {"ufunc", T_OBJECT_EX, offsetof(struct dufunc, ufunc), 0,
                "the NumPy ufunc of now"},
        PY_OBJECT("_dispatcher", struct dufunc, dispatcher),
        PY_OBJECT("__gridcell_scalar__", struct dufunc, dispatcher),
        {0},
};

static PyType_Slot dufunc_slots[] = {
        {Py_tp_doc, "A ufunc that compiles a loop whenever none takes its arguments."},
        {Py_tp_new, dufunc_new},
        {Py_tp_dealloc, py_dealloc_clear},
        {Py_tp_traverse, dufunc_traverse},
        {Py_tp_clear, dufunc_clear},
        {Py_tp_call, PyVectorcall_Call},
        {Py_tp_members, dufunc_members},
        {0, NULL},
};

bool py_dufunc_init(struct runtime *runtime)
{
    PyTypeObject *class =
            py_add_type("numba.np.ufunc.dufunc.DUFunc", sizeof(struct dufunc),
                    Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL, dufunc_slots);
    Py_XDECREF(class); // the module keeps it
    return class != NULL;
}
