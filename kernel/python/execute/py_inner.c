// SPDX-License-Identifier: MIT
// Cells within a cell, as Python code runs them: `%run`, get_ipython().run_cell().
#include "kernel/python/execute/py_execute.h"

// run_cell(cell, is_silent=False): a silent one shows no results.
PyObject *inner_run_code(PyObject *self, PyObject *args)
{
    PyObject *cell;
    int is_silent = 0;
    if (!PyArg_ParseTuple(args, "U|p", &cell, &is_silent))
        return NULL;
    bool before = cell_get()->displays_results;
    cell_get()->displays_results = before && !is_silent;
    int status = execute_nested(cell, NULL);
    cell_get()->displays_results = before;
    return status < 0 ? NULL : Py_NewRef(Py_None);
}

PyObject *inner_shown_result(PyObject *self, PyObject *args)
{
    PyObject *value = cell_get()->shown;
    return Py_NewRef(value ? value : Py_None);
}

// run_inner_cell(cell, is_silent, is_stored, numbers): what it displayed as its result;
// the number that it has is appended to the list first.
PyObject *inner_run_cell(PyObject *self, PyObject *args)
{
    PyObject *cell, *numbers;
    int is_silent, is_stored;
    if (!PyArg_ParseTuple(
                args, "UppO!", &cell, &is_silent, &is_stored, &PyList_Type, &numbers))
        return NULL;
    PyObject *outer = Py_XNewRef(cell_get()->shown);
    int status = execute_inner(cell, is_silent, is_stored, numbers);
    PyObject *result = status < 0 ? NULL : inner_shown_result(NULL, NULL);
    Py_XSETREF(cell_get()->shown, outer);
    return result;
}

// enter_inner_cell(is_stored): its number, and what leave_inner_cell() wants back, for a
// cell that Python code runs step by step.
PyObject *inner_enter(PyObject *self, PyObject *args)
{
    int is_stored;
    if (!PyArg_ParseTuple(args, "p", &is_stored))
        return NULL;
    struct outer_cell outer = execute_enter_inner(is_stored);
    return Py_BuildValue("(i(iii))", cell_get()->number, outer.number,
            outer.displays_results, outer.keeps_results);
}

PyObject *inner_leave(PyObject *self, PyObject *args)
{
    int number, displays, keeps;
    if (!PyArg_ParseTuple(args, "(ipp)", &number, &displays, &keeps))
        return NULL;
    struct outer_cell outer = {number, displays, keeps};
    execute_leave_inner(&outer);
    Py_RETURN_NONE;
}
