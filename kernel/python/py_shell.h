// SPDX-License-Identifier: MIT
// What the py_*.c files share: the state of the one interpreter and the calls between
// them. All of it needs the GIL.
#pragma once

#include "base/py.h"

#include "base/str.h"
#include "kernel/interface/interp.h"
#include "kernel/interface/output.h"

enum traceback_mode {
    TRACEBACK_CONTEXT,
    TRACEBACK_PLAIN,
    TRACEBACK_VERBOSE,
    TRACEBACK_MINIMAL,
    TRACEBACK_DOCS // as documentation shows them: one line of each frame
};

// What %automagic, %autocall and their like set. Zero is off.
enum shell_switch {
    SWITCH_AUTOMAGIC,
    SWITCH_AUTOAWAIT,
    SWITCH_AUTOCALL, // 1: with arguments, 2: always
    SWITCH_PPRINT,
    SWITCH_MAX_ITEMS, // of a container that is printed; 0: all
    SWITCH_PDB,       // an error opens the debugger
    SWITCH_COLOURLESS,
    SWITCH_COUNT
};

// One per process. Every PyObject here is owned; what may be NULL says so.
struct shell {
    PyObject *user_module, *user_ns;
    PyObject *initial_names;     // set: names in the namespace before the first cell
    PyObject *inputs;            // list of raw cells, by number; the first is ''
    PyObject *parsed_inputs;     // the same as Python has them: In
    PyObject *outputs;           // dict Out
    PyObject *directories;       // list _dh
    PyObject *last_result;       // what the kernel bound to _
    PyObject *cell_sources;      // dict: file name -> (size, None, lines, file name), as
                                 // linecache has it
    PyObject *cell_numbers;      // dict: file name -> execution count
    PyObject *formatters;        // dict: mime -> dict: type -> function
    PyObject *lazy_formatters;   // dict: mime -> dict: (module, name) -> function
    PyObject *custom_formatters; // dict: mime -> callable in place of all of those
    PyObject *disabled_formats;  // set of MIME types that are not sent
    PyObject *display_hooks;     // list of functions that see each display message
    PyObject *user_magics;       // dict: "line" or "cell" -> dict: name -> function
    PyObject *instance;          // what get_ipython() returns; NULL before its first call
    PyObject *exception;         // the last uncaught one, for %tb; NULL: none
    PyObject *kernel_module;     // _gridcell_kernel
    PyObject *stream_type, *buffer_type, *finder_type, *loader_type, *exit_type,
            *printer_type;
    PyObject *parent_variable; // ContextVar: whose output it is, py_parent.c
    PyObject *float_format;    // %precision's str; NULL: repr
    Py_ssize_t stream_offset;  // of the C fields in a stream object
    int execution_count;       // of the next cell that is stored
    int compiler_flags;        // from __future__ of earlier cells
    enum traceback_mode traceback_mode;
    int switches[SWITCH_COUNT];
    bool wants_figures; // matplotlib may hold figures to show after the cell
    bool warned_exit;
    bool uses_real_ipython;  // cells run through an installed IPython
    bool lacks_real_ipython; // they should, but there is none
    bool has_numba_hook;     // gridcell.hook was asked to install its finder
    bool lent_backend;       // MPLBACKEND is set for this cell only
    char *connection_file;   // may be NULL
    char *package_path;      // the folder that holds the gridcell package; may be NULL
};

struct shell *shell_get(void);

// What the running cell of one thread is about: a subshell's cells run beside the main
// thread's.
struct cell {
    int number;            // its execution count, in its messages
    bool is_counted;       // it is stored under that number
    bool displays_results; // false while a silent cell or one that ends in `;` runs
    bool keeps_results;    // the running cell is stored: so is its result, in Out
    bool has_begun;        // it was compiled: an error is the code's own
    PyObject *payload;     // list of dicts for the reply that is being made
    PyObject *captured; // list that takes displays during %%capture; NULL: publish them
    PyObject *parent_token; // whose output it is; NULL: none
    PyObject *event_loop;   // asyncio's, once used; NULL before
    struct cell *next;      // of all threads' beside the main one's
    unsigned long thread;   // Python's name of it
};

