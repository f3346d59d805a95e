// SPDX-License-Identifier: MIT
// Lanes: each is one thread that serves requests in their order, the main one or another
// beside it.
#pragma once

#include <jansson.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/queue.h"
#include "kernel/protocol/message.h"
#include "kernel/session/abort.h"

struct kernel;

struct lane {
    struct kernel *kernel;
    struct queue requests;   // struct message
    atomic_int queued_count; // requests that wait or are being served
    atomic_llong started_ms; // when the request that is being served had its turn
    atomic_bool is_stopping; // what is left is aborted, then the thread ends
    atomic_bool has_ended;
    char id[37]; // of the subshell; "": none
    pthread_t thread;
    int idle_limit_ms; // after it the thread ends; -1: it stays
    struct lane *next; // guarded by kernel.lanes_lock

    // the lane's own thread
    struct origin *origin;    // of the request that is served; the main lane's is iopub's
    atomic_bool allows_input; // the request that is served, or was last
    json_int_t execution_count; // in the last reply
    bool is_aborting;           // execute requests, until the barrier comes
    struct abort_window abort_window;
    bool asked_exit;    // the cell called exit()
    bool serves_within; // a request that runs: interrupts are that one's all the while
};

// So long a cell may have run before questions about code are answered beside it: after a
// short one they see what it did.
#define QUESTION_LIMIT_MS 250

// All of them on the I/O thread unless said.
bool lane_init(struct lane *lane, struct kernel *kernel, struct error *err);
// Drops what is queued; safe on one that was not initialised.
void lane_finish(struct lane *lane);
void lane_push(struct lane *lane, struct message *message_stolen);
// The lane whose thread calls; the main one's for threads that cells started.
struct lane *lane_current(struct kernel *kernel);
// Gives a request to the subshell that its header names. False: it names none.
bool lanes_take(struct kernel *kernel, struct message *message_stolen);
// Gives a question to the side lane.
void lanes_ask(struct kernel *kernel, struct message *message_stolen);
// A request is about to be queued on the main lane: if it is a question, and must wait,
// then not for ever.
void lanes_note_question(struct kernel *kernel, struct message *message);
// Moves questions that waited long enough to the side lane; the milliseconds until the
// next, or -1.
int lanes_poll(struct kernel *kernel);
// Queues a barrier if the lane is still there.
void lanes_pass_barrier(struct kernel *kernel, struct lane *lane);
// Frees lanes whose threads have ended.
void lanes_collect(struct kernel *kernel);
// Main thread: ends the threads, as far as Python lets it.
void lanes_stop(struct kernel *kernel);
void lanes_answer_create(struct kernel *kernel, const struct message *message);
void lanes_answer_delete(struct kernel *kernel, const struct message *message);
// A list of the ids of the subshells, oldest first. Any thread.
json_t *lanes_subshells(struct kernel *kernel);
void lanes_answer_list(struct kernel *kernel, const struct message *message);
