// SPDX-License-Identifier: MIT
// HostMemory: memory of the host that the device knows. NumPy arrays lie over it by the
// buffer protocol, and keep it alive as their base.
#include "runtime/device/arrays/py_device_array.h"

#include <string.h>

struct py_host_memory {
    PyObject ob_base;
    struct device *device;
    uint64_t generation; // of the context that it was made in
    struct host_memory memory;
    Py_buffer buffer; // HOST_REGISTERED: whose memory it is
};

static struct py_host_memory *of(PyObject *object)
{
    return (struct py_host_memory *)object;
}

static bool is_live(const struct py_host_memory *self)
{
    return self->generation == atomic_load(&self->device->generation);
}

static bool read_kind(const char *text, enum host_memory_kind *kind)
{
    static const char *const names[] = {[HOST_PINNED] = "pinned",
            [HOST_MAPPED] = "mapped",
            [HOST_MANAGED] = "managed",
            [HOST_REGISTERED] = "registered"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!strcmp(names[i], text)) {
            *kind = (enum host_memory_kind)i;
            return true;
        }
    }
    PyErr_Format(PyExc_ValueError, "no kind of host memory: %s", text);
    return false;
}

// The size in bytes, or the buffer of an object.
static bool read_source(struct py_host_memory *self, PyObject *source)
{
    if (self->memory.kind == HOST_REGISTERED) {
        if (PyObject_GetBuffer(source, &self->buffer, PyBUF_ANY_CONTIGUOUS) < 0)
            return false;
        self->memory.host = self->buffer.buf;
        self->memory.size_bytes = (size_t)self->buffer.len;
        return true;
    }
    Py_ssize_t size = PyNumber_AsSsize_t(source, PyExc_OverflowError);
    if (size == -1 && PyErr_Occurred())
        return false;
    if (size < 0) {
        PyErr_SetString(PyExc_ValueError, "the size of memory cannot be negative");
        return false;
    }
    self->memory.size_bytes = size ? (size_t)size : 1;
    return true;
}

// HostMemory(kind, size or buffer, wc=False, attach_global=True)
static PyObject *host_memory_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"kind", "source", "wc", "attach_global", NULL};
    const char *kind_text;
    PyObject *source;
    int is_combined = 0, is_global = 1;
    enum host_memory_kind kind;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "sO|pp:HostMemory", keywords,
                &kind_text, &source, &is_combined, &is_global) ||
            !read_kind(kind_text, &kind))
        return NULL;
    struct device *device = py_device_current();
    if (!device)
        return NULL;
    struct py_host_memory *self = of(type->tp_alloc(type, 0));
    if (!self)
        return NULL;
    self->device = device;
    self->memory = (struct host_memory){.kind = kind,
            .is_write_combined = is_combined,
            .is_host_attached = !is_global};
    struct error err = {0};
    bool done = read_source(self, source);
    if (done && self->memory.size_bytes)
        DEVICE_CALL(
                done, &err, device->operations->host_alloc(device, &self->memory, &err));
    self->generation = atomic_load(&device->generation);
    if (done)
        return (PyObject *)self;
    py_device_name_host_size(self->memory.size_bytes);
    self->memory.host = NULL; // it was not had
    Py_DECREF(self);
    return NULL;
}

static void release(struct py_host_memory *self)
{
    if (self->memory.host && self->memory.size_bytes) {
        if (is_live(self))
            py_device_wait_idle(self->device); // a kernel may use it
        self->device->operations->host_free(self->device, &self->memory, is_live(self));
    }
    self->memory.host = NULL;
    if (self->buffer.obj)
        PyBuffer_Release(&self->buffer);
}

static void host_memory_dealloc(PyObject *object)
{
    release(of(object));
    py_dealloc_end(object);
}

static int host_memory_buffer(PyObject *object, Py_buffer *view, int flags)
{
    struct host_memory *memory = &of(object)->memory;
    return PyBuffer_FillInfo(
            view, object, memory->host, (Py_ssize_t)memory->size_bytes, 0, flags);
}

bool py_host_memory_find(PyArrayObject *array, device_address *address)
{
    PyObject *base = (PyObject *)array;
    while (base && PyArray_Check(base))
        base = PyArray_BASE((PyArrayObject *)base);
    if (!base || !PyObject_TypeCheck(base, py_device_types()->host_memory))
        return false;
    struct py_host_memory *self = of(base);
    if (self->memory.kind != HOST_MAPPED && self->memory.kind != HOST_MANAGED)
        return false;
    if (!py_device_check(self->device, self->generation, "this mapped array"))
        return false;
    *address = self->memory.address +
               (device_address)(PyArray_BYTES(array) - (char *)self->memory.host);
    return true;
}

// close(): ends the registration, once the device's work is done.
static PyObject *host_memory_close(PyObject *object, PyObject *unused)
{
    struct py_host_memory *self = of(object);
    if (self->memory.kind != HOST_REGISTERED) {
        PyErr_SetString(PyExc_ValueError, "only registered memory can be closed");
        return NULL;
    }
    struct error err = {0};
    bool done = true;
    if (self->memory.host && is_live(self))
        DEVICE_WAIT(done, self->device, &err,
                self->device->operations->synchronize(self->device, &err));
    release(self);
    if (!done)
        return NULL;
    Py_RETURN_NONE;
}

// address(array): where the device finds the array's bytes; None where it does not know
// them.
static PyObject *find_address(PyObject *module, PyObject *object)
{
    device_address address = 0;
    if (PyArray_Check(object) && py_host_memory_find((PyArrayObject *)object, &address))
        return PyLong_FromUnsignedLongLong(address);
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *get_address(PyObject *object, void *unused)
{
    if (!py_device_check(of(object)->device, of(object)->generation, "this memory"))
        return NULL;
    return PyLong_FromUnsignedLongLong(of(object)->memory.address);
}

static PyObject *get_host_pointer(PyObject *object, void *unused)
{
    return PyLong_FromVoidPtr(of(object)->memory.host);
}

static PyObject *get_size(PyObject *object, void *unused)
{
    return PyLong_FromSize_t(of(object)->memory.size_bytes);
}

static PyObject *get_is_mapped(PyObject *object, void *unused)
{
    return PyBool_FromLong(of(object)->memory.kind != HOST_PINNED);
}

static PyMethodDef host_memory_methods[] = {
        {"close", host_memory_close, METH_NOARGS, "Ends a registration."},
        {0},
};

static PyGetSetDef host_memory_getset[] = {
        PY_GETTER("device_pointer_value", get_address),
        PY_GETTER("host_pointer", get_host_pointer),
        PY_GETTER("size", get_size),
        PY_GETTER("is_mapped", get_is_mapped),
        {0},
};

static PyType_Slot host_memory_slots[] = {
        {Py_tp_new, host_memory_new},
        {Py_tp_dealloc, host_memory_dealloc},
        {Py_tp_methods, host_memory_methods},
        {Py_tp_getset, host_memory_getset},
        {Py_bf_getbuffer, host_memory_buffer},
        {0},
};

PyMethodDef py_host_memory_functions[] = {
        {"cuda_mapped_address", find_address, METH_O,
                "Where the device finds a mapped array."},
        {0},
};

bool py_host_memory_init(struct device_types *types, PyObject *module)
{
    types->host_memory = py_add_type("gridcell._gridcell.HostMemory",
            sizeof(struct py_host_memory), Py_TPFLAGS_BASETYPE, host_memory_slots);
    return types->host_memory &&
           !PyModule_AddObjectRef(module, "HostMemory", (PyObject *)types->host_memory);
}
