// SPDX-License-Identifier: MIT
// How failures of compiled code, of compilation and interrupts become exceptions.
#pragma once

#include "base/py.h"
#include "compiler/compiler.h"

struct runtime;

// --- errors

// Raises a failed compilation as numba does: step, text, place and excerpt of the source,
// then `notes` (a list of lines on the arguments, or NULL). `pipeline`: "nopython" or
// "cuda"; `function`: the name to show in the traceback. Returns NULL.
PyObject *py_raise_compile(const struct error *err, const char *pipeline,
        const char *function, PyObject *notes);
// Adds a line of the user's to the traceback of the exception that is set.
void py_frame_add(const char *function, const char *file, int line);
// The same with what the names mean there. NULL: nothing.
void py_frame_add_with(const char *function, const char *file, int line,
        PyObject *globals, PyObject *locals);
// Adds the calls that led to the exception that is set, where debug=True has told of
// them, with their variables. The outermost one is to be this function, if one is given.
// False: nothing is known of them.
bool py_failure_add(const char *name, const char *file);
// Raises what a status of compiled code other than STATUS_OK stands for. Returns NULL.
PyObject *py_raise_status(int status, const struct compiled *compiled);
// Keeps the arguments (a tuple that is taken over, or NULL) that compiled code on this
// thread is about to raise an exception with.
void py_exception_set_arguments(PyObject *arguments);
// The arguments that the last exception of this thread was raised with: a new tuple.
PyObject *py_exception_take_arguments(void);
// Sets the Python exception that compiled code caught and raised again; false: none.
bool py_exception_restore(void);
// The class of an exception: `object`, or the builtin `name`; NULL if there is none.
PyObject *py_exception_class(const char *name, void *object);
// Keeps the Python exception that is set for this thread, and clears it: the status that
// compiled code fails with then.
int32_t py_exception_keep(void);
void py_exception_init(void);
// Whether the exception class is `class` or derived from it: `name`, and the Python
// object if there is one. Takes the GIL.
bool py_exception_is(const struct constant *class, const char *name, void *object);
// Appends str() or repr() of a caught exception. Takes the GIL.
void py_exception_text(struct abi_memory *held, const struct raise_site *site,
        bool is_repr, struct str *out);
// Gives an exception, which is set, the cause and the context that compiled code said it
// has.
void py_exception_chain(PyObject *exception);
// The exception that a site makes, of the arguments if it has any; NULL with an exception
// set.
PyObject *py_exception_make(
        const struct raise_site *site, PyObject *class, PyObject *arguments);
// Issues a warning of class numba.core.errors.`category` at a place in the user's source.
bool py_warn(const char *category, const char *module, const char *file, int line,
        const char *text);
// The same, at the line of the user's Python code that is running.
bool py_warn_caller(const char *category, const char *module, const char *text);

// --- interrupts and other signals

// Compiled code polls for the signals that the program handles in Python, now and later.
bool py_signals_init(void);

// Puts our signal handlers, of interrupts and of faults, back in place after Python code
// has set its own. Called at each compilation.
void py_signals_watch(void);
// The signals that came are about to be handled: clears what compiled code polls.
void py_signals_answer(void);
// Forgets an interrupt that came while no compiled code ran, and has Python handle the
// signals that wait. False with an exception set where that raised one. Called before
// compiled code starts.
bool py_interrupt_arm(void);
// The same with or without the GIL: for what C calls, and not Python.
bool py_interrupt_arm_anywhere(void);
// Raises the pending interrupt after STATUS_INTERRUPTED. Returns NULL.
PyObject *py_interrupt_raise(void);
bool py_interrupt_init(struct runtime *runtime);
