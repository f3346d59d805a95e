// SPDX-License-Identifier: MIT
// The thread that owns every socket, and what it asks of the session above it.
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"
#include "kernel/protocol/connection.h"
#include "kernel/protocol/payload.h"

struct channels;
struct kernel;
struct lane;
struct message;

// The protocol knows nothing of what requests mean: it calls these, and all of them are
// set. They run on the I/O thread unless it is said otherwise.
struct protocol_hooks {
    // The thread begins; a descriptor that becomes readable when the process that
    // launched the kernel ends, which the thread closes; -1: none.
    int (*begin)(struct kernel *kernel);
    // Before each wait: sees to what is due; the milliseconds until the next, or -1.
    int (*poll)(struct kernel *kernel);
    // After each wait, before anything is received: does not return after a crash.
    void (*check_crash)(struct kernel *kernel);
    // A request of the shell, the control or the stdin channel; takes it.
    void (*deliver)(struct kernel *kernel, struct message *message_stolen);
    // The requests that had come before this lane's barrier was queued are delivered.
    void (*pass_barrier)(struct kernel *kernel, struct lane *lane);
    // At the end of each turn: does not return when the process has to end at once.
    // `is_orphan`: the process that launched the kernel ended in this turn.
    void (*check_end)(struct kernel *kernel, bool is_orphan);
    // The thread ends.
    void (*end)(struct kernel *kernel);
    // What C code and programs wrote to descriptors 1 and 2; false: nothing. With
    // iopub.lock, on any thread.
    bool (*has_captured)(struct kernel *kernel);
    bool (*read_captured)(
            struct kernel *kernel, enum output_stream stream, struct str *text);
};

// The new thread serves until io_thread_finish. It inherits the signals that the caller
// blocks: the session blocks all of them.
bool io_thread_start(struct channels *channels, struct error *err);
// Asks the I/O thread to stop once all is sent, and waits for it; if there is one.
void io_thread_finish(struct channels *channels);
// From a hook: sends what is queued and closes the sockets, because the process ends.
void io_thread_send_rest(struct channels *channels, int linger_ms);
