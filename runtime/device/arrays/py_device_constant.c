// SPDX-License-Identifier: MIT
// Arrays on devices that kernels refer to by name: what host/dispatch, which resolves
// names, asks about them.
#include "runtime/device/arrays/py_device_array.h"

static PyObject *view_constant(PyObject *object, struct device_view *view)
{
    struct py_device_array *array = py_device_array_from_object(object);
    const struct type *type = array ? py_device_array_type(array) : NULL;
    if (!type) {
        Py_XDECREF(array);
        return NULL;
    }
    *view = (struct device_view){.type = type,
            .ndim = array->ndim,
            .shape = array_shape(array),
            .strides = array_strides(array),
            .address = array->data};
    return (PyObject *)array;
}

const struct device_array_hooks device_array_constants = {
        .is_one = py_has_cuda_interface,
        .view = view_constant,
};
