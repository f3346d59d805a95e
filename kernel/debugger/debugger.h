// SPDX-License-Identifier: MIT
// The debugger: a thread that answers debug_request, itself or through debugpy's adapter,
// whatever the main thread does. It begins with the first such request.
#pragma once

#include <jansson.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/queue.h"
#include "base/vec.h"
#include "kernel/debugger/dap.h"
#include "kernel/protocol/message.h"

struct channels;
struct debugger;

// What the debugger needs of the kernel that it belongs to, and outlives it.
struct debug_host {
    struct channels *channels;
    const atomic_bool *has_python;     // interp_start is done
    struct debugger *_Atomic debugger; // made by the I/O thread; NULL until asked for
};

// Answers a request with what the adapter says to it; takes both.
typedef void (*debug_finish)(struct debugger *debugger, struct message *message_stolen,
        json_t *response_stolen);

// A request that the adapter has not answered yet.
struct exchange {
    json_int_t sequence;
    struct message *message; // NULL: the debugger's own
    debug_finish finish;     // NULL: as it is
};

struct debugger {
    struct channels *channels;
    const atomic_bool *has_python;
    pthread_t thread;
    struct queue requests; // struct message
    atomic_bool is_stopping;
    pthread_mutex_t lock;
    bool runs; // the thread takes what is pushed; guarded by lock

    // the debugger's thread
    struct dap adapter;
    char address[64];
    int port; // 0: debugpy does not listen yet
    json_int_t sequence;
    int64_t served_ms; // when the last request began
    VEC(struct exchange) exchanges;
    json_t *breakpoints;   // object: path -> list
    json_t *stopped;       // ids of the threads that stand at a breakpoint
    bool in_compiled;      // one of them in compiled code, which debugpy does not know
    struct origin *parent; // of events: the last request
};

// I/O thread: serves a debug_request; takes it.
void debugger_serve(struct debug_host *host, struct message *message_stolen);
// Any thread: what stood at a breakpoint goes on.
void debugger_note_continued(struct debug_host *host);
// Any thread: compiled code stands, or goes on.
void debugger_note_event(struct debug_host *host, const char *event, json_t *body_stolen);
// Ends the thread, if there is one, unless Python holds it up.
void debugger_stop(struct debug_host *host);

// ---- debugger.c, for the requests; each answer takes the message
void debugger_answer(
        struct debugger *debugger, struct message *message_stolen, json_t *body_stolen);
void debugger_refuse(struct debugger *debugger, struct message *message_stolen,
        const char *format, ...) __attribute__((format(printf, 3, 4)));
// The adapter's response is the answer.
void debugger_pass(struct debugger *debugger, struct message *message_stolen,
        json_t *response_stolen);
// Sends to the adapter; `finish` may be NULL. A NULL message: the debugger asks.
void debugger_forward(struct debugger *debugger, struct message *message_stolen,
        const char *command, json_t *arguments_stolen, debug_finish finish);
// Has debugpy listen, and connects.
bool debugger_open(struct debugger *debugger, struct error *err);
void debugger_close(struct debugger *debugger);

// ---- debug_requests.c
// Answers one request, now or when the adapter has answered; takes it.
void debug_request_serve(struct debugger *debugger, struct message *message_stolen);
