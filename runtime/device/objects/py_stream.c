// SPDX-License-Identifier: MIT
// Streams and events.
#include "runtime/device/objects/py_device.h"

#include <string.h>

#include "base/activity.h"

enum stream_kind {
    STREAM_OWN,
    STREAM_DEFAULT,
    STREAM_LEGACY,
    STREAM_PER_THREAD,
    STREAM_EXTERNAL
};

// A stream or an event.
struct py_resource {
    PyObject ob_base;
    struct device *device;
    uint64_t generation;           // of the context that it was made in
    enum device_resource resource; // RESOURCE_STREAM or RESOURCE_EVENT
    enum stream_kind kind;         // events are STREAM_OWN
    void *handle;                  // NULL: the default stream
};

static struct py_resource *of(PyObject *object)
{
    return (struct py_resource *)object;
}

// Whether its context is still there, as it always is for default streams; false with an
// exception set.
static bool is_usable(const struct py_resource *self)
{
    bool is_made = self->kind == STREAM_OWN || self->kind == STREAM_EXTERNAL;
    return !is_made ||
           py_device_check(self->device, self->generation,
                   self->resource == RESOURCE_STREAM ? "this stream" : "this event");
}

// A new one of the current device, without a handle; NULL with an exception set.
static struct py_resource *resource_new(
        PyTypeObject *type, enum device_resource resource, enum stream_kind kind)
{
    struct device *device = py_device_current();
    struct py_resource *self = device ? of(type->tp_alloc(type, 0)) : NULL;
    if (!self)
        return NULL;
    self->device = device;
    self->resource = resource;
    self->kind = kind;
    return self;
}

// The object once its handle is made, or given up with the exception of `err`. The first
// handle of a device makes its context, so it is only now that the generation is known.
static PyObject *resource_made(
        struct py_resource *self, bool is_made, const struct error *err)
{
    if (!is_made) {
        Py_DECREF(self);
        return py_raise(err);
    }
    self->generation = atomic_load(&self->device->generation);
    return (PyObject *)self;
}

// Destroys the handle, or forgets it where its context has ended. Not where `handle` is
// another library's.
static void resource_dealloc(PyObject *object)
{
    struct py_resource *self = of(object);
    const struct device_operations *operations = self->device->operations;
    bool is_ours = self->handle && self->kind == STREAM_OWN;
    if (is_ours && self->generation != atomic_load(&self->device->generation)) {
        if (operations->forget)
            operations->forget(
                    self->device, self->resource, (uint64_t)(uintptr_t)self->handle);
    } else if (is_ours && self->resource == RESOURCE_STREAM) {
        operations->stream_destroy(self->device, self->handle);
    } else if (is_ours) {
        operations->event_destroy(self->device, self->handle);
    }
    py_dealloc_end(object);
}

static PyObject *resource_synchronize(PyObject *object, PyObject *unused)
{
    struct py_resource *self = of(object);
    const struct device_operations *operations = self->device->operations;
    struct error err = {0};
    bool done;
    if (!is_usable(self))
        return NULL;
    bool is_stream = self->resource == RESOURCE_STREAM;
    double begin = activity_clock();
    DEVICE_WAIT(done, self->device, &err,
            is_stream ? operations->stream_synchronize(self->device, self->handle, &err)
                      : operations->event_synchronize(self->device, self->handle, &err));
    activity_note(ACTIVITY_WAIT, is_stream ? "stream.synchronize" : "event.synchronize",
            begin, 0, is_stream ? self->handle : NULL);
    return done ? Py_NewRef(Py_None) : NULL;
}

static PyObject *resource_query(PyObject *object, PyObject *unused)
{
    struct py_resource *self = of(object);
    const struct device_operations *operations = self->device->operations;
    struct error err = {0};
    bool is_done = false;
    if (!is_usable(self))
        return NULL;
    bool is_known =
            self->resource == RESOURCE_STREAM
                    ? operations->stream_query(self->device, self->handle, &is_done, &err)
                    : operations->event_query(self->device, self->handle, &is_done, &err);
    return is_known ? PyBool_FromLong(is_done) : py_raise(&err);
}

static PyObject *resource_int(PyObject *object)
{
    return PyLong_FromVoidPtr(of(object)->handle);
}

// --- streams -------------------------------------------------------------------------

bool py_stream_check(PyObject *object)
{
    return !object || is_usable(of(object));
}

