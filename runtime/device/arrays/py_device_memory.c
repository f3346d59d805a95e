// SPDX-License-Identifier: MIT
// MemoryPointer: device memory that arrays share; how it is had, moved to where other
// processes can open it, and given back.
#include "runtime/device/arrays/py_device_array.h"

#include <stddef.h>
#include <structmember.h>

#include "base/activity.h"
#include "base/vec.h"

// What is to be freed when nobody defers it any more. The GIL guards it.
struct pending {
    struct device *device;
    device_address address;
    uint64_t generation;
    bool is_shared;
};

static struct {
    int depth; // of the defer_cleanup blocks that are open
    VEC(struct pending) pending;
} deferred;

static struct py_device_memory *of(PyObject *object)
{
    return (struct py_device_memory *)object;
}

// --- having it -----------------------------------------------------------------------

static struct py_device_memory *memory_create(PyTypeObject *type, struct device *device,
        device_address address, size_t size_bytes)
{
    struct py_device_memory *self = (struct py_device_memory *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    self->device = device;
    self->generation = atomic_load(&device->generation);
    self->address = address;
    self->size_bytes = size_bytes;
    return self;
}

struct py_device_memory *py_device_memory_foreign(
        struct device *device, device_address address, size_t size_bytes, PyObject *owner)
{
    struct py_device_memory *self =
            memory_create(py_device_types()->memory, device, address, size_bytes);
    if (!self)
        return NULL;
    self->owner = Py_XNewRef(owner);
    self->is_foreign = true;
    return self;
}

static struct py_device_memory *memory_by_manager(
        struct device *device, size_t size_bytes)
{
    struct device_types *types = py_device_types();
    PyObject *memory = PyObject_CallFunction(
            types->allocator, "in", device->id, (Py_ssize_t)size_bytes);
    if (!memory || PyObject_TypeCheck(memory, types->memory))
        return of(memory);
    PyErr_Format(PyExc_TypeError,
            "memalloc of a memory manager has to return a "
            "MemoryPointer, not %R",
            memory);
    Py_DECREF(memory);
    return NULL;
}

struct py_device_memory *py_device_memory_new(struct device *device, size_t size_bytes)
{
    struct error err = {0};
    device_address address = 0;
    if (size_bytes && py_device_types()->allocator)
        return memory_by_manager(device, size_bytes);
    if (size_bytes && !py_device_allocate(device, size_bytes, &address))
        return NULL;
    struct py_device_memory *self =
            memory_create(py_device_types()->memory, device, address, size_bytes);
    if (!self && address)
        device->operations->memory_free(device, address, &err);
    return self;
}

bool py_device_memory_check(struct py_device_memory *memory)
{
    if (!memory || !memory->size_bytes)
        return true;
    if (memory->ended) {
        struct error err = {0};
        error_set(&err, ERROR_DEVICE, SPAN_NONE,
                "this device array cannot be used any more: %s",
                PyUnicode_AsUTF8(memory->ended));
        err.code = DEVICE_ERROR_CONTEXT_ENDED;
        py_raise(&err);
        return false;
    }
    return py_device_check(memory->device, memory->generation, "this device array");
}

bool py_device_memory_reached(const struct py_device_memory *memory,
        struct device *device, const char *function, const char *argument)
{
    if (!memory || memory->is_foreign || device_reaches(device, memory->device))
        return true;
    struct error err = {0};
    int here = device->id, there = memory->device->id;
    error_set(&err, ERROR_DEVICE, SPAN_NONE,
            "%s(): the memory of argument '%s' is on device %d, and the kernel runs on "
            "device %d, which cannot use it. Copy the array there "
            "(copy_to_device), select device %d for the launch, or let the device use "
            "it where it can: cuda.current_context(%d).enable_peer_access(%d)",
            function, argument, there, here, there, here, there);
    err.code = DEVICE_ERROR_ILLEGAL_ADDRESS;
    py_raise(&err);
    return false;
}

// --- giving it back ------------------------------------------------------------------

// An exception cannot leave from here; a stranger's goes to sys.unraisablehook.
static void call_finalizer(PyObject *finalizer)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *result = PyObject_CallNoArgs(finalizer);
    if (!result)
        py_error_report(finalizer);
    Py_XDECREF(result);
    PyErr_Restore(type, value, traceback);
}

// Other threads go on where it is waited for.
static bool free_now(const struct pending *memory, struct error *err)
{
    bool waits = device_free_waits(memory->device, memory->is_shared);
    PyThreadState *state = waits ? PyEval_SaveThread() : NULL;
    bool done = device_free(
            memory->device, memory->address, memory->generation, memory->is_shared, err);
    if (state)
        PyEval_RestoreThread(state);
    return done;
}

