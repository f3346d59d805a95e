// SPDX-License-Identifier: MIT
// The calls of the Python side, led to the one kernel of the process. Without a kernel
// they do nothing, but streams still reach their descriptors.
#include "kernel/session/kernel.h"

#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "kernel/debugger/debugger.h"
#include "kernel/cells/text.h"

static struct kernel *attached; // set before Python starts, cleared after it ended
static struct origin *(*find_origin)(void); // set while Python starts; may be NULL

void front_end_attach(struct kernel *kernel)
{
    attached = kernel;
}

void front_end_detach(void)
{
    attached = NULL;
}

struct origin *front_end_origin_acquire(void)
{
    if (!attached)
        return NULL;
    struct lane *lane = lane_current(attached);
    if (lane != &attached->main)
        return origin_acquire(lane->origin);
    pthread_mutex_lock(&attached->iopub.lock);
    struct origin *origin = origin_acquire(attached->iopub.origin);
    pthread_mutex_unlock(&attached->iopub.lock);
    return origin;
}

struct origin *front_end_origin_share(struct origin *origin)
{
    return origin_acquire(origin);
}

void front_end_origin_release(struct origin *origin)
{
    origin_release(origin);
}

void front_end_set_origin_finder(struct origin *(*find)(void))
{
    find_origin = find;
}

// A new reference, or NULL: there was no request yet.
static struct origin *origin_of_caller(void)
{
    struct origin *origin = find_origin ? find_origin() : NULL;
    return origin ? origin : front_end_origin_acquire();
}

void front_end_publish(const char *msg_type, json_t *content, json_t *metadata,
        const struct interp_buffer *buffers, size_t buffer_count)
{
    // an interrupt that the end of the process is the reason for is no error of the cell
    bool is_end = attached && atomic_load(&attached->wants_stop);
    if (!attached || (is_end && !strcmp(msg_type, "error"))) {
        json_decref(content);
        json_decref(metadata);
        return;
    }
    if (!strcmp(msg_type, "comm_msg"))
        comm_routes_note(attached, content);
    char *text = json_text_stolen(content);
    struct origin *origin = origin_of_caller();
    if (text)
        iopub_send(attached, &(struct message_spec){.channel = CHANNEL_IOPUB,
                                     .origin = origin,
                                     .msg_type = msg_type,
                                     .content_stolen = text,
                                     .metadata_stolen = json_text_stolen(metadata),
                                     .buffers = buffers,
                                     .buffer_count = buffer_count});
    else
        log_write(LOG_ERROR, "a %s message could not be written as JSON", msg_type);
    origin_release(origin);
}

static void write_all(int fd, const char *text, size_t len)
{
    while (len) {
        ssize_t written = write(fd, text, len);
        if (written <= 0)
            return;
        text += written;
        len -= (size_t)written;
    }
}

void front_end_stream(enum front_end_stream stream, const char *text, size_t len)
{
    if (!attached) {
        write_all(stream == FRONT_END_STDOUT ? 1 : 2, text, len);
        return;
    }
    struct origin *origin = origin_of_caller();
    iopub_stream(attached, origin, stream, text, len);
    origin_release(origin);
}

bool front_end_has_room(void)
{
    return !attached || backlog_has_room(attached);
}

void front_end_await_room(int limit_ms)
{
    if (attached)
        backlog_await_room(attached, limit_ms);
}

void front_end_flush(void)
{
    if (attached)
        iopub_flush(attached);
}

void front_end_flush_soon(void)
{
    if (attached)
        iopub_flush_soon(attached);
}

bool front_end_input(
        const char *prompt, bool is_password, struct str *value, struct error *err)
{
    if (!attached)
        return error_set(err, ERROR_SYSTEM, SPAN_NONE, "there is no front end to ask");
    return input_ask(attached, prompt, is_password, value, err);
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

static json_t *parent_of(struct origin *origin)
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

json_t *front_end_parent(void)
{
    struct origin *origin = attached ? origin_of_caller() : NULL;
    json_t *parent = parent_of(origin);
    origin_release(origin);
    return parent;
}

json_t *front_end_control_parent(void)
{
    if (!attached)
        return json_object();
    pthread_mutex_lock(&attached->iopub.lock);
    struct origin *origin = origin_acquire(attached->iopub.control);
    pthread_mutex_unlock(&attached->iopub.lock);
    json_t *parent = parent_of(origin);
    origin_release(origin);
    return parent;
}

json_t *front_end_subshells(void)
{
    return attached ? lanes_subshells(attached) : json_array();
}

int front_end_comm_fd(void)
{
    bool is_main = attached && lane_current(attached) == &attached->main;
    return is_main ? attached->main.requests.event_fd : -1;
}

void front_end_serve_comms(void)
{
    if (attached)
        shell_serve_comms(attached);
}

void front_end_debug_continued(void)
{
    if (attached)
        debugger_note_continued(attached);
}

void front_end_wake(void)
{
    if (attached)
        queue_wake(&attached->main.requests);
}

int front_end_original_fd(enum front_end_stream stream)
{
    if (attached && attached->capture.is_active)
        return attached->capture.original[stream];
    return stream == FRONT_END_STDOUT ? 1 : 2;
}

void front_end_ask_exit(bool keep_kernel)
{
    if (attached && !keep_kernel)
        lane_current(attached)->asked_exit = true;
}
