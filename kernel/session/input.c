// SPDX-License-Identifier: MIT
// input() and getpass(): a question on the stdin channel, and the wait for its answer,
// which an interrupt or the kernel's end breaks off.
#include "kernel/session/input.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/cells/text.h"
#include "kernel/session/kernel.h"

static void forget_replies(struct kernel *kernel)
{
    struct queue_node *node;
    while ((node = queue_pop(&kernel->input_replies)))
        message_destroy((struct message *)node);
}

static void send_question(struct kernel *kernel, const struct origin *origin,
        const char *prompt, bool is_password)
{
    struct str valid = {0}, content = {0};
    text_append_valid(&valid, prompt, strlen(prompt));
    str_append(&content, "{\"prompt\":");
    text_append_json(&content, str_text(&valid), valid.len);
    str_printf(&content, ",\"password\":%s}", is_password ? "true" : "false");
    str_finish(&valid);
    iopub_flush(&kernel->channels);
    channels_send(&kernel->channels, &(struct message_spec){.channel = CHANNEL_STDIN,
                                             .origin = origin,
                                             .msg_type = "input_request",
                                             .content_stolen = str_take(&content)});
}

static bool wait_for_reply(struct kernel *kernel, struct str *value, struct error *err)
{
    for (;;) {
        struct message *reply = (struct message *)queue_pop(&kernel->input_replies);
        if (reply) {
            json_t *text = json_object_get(reply->content, "value");
            if (json_is_string(text))
                str_append_bytes(
                        value, json_string_value(text), json_string_length(text));
            message_destroy(reply);
            return true;
        }
        struct lane *lane = lane_current(kernel);
        bool is_interrupted =
                lane == &kernel->main && atomic_load(&kernel->is_interrupted);
        if (is_interrupted || atomic_load(&kernel->is_stopping) ||
                atomic_load(&lane->is_stopping))
            return error_set(err, ERROR_INTERRUPT, SPAN_NONE,
                    "interrupted while waiting for input");
        queue_wait(&kernel->input_replies, -1);
    }
}

void input_begin(struct kernel *kernel)
{
    if (lane_current(kernel) == &kernel->main)
        atomic_store(&kernel->is_interrupted, false);
}

bool input_ask(struct kernel *kernel, const struct origin *origin, const char *prompt,
        bool is_password, struct str *value, struct error *err)
{
    if (!atomic_load(&lane_current(kernel)->allows_input))
        return error_set(err, ERROR_SYSTEM, SPAN_NONE,
                "%s was called, but this frontend does not support input requests.",
                is_password ? "getpass" : "raw_input");
    if (atomic_exchange(&kernel->awaits_input, true))
        return error_set(
                err, ERROR_SYSTEM, SPAN_NONE, "another thread waits for input already");
    forget_replies(kernel);
    send_question(kernel, origin, prompt, is_password);
    bool is_answered = wait_for_reply(kernel, value, err);
    atomic_store(&kernel->awaits_input, false);
    return is_answered;
}
