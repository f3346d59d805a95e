// SPDX-License-Identifier: MIT
// Small conversions and calls that every other py_*.c file needs.
#include "kernel/python/state/py_text.h"

#include <stdarg.h>
#include <string.h>

const char *py_utf8(PyObject *text, Py_ssize_t *len, PyObject **holder)
{
    *holder = NULL;
    const char *utf8 = PyUnicode_AsUTF8AndSize(text, len);
    if (utf8) {
        *holder = Py_NewRef(text);
        return utf8;
    }
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError))
        return NULL;
    py_error_drop();
    *holder = PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace");
    if (!*holder)
        return NULL;
    *len = PyBytes_GET_SIZE(*holder);
    return PyBytes_AS_STRING(*holder);
}

bool py_append_stolen(struct str *out, PyObject *text)
{
    Py_ssize_t len;
    PyObject *holder = NULL;
    const char *utf8 = text ? py_utf8(text, &len, &holder) : NULL;
    if (utf8)
        str_append_bytes(out, utf8, (size_t)len);
    py_error_drop();
    Py_XDECREF(holder);
    Py_XDECREF(text);
    return utf8 != NULL;
}

PyObject *py_text(const char *text, size_t len)
{
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)len, "replace");
}

PyObject *py_loaded_module(const char *name)
{
    PyObject *module = NULL;
    PyObject *modules =
            PyImport_GetModuleDict(); // borrowed: lives as long as the interpreter
    if (py_dict_get_text(modules, name, &module) < 0)
        py_error_drop();
    if (module == Py_None)
        Py_CLEAR(module);
    return module;
}

// Through sys.stdout or sys.stderr, so that redirections and %%capture see the text.
void py_write_stream(const char *stream, const char *text, size_t len)
{
    PyObject *file = PySys_GetObject(stream); // borrowed: made strong on the next line
    Py_XINCREF(file);
    PyObject *string = py_text(text, len);
    PyObject *result =
            file && string ? PyObject_CallMethod(file, "write", "O", string) : NULL;
    if (!result)
        py_error_drop();
    Py_XDECREF(result);
    Py_XDECREF(string);
    Py_XDECREF(file);
}

void py_print(const char *format, ...)
{
    struct str text = {0};
    va_list args;
    va_start(args, format);
    str_vprintf(&text, format, args);
    va_end(args);
    py_write_stream("stdout", str_text(&text), text.len);
    str_finish(&text);
}

static PyObject *build_arguments(const char *format, va_list args)
{
    if (!format)
        return PyTuple_New(0);
    PyObject *built = Py_VaBuildValue(format, args);
    if (!built || PyTuple_Check(built))
        return built;
    PyObject *tuple = PyTuple_Pack(1, built);
    Py_DECREF(built);
    return tuple;
}

// Takes both references. NULL, with the exception that is set, where one of them is NULL.
static PyObject *call_stolen(PyObject *callable, PyObject *arguments)
{
    PyObject *result =
            callable && arguments ? PyObject_CallObject(callable, arguments) : NULL;
    Py_XDECREF(callable);
    Py_XDECREF(arguments);
    return result;
}

PyObject *py_call_method(PyObject *object, const char *method, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    PyObject *arguments = build_arguments(format, args);
    va_end(args);
    return call_stolen(
            arguments ? PyObject_GetAttrString(object, method) : NULL, arguments);
}

PyObject *py_call_module(
        const char *module, const char *function, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    PyObject *arguments = build_arguments(format, args);
    va_end(args);
    return call_stolen(arguments ? py_import_attr(module, function) : NULL, arguments);
}

PyObject *py_usage_error(const char *format, ...)
{
    struct str text = {0};
    va_list args;
    va_start(args, format);
    str_vprintf(&text, format, args);
    va_end(args);
    PyObject *class = py_import_attr("IPython.core.error", "UsageError");
    PyObject *message = class ? py_text(str_text(&text), text.len) : NULL;
    if (message)
        PyErr_SetObject(class, message);
    Py_XDECREF(message);
    Py_XDECREF(class);
    str_finish(&text);
    return NULL;
}
