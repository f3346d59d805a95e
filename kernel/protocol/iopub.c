// SPDX-License-Identifier: MIT
// What all clients see: status, streams, outputs. One lock makes one order of everything
// that leaves; stream text is gathered for about 20 ms, and goes out before any other
// message.
#include "kernel/session/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "base/memory.h"
#include "kernel/cells/text.h"

#define GATHER_MS 20
#define GATHER_BYTES 65536
// A cell that writes to both streams in turn, that often in a second, gets its text in
// order no more, but as if both were gathered.
#define MOST_TURNS 500

// A fork while another thread holds the lock would leave the child with a lock nobody
// frees.
static struct kernel *forked_kernel;

static void before_fork(void)
{
    if (forked_kernel)
        pthread_mutex_lock(&forked_kernel->iopub.lock);
}

static void after_fork(void)
{
    if (forked_kernel)
        pthread_mutex_unlock(&forked_kernel->iopub.lock);
}

static void after_fork_in_child(void)
{
    after_fork();
    if (forked_kernel)
        sockets_after_fork(&forked_kernel->connection);
    signals_after_fork();
}

bool iopub_init(struct kernel *kernel, struct error *err)
{
    pthread_mutex_init(&kernel->iopub.lock, NULL);
    forked_kernel = kernel;
    if (pthread_atfork(before_fork, after_fork, after_fork_in_child))
        return error_set(err, ERROR_SYSTEM, SPAN_NONE, "pthread_atfork failed");
    return true;
}

void iopub_finish(struct kernel *kernel)
{
    struct iopub *iopub = &kernel->iopub;
    forked_kernel = NULL;
    origin_release(iopub->origin);
    origin_release(iopub->control);
    for (size_t i = 0; i < iopub->pending.len; i++) {
        origin_release(iopub->pending.items[i].origin);
        str_finish(&iopub->pending.items[i].text);
    }
    vec_finish(&iopub->pending);
    str_finish(&iopub->spare);
    pthread_mutex_destroy(&iopub->lock);
}

char *json_text_stolen(json_t *value)
{
    char *text = value ? json_dumps(value, JSON_COMPACT) : NULL;
    json_decref(value);
    return text;
}

void kernel_send(struct kernel *kernel, const struct message_spec *spec)
{
    struct packet *packet = wire_encode(&kernel->wire, spec);
    if (packet)
        queue_push(&kernel->outgoing, &packet->node);
    else
        log_write(LOG_ERROR, "no memory to send a %s message", spec->msg_type);
}

// Needs the lock. `text` is valid UTF-8.
static void send_stream(struct kernel *kernel, const struct origin *origin,
        enum front_end_stream stream, const char *text, size_t len)
{
    bool is_stdout = stream == FRONT_END_STDOUT;
    struct str content = {0};
    str_printf(&content, "{\"name\":\"%s\",\"text\":", is_stdout ? "stdout" : "stderr");
    text_append_json(&content, text, len);
    str_append_char(&content, '}');
    kernel_send(kernel, &(struct message_spec){.channel = CHANNEL_IOPUB,
                                .origin = origin,
                                .topic = is_stdout ? "stream.stdout" : "stream.stderr",
                                .msg_type = "stream",
                                .content_stolen = str_take(&content)});
}

// Needs the lock.
static void send_text(struct kernel *kernel, struct pending *pending)
{
    struct iopub *iopub = &kernel->iopub;
    send_stream(kernel, pending->origin, pending->stream, pending->text.text,
            pending->text.len);
    origin_release(pending->origin);
    if (iopub->spare.capacity || pending->text.capacity > 4 * GATHER_BYTES) {
        str_finish(&pending->text);
    } else {
        str_clear(&pending->text);
        iopub->spare = pending->text;
    }
}

