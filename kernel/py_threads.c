// SPDX-License-Identifier: MIT
// Threads of the kernel that call Python beside the main one. The module `threading`
// takes the thread that imports it for the main thread of the program: so that has to be
// ours.
#include "kernel/py_shell.h"

#include <stdatomic.h>
#include <time.h>

static _Thread_local PyThreadState *own_state; // while the thread does not hold the GIL
static atomic_bool has_threading;

void interp_resume(void)
{
    PyEval_RestoreThread(own_state);
    own_state = NULL;
}

void interp_pause(void)
{
    own_state = PyEval_SaveThread();
}

bool interp_is_paused(void)
{
    return own_state;
}

// Needs the GIL, on the main thread; also called between two instructions of a cell.
static int import_threading(void *data)
{
    PyObject *type, *value, *traceback;
    if (atomic_load(&has_threading))
        return 0;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *module = PyImport_ImportModule("threading");
    atomic_store(&has_threading, true);
    Py_XDECREF(module);
    PyErr_Restore(type, value, traceback);
    return 0;
}

bool threads_are_prepared(void)
{
    return atomic_load(&has_threading);
}

void threads_prepare(void)
{
    import_threading(NULL);
}

void interp_thread_begin(void)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    PyGILState_Ensure();
    PyObject *module = py_loaded_module("threading");
    if (module)
        atomic_store(&has_threading, true);
    else
        Py_AddPendingCall(import_threading, NULL);
    Py_XDECREF(module);
    interp_pause();
    while (!atomic_load(&has_threading)) {
        front_end_wake();
        nanosleep(&pause, NULL);
    }
}

void interp_thread_end(void)
{
    interp_resume();
    PyGILState_Release(PyGILState_UNLOCKED);
}
