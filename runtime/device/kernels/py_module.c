// SPDX-License-Identifier: MIT
// Modules of a device for Python: whose callbacks hear of a kernel's module, and modules
// that the user loads by himself (gridcell.cuda.cudadrv.modules).
#include "runtime/device/kernels/py_kernel.h"

#include "runtime/device/kernels/py_foreign.h"

// --- modules of kernels ----------------------------------------------------------------

// Those of the linked codes whose callbacks want to know.
static PyObject *list_holders(const struct compiled *compiled)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < compiled->link_count; i++)
        if (compiled->links[i]->holder &&
                PyList_Append(list, (PyObject *)compiled->links[i]->holder))
            Py_CLEAR(list);
    return list;
}

bool specialization_tell_loaded(struct specialization *spec, struct error *err)
{
    PyObject *holders = list_holders(spec->compiled);
    if (!holders)
        return error_from_python(err);
    Py_CLEAR(spec->module);
    if (PyList_GET_SIZE(holders)) {
        struct device *device = spec->device;
        PyObject *tell = py_import_attr("gridcell.cuda.cudadrv.modules", "loaded");
        PyObject *links =
                py_foreign_list((const struct foreign_code *const *)spec->compiled->links,
                        spec->compiled->link_count);
        if (tell && links)
            spec->module = PyObject_CallFunction(tell, "iKOO", device->id,
                    (unsigned long long)device->operations->kernel_module(spec->kernel),
                    holders, links);
        Py_XDECREF(links);
        Py_XDECREF(tell);
    }
    Py_DECREF(holders);
    return !PyErr_Occurred() || error_from_python(err);
}

void specialization_tell_ending(struct specialization *spec)
{
    PyObject *type, *value, *traceback;
    if (!spec->module)
        return;
    PyErr_Fetch(&type, &value, &traceback);
    bool is_live = spec->generation == atomic_load(&spec->device->generation);
    PyObject *done = PyObject_CallMethod(spec->module, "_ending", "i", (int)is_live);
    if (!done)
        py_error_report(spec->module);
    Py_XDECREF(done);
    Py_CLEAR(spec->module);
    PyErr_Restore(type, value, traceback);
}

// --- modules of the user's -------------------------------------------------------------

// The device's table; NULL with an exception set where it runs no machine code of GPUs.
static const struct program_operations *programs_of(struct device *device)
{
    if (device && !device->operations->programs)
        PyErr_SetString(PyExc_NotImplementedError,
                "modules of PTX or machine code are for GPUs: the emulated device runs "
                "kernels of cuda.jit, and CUDA C that they are linked with");
    return device ? device->operations->programs : NULL;
}

// load(image): the handle of a new module on the current device
static PyObject *module_load(PyObject *module, PyObject *args)
{
    const char *image;
    Py_ssize_t len;
    uint64_t handle = 0;
    struct error err = {0};
    struct device *device = py_device_current();
    const struct program_operations *programs = programs_of(device);
    if (!programs || !PyArg_ParseTuple(args, "y#", &image, &len))
        return NULL;
    bool done;
    DEVICE_WAIT(done, device, &err, programs->load(device, image, &handle, &err));
    return done ? PyLong_FromUnsignedLongLong(handle) : NULL;
}

static PyObject *module_unload(PyObject *module, PyObject *args)
{
    unsigned long long handle;
    struct error err = {0};
    struct device *device = py_device_current();
    const struct program_operations *programs = programs_of(device);
    if (!programs || !PyArg_ParseTuple(args, "K", &handle))
        return NULL;
    bool done;
    DEVICE_WAIT(done, device, &err, programs->unload(device, handle, &err));
    return done ? Py_NewRef(Py_None) : NULL;
}

// function(module, name): its handle
static PyObject *module_function(PyObject *module, PyObject *args)
{
    unsigned long long handle;
    const char *name;
    uint64_t function = 0;
    struct error err = {0};
    struct device *device = py_device_current();
    const struct program_operations *programs = programs_of(device);
    if (!programs || !PyArg_ParseTuple(args, "Ks", &handle, &name))
        return NULL;
    if (!programs->function(device, handle, name, &function, &err))
        return py_raise(&err);
    return PyLong_FromUnsignedLongLong(function);
}

