// SPDX-License-Identifier: MIT
// What a DeviceNDArray says of itself.
#include "runtime/device/arrays/py_device_array.h"

static struct py_device_array *of(PyObject *object)
{
    return (struct py_device_array *)object;
}

PyObject *py_dims_tuple(const int64_t *dims, int ndim)
{
    PyObject *tuple = PyTuple_New(ndim);
    for (int i = 0; tuple && i < ndim; i++) {
        PyObject *item = PyLong_FromLongLong(dims[i]);
        py_tuple_put(&tuple, i, item);
    }
    return tuple;
}

static PyObject *get_shape(PyObject *self, void *unused)
{
    return py_dims_tuple(array_shape(of(self)), of(self)->ndim);
}

static PyObject *get_strides(PyObject *self, void *unused)
{
    return py_dims_tuple(array_strides(of(self)), of(self)->ndim);
}

static PyObject *get_dtype(PyObject *self, void *unused)
{
    return Py_NewRef((PyObject *)of(self)->dtype);
}

static PyObject *get_ndim(PyObject *self, void *unused)
{
    return PyLong_FromLong(of(self)->ndim);
}

static PyObject *get_size(PyObject *self, void *unused)
{
    return PyLong_FromLongLong(of(self)->size);
}

static PyObject *get_itemsize(PyObject *self, void *unused)
{
    return PyLong_FromLongLong(PyDataType_ELSIZE(of(self)->dtype));
}

static PyObject *get_nbytes(PyObject *self, void *unused)
{
    return PyLong_FromLongLong(of(self)->size * PyDataType_ELSIZE(of(self)->dtype));
}

static PyObject *get_alloc_size(PyObject *self, void *unused)
{
    int64_t low, high;
    layout_extent(array_shape(of(self)), array_strides(of(self)), of(self)->ndim,
            PyDataType_ELSIZE(of(self)->dtype), &low, &high);
    return PyLong_FromLongLong(high - low);
}

static PyObject *get_gpu_data(PyObject *self, void *unused)
{
    return of(self)->memory ? Py_NewRef((PyObject *)of(self)->memory)
                            : Py_NewRef(Py_None);
}

static PyObject *get_stream(PyObject *self, void *unused)
{
    return of(self)->stream ? Py_NewRef(of(self)->stream) : PyLong_FromLong(0);
}

static PyObject *get_pointer(PyObject *self, void *unused)
{
    if (!py_device_memory_check(of(self)->memory))
        return NULL;
    if (of(self)->memory)
        of(self)->memory->is_seen = true;
    return PyLong_FromUnsignedLongLong(of(self)->size ? array_address(of(self)) : 0);
}

// The address as ctypes passes it.
static PyObject *get_ctypes_pointer(PyObject *self, void *unused)
{
    PyObject *address = get_pointer(self, unused);
    PyObject *class =
            address ? py_import_attr("gridcell.cuda.cudadrv.addresses", "Pointer") : NULL;
    PyObject *pointer = class ? PyObject_CallOneArg(class, address) : NULL;
    Py_XDECREF(class);
    Py_XDECREF(address);
    return pointer;
}

static PyObject *get_flags(PyObject *self, void *unused)
{
    return Py_BuildValue("{sOsO}", "C_CONTIGUOUS", of(self)->is_c ? Py_True : Py_False,
            "F_CONTIGUOUS", of(self)->is_f ? Py_True : Py_False);
}

static PyObject *get_type(PyObject *self, void *unused)
{
    const struct type *type = py_device_array_type(of(self));
    return type ? py_type_wrap(type) : NULL;
}

static bool is_readonly(const struct py_device_array *array)
{
    return array->memory && array->memory->is_readonly;
}

static PyObject *get_is_readonly(PyObject *self, void *unused)
{
    return PyBool_FromLong(is_readonly(of(self)));
}

static PyObject *get_interface(PyObject *object, void *unused)
{
    struct py_device_array *self = of(object);
    if (!py_device_memory_check(self->memory))
        return NULL;
    if (self->memory)
        self->memory->is_seen = true;
    PyObject *shape = get_shape(object, unused);
    PyObject *strides = self->is_c ? Py_NewRef(Py_None) : get_strides(object, unused);
    PyObject *typestr = PyObject_GetAttrString((PyObject *)self->dtype, "str");
    PyObject *stream = self->stream ? PyNumber_Long(self->stream) : Py_NewRef(Py_None);
    PyObject *result = NULL;
    if (shape && strides && typestr && stream)
        result = Py_BuildValue("{sOsOs(KO)sOsOsi}", "shape", shape, "strides", strides,
                "data", (unsigned long long)(self->size ? array_address(self) : 0),
                is_readonly(self) ? Py_True : Py_False, "typestr", typestr, "stream",
                stream, "version", 3);
    Py_XDECREF(stream);
    Py_XDECREF(typestr);
    Py_XDECREF(strides);
    Py_XDECREF(shape);
    return result;
}

bool py_device_array_axes(
        struct py_device_array *array, PyObject *axes, bool *is_identity)
{
    uint64_t seen = 0;
    Py_ssize_t len = PySequence_Size(axes);
    bool is_valid = len == array->ndim;
    *is_identity = true;
    for (Py_ssize_t i = 0; i < len; i++) {
        PyObject *item = PySequence_GetItem(axes, i);
        Py_ssize_t axis = item ? PyNumber_AsSsize_t(item, PyExc_ValueError) : -1;
        Py_XDECREF(item);
        if (axis < 0 && !PyErr_Occurred())
            axis += array->ndim;
        is_valid = is_valid && axis >= 0 && axis < array->ndim && !(seen >> axis & 1);
        seen |= is_valid ? 1ULL << axis : 0;
        *is_identity &= axis == i;
    }
    if (!is_valid && !PyErr_Occurred())
        PyErr_Format(PyExc_ValueError, "invalid axes list %S", axes);
    return is_valid && !PyErr_Occurred();
}

static PyObject *get_transposed(PyObject *object, void *unused)
{
    return py_device_array_transposed(of(object));
}

PyGetSetDef py_device_array_getset[] = {
        PY_GETTER("shape", get_shape),
        PY_GETTER("strides", get_strides),
        PY_GETTER("dtype", get_dtype),
        PY_GETTER("ndim", get_ndim),
        PY_GETTER("size", get_size),
        PY_GETTER("itemsize", get_itemsize),
        PY_GETTER("nbytes", get_nbytes),
        PY_GETTER("alloc_size", get_alloc_size),
        PY_GETTER("gpu_data", get_gpu_data),
        PY_GETTER("stream", get_stream),
        PY_GETTER("flags", get_flags),
        PY_GETTER("is_readonly", get_is_readonly),
        PY_GETTER("T", get_transposed),
        PY_GETTER("device_pointer_value", get_pointer),
        PY_GETTER("device_ctypes_pointer", get_ctypes_pointer),
        PY_GETTER("__cuda_array_interface__", get_interface),
        PY_GETTER("_numba_type_", get_type),
        {0},
};
