// SPDX-License-Identifier: MIT
// Exceptions of compiled code that need Python while the code runs: arguments known only
// then, the hierarchy of classes, exceptions of callbacks. Their state is per thread.
#include "base/py.h"

#include "base/memory.h"
#include "runtime/threads/parallel_for.h"
#include "compiler/backends/cpu/symbols.h"
#include "compiler/support/trace.h"
#include "runtime/host/state/py_error.h"
#include "runtime/host/state/py_enter.h"

// Guarded by the GIL.
static _Thread_local struct {
    PyObject *arguments; // of the exception raised last, or NULL
    PyObject *caught;    // a Python exception that compiled code caught last, or NULL
} state;

void py_exception_set_arguments(PyObject *arguments)
{
    Py_XSETREF(state.arguments, arguments);
}

PyObject *py_exception_take_arguments(void)
{
    PyObject *arguments = state.arguments;
    state.arguments = NULL;
    return arguments ? arguments : PyTuple_New(0);
}

int32_t py_exception_keep(void)
{
    PyObject *class = NULL, *value = NULL, *traceback = NULL;
    bool is_interrupt = PyErr_ExceptionMatches(PyExc_KeyboardInterrupt);
    PyErr_Fetch(&class, &value, &traceback);
    PyErr_NormalizeException(&class, &value, &traceback);
    if (value && traceback)
        PyException_SetTraceback(value, traceback);
    Py_XSETREF(state.caught, Py_XNewRef(value));
    Py_XDECREF(class);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return is_interrupt ? STATUS_INTERRUPTED : STATUS_PYTHON;
}

