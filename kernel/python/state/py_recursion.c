// SPDX-License-Identifier: MIT
// Recursion that ends in a RecursionError whatever limit the user sets: the limit is held
// below what memory allows, and lowered when the stack of C is nearly full.
#include "kernel/python/state/py_state.h"

#include "base/py_compat.h"
#include "kernel/process/usage.h"
#include "kernel/python/state/py_text.h"

// A frame with its part in a traceback takes some 500 bytes, and its variables more.
enum {
    BYTES_A_FRAME = 8192,
    LEAST_BYTES = 2048,
    LEAST_LIMIT = 50000,
    USUAL_LIMIT = 1000000
};

// Guarded by the GIL, which the thread whose stack is full holds.
static volatile int wanted_limit; // while a lower one holds; 0: none does
static volatile int full_depth;

void interp_stack_is_full(void)
{
    int limit = wanted_limit ? wanted_limit : Py_GetRecursionLimit();
    int depth = py_recursion_end(wanted_limit);
    if (!depth)
        return;
    full_depth = depth;
    wanted_limit = limit;
}

void recursion_finish_cell(void)
{
    if (!wanted_limit)
        return;
    struct str text = {0};
    str_printf(&text,
            "The recursion stopped at a depth of %d, where the stack of C code was "
            "nearly "
            "full, before the limit of %d was reached.\n",
            full_depth, wanted_limit);
    py_write_stream("stderr", str_text(&text), text.len);
    str_finish(&text);
    Py_SetRecursionLimit(wanted_limit);
    wanted_limit = 0;
}

// A million, which people write, is allowed where it just fits.
static int most_frames(void)
{
    long long bytes = usage_available_bytes(), most = bytes / BYTES_A_FRAME;
    if (most < USUAL_LIMIT)
        most = bytes / LEAST_BYTES < USUAL_LIMIT ? bytes / LEAST_BYTES : USUAL_LIMIT;
    return (int)(most < LEAST_LIMIT ? LEAST_LIMIT : most > INT_MAX ? INT_MAX : most);
}

// `original` is sys.setrecursionlimit.
static PyObject *set_limit(PyObject *original, PyObject *argument)
{
    int overflow = 0;
    long limit =
            PyLong_Check(argument) ? PyLong_AsLongAndOverflow(argument, &overflow) : 0;
    int most = limit > LEAST_LIMIT ? most_frames() : INT_MAX;
    if (wanted_limit && limit > full_depth && limit <= most) {
        // the stack has not been seen empty since it was full
        wanted_limit = (int)limit;
        Py_RETURN_NONE;
    }
    if (limit <= most)
        return PyObject_CallOneArg(original, argument);
    if (PyErr_WarnFormat(PyExc_RuntimeWarning, 1,
                "a recursion limit of %ld is more than memory allows: it is %d now",
                limit, most) < 0)
        return NULL;
    PyObject *lower = PyLong_FromLong(most);
    PyObject *done = lower ? PyObject_CallOneArg(original, lower) : NULL;
    Py_XDECREF(lower);
    return done;
}

static PyMethodDef set_limit_method = {"setrecursionlimit", set_limit, METH_O,
        "Set the maximum depth of the Python interpreter stack to n.\n\n"
        "In this kernel it stays below what memory allows."};

bool recursion_init(void)
{
    PyObject *original = py_import_attr("sys", "setrecursionlimit");
    PyObject *ours = original ? PyCFunction_New(&set_limit_method, original) : NULL;
    int status = ours ? PySys_SetObject("setrecursionlimit", ours) : -1;
    Py_XDECREF(ours);
    Py_XDECREF(original);
    return status == 0;
}
