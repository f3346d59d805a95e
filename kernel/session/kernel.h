// SPDX-License-Identifier: MIT
// The kernel: what its threads share. The main thread runs Python and serves requests;
// the I/O thread, which belongs to the channels, receives and sends; lanes and the
// debugger are threads beside them.
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/queue.h"
#include "base/vec.h"
#include "kernel/debugger/debugger.h"
#include "kernel/interface/interp.h"
#include "kernel/process/stdio_capture.h"
#include "kernel/protocol/channels.h"
#include "kernel/session/control.h"
#include "kernel/session/lanes.h"

struct comm_routes;

struct kernel {
    struct channels channels;
    struct capture capture; // its texts are guarded by channels.iopub.lock
    struct debug_host debug;
    struct lane main;           // of the main thread
    struct queue input_replies; // struct message, for input_ask
    char *kernel_info;          // content of kernel_info_reply
    int64_t started_ms;         // by the clock that dates messages
    pthread_t main_thread;
    int parent_fd; // readable when the launcher ends; -1: none

    atomic_bool runs_python;    // a request is inside interp_*: interrupts go there
    atomic_bool is_interrupted; // since the request or the input began
    // when an interrupt came that no Python code saw; 0: none
    atomic_llong interrupted_ms;
    atomic_bool awaits_input; // the main thread is in input_ask
    atomic_bool has_python;   // interp_start is done
    atomic_bool is_stopping;  // shutdown was asked for: no further request is begun
    atomic_bool wants_stop;   // a signal asked for it

    // I/O thread
    VEC(struct postponed) postponed; // control.c
    VEC(int64_t) question_deadlines; // ascending; lanes.c
    int interrupt_stage;             // interrupts.c
    bool awaits_choice;              // of the user, between waiting and the end
    bool ends_now;
    int64_t end_ms; // when the process ends whatever happens; 0: not asked for; ending.c

    pthread_mutex_t lanes_lock;
    struct lane *lanes; // beside the main one; guarded by lanes_lock
    struct lane *side;  // that of questions; NULL: none now; guarded by lanes_lock
    bool is_closed;     // no further lane begins; guarded by lanes_lock
    struct comm_routes *comm_routes; // NULL: none yet; guarded by lanes_lock
};

// `gridcell kernel`: runs until shutdown; the exit status.
int kernel_run(const char *connection_file, const struct interp_options *options);
