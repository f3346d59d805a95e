// SPDX-License-Identifier: MIT
// MemInfo: counted memory of compiled code, which arrays that it returns have as their
// base.
#include "base/py.h"

#include <string.h>

#include "compiler/support/support.h"
#include "runtime/host/state/py_enter.h"
#include "runtime/host/state/py_error.h"
#include "runtime/host/values/py_values.h"
#include "runtime/threads/fault.h"

struct meminfo {
    PyObject ob_base;
    struct abi_memory *memory;
    Py_ssize_t acquired; // references that acquire() added; guarded by the GIL
};

static struct meminfo *of(PyObject *object)
{
    return (struct meminfo *)object;
}

PyObject *py_memory_new(struct abi_memory *memory_stolen)
{
    PyTypeObject *class = py_runtime()->meminfo_type;
    struct meminfo *self = (struct meminfo *)class->tp_alloc(class, 0);
    if (self)
        self->memory = memory_stolen;
    else
        gridcell_memory_release(memory_stolen);
    return (PyObject *)self;
}

static int32_t read_header(void *result, const void *args)
{
    const struct abi_memory *const *memory = args;
    memcpy(result, *memory, sizeof **memory);
    return STATUS_OK;
}

// Whether what is at the address looks like counted memory: programs pass any number.
static bool may_be_memory(const void *memory)
{
    struct abi_memory header;
    py_signals_watch(); // for the fault that it may be
    return (uintptr_t)memory % _Alignof(struct abi_memory) == 0 &&
           fault_call(read_header, &header, &memory) == STATUS_OK && header.count > 0 &&
           header.release && header.size_bytes >= 0;
}

// MemInfo(ptr): of counted memory at an address, whose reference it takes over
static PyObject *meminfo_new(PyTypeObject *class, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"ptr", NULL};
    PyObject *address;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O", names, &address))
        return NULL;
    void *memory = PyLong_AsVoidPtr(address);
    if (PyErr_Occurred())
        return NULL;
    if (!may_be_memory(memory))
        return PyErr_Format(PyExc_ValueError, "no counted memory is at %p", memory);
    return py_memory_new(memory);
}

static void meminfo_dealloc(PyObject *object)
{
    PyTypeObject *class = Py_TYPE(object);
    gridcell_memory_release(of(object)->memory);
    class->tp_free(object);
    Py_DECREF(class);
}

static PyObject *get_refcount(PyObject *self, void *closure)
{
    return PyLong_FromLongLong(
            __atomic_load_n(&of(self)->memory->count, __ATOMIC_RELAXED));
}

static PyObject *get_data(PyObject *self, void *closure)
{
    return PyLong_FromVoidPtr(of(self)->memory->data);
}

static PyObject *get_size(PyObject *self, void *closure)
{
    return PyLong_FromLongLong(of(self)->memory->size_bytes);
}

static PyObject *get_external_allocator(PyObject *self, void *closure)
{
    Py_RETURN_NONE;
}

static PyObject *meminfo_acquire(PyObject *self, PyObject *none)
{
    gridcell_memory_retain(of(self)->memory);
    of(self)->acquired++;
    Py_RETURN_NONE;
}

// Only what acquire() added can be given back: the object itself needs its own reference.
static PyObject *meminfo_release(PyObject *self, PyObject *none)
{
    if (!of(self)->acquired)
        return PyErr_Format(
                PyExc_ValueError, "release() of a MemInfo that was not acquired before");
    of(self)->acquired--;
    gridcell_memory_release(of(self)->memory);
    Py_RETURN_NONE;
}

static int meminfo_buffer(PyObject *self, Py_buffer *view, int flags)
{
    struct abi_memory *memory = of(self)->memory;
    return PyBuffer_FillInfo(
            view, self, memory->data, (Py_ssize_t)memory->size_bytes, 0, flags);
}

