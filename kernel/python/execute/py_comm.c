// SPDX-License-Identifier: MIT
// Comms: messages between widgets in the page and objects in Python, through the `comm`
// package.
#include "kernel/python/state/py_state.h"

#include <string.h>

#include "kernel/python/display/py_display.h"
#include "kernel/python/execute/py_execute.h"
#include "kernel/python/state/py_text.h"

static PyObject *copy_buffers(const struct message_buffer *buffers, size_t count)
{
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *bytes =
                PyBytes_FromStringAndSize(buffers[i].bytes, (Py_ssize_t)buffers[i].len);
        if (!bytes)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, (Py_ssize_t)i, bytes);
    }
    return list;
}

void interp_comm(const char *msg_type, json_t *content, json_t *metadata,
        const struct message_buffer *buffers, size_t buffer_count)
{
    interp_enter();
    bool is_nested = interp_set_running(true); // in a cell that awaits
    PyObject *body = py_from_json(content),
             *meta = metadata ? py_from_json(metadata) : PyDict_New();
    PyObject *parts = copy_buffers(buffers, buffer_count), *result = NULL;
    if (body && meta && parts)
        result = py_call_module("gridcell.ipython.comms", "handle", "(sOOO)", msg_type,
                body, meta, parts);
    fork_end_child();
    if (!result)
        json_decref(traceback_report(true));
    Py_XDECREF(result);
    Py_XDECREF(parts);
    Py_XDECREF(meta);
    Py_XDECREF(body);
    if (!is_nested)
        figures_show();
    py_error_drop();
    output_flush();
    interp_set_running(is_nested);
    interp_leave();
}

PyObject *comms_serve(PyObject *self, PyObject *args)
{
    if (interp_is_main_thread()) {
        interp_leave();
        front_end_serve_comms();
        interp_enter();
    }
    Py_RETURN_NONE;
}

json_t *interp_comm_info(json_t *content)
{
    const char *target = json_string_value(json_object_get(content, "target_name"));
    interp_enter();
    PyObject *module = py_loaded_module("comm");
    PyObject *comms =
            module ? py_call_module("gridcell.ipython.comms", "info", "(z)", target)
                   : NULL;
    json_t *list = comms ? py_to_json(comms) : NULL;
    py_error_drop();
    Py_XDECREF(comms);
    Py_XDECREF(module);
    interp_leave();
    return json_pack("{ss so}", "status", "ok", "comms", list ? list : json_object());
}