bool py_stream_get(PyObject *object, struct device_stream **stream)
{
    *stream = NULL;
    if (!object || object == Py_None)
        return true;
    if (PyObject_TypeCheck(object, py_device_types()->stream)) {
        *stream = of(object)->handle;
        return is_usable(of(object));
    }
    if (PyLong_Check(object) && PyObject_IsTrue(object) == 0)
        return true;
    PyObject *ours = py_stream_keep(object);
    if (ours)
        *stream = of(ours)->handle;
    Py_XDECREF(ours);
    return ours != NULL;
}

// The protocol of streams: __cuda_stream__() gives (version, handle).
PyObject *py_stream_keep(PyObject *object)
{
    if (PyObject_TypeCheck(object, py_device_types()->stream))
        return Py_NewRef(object);
    PyObject *adopt = py_import_attr("gridcell.cuda.cudadrv.driver", "adopt_stream");
    PyObject *stream = adopt ? PyObject_CallOneArg(adopt, object) : NULL;
    Py_XDECREF(adopt);
    return stream;
}

static bool read_stream_kind(const char *text, enum stream_kind *kind)
{
    static const char *const names[] = {
            "own", "default", "legacy", "per-thread", "external"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!strcmp(names[i], text)) {
            *kind = (enum stream_kind)i;
            return true;
        }
    }
    PyErr_Format(PyExc_ValueError, "no kind of stream: %s", text);
    return false;
}

// Makes or takes the handle; false with err set.
static bool stream_open(
        struct py_resource *self, unsigned long long handle, struct error *err)
{
    struct device_stream *made = NULL;
    switch (self->kind) {
    case STREAM_EXTERNAL:
        self->handle = (void *)(uintptr_t)handle;
        return true;
    case STREAM_OWN:
        if (!self->device->operations->stream_create(self->device, &made, err))
            return false;
        self->handle = made;
        return true;
    case STREAM_LEGACY:
        self->handle = DEVICE_STREAM_LEGACY;
        return true;
    case STREAM_PER_THREAD:
        self->handle = DEVICE_STREAM_PER_THREAD;
        return true;
    case STREAM_DEFAULT:
        return true;
    }
    return true;
}

// Memory may be on its way between allocations when the first foreign stream comes. False
// with an exception set.
static bool admit_foreign(struct device *device)
{
    struct error err = {0};
    bool done = atomic_exchange(&device->has_foreign_streams, true);
    if (!done)
        DEVICE_WAIT(done, device, &err, device->operations->synchronize(device, &err));
    return done;
}

// Stream(kind="own", handle=0)
static PyObject *stream_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"kind", "handle", NULL};
    const char *text = "own";
    unsigned long long handle = 0;
    enum stream_kind kind;
    if (!PyArg_ParseTupleAndKeywords(
                args, kwargs, "|sK:Stream", keywords, &text, &handle) ||
            !read_stream_kind(text, &kind))
        return NULL;
    struct py_resource *self = resource_new(type, RESOURCE_STREAM, kind);
    struct error err = {0};
    if (!self)
        return NULL;
    PyObject *made = resource_made(self, stream_open(self, handle, &err), &err);
    if (made && kind == STREAM_EXTERNAL && handle && !admit_foreign(self->device))
        Py_CLEAR(made);
    return made;
}

// The default stream is one, too, though its number is 0: `stream or another` keeps it.
static int stream_bool(PyObject *object)
{
    return 1;
}

static PyObject *stream_repr(PyObject *object)
{
    struct py_resource *self = of(object);
    switch (self->handle ? self->kind : STREAM_DEFAULT) {
    case STREAM_DEFAULT:
        return PyUnicode_FromString("<Default CUDA stream>");
    case STREAM_LEGACY:
        return PyUnicode_FromString("<Legacy default CUDA stream>");
    case STREAM_PER_THREAD:
        return PyUnicode_FromString("<Per-thread default CUDA stream>");
    default:
        break;
    }
    PyObject *number = resource_int(object);
    const char *format = self->kind == STREAM_EXTERNAL ? "<External CUDA stream %S>"
                                                       : "<CUDA stream %S>";
    PyObject *text = number ? PyUnicode_FromFormat(format, number) : NULL;
    Py_XDECREF(number);
    return text;
}

static PyObject *stream_is_external(PyObject *object, void *unused)
{
    return PyBool_FromLong(of(object)->kind == STREAM_EXTERNAL);
}

static PyObject *stream_device_id(PyObject *object, void *unused)
{
    return PyLong_FromLong(of(object)->device->id);
}

static PyGetSetDef stream_getset[] = {
        PY_GETTER("_device_id", stream_device_id),
        PY_GETTER("external", stream_is_external),
        {0},
};

