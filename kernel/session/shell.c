// SPDX-License-Identifier: MIT
// One request after another: busy first, reply, idle last. The main thread's loop.
#include "kernel/session/shell.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "kernel/interface/front_end.h"
#include "kernel/process/signals.h"
#include "kernel/process/interpose.h"
#include "kernel/process/stack_guard.h"
#include "kernel/session/control.h"
#include "kernel/session/ending.h"
#include "kernel/session/kernel.h"
#include "kernel/session/predecessor.h"

static bool is_main(const struct lane *lane)
{
    return lane == &lane->kernel->main;
}

// Interrupts reach Python between these two, and only then; they are the main thread's.
static bool python_begin(struct lane *lane)
{
    struct kernel *kernel = lane->kernel;
    if (is_main(lane) && !lane->serves_within) {
        signals_reinstall();
        atomic_store(&kernel->is_interrupted, false);
        atomic_store(&kernel->runs_python, true);
    }
    return !atomic_load(&kernel->is_stopping);
}

static void python_end(struct lane *lane)
{
    if (!is_main(lane) || lane->serves_within)
        return;
    atomic_store(&lane->kernel->runs_python, false);
    signals_reinstall();
}

static json_t *error_content(const char *name, const char *value)
{
    return json_pack("{s:s, s:s, s:s, s:[]}", "status", "error", "ename", name, "evalue",
            value, "traceback");
}

static bool has_text(const json_t *content, const char *field)
{
    return json_is_string(json_object_get(content, field));
}

static bool stops_queue(const struct message *message, const json_t *reply)
{
    const char *status = json_string_value(json_object_get(reply, "status"));
    bool goes_on = json_is_false(json_object_get(message->content, "stop_on_error")) ||
                   json_is_true(json_object_get(message->content, "silent"));
    return status && !strcmp(status, "error") && !goes_on;
}

static json_t *execute_metadata(
        struct kernel *kernel, const char *started, const json_t *reply)
{
    const char *status = json_string_value(json_object_get(reply, "status"));
    return json_pack("{s:s, s:b, s:s, s:s}", "started", started, "dependencies_met", 1,
            "engine", kernel->channels.wire.session, "status", status ? status : "error");
}

// Without a count, as ipykernel's: JupyterLab would write it beside a cell that never
// ran.
static json_t *aborted_content(void)
{
    return json_pack("{s:s}", "status", "aborted");
}

// What comes once the front end has the reply waits for the next request, not this one. A
// process that was told to end by a signal gives none: clients shall learn that it died.
static void reply(struct lane *lane, const struct message *message, const char *type,
        json_t *content_stolen, json_t *metadata_stolen)
{
    iopub_flush(&lane->kernel->channels);
    if (atomic_load(&lane->kernel->wants_stop)) {
        json_decref(content_stolen);
        json_decref(metadata_stolen);
        return;
    }
    atomic_store(&lane->started_ms, clock_ms());
    channels_reply(&lane->kernel->channels, message->origin, type, content_stolen,
            metadata_stolen);
}

// In the first cell whose output anybody sees.
static void tell_of_predecessor(struct lane *lane, const struct message *message)
{
    bool is_silent = json_is_true(json_object_get(message->content, "silent"));
    const char *note = is_main(lane) && !is_silent ? predecessor_take_note() : NULL;
    if (note)
        front_end_stream(STREAM_STDERR, note, strlen(note));
}

static void serve_execute(struct lane *lane, const struct message *message)
{
    char started[32];
    wire_date(started);
    json_t *content = NULL;
    int64_t start = clock_ms();
    if (abort_covers(lane, message)) {
        content = aborted_content();
    } else if (!has_text(message->content, "code")) {
        content = error_content("ProtocolError", "execute_request needs the string code");
    } else {
        atomic_store(&lane->allows_input,
                json_is_true(json_object_get(message->content, "allow_stdin")));
        if (is_main(lane)) {
            stack_guard_close();
            interpose_again();
        }
        tell_of_predecessor(lane, message);
        if (python_begin(lane))
            content = interp_execute(message->content, message->metadata);
        python_end(lane);
        if (!content)
            content = aborted_content();
        json_t *count = json_object_get(content, "execution_count");
        if (json_is_integer(count))
            lane->execution_count = json_integer_value(count);
        if (stops_queue(message, content))
            abort_begin(lane, message, clock_ms() - start);
    }
    reply(lane, message, "execute_reply", content,
            execute_metadata(lane->kernel, started, content));
}

static const struct request_handler {
    const char *request, *reply;
    json_t *(*answer)(json_t *content);
    const char *needed; // a field that must be a string
} handlers[] = {
        {"complete_request", "complete_reply", interp_complete, "code"},
        {"inspect_request", "inspect_reply", interp_inspect, "code"},
        {"is_complete_request", "is_complete_reply", interp_is_complete, "code"},
        {"history_request", "history_reply", interp_history, NULL},
        {"comm_info_request", "comm_info_reply", interp_comm_info, NULL},
};

bool message_is_question(const struct message *message)
{
    for (size_t i = 0; i < sizeof handlers / sizeof *handlers; i++) {
        if (!strcmp(message->msg_type, handlers[i].request))
            return true;
    }
    return false;
}

static void serve_question(struct lane *lane, const struct message *message,
        const struct request_handler *handler)
{
    json_t *content = NULL;
    if (handler->needed && !has_text(message->content, handler->needed)) {
        content = error_content("ProtocolError", "the request needs the string code");
    } else {
        interp_hurry_begin();
        if (python_begin(lane))
            content = handler->answer(message->content);
        python_end(lane);
        interp_hurry_end();
    }
    if (!content)
        content = error_content("InternalError", "there is no answer");
    reply(lane, message, handler->reply, content, NULL);
}

