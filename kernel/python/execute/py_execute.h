// SPDX-License-Identifier: MIT
// Cells that run: source to code, its run with all that may hang on it, the event loop,
// comm messages. All of it needs the GIL.
#pragma once

#include "base/py.h"

#include <jansson.h>

#include "kernel/python/state/py_state.h"

// ---- py_execute.c
bool execute_init(void);
// Compiles and runs transformed source in `ns`; *value takes the last expression's value
// when value is not NULL, else it is displayed. -1 with an exception.
int execute_source(PyObject *source, PyObject *file_name, PyObject *ns, PyObject **value);
// Runs a cell as a nested one (magics that take a cell body). -1 with an exception.
int execute_nested(PyObject *cell, PyObject **value);
// What holds for a cell, while another one runs within it.
struct outer_cell {
    int number;
    bool displays_results, keeps_results;
};

struct outer_cell execute_enter_inner(bool is_stored);
void execute_leave_inner(const struct outer_cell *outer);
// Runs a cell for get_ipython().run_cell(), which has a result of its own, and, stored, a
// number and a place in the history. The number is appended to `numbers`. -1 with an
// exception.
int execute_inner(PyObject *raw, bool is_silent, bool is_stored, PyObject *numbers);
// The Python source of a cell, as a str.
PyObject *execute_transform(PyObject *cell);
// Keeps the text that a file's code is compiled from, for tracebacks and the compiler,
// where it is not what the file holds. -1 with an exception.
int execute_keep_source(PyObject *source, PyObject *file_name);
// builtins.compile() without the flags of the caller.
PyObject *execute_compile(
        PyObject *source_or_ast, PyObject *file_name, const char *mode, int flags);
// Runs a code object, in the event loop when it is a coroutine's.
PyObject *execute_code(PyObject *code, PyObject *ns);

// ---- py_inner.c
// Functions of _gridcell_kernel.
PyObject *inner_run_code(PyObject *self, PyObject *args);
PyObject *inner_run_cell(PyObject *self, PyObject *args);
PyObject *inner_enter(PyObject *self, PyObject *args);
PyObject *inner_leave(PyObject *self, PyObject *args);
PyObject *inner_shown_result(PyObject *self, PyObject *args);

// ---- py_fork.c
// The exit status that the exception which is set means: 0 where there is none; for
// SystemExit what it was given, which is printed where it is no number; 1 for others,
// which `report` tells of. Clears it.
int execute_exit_status(void (*report)(void));
// In a forked child that has come to the end of what its parent serves: ends it, with the
// exception that is set. In the parent: nothing.
void fork_end_child(void);

// ---- py_async.c
bool async_is_wanted(const char *source, size_t len);
PyObject *async_run(PyObject *coroutine);
// Makes asyncio believe that the loop runs while plain cells do, so that create_task
// works. False: one runs already, as for a cell that another one runs; it is left to that
// one to say that it no longer does, which Python 3.14 holds its tasks to.
bool async_enter(void);
void async_leave(bool has_entered);

// ---- py_hooks.c
// A cell's text before and after its magics are rewritten, and its syntax tree; new
// references.
PyObject *hooks_clean_text(PyObject *cell);
PyObject *hooks_finish_text(PyObject *source);
PyObject *hooks_transform_tree(PyObject *tree);
// Has the cell run by what stands in place of get_ipython().run_cell or run_ast_nodes.
// False: nothing does. The exception that may be set has been shown.
bool hooks_run(PyObject *cell, bool is_stored, bool is_silent);
// Asks the shell to show the exception; whether it did.
bool hooks_show(PyObject *exception);
// As traceback_report(true) for the exception of a cell, which somebody else may show.
json_t *hooks_report_failure(void);

// ---- py_events.c
// What get_ipython() returns (new reference): made of gridcell.ipython.shell at the first
// call.
PyObject *shell_instance(void);
// Fires the callbacks of get_ipython().events; nothing when there is no such object yet.
void shell_event(const char *name, PyObject *argument);

// ---- py_real.c: GRIDCELL_IPYTHON=real
bool real_ipython_init(void);
// Whether IPython runs the cells; says so once when it should, but is not installed.
bool real_ipython_is_used(void);
// Runs a cell; NULL, or the failure with ename, evalue and traceback, which was shown.
json_t *real_ipython_run(PyObject *cell, bool is_stored, bool is_silent);
// _gridcell_kernel.run_coroutine(): its result, while the loop of the cell runs.
PyObject *real_ipython_await(PyObject *self, PyObject *coroutine);

// ---- py_comm.c
// _gridcell_kernel.serve_comms(): handles the comm messages that wait.
PyObject *comms_serve(PyObject *self, PyObject *args);

// ---- py_debug.c
// After each cell, with no exception set.
void debug_finish_cell(void);
