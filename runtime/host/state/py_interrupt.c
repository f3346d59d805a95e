// SPDX-License-Identifier: MIT
// Interrupts, and other signals that Python handles, while compiled code runs: what the
// flags that it polls lead to (py_signals.c sets them). The kernel asks for interrupts by
// the capsule `interrupt`.
#include "base/interrupt.h"
#include "base/py_compat.h"

#include <unistd.h>

#include "runtime/host/state/py_runtime.h"
#include "runtime/threads/fault.h"
#include "runtime/threads/places.h"
#include "runtime/host/state/py_enter.h"
#include "runtime/host/state/py_error.h"
#include "compiler/support/interrupt.h"
#include "compiler/support/stack.h"

// What a handler raised while compiled code ran, until that code has ended. Guarded by
// the GIL; of the main thread, as only there Python runs handlers.
static struct {
    PyObject *class, *value, *traceback;
} raised;

static bool is_main_thread(void)
{
    return gettid() == getpid();
}

bool py_interrupt_arm(void)
{
    if (!compiler_poll_flag)
        return true;
    py_signals_answer();
    return PyErr_CheckSignals() == 0;
}

bool py_interrupt_arm_anywhere(void)
{
    if (!compiler_poll_flag)
        return true;
    PyGILState_STATE state = py_enter();
    bool may_run = py_interrupt_arm();
    py_leave(state);
    return may_run;
}

PyObject *py_interrupt_raise(void)
{
    py_signals_answer();
    if (raised.class && is_main_thread()) {
        PyErr_Restore(raised.class, raised.value, raised.traceback);
        raised.class = raised.value = raised.traceback = NULL;
    } else if (PyErr_CheckSignals() == 0) {
        PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
    return NULL;
}

// The last one counts, where code has yet to end by one before.
static void keep_raised(void)
{
    PyObject *class = raised.class, *value = raised.value, *traceback = raised.traceback;
    PyErr_Fetch(&raised.class, &raised.value, &raised.traceback);
    Py_XDECREF(class);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
}

// Where a handler raises, the code ends as by an interrupt: its own handlers of
// exceptions do not see it.
static int32_t answer_poll(void)
{
    if (!is_main_thread())
        return STATUS_OK;
    PyGILState_STATE state = py_enter();
    bool goes_on = py_interrupt_arm();
    if (!goes_on)
        keep_raised();
    py_leave(state);
    return goes_on ? STATUS_OK : STATUS_INTERRUPTED;
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
    compiler_poll_answer = answer_poll;
    fault_host_state = host_state;
    places_keep((const void *)PyObject_Malloc); // the file of all of Python
    static struct interrupt_hooks hooks = {&compiler_interrupt_flag,
            compiler_interrupt_request, compiler_set_stack_floor};
    PyObject *capsule = PyCapsule_New(&hooks, INTERRUPT_CAPSULE, NULL);
    bool done = capsule &&
                PyModule_AddObjectRef(runtime->module, "interrupt", capsule) == 0 &&
                py_signals_init();
    Py_XDECREF(capsule);
    return done;
}
