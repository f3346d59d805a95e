// SPDX-License-Identifier: MIT
// Objects that lend their memory (bytearray, memoryview, array.array) are arrays to
// compiled code.
#include "runtime/host/values/py_buffer.h"

#include <string.h>

#include "runtime/host/values/py_numpy.h"
#include "runtime/host/values/py_values.h"

bool py_is_python_array(PyObject *value)
{
    return !strcmp(Py_TYPE(value)->tp_name, "array.array");
}

bool py_lends_memory(PyObject *value)
{
    return PyByteArray_CheckExact(value) || PyMemoryView_Check(value) ||
           py_is_python_array(value);
}

// NumPy's number of what a format of one letter stands for, -1 for any other: it asks
// Python code, which takes ten times as long as all the rest.
static int number_of_format(const char *format, Py_ssize_t item_bytes)
{
    static const struct {
        char letter;
        int number;
        size_t bytes;
    } known[] = {{'B', NPY_UBYTE, 1}, {'b', NPY_BYTE, 1}, {'?', NPY_BOOL, 1},
            {'h', NPY_SHORT, sizeof(short)}, {'H', NPY_USHORT, sizeof(short)},
            {'i', NPY_INT, sizeof(int)}, {'I', NPY_UINT, sizeof(int)},
            {'l', NPY_LONG, sizeof(long)}, {'L', NPY_ULONG, sizeof(long)},
            {'q', NPY_LONGLONG, 8}, {'Q', NPY_ULONGLONG, 8}, {'f', NPY_FLOAT, 4},
            {'d', NPY_DOUBLE, 8}};
    if (format && format[0] && format[1])
        return -1;
    char letter = format && format[0] ? format[0] : 'B';
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].letter == letter && (size_t)item_bytes == known[i].bytes)
            return known[i].number;
    return -1;
}

// The array of a view's memory, which keeps the view.
static PyObject *array_of(PyObject *view)
{
    const Py_buffer *buffer = PyMemoryView_GET_BUFFER(view);
    int number = buffer->suboffsets || !buffer->shape || !buffer->strides
                         ? -1
                         : number_of_format(buffer->format, buffer->itemsize);
    if (number < 0)
        return PyArray_FromAny(view, NULL, 0, 0, 0, NULL);
    PyObject *array = PyArray_New(&PyArray_Type, buffer->ndim, buffer->shape, number,
            buffer->strides, buffer->buf, 0, buffer->readonly ? 0 : NPY_ARRAY_WRITEABLE,
            NULL);
    if (array && PyArray_SetBaseObject((PyArrayObject *)array, Py_NewRef(view)) < 0)
        Py_CLEAR(array);
    return array;
}

PyObject *py_buffer_as_array(PyObject *object)
{
    if (!PyObject_CheckBuffer(object) || PyBytes_Check(object) || !py_numpy_load() ||
            PyArray_Check(object) || PyArray_CheckScalar(object)) {
        py_error_drop();
        return NULL;
    }
    PyObject *view = PyMemoryView_FromObject(object);
    PyObject *array = view ? array_of(view) : NULL;
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
