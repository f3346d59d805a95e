// SPDX-License-Identifier: MIT
// Hands the calls of the driver to gridcell.cuda.cudadrv.log, for who asks for them by
// NUMBA_CUDA_LOG_LEVEL.
#include "base/py.h"

#include "runtime/cuda/driver_calls.h"
#include "runtime/device/objects/py_device.h"

// May run on any thread, with or without the GIL, and while an exception is set.
static void tell(const char *call, int result)
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *module = PyImport_ImportModule("gridcell.cuda.cudadrv.log");
    PyObject *answer =
            module ? PyObject_CallMethod(module, "note_call", "si", call, result) : NULL;
    if (!answer)
        py_error_report(module);
    Py_XDECREF(answer);
    Py_XDECREF(module);
    PyErr_Restore(type, value, traceback);
    PyGILState_Release(state);
}

static PyObject *log_calls(PyObject *module, PyObject *is_on)
{
    int truth = PyObject_IsTrue(is_on);
    if (truth < 0)
        return NULL;
    driver_calls_observe(truth ? tell : NULL);
    Py_RETURN_NONE;
}

PyMethodDef py_driver_log_functions[] = {
        {"cuda_log_calls", log_calls, METH_O, "Has each call of the driver noted."},
        {0},
};
