// SPDX-License-Identifier: MIT
// What the debugger asks of Python, on a thread of its own: the functions of
// gridcell.ipython.debugger.
#include "kernel/python/state/py_state.h"

#include "kernel/python/execute/py_execute.h"
#include "kernel/python/state/py_text.h"

// A step that leads out of the cell ends with it, and not at the first line of the next.
void debug_finish_cell(void)
{
    PyObject *module = py_loaded_module("gridcell.ipython.debugger");
    if (!module)
        return;
    PyThreadState *state = PyThreadState_Get();
    PyThreadState_EnterTracing(state);
    PyObject *result = py_call_method(module, "finish_cell", NULL);
    PyThreadState_LeaveTracing(state);
    if (result == Py_True)
        front_end_debug_continued();
    Py_XSETREF(result, result ? py_call_method(module, "trace_again", NULL) : NULL);
    py_error_drop();
    Py_XDECREF(result);
    Py_DECREF(module);
}

json_t *interp_debug(const char *function, json_t *arguments, struct error *err)
{
    interp_resume();
    PyObject *given = json_is_object(arguments) ? py_from_json(arguments) : PyDict_New();
    PyObject *result =
            given ? py_call_module("gridcell.ipython.debugger", function, "(O)", given)
                  : NULL;
    json_t *answer = result ? py_to_json(result) : NULL;
    if (!answer)
        error_from_python(err);
    py_error_drop();
    Py_XDECREF(result);
    Py_XDECREF(given);
    interp_pause();
    return answer;
}
