// SPDX-License-Identifier: MIT
// k[grid, block, stream, shared_bytes]: reading and checking a launch configuration.
#include "runtime/device/kernels/py_kernel.h"
#include "runtime/host/state/py_error.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <structmember.h>

enum { KEPT_CONFIGS = 128 };

// Reads a grid or block: an integer, or a sequence of one to three. Messages are numba's.
static bool read_dim(PyObject *object, const char *what, int32_t dims[3])
{
    dims[0] = dims[1] = dims[2] = 1;
    if (PyLong_CheckExact(object)) {
        long value = PyLong_AsLong(object);
        if (value == -1 && PyErr_Occurred())
            return false;
        dims[0] = value > INT32_MAX || value < 0 ? -1 : (int32_t)value;
        return true;
    }
    bool is_number = PyNumber_Check(object) && !PySequence_Check(object);
    PyObject *list = is_number ? PyList_New(0) : PySequence_List(object);
    if (!list || (is_number && PyList_Append(list, object))) {
        Py_XDECREF(list);
        return false;
    }
    Py_ssize_t len = PyList_GET_SIZE(list);
    bool done = len >= 1 && len <= 3;
    if (!done)
        PyErr_Format(PyExc_ValueError,
                "%s must be a sequence of 1, 2 or 3 integers, got %R", what, list);
    for (Py_ssize_t i = 0; done && i < len; i++) {
        PyObject *item = py_list_get(list, i);
        done = item && PyIndex_Check(item);
        if (!done && item)
            PyErr_Format(PyExc_TypeError, "%s must be a sequence of integers, got %R",
                    what, list);
        Py_ssize_t value = done ? PyNumber_AsSsize_t(item, NULL) : 0;
        dims[i] = value > INT32_MAX || value < 0 ? -1 : (int32_t)value;
        done = done && !PyErr_Occurred();
        Py_XDECREF(item);
    }
    Py_DECREF(list);
    return done;
}

// Whether launches without a stream go to the thread's own default stream.
static bool has_stream_per_thread(void)
{
    const char *value = getenv("NUMBA_CUDA_PER_THREAD_DEFAULT_STREAM");
    return value && *value && strcmp(value, "0");
}

static bool read_items(PyObject *items, struct launch *launch)
{
    Py_ssize_t count = PyTuple_GET_SIZE(items);
    struct launch_config *config = &launch->config;
    if (!read_dim(PyTuple_GET_ITEM(items, 0), "griddim", config->grid_dim) ||
            !read_dim(PyTuple_GET_ITEM(items, 1), "blockdim", config->block_dim))
        return false;
    if (count > 2) {
        PyObject *stream = PyTuple_GET_ITEM(items, 2);
        if (!py_stream_get(stream, &config->stream))
            return false;
        launch->stream_object = config->stream ? py_stream_keep(stream) : NULL;
    }
    if (!config->stream && has_stream_per_thread())
        config->stream = DEVICE_STREAM_PER_THREAD;
    if (count > 3) {
        Py_ssize_t bytes =
                PyNumber_AsSsize_t(PyTuple_GET_ITEM(items, 3), PyExc_OverflowError);
        if (bytes == -1 && PyErr_Occurred())
            return false;
        config->dynamic_shared_bytes = (size_t)bytes;
    }
    return true;
}

static bool warn_small_grid(const struct launch *launch)
{
    const int32_t *grid = launch->config.grid_dim;
    int64_t blocks = (int64_t)grid[0] * grid[1] * grid[2];
    struct device *device = py_device_current();
    if (!device)
        return false;
    if (blocks >= 128 || blocks < 1)
        return true;
    char text[128];
    snprintf(text, sizeof text,
            "Grid size %lld will likely result in GPU under-utilization due to low "
            "occupancy.",
            (long long)blocks);
    return kernel_warn(launch->kernel, device, "NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS", text);
}

