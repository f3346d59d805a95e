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
    PyErr_Clear();
    return is_released;
}

// The error that is raised says who has the device's memory.
static void name_holders(size_t size_bytes)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    PyObject *function = py_import_attr("gridcell.cuda.holders", "annotate");
    PyObject *result = function ? PyObject_CallFunction(
                                          function, "On", value, (Py_ssize_t)size_bytes)
                                : NULL;
    Py_XDECREF(result);
    Py_XDECREF(function);
    PyErr_Clear();
    PyErr_Restore(type, value, traceback);
}

// Arrays that only wait for the garbage collector give their memory back first, then
// those that an exception keeps.
static bool allocate(struct device *device, size_t size_bytes, device_address *address,
        struct error *err)
{
    bool (*alloc)(struct device *, size_t, device_address *, struct error *) =
            device->operations->memory_alloc;
    if (alloc(device, size_bytes, address, err))
        return true;
    if (err->code != DEVICE_ERROR_OUT_OF_MEMORY)
        return false;
    PyGC_Collect();
    error_clear(err);
    if (alloc(device, size_bytes, address, err))
        return true;
    if (err->code != DEVICE_ERROR_OUT_OF_MEMORY || !release_frames())
        return false;
    PyGC_Collect();
    error_clear(err);
    return alloc(device, size_bytes, address, err);
}

bool py_device_allocate(struct device *device, size_t size_bytes, device_address *address)
{
    struct error err = {0};
    if (allocate(device, size_bytes, address, &err))
        return true;
    bool is_full = err.code == DEVICE_ERROR_OUT_OF_MEMORY;
    py_raise(&err);
    if (is_full)
        name_holders(size_bytes);
    return false;
}