static PyGetSetDef meminfo_getset[] = {
        PY_GETTER("refcount", get_refcount),
        PY_GETTER("data", get_data),
        PY_GETTER("size", get_size),
        PY_GETTER("external_allocator", get_external_allocator),
        {0},
};
static PyMethodDef meminfo_methods[] = {
        {"acquire", meminfo_acquire, METH_NOARGS, "Counts one reference more."},
        {"release", meminfo_release, METH_NOARGS, "Gives back what acquire() counted."},
        {NULL, NULL, 0, NULL},
};
static PyType_Slot meminfo_slots[] = {
        {Py_tp_doc, "Counted memory of compiled code: how many references, where, how "
                    "large."},
        {Py_tp_new, meminfo_new},
        {Py_tp_dealloc, meminfo_dealloc},
        {Py_tp_getset, meminfo_getset},
        {Py_tp_methods, meminfo_methods},
        {Py_bf_getbuffer, meminfo_buffer},
        {0, NULL},
};

// --- As values of compiled code

bool py_is_memory(PyObject *object)
{
    return Py_IS_TYPE(object, py_runtime()->meminfo_type);
}

bool py_memory_unbox(PyObject *object, void *target)
{
    if (!py_is_memory(object)) {
        PyErr_Format(PyExc_TypeError, "expected a MemInfo, got %.200s",
                Py_TYPE(object)->tp_name);
        return false;
    }
    gridcell_memory_retain(of(object)->memory);
    memcpy(target, &of(object)->memory, sizeof of(object)->memory);
    return true;
}

PyObject *py_memory_box(const void *source)
{
    struct abi_memory *memory;
    memcpy(&memory, source, sizeof memory);
    if (!memory)
        return PyErr_Format(PyExc_ValueError,
                "a null pointer is no counted memory that MemInfo shows");
    return py_memory_new(memory);
}

// --- Memory that keeps an object

struct kept_parent {
    struct abi_memory memory;
    PyObject *parent;
};

static void release_parent(struct abi_memory *memory)
{
    struct kept_parent *kept = (struct kept_parent *)memory;
    PyGILState_STATE state = py_enter();
    Py_DECREF(kept->parent);
    PyMem_RawFree(kept);
    py_leave(state);
}

struct abi_memory *py_keep_parent(void *parent)
{
    struct kept_parent *kept = PyMem_RawCalloc(1, sizeof *kept);
    if (!kept)
        return NULL;
    PyGILState_STATE state = py_enter();
    kept->parent = Py_NewRef((PyObject *)parent);
    py_leave(state);
    kept->memory.count = 1;
    kept->memory.release = release_parent;
    return &kept->memory;
}

// lend_memory(address, size, owner): memory of the program's, which an object keeps
static PyObject *lend_memory(PyObject *module, PyObject *args)
{
    PyObject *address, *owner;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(args, "OnO", &address, &size, &owner))
        return NULL;
    void *data = PyLong_AsVoidPtr(address);
    if (!data && PyErr_Occurred())
        return NULL;
    struct abi_memory *memory = py_keep_parent(owner);
    if (!memory)
        return PyErr_NoMemory();
    memory->data = data;
    memory->size_bytes = size;
    return py_memory_new(memory);
}

// allocate_memory(size)
static PyObject *allocate_memory(PyObject *module, PyObject *size_object)
{
    Py_ssize_t size = PyNumber_AsSsize_t(size_object, PyExc_OverflowError);
    if (size == -1 && PyErr_Occurred())
        return NULL;
    if (size < 0)
        return PyErr_Format(PyExc_ValueError,
                "Cannot allocate a negative number of bytes: %zd.", size);
    struct abi_memory *memory = gridcell_memory_create((int64_t)size);
    if (!memory)
        return PyErr_Format(
                PyExc_MemoryError, "Requested allocation of %zd bytes failed.", size);
    return py_memory_new(memory);
}

PyMethodDef py_memory_functions[] = {
        {"lend_memory", lend_memory, METH_VARARGS, "A MemInfo over an owner's memory."},
        {"allocate_memory", allocate_memory, METH_O, "A MemInfo of so many bytes."},
        {NULL, NULL, 0, NULL},
};

bool py_memory_init(struct runtime *runtime)
{
    runtime->meminfo_type = py_add_type("numba.core.runtime._nrt_python._MemInfo",
            sizeof(struct meminfo), 0, meminfo_slots);
    return runtime->meminfo_type != NULL;
}
