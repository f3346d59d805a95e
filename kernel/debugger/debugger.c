// SPDX-License-Identifier: MIT
// The debugger's thread: requests of the front end on one side, the adapter's responses
// and events on the other. It never waits for an answer, so that requests overtake those
// that take long.
#include "kernel/debugger/debugger.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "kernel/interface/interp.h"
#include "kernel/process/signals.h"
#include "kernel/protocol/channels.h"

#define IDLE_MS 2000
#define PATIENCE_MS 1000

// ---- answers

static void send_reply(
        struct debugger *debugger, struct message *message, json_t *content)
{
    struct channels *channels = debugger->channels;
    channels_reply(channels, message->origin, "debug_reply", content, NULL);
    channels_status(channels, message->origin, "idle");
    message_destroy(message);
}

static json_t *response_to(
        struct debugger *debugger, const struct message *message, bool is_success)
{
    json_t *sequence = json_object_get(message->content, "seq");
    json_t *command = json_object_get(message->content, "command");
    return json_pack("{s:s, s:I, s:O, s:b, s:O}", "type", "response", "seq",
            ++debugger->sequence, "request_seq", sequence ? sequence : json_null(),
            "success", is_success, "command", command ? command : json_null());
}

void debugger_answer(struct debugger *debugger, struct message *message, json_t *body)
{
    json_t *content = response_to(debugger, message, true);
    json_object_set_new(content, "body", body ? body : json_object());
    send_reply(debugger, message, content);
}

void debugger_refuse(
        struct debugger *debugger, struct message *message, const char *format, ...)
{
    struct str text = {0};
    va_list args;
    va_start(args, format);
    str_vprintf(&text, format, args);
    va_end(args);
    json_t *content = response_to(debugger, message, false);
    json_object_set_new(content, "message", json_string(str_text(&text)));
    json_object_set_new(content, "body",
            json_pack("{s:{s:i, s:s}}", "error", "id", 1, "format", str_text(&text)));
    str_finish(&text);
    send_reply(debugger, message, content);
}

void debugger_pass(struct debugger *debugger, struct message *message, json_t *response)
{
    json_t *sequence = json_object_get(message->content, "seq");
    json_object_set(response, "request_seq", sequence ? sequence : json_null());
    json_object_set(response, "command", json_object_get(message->content, "command"));
    send_reply(debugger, message, response);
}

// ---- the adapter

void debugger_forward(struct debugger *debugger, struct message *message,
        const char *command, json_t *arguments, debug_finish finish)
{
    struct error err = {0};
    struct exchange exchange = {++debugger->sequence, message, finish};
    json_t *request = json_pack("{s:s, s:I, s:s, s:o}", "type", "request", "seq",
            exchange.sequence, "command", command, "arguments",
            arguments ? arguments : json_object());
    bool is_sent =
            debugger->adapter.fd >= 0 && dap_send(&debugger->adapter, request, &err);
    json_decref(request);
    if (is_sent)
        vec_push(&debugger->exchanges, exchange);
    else if (message && err.kind)
        debugger_refuse(debugger, message, "%s", err.message);
    else if (message)
        debugger_refuse(debugger, message,
                "the debugger is not started: initialize comes before %s", command);
}

bool debugger_open(struct debugger *debugger, struct error *err)
{
    debugger_close(debugger);
    if (!debugger->port) {
        json_t *place = interp_debug("listen", NULL, err);
        const char *address = json_string_value(json_object_get(place, "address"));
        if (address) {
            snprintf(debugger->address, sizeof debugger->address, "%s", address);
            debugger->port = (int)json_integer_value(json_object_get(place, "port"));
        }
        json_decref(place);
        if (!debugger->port)
            return error_set(err, ERROR_RUNTIME, SPAN_NONE, "debugpy does not listen");
    }
    return dap_connect(&debugger->adapter, debugger->address, debugger->port, err);
}

