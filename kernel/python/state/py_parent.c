// SPDX-License-Identifier: MIT
// Whose output it is: a context variable holds the request in which a thread or a task
// began. Tasks inherit it with their context; threads, through the function of _thread
// that starts them all.
#include "kernel/python/state/py_state.h"

#include "kernel/process/stack_guard.h"
#include "kernel/python/state/py_text.h"

static const char token_name[] = "gridcell.parent";

static struct origin *origin_of(PyObject *token)
{
    return token ? PyCapsule_GetPointer(token, token_name) : NULL;
}

static void release_token(PyObject *token)
{
    front_end_origin_release(origin_of(token));
}

// The token in this context (new reference), or NULL without an exception.
static PyObject *token_here(void)
{
    PyObject *token = NULL;
    if (PyContextVar_Get(shell_get()->parent_variable, NULL, &token) < 0)
        py_error_drop();
    return token;
}

// Whether this is a callback of an event loop on a thread, outside of any task: a
// library's loop that serves all cells (sockets, clusters). What it shows is about the
// cell that runs, whichever started the thread.
static bool is_served_by_loop(void)
{
    PyObject *events =
            interp_is_main_thread() ? NULL : py_loaded_module("asyncio.events");
    PyObject *loop = events ? py_call_method(events, "_get_running_loop", NULL) : NULL;
    PyObject *task = loop && loop != Py_None ? py_call_module("asyncio.tasks",
                                                       "current_task", "(O)", loop)
                                             : NULL;
    bool is_served = task == Py_None;
    Py_XDECREF(task);
    Py_XDECREF(loop);
    Py_XDECREF(events);
    py_error_drop();
    return is_served;
}

// Called wherever text is written, also by threads that know nothing of Python.
static struct origin *find_origin(void)
{
    if (!PyGILState_Check())
        return NULL;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *token = is_served_by_loop() ? NULL : token_here();
    struct origin *origin = front_end_origin_share(origin_of(token));
    Py_XDECREF(token);
    PyErr_Restore(type, value, traceback);
    return origin;
}

void parent_update(void)
{
    struct shell *shell = shell_get();
    struct origin *origin = shell->parent_variable ? front_end_origin_acquire() : NULL;
    if (!origin || origin == origin_of(cell_get()->parent_token)) {
        front_end_origin_release(origin);
        return;
    }
    PyObject *token = PyCapsule_New(origin, token_name, release_token);
    if (!token)
        front_end_origin_release(origin);
    PyObject *undo = token ? PyContextVar_Set(shell->parent_variable, token) : NULL;
    if (!undo)
        py_error_drop();
    Py_XDECREF(undo);
    Py_XSETREF(cell_get()->parent_token, token);
}

// ---- threads

// self: the token and the function that the thread was started with.
static PyObject *run_thread(PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyObject *token = PyTuple_GET_ITEM(self, 0),
             *function = PyTuple_GET_ITEM(self, 1); // borrowed from self
    PyObject *undo = PyContextVar_Set(shell_get()->parent_variable, token);
    Py_XDECREF(undo);
    stack_guard_begin_thread();
    PyObject *result = undo ? PyObject_Call(function, args, kwargs) : NULL;
    stack_guard_end_thread();
    return result;
}

static PyMethodDef run_method = {"run_thread", PY_KEYWORDS(run_thread), NULL};

// From Python 3.14 on a Thread runs in a context of its own, which is empty by default
// and is entered within the function that starts it: the token has to be in there.
static void give_to_context(PyObject *function, PyObject *token)
{
    int failed = 0;
    PyObject *variable = shell_get()->parent_variable, *set = NULL, *result = NULL;
    PyObject *context =
            PyMethod_Check(function)
                    ? py_attr_or_null(PyMethod_GET_SELF(function), "_context", &failed)
                    : NULL;
    if (context && PyContext_CheckExact(context) &&
            PySequence_Contains(context, variable) == 0)
        set = PyObject_GetAttrString(variable, "set");
    if (set)
        result = py_call_method(context, "run", "(OO)", set, token);
    py_error_drop(); // one that is entered already belongs to what runs in it
    Py_XDECREF(result);
    Py_XDECREF(set);
    Py_XDECREF(context);
}

// The function to start a thread with, in place of `function`.
static PyObject *wrap_function(PyObject *function)
{
    PyObject *token = token_here();
    if (!token)
        token = Py_XNewRef(cell_get()->parent_token);
    if (!token || !PyCallable_Check(function)) {
        Py_XDECREF(token);
        return Py_NewRef(function);
    }
    give_to_context(function, token);
    PyObject *pair = PyTuple_Pack(2, token, function);
    PyObject *wrapped = pair ? PyCFunction_New(&run_method, pair) : NULL;
    Py_XDECREF(pair);
    Py_DECREF(token);
    return wrapped;
}

// self: the function of _thread.
static PyObject *start_thread(PyObject *self, PyObject *args, PyObject *kwargs)
{
    Py_ssize_t count = PyTuple_GET_SIZE(args);
    if (count == 0)
        return PyObject_Call(self, args, kwargs);
    PyObject *own_args = PyTuple_New(count), *result = NULL;
    for (Py_ssize_t i = 1; own_args && i < count; i++)
        PyTuple_SET_ITEM(own_args, i, Py_NewRef(PyTuple_GET_ITEM(args, i)));
    PyObject *function = own_args ? wrap_function(PyTuple_GET_ITEM(args, 0)) : NULL;
    if (function) {
        PyTuple_SET_ITEM(own_args, 0, function);
        result = PyObject_Call(self, own_args, kwargs);
    }
    Py_XDECREF(own_args);
    return result;
}

static PyMethodDef start_methods[] = {
        {"start_new_thread", PY_KEYWORDS(start_thread),
                "Starts a thread whose output goes to the cell that started it."},
        {"start_new", PY_KEYWORDS(start_thread), "The older name of start_new_thread."},
        {"start_joinable_thread", PY_KEYWORDS(start_thread),
                "Starts a thread whose output goes to the cell that started it."},
};

// `prefix` is what the module puts before the names.
static bool replace_starters(PyObject *module, const char *prefix)
{
    bool is_ok = true;
    for (size_t i = 0; is_ok && i < sizeof start_methods / sizeof *start_methods; i++) {
        int failed;
        struct str name = {0};
        str_printf(&name, "%s%s", prefix, start_methods[i].ml_name);
        PyObject *original = py_attr_or_null(module, str_text(&name), &failed);
        PyObject *function =
                original ? PyCFunction_New(&start_methods[i], original) : NULL;
        if (original)
            is_ok = function &&
                    PyObject_SetAttrString(module, str_text(&name), function) == 0;
        py_error_drop();
        Py_XDECREF(function);
        Py_XDECREF(original);
        str_finish(&name);
    }
    return is_ok;
}

bool parent_init(void)
{
    struct shell *shell = shell_get();
    shell->parent_variable = PyContextVar_New("gridcell_parent", NULL);
    PyObject *module = PyImport_ImportModule("_thread");
    bool is_ok = shell->parent_variable && module && replace_starters(module, "");
    // it holds the functions under names of its own, if something imported it already
    PyObject *threading = py_loaded_module("threading");
    if (is_ok && threading)
        is_ok = replace_starters(threading, "_");
    Py_XDECREF(threading);
    Py_XDECREF(module);
    if (is_ok)
        front_end_set_origin_finder(find_origin);
    return is_ok;
}
