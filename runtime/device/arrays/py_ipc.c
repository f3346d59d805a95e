// SPDX-License-Identifier: MIT
// Device memory between processes.
#include "runtime/device/arrays/py_device_array.h"

#include <string.h>

static bool find_start(struct py_device_memory *memory, device_address *start)
{
    struct device *device = memory->device;
    struct error err = {0};
    size_t size = 0;
    *start = memory->address + memory->shift;
    if (!memory->is_foreign ||
            device->operations->memory_range(device, *start, start, &size, &err))
        return true;
    py_raise(&err);
    return false;
}

// export(memory or array): (handle, offset of its first byte in what the handle opens)
static PyObject *export_memory(PyObject *module, PyObject *object)
{
    struct py_device_array *array =
            py_device_array_check(object) ? (struct py_device_array *)object : NULL;
    struct py_device_memory *memory =
            array ? array->memory : (struct py_device_memory *)object;
    if (!array && !PyObject_TypeCheck(object, py_device_types()->memory)) {
        PyErr_Format(PyExc_TypeError, "device memory is needed, not %R", object);
        return NULL;
    }
    unsigned char handle[IPC_HANDLE_BYTES] = {0};
    device_address start = 0;
    struct error err = {0};
    bool done;
    if (!memory || !memory->size_bytes) {
        PyErr_SetString(
                PyExc_ValueError, "there is no memory to share in an empty array");
        return NULL;
    }
    if (memory->is_imported) {
        PyErr_SetString(PyExc_ValueError,
                "memory of another process can only be shared by that process");
        return NULL;
    }
    if (!py_device_memory_check(memory) || !py_device_memory_share(memory) ||
            !find_start(memory, &start))
        return NULL;
    DEVICE_CALL(done, &err,
            memory->device->operations->ipc_export(memory->device, start, handle, &err));
    if (!done)
        return NULL;
    return Py_BuildValue("y#n", (char *)handle, (Py_ssize_t)sizeof handle,
            (Py_ssize_t)((array ? array_address(array)
                                : memory->address + memory->shift) -
                         start));
}

// open(device, handle, size): memory of another process
static PyObject *open_memory(PyObject *module, PyObject *args)
{
    PyObject *number;
    const char *handle;
    Py_ssize_t handle_bytes, size;
    if (!PyArg_ParseTuple(args, "Oy#n", &number, &handle, &handle_bytes, &size))
        return NULL;
    if (handle_bytes != IPC_HANDLE_BYTES || size < 0) {
        PyErr_SetString(PyExc_ValueError, "that is no IPC handle");
        return NULL;
    }
    struct device *device = py_device_numbered(number);
    struct error err = {0};
    device_address address = 0;
    bool done;
    if (!device)
        return NULL;
    DEVICE_CALL(done, &err,
            device->operations->ipc_open(
                    device, (const unsigned char *)handle, &address, &err));
    if (!done)
        return NULL;
    struct py_device_memory *memory =
            py_device_memory_foreign(device, address, (size_t)size, NULL);
    if (memory)
        memory->is_imported = true;
    else
        device->operations->ipc_close(device, address, &err);
    return (PyObject *)memory;
}

PyMethodDef py_ipc_functions[] = {
        {"cuda_ipc_export", export_memory, METH_O,
                "How another process opens device memory."},
        {"cuda_ipc_open", open_memory, METH_VARARGS, "Memory of another process."},
        {0},
};
