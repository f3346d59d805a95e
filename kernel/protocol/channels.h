// SPDX-License-Identifier: MIT
// The way to the front ends: the five channels with all that sends and receives on them.
// Its fields belong to the protocol; the session opens it, sends, and gives the hooks.
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/queue.h"
#include "kernel/protocol/backlog.h"
#include "kernel/protocol/connection.h"
#include "kernel/protocol/io_thread.h"
#include "kernel/protocol/iopub.h"
#include "kernel/protocol/message.h"

struct channels {
    const struct protocol_hooks *hooks;
    struct kernel *kernel; // handed to the hooks, and never looked into
    bool allows_unsigned;  // also where others reach the address; set before opening
    struct connection connection;
    struct wire wire;
    struct iopub iopub;
    struct backlog backlog;
    struct queue outgoing;   // struct packet, for the I/O thread
    int captured_fd;         // readable while hooks.has_captured; -1: nothing is captured
    pthread_t io_thread;     // 0: it does not run
    atomic_bool is_finished; // the main thread is done: the I/O thread sends the rest and
                             // ends
    void *zmq_context;
    bool is_bound[CHANNEL_COUNT];
    void *sockets[CHANNEL_COUNT]; // I/O thread, after binding
    uint64_t dropped_count;       // I/O thread
};

// Reads the connection file and binds the sockets; from then on requests queue up. The
// path and the hooks outlive it. False leaves what channels_close undoes.
bool channels_open(struct channels *channels, const char *connection_file,
        const struct protocol_hooks *hooks, struct kernel *kernel, struct error *err);
// Ends what is there; safe on channels that were opened half, or never.
void channels_close(struct channels *channels);

// ---- any thread
// Encodes and queues, with no regard to pending stream text; takes the spec's texts.
void channels_send(struct channels *channels, const struct message_spec *spec);
void channels_status(
        struct channels *channels, const struct origin *origin, const char *state);
// A reply on the request's own channel; `metadata_stolen` may be NULL.
void channels_reply(struct channels *channels, const struct origin *origin,
        const char *msg_type, json_t *content_stolen, json_t *metadata_stolen);
// Queues a barrier: hooks.pass_barrier is called once all requests are delivered that had
// come when the I/O thread finds it.
void channels_send_barrier(struct channels *channels, struct lane *lane);
char *json_text_stolen(json_t *value_stolen);
