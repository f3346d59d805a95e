// SPDX-License-Identifier: MIT
// Streams and events.
#include "runtime/device/objects/py_device.h"

#include <string.h>

enum stream_kind {
    STREAM_OWN,
    STREAM_DEFAULT,
    STREAM_LEGACY,
    STREAM_PER_THREAD,
    STREAM_EXTERNAL
};

struct py_stream {
    PyObject ob_base;
    struct device *device;
    uint64_t generation; // of the context that it was made in
    enum stream_kind kind;
    struct device_stream *stream; // NULL: the default stream
};

struct py_event {
    PyObject ob_base;
    struct device *device;
    uint64_t generation;
    struct device_event *event;
};

// The default streams are in every context.
static bool stream_is_usable(const struct py_stream *self)
{
    bool is_made = self->kind == STREAM_OWN || self->kind == STREAM_EXTERNAL;
    return !is_made || py_device_check(self->device, self->generation, "this stream");
}

bool py_stream_check(PyObject *object)
{
    return !object || stream_is_usable((struct py_stream *)object);
}

bool py_stream_get(PyObject *object, struct device_stream **stream)
{
    *stream = NULL;
    if (!object || object == Py_None)
        return true;
    if (PyObject_TypeCheck(object, py_device_types()->stream)) {
        *stream = ((struct py_stream *)object)->stream;
        return stream_is_usable((struct py_stream *)object);
    }
    if (PyLong_Check(object) && PyObject_IsTrue(object) == 0)
        return true;
    PyObject *ours = py_stream_keep(object);
    if (ours)
        *stream = ((struct py_stream *)ours)->stream;
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

// Memory may be on its way between allocations when the first foreign stream comes.
static bool stream_admit(struct py_stream *self, struct error *err)
{
    struct device *device = self->device;
    return !self->stream || atomic_exchange(&device->has_foreign_streams, true) ||
           device->operations->synchronize(device, err);
}

static bool stream_open(struct py_stream *self, unsigned long long handle)
{
    struct error err = {0};
    if (self->kind == STREAM_EXTERNAL) {
        self->stream = (struct device_stream *)(uintptr_t)handle;
        if (!stream_admit(self, &err)) {
            py_raise(&err);
            return false;
        }
    }
    if (self->kind == STREAM_LEGACY)
        self->stream = DEVICE_STREAM_LEGACY;
    else if (self->kind == STREAM_PER_THREAD)
        self->stream = DEVICE_STREAM_PER_THREAD;
    else if (self->kind == STREAM_OWN && !self->device->operations->stream_create(
                                                 self->device, &self->stream, &err)) {
        py_raise(&err);
        return false;
    }
    self->generation = atomic_load(&self->device->generation);
    return true;
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
    struct device *device = py_device_current();
    if (!device)
        return NULL;
    struct py_stream *self = (struct py_stream *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    self->device = device;
    self->kind = kind;
    if (!stream_open(self, handle)) {
        self->stream = NULL;
        Py_CLEAR(self);
    }
    return (PyObject *)self;
}

// Destroys a stream or event, or forgets it where its context has ended.
static void destroy(struct device *device, uint64_t generation, enum device_resource kind,
        void *handle)
{
    const struct device_operations *operations = device->operations;
    if (generation != atomic_load(&device->generation)) {
        if (operations->forget)
            operations->forget(device, kind, (uint64_t)(uintptr_t)handle);
    } else if (kind == RESOURCE_STREAM) {
        operations->stream_destroy(device, handle);
    } else {
        operations->event_destroy(device, handle);
    }
}

static void stream_dealloc(PyObject *object)
{
    struct py_stream *self = (struct py_stream *)object;
    if (self->stream && self->kind == STREAM_OWN)
        destroy(self->device, self->generation, RESOURCE_STREAM, self->stream);
    py_dealloc_end(object);
}

static PyObject *stream_synchronize(PyObject *object, PyObject *unused)
{
    struct py_stream *self = (struct py_stream *)object;
    struct error err = {0};
    bool done;
    if (!stream_is_usable(self))
        return NULL;
    DEVICE_CALL(done, &err,
            self->device->operations->stream_synchronize(
                    self->device, self->stream, &err));
    return done ? Py_NewRef(Py_None) : NULL;
}

static PyObject *stream_query(PyObject *object, PyObject *unused)
{
    struct py_stream *self = (struct py_stream *)object;
    struct error err = {0};
    bool is_done = false;
    if (!stream_is_usable(self))
        return NULL;
    if (!self->device->operations->stream_query(
                self->device, self->stream, &is_done, &err))
        return py_raise(&err);
    return PyBool_FromLong(is_done);
}

static PyObject *stream_int(PyObject *object)
{
    return PyLong_FromVoidPtr(((struct py_stream *)object)->stream);
}

static int stream_bool(PyObject *object)
{
    return ((struct py_stream *)object)->stream != NULL;
}

static PyObject *stream_repr(PyObject *object)
{
    struct py_stream *self = (struct py_stream *)object;
    switch (self->stream ? self->kind : STREAM_DEFAULT) {
    case STREAM_DEFAULT:
        return PyUnicode_FromString("<Default CUDA stream>");
    case STREAM_LEGACY:
        return PyUnicode_FromString("<Legacy default CUDA stream>");
    case STREAM_PER_THREAD:
        return PyUnicode_FromString("<Per-thread default CUDA stream>");
    default:
        break;
    }
    PyObject *number = stream_int(object);
    const char *format = self->kind == STREAM_EXTERNAL ? "<External CUDA stream %S>"
                                                       : "<CUDA stream %S>";
    PyObject *text = number ? PyUnicode_FromFormat(format, number) : NULL;
    Py_XDECREF(number);
    return text;
}

static PyObject *stream_is_external(PyObject *object, void *unused)
{
    return PyBool_FromLong(((struct py_stream *)object)->kind == STREAM_EXTERNAL);
}

static PyObject *stream_device_id(PyObject *object, void *unused)
{
    return PyLong_FromLong(((struct py_stream *)object)->device->id);
}

static PyGetSetDef stream_getset[] = {
        PY_GETTER("_device_id", stream_device_id),
        PY_GETTER("external", stream_is_external),
        {0},
};

static PyMethodDef stream_methods[] = {
        {"synchronize", stream_synchronize, METH_NOARGS,
                "Waits for the work queued in this stream."},
        {"query", stream_query, METH_NOARGS,
                "Whether all work queued in this stream is done."},
        {0},
};

static PyType_Slot stream_slots[] = {
        {Py_tp_new, stream_new},
        {Py_tp_dealloc, stream_dealloc},
        {Py_tp_repr, stream_repr},
        {Py_tp_methods, stream_methods},
        {Py_tp_getset, stream_getset},
        {Py_nb_int, stream_int},
        {Py_nb_index, stream_int},
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
    struct device *device = py_device_current();
    if (!device)
        return NULL;
    struct py_event *self = (struct py_event *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    self->device = device;
    struct error err = {0};
    if (!device->operations->event_create(device, has_timing, &self->event, &err)) {
        Py_DECREF(self);
        return py_raise(&err);
    }
    self->generation = atomic_load(&device->generation);
    return (PyObject *)self;
}

static void event_dealloc(PyObject *object)
{
    struct py_event *self = (struct py_event *)object;
    if (self->event)
        destroy(self->device, self->generation, RESOURCE_EVENT, self->event);
    py_dealloc_end(object);
}

static bool event_is_usable(const struct py_event *self)
{
    return py_device_check(self->device, self->generation, "this event");
}

// Reads the one optional argument `stream` of record and wait.
static bool event_stream(PyObject *args, PyObject *kwargs, struct device_stream **stream)
{
    static char *keywords[] = {"stream", NULL};
    PyObject *object = NULL;
    return PyArg_ParseTupleAndKeywords(args, kwargs, "|O", keywords, &object) &&
           py_stream_get(object, stream);
}

static PyObject *event_record(PyObject *object, PyObject *args, PyObject *kwargs)
{
    struct py_event *self = (struct py_event *)object;
    struct device_stream *stream = NULL;
    struct error err = {0};
    if (!event_is_usable(self) || !event_stream(args, kwargs, &stream))
        return NULL;
    if (!self->device->operations->event_record(self->device, self->event, stream, &err))
        return py_raise(&err);
    Py_RETURN_NONE;
}

static PyObject *event_wait(PyObject *object, PyObject *args, PyObject *kwargs)
{
    struct py_event *self = (struct py_event *)object;
    struct device_stream *stream = NULL;
    struct error err = {0};
    if (!event_is_usable(self) || !event_stream(args, kwargs, &stream))
        return NULL;
    if (!self->device->operations->event_wait(self->device, self->event, stream, &err))
        return py_raise(&err);
    Py_RETURN_NONE;
}

static PyObject *event_synchronize(PyObject *object, PyObject *unused)
{
    struct py_event *self = (struct py_event *)object;
    struct error err = {0};
    bool done;
    if (!event_is_usable(self))
        return NULL;
    DEVICE_CALL(done, &err,
            self->device->operations->event_synchronize(self->device, self->event, &err));
    return done ? Py_NewRef(Py_None) : NULL;
}

static PyObject *event_query(PyObject *object, PyObject *unused)
{
    struct py_event *self = (struct py_event *)object;
    struct error err = {0};
    bool is_done = false;
    if (!event_is_usable(self))
        return NULL;
    if (!self->device->operations->event_query(self->device, self->event, &is_done, &err))
        return py_raise(&err);
    return PyBool_FromLong(is_done);
}

static PyObject *event_elapsed_time(PyObject *object, PyObject *other)
{
    struct py_event *self = (struct py_event *)object;
    if (!PyObject_TypeCheck(other, py_device_types()->event)) {
        PyErr_Format(PyExc_TypeError, "elapsed_time needs an event, got %R", other);
        return NULL;
    }
    struct error err = {0};
    float elapsed_ms = 0;
    if (!event_is_usable(self) || !event_is_usable((struct py_event *)other))
        return NULL;
    if (!self->device->operations->event_elapsed_ms(self->device, self->event,
                ((struct py_event *)other)->event, &elapsed_ms, &err))
        return py_raise(&err);
    return PyFloat_FromDouble(elapsed_ms);
}

static PyObject *event_int(PyObject *object)
{
    return PyLong_FromVoidPtr(((struct py_event *)object)->event);
}

static PyMethodDef event_methods[] = {
        {"record", (PyCFunction)(void (*)(void))event_record,
                METH_VARARGS | METH_KEYWORDS,
                "Marks the point that the stream's work has reached."},
        {"wait", (PyCFunction)(void (*)(void))event_wait, METH_VARARGS | METH_KEYWORDS,
                "Makes later work of the stream wait for this event."},
        {"synchronize", event_synchronize, METH_NOARGS, "Waits for the event."},
        {"query", event_query, METH_NOARGS, "Whether the work before the event is done."},
        {"elapsed_time", event_elapsed_time, METH_O,
                "Milliseconds from this event to another."},
        {0},
};

static PyType_Slot event_slots[] = {
        {Py_tp_new, event_new},
        {Py_tp_dealloc, event_dealloc},
        {Py_tp_methods, event_methods},
        {Py_nb_int, event_int},
        {Py_nb_index, event_int},
        {0},
};

bool py_stream_init(struct device_types *types, PyObject *module)
{
    types->stream = py_add_type("gridcell._gridcell.RawStream", sizeof(struct py_stream),
            Py_TPFLAGS_BASETYPE, stream_slots);
    types->event = py_add_type("gridcell._gridcell.RawEvent", sizeof(struct py_event),
            Py_TPFLAGS_BASETYPE, event_slots);
    return types->stream && types->event;
}