static void free_or_defer(
        struct py_device_memory *self, device_address address, bool is_shared)
{
    struct error ignored = {0};
    struct pending memory = {self->device, address, self->generation, is_shared};
    if (!address)
        return;
    if (deferred.depth > 0)
        vec_push(&deferred.pending, memory);
    else
        free_now(&memory, &ignored);
}

static void close_imported(struct py_device_memory *self)
{
    struct device *device = self->device;
    struct error err = {0};
    if (self->generation == atomic_load(&device->generation))
        device->operations->ipc_close(device, self->address, &err);
    else if (device->operations->forget)
        device->operations->forget(device, RESOURCE_MEMORY, self->address);
}

static void give_back(struct py_device_memory *self)
{
    if (self->ended)
        return;
    if (self->finalizer)
        call_finalizer(self->finalizer);
    else if (self->is_imported)
        close_imported(self);
    else if (!self->is_foreign) {
        free_or_defer(self, self->address + self->shift, self->is_shared);
        free_or_defer(self, self->before, false);
    }
}

static int memory_traverse(PyObject *object, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(of(object)->owner);
    Py_VISIT(of(object)->finalizer);
    return 0;
}

static void memory_dealloc(PyObject *object)
{
    struct py_device_memory *self = of(object);
    py_dealloc_begin(object);
    give_back(self);
    Py_XDECREF(self->owner);
    Py_XDECREF(self->finalizer);
    Py_XDECREF(self->ended);
    py_dealloc_end(object);
}

static bool flush_deferred(void)
{
    bool done = true;
    struct error err = {0};
    while (deferred.pending.len) {
        struct pending memory = deferred.pending.items[--deferred.pending.len];
        done = free_now(&memory, &err) && done;
    }
    return done || (py_raise(&err), false);
}

// --- where other processes can open it -------------------------------------------------

static bool move_contents(
        struct py_device_memory *self, device_address target, struct error *err)
{
    const struct device_operations *operations = self->device->operations;
    return operations->synchronize(self->device, err) &&
           operations->copy_on_device(
                   self->device, target, self->address, self->size_bytes, NULL, err) &&
           operations->synchronize(self->device, err);
}

bool py_device_memory_share(struct py_device_memory *self)
{
    struct device *device = self->device;
    struct error err = {0};
    device_address address = 0;
    bool done;
    if (self->is_shared || self->is_foreign)
        return true;
    DEVICE_CALL(done, &err,
            device->operations->memory_alloc_shared(
                    device, self->size_bytes, &address, &err));
    if (!done)
        return false;
    DEVICE_WAIT(done, device, &err, move_contents(self, address, &err));
    if (!done) {
        device->operations->memory_free_shared(device, address, &err);
        return false;
    }
    if (self->is_seen)
        self->before = self->address; // others may still use it there
    else
        free_or_defer(self, self->address, false);
    self->shift = address - self->address;
    self->is_shared = true;
    return true;
}

// --- the object ----------------------------------------------------------------------

// The number in an int, or in a ctypes object.
static bool read_address(PyObject *object, device_address *address)
{
    int failed = 0;
    PyObject *value = PyLong_Check(object) ? Py_NewRef(object)
                                           : py_attr_or_null(object, "value", &failed);
    if (!value && !failed)
        PyErr_Format(PyExc_TypeError, "a pointer has to be an int, not %R", object);
    if (!value)
        return false;
    *address = value == Py_None ? 0 : PyLong_AsUnsignedLongLong(value);
    Py_DECREF(value);
    return !PyErr_Occurred();
}

static struct device *context_device(PyObject *context)
{
    PyObject *device = PyObject_GetAttrString(context, "device");
    PyObject *number = device ? PyObject_GetAttrString(device, "id") : NULL;
    struct device *found = number ? py_device_numbered(number) : NULL;
    Py_XDECREF(number);
    Py_XDECREF(device);
    return found;
}

// MemoryPointer(context, pointer, size, owner=None, finalizer=None)
static PyObject *memory_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"context", "pointer", "size", "owner", "finalizer", NULL};
    PyObject *context, *pointer, *owner = Py_None, *finalizer = Py_None;
    Py_ssize_t size = 0;
    device_address address = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOn|OO:MemoryPointer", keywords,
                &context, &pointer, &size, &owner, &finalizer))
        return NULL;
    if (size < 0) {
        PyErr_SetString(PyExc_ValueError, "the size of memory cannot be negative");
        return NULL;
    }
    struct device *device = context_device(context);
    if (!device || !read_address(pointer, &address))
        return NULL;
    struct py_device_memory *self = memory_create(type, device, address, (size_t)size);
    if (!self)
        return NULL;
    self->is_foreign = true;
    self->owner = owner == Py_None ? NULL : Py_NewRef(owner);
    self->finalizer = finalizer == Py_None ? NULL : Py_NewRef(finalizer);
    return (PyObject *)self;
}

