// SPDX-License-Identifier: MIT
// Top-level await, and tasks that cells leave behind. The event loop is made at its first
// use.
#include "kernel/python/state/py_state.h"

#include <math.h>
#include <poll.h>
#include <string.h>

#include "kernel/python/execute/py_execute.h"
#include "kernel/python/state/py_text.h"

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

// So is_running() is true, and run_until_complete() refuses, as in a cell of ipykernel.
// Loops that are not asyncio's own lack the attribute.
static void set_thread(PyObject *loop, PyObject *thread)
{
    int status = thread && py_has_attr(loop, "_thread_id")
                         ? PyObject_SetAttrString(loop, "_thread_id", thread)
                         : 0;
    if (status < 0)
        py_error_drop();
}

static void set_running(PyObject *loop)
{
    PyObject *result = py_call_module("asyncio.events", "_set_running_loop", "(O)", loop);
    if (!result)
        py_error_drop();
    Py_XDECREF(result);
}

// A cell within one that awaits, or within a plain one.
static bool is_one_running(void)
{
    PyObject *loop = py_call_module("asyncio.events", "_get_running_loop", NULL);
    bool is_one = loop && loop != Py_None;
    Py_XDECREF(loop);
    return is_one;
}

bool async_enter(void)
{
    PyObject *asyncio = py_loaded_module("asyncio");
    bool has_entered = asyncio && !is_one_running() && ensure_loop();
    if (has_entered) {
        PyObject *thread = PyLong_FromUnsignedLong(PyThread_get_thread_ident());
        set_running(cell_get()->event_loop);
        set_thread(cell_get()->event_loop, thread);
        Py_XDECREF(thread);
    }
    py_error_drop();
    Py_XDECREF(asyncio);
    return has_entered;
}

void async_leave(bool has_entered)
{
    if (!has_entered || !cell_get()->event_loop)
        return;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    set_running(Py_None);
    set_thread(cell_get()->event_loop, Py_None);
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
    py_error_drop();
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
    py_error_drop();
    Py_XDECREF(result);
    Py_XDECREF(serve);
}

static void unwatch_comms(PyObject *loop)
{
    int fd = front_end_comm_fd();
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *result = fd >= 0 ? py_call_method(loop, "remove_reader", "(i)", fd) : NULL;
    py_error_drop();
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
    py_error_drop();
    Py_XDECREF(value);
    return has_items;
}

static void run_once(PyObject *loop)
{
    PyObject *stop = PyObject_GetAttrString(loop, "stop");
    PyObject *handle = stop ? py_call_method(loop, "call_soon", "(O)", stop) : NULL;
    PyObject *result = handle ? py_call_method(loop, "run_forever", NULL) : NULL;
    if (!result)
        py_error_drop();
    Py_XDECREF(result);
    Py_XDECREF(handle);
    Py_XDECREF(stop);
}

// What the loop waits for can be waited for from outside: the descriptor, or -1.
static int selector_fd(PyObject *loop)
{
    PyObject *selector = PyObject_GetAttrString(loop, "_selector");
    PyObject *number = selector ? py_call_method(selector, "fileno", NULL) : NULL;
    long fd = number ? PyLong_AsLong(number) : -1;
    py_error_drop();
    Py_XDECREF(number);
    Py_XDECREF(selector);
    return (int)fd;
}

// Milliseconds until the first timer of the loop; -1: it has none.
static int next_timer(PyObject *loop)
{
    PyObject *timers = PyObject_GetAttrString(loop, "_scheduled");
    PyObject *first =
            timers && PyObject_Size(timers) > 0 ? PySequence_GetItem(timers, 0) : NULL;
    PyObject *when = first ? PyObject_GetAttrString(first, "_when") : NULL;
    PyObject *now = when ? py_call_method(loop, "time", NULL) : NULL;
    double seconds = now ? PyFloat_AsDouble(when) - PyFloat_AsDouble(now) : -1;
    bool is_known = now && !PyErr_Occurred();
    py_error_drop();
    Py_XDECREF(now);
    Py_XDECREF(when);
    Py_XDECREF(first);
    Py_XDECREF(timers);
    if (!is_known)
        return -1;
    return seconds <= 0 ? 0 : seconds > 1e6 ? INT_MAX : (int)ceil(seconds * 1000);
}

// Milliseconds until the loop wants to run again, -1: not by itself; and what it waits
// for besides.
static int next_wait(PyObject *loop, int *fd)
{
    enum { POLL_MS = 10 };
    *fd = selector_fd(loop);
    if (*fd < 0) // another library's loop: it can only be asked
        return POLL_MS;
    return is_nonempty(loop, "_ready") ? 0 : next_timer(loop);
}

static bool is_readable(int fd)
{
    struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
    return poll(&poll_fd, 1, 0) > 0;
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

int interp_idle(int *fd)
{
    PyObject *loop = cell_get()->event_loop;
    *fd = -1;
    if (!loop)
        return prepare_threads();
    interp_enter();
    int wait = next_wait(loop, fd);
    if (wait == 0 || *fd < 0 || is_readable(*fd)) {
        run_once(loop);
        fork_end_child();
        wait = next_wait(loop, fd);
    }
    interp_leave();
    return wait;
}
