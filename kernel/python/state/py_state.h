// SPDX-License-Identifier: MIT
// What the rooms of Python share: the state of the one interpreter, its threads, and what
// reaches them from outside. All of it needs the GIL.
#pragma once

#include "base/interrupt.h"
#include "base/py.h"

#include "base/str.h"
#include "kernel/interface/interp.h"
#include "kernel/interface/output.h"

enum traceback_mode {
    TRACEBACK_CONTEXT,
    TRACEBACK_PLAIN,
    TRACEBACK_VERBOSE,
    TRACEBACK_MINIMAL,
    TRACEBACK_DOCS,   // as documentation shows them: one line of each frame
    TRACEBACK_DOCTEST // as a doctest expects them: no frames, three dots
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
    SWITCH_KEEP_OUTPUTS, // in the file of the history
    SWITCH_MAX_WIDTH,    // columns of a line that is printed
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
    bool hands_over;       // the next cell within it is itself, run by something else
    bool displays_results; // false while a silent cell or one that ends in `;` runs
    bool keeps_results;    // the running cell is stored: so is its result, in Out
    bool has_begun;        // it was compiled: an error is the code's own
    int inner_count;       // cells that its code ran, stored under numbers of their own
    PyObject *shown;       // the result that it displayed last; NULL: none
    PyObject *payload;     // list of dicts for the reply that is being made
    PyObject *captured; // list that takes displays during %%capture; NULL: publish them
    PyObject *parent_token; // whose output it is; NULL: none
    PyObject *event_loop;   // asyncio's, once used; NULL before
    struct cell *next;      // of all threads' beside the main one's
    unsigned long thread;   // Python's name of it
};

// The calling thread's; the main thread's for threads that cells started.
struct cell *cell_get(void);

// ---- py_state.c
// Where Python starts: the calling thread is the main one from now on.
void interp_set_main_thread(void);
// The main thread holds the GIL between the two; every interp_* call is wrapped in them.
void interp_enter(void);
void interp_leave(void);
// While true, an interrupt becomes KeyboardInterrupt; otherwise it is ignored.
// What it was before is returned.
bool interp_set_running(bool is_running);
// What a function answers, run as what an interrupt may end. No exception is left.
json_t *interp_answer(json_t *(*answer)(json_t *content), json_t *content);
bool interp_is_main_thread(void);
// Sends the main thread a signal; any thread, without the GIL.
void interp_signal_main(int number);
// What asks compiled code to stop, once there is such code.
void interp_set_compiled_interrupt(const struct interrupt_hooks *hooks);
// Drops what has come in until now, for Python and for compiled code. With the GIL.
void interp_forget_interrupts(void);
// Before the cell's own code begins: an interrupt that came while it was prepared is to
// strike it, even if Python raised it in a call of ours that nobody heard of.
void interp_raise_again(void);

// ---- py_interrupt.c
bool interrupt_init(void);
void interrupt_set_main_state(PyThreadState *state);
// Main thread: the interrupt arrived where it is looked at.
void interp_note_interrupt(void);

// ---- py_threads.c: cells of threads, and the same for any thread that
// interp_thread_begin was called on
void interp_resume(void);
void interp_pause(void);
bool interp_is_paused(void);
// Main thread: makes ready for other threads, which takes some milliseconds.
void threads_prepare(void);
bool threads_are_prepared(void);

// ---- py_parent.c
bool parent_init(void);
// Main thread: output belongs to the request that is served now.
void parent_update(void);

// ---- py_streams.c
bool streams_init(void);
// Waits, without the GIL, until there is room for more output. False: interrupted.
bool streams_await_room(void);

// ---- py_recursion.c
bool recursion_init(void);
// At the end of a cell, with no exception set: undoes what a full stack made necessary.
void recursion_finish_cell(void);

// ---- py_inputs.c: what was typed, as In, _i, _ii...
bool history_init(void);
void history_add(PyObject *raw, PyObject *source, int number);
// _gridcell_kernel.store_inputs(number, source, raw)
PyObject *inputs_store(PyObject *self, PyObject *args);
void history_add_output(int number, PyObject *text);

// ---- py_input.c
bool input_init(void);
PyObject *input_line(PyObject *prompt, bool is_password);
