// SPDX-License-Identifier: MIT
// Top-level await, and tasks that cells leave behind. The event loop is made at its first
// use.
#include "kernel/py_shell.h"

#include <string.h>

bool async_is_wanted(const char *source, size_t len)
{
    return memmem(source, len, "await", 5) || memmem(source, len, "async", 5);
}

static bool ensure_loop(void)
{
    if (cell_get()->event_loop)
        return true;
    cell_get()->event_loop = py_call_module("asyncio", "new_event_loop", NULL);
    PyObject *result = cell_get()->event_loop
                               ? py_call_module("asyncio", "set_event_loop", "(O)",
                                         cell_get()->event_loop)
                               : NULL;
    Py_XDECREF(result);
    return result != NULL;
}

static void set_running(PyObject *loop)
{
    PyObject *result = py_call_module("asyncio.events", "_set_running_loop", "(O)", loop);
    if (!result)
        PyErr_Clear();
    Py_XDECREF(result);
}

void async_enter(void)
{
    PyObject *asyncio = py_loaded_module("asyncio");
    if (asyncio && ensure_loop())
        set_running(cell_get()->event_loop);
    PyErr_Clear();
    Py_XDECREF(asyncio);
}

void async_leave(void)
{
    if (!cell_get()->event_loop)
        return;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    set_running(Py_None);
    PyErr_Restore(type, value, traceback);
}

// The loop was left by an exception that is not the task's own result.
static void cancel_task(PyObject *task)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *done = py_call_method(task, "done", NULL);
    if (done == Py_False) {
        PyObject *result = py_call_method(task, "cancel", NULL);
        Py_XDECREF(result);
    }
    Py_XDECREF(done);
    PyErr_Clear();
    PyErr_Restore(type, value, traceback);
}

// Widgets answer while a cell awaits: the loop serves comm messages as they come.
static void watch_comms(PyObject *loop)
{
    int fd = front_end_comm_fd();
    PyObject *serve =
            fd >= 0 ? PyObject_GetAttrString(shell_get()->kernel_module, "serve_comms")
                    : NULL;
    PyObject *result =
            serve ? py_call_method(loop, "add_reader", "(iO)", fd, serve) : NULL;
    PyErr_Clear();
    Py_XDECREF(result);
    Py_XDECREF(serve);
}

static void unwatch_comms(PyObject *loop)
{
    int fd = front_end_comm_fd();
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *result = fd >= 0 ? py_call_method(loop, "remove_reader", "(i)", fd) : NULL;
    PyErr_Clear();
    Py_XDECREF(result);
    PyErr_Restore(type, value, traceback);
}

PyObject *async_run(PyObject *coroutine)
{
    if (!ensure_loop())
        return NULL;
    PyObject *loop = cell_get()->event_loop;
    PyObject *task = py_call_method(loop, "create_task", "(O)", coroutine);
    watch_comms(loop);
    PyObject *result =
            task ? py_call_method(loop, "run_until_complete", "(O)", task) : NULL;
    if (task && !result)
        cancel_task(task);
    unwatch_comms(loop);
    Py_XDECREF(task);
    return result;
}

static bool is_nonempty(PyObject *object, const char *attribute)
{
    PyObject *value = PyObject_GetAttrString(object, attribute);
    bool has_items = value && PyObject_Size(value) > 0;
    PyErr_Clear();
    Py_XDECREF(value);
    return has_items;
}

static bool has_live_tasks(PyObject *loop)
{
    PyObject *tasks = py_call_module("asyncio", "all_tasks", "(O)", loop);
    bool has = tasks && PyObject_Size(tasks) > 0;
    PyErr_Clear();
    Py_XDECREF(tasks);
    return has;
}

static void run_once(PyObject *loop)
{
    PyObject *stop = PyObject_GetAttrString(loop, "stop");
    PyObject *handle = stop ? py_call_method(loop, "call_soon", "(O)", stop) : NULL;
    PyObject *result = handle ? py_call_method(loop, "run_forever", NULL) : NULL;
    if (!result)
        PyErr_Clear();
    Py_XDECREF(result);
    Py_XDECREF(handle);
    Py_XDECREF(stop);
}

// Milliseconds until the loop wants to run again; -1: never.
static int next_wait(PyObject *loop)
{
    enum { POLL_MS = 10, READY_MS = 1 };
    if (is_nonempty(loop, "_ready"))
        return READY_MS;
    return is_nonempty(loop, "_scheduled") || has_live_tasks(loop) ? POLL_MS : -1;
}

// After a while without requests: nobody waits for the main thread.
static int prepare_threads(void)
{
    enum { REST_MS = 50 };
    static bool has_rested;
    if (threads_are_prepared() || !interp_is_main_thread())
        return -1;
    if (!has_rested) {
        has_rested = true;
        return REST_MS;
    }
    interp_enter();
    threads_prepare();
    interp_leave();
    return -1;
}

int interp_idle(void)
{
    PyObject *loop = cell_get()->event_loop;
    if (!loop)
        return prepare_threads();
    interp_enter();
    int wait = next_wait(loop);
    if (wait >= 0) {
        run_once(loop);
        fork_end_child();
        wait = next_wait(loop);
    }
    interp_leave();
    return wait;
}