// The calling thread's; the main thread's for threads that cells started.
struct cell *cell_get(void);

// ---- py_interp.c
// The main thread holds the GIL between the two; every interp_* call is wrapped in them.
void interp_enter(void);
void interp_leave(void);
// While true, an interrupt becomes KeyboardInterrupt; otherwise it is ignored.
// What it was before is returned.
bool interp_set_running(bool is_running);
bool interp_is_main_thread(void);
// The interpreter whose standard library this process uses, where that is not the
// environment's own; else None. New reference.
PyObject *interp_own_executable(void);
// Sends the main thread a signal; any thread, without the GIL.
void interp_signal_main(int number);

// ---- py_interrupt.c
bool interrupt_init(void);
void interrupt_set_main_state(PyThreadState *state);
// Main thread: the interrupt arrived where it is looked at.
void interp_note_interrupt(void);
// An interrupt also stores 1 here, which compiled code polls. The flag lives for ever.
void interp_set_compiled_flag(volatile int *flag);

// ---- py_threads.c: cells of threads, and the same for any thread that
// interp_thread_begin was called on
void interp_resume(void);
void interp_pause(void);
bool interp_is_paused(void);
// Main thread: makes ready for other threads, which takes some milliseconds.
void threads_prepare(void);
bool threads_are_prepared(void);

// ---- py_module.c: the built-in module _gridcell_kernel
PyObject *kernel_module_init(void);
// What get_ipython() returns (new reference): made of gridcell.ipython.shell at the first
// call.
PyObject *shell_instance(void);
// Fires the callbacks of get_ipython().events; nothing when there is no such object yet.
void shell_event(const char *name, PyObject *argument);

// ---- py_parent.c
bool parent_init(void);
// Main thread: output belongs to the request that is served now.
void parent_update(void);

// ---- py_json.c
PyObject *py_from_json(const json_t *value);
// Any object; what JSON lacks becomes its str(). NULL with an exception on failure.
json_t *py_to_json(PyObject *object);
// The text of a str for JSON: lone surrogates become escapes.
json_t *py_text_to_json(PyObject *text);
json_t *json_text(const char *text, size_t len);

// ---- py_text.c: small things that several files need
// UTF-8 of a str, lone surrogates escaped; *holder owns the bytes. NULL with an
// exception.
const char *py_utf8(PyObject *text, Py_ssize_t *len, PyObject **holder);
// Appends a str and gives it up. False, with the exception cleared: there was none
// (NULL).
bool py_append_stolen(struct str *out, PyObject *text);
PyObject *py_text(const char *text, size_t len);
// A strong attribute of an imported module; NULL without an exception when it is not
// there.
PyObject *py_loaded_module(const char *name);
void py_write_stream(const char *stream, const char *text, size_t len);
void py_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
// Calls object.method(args...) with a Py_BuildValue format; NULL format: no arguments.
PyObject *py_call_method(PyObject *object, const char *method, const char *format, ...);
// Calls module.function(args...), importing the module.
PyObject *py_call_module(
        const char *module, const char *function, const char *format, ...);
// UsageError: a magic was called wrongly. Returns NULL.
PyObject *py_usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

// ---- py_execute.c
bool execute_init(void);
// Compiles and runs transformed source in `ns`; *value takes the last expression's value
// when value is not NULL, else it is displayed. -1 with an exception.
int execute_source(PyObject *source, PyObject *file_name, PyObject *ns, PyObject **value);
// Runs a cell as a nested one (magics that take a cell body). -1 with an exception.
int execute_nested(PyObject *cell, PyObject **value);
// The Python source of a cell, as a str.
PyObject *execute_transform(PyObject *cell);
// builtins.compile() without the flags of the caller.
PyObject *execute_compile(
        PyObject *source_or_ast, PyObject *file_name, const char *mode, int flags);
// Runs a code object, in the event loop when it is a coroutine's.
PyObject *execute_code(PyObject *code, PyObject *ns);

// ---- py_fork.c
// In a forked child that has come to the end of what its parent serves: ends it, with the
// exception that is set. In the parent: nothing.
void fork_end_child(void);

