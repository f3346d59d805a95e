// SPDX-License-Identifier: MIT
// The main thread's loop: one request after another, busy first, reply, idle last.
#include "kernel/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"

// Interrupts reach Python between these two, and only then.
static bool python_begin(struct kernel *kernel)
{
    signals_reinstall();
    atomic_store(&kernel->is_interrupted, false);
    atomic_store(&kernel->runs_python, true);
    return !atomic_load(&kernel->is_stopping);
}

static void python_end(struct kernel *kernel)
{
    atomic_store(&kernel->runs_python, false);
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
            "engine", kernel->wire.session, "status", status ? status : "error");
}

static void serve_execute(struct kernel *kernel, const struct message *message)
{
    char started[32];
    wire_date(started);
    json_t *reply = NULL;
    int64_t start = clock_ms();
    if (abort_covers(kernel, message)) {
        reply = json_pack("{s:s}", "status", "aborted");
    } else if (!has_text(message->content, "code")) {
        reply = error_content("ProtocolError", "execute_request needs the string code");
    } else {
        kernel->allows_input =
                json_is_true(json_object_get(message->content, "allow_stdin"));
        if (python_begin(kernel))
            reply = interp_execute(message->content, message->metadata);
        python_end(kernel);
        if (!reply)
            reply = json_pack("{s:s}", "status", "aborted");
        if (stops_queue(message, reply))
            abort_begin(kernel, message, clock_ms() - start);
    }
    iopub_flush(kernel);
    kernel_reply(kernel, message->origin, "execute_reply", reply,
            execute_metadata(kernel, started, reply));
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

static void serve_question(struct kernel *kernel, const struct message *message,
        const struct request_handler *handler)
{
    json_t *reply = NULL;
    if (handler->needed && !has_text(message->content, handler->needed)) {
        reply = error_content("ProtocolError", "the request needs the string code");
    } else {
        if (python_begin(kernel))
            reply = handler->answer(message->content);
        python_end(kernel);
    }
    if (!reply)
        reply = error_content("InternalError", "there is no answer");
    iopub_flush(kernel);
    kernel_reply(kernel, message->origin, handler->reply, reply, NULL);
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

static void serve_comm(struct kernel *kernel, const struct message *message)
{
    if (!has_text(message->content, "comm_id")) {
        log_write(LOG_WARNING, "a %s message without comm_id was dropped",
                message->msg_type);
        return;
    }
    size_t count;
    struct interp_buffer *buffers = message_buffers(message, &count);
    if (python_begin(kernel))
        interp_comm(
                message->msg_type, message->content, message->metadata, buffers, count);
    python_end(kernel);
    free(buffers);
}

static void serve_by_type(struct kernel *kernel, const struct message *message)
{
    const char *type = message->msg_type;
    if (!strcmp(type, "execute_request")) {
        serve_execute(kernel, message);
        return;
    }
    if (!strcmp(type, "shutdown_request")) {
        control_answer_shutdown(kernel, message);
        return;
    }
    if (message_is_comm(message)) {
        serve_comm(kernel, message);
        return;
    }
    for (size_t i = 0; i < sizeof handlers / sizeof *handlers; i++) {
        if (!strcmp(type, handlers[i].request)) {
            serve_question(kernel, message, &handlers[i]);
            return;
        }
    }
    log_write(LOG_INFO, "a %s on the shell channel has no answer", type);
}

// exit() in a cell: all clients learn of it as of a shutdown.
static void exit_as_asked(struct kernel *kernel, const struct message *message)
{
    json_t *content = json_pack("{s:s, s:b}", "status", "ok", "restart", 0);
    kernel_send(kernel, &(struct message_spec){.channel = CHANNEL_IOPUB,
                                .origin = message->origin,
                                .msg_type = "shutdown_reply",
                                .content_stolen = json_text_stolen(content)});
    control_begin_shutdown(kernel);
    queue_wake(&kernel->outgoing);
}

static void serve(struct kernel *kernel, struct message *message)
{
    if (!message->msg_type) {
        kernel->is_aborting = false;
        return;
    }
    if (control_answer_in_turn(kernel, message))
        return;
    iopub_set_origin(kernel, message->origin);
    kernel_status(kernel, message->origin, "busy");
    serve_by_type(kernel, message);
    iopub_flush(kernel);
    kernel_status(kernel, message->origin, "idle");
    if (kernel->asked_exit)
        exit_as_asked(kernel, message);
}

void shell_serve_comms(struct kernel *kernel)
{
    struct origin *cell = front_end_origin_acquire();
    bool runs_python = atomic_load(&kernel->runs_python), is_first = true;
    struct message *message;
    queue_clear_event(&kernel->requests);
    while ((message = (struct message *)queue_take(&kernel->requests, node_is_comm))) {
        is_first = false;
        serve(kernel, message);
        message_destroy(message);
        atomic_fetch_sub(&kernel->queued_count, 1);
    }
    if (!is_first)
        iopub_set_origin(kernel, cell);
    atomic_store(&kernel->runs_python, runs_python);
    origin_release(cell);
}

// Lets background tasks run; the time until they want to again.
static int idle(struct kernel *kernel)
{
    int wait_ms = -1;
    if (python_begin(kernel))
        wait_ms = interp_idle();
    python_end(kernel);
    return wait_ms;
}

void shell_loop(struct kernel *kernel)
{
    while (!atomic_load(&kernel->is_stopping)) {
        struct message *message = (struct message *)queue_pop(&kernel->requests);
        if (message) {
            serve(kernel, message);
            message_destroy(message);
            atomic_fetch_sub(&kernel->queued_count, 1);
            continue;
        }
        int wait_ms = idle(kernel);
        if (!atomic_load(&kernel->is_stopping))
            queue_wait(&kernel->requests, wait_ms);
    }
}
