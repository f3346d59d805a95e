// SPDX-License-Identifier: MIT
// Threads of the kernel that call Python beside the main one. The module `threading`
// takes the thread that imports it for the main thread of the program: so that has to be
// ours.
#include "base/py_compat.h"
#include "kernel/python/state/py_state.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory.h"
#include "kernel/python/state/py_text.h"

static _Thread_local PyThreadState *own_state; // while the thread does not hold the GIL
static atomic_bool has_threading;
static struct cell main_cell, *other_cells; // the list needs the GIL
static _Thread_local struct cell *own_cell;

struct cell *cell_get(void)
{
    return own_cell ? own_cell : &main_cell;
}

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

enum { HURRY_US = 200 };

static atomic_int hurry_count;
static atomic_ulong usual_interval; // microseconds

// What sys.getswitchinterval says; 0: nothing that is of use.
static unsigned long ask_interval(void)
{
    PyObject *seconds = py_call_module("sys", "getswitchinterval", NULL);
    double us = seconds ? PyFloat_AsDouble(seconds) * 1e6 : 0;
    Py_XDECREF(seconds);
    py_error_drop();
    return us >= 1 ? (unsigned long)(us + 0.5) : 0;
}

static void tell_interval(unsigned long us)
{
    PyObject *done = py_call_module("sys", "setswitchinterval", "(d)", (double)us / 1e6);
    Py_XDECREF(done);
    py_error_drop();
}

static void begin_with_python(void)
{
    interp_resume();
    atomic_store(&usual_interval, ask_interval());
    tell_interval(HURRY_US);
    interp_pause();
}

static void end_with_python(void)
{
    interp_resume();
    if (ask_interval() == HURRY_US)
        tell_interval(atomic_load(&usual_interval));
    interp_pause();
}

void interp_hurry_begin(void)
{
    unsigned long interval = py_switch_interval();
    if (atomic_fetch_add(&hurry_count, 1))
        return;
    atomic_store(&usual_interval, interval);
    if (interval)
        py_set_switch_interval(HURRY_US);
    else
        begin_with_python();
}

void interp_hurry_end(void)
{
    unsigned long interval = py_switch_interval();
    if (atomic_fetch_sub(&hurry_count, 1) != 1)
        return;
    if (interval == HURRY_US)
        py_set_switch_interval(atomic_load(&usual_interval));
    else if (!interval)
        end_with_python();
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

static void wait_for_threading(void)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    while (!atomic_load(&has_threading)) {
        front_end_wake();
        nanosleep(&pause, NULL);
    }
}

bool interp_thread_begin(void)
{
    PyGILState_Ensure();
    PyObject *module = py_loaded_module("threading");
    if (module)
        atomic_store(&has_threading, true);
    else
        Py_AddPendingCall(import_threading, NULL);
    Py_XDECREF(module);
    struct cell *cell = memory_zalloc(sizeof *cell);
    *cell = (struct cell){.displays_results = true,
            .payload = PyList_New(0),
            .next = other_cells,
            .thread = PyThread_get_thread_ident()};
    other_cells = own_cell = cell;
    py_error_drop();
    interp_pause();
    wait_for_threading();
    return true;
}

static void close_loop(PyObject *loop)
{
    PyObject *result = loop ? py_call_method(loop, "close", NULL) : NULL;
    py_error_drop();
    Py_XDECREF(result);
}

void interp_thread_end(void)
{
    struct cell *cell = own_cell, **link = &other_cells;
    interp_resume();
    while (*link != cell)
        link = &(*link)->next;
    *link = cell->next;
    close_loop(cell->event_loop);
    Py_XDECREF(cell->event_loop);
    Py_XDECREF(cell->payload);
    Py_XDECREF(cell->captured);
    Py_XDECREF(cell->parent_token);
    own_cell = NULL;
    free(cell);
    PyGILState_Release(PyGILState_UNLOCKED);
}

void interp_end_threads(void)
{
    interp_resume();
    for (struct cell *cell = other_cells; cell; cell = cell->next)
        PyThreadState_SetAsyncExc(cell->thread, PyExc_KeyboardInterrupt);
    interp_pause();
}
