// SPDX-License-Identifier: MIT
// sys.stdout and sys.stderr: text files whose text becomes stream messages.
#include "kernel/python/state/py_state.h"

#include <string.h>

#include "kernel/python/state/py_text.h"

// The fields stand behind those of _io._TextIOBase, whose size only the interpreter
// knows.
struct stream {
    enum output_stream kind;
    PyObject *buffer; // binary face; NULL until asked for
};

struct stream_buffer {
    PyObject_HEAD enum output_stream kind;
};

static struct stream *stream_of(PyObject *self)
{
    return (struct stream *)((char *)self + shell_get()->stream_offset);
}

bool streams_await_room(void)
{
    enum { LOOK_MS = 50 };
    while (!output_has_room()) {
        Py_BEGIN_ALLOW_THREADS;
        front_end_await_room(LOOK_MS);
        Py_END_ALLOW_THREADS;
        if (PyErr_CheckSignals() < 0)
            return false;
    }
    return true;
}

static PyObject *stream_write(PyObject *self, PyObject *text)
{
    if (!PyUnicode_Check(text)) {
        return PyErr_Format(PyExc_TypeError, "write() argument must be str, not %s",
                Py_TYPE(text)->tp_name);
    }
    Py_ssize_t len;
    PyObject *holder;
    const char *utf8 = py_utf8(text, &len, &holder);
    if (!utf8)
        return NULL;
    if (!streams_await_room()) {
        Py_DECREF(holder);
        return NULL;
    }
    output_stream(stream_of(self)->kind, utf8, (size_t)len);
    Py_DECREF(holder);
    return PyLong_FromSsize_t(PyUnicode_GET_LENGTH(text));
}

static PyObject *stream_flush(PyObject *self, PyObject *args)
{
    output_flush_soon();
    Py_RETURN_NONE;
}

static PyObject *return_false(PyObject *self, PyObject *args)
{
    Py_RETURN_FALSE;
}

static PyObject *return_true(PyObject *self, PyObject *args)
{
    Py_RETURN_TRUE;
}

static PyObject *stream_is_master(PyObject *self, PyObject *args)
{
    return PyBool_FromLong(!output_is_child());
}

static PyObject *return_none(PyObject *self, PyObject *args, PyObject *kwargs)
{
    Py_RETURN_NONE;
}

static PyObject *stream_fileno(PyObject *self, PyObject *args)
{
    enum output_stream kind = stream_of(self)->kind;
    if (output_is_terminal())
        return PyLong_FromLong(kind == STREAM_STDOUT ? 1 : 2);
    return PyLong_FromLong(front_end_original_fd(kind));
}

static PyObject *stream_encoding(PyObject *self, void *closure)
{
    return PyUnicode_FromString("UTF-8");
}

static PyObject *stream_errors(PyObject *self, void *closure)
{
    return PyUnicode_FromString("strict");
}

static PyObject *stream_name(PyObject *self, void *closure)
{
    return PyUnicode_FromString(
            stream_of(self)->kind == STREAM_STDOUT ? "stdout" : "stderr");
}

static PyObject *stream_mode(PyObject *self, void *closure)
{
    return PyUnicode_FromString("w");
}

static PyObject *stream_is_closed(PyObject *self, void *closure)
{
    Py_RETURN_FALSE;
}

static PyObject *buffer_create(enum output_stream kind)
{
    PyTypeObject *type = (PyTypeObject *)shell_get()->buffer_type;
    struct stream_buffer *buffer = (struct stream_buffer *)type->tp_alloc(type, 0);
    if (buffer)
        buffer->kind = kind;
    return (PyObject *)buffer;
}

// ipykernel's: a file that gets all text besides.
static PyObject *stream_echo(PyObject *self, void *closure)
{
    Py_RETURN_NONE;
}

static PyObject *stream_buffer(PyObject *self, void *closure)
{
    struct stream *stream = stream_of(self);
    if (!stream->buffer)
        stream->buffer = buffer_create(stream->kind);
    return Py_XNewRef(stream->buffer);
}

static void stream_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    Py_CLEAR(stream_of(self)->buffer);
    type->tp_base->tp_dealloc(self);
    Py_DECREF(type);
}

