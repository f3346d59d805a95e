// SPDX-License-Identifier: MIT
// Ctrl-C while compiled code runs: a signal handler sets the flag that the code polls,
// then hands on to Python's own handler. The kernel asks for it by the capsule
// `interrupt`.
#include "base/interrupt.h"
#include "base/py_compat.h"

#include <signal.h>
#include <string.h>

#include "runtime/host/state/py_runtime.h"
#include "runtime/threads/fault.h"
#include "runtime/threads/places.h"
#include "runtime/host/state/py_enter.h"
#include "runtime/host/state/py_error.h"
#include "compiler/support/interrupt.h"
#include "compiler/support/stack.h"

// Written under the GIL, just before our handler takes the place.
static struct sigaction previous; // Python's handler, or the embedding program's

static void handle_interrupt(int number, siginfo_t *info, void *context)
{
    compiler_interrupt_request();
    if (previous.sa_flags & SA_SIGINFO)
        previous.sa_sigaction(number, info, context);
    else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)
        previous.sa_handler(number);
}

// Stands before the handler that is installed now, unless interrupts are ignored or
// fatal.
static void install_handler(void)
{
    struct sigaction current;
    if (sigaction(SIGINT, NULL, &current) != 0)
        return;
    bool is_ours =
            (current.sa_flags & SA_SIGINFO) && current.sa_sigaction == handle_interrupt;
    bool is_default = !(current.sa_flags & SA_SIGINFO) &&
                      (current.sa_handler == SIG_DFL || current.sa_handler == SIG_IGN);
    if (is_ours || is_default)
        return;
    previous = current;
    struct sigaction action = {.sa_sigaction = handle_interrupt,
            .sa_flags = current.sa_flags | SA_SIGINFO,
            .sa_mask = current.sa_mask};
    sigaction(SIGINT, &action, NULL);
}

bool py_interrupt_arm(void)
{
    if (!compiler_interrupt_flag)
        return true;
    compiler_interrupt_flag = 0;
    return PyErr_CheckSignals() == 0;
}

bool py_interrupt_arm_anywhere(void)
{
    if (!compiler_interrupt_flag)
        return true;
    PyGILState_STATE state = py_enter();
    bool may_run = py_interrupt_arm();
    py_leave(state);
    return may_run;
}

PyObject *py_interrupt_raise(void)
{
    compiler_interrupt_flag = 0;
    if (PyErr_CheckSignals() == 0)
        PyErr_SetNone(PyExc_KeyboardInterrupt);
    return NULL;
}

void py_signals_watch(void)
{
    install_handler();
    fault_watch();
}

// By the thread's own state, which it has also without the GIL.
static bool host_state(struct fault_host *out)
{
    PyThreadState *state = PyGILState_GetThisThreadState();
    out->frame = state ? py_frame_mark(state) : NULL;
    out->has_lock = state && PyGILState_Check();
    return true;
}

bool py_interrupt_init(struct runtime *runtime)
{
    install_handler();
    fault_host_state = host_state;
    places_keep((const void *)PyObject_Malloc); // the file of all of Python
    static struct interrupt_hooks hooks = {&compiler_interrupt_flag,
            compiler_interrupt_request, compiler_set_stack_floor};
    PyObject *capsule = PyCapsule_New(&hooks, INTERRUPT_CAPSULE, NULL);
    bool done =
            capsule && PyModule_AddObjectRef(runtime->module, "interrupt", capsule) == 0;
    Py_XDECREF(capsule);
    return done;
}
