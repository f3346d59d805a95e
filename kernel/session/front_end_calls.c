// SPDX-License-Identifier: MIT
// The calls of the Python side, led to the one kernel of the process.
#include "kernel/session/front_end_calls.h"

#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "kernel/cells/text.h"
#include "kernel/debugger/debugger.h"
#include "kernel/interface/front_end.h"
#include "kernel/session/comm_routes.h"
#include "kernel/session/input.h"
#include "kernel/session/kernel.h"
#include "kernel/session/shell.h"

static struct kernel *attached; // while the calls may come

static struct origin *call_origin_acquire(void)
{
    struct lane *lane = lane_current(attached);
    bool is_main = lane == &attached->main;
    return is_main ? iopub_origin(&attached->channels) : origin_acquire(lane->origin);
}

static void call_publish(const struct origin *origin, const char *msg_type,
        json_t *content, json_t *metadata, const struct message_buffer *buffers,
        size_t buffer_count)
{
    // an interrupt that the end of the process is the reason for is no error of the cell
    if (atomic_load(&attached->wants_stop) && !strcmp(msg_type, "error")) {
        json_decref(content);
        json_decref(metadata);
        return;
    }
    if (!strcmp(msg_type, "comm_msg"))
        comm_routes_note(attached, content);
    char *text = json_text_stolen(content);
    if (text)
        iopub_send(&attached->channels,
                &(struct message_spec){.channel = CHANNEL_IOPUB,
                        .origin = origin,
                        .msg_type = msg_type,
                        .content_stolen = text,
                        .metadata_stolen = json_text_stolen(metadata),
                        .buffers = buffers,
                        .buffer_count = buffer_count});
    else
        log_write(LOG_ERROR, "a %s message could not be written as JSON", msg_type);
}

static void call_stream(
        struct origin *origin, enum output_stream stream, const char *text, size_t len)
{
    iopub_stream(&attached->channels, origin, stream, text, len);
}

static bool call_has_room(void)
{
    return backlog_has_room(&attached->channels);
}

static void call_await_room(int limit_ms)
{
    backlog_await_room(&attached->channels, limit_ms);
}

static void call_flush(void)
{
    iopub_flush(&attached->channels);
}

static void call_flush_soon(void)
{
    iopub_flush_soon(&attached->channels);
}

static void call_input_begin(void)
{
    input_begin(attached);
}

static bool call_input(
        const char *prompt, bool is_password, struct str *value, struct error *err)
{
    struct origin *origin = call_origin_acquire();
    bool is_answered = input_ask(attached, origin, prompt, is_password, value, err);
    origin_release(origin);
    return is_answered;
}

// Identities are bytes; those that clients choose are text.
static json_t *identity_list(const struct origin *origin)
{
    json_t *list = json_array();
    for (size_t i = 0; i < origin->identity_count; i++) {
        struct str text = {0};
        text_append_valid(&text, origin->identities[i].bytes, origin->identities[i].len);
        json_array_append_new(list, json_stringn(str_text(&text), text.len));
        str_finish(&text);
    }
    return list;
}

static json_t *call_parent(struct origin *origin)
{
    json_t *header = origin ? json_loadb(origin->header.bytes, origin->header.len,
                                      JSON_ALLOW_NUL, NULL)
                            : NULL;
    json_t *identities = header ? identity_list(origin) : NULL;
    if (!header)
        return json_object();
    json_t *id = json_object_get(header, "msg_id"),
           *type = json_object_get(header, "msg_type");
    return json_pack("{s:o, s:O, s:O, s:o, s:{}, s:{}, s:{}, s:[]}", "header", header,
            "msg_id", id, "msg_type", type, "identities", identities, "parent_header",
            "metadata", "content", "buffers");
}

static json_t *call_control_parent(void)
{
    struct origin *origin = iopub_control(&attached->channels);
    json_t *parent = call_parent(origin);
    origin_release(origin);
    return parent;
}

static json_t *call_subshells(void)
{
    return lanes_subshells(attached);
}

static int call_comm_fd(void)
{
    bool is_main = lane_current(attached) == &attached->main;
    return is_main ? attached->main.requests.event_fd : -1;
}

static void call_serve_comms(void)
{
    shell_serve_comms(attached);
}

static void call_debug_continued(void)
{
    debugger_note_continued(&attached->debug);
}

static void call_debug_event(const char *event, json_t *body)
{
    debugger_note_event(&attached->debug, event, body);
}

static void call_wake(void)
{
    queue_wake(&attached->main.requests);
}

static int call_original_fd(enum output_stream stream)
{
    return attached->capture.is_active ? attached->capture.original[stream]
                                       : (int)stream + 1;
}

static void call_ask_exit(void)
{
    lane_current(attached)->asked_exit = true;
}

static const struct front_end_ops ops = {
#define OPERATION(name) .name = call_##name,
#include "kernel/interface/front_end_ops.def"
#undef OPERATION
};

void front_end_attach(struct kernel *kernel)
{
    attached = kernel;
    front_end_set_ops(&ops);
}

void front_end_detach(void)
{
    front_end_set_ops(NULL);
    attached = NULL;
}