void debugger_close(struct debugger *debugger)
{
    dap_close(&debugger->adapter);
    json_object_clear(debugger->breakpoints);
    json_array_clear(debugger->stopped);
    debugger->in_compiled = false;
    vec_each (exchange, &debugger->exchanges) {
        if (exchange->message)
            debugger_refuse(
                    debugger, exchange->message, "the connection to debugpy has ended");
    }
    debugger->exchanges.len = 0;
}

static void publish_event(struct debugger *debugger, json_t *event)
{
    iopub_send(debugger->channels, &(struct message_spec){.channel = CHANNEL_IOPUB,
                                           .origin = debugger->parent,
                                           .msg_type = "debug_event",
                                           .content_stolen = json_text_stolen(event)});
}

static void take_response(struct debugger *debugger, json_t *response)
{
    json_int_t sequence = json_integer_value(json_object_get(response, "request_seq"));
    size_t at = 0;
    while (at < debugger->exchanges.len &&
            debugger->exchanges.items[at].sequence != sequence)
        at++;
    if (at == debugger->exchanges.len) {
        json_decref(response);
        return;
    }
    struct exchange exchange = debugger->exchanges.items[at];
    debugger->exchanges.len--;
    memmove(&debugger->exchanges.items[at], &debugger->exchanges.items[at + 1],
            (debugger->exchanges.len - at) * sizeof exchange);
    if (exchange.finish)
        exchange.finish(debugger, exchange.message, response);
    else if (exchange.message)
        debugger_pass(debugger, exchange.message, response);
    else
        json_decref(response);
}

// ---- events

static void forget_stopped(json_t *stopped, const json_t *thread)
{
    for (size_t i = json_array_size(stopped); i-- > 0;) {
        if (json_equal(json_array_get(stopped, i), thread))
            json_array_remove(stopped, i);
    }
}

static void note_event(struct debugger *debugger, const char *name, const json_t *body)
{
    json_t *thread = json_object_get(body, "threadId");
    if (!strcmp(name, "stopped") && thread) {
        forget_stopped(debugger->stopped, thread);
        json_array_append(debugger->stopped, thread);
    } else if (!strcmp(name, "continued")) {
        bool is_all = !json_is_false(json_object_get(body, "allThreadsContinued"));
        if (is_all || !thread)
            json_array_clear(debugger->stopped);
        else
            forget_stopped(debugger->stopped, thread);
    } else if (!strcmp(name, "initialized")) {
        // attach is answered only after this; breakpoints may come at any later time
        debugger_forward(debugger, NULL, "configurationDone", NULL, NULL);
    }
}

static void take_event(struct debugger *debugger, json_t *event)
{
    const char *name = json_string_value(json_object_get(event, "event"));
    // `debugpySockets` and the like are between debugpy and its own clients
    if (!name || !strncmp(name, "debugpy", 7)) {
        json_decref(event);
        return;
    }
    note_event(debugger, name, json_object_get(event, "body"));
    publish_event(debugger, event);
}

static void take_message(struct debugger *debugger, json_t *message)
{
    const char *type = json_string_value(json_object_get(message, "type"));
    if (type && !strcmp(type, "response"))
        take_response(debugger, message);
    else if (type && !strcmp(type, "event"))
        take_event(debugger, message);
    else
        json_decref(message);
}

static void lose_adapter(struct debugger *debugger, const struct error *err)
{
    struct error failure = {0};
    log_write(LOG_WARNING, "debugger: %s", err->message);
    debugger_close(debugger);
    json_decref(interp_debug("compiled_end", NULL, &failure));
    publish_event(debugger, json_pack("{s:s, s:I, s:s}", "type", "event", "seq",
                                    ++debugger->sequence, "event", "terminated"));
}

