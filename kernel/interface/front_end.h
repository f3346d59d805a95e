// SPDX-License-Identifier: MIT
// What the Python side asks of the protocol side: messages to the front end that asked
// for the running request. Safe from any thread; never blocks on a socket, except
// front_end_input.
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/str.h"
#include "kernel/protocol/payload.h"

// The request that output belongs to. Counted; threads and tasks keep the one in which
// they began.
struct origin;
// The request that is served now, or was last; NULL: none yet.
struct origin *front_end_origin_acquire(void);
// Another reference; NULL stays NULL.
struct origin *front_end_origin_share(struct origin *origin);
void front_end_origin_release(struct origin *origin);
// `find` tells whose the calling thread's output is: a new reference, or NULL for the
// request that is served now. It is called on any thread, with no lock held.
void front_end_set_origin_finder(struct origin *(*find)(void));

// An IOPub message whose parent is the caller's request. Takes both references;
// `metadata` may be NULL. What was written to the streams before goes out first. Buffers
// are copied.
void front_end_publish(const char *msg_type, json_t *content_stolen,
        json_t *metadata_stolen, const struct message_buffer *buffers,
        size_t buffer_count);

// Appends to a stream; coalesced for about 20 ms or 64 KiB, sent as valid UTF-8.
void front_end_stream(enum output_stream stream, const char *text, size_t len);
// False while front ends take output more slowly than it comes: who writes shall wait,
// without the GIL. front_end_await_room waits that long at most, or until a signal.
bool front_end_has_room(void);
void front_end_await_room(int limit_ms);
// Sends what is buffered, including what C code wrote to file descriptors 1 and 2 so far.
void front_end_flush(void);
// The same for who may call it after each letter: at once, or in some 20 ms.
void front_end_flush_soon(void);

// From here on an interrupt breaks off the input that follows; the caller looks at those
// that came before.
void front_end_input_begin(void);
// Asks the front end for a line (stdin channel). Releases nothing: the caller gives up
// the GIL around it. False with ERROR_INTERRUPT when interrupted, or ERROR_SYSTEM when
// stdin is not allowed.
bool front_end_input(
        const char *prompt, bool is_password, struct str *value, struct error *err);

// The parent header and identity of the caller's request as JSON, for comm and Output
// widgets.
json_t *front_end_parent(void);
// The same of the last request on the control channel.
json_t *front_end_control_parent(void);

// The ids of the subshells as a list.
json_t *front_end_subshells(void);

// A descriptor that becomes readable when comm messages may wait; -1: there is no front
// end. front_end_serve_comms serves them; main thread, inside a request, without the GIL.
int front_end_comm_fd(void);
void front_end_serve_comms(void);

// The cell that stood at a breakpoint has ended without the debugger's doing.
void front_end_debug_continued(void);
// Compiled code stands, or goes on: an event of the Debug Adapter Protocol. Any thread.
void front_end_debug_event(const char *event, json_t *body_stolen);

// Makes the main thread look what there is to do. Any thread.
void front_end_wake(void);

// The original file descriptors 1 and 2 of the process, before capture.
int front_end_original_fd(enum output_stream stream);

// Ends the kernel after the current reply (exit, quit).
void front_end_ask_exit(bool keep_kernel);

// ---- for the session
// What the calls above lead to, each under the name of its call; all of them are set.
// `origin` is whose the output of the calling thread is, borrowed; NULL: no request yet.
struct front_end_ops {
    struct origin *(*origin_acquire)(void);
    void (*publish)(const struct origin *origin, const char *msg_type,
            json_t *content_stolen, json_t *metadata_stolen,
            const struct message_buffer *buffers, size_t buffer_count);
    void (*stream)(struct origin *origin, enum output_stream stream, const char *text,
            size_t len);
    bool (*has_room)(void);
    void (*await_room)(int limit_ms);
    void (*flush)(void);
    void (*flush_soon)(void);
    void (*input_begin)(void);
    bool (*input)(
            const char *prompt, bool is_password, struct str *value, struct error *err);
    json_t *(*parent)(struct origin *origin);
    json_t *(*control_parent)(void);
    json_t *(*subshells)(void);
    int (*comm_fd)(void);
    void (*serve_comms)(void);
    void (*debug_continued)(void);
    void (*debug_event)(const char *event, json_t *body_stolen);
    void (*wake)(void);
    int (*original_fd)(enum output_stream stream);
    void (*ask_exit)(void);
};
// Before Python starts; NULL after it has ended: there is no front end.
void front_end_set_ops(const struct front_end_ops *ops);
