// SPDX-License-Identifier: MIT
// Exceptions of compiled code that need Python while the code runs: arguments known only
// then, the hierarchy of classes, exceptions of callbacks. Their state is per thread.
#include "base/py.h"

#include "base/memory.h"
#include "runtime/threads/parallel_for.h"
#include "compiler/backends/cpu/symbols.h"
#include "compiler/support/raise.h"
#include "compiler/support/trace.h"
#include "runtime/host/state/py_error.h"
#include "runtime/host/state/py_enter.h"

// What is known of an exception beyond its status. The references are guarded by the GIL.
struct kept {
    PyObject *arguments; // it was raised with, or NULL
    PyObject *caught;    // a Python exception that compiled code caught, or NULL
    PyObject *cause, *context;
    bool is_suppressed; // the context is not shown
};

static _Thread_local struct kept state; // of the exception that was raised last

static bool is_chained(const struct kept *kept)
{
    return kept->cause || kept->context || kept->is_suppressed;
}

static void copy_chain(struct kept *to, const struct kept *from)
{
    Py_XSETREF(to->cause, Py_XNewRef(from->cause));
    Py_XSETREF(to->context, Py_XNewRef(from->context));
    to->is_suppressed = from->is_suppressed;
}

static void clear_chain(struct kept *kept)
{
    Py_CLEAR(kept->cause);
    Py_CLEAR(kept->context);
    kept->is_suppressed = false;
}

// Whether it is of Python: what is not needs no GIL.
static bool has_objects(const struct kept *kept)
{
    return kept->arguments || kept->caught || is_chained(kept);
}

static void clear_kept(struct kept *kept)
{
    Py_CLEAR(kept->arguments);
    Py_CLEAR(kept->caught);
    clear_chain(kept);
}

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
    if (status != STATUS_PYTHON && !is_chained(&state))
        return;
    PyGILState_STATE gil = py_enter();
    if (status == STATUS_PYTHON && PyErr_Occurred())
        py_exception_keep();
    clear_chain(&state); // what is raised next has its own
    py_leave(gil);
}

