// SPDX-License-Identifier: MIT
// The calls of the Python side, led to the session that has set the table of them.
// Without one they do nothing, but streams still reach their descriptors. The table is
// set before Python starts and taken away after it ended, so that no call needs a lock.
#include "kernel/interface/front_end.h"

#include <unistd.h>

#include "kernel/protocol/message.h"

static const struct front_end_ops *ops;     // NULL: there is no front end
static struct origin *(*find_origin)(void); // set while Python starts; may be NULL

void front_end_set_ops(const struct front_end_ops *given)
{
    ops = given;
}

struct origin *front_end_origin_acquire(void)
{
    return ops ? ops->origin_acquire() : NULL;
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
        const struct message_buffer *buffers, size_t buffer_count)
{
    if (!ops) {
        json_decref(content);
        json_decref(metadata);
        return;
    }
    struct origin *origin = origin_of_caller();
    ops->publish(origin, msg_type, content, metadata, buffers, buffer_count);
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

void front_end_stream(enum output_stream stream, const char *text, size_t len)
{
    if (!ops) {
        write_all((int)stream + 1, text, len);
        return;
    }
    struct origin *origin = origin_of_caller();
    ops->stream(origin, stream, text, len);
    origin_release(origin);
}

bool front_end_has_room(void)
{
    return !ops || ops->has_room();
}

void front_end_await_room(int limit_ms)
{
    if (ops)
        ops->await_room(limit_ms);
}

#define FORWARD(name)                                                                    \
    void front_end_##name(void)                                                          \
    {                                                                                    \
        if (ops)                                                                         \
            ops->name();                                                                 \
    }

FORWARD(flush)
FORWARD(flush_soon)
FORWARD(input_begin)
FORWARD(serve_comms)
FORWARD(debug_continued)
FORWARD(wake)
#undef FORWARD

void front_end_debug_event(const char *event, json_t *body)
{
    if (ops)
        ops->debug_event(event, body);
    else
        json_decref(body);
}

bool front_end_input(
        const char *prompt, bool is_password, struct str *value, struct error *err)
{
    if (!ops)
        return error_set(err, ERROR_SYSTEM, SPAN_NONE, "there is no front end to ask");
    return ops->input(prompt, is_password, value, err);
}

json_t *front_end_parent(void)
{
    if (!ops)
        return json_object();
    struct origin *origin = origin_of_caller();
    json_t *parent = ops->parent(origin);
    origin_release(origin);
    return parent;
}

json_t *front_end_control_parent(void)
{
    return ops ? ops->control_parent() : json_object();
}

json_t *front_end_subshells(void)
{
    return ops ? ops->subshells() : json_array();
}

int front_end_comm_fd(void)
{
    return ops ? ops->comm_fd() : -1;
}

int front_end_original_fd(enum output_stream stream)
{
    return ops ? ops->original_fd(stream) : (int)stream + 1;
}

void front_end_ask_exit(bool keep_kernel)
{
    if (ops && !keep_kernel)
        ops->ask_exit();
}