static PyObject *get_address(PyObject *object, void *unused)
{
    if (!py_device_memory_check(of(object)))
        return NULL;
    of(object)->is_seen = true;
    return PyLong_FromUnsignedLongLong(of(object)->address + of(object)->shift);
}

static PyObject *get_pointer(PyObject *object, void *type_name)
{
    PyObject *address = get_address(object, NULL);
    PyObject *class =
            address ? py_import_attr("gridcell.cuda.cudadrv.addresses", type_name) : NULL;
    PyObject *pointer = class ? PyObject_CallOneArg(class, address) : NULL;
    Py_XDECREF(class);
    Py_XDECREF(address);
    return pointer;
}

static PyObject *get_size(PyObject *object, void *unused)
{
    return PyLong_FromSize_t(of(object)->size_bytes);
}

static PyObject *get_owner(PyObject *object, void *unused)
{
    return Py_NewRef(of(object)->owner ? of(object)->owner : Py_None);
}

static PyObject *get_context(PyObject *object, void *unused)
{
    PyObject *function = py_import_attr("gridcell.cuda.cudadrv.devices", "get_context");
    PyObject *context =
            function ? PyObject_CallFunction(function, "i", of(object)->device->id)
                     : NULL;
    Py_XDECREF(function);
    return context;
}

static PyObject *get_true(PyObject *object, void *unused)
{
    (void)object, (void)unused;
    Py_RETURN_TRUE;
}

// What numba's own views keep their memory by: here the memory itself is counted.
static PyObject *memory_own(PyObject *object, PyObject *unused)
{
    return Py_NewRef(object);
}

static PyObject *memory_free(PyObject *object, PyObject *unused)
{
    struct py_device_memory *self = of(object);
    if (self->ended) {
        PyErr_SetString(PyExc_RuntimeError, "Freeing dead memory");
        return NULL;
    }
    PyObject *why = PyUnicode_FromString("its memory has been freed");
    if (!why)
        return NULL;
    give_back(self);
    self->ended = why;
    Py_RETURN_NONE;
}

// _end(why): what is foreign has gone.
static PyObject *memory_end(PyObject *object, PyObject *why)
{
    struct py_device_memory *self = of(object);
    if (!PyUnicode_Check(why)) {
        PyErr_SetString(PyExc_TypeError, "the reason has to be a str");
        return NULL;
    }
    if (!self->ended) {
        give_back(self);
        self->ended = Py_NewRef(why);
    }
    Py_RETURN_NONE;
}

static PyObject *memory_memset(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"byte", "count", "stream", NULL};
    struct py_device_memory *self = of(object);
    unsigned char byte = 0;
    PyObject *count_object = Py_None, *stream_object = NULL;
    struct device_stream *stream = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "b|OO:memset", keywords, &byte,
                &count_object, &stream_object) ||
            !py_stream_get(stream_object, &stream) || !py_device_memory_check(self))
        return NULL;
    size_t count =
            count_object == Py_None ? self->size_bytes : PyLong_AsSize_t(count_object);
    if (PyErr_Occurred())
        return NULL;
    if (count > self->size_bytes) {
        PyErr_Format(PyExc_ValueError, "%zu bytes are more than the memory's %zu", count,
                self->size_bytes);
        return NULL;
    }
    struct error err = {0};
    bool done;
    double begin = activity_clock();
    DEVICE_WAIT(done, self->device, &err,
            self->device->operations->memory_set(self->device,
                    self->address + self->shift, byte, count, stream, &err));
    activity_note(ACTIVITY_SET, "", begin, count, stream);
    return done ? Py_NewRef(Py_None) : NULL;
}

// view(start, stop=None): a part, which keeps the whole alive.
static PyObject *memory_view(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"start", "stop", NULL};
    struct py_device_memory *self = of(object);
    Py_ssize_t start, stop = -1, size = (Py_ssize_t)self->size_bytes;
    PyObject *stop_object = Py_None;
    if (!PyArg_ParseTupleAndKeywords(
                args, kwargs, "n|O:view", keywords, &start, &stop_object))
        return NULL;
    stop = stop_object == Py_None ? size
                                  : PyNumber_AsSsize_t(stop_object, PyExc_OverflowError);
    if (PyErr_Occurred())
        return NULL;
    if (start < 0 || stop > size || start > stop) {
        PyErr_Format(PyExc_RuntimeError,
                "a view from byte %zd to %zd does not lie in memory of %zd bytes", start,
                stop, size);
        return NULL;
    }
    if (!py_device_memory_check(self))
        return NULL;
    self->is_seen = true;
    return (PyObject *)py_device_memory_foreign(self->device,
            self->address + self->shift + (device_address)start, (size_t)(stop - start),
            object);
}

