// SPDX-License-Identifier: MIT
// Requests that never wait for Python: kernel_info, interrupt, shutdown, usage. All of it
// runs on the I/O thread, while a cell may be running.
#include "kernel/session/control.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "kernel/debugger/debugger.h"
#include "kernel/process/usage.h"
#include "kernel/session/ending.h"
#include "kernel/session/interrupts.h"
#include "kernel/session/kernel.h"
#include "kernel/session/kernel_info.h"
#include "kernel/session/shell.h"

#define PREDECESSOR_LIMIT_MS 5000

static void answer_kernel_info(struct kernel *kernel, const struct message *message)
{
    channels_send(&kernel->channels,
            &(struct message_spec){.channel = message->channel,
                    .origin = message->origin,
                    .msg_type = "kernel_info_reply",
                    .content_stolen = memory_strdup(kernel->kernel_info)});
}

static void answer_connect(struct kernel *kernel, const struct message *message)
{
    channels_reply(&kernel->channels, message->origin, "connect_reply",
            connect_content(&kernel->channels.connection), NULL);
}

static void answer_interrupt(struct kernel *kernel, const struct message *message)
{
    interrupts_send(kernel);
    channels_reply(&kernel->channels, message->origin, "interrupt_reply",
            json_pack("{s:s}", "status", "ok"), NULL);
}

static void answer_usage(struct kernel *kernel, const struct message *message)
{
    channels_reply(
            &kernel->channels, message->origin, "usage_reply", usage_content(), NULL);
}

// Whether a launcher meant the kernel that had the same ports before: it asks a dead
// kernel, too, to end for a restart, and ZeroMQ delivers that to the next one, if it is
// there within a second.
static bool is_for_predecessor(const struct kernel *kernel, const struct message *message)
{
    int64_t sent = message_sent_ms(message), age = wire_clock_ms() - kernel->started_ms;
    return age >= 0 && age < PREDECESSOR_LIMIT_MS && sent < kernel->started_ms &&
           sent > kernel->started_ms - PREDECESSOR_LIMIT_MS;
}

void control_answer_shutdown(struct kernel *kernel, const struct message *message)
{
    bool restarts = json_is_true(json_object_get(message->content, "restart"));
    if (restarts && is_for_predecessor(kernel, message)) {
        log_write(LOG_INFO, "a request to end was for the last kernel");
        return;
    }
    json_t *content = json_pack("{s:s, s:b}", "status", "ok", "restart", restarts);
    channels_send(&kernel->channels,
            &(struct message_spec){.channel = CHANNEL_IOPUB,
                    .origin = message->origin,
                    .msg_type = "shutdown_reply",
                    .content_stolen = json_text_stolen(json_incref(content))});
    channels_reply(&kernel->channels, message->origin, "shutdown_reply", content, NULL);
    ending_begin(kernel);
}

static const struct control_handler {
    const char *msg_type;
    void (*answer)(struct kernel *kernel, const struct message *message);
    bool also_on_shell; // and needs no more than the origin
} handlers[] = {
        {"kernel_info_request", answer_kernel_info, true},
        {"connect_request", answer_connect, true},
        {"interrupt_request", answer_interrupt, false},
        {"shutdown_request", control_answer_shutdown, false},
        {"usage_request", answer_usage, false},
        {"create_subshell_request", lanes_answer_create, false},
        {"delete_subshell_request", lanes_answer_delete, false},
        {"list_subshell_request", lanes_answer_list, false},
};

// What the main thread serves even when it comes by the control channel.
static bool is_shell_request(const char *msg_type)
{
    static const char *const types[] = {
            "execute_request", "comm_open", "comm_msg", "comm_close"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (!strcmp(msg_type, types[i]))
            return true;
    }
    return false;
}

static const struct control_handler *handler_of(const struct message *message)
{
    for (size_t i = 0; i < sizeof handlers / sizeof *handlers; i++) {
        if (!strcmp(message->msg_type, handlers[i].msg_type))
            return &handlers[i];
    }
    return NULL;
}

static void answer(struct kernel *kernel, const struct control_handler *handler,
        const struct message *message)
{
    channels_status(&kernel->channels, message->origin, "busy");
    handler->answer(kernel, message);
    channels_status(&kernel->channels, message->origin, "idle");
}

// A question on the shell channel waits for its turn behind cells, but not for ever.
static void postpone(struct kernel *kernel, const struct message *message)
{
    struct postponed entry = {origin_acquire(message->origin),
            handler_of(message)->msg_type, clock_ms() + POSTPONED_LIMIT_MS};
    vec_push(&kernel->postponed, entry);
}

bool control_answer_at_once(struct kernel *kernel, const struct message *message)
{
    const struct control_handler *handler = handler_of(message);
    bool is_shell = message->channel == CHANNEL_SHELL;
    if (!handler || (is_shell && !handler->also_on_shell))
        return false;
    if (is_shell && atomic_load(&kernel->main.queued_count)) {
        postpone(kernel, message);
        return false;
    }
    answer(kernel, handler, message);
    return true;
}

bool control_answer_in_turn(struct kernel *kernel, const struct message *message)
{
    const struct control_handler *handler = handler_of(message);
    if (!handler || !handler->also_on_shell)
        return false;
    if (!atomic_exchange(&message->origin->is_claimed, true))
        answer(kernel, handler, message);
    return true;
}

int control_poll(struct kernel *kernel)
{
    int64_t now = clock_ms(), wait_ms = -1;
    size_t kept = 0;
    vec_each (entry, &kernel->postponed) {
        struct message question = {.channel = entry->origin->channel,
                .msg_type = entry->msg_type,
                .origin = entry->origin};
        bool is_over =
                atomic_load(&entry->origin->is_claimed) || entry->deadline_ms <= now;
        if (is_over) {
            control_answer_in_turn(kernel, &question);
            origin_release(entry->origin);
            continue;
        }
        if (wait_ms < 0)
            wait_ms = entry->deadline_ms - now;
        kernel->postponed.items[kept++] = *entry;
    }
    kernel->postponed.len = kept;
    return (int)wait_ms;
}

void control_finish(struct kernel *kernel)
{
    vec_each (entry, &kernel->postponed)
        origin_release(entry->origin);
    vec_finish(&kernel->postponed);
}

void control_serve(struct kernel *kernel, struct message *message)
{
    iopub_note_control(&kernel->channels, message->origin);
    if (message_is_question(message) && atomic_load(&kernel->main.queued_count)) {
        lanes_ask(kernel, message);
        return;
    }
    if (is_shell_request(message->msg_type) || message_is_question(message)) {
        shell_push(kernel, message);
        return;
    }
    if (!strcmp(message->msg_type, "debug_request")) {
        debugger_serve(&kernel->debug, message);
        return;
    }
    if (!control_answer_at_once(kernel, message)) {
        log_write(
                LOG_INFO, "a %s on the control channel has no answer", message->msg_type);
        channels_status(&kernel->channels, message->origin, "busy");
        channels_status(&kernel->channels, message->origin, "idle");
    }
    message_destroy(message);
}
