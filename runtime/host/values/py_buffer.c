// SPDX-License-Identifier: MIT
// Objects that lend their memory (bytearray, memoryview, array.array) are arrays to
// compiled code.
#include "runtime/host/values/py_buffer.h"

#include "runtime/host/values/py_numpy.h"
#include "runtime/host/values/py_values.h"

PyObject *py_buffer_as_array(PyObject *object)
{
    if (!PyObject_CheckBuffer(object) || PyBytes_Check(object) || !py_numpy_load() ||
            PyArray_Check(object) || PyArray_CheckScalar(object)) {
        py_error_drop();
        return NULL;
    }
    PyObject *view = PyMemoryView_FromObject(object);
    PyObject *array = view ? PyArray_FromAny(view, NULL, 0, 0, 0, NULL) : NULL;
    py_error_drop();
    Py_XDECREF(view);
    if (array && py_typeof(array)->kind != TYPE_ARRAY)
        Py_CLEAR(array);
    return array;
}

bool py_buffers_as_arrays(PyObject *const *args, size_t count, PyObject **out)
{
    bool has_some = false;
    for (size_t i = 0; i < count; i++) {
        out[i] = py_typeof(args[i]) == type_pyobject ? py_buffer_as_array(args[i]) : NULL;
        has_some = has_some || out[i];
        if (!out[i])
            out[i] = Py_NewRef(args[i]);
    }
    return has_some;
}
