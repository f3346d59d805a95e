// SPDX-License-Identifier: MIT
// What all front ends see, in one order: messages on the IOPub channel, and the text of
// the two streams, which is gathered for a moment.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"
#include "base/vec.h"
#include "kernel/protocol/message.h"

struct channels;

// Stream text that waits to be sent. One request has text of one stream at a time, so
// that the order of its two streams is kept, unless they change too often.
struct pending {
    struct origin *origin;
    enum output_stream stream;
    struct str text;
    int64_t deadline_ms;
};

struct iopub {
    pthread_mutex_t lock;
    struct origin *origin;       // of the request that runs or ran last; guarded by lock
    struct origin *control;      // of the last control request; guarded by lock
    VEC(struct pending) pending; // guarded by lock
    struct str spare;            // room that the next pending text takes; guarded by lock
    int64_t flushed_ms;          // by iopub_flush_soon; guarded by lock
    int64_t turns_second;        // of turn_count; guarded by lock
    int turn_count;              // from one stream to the other; guarded by lock
};

// All of them on any thread but the I/O thread, unless said.
bool iopub_init(struct channels *channels, struct error *err);
void iopub_finish(struct channels *channels);
// Sends pending stream text first; takes the spec's texts.
void iopub_send(struct channels *channels, const struct message_spec *spec);
// From now on output belongs to this request.
void iopub_set_origin(struct channels *channels, struct origin *origin);
// The request that output belongs to, as a new reference; NULL: none yet. Any thread.
struct origin *iopub_origin(struct channels *channels);
// I/O thread: the control channel's last request, for those who ask.
void iopub_note_control(struct channels *channels, struct origin *origin);
// That request, as a new reference; NULL: none yet. Any thread.
struct origin *iopub_control(struct channels *channels);
void iopub_stream(struct channels *channels, struct origin *origin,
        enum output_stream stream, const char *text, size_t len);
void iopub_flush(struct channels *channels);
// The same, unless it was done just now: then what is pending leaves in its time.
void iopub_flush_soon(struct channels *channels);
// Reads what was captured and sends pending text whose time has come; the milliseconds
// until there is more to do, or -1. I/O thread.
int iopub_poll(struct channels *channels);
// Sends all that was printed, though a thread that crashed may hold the lock. I/O thread.
void iopub_flush_at_crash(struct channels *channels);