static PyMethodDef memory_methods[] = {
        {"own", memory_own, METH_NOARGS, "The memory itself."},
        {"free", memory_free, METH_NOARGS, "Frees it now, whoever still has it."},
        {"memset", PY_KEYWORDS(memory_memset), "Sets bytes."},
        {"view", PY_KEYWORDS(memory_view), "A part of it."},
        {"_end", memory_end, METH_O, "Says why it cannot be used any more."},
        {0},
};

static PyGetSetDef memory_getset[] = {
        PY_GETTER("device_pointer_value", get_address),
        {.name = "device_pointer", .get = get_pointer, .closure = "Handle"},
        {.name = "handle", .get = get_pointer, .closure = "Handle"},
        {.name = "device_ctypes_pointer", .get = get_pointer, .closure = "Pointer"},
        PY_GETTER("size", get_size),
        PY_GETTER("_cuda_memsize_", get_size),
        PY_GETTER("__cuda_memory__", get_true),
        PY_GETTER("owner", get_owner),
        PY_GETTER("context", get_context),
        {0},
};

static PyMemberDef memory_members[] = {
        PY_WEAKREFS(struct py_device_memory),
        {0},
};

static PyType_Slot memory_slots[] = {
        {Py_tp_new, memory_new},
        {Py_tp_dealloc, memory_dealloc},
        {Py_tp_traverse, memory_traverse},
        {Py_tp_methods, memory_methods},
        {Py_tp_getset, memory_getset},
        {Py_tp_members, memory_members},
        {0},
};

// --- functions of the module -----------------------------------------------------------

// defer(begin): opens or closes a block in which nothing is freed; how many are open
// then.
static PyObject *defer_frees(PyObject *module, PyObject *begin)
{
    int is_begin = PyObject_IsTrue(begin);
    if (is_begin < 0)
        return NULL;
    deferred.depth += is_begin ? 1 : deferred.depth > 0 ? -1 : 0;
    if (deferred.depth == 0 && !flush_deferred())
        return NULL;
    return PyLong_FromLong(deferred.depth);
}

// deferred(): (blocks that are open, frees that wait for their end)
static PyObject *count_deferred(PyObject *module, PyObject *unused)
{
    return Py_BuildValue("in", deferred.depth, (Py_ssize_t)deferred.pending.len);
}

// set_allocator(function or None)
static PyObject *set_allocator(PyObject *module, PyObject *function)
{
    PyObject *old = py_device_types()->allocator;
    py_device_types()->allocator = function == Py_None ? NULL : Py_NewRef(function);
    Py_XDECREF(old);
    Py_RETURN_NONE;
}

// allocate(device, size): memory of the device's own, whatever manager there is.
static PyObject *allocate(PyObject *module, PyObject *args)
{
    PyObject *number;
    Py_ssize_t size;
    device_address address = 0;
    struct error err = {0};
    if (!PyArg_ParseTuple(args, "On", &number, &size))
        return NULL;
    if (size < 0) {
        PyErr_SetString(PyExc_ValueError, "the size of memory cannot be negative");
        return NULL;
    }
    struct device *device = py_device_numbered(number);
    if (!device)
        return NULL;
    if (!py_device_allocate(device, (size_t)size, &address))
        return NULL;
    struct py_device_memory *self =
            memory_create(py_device_types()->memory, device, address, (size_t)size);
    if (!self)
        device->operations->memory_free(device, address, &err);
    return (PyObject *)self;
}

PyMethodDef py_device_memory_functions[] = {
        {"cuda_allocate", allocate, METH_VARARGS, "New memory of a device."},
        {"cuda_defer_frees", defer_frees, METH_O,
                "Begins or ends a block without frees."},
        {"cuda_deferred_frees", count_deferred, METH_NOARGS, "What waits to be freed."},
        {"cuda_set_allocator", set_allocator, METH_O,
                "Whom to ask for the memory of arrays."},
        {0},
};

bool py_device_memory_init(struct device_types *types, PyObject *module)
{
    types->memory = py_add_type("numba.cuda.cudadrv.driver.MemoryPointer",
            sizeof(struct py_device_memory), Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
            memory_slots);
    return types->memory;
}