// Arguments as the kernel's extensions make them. Each may add to a list what is to be
// called after the launch.
static PyObject *launch_prepared(
        struct launch *launch, PyObject *const *args, size_t count)
{
    PyObject *prepare = py_import_attr("gridcell.cuda.binding", "prepare");
    PyObject *given = PyTuple_New((Py_ssize_t)count), *afterwards = PyList_New(0);
    PyObject *stream = launch->stream_object, *result = NULL;
    PyObject *zero = PyLong_FromLong(0), *prepared = NULL;
    for (size_t i = 0; given && i < count; i++)
        PyTuple_SET_ITEM(given, (Py_ssize_t)i, Py_NewRef(args[i]));
    if (prepare && given && afterwards && zero)
        prepared = PyObject_CallFunctionObjArgs(prepare, launch->kernel->extensions,
                given, stream ? stream : zero, afterwards, NULL);
    if (prepared && PyTuple_CheckExact(prepared))
        result = kernel_launch(launch, &PyTuple_GET_ITEM(prepared, 0),
                (size_t)PyTuple_GET_SIZE(prepared));
    for (Py_ssize_t i = 0; result && i < PyList_GET_SIZE(afterwards); i++) {
        PyObject *call = py_list_get(afterwards, i);
        PyObject *ignored = call ? PyObject_CallNoArgs(call) : NULL;
        if (!ignored)
            Py_CLEAR(result);
        Py_XDECREF(ignored);
        Py_XDECREF(call);
    }
    Py_XDECREF(prepared);
    Py_XDECREF(zero);
    Py_XDECREF(afterwards);
    Py_XDECREF(given);
    Py_XDECREF(prepare);
    return result;
}

static PyObject *launch_with(struct launch *launch, PyObject *const *args, size_t count)
{
    PyObject *extensions = launch->kernel->extensions;
    bool is_extended =
            extensions && PyList_Check(extensions) && PyList_GET_SIZE(extensions);
    return is_extended ? launch_prepared(launch, args, count)
                       : kernel_launch(launch, args, count);
}

PyObject *launch_vectorcall(
        PyObject *object, PyObject *const *args, size_t flagged_count, PyObject *keywords)
{
    struct launch *launch = (struct launch *)object;
    size_t count = (size_t)PyVectorcall_NARGS(flagged_count);
    // what is set from here on came during this launch, even if Python code that the
    // import runs has swallowed the exception
    if (!py_interrupt_arm())
        return NULL;
    struct error err;
    error_clear(&err);
    bool is_plain = !keywords || PyTuple_GET_SIZE(keywords) == 0;
    struct source *source = kernel_source(launch->kernel, &err);
    if (!source) {
        py_raise_compile(&err, "cuda", NULL, NULL);
        return NULL;
    }
    if (is_plain && source->param_count == count)
        return launch_with(launch, args, count);
    // keywords and defaults are rare: let Python bind them
    PyObject *bind = py_import_attr("gridcell.cuda.binding", "bind");
    PyObject *positional = PyTuple_New((Py_ssize_t)count), *named = PyDict_New(),
             *bound = NULL;
    for (size_t i = 0; positional && i < count; i++)
        PyTuple_SET_ITEM(positional, (Py_ssize_t)i, Py_NewRef(args[i]));
    bool done = bind && positional && named;
    for (Py_ssize_t i = 0; done && !is_plain && i < PyTuple_GET_SIZE(keywords); i++)
        done = !PyDict_SetItem(
                named, PyTuple_GET_ITEM(keywords, i), args[count + (size_t)i]);
    if (done)
        bound = PyObject_CallFunctionObjArgs(
                bind, launch->kernel->py_func, positional, named, NULL);
    PyObject *result = NULL;
    if (bound && PyTuple_Check(bound))
        result = launch_with(
                launch, &PyTuple_GET_ITEM(bound, 0), (size_t)PyTuple_GET_SIZE(bound));
    py_drop(bound, named, positional, bind);
    return result;
}

static struct launch *launch_new(struct kernel *kernel, PyObject *items)
{
    PyTypeObject *type = py_device_types()->launch;
    struct launch *self = (struct launch *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    launch_enlist(self);
    self->kernel = (struct kernel *)Py_NewRef((PyObject *)kernel);
    if (!read_items(items, self) || !warn_small_grid(self))
        Py_CLEAR(self);
    return self;
}

// Whether equal keys mean equal configurations: 1.0 and 1 are equal keys.
static bool is_exact(PyObject *items)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items); i++) {
        PyObject *item = PyTuple_GET_ITEM(items, i);
        bool is_tuple = PyTuple_CheckExact(item) && is_exact(item);
        if (!is_tuple && !PyLong_CheckExact(item) &&
                !PyObject_TypeCheck(item, py_device_types()->stream))
            return false;
    }
    return true;
}

