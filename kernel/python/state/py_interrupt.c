// SPDX-License-Identifier: MIT
// Interrupts that Python cannot look at, because C code runs: whether one was seen, what
// runs, and a way to reach loops over iterators (sum(range(10**11))). All but the hooks
// themselves is called by the I/O thread, without the GIL.
#include "base/py_compat.h"
#include "kernel/python/state/py_state.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kernel/python/state/py_text.h"

// ---- whether the main thread came back to Python code

static atomic_long watched, seen; // numbers of interrupts, counted from 1

void interp_note_interrupt(void)
{
    atomic_store(&seen, atomic_load(&watched));
}

static PyObject *handle_return(PyObject *module, PyObject *args)
{
    interp_note_interrupt();
    Py_RETURN_NONE;
}

static PyMethodDef return_handler = {"note_return", handle_return, METH_VARARGS,
        "Notes that the main thread looks at signals again."};

// A signal whose handler runs once Python code runs on. A pending call would do, were it
// not that adding one on another thread makes CPython 3.11 forget pending signals.
static int return_signal(void)
{
    return SIGRTMAX - 4;
}

static bool watch_returns(void)
{
    PyObject *handler = PyCFunction_New(&return_handler, NULL);
    PyObject *old = handler ? py_call_module("_signal", "signal", "(iO)", return_signal(),
                                      handler)
                            : NULL;
    Py_XDECREF(handler);
    Py_XDECREF(old);
    return old != NULL;
}

void interp_watch_interrupt(void)
{
    atomic_fetch_add(&watched, 1);
    interp_signal_main(return_signal());
}

void interp_break_call(void)
{
    interp_signal_main(return_signal());
}

bool interp_saw_interrupt(void)
{
    return atomic_load(&seen) == atomic_load(&watched);
}

// ---- iterators that look at interrupts

enum { MAX_TYPES = 64 };

static struct {
    PyTypeObject *type;
    iternextfunc next;
} iterators[MAX_TYPES];

static int iterator_count;
static atomic_bool is_hooked;

static void set_next(PyTypeObject *type, iternextfunc next)
{
    __atomic_store_n(&type->tp_iternext, next, __ATOMIC_RELEASE);
}

void interp_unhook_iterators(void)
{
    if (!atomic_exchange(&is_hooked, false))
        return;
    for (int i = 0; i < iterator_count; i++)
        set_next(iterators[i].type, iterators[i].next);
}

// What a C loop calls for its next item: the one place where it can be told to stop.
static PyObject *next_or_interrupt(PyObject *self)
{
    iternextfunc next = NULL;
    for (int i = 0; i < iterator_count && !next; i++) {
        if (iterators[i].type == Py_TYPE(self))
            next = iterators[i].next;
    }
    if (interp_is_main_thread()) {
        interp_unhook_iterators();
        interp_note_interrupt();
        if (PyErr_CheckSignals() < 0)
            return NULL;
    }
    if (next)
        return next(self);
    PyErr_SetString(PyExc_SystemError, "an iterator lost its next()");
    return NULL;
}

void interp_hook_iterators(void)
{
    atomic_store(&is_hooked, true);
    for (int i = 0; i < iterator_count; i++)
        set_next(iterators[i].type, next_or_interrupt);
}

static const char iterator_types[] =
        "[*{type(iter(x)) for x in (range(1), range(1 << 70), [], (), {}, {}.values(), "
        "{}.items(), set(), '', '\\u0101', b'', bytearray(), enumerate(()), zip(), "
        "map(id, ()), filter(id, ()), reversed([]), reversed(()))}] + "
        "[t for t in vars(__import__('itertools')).values() "
        "if isinstance(t, type) and hasattr(t, '__next__')]";

bool interrupt_init(void)
{
    PyObject *ns = PyDict_New();
    PyObject *builtins = PyImport_ImportModule("builtins");
    bool is_ok =
            ns && builtins && PyDict_SetItemString(ns, "__builtins__", builtins) == 0;
    PyObject *types = is_ok ? PyRun_String(iterator_types, Py_eval_input, ns, ns) : NULL;
    for (Py_ssize_t i = 0; types && i < PyList_GET_SIZE(types); i++) {
        PyTypeObject *type = (PyTypeObject *)py_list_get(types, i); // kept for ever
        if (!type || !type->tp_iternext || iterator_count == MAX_TYPES)
            continue;
        iterators[iterator_count].type = type;
        iterators[iterator_count++].next = type->tp_iternext;
    }
    Py_XDECREF(types);
    Py_XDECREF(builtins);
    Py_XDECREF(ns);
    return types && watch_returns();
}

// ---- where the main thread is

static PyThreadState *main_thread_state;

void interrupt_set_main_state(PyThreadState *state)
{
    main_thread_state = state;
    if (!py_place_init())
        py_error_drop(); // then nobody is told where a cell was
}

void interp_write_place(int fd)
{
    PyThreadState *state = PyGILState_GetThisThreadState();
    if (state)
        py_write_place(fd, state);
}

// The line of a traceback as faulthandler writes it: `  File "F", line N in NAME`.
static bool parse_line(const char *line, char *file, int *number, char *name)
{
    return sscanf(line, " File \"%255[^\"]\", line %d in %127[^\n]", file, number,
                   name) == 3;
}

static void describe(const char *trace, char *text, size_t size)
{
    char file[256], name[128];
    int number;
    size_t used = 0;
    for (const char *line = strstr(trace, "  File"); line;
            line = strstr(line + 1, "  File")) {
        if (!parse_line(line, file, &number, name))
            break;
        const char *base = strrchr(file, '/');
        if (strstr(file, "/ipykernel_")) {
            snprintf(text + used, size - used, "%sline %d of the cell",
                    used ? ", called from " : "called from ", number);
            return;
        }
        if (used == 0)
            used = (size_t)snprintf(text, size, "called from %s (%s:%d)", name,
                    base ? base + 1 : file, number);
        if (used >= size)
            return;
    }
}

bool interp_describe_place(char *text, size_t size)
{
    int fd = main_thread_state ? memfd_create("traceback", MFD_CLOEXEC) : -1;
    char trace[4096];
    *text = '\0';
    if (fd < 0)
        return false;
    bool is_known = py_write_place(fd, main_thread_state);
    ssize_t len = !is_known ? -1 : pread(fd, trace, sizeof trace - 1, 0);
    close(fd);
    trace[len > 0 ? len : 0] = '\0';
    describe(trace, text, size);
    return *text;
}
