// SPDX-License-Identifier: MIT
// Exceptions of compiled code that need Python while the code runs: arguments known only
// then, the hierarchy of classes, exceptions of callbacks. Their state is per thread.
#include "base/py.h"

#include "runtime/host/py_runtime.h"

// Guarded by the GIL.
static _Thread_local struct {
    PyObject *arguments; // of the exception raised last, or NULL
    PyObject *caught;    // a Python exception that compiled code caught last, or NULL
} state;

static void raise_arguments(const struct type *tuple, const void *block)
{
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *arguments = py_box(tuple, block);
    PyErr_Clear();
    Py_XSETREF(state.arguments, arguments);
    PyGILState_Release(gil);
}

PyObject *py_exception_take_arguments(void)
{
    PyObject *arguments = state.arguments;
    state.arguments = NULL;
    return arguments ? arguments : PyTuple_New(0);
}

static void exception_caught(int32_t status)
{
    compiler_trace()->count = compiler_trace()->left_out = 0;
    if (status != STATUS_PYTHON)
        return;
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *class = NULL, *value = NULL, *traceback = NULL;
    PyErr_Fetch(&class, &value, &traceback);
    PyErr_NormalizeException(&class, &value, &traceback);
    if (value && traceback)
        PyException_SetTraceback(value, traceback);
    Py_XSETREF(state.caught, Py_XNewRef(value));
    Py_XDECREF(class);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    PyGILState_Release(gil);
}

bool py_exception_restore(void)
{
    if (PyErr_Occurred())
        return true;
    PyObject *value = state.caught;
    state.caught = NULL;
    if (value)
        PyErr_SetObject((PyObject *)Py_TYPE(value), value);
    Py_XDECREF(value);
    return value != NULL;
}

static int32_t python_exception_is(void *class)
{
    PyGILState_STATE gil = PyGILState_Ensure();
    int matches = PyErr_Occurred() ? PyErr_ExceptionMatches(class)
                  : state.caught   ? PyErr_GivenExceptionMatches(state.caught, class)
                                   : 0;
    PyGILState_Release(gil);
    return matches;
}

PyObject *py_exception_class(const char *name, void *object)
{
    if (object)
        return Py_NewRef((PyObject *)object);
    PyObject *class = name ? py_import_attr("builtins", name) : NULL;
    PyErr_Clear();
    return class;
}

static bool exception_is(const struct constant *class, const char *name, void *object)
{
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *wanted = py_exception_class(class->exception.name, class->exception.object);
    PyObject *given = py_exception_class(name, object);
    bool is_one = wanted && given && PyType_Check(wanted) && PyType_Check(given) &&
                  PyType_IsSubtype((PyTypeObject *)given, (PyTypeObject *)wanted);
    Py_XDECREF(wanted);
    Py_XDECREF(given);
    PyGILState_Release(gil);
    return is_one;
}

void py_exception_init(void)
{
    compiler_exception_is = exception_is;
    compiler_define_symbol("gridcell_raise_arguments", (void *)raise_arguments);
    compiler_define_symbol("gridcell_exception_caught", (void *)exception_caught);
    compiler_define_symbol("gridcell_python_exception_is", (void *)python_exception_is);
}