// Sends the texts whose time has come; the milliseconds until the next one's has, or -1.
// Needs the lock.
static int send_due(struct kernel *kernel, int64_t now_ms)
{
    struct iopub *iopub = &kernel->iopub;
    size_t kept = 0;
    int64_t wait_ms = -1;
    for (size_t i = 0; i < iopub->pending.len; i++) {
        struct pending *pending = &iopub->pending.items[i];
        int64_t left = pending->deadline_ms - now_ms;
        if (left <= 0) {
            send_text(kernel, pending);
            continue;
        }
        wait_ms = wait_ms < 0 || left < wait_ms ? left : wait_ms;
        iopub->pending.items[kept++] = *pending;
    }
    iopub->pending.len = kept;
    return (int)wait_ms;
}

static void send_pending(struct kernel *kernel) // needs the lock
{
    send_due(kernel, INT64_MAX);
}

static struct pending *find_pending(
        struct iopub *iopub, const struct origin *origin, enum front_end_stream stream)
{
    for (size_t i = 0; i < iopub->pending.len; i++) {
        struct pending *pending = &iopub->pending.items[i];
        if (pending->origin == origin && pending->stream == stream)
            return pending;
    }
    return NULL;
}

// Whether the text of the other stream has to leave first.
static bool keeps_order(struct iopub *iopub)
{
    int64_t second = clock_ms() / 1000;
    if (iopub->turns_second != second) {
        iopub->turns_second = second;
        iopub->turn_count = 0;
    }
    return ++iopub->turn_count <= MOST_TURNS;
}

// Needs the lock. The text to append to, begun if need be.
static struct pending *open_pending(
        struct kernel *kernel, struct origin *origin, enum front_end_stream stream)
{
    struct iopub *iopub = &kernel->iopub;
    struct pending *pending = find_pending(iopub, origin, stream);
    if (!pending) {
        enum front_end_stream other =
                stream == FRONT_END_STDOUT ? FRONT_END_STDERR : FRONT_END_STDOUT;
        struct pending *before = find_pending(iopub, origin, other);
        if (before && keeps_order(iopub)) {
            before->deadline_ms = 0;
            send_due(kernel, 0);
        }
        struct pending fresh = {
                origin_acquire(origin), stream, iopub->spare, clock_ms() + GATHER_MS};
        iopub->spare = (struct str){0};
        vec_push(&iopub->pending, fresh);
        pending = &vec_last(&iopub->pending);
        if (!pthread_equal(pthread_self(), kernel->io_thread))
            queue_wake(&kernel->outgoing);
    }
    return pending;
}

// Needs the lock. `text` is valid UTF-8.
static void add_text(struct kernel *kernel, struct origin *origin,
        enum front_end_stream stream, const char *text, size_t len)
{
    if (!len)
        return;
    if (len > 4 * GATHER_BYTES) {
        send_pending(kernel);
        send_stream(kernel, origin, stream, text, len);
        return;
    }
    struct pending *pending = open_pending(kernel, origin, stream);
    str_append_bytes(&pending->text, text, len);
    if (pending->text.len >= GATHER_BYTES) {
        pending->deadline_ms = 0;
        send_due(kernel, 0);
    }
}

static void take_captured(struct kernel *kernel) // needs the lock
{
    struct str text = {0};
    // a program that never stops writing must not keep the lock for ever
    for (int round = 0; round < 16 && capture_has_text(&kernel->capture); round++) {
        for (int stream = 0; stream < 2; stream++) {
            str_clear(&text);
            if (capture_read(&kernel->capture, (enum front_end_stream)stream, &text))
                add_text(kernel, kernel->iopub.origin, (enum front_end_stream)stream,
                        str_text(&text), text.len);
        }
    }
    str_finish(&text);
}

// Takes the lock with everything written so far pending or sent.
static void lock_in_order(struct kernel *kernel)
{
    // outside the lock: the pipe may be full, and only the I/O thread's read makes room
    fflush(stdout);
    pthread_mutex_lock(&kernel->iopub.lock);
    take_captured(kernel);
}

