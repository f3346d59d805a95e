// SPDX-License-Identifier: MIT
// What the protocol side asks of the Python interpreter. Implemented by py_*.c; unit
// tests of the protocol side link a fake. Every function runs on the main thread unless
// it says otherwise; those for requests also on threads between interp_thread_begin and
// interp_thread_end. Requests come in and replies go out as the `content` objects of the
// Jupyter messaging spec. Between calls the GIL is free: each function takes it and gives
// it back. The protocol side owns SIGINT: Python is initialised without signal handlers,
// with default_int_handler registered.
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "kernel/protocol/payload.h"

struct interp_options {
    const char *python; // interpreter of the user's environment; NULL: VIRTUAL_ENV, else
                        // the default
    bool allows_unsigned;        // messages, from everywhere
    const char *connection_file; // shown in get_ipython().config; may be NULL
};

// Whether Python was there first: the kernel is an extension module of the environment's
// own interpreter, and not the program. Any thread.
bool interp_is_guest(void);
// Initialises CPython, where it is not there, and the user's namespace. Imports nothing
// that the first cell does not need.
bool interp_start(const struct interp_options *options, struct error *err);
// Runs atexit handlers and ends child threads as far as possible; never blocks for ever.
void interp_stop(void);

// Asks the running cell to stop with KeyboardInterrupt. Any thread, and
// async-signal-safe.
void interp_interrupt(void);

// The calling thread's stack is nearly full: recursion has to stop. In a signal handler.
void interp_stack_is_full(void);

// Writes where the calling thread is in Python code, line by line as faulthandler does.
// In a handler of a fatal signal.
void interp_write_place(int fd);

// ---- an interrupt that C code does not look at. Any thread, without the GIL.
// From now on interp_saw_interrupt tells whether the main thread came back to Python
// code.
void interp_watch_interrupt(void);
bool interp_saw_interrupt(void);
// Ends a system call that the main thread began after the signal had come: between its
// last look at signals and the call (time.sleep) they cannot.
void interp_break_call(void);
// Makes loops of C code over Python's own iterators look at interrupts; and undoes it.
void interp_hook_iterators(void);
void interp_unhook_iterators(void);
// Words for where the main thread is; false when that cannot be told.
bool interp_describe_place(char *text, size_t size);

// Each returns the complete reply content (new reference) with its `status`.
json_t *interp_execute(json_t *content, json_t *metadata);
json_t *interp_complete(json_t *content);
json_t *interp_inspect(json_t *content);
json_t *interp_history(json_t *content);
json_t *interp_is_complete(json_t *content);
json_t *interp_comm_info(json_t *content);
// comm_open, comm_msg, comm_close; `buffers` are copied if kept.
void interp_comm(const char *msg_type, json_t *content, json_t *metadata,
        const struct message_buffer *buffers, size_t buffer_count);
// language_info, banner and help_links of kernel_info_reply; also right before
// interp_start.
json_t *interp_language_info(void);

// Lets asyncio tasks that cells left behind go on. Returns the milliseconds after which
// it wants to be called again, or -1 when there is nothing to do; and a descriptor, or
// -1: once it is readable there is, too.
int interp_idle(int *fd);

// Between the two, who holds the GIL is asked for it sooner than is usual. Any thread.
void interp_hurry_begin(void);
void interp_hurry_end(void);

// ---- threads beside the main one, between whose calls the GIL is free as well
bool interp_thread_begin(void);
void interp_thread_end(void);
// Asks what they run to stop with KeyboardInterrupt. Main thread, without the GIL.
void interp_end_threads(void);
// What gridcell.ipython.debugger's function says to an object, or NULL. Such a thread.
json_t *interp_debug(const char *function, json_t *arguments, struct error *err);
// Whether debugpy lies where Python will look for modules. Before interp_start.
bool interp_has_debugger(const struct interp_options *options);

// `gridcell run FILE [ARGS]`: argv[0] is the file. The exit status. No kernel runs: what
// goes to the front end is written to the terminal.
struct run_options {
    bool allows_errors; // a notebook goes on after a cell that fails
};
int interp_run_file(int argc, char **argv, const struct run_options *run);