static void read_adapter(struct debugger *debugger)
{
    struct error err = {0};
    json_t *message;
    bool is_there = dap_receive(&debugger->adapter, &err);
    while (debugger->adapter.fd >= 0 && (message = dap_next(&debugger->adapter, &err)))
        take_message(debugger, message);
    if (debugger->adapter.fd >= 0 && (!is_there || err.kind))
        lose_adapter(debugger, &err);
}

// ---- the thread

static void tell_continued(struct debugger *debugger)
{
    size_t i;
    json_t *thread;
    json_array_foreach(debugger->stopped, i, thread)
    {
        publish_event(
                debugger, json_pack("{s:s, s:I, s:s, s:{s:O, s:b}}", "type", "event",
                                  "seq", ++debugger->sequence, "event", "continued",
                                  "body", "threadId", thread, "allThreadsContinued", 1));
    }
    json_array_clear(debugger->stopped);
}

static void take_compiled_event(struct debugger *debugger, json_t *event)
{
    const char *name = json_string_value(json_object_get(event, "event"));
    if (debugger->adapter.fd < 0)
        return;
    debugger->in_compiled = name && !strcmp(name, "stopped");
    json_object_set_new(event, "seq", json_integer(++debugger->sequence));
    take_event(debugger, json_incref(event));
}

static void serve_request(struct debugger *debugger, struct message *message)
{
    if (!message->msg_type) {
        if (message->content)
            take_compiled_event(debugger, message->content);
        else
            tell_continued(debugger);
        message_destroy(message);
        return;
    }
    channels_status(debugger->channels, message->origin, "busy");
    origin_release(debugger->parent);
    debugger->parent = origin_acquire(message->origin);
    debugger->served_ms = clock_ms();
    debug_request_serve(debugger, message);
}

// Milliseconds for which the next request still waits, so that each is answered before
// the next begins; but one that takes long, or never ends, holds up none for ever.
static int patience_ms(const struct debugger *debugger)
{
    int64_t left_ms = debugger->served_ms + PATIENCE_MS - clock_ms();
    bool is_asked = false;
    vec_each (exchange, &debugger->exchanges)
        is_asked = is_asked || exchange->message;
    return is_asked && left_ms > 0 ? (int)left_ms : 0;
}

static void serve_requests(struct debugger *debugger)
{
    struct message *message;
    while (!atomic_load(&debugger->is_stopping) && !patience_ms(debugger) &&
            (message = (struct message *)queue_pop(&debugger->requests)))
        serve_request(debugger, message);
}

// An idle kernel keeps no thread for a debugger that nobody has opened.
static bool ends_idle(struct debugger *debugger)
{
    pthread_mutex_lock(&debugger->lock);
    struct message *message = (struct message *)queue_pop(&debugger->requests);
    debugger->runs = message;
    pthread_mutex_unlock(&debugger->lock);
    if (message)
        serve_request(debugger, message);
    return !message;
}

// Requests may come before Python has started.
static bool wait_for_python(struct debugger *debugger)
{
    const struct timespec pause = {.tv_nsec = 2000000};
    while (!atomic_load(debugger->has_python) && !atomic_load(&debugger->is_stopping))
        nanosleep(&pause, NULL);
    return atomic_load(debugger->has_python);
}

static void *debugger_main(void *argument)
{
    struct debugger *debugger = argument;
    pthread_setname_np(pthread_self(), "gridcell-debug");
    signals_unblock_all(); // debugpy's adapter is started here
    if (!wait_for_python(debugger) || !interp_thread_begin())
        return NULL;
    while (!atomic_load(&debugger->is_stopping)) {
        struct pollfd fds[] = {{debugger->requests.event_fd, POLLIN, 0},
                {debugger->adapter.fd, POLLIN, 0}};
        int wait_ms = patience_ms(debugger);
        if (!wait_ms)
            wait_ms = debugger->adapter.fd < 0 ? IDLE_MS : -1;
        int ready = poll(fds, 2, wait_ms);
        if (!ready && wait_ms == IDLE_MS && debugger->adapter.fd < 0 &&
                ends_idle(debugger))
            break;
        if (fds[0].revents)
            queue_clear_event(&debugger->requests);
        if (fds[1].revents && fds[1].fd == debugger->adapter.fd)
            read_adapter(debugger);
        serve_requests(debugger);
    }
    debugger_close(debugger);
    interp_thread_end();
    return NULL;
}