bool message_is_comm(const struct message *message)
{
    const char *type = message->msg_type;
    return type && (!strcmp(type, "comm_open") || !strcmp(type, "comm_msg") ||
                           !strcmp(type, "comm_close"));
}

static bool node_is_comm(const struct queue_node *node)
{
    return message_is_comm((const struct message *)node);
}

static void serve_comm(struct lane *lane, const struct message *message)
{
    if (!has_text(message->content, "comm_id")) {
        log_write(LOG_WARNING, "a %s message without comm_id was dropped",
                message->msg_type);
        return;
    }
    size_t count;
    struct message_buffer *buffers = message_buffers(message, &count);
    if (python_begin(lane))
        interp_comm(
                message->msg_type, message->content, message->metadata, buffers, count);
    python_end(lane);
    free(buffers);
}

static void serve_by_type(struct lane *lane, const struct message *message)
{
    const char *type = message->msg_type;
    if (!strcmp(type, "execute_request")) {
        serve_execute(lane, message);
        return;
    }
    if (!strcmp(type, "shutdown_request")) {
        control_answer_shutdown(lane->kernel, message);
        return;
    }
    if (message_is_comm(message)) {
        serve_comm(lane, message);
        return;
    }
    for (size_t i = 0; i < sizeof handlers / sizeof *handlers; i++) {
        if (!strcmp(type, handlers[i].request)) {
            serve_question(lane, message, &handlers[i]);
            return;
        }
    }
    log_write(LOG_INFO, "a %s on the shell channel has no answer", type);
}

// How long a kernel that a cell ended stays, if no front end asks for its end before: one
// that finds it gone does not look at the reply any more, which says why it went.
#define EXIT_GRACE_MS 1000

static void await_front_end(struct kernel *kernel)
{
    int64_t end_ms = clock_ms() + EXIT_GRACE_MS;
    while (!atomic_load(&kernel->is_stopping) && clock_ms() < end_ms)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

// exit() in a cell: all clients learn of it as of a shutdown.
static void exit_as_asked(struct kernel *kernel, const struct message *message)
{
    await_front_end(kernel);
    if (atomic_load(&kernel->is_stopping))
        return;
    json_t *content = json_pack("{s:s, s:b}", "status", "ok", "restart", 0);
    channels_send(
            &kernel->channels, &(struct message_spec){.channel = CHANNEL_IOPUB,
                                       .origin = message->origin,
                                       .msg_type = "shutdown_reply",
                                       .content_stolen = json_text_stolen(content)});
    ending_begin(kernel);
    queue_wake(&kernel->channels.outgoing);
}

// Output belongs to this request from now on.
static void set_origin(struct lane *lane, struct origin *origin)
{
    struct kernel *kernel = lane->kernel;
    if (is_main(lane)) {
        iopub_set_origin(&kernel->channels, origin);
    } else {
        origin_release(lane->origin);
        lane->origin = origin_acquire(origin);
    }
}

static void serve(struct lane *lane, struct message *message)
{
    struct kernel *kernel = lane->kernel;
    if (!message->msg_type) {
        lane->is_aborting = false;
        return;
    }
    if (control_answer_in_turn(kernel, message))
        return;
    set_origin(lane, message->origin);
    channels_status(&kernel->channels, message->origin, "busy");
    serve_by_type(lane, message);
    iopub_flush(&kernel->channels);
    channels_status(&kernel->channels, message->origin, "idle");
    if (lane->asked_exit)
        exit_as_asked(kernel, message);
}

void shell_serve(struct lane *lane, struct message *message)
{
    serve(lane, message);
    message_destroy(message);
    atomic_fetch_sub(&lane->queued_count, 1);
}

void shell_serve_comms(struct kernel *kernel)
{
    struct lane *lane = &kernel->main;
    struct origin *cell = front_end_origin_acquire();
    bool was_within = lane->serves_within, is_first = true;
    lane->serves_within = atomic_load(&kernel->runs_python);
    struct message *message;
    queue_clear_event(&lane->requests);
    while ((message = (struct message *)queue_take(&lane->requests, node_is_comm))) {
        is_first = false;
        shell_serve(lane, message);
    }
    if (!is_first)
        iopub_set_origin(&kernel->channels, cell);
    lane->serves_within = was_within;
    origin_release(cell);
}

void shell_push(struct kernel *kernel, struct message *message)
{
    // a cell that awaits takes it from behind other requests
    bool overtakes = message_is_comm(message);
    lane_push(&kernel->main, message);
    if (overtakes)
        queue_wake(&kernel->main.requests);
}

int shell_idle(struct lane *lane, int *fd)
{
    int wait_ms = -1;
    *fd = -1;
    if (python_begin(lane))
        wait_ms = interp_idle(fd);
    python_end(lane);
    return wait_ms;
}

void shell_loop(struct kernel *kernel)
{
    struct lane *lane = &kernel->main;
    while (!atomic_load(&kernel->is_stopping)) {
        struct message *message = (struct message *)queue_pop(&lane->requests);
        if (message) {
            shell_serve(lane, message);
            continue;
        }
        int fd, wait_ms = shell_idle(lane, &fd);
        if (!atomic_load(&kernel->is_stopping))
            queue_wait_beside(&lane->requests, wait_ms, fd);
    }
}
