// SPDX-License-Identifier: MIT
// A device that has no memory left: what is let go to make room, and the error that says
// who has it.
#include "runtime/device/arrays/py_device_array.h"

// The variables that the last exception keeps are let go; whether there were any.
static bool release_frames(void)
{
    PyObject *function = py_import_attr("gridcell.cuda.holders", "release");
    PyObject *result = function ? PyObject_CallNoArgs(function) : NULL;
    bool is_released = result == Py_True;
    Py_XDECREF(result);
    Py_XDECREF(function);
    py_error_drop();
    return is_released;
}

// Has a function of ours add words to the error that is raised. Takes the arguments that
// follow the error.
static void annotate(const char *name, PyObject *arguments_stolen)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    PyObject *function = py_import_attr("gridcell.cuda.holders", name);
    PyObject *all = value && arguments_stolen ? Py_BuildValue("(O)", value) : NULL;
    if (all)
        Py_SETREF(all, PySequence_Concat(all, arguments_stolen));
    PyObject *result = function && all ? PyObject_CallObject(function, all) : NULL;
    Py_XDECREF(result);
    Py_XDECREF(all);
    Py_XDECREF(function);
    Py_XDECREF(arguments_stolen);
    py_error_drop();
    PyErr_Restore(type, value, traceback);
}

// Whether the error that is raised is the driver's for want of memory.
static bool is_out_of_memory(void)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    PyObject *code = value ? PyObject_GetAttrString(value, "code") : NULL;
    bool is_so = code && PyLong_Check(code) &&
                 PyLong_AsLong(code) == DEVICE_ERROR_OUT_OF_MEMORY;
    Py_XDECREF(code);
    py_error_drop();
    PyErr_Restore(type, value, traceback);
    return is_so;
}

// May wait for kernels: where a device is full, and beside streams of other libraries.
// Fails with err set, or with an exception where an interrupt has ended the wait.
static bool attempt(struct device *device, size_t size_bytes, device_address *address,
        struct error *err)
{
    struct py_device_wait wait;
    struct error ignored = {0};
    error_clear(err);
    if (!py_device_wait_begin(device, &wait))
        return false;
    bool done = device->operations->memory_alloc(device, size_bytes, address, err);
    if (py_device_wait_is_over(device, &wait))
        return done;
    if (done)
        device->operations->memory_free(device, *address, &ignored);
    error_clear(err);
    return false;
}

// Arrays that only wait for the garbage collector give their memory back first, then
// those that an exception keeps.
static bool allocate(struct device *device, size_t size_bytes, device_address *address,
        struct error *err)
{
    if (attempt(device, size_bytes, address, err))
        return true;
    if (err->code != DEVICE_ERROR_OUT_OF_MEMORY)
        return false;
    PyGC_Collect();
    if (attempt(device, size_bytes, address, err))
        return true;
    if (err->code != DEVICE_ERROR_OUT_OF_MEMORY || !release_frames())
        return false;
    PyGC_Collect();
    return attempt(device, size_bytes, address, err);
}

bool py_device_allocate(struct device *device, size_t size_bytes, device_address *address)
{
    struct error err = {0};
    if (allocate(device, size_bytes, address, &err))
        return true;
    if (PyErr_Occurred())
        return false;
    bool is_full = err.code == DEVICE_ERROR_OUT_OF_MEMORY;
    py_raise(&err);
    if (is_full)
        annotate("annotate", Py_BuildValue("(n)", (Py_ssize_t)size_bytes));
    return false;
}

void py_device_name_array(PyArray_Descr *dtype, int ndim, const int64_t *shape)
{
    PyObject *lengths = PyTuple_New(ndim);
    for (int i = 0; lengths && i < ndim; i++)
        PyTuple_SET_ITEM(lengths, i, PyLong_FromLongLong(shape[i]));
    if (lengths && is_out_of_memory())
        annotate("annotate_array", Py_BuildValue("(OO)", lengths, dtype));
    Py_XDECREF(lengths);
}

void py_device_name_host_size(size_t size_bytes)
{
    if (is_out_of_memory())
        annotate("annotate_host", Py_BuildValue("(n)", (Py_ssize_t)size_bytes));
}
