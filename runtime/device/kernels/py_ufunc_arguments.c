// SPDX-License-Identifier: MIT
// The arguments of a CUDA ufunc in the frequent case, where all arrays lie flat in memory
// and have one shape: told apart in one pass, without Python.
#include "runtime/device/kernels/py_kernel.h"

#include <string.h>

enum { MAX_ARGUMENTS = 64 };

struct flat_call {
    PyObject *dtypes, *values;       // tuples
    char layouts[MAX_ARGUMENTS + 1]; // 's': scalar, 'C': array
    int ndim;                        // of the arrays; -1 before the first
    int64_t shape[LAYOUT_MAX_NDIM];
    bool has_device, has_host;
};

// Whether the array has the shape of those before it.
static bool join_shape(struct flat_call *call, int ndim, const int64_t *shape)
{
    if (call->ndim < 0) {
        call->ndim = ndim;
        memcpy(call->shape, shape, (size_t)ndim * sizeof *shape);
        return ndim > 0;
    }
    return ndim == call->ndim &&
           !memcmp(call->shape, shape, (size_t)ndim * sizeof *shape);
}

static PyObject *flat_device_array(struct flat_call *call, struct py_device_array *array)
{
    call->has_device = true;
    if (!array->is_c || !join_shape(call, array->ndim, array_shape(array)))
        return NULL;
    if (array->ndim == 1)
        return Py_NewRef((PyObject *)array);
    return (PyObject *)py_device_array_view(
            array->memory, array->data, array->dtype, 1, &array->size, NULL, 'C');
}

static PyObject *flat_host_array(struct flat_call *call, PyArrayObject *array)
{
    call->has_host = true;
    if (!PyArray_IS_C_CONTIGUOUS(array) || !PyArray_ISBEHAVED_RO(array) ||
            !join_shape(call, PyArray_NDIM(array), (const int64_t *)PyArray_DIMS(array)))
        return NULL;
    return PyArray_NDIM(array) == 1 ? Py_NewRef((PyObject *)array)
                                    : PyArray_Ravel(array, NPY_CORDER);
}

// Adds one argument; false when it is not of the frequent kind, or with an exception.
static bool add_argument(struct flat_call *call, Py_ssize_t index, PyObject *object)
{
    PyObject *value = NULL;
    PyArray_Descr *dtype = NULL;
    call->layouts[index] = 'C';
    if (py_device_array_check(object)) {
        value = flat_device_array(call, (struct py_device_array *)object);
        dtype = (PyArray_Descr *)Py_NewRef(
                (PyObject *)((struct py_device_array *)object)->dtype);
    } else if (PyArray_Check(object) &&
               (PyArray_CheckExact(object) || !py_has_cuda_interface(object))) {
        value = flat_host_array(call, (PyArrayObject *)object);
        dtype = (PyArray_Descr *)Py_NewRef(
                (PyObject *)PyArray_DESCR((PyArrayObject *)object));
    } else if (PyArray_IsScalar(object, Generic) || PyFloat_CheckExact(object)) {
        call->layouts[index] = 's';
        value = Py_NewRef(object);
        dtype = PyFloat_CheckExact(object) ? PyArray_DescrFromType(NPY_DOUBLE)
                                           : PyArray_DescrFromScalar(object);
    }
    if (!value || !dtype) {
        Py_XDECREF(value);
        Py_XDECREF(dtype);
        return false;
    }
    PyTuple_SET_ITEM(call->dtypes, index, (PyObject *)dtype);
    PyTuple_SET_ITEM(call->values, index, value);
    return true;
}

static PyObject *shape_tuple(const struct flat_call *call)
{
    return py_dims_tuple(call->shape, call->ndim);
}

// flatten(args): (dtypes, layouts, one-dimensional arguments, shape, has device arrays,
// has host arrays), or None where the slower way has to be taken.
static PyObject *flatten(PyObject *module, PyObject *args)
{
    Py_ssize_t count = PyTuple_Check(args) ? PyTuple_GET_SIZE(args) : 0;
    if (count < 1 || count > MAX_ARGUMENTS)
        Py_RETURN_NONE;
    struct flat_call call = {
            .dtypes = PyTuple_New(count), .values = PyTuple_New(count), .ndim = -1};
    PyObject *result = NULL;
    bool done = call.dtypes && call.values;
    for (Py_ssize_t i = 0; done && i < count; i++)
        done = add_argument(&call, i, PyTuple_GET_ITEM(args, i));
    if (done && call.ndim > 0)
        result = Py_BuildValue("OsONOO", call.dtypes, call.layouts, call.values,
                shape_tuple(&call), call.has_device ? Py_True : Py_False,
                call.has_host ? Py_True : Py_False);
    else if (!PyErr_Occurred())
        result = Py_NewRef(Py_None);
    Py_XDECREF(call.dtypes);
    Py_XDECREF(call.values);
    return result;
}

PyMethodDef py_ufunc_arguments_functions[] = {
        {"cuda_flatten", flatten, METH_O, "The arguments of a ufunc, if they lie flat."},
        {0},
};