static void exception_caught(int32_t status)
{
    compiler_trace()->count = compiler_trace()->left_out = 0;
    if (status != STATUS_PYTHON)
        return;
    PyGILState_STATE gil = py_enter();
    if (PyErr_Occurred())
        py_exception_keep();
    py_leave(gil);
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

PyObject *py_exception_make(
        const struct raise_site *site, PyObject *class, PyObject *arguments)
{
    if (!site->has_arguments)
        return site->message ? PyObject_CallFunction(class, "s", site->message)
                             : PyObject_CallNoArgs(class);
    if (!site->is_format)
        return PyObject_CallObject(class, arguments);
    PyObject *format = PyUnicode_FromString(site->message);
    PyObject *text = format ? PyUnicode_Format(format, arguments) : NULL;
    PyObject *exception = text ? PyObject_CallOneArg(class, text) : NULL;
    Py_XDECREF(format);
    Py_XDECREF(text);
    return exception;
}

// --- What handlers hold

// Counted memory of compiled code: what a handler's exception was raised with, which the
// thread forgets when the handler raises another, also one that it catches itself.
struct held {
    struct abi_memory memory;
    PyObject *arguments, *caught;
};

static void release_held(struct abi_memory *memory)
{
    struct held *held = (struct held *)memory;
    PyGILState_STATE gil = py_enter();
    Py_XDECREF(held->arguments);
    Py_XDECREF(held->caught);
    py_leave(gil);
    free(held);
}

// NULL where nothing but the status is known.
static struct abi_memory *exception_hold(int32_t status)
{
    if (status != STATUS_PYTHON && !state.arguments)
        return NULL;
    struct held *held = memory_zalloc(sizeof *held);
    held->memory.count = 1;
    held->memory.release = release_held;
    PyGILState_STATE gil = py_enter();
    if (status == STATUS_PYTHON && PyErr_Occurred())
        py_exception_keep();
    held->arguments = Py_XNewRef(state.arguments);
    held->caught = status == STATUS_PYTHON ? Py_XNewRef(state.caught) : NULL;
    py_leave(gil);
    return &held->memory;
}

// The exception is raised again.
static void exception_give(struct abi_memory *memory)
{
    struct held *held = (struct held *)memory;
    if (!held)
        return;
    PyGILState_STATE gil = py_enter();
    Py_XSETREF(state.arguments, Py_XNewRef(held->arguments));
    if (held->caught)
        Py_XSETREF(state.caught, Py_NewRef(held->caught));
    py_leave(gil);
}

static PyObject *exception_of(const struct held *held, const struct raise_site *site)
{
    if (!site->class_name[0])
        return held ? Py_XNewRef(held->caught) : NULL;
    PyObject *class = py_exception_class(site->class_name, site->class_object);
    PyObject *none = PyTuple_New(0);
    PyObject *arguments = held && held->arguments ? held->arguments : none;
    PyObject *exception =
            class && arguments ? py_exception_make(site, class, arguments) : NULL;
    Py_XDECREF(class);
    Py_XDECREF(none);
    return exception;
}

void py_exception_text(
        struct abi_memory *held, const struct raise_site *site, struct str *out)
{
    PyGILState_STATE gil = py_enter();
    PyObject *exception = exception_of((struct held *)held, site);
    PyObject *text = exception ? PyObject_Str(exception) : NULL;
    const char *utf8 = text ? PyUnicode_AsUTF8(text) : NULL;
    if (utf8)
        str_append(out, utf8);
    py_error_drop();
    Py_XDECREF(text);
    Py_XDECREF(exception);
    py_leave(gil);
}

static int32_t python_exception_is(void *class)
{
    PyGILState_STATE gil = py_enter();
    int matches = PyErr_Occurred() ? PyErr_ExceptionMatches(class)
                  : state.caught   ? PyErr_GivenExceptionMatches(state.caught, class)
                                   : 0;
    py_leave(gil);
    return matches;
}

PyObject *py_exception_class(const char *name, void *object)
{
    if (object)
        return Py_NewRef((PyObject *)object);
    PyObject *class = name ? py_import_attr("builtins", name) : NULL;
    py_error_drop();
    return class;
}

bool py_exception_is(const struct constant *class, const char *name, void *object)
{
    PyGILState_STATE gil = py_enter();
    PyObject *wanted = py_exception_class(class->exception.name, class->exception.object);
    PyObject *given = py_exception_class(name, object);
    bool is_one = wanted && given && PyType_Check(wanted) && PyType_Check(given) &&
                  PyType_IsSubtype((PyTypeObject *)given, (PyTypeObject *)wanted);
    Py_XDECREF(wanted);
    Py_XDECREF(given);
    py_leave(gil);
    return is_one;
}

// --- Between threads

struct carried {
    PyObject *arguments, *caught;
};

// A thread that Python has not made loses its state, and an exception in it, when it lets
// go of the GIL.
static void *take_exception(int32_t status)
{
    struct carried *carried = memory_zalloc(sizeof *carried);
    PyGILState_STATE gil = py_enter();
    if (status == STATUS_PYTHON && PyErr_Occurred())
        exception_caught(status);
    carried->arguments = state.arguments;
    carried->caught = state.caught;
    state.arguments = state.caught = NULL;
    py_leave(gil);
    return carried;
}

static void drop_exception(void *data)
{
    struct carried *carried = data;
    PyGILState_STATE gil = py_enter();
    Py_XDECREF(carried->arguments);
    Py_XDECREF(carried->caught);
    py_leave(gil);
    free(carried);
}

static void put_exception(void *data)
{
    struct carried *carried = data;
    PyGILState_STATE gil = py_enter();
    PyObject *arguments = state.arguments, *caught = state.caught;
    state.arguments = carried->arguments;
    state.caught = carried->caught;
    carried->arguments = arguments;
    carried->caught = caught;
    py_leave(gil);
    drop_exception(carried);
}

static void *leave_python(void)
{
    return PyGILState_Check() ? PyEval_SaveThread() : NULL;
}

static void enter_python(void *left)
{
    PyEval_RestoreThread(left);
}

void py_exception_init(void)
{
    parallel_hooks = (struct parallel_hooks){.leave_python = leave_python,
            .enter_python = enter_python,
            .take = take_exception,
            .put = put_exception,
            .drop = drop_exception};
    parallel_for_init();
    compiler_define_symbol("gridcell_exception_caught", (void *)exception_caught);
    compiler_define_symbol("gridcell_exception_hold", (void *)exception_hold);
    compiler_define_symbol("gridcell_exception_give", (void *)exception_give);
    compiler_define_symbol("gridcell_python_exception_is", (void *)python_exception_is);
}
