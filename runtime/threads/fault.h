// SPDX-License-Identifier: MIT
// The fault gate: all compiled code is entered by fault_call(), whoever runs it (jitted
// functions, callbacks, generators, loops of ufuncs, parts of prange, kernels on the
// emulated device). Loops enter once for a chunk of items.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/guard.h"
#include "compiler/types/abi.h"

struct fault {
    int signal;            // SIGABRT: a failed assertion, or abort()
    void *address;         // that was accessed; NULL: unknown, or none was
    void *place;           // of the instruction
    bool is_refused_write; // to memory that may only be read
    bool is_stack;         // the thread's stack is full
    const char *text;      // of SIGABRT; lives until the thread's next failure
};

// Installs the handlers, again if someone replaced them. Called whenever code has been
// compiled or loaded, before it runs. Needs the GIL, or no Python at all.
void fault_watch(void);
// Calls entry(result, args) on any thread, also inside of another call; a fault in it, or
// in C functions that it calls on this thread, is STATUS_FAULT. What the entry wrote to
// memory before the fault stays. Functions that must come to their end hold the thread
// (fault_hold), or lie in a file that keeps them (threads/places.h).
int32_t fault_call(abi_entry entry, void *result, const void *args);
// The same, by a caller who can tell of which memory it is sure that it is there until
// the call ends. `known` is the caller's until then.
struct fault_known {
    bool (*holds)(const struct fault_known *self, const void *start, size_t bytes);
};
int32_t fault_call_knowing(
        abi_entry entry, void *result, const void *args, const struct fault_known *known);
// Whether the thread's innermost call knows that all of this is there. Needs no GIL.
bool fault_is_known(const void *start, size_t bytes);
// A fault between these two is left to whoever handled it before us: a call of Python, a
// lock, work of other threads on this one's memory. They nest.
void fault_hold(void);
void fault_release(void);
// Called within fault_call(), by its entry: the code below owns nothing and keeps nothing
// half done that outlives it, so that it may be left at any of its own instructions.
void fault_be_loose(void);
// In a handler of signals: leaves such code, if this thread is in it now, with
// STATUS_INTERRUPTED. Returns where it is not. `context`: the handler's.
void fault_leave_loose(const void *context);
// What the last STATUS_FAULT of this thread was. Valid until the next one.
const struct fault *fault_last(void);
// Where the thread stands in Python. Guarded work is not given up where that has changed,
// compiled code not left where Python was called by it.
struct fault_host {
    const void *frame; // innermost call of the interpreter: a place on the stack
    bool has_lock;
};
// Asks it; false: it cannot be told. Called by handlers of signals. Set by the runtime;
// without Python NULL.
extern bool (*fault_host_state)(struct fault_host *out);
// Code on this thread was left at once, by a fault or an interrupt. Set before code runs,
// by who keeps records of its calls; or NULL.
extern void (*fault_code_left)(void);
// Takes over what was the fault of another thread, which worked for this one.
void fault_set_last(const struct fault *fault);