static PyMethodDef stream_methods[] = {
        {"write", stream_write, METH_O, "Sends text to the front end."},
        {"flush", stream_flush, METH_NOARGS, "Sends what is buffered."},
        {"close", (PyCFunction)stream_flush, METH_NOARGS,
                "Only flushes: the stream stays usable."},
        {"isatty", return_false, METH_NOARGS, "False: a notebook is no terminal."},
        {"readable", return_false, METH_NOARGS, NULL},
        {"_is_master_process", stream_is_master, METH_NOARGS, "False in a forked child."},
        {"seekable", return_false, METH_NOARGS, NULL},
        {"writable", return_true, METH_NOARGS, NULL},
        {"fileno", stream_fileno, METH_NOARGS,
                "The descriptor that the kernel was started with."},
        {"reconfigure", PY_KEYWORDS(return_none), NULL},
        {NULL, NULL, 0, NULL},
};

static PyGetSetDef stream_properties[] = {
        PY_GETTER("encoding", stream_encoding),
        PY_GETTER("errors", stream_errors),
        PY_GETTER("name", stream_name),
        PY_GETTER("mode", stream_mode),
        PY_GETTER("closed", stream_is_closed),
        PY_GETTER("echo", stream_echo),
        PY_GETTER("buffer", stream_buffer),
        {0},
};

static PyObject *buffer_write(PyObject *self, PyObject *bytes)
{
    Py_buffer view;
    if (!streams_await_room() || PyObject_GetBuffer(bytes, &view, PyBUF_SIMPLE) < 0)
        return NULL;
    output_stream(((struct stream_buffer *)self)->kind, view.buf, (size_t)view.len);
    Py_ssize_t len = view.len;
    PyBuffer_Release(&view);
    return PyLong_FromSsize_t(len);
}

static PyMethodDef buffer_methods[] = {
        {"write", buffer_write, METH_O, "Sends UTF-8 text to the front end."},
        {"flush", stream_flush, METH_NOARGS, NULL},
        {"writable", return_true, METH_NOARGS, NULL},
        {"isatty", return_false, METH_NOARGS, NULL},
        {NULL, NULL, 0, NULL},
};

static bool make_types(void)
{
    struct shell *shell = shell_get();
    PyObject *base = py_import_attr("_io", "_TextIOBase");
    if (!base)
        return false;
    Py_ssize_t align = (Py_ssize_t)sizeof(void *);
    shell->stream_offset =
            (((PyTypeObject *)base)->tp_basicsize + align - 1) / align * align;
    PyType_Slot slots[] = {{Py_tp_methods, stream_methods},
            {Py_tp_getset, stream_properties}, {Py_tp_dealloc, (void *)stream_dealloc},
            {0, NULL}};
    PyType_Spec spec = {"ipykernel.iostream.OutStream",
            (int)shell->stream_offset + (int)sizeof(struct stream), 0,
            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    shell->stream_type = PyType_FromSpecWithBases(&spec, base);
    PyType_Slot buffer_slots[] = {{Py_tp_methods, buffer_methods}, {0, NULL}};
    PyType_Spec buffer_spec = {"ipykernel.iostream.OutBuffer",
            sizeof(struct stream_buffer), 0,
            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, buffer_slots};
    shell->buffer_type = PyType_FromSpec(&buffer_spec);
    Py_DECREF(base);
    return shell->stream_type && shell->buffer_type;
}

static bool install(const char *name, const char *original, enum output_stream kind)
{
    PyTypeObject *type = (PyTypeObject *)shell_get()->stream_type;
    PyObject *stream = type->tp_alloc(type, 0);
    if (!stream)
        return false;
    stream_of(stream)->kind = kind;
    int status = PySys_SetObject(name, stream);
    // sys.__stdout__ too: the descriptors behind Python's own files are captured as C
    // output
    if (status == 0)
        status = PySys_SetObject(original, stream);
    Py_DECREF(stream);
    return status == 0;
}

// isinstance(sys.stdout, io.TextIOBase) holds for the abstract class by registration.
static bool register_type(void)
{
    PyObject *base = py_import_attr("io", "TextIOBase");
    PyObject *result =
            base ? py_call_method(base, "register", "(O)", shell_get()->stream_type)
                 : NULL;
    Py_XDECREF(result);
    Py_XDECREF(base);
    return result != NULL;
}

bool streams_init(void)
{
    return make_types() && register_type() &&
           install("stdout", "__stdout__", STREAM_STDOUT) &&
           install("stderr", "__stderr__", STREAM_STDERR);
}
