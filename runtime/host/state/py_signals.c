// SPDX-License-Identifier: MIT
// Signals that come while compiled code runs. A handler of ours stands before Python's
// own, which only notes that a signal came: it sets the flags that the code polls.
// SIGINT, where Python would raise KeyboardInterrupt, ends the code. Whatever else the
// program handles in Python is asked for at the next poll, and the code goes on unless
// that handler raises.
#include "base/py.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/host/state/py_error.h"
#include "runtime/threads/fault.h"
#include "compiler/support/interrupt.h"

// What our handlers hand on to. Each is written under the GIL, just before our handler
// takes the place.
static struct sigaction previous[NSIG];
static atomic_bool has_own_interrupt; // SIGINT has a handler of the program's, in Python
static atomic_bool interrupt_waits;   // for that handler

// A second SIGINT that finds the first not yet answered does not ask. Other signals that
// wait do not count.
static void request(int number)
{
    if (number == SIGINT &&
            (!atomic_load(&has_own_interrupt) || atomic_exchange(&interrupt_waits, true)))
        compiler_interrupt_request();
    else
        compiler_poll_request();
}

static void handle_signal(int number, siginfo_t *info, void *context)
{
    const struct sigaction *next = &previous[number];
    request(number);
    if (next->sa_flags & SA_SIGINFO)
        next->sa_sigaction(number, info, context);
    else if (next->sa_handler != SIG_DFL && next->sa_handler != SIG_IGN)
        next->sa_handler(number);
}

void py_signals_answer(void)
{
    atomic_store(&interrupt_waits, false);
    compiler_interrupt_clear();
}

// Stands before the handler that is installed now, unless the signal is ignored or fatal.
static void install_handler(int number)
{
    struct sigaction current;
    if (sigaction(number, NULL, &current) != 0)
        return;
    bool is_ours =
            (current.sa_flags & SA_SIGINFO) && current.sa_sigaction == handle_signal;
    bool is_default = !(current.sa_flags & SA_SIGINFO) &&
                      (current.sa_handler == SIG_DFL || current.sa_handler == SIG_IGN);
    if (is_ours || is_default)
        return;
    previous[number] = current;
    struct sigaction action = {.sa_sigaction = handle_signal,
            .sa_flags = current.sa_flags | SA_SIGINFO,
            .sa_mask = current.sa_mask};
    sigaction(number, &action, NULL);
}

// Faults are the fault gate's (threads/fault.c).
static bool is_fault(int number)
{
    return number == SIGSEGV || number == SIGBUS || number == SIGFPE ||
           number == SIGILL || number == SIGABRT || number == SIGTRAP;
}

// Whether Python raises no KeyboardInterrupt by itself.
static bool is_own_handler(PyObject *handler)
{
    PyObject *raises = py_import_attr("_signal", "default_int_handler");
    bool is_own = raises && PyCallable_Check(handler) && handler != raises;
    if (!raises)
        py_error_drop(); // an interrupt then ends the code, as it does by default
    Py_XDECREF(raises);
    return is_own;
}

// `handler`: what Python calls from now on, or a number (SIG_DFL, SIG_IGN).
static void follow_handler(int number, PyObject *handler)
{
    if (number == SIGINT)
        atomic_store(&has_own_interrupt, is_own_handler(handler));
    if (number > 0 && number < NSIG && !is_fault(number) && PyCallable_Check(handler))
        install_handler(number);
}

// signal.signal() puts Python's handler in the place of ours.
static PyObject *set_python_handler(
        PyObject *original, PyObject *const *args, Py_ssize_t count)
{
    PyObject *old = PyObject_Vectorcall(original, args, (size_t)count, NULL);
    long number = old ? PyLong_AsLong(args[0]) : -1;
    if (old && number == -1)
        PyErr_Clear(); // answered: a number of a kind that only Python takes
    else if (old && number < NSIG)
        follow_handler((int)number, args[1]);
    return old;
}

static PyMethodDef set_handler_method = {"signal",
        (PyCFunction)(void (*)(void))set_python_handler, METH_FASTCALL,
        "signal($module, signalnum, handler, /)\n--\n\nSet the action for the given "
        "signal."};

// The signal module looks its C function up at each call.
static bool follow_later_handlers(PyObject *module)
{
    PyObject *name = PyModule_GetNameObject(module);
    PyObject *original = name ? PyObject_GetAttrString(module, "signal") : NULL;
    PyObject *ours =
            original ? PyCFunction_NewEx(&set_handler_method, original, name) : NULL;
    bool done = ours && PyObject_SetAttrString(module, "signal", ours) == 0;
    Py_XDECREF(ours);
    Py_XDECREF(original);
    Py_XDECREF(name);
    return done;
}

static bool follow_present_handlers(PyObject *module)
{
    for (int number = 1; number < NSIG; number++) {
        PyObject *handler = PyObject_CallMethod(module, "getsignal", "i", number);
        if (!handler)
            return false;
        follow_handler(number, handler);
        Py_DECREF(handler);
    }
    return true;
}

bool py_signals_init(void)
{
    PyObject *module = PyImport_ImportModule("_signal");
    bool done =
            module && follow_present_handlers(module) && follow_later_handlers(module);
    Py_XDECREF(module);
    return done;
}

void py_signals_watch(void)
{
    install_handler(SIGINT);
    fault_watch();
}