PyObject *launch_from_items(struct kernel *self, PyObject *items)
{
    if (!PySequence_Check(items))
        return PyErr_Format(PyExc_TypeError,
                "object of type '%.100s' has no len(): a launch is "
                "kernel[griddim, blockdim, stream, sharedmem](...), of which the first "
                "two are needed",
                Py_TYPE(items)->tp_name);
    Py_ssize_t count = PyObject_Size(items);
    if (count < 0)
        return NULL;
    if (count != 2 && count != 3 && count != 4) {
        PyErr_SetString(PyExc_ValueError,
                count < 2 ? "must specify at least the griddim and blockdim"
                          : "too many items: griddim, blockdim, stream and sharedmem can "
                            "be given");
        return NULL;
    }
    PyObject *key = PySequence_Tuple(items), *known = NULL, *launch = NULL;
    bool is_kept = key && is_exact(key);
    int found = is_kept ? py_dict_get(self->configs, key, &known) : 0;
    if (found > 0)
        launch = known;
    else if (key && found == 0)
        launch = (PyObject *)launch_new(self, key);
    if (launch && is_kept && !known) {
        if (PyDict_GET_SIZE(self->configs) >= KEPT_CONFIGS)
            PyDict_Clear(self->configs);
        if (PyDict_SetItem(self->configs, key, launch))
            Py_CLEAR(launch);
    }
    Py_XDECREF(key);
    return launch;
}

static int launch_traverse(PyObject *object, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(((struct launch *)object)->kernel);
    Py_VISIT(((struct launch *)object)->callbacks);
    return 0;
}

static int launch_clear(PyObject *object)
{
    Py_CLEAR(((struct launch *)object)->kernel);
    Py_CLEAR(((struct launch *)object)->callbacks);
    return 0;
}

static void launch_dealloc(PyObject *object)
{
    struct launch *self = (struct launch *)object;
    py_dealloc_begin(object);
    launch_delist(self);
    launch_clear(object);
    Py_XDECREF(self->stream_object);
    py_dealloc_end(object);
}

static PyObject *dim_tuple(const int32_t dims[3])
{
    return Py_BuildValue("iii", dims[0], dims[1], dims[2]);
}

static PyObject *get_griddim(PyObject *self, void *unused)
{
    return dim_tuple(((struct launch *)self)->config.grid_dim);
}

static PyObject *get_blockdim(PyObject *self, void *unused)
{
    return dim_tuple(((struct launch *)self)->config.block_dim);
}

static PyObject *get_stream(PyObject *self, void *unused)
{
    PyObject *stream = ((struct launch *)self)->stream_object;
    return stream ? Py_NewRef(stream) : PyLong_FromLong(0);
}

static PyObject *get_sharedmem(PyObject *self, void *unused)
{
    return PyLong_FromSize_t(((struct launch *)self)->config.dynamic_shared_bytes);
}

static PyObject *get_dispatcher(PyObject *self, void *unused)
{
    return Py_NewRef((PyObject *)((struct launch *)self)->kernel);
}

// The list of what is called as callback(kernel, configuration) before each launch; made
// at first use.
static PyObject *get_callbacks(PyObject *self, void *unused)
{
    struct launch *launch = (struct launch *)self;
    if (!launch->callbacks)
        launch->callbacks = PyList_New(0);
    return Py_XNewRef(launch->callbacks);
}

static PyGetSetDef launch_getset[] = {
        PY_GETTER("pre_launch_callbacks", get_callbacks),
        PY_GETTER("griddim", get_griddim),
        PY_GETTER("blockdim", get_blockdim),
        PY_GETTER("stream", get_stream),
        PY_GETTER("sharedmem", get_sharedmem),
        PY_GETTER("dispatcher", get_dispatcher),
        {0},
};

static PyMethodDef launch_methods[] = {
        {"_run", (PyCFunction)(void (*)(void))launch_vectorcall,
                METH_FASTCALL | METH_KEYWORDS,
                "The launch as it is without anybody who looks."},
        {0},
};

static PyMemberDef launch_members[] = {
        PY_VECTORCALL(struct launch),
        {0},
};

static PyType_Slot launch_slots[] = {
        {Py_tp_dealloc, launch_dealloc},
        {Py_tp_traverse, launch_traverse},
        {Py_tp_clear, launch_clear},
        {Py_tp_call, PyVectorcall_Call},
        {Py_tp_getset, launch_getset},
        {Py_tp_members, launch_members},
        {Py_tp_methods, launch_methods},
        {0},
};

bool py_launch_init(struct device_types *types, PyObject *module)
{
    types->launch = py_add_type("numba.cuda.dispatcher._LaunchConfiguration",
            sizeof(struct launch),
            Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL |
                    Py_TPFLAGS_DISALLOW_INSTANTIATION,
            launch_slots);
    return types->launch != NULL;
}