static void destroy(struct debugger *debugger)
{
    struct queue_node *node;
    while ((node = queue_pop(&debugger->requests)))
        message_destroy((struct message *)node);
    queue_finish(&debugger->requests);
    pthread_mutex_destroy(&debugger->lock);
    vec_finish(&debugger->exchanges);
    json_decref(debugger->breakpoints);
    json_decref(debugger->stopped);
    origin_release(debugger->parent);
    free(debugger);
}

static bool create(struct debug_host *host, struct error *err)
{
    struct debugger *debugger = memory_zalloc(sizeof *debugger);
    debugger->channels = host->channels;
    debugger->has_python = host->has_python;
    debugger->adapter.fd = -1;
    if (!queue_init(&debugger->requests, err)) {
        free(debugger);
        return false;
    }
    pthread_mutex_init(&debugger->lock, NULL);
    debugger->breakpoints = json_object();
    debugger->stopped = json_array();
    host->debugger = debugger;
    return true;
}

// Needs the lock.
static bool start_thread(struct debugger *debugger, struct error *err)
{
    if (debugger->thread)
        pthread_join(debugger->thread, NULL);
    debugger->thread = 0;
    if (pthread_create(&debugger->thread, NULL, debugger_main, debugger))
        return error_set(err, ERROR_SYSTEM, SPAN_NONE, "no thread for the debugger");
    debugger->runs = true;
    return true;
}

static bool push_request(
        struct debugger *debugger, struct message *message, struct error *err)
{
    pthread_mutex_lock(&debugger->lock);
    bool runs = debugger->runs || start_thread(debugger, err);
    if (runs)
        queue_push(&debugger->requests, &message->node);
    pthread_mutex_unlock(&debugger->lock);
    return runs;
}

// A message without a type, for the thread itself.
static void push_note(struct debug_host *host, json_t *content_stolen)
{
    struct debugger *debugger = host->debugger;
    struct message *note = memory_zalloc(sizeof *note);
    note->content = content_stolen;
    if (debugger)
        queue_push(&debugger->requests, &note->node);
    else
        message_destroy(note);
}

void debugger_note_continued(struct debug_host *host)
{
    push_note(host, NULL);
}

void debugger_note_event(struct debug_host *host, const char *event, json_t *body)
{
    push_note(host,
            json_pack("{s:s, s:s, s:o}", "type", "event", "event", event, "body", body));
}

void debugger_serve(struct debug_host *host, struct message *message)
{
    struct error err = {0};
    struct debugger none = {.channels = host->channels};
    if (!host->debugger && !create(host, &err))
        debugger_refuse(&none, message, "%s", err.message);
    else if (!push_request(host->debugger, message, &err))
        debugger_refuse(&none, message, "%s", err.message);
}

void debugger_stop(struct debug_host *host)
{
    enum { STOP_MS = 300 };
    struct debugger *debugger = host->debugger;
    struct timespec limit;
    if (!debugger)
        return;
    atomic_store(&debugger->is_stopping, true);
    queue_wake(&debugger->requests);
    clock_gettime(CLOCK_MONOTONIC, &limit);
    limit.tv_nsec += STOP_MS * 1000000L;
    limit.tv_sec += limit.tv_nsec / 1000000000;
    limit.tv_nsec %= 1000000000;
    if (!debugger->thread ||
            !pthread_clockjoin_np(debugger->thread, NULL, CLOCK_MONOTONIC, &limit))
        destroy(debugger);
    host->debugger = NULL;
}
