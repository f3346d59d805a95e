// SPDX-License-Identifier: MIT
// Hands to Python what the process did (base/activity.h).
#include "base/py.h"

#include <stdlib.h>

#include "base/activity.h"
#include "runtime/device/objects/py_device.h"

static PyObject *keep(PyObject *module, PyObject *is_on)
{
    int truth = PyObject_IsTrue(is_on);
    (void)module;
    if (truth < 0)
        return NULL;
    activity_keep(truth);
    Py_RETURN_NONE;
}

static PyObject *note_tuple(const struct activity *note)
{
    static const char *const names[] = {[ACTIVITY_COMPILE] = "compile",
            [ACTIVITY_PASS] = "pass",
            [ACTIVITY_TO_DEVICE] = "to device",
            [ACTIVITY_TO_HOST] = "to host",
            [ACTIVITY_LAUNCH] = "launch",
            [ACTIVITY_WAIT] = "wait"};
    return Py_BuildValue("ssddnKl", names[note->kind], note->what, note->begin, note->end,
            (Py_ssize_t)note->bytes, (unsigned long long)note->stream, note->thread);
}

// ([(kind, what, begin, end, bytes, stream, thread)], how many were too many)
static PyObject *take(PyObject *module, PyObject *unused)
{
    size_t count, lost;
    struct activity *notes = activity_take(&count, &lost);
    PyObject *list = PyList_New(0);
    (void)module;
    (void)unused;
    for (size_t i = 0; list && i < count; i++) {
        PyObject *tuple = note_tuple(&notes[i]);
        if (!tuple || PyList_Append(list, tuple))
            Py_CLEAR(list);
        Py_XDECREF(tuple);
    }
    free(notes);
    return list ? Py_BuildValue("Nn", list, (Py_ssize_t)lost) : NULL;
}

PyMethodDef py_activity_functions[] = {
        {"activity_keep", keep, METH_O,
                "Keeps what the process does from now on, or not."},
        {"activity_take", take, METH_NOARGS, "What was kept since."},
        {0},
};
