// SPDX-License-Identifier: MIT
// What Python asks about parallel loops, and what it is told: warnings about those that
// run turn after turn.
#include "base/py.h"

#include "compiler/support/support.h"
#include "compiler/types/source.h"
#include "runtime/threads/parallel_for.h"
#include "runtime/host/dispatch/py_dispatcher.h"
#include "runtime/host/state/py_error.h"

bool py_parallel_warn(const struct compiled *compiled)
{
    const struct ir_function *function = compiled->function;
    const struct source *source = function->source;
    bool has_parallel = false, is_done = true;
    if (!source || !source->options.parallel)
        return true;
    for (const struct ir_loop_note *note = function->loop_notes; is_done && note;
            note = note->next) {
        has_parallel = has_parallel || note->is_parallel;
        if (note->is_parallel)
            continue;
        struct str text = {0};
        str_printf(&text,
                "\nThe prange loop of line %d of '%s' runs turn after turn, for line %d: "
                "%s.\n\nSo its result is the same as without parallel=True.",
                note->line, function->name, note->reason_line, note->text);
        is_done = py_warn(
                note->is_race ? "NumbaParallelSafetyWarning" : "NumbaPerformanceWarning",
                "numba.parfors.parfor", source->file, note->reason_line, str_text(&text));
        str_finish(&text);
    }
    if (is_done && !function->loop_notes && !has_parallel)
        is_done = py_warn("NumbaPerformanceWarning", "numba.core.typed_passes",
                source->file, source->first_line,
                "\nThe keyword argument 'parallel=True' was specified but no "
                "transformation for parallel execution was possible.\n\nTo find out why, "
                "try turning on parallel diagnostics, see "
                "https://numba.readthedocs.io/en/stable/user/parallel.html#diagnostics "
                "for help.");
    return is_done;
}

static PyObject *notes_of(const struct overload *overload)
{
    PyObject *list = PyList_New(0);
    const struct ir_loop_note *note =
            overload->compiled ? overload->compiled->function->loop_notes : NULL;
    for (; list && note; note = note->next) {
        PyObject *entry = Py_BuildValue("(iOis)", note->line,
                note->is_parallel ? Py_True : Py_False, note->reason_line, note->text);
        if (!entry || PyList_Append(list, entry) < 0)
            Py_CLEAR(list);
        Py_XDECREF(entry);
    }
    return list;
}

// For each overload a list of (line, is parallel, line of the reason, text).
static PyObject *module_loop_notes(PyObject *module, PyObject *object)
{
    if (!PyObject_TypeCheck(object, py_runtime()->dispatcher_type))
        return PyErr_Format(PyExc_TypeError, "expected a jitted function");
    struct dispatcher *self = (struct dispatcher *)object;
    PyObject *list = PyList_New(0);
    vec_each (overload, &self->overloads) {
        PyObject *notes = list ? notes_of(*overload) : NULL;
        if (list && (!notes || PyList_Append(list, notes) < 0))
            Py_CLEAR(list);
        Py_XDECREF(notes);
    }
    return list;
}

static PyObject *module_thread_number(PyObject *module, PyObject *none)
{
    return PyLong_FromLong(parallel_thread_number());
}

// chunk_turns([n]): the size of parts; sets it. Returns what it was.
static PyObject *module_chunk_turns(PyObject *module, PyObject *args)
{
    long long turns = -1, before = parallel_chunk_turns();
    if (!PyArg_ParseTuple(args, "|L", &turns))
        return NULL;
    if (PyTuple_GET_SIZE(args) && turns < 0)
        return PyErr_Format(
                PyExc_ValueError, "chunksize must be greater than or equal to zero");
    if (turns >= 0)
        parallel_set_chunk_turns(turns);
    return PyLong_FromLongLong(before);
}

// memory_counts([enable]): what compiled code allocated, freed, made and released since
// it was counted; None while it is not. Turns counting on or off.
static PyObject *module_memory_counts(PyObject *module, PyObject *args)
{
    int enable = -1;
    if (!PyArg_ParseTuple(args, "|p", &enable))
        return NULL;
    if (enable >= 0)
        support_set_counting(enable);
    if (!support_is_counting())
        Py_RETURN_NONE;
    return Py_BuildValue("(LLLL)", (long long)support_counted(SUPPORT_ALLOCATED),
            (long long)support_counted(SUPPORT_FREED),
            (long long)support_counted(SUPPORT_MADE),
            (long long)support_counted(SUPPORT_RELEASED));
}

PyMethodDef py_parallel_functions[] = {
        {"loop_notes", module_loop_notes, METH_O, "What became of prange loops."},
        {"memory_counts", module_memory_counts, METH_VARARGS, "Allocations and frees."},
        {"thread_number", module_thread_number, METH_NOARGS, "In a parallel loop."},
        {"chunk_turns", module_chunk_turns, METH_VARARGS, "Turns in a part of a loop."},
        {0},
};
