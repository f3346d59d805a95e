// SPDX-License-Identifier: MIT
// Work that may be given up: a fault of the machine, a failed assertion or abort() in it
// ends the work, not the process. What it allocated is lost; locks that it took by
// guard_lock() are let go. Who gives work must not use again what the work was about to
// change.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum { GUARD_FRAMES = 24 };

// Why work was given up.
struct guard_failure {
    int signal; // 0: an assertion
    void *address, *place;
    char text[400]; // in words
    struct span at; // of the user's source that was worked on, see guard_at()
    void *frames[GUARD_FRAMES];
    int frame_count;
};

// Runs work(data). False: it was given up, guard_last() says why. Any thread; may be
// nested. Where nobody has set `guard_gate`, faults are what they are elsewhere.
bool guard_run(void (*work)(void *data), void *data);
// The last failure of this thread.
struct guard_failure *guard_last(void);
// Notes what this thread works on now.
void guard_at(const struct span *place);
// Gives up the innermost work of this thread; returns where none can be given up.
void guard_give_up(const char *text);

// How work is given up, set by the runtime, which owns the handlers of signals.
struct guard_gate {
    bool (*run)(void (*work)(void *data), void *data);
    void (*give_up)(const char *text);
};
extern const struct guard_gate *guard_gate;

// Locks for what work of a guard does under them. No lock may be taken so by one thread
// and let go by another.
void guard_lock(pthread_mutex_t *lock);
void guard_unlock(pthread_mutex_t *lock);
// How many of them this thread holds, and letting go of those taken since.
size_t guard_held(void);
void guard_release(size_t held);
