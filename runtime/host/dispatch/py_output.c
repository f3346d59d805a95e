// SPDX-License-Identifier: MIT
// print() of compiled code goes where Python's print goes: sys.stdout, in order with it.
#include "runtime/host/values/py_numpy.h"

#include <stdio.h>
#include <string.h>

#include "runtime/host/dispatch/py_dispatch.h"
#include "runtime/host/state/py_enter.h"
#include "runtime/threads/fault.h"
#include "runtime/threads/touch.h"

static void write_to_c(const char *text, size_t len)
{
    fwrite(text, 1, len, stdout);
    fflush(stdout);
}

static bool write_to_python(const char *text, size_t len)
{
    PyObject *stream = py_import_attr("sys", "stdout");
    PyObject *string = PyUnicode_DecodeUTF8(text, (Py_ssize_t)len, "surrogatepass");
    PyObject *result =
            stream && string ? PyObject_CallMethod(stream, "write", "O", string) : NULL;
    Py_XDECREF(stream);
    Py_XDECREF(string);
    Py_XDECREF(result);
    return result != NULL;
}

static void print_with_gil(const char *text, size_t len)
{
    PyObject *type, *value, *traceback;
    fault_hold();
    PyErr_Fetch(&type, &value, &traceback);
    if (!write_to_python(text, len)) {
        py_error_drop();
        write_to_c(text, len);
    }
    PyErr_Restore(type, value, traceback);
    fault_release();
}

void py_print_line(const char *text, size_t len)
{
    if (PyGILState_Check())
        print_with_gil(text, len);
    else
        write_to_c(text, len);
}

// Functions under nogil, and parts of loops on several threads. Nobody who holds the GIL
// waits for them: who starts a loop leaves Python first (parallel_hooks), and a pool that
// is in use is not waited for.
void py_print_waiting(const char *text, size_t len)
{
    if (PyGILState_Check()) {
        print_with_gil(text, len);
    } else if (!Py_IsInitialized()) {
        write_to_c(text, len);
    } else {
        PyGILState_STATE state = py_enter();
        print_with_gil(text, len);
        py_leave(state);
    }
}

// An item of a structured array has no axes, and is no array to Python.
static PyObject *array_over(
        const struct type *item, const struct abi_array *array, int ndim)
{
    PyObject *dtype = py_dtype_from_type(item);
    PyObject *view = dtype ? PyArray_NewFromDescr(&PyArray_Type, (PyArray_Descr *)dtype,
                                     ndim, (npy_intp *)array->dims,
                                     (npy_intp *)array->dims + ndim, array->data, 0, NULL)
                           : NULL;
    bool is_record = view && !ndim && item->kind == TYPE_RECORD;
    return is_record ? PyArray_Return((PyArrayObject *)view) : view;
}

char *py_array_text(
        const struct type *item, const struct abi_array *array, int ndim, bool is_repr)
{
    if (!PyGILState_Check() || !py_numpy_is_loaded())
        return NULL;
    PyObject *type, *value, *traceback;
    touch_array(array->data, array->dims, array->dims + ndim, ndim, 1);
    fault_hold();
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *view = array_over(item, array, ndim);
    PyObject *text = !view ? NULL : is_repr ? PyObject_Repr(view) : PyObject_Str(view);
    const char *utf8 = text ? PyUnicode_AsUTF8(text) : NULL;
    char *copy = utf8 ? strdup(utf8) : NULL;
    Py_XDECREF(view);
    Py_XDECREF(text);
    PyErr_Restore(type, value, traceback);
    fault_release();
    return copy;
}

char *py_array_text_waiting(
        const struct type *item, const struct abi_array *array, int ndim, bool is_repr)
{
    if (PyGILState_Check() || !Py_IsInitialized())
        return py_array_text(item, array, ndim, is_repr);
    PyGILState_STATE state = py_enter();
    char *text = py_array_text(item, array, ndim, is_repr);
    py_leave(state);
    return text;
}

char *py_member_text(const struct type *type, int64_t value, bool is_repr)
{
    if (!Py_IsInitialized())
        return NULL;
    PyGILState_STATE state = py_enter();
    PyObject *raised_type, *raised, *traceback;
    fault_hold();
    PyErr_Fetch(&raised_type, &raised, &traceback);
    PyObject *member =
            PyObject_CallFunction(type->enumeration.class_object, "L", (long long)value);
    PyObject *text = !member   ? NULL
                     : is_repr ? PyObject_Repr(member)
                               : PyObject_Str(member);
    const char *utf8 = text && PyUnicode_Check(text) ? PyUnicode_AsUTF8(text) : NULL;
    char *copy = utf8 ? strdup(utf8) : NULL;
    Py_XDECREF(member);
    Py_XDECREF(text);
    PyErr_Restore(raised_type, raised, traceback);
    fault_release();
    py_leave(state);
    return copy;
}