bool py_exception_restore(void)
{
    if (PyErr_Occurred())
        return true;
    PyObject *value = state.caught;
    state.caught = NULL;
    if (value) {
        PyErr_SetObject((PyObject *)Py_TYPE(value), value);
        py_exception_chain(value);
    }
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
// thread forgets when the handler raises another, also one that it catches itself. The
// chain and the calls go over to it: a `finally` may end by break, continue or return,
// and what is raised after that has nothing to do with them.
struct held {
    struct abi_memory memory;
    struct kept kept;
    size_t frame_count, left_out;
    struct compiler_frame frames[];
};

static void release_held(struct abi_memory *memory)
{
    struct held *held = (struct held *)memory;
    if (has_objects(&held->kept)) {
        PyGILState_STATE gil = py_enter();
        clear_kept(&held->kept);
        py_leave(gil);
    }
    free(held);
}

static struct held *new_held(struct compiler_trace *trace)
{
    size_t size_bytes = trace->count * sizeof *trace->frames;
    // all but the frames is set: the C library's malloc() is several times faster than
    // its calloc(), and this is made for each exception that a handler holds
    struct held *held = memory_alloc(sizeof *held + size_bytes);
    *held = (struct held){.frame_count = trace->count, .left_out = trace->left_out};
    memcpy(held->frames, trace->frames, size_bytes);
    trace->count = trace->left_out = 0;
    return held;
}

static void put_frames(const struct held *held)
{
    struct compiler_trace *trace = compiler_trace();
    memcpy(trace->frames, held->frames, held->frame_count * sizeof *held->frames);
    trace->count = held->frame_count;
    trace->left_out = held->left_out;
}

// NULL where nothing but the status is known.
static struct abi_memory *exception_hold(int32_t status)
{
    struct compiler_trace *trace = compiler_trace();
    if (status != STATUS_PYTHON && !state.arguments && !is_chained(&state) &&
            !trace->count)
        return NULL;
    struct held *held = new_held(trace);
    held->memory.count = 1;
    held->memory.release = release_held;
    if (status != STATUS_PYTHON && !state.arguments && !is_chained(&state))
        return &held->memory;
    PyGILState_STATE gil = py_enter();
    if (status == STATUS_PYTHON && PyErr_Occurred())
        py_exception_keep();
    held->kept.arguments = Py_XNewRef(state.arguments);
    held->kept.caught = status == STATUS_PYTHON ? Py_XNewRef(state.caught) : NULL;
    copy_chain(&held->kept, &state);
    clear_chain(&state);
    py_leave(gil);
    return &held->memory;
}

// The exception is raised again; the program may have said that it is from another now.
static void exception_give(struct abi_memory *memory)
{
    struct held *held = (struct held *)memory;
    if (!held)
        return;
    put_frames(held);
    if (!has_objects(&held->kept) && !state.arguments)
        return;
    PyGILState_STATE gil = py_enter();
    Py_XSETREF(state.arguments, Py_XNewRef(held->kept.arguments));
    if (held->kept.caught)
        Py_XSETREF(state.caught, Py_NewRef(held->kept.caught));
    if (!is_chained(&state))
        copy_chain(&state, &held->kept);
    py_leave(gil);
}

static void set_chain(PyObject *exception, const struct kept *kept)
{
    if (kept->cause)
        PyException_SetCause(exception, Py_NewRef(kept->cause)); // hides the context, too
    else if (kept->is_suppressed)
        PyException_SetCause(exception, NULL);
    if (kept->context && kept->context != exception)
        PyException_SetContext(exception, Py_NewRef(kept->context));
}

static PyObject *exception_of(const struct held *held, const struct raise_site *site)
{
    if (!site->class_name[0])
        return held ? Py_XNewRef(held->kept.caught) : NULL;
    PyObject *class = py_exception_class(site->class_name, site->class_object);
    PyObject *none = PyTuple_New(0);
    PyObject *arguments = held && held->kept.arguments ? held->kept.arguments : none;
    PyObject *exception =
            class && arguments ? py_exception_make(site, class, arguments) : NULL;
    if (exception && held)
        set_chain(exception, &held->kept);
    Py_XDECREF(class);
    Py_XDECREF(none);
    return exception;
}

void py_exception_text(struct abi_memory *held, const struct raise_site *site,
        bool is_repr, struct str *out)
{
    PyGILState_STATE gil = py_enter();
    PyObject *exception = exception_of((struct held *)held, site);
    PyObject *text = !exception ? NULL
                     : is_repr  ? PyObject_Repr(exception)
                                : PyObject_Str(exception);
    const char *utf8 = text ? PyUnicode_AsUTF8(text) : NULL;
    if (utf8)
        str_append(out, utf8);
    py_error_drop();
    Py_XDECREF(text);
    Py_XDECREF(exception);
    py_leave(gil);
}

// --- Causes and contexts

// The caught exception is the context or the cause of the one that is raised next.
static void exception_chain(struct abi_memory *held, const char *message,
        int32_t has_arguments, const char *class_name, void *class_object, int32_t as)
{
    struct raise_site site =
            raised_site(message, has_arguments, class_name, class_object);
    PyGILState_STATE gil = py_enter();
    PyObject *exception = exception_of((struct held *)held, &site);
    py_error_drop();
    if (as & CHAIN_CONTEXT)
        Py_XSETREF(state.context, Py_XNewRef(exception));
    if (as & CHAIN_CAUSE)
        Py_XSETREF(state.cause, Py_XNewRef(exception));
    Py_XDECREF(exception);
    py_leave(gil);
}

static void exception_unchain(void)
{
    state.is_suppressed = true;
}

// At the end of the chain is what Python was handling when it called compiled code.
void py_exception_chain(PyObject *exception)
{
    if (!is_chained(&state))
        return;
    PyObject *outer = PyException_GetContext(exception);
    set_chain(exception, &state);
    PyObject *last = Py_XNewRef(state.context);
    for (PyObject *next; last && (next = PyException_GetContext(last)) != NULL;)
        Py_SETREF(last, next);
    if (last && outer && last != outer)
        PyException_SetContext(last, Py_NewRef(outer));
    Py_XDECREF(last);
    Py_XDECREF(outer);
    clear_chain(&state);
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

// A thread that Python has not made loses its state, and an exception in it, when it lets
// go of the GIL.
static void *take_exception(int32_t status)
{
    struct kept *carried = memory_zalloc(sizeof *carried);
    PyGILState_STATE gil = py_enter();
    compiler_trace()->count = compiler_trace()->left_out = 0;
    if (status == STATUS_PYTHON && PyErr_Occurred())
        py_exception_keep();
    *carried = state;
    state = (struct kept){0};
    py_leave(gil);
    return carried;
}

static void drop_exception(void *data)
{
    struct kept *carried = data;
    PyGILState_STATE gil = py_enter();
    clear_kept(carried);
    py_leave(gil);
    free(carried);
}

static void put_exception(void *data)
{
    struct kept *carried = data, before = state;
    PyGILState_STATE gil = py_enter();
    state = *carried;
    *carried = before;
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
    compiler_define_symbol("gridcell_exception_chain", (void *)exception_chain);
    compiler_define_symbol("gridcell_exception_unchain", (void *)exception_unchain);
    compiler_define_symbol("gridcell_python_exception_is", (void *)python_exception_is);
}