// ---- py_async.c
bool async_is_wanted(const char *source, size_t len);
PyObject *async_run(PyObject *coroutine);
// Makes asyncio believe that the loop runs while plain cells do, so that create_task
// works.
void async_enter(void);
void async_leave(void);

// ---- py_display.c
bool display_init(void);
// data and metadata dicts of every representation; *data is None when the object
// displayed itself.
int display_format(PyObject *object, PyObject *include, PyObject *exclude,
        PyObject **data, PyObject **metadata);
int display_publish(
        const char *msg_type, PyObject *data, PyObject *metadata, PyObject *transient);
PyObject *display_objects(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *display_hook(PyObject *self, PyObject *value);

// ---- py_hooks.c
// A cell's text before and after its magics are rewritten, and its syntax tree; new
// references.
PyObject *hooks_clean_text(PyObject *cell);
PyObject *hooks_finish_text(PyObject *source);
PyObject *hooks_transform_tree(PyObject *tree);
// As traceback_report(true) for the exception of a cell, which somebody else may show.
json_t *hooks_report_failure(void);
// Whether displays go through hooks_publish_display.
bool hooks_watch_displays(void);
int hooks_publish_display(
        const char *msg_type, PyObject *data, PyObject *metadata, PyObject *transient);

// ---- py_real.c: GRIDCELL_IPYTHON=real
bool real_ipython_init(void);
// Whether IPython runs the cells; says so once when it should, but is not installed.
bool real_ipython_is_used(void);
// Runs a cell; NULL, or the failure with ename, evalue and traceback, which was shown.
json_t *real_ipython_run(PyObject *cell, bool is_stored, bool is_silent);
// _gridcell_kernel.run_coroutine(): its result, while the loop of the cell runs.
PyObject *real_ipython_await(PyObject *self, PyObject *coroutine);

// ---- py_results.c
// Binds a displayed result to the names that results have.
void results_cache(PyObject *value, int number);

// ---- py_pretty.c
bool pretty_init(void);
PyObject *pretty_text(PyObject *object);

// ---- py_streams.c
bool streams_init(void);
// Waits, without the GIL, until there is room for more output. False: interrupted.
bool streams_await_room(void);

// ---- py_recursion.c
bool recursion_init(void);
// At the end of a cell, with no exception set: undoes what a full stack made necessary.
void recursion_finish_cell(void);

// ---- py_imports.c
bool imports_init(void);

// ---- py_traceback.c
// The `ename`, `evalue` and `traceback` of an exception. `skip` hides that many outer
// frames.
json_t *traceback_format(PyObject *exception, enum traceback_mode mode);
// Takes the exception that is set: formats it, keeps it for %tb, publishes it when
// `publishes`.
json_t *traceback_report(bool publishes);

// ---- py_complete.c
// _gridcell_kernel.complete(code): the reply to a completion at the end of the code.
PyObject *complete_code(PyObject *self, PyObject *code);
// The reply to a complete_request.
json_t *complete_request(json_t *content);

// ---- py_introspect.c
// The replies to an inspect_request and an is_complete_request.
json_t *introspect_page(json_t *content);
json_t *introspect_completeness(json_t *content);

// ---- py_answers.c
// _gridcell_kernel.answer(question, content): what a front end is told, as a dict.
PyObject *answers_give(PyObject *self, PyObject *args);

// ---- py_profile.c
// Loads the user's IPython configuration and runs its startup files, where there are any.
void profile_load(void);

// ---- py_comm.c
// _gridcell_kernel.serve_comms(): handles the comm messages that wait.
PyObject *comms_serve(PyObject *self, PyObject *args);

// ---- py_debug.c
// After each cell, with no exception set.
void debug_finish_cell(void);

// ---- py_history.c
bool history_init(void);
void history_add(PyObject *raw, PyObject *source, int number);
void history_add_output(int number, PyObject *text);
// The rows that a history_request with this content asks for.
json_t *history_answer(const json_t *content);

// ---- py_input.c
bool input_init(void);
PyObject *input_line(PyObject *prompt, bool is_password);

// ---- py_figures.c
void figures_show(void);