void iopub_send(struct kernel *kernel, const struct message_spec *spec)
{
    lock_in_order(kernel);
    send_pending(kernel);
    kernel_send(kernel, spec);
    pthread_mutex_unlock(&kernel->iopub.lock);
}

void kernel_status(struct kernel *kernel, const struct origin *origin, const char *state)
{
    char *content = NULL;
    if (asprintf(&content, "{\"execution_state\":\"%s\"}", state) < 0)
        return;
    kernel_send(kernel, &(struct message_spec){.channel = CHANNEL_IOPUB,
                                .origin = origin,
                                .msg_type = "status",
                                .content_stolen = content});
}

void kernel_reply(struct kernel *kernel, const struct origin *origin,
        const char *msg_type, json_t *content, json_t *metadata)
{
    char *text = json_text_stolen(content);
    if (!text)
        text = memory_strdup(
                "{\"status\":\"error\",\"ename\":\"InternalError\",\"evalue\":"
                "\"the reply could not be written as JSON\",\"traceback\":[]}");
    kernel_send(kernel, &(struct message_spec){.channel = origin->channel,
                                .origin = origin,
                                .msg_type = msg_type,
                                .content_stolen = text,
                                .metadata_stolen = json_text_stolen(metadata)});
}

void iopub_set_origin(struct kernel *kernel, struct origin *origin)
{
    lock_in_order(kernel);
    send_pending(kernel);
    origin_release(kernel->iopub.origin);
    kernel->iopub.origin = origin_acquire(origin);
    pthread_mutex_unlock(&kernel->iopub.lock);
}

void iopub_note_control(struct kernel *kernel, struct origin *origin)
{
    pthread_mutex_lock(&kernel->iopub.lock);
    origin_release(kernel->iopub.control);
    kernel->iopub.control = origin_acquire(origin);
    pthread_mutex_unlock(&kernel->iopub.lock);
}

void iopub_stream(struct kernel *kernel, struct origin *origin,
        enum front_end_stream stream, const char *text, size_t len)
{
    lock_in_order(kernel);
    if (text_is_valid(text, len)) {
        add_text(kernel, origin, stream, text, len);
    } else {
        struct str valid = {0};
        text_append_valid(&valid, text, len);
        add_text(kernel, origin, stream, str_text(&valid), valid.len);
        str_finish(&valid);
    }
    pthread_mutex_unlock(&kernel->iopub.lock);
}

void iopub_flush(struct kernel *kernel)
{
    lock_in_order(kernel);
    send_pending(kernel);
    pthread_mutex_unlock(&kernel->iopub.lock);
}

void iopub_flush_soon(struct kernel *kernel)
{
    int64_t now = clock_ms();
    lock_in_order(kernel);
    if (now - kernel->iopub.flushed_ms >= GATHER_MS) {
        kernel->iopub.flushed_ms = now;
        send_pending(kernel);
    }
    pthread_mutex_unlock(&kernel->iopub.lock);
}

int iopub_poll(struct kernel *kernel)
{
    struct iopub *iopub = &kernel->iopub;
    pthread_mutex_lock(&iopub->lock);
    if (backlog_has_room(kernel))
        take_captured(kernel);
    int wait_ms = iopub->pending.len ? send_due(kernel, clock_ms()) : -1;
    pthread_mutex_unlock(&iopub->lock);
    return wait_ms;
}

void iopub_flush_at_crash(struct kernel *kernel)
{
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_nsec += 100000000;
    if (limit.tv_nsec >= 1000000000) {
        limit.tv_nsec -= 1000000000;
        limit.tv_sec++;
    }
    if (pthread_mutex_timedlock(&kernel->iopub.lock, &limit))
        return;
    take_captured(kernel);
    send_pending(kernel);
    pthread_mutex_unlock(&kernel->iopub.lock);
}