static PyMethodDef stream_methods[] = {
        {"synchronize", resource_synchronize, METH_NOARGS,
                "Waits for the work queued in this stream."},
        {"query", resource_query, METH_NOARGS,
                "Whether all work queued in this stream is done."},
        {0},
};

static PyType_Slot stream_slots[] = {
        {Py_tp_new, stream_new},
        {Py_tp_dealloc, resource_dealloc},
        {Py_tp_repr, stream_repr},
        {Py_tp_methods, stream_methods},
        {Py_tp_getset, stream_getset},
        {Py_nb_int, resource_int},
        {Py_nb_index, resource_int},
        {Py_nb_bool, stream_bool},
        {0},
};

// --- events --------------------------------------------------------------------------

static PyObject *event_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"timing", NULL};
    int has_timing = 1;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|p:Event", keywords, &has_timing))
        return NULL;
    struct py_resource *self = resource_new(type, RESOURCE_EVENT, STREAM_OWN);
    struct device_event *made = NULL;
    struct error err = {0};
    if (!self)
        return NULL;
    bool is_made =
            self->device->operations->event_create(self->device, has_timing, &made, &err);
    self->handle = made;
    return resource_made(self, is_made, &err);
}

// Reads the one optional argument `stream` of record and wait.
static bool event_stream(PyObject *args, PyObject *kwargs, struct device_stream **stream)
{
    static char *keywords[] = {"stream", NULL};
    PyObject *object = NULL;
    return PyArg_ParseTupleAndKeywords(args, kwargs, "|O", keywords, &object) &&
           py_stream_get(object, stream);
}

// What records an event in a stream, or makes a stream wait for it.
typedef bool (*event_operation)(struct device *device, struct device_event *event,
        struct device_stream *stream, struct error *err);

static PyObject *event_apply(
        PyObject *object, PyObject *args, PyObject *kwargs, event_operation operation)
{
    struct py_resource *self = of(object);
    struct device_stream *stream = NULL;
    struct error err = {0};
    if (!is_usable(self) || !event_stream(args, kwargs, &stream))
        return NULL;
    bool done = operation(self->device, self->handle, stream, &err);
    return done ? Py_NewRef(Py_None) : py_raise(&err);
}

static PyObject *event_record(PyObject *object, PyObject *args, PyObject *kwargs)
{
    return event_apply(
            object, args, kwargs, of(object)->device->operations->event_record);
}

static PyObject *event_wait(PyObject *object, PyObject *args, PyObject *kwargs)
{
    return event_apply(object, args, kwargs, of(object)->device->operations->event_wait);
}

static PyObject *event_elapsed_time(PyObject *object, PyObject *other)
{
    struct py_resource *self = of(object);
    if (!PyObject_TypeCheck(other, py_device_types()->event)) {
        PyErr_Format(PyExc_TypeError, "elapsed_time needs an event, got %R", other);
        return NULL;
    }
    struct error err = {0};
    float elapsed_ms = 0;
    if (!is_usable(self) || !is_usable(of(other)))
        return NULL;
    if (!self->device->operations->event_elapsed_ms(
                self->device, self->handle, of(other)->handle, &elapsed_ms, &err))
        return py_raise(&err);
    return PyFloat_FromDouble(elapsed_ms);
}

static PyMethodDef event_methods[] = {
        {"record", PY_KEYWORDS(event_record),
                "Marks the point that the stream's work has reached."},
        {"wait", PY_KEYWORDS(event_wait),
                "Makes later work of the stream wait for this event."},
        {"synchronize", resource_synchronize, METH_NOARGS, "Waits for the event."},
        {"query", resource_query, METH_NOARGS,
                "Whether the work before the event is done."},
        {"elapsed_time", event_elapsed_time, METH_O,
                "Milliseconds from this event to another."},
        {0},
};

static PyType_Slot event_slots[] = {
        {Py_tp_new, event_new},
        {Py_tp_dealloc, resource_dealloc},
        {Py_tp_methods, event_methods},
        {Py_nb_int, resource_int},
        {Py_nb_index, resource_int},
        {0},
};

bool py_stream_init(struct device_types *types, PyObject *module)
{
    types->stream = py_add_type("gridcell._gridcell.RawStream",
            sizeof(struct py_resource), Py_TPFLAGS_BASETYPE, stream_slots);
    types->event = py_add_type("gridcell._gridcell.RawEvent", sizeof(struct py_resource),
            Py_TPFLAGS_BASETYPE, event_slots);
    return types->stream && types->event;
}