// variable(module, name): (address, bytes)
static PyObject *module_variable(PyObject *module, PyObject *args)
{
    unsigned long long handle;
    const char *name;
    device_address address = 0;
    size_t size_bytes = 0;
    struct error err = {0};
    struct device *device = py_device_current();
    const struct program_operations *programs = programs_of(device);
    if (!programs || !PyArg_ParseTuple(args, "Ks", &handle, &name))
        return NULL;
    if (!programs->variable(device, handle, name, &address, &size_bytes, &err))
        return py_raise(&err);
    return Py_BuildValue("Kn", (unsigned long long)address, (Py_ssize_t)size_bytes);
}

static PyObject *function_attribute(PyObject *module, PyObject *args)
{
    unsigned long long handle;
    int attribute, value = 0;
    struct error err = {0};
    struct device *device = py_device_current();
    const struct program_operations *programs = programs_of(device);
    if (!programs || !PyArg_ParseTuple(args, "Ki", &handle, &attribute))
        return NULL;
    if (!programs->attribute(device, handle, attribute, &value, &err))
        return py_raise(&err);
    return PyLong_FromLong(value);
}

static PyObject *function_prefer_shared(PyObject *module, PyObject *args)
{
    unsigned long long handle;
    int percent;
    struct error err = {0};
    struct device *device = py_device_current();
    const struct program_operations *programs = programs_of(device);
    if (!programs || !PyArg_ParseTuple(args, "Ki", &handle, &percent))
        return NULL;
    if (!programs->prefer_shared(device, handle, percent, &err))
        return py_raise(&err);
    Py_RETURN_NONE;
}

enum { MAX_PARAMS = 1024 };

// launch(function, grid, block, shared bytes, stream, addresses of the arguments,
// is cooperative)
static PyObject *function_launch(PyObject *module, PyObject *args)
{
    unsigned long long handle, stream;
    struct launch_config config = {0};
    Py_ssize_t shared_bytes;
    PyObject *addresses;
    int is_cooperative;
    void *params[MAX_PARAMS];
    struct error err = {0};
    struct device *device = py_device_current();
    const struct program_operations *programs = programs_of(device);
    if (!programs ||
            !PyArg_ParseTuple(args, "K(iii)(iii)nKO!p", &handle, &config.grid_dim[0],
                    &config.grid_dim[1], &config.grid_dim[2], &config.block_dim[0],
                    &config.block_dim[1], &config.block_dim[2], &shared_bytes, &stream,
                    &PyTuple_Type, &addresses, &is_cooperative))
        return NULL;
    Py_ssize_t count = PyTuple_GET_SIZE(addresses);
    if (count > MAX_PARAMS || shared_bytes < 0 || shared_bytes > INT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "no kernel takes as many arguments or bytes");
        return NULL;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        params[i] = PyLong_AsVoidPtr(PyTuple_GET_ITEM(addresses, i));
    if (PyErr_Occurred())
        return NULL;
    config.dynamic_shared_bytes = (size_t)shared_bytes;
    config.stream = (struct device_stream *)(uintptr_t)stream;
    bool done;
    DEVICE_WAIT(done, device, &err,
            programs->launch(device, handle, &config, is_cooperative, params, &err));
    return done ? Py_NewRef(Py_None) : NULL;
}

PyMethodDef py_module_functions[] = {
        {"cuda_module_load", module_load, METH_VARARGS, "PTX or machine code, loaded."},
        {"cuda_module_unload", module_unload, METH_VARARGS, "Gives a module up."},
        {"cuda_module_function", module_function, METH_VARARGS, "A kernel of a module."},
        {"cuda_module_variable", module_variable, METH_VARARGS,
                "Where a variable of a module is."},
        {"cuda_function_attribute", function_attribute, METH_VARARGS,
                "What a kernel takes."},
        {"cuda_function_prefer_shared", function_prefer_shared, METH_VARARGS,
                "Which share of the memory is to be shared memory."},
        {"cuda_function_launch", function_launch, METH_VARARGS, "Launches a kernel."},
        {0},
};
