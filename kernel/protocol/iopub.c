// SPDX-License-Identifier: MIT
// What all clients see: status, streams, outputs. One lock makes one order of everything
// that leaves; stream text is gathered for about 20 ms, and goes out before any other
// message.
#include "kernel/protocol/iopub.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "kernel/cells/text.h"
#include "kernel/protocol/channels.h"
#include "kernel/protocol/sockets.h"

#define GATHER_MS 20
#define GATHER_BYTES 65536
// A cell that writes to both streams in turn, that often in a second, gets its text in
// order no more, but as if both were gathered.
#define MOST_TURNS 500

// A fork while another thread holds the lock would leave the child with a lock nobody
// frees.
static struct channels *forked;

static void before_fork(void)
{
    if (forked)
        pthread_mutex_lock(&forked->iopub.lock);
}

static void after_fork(void)
{
    if (forked)
        pthread_mutex_unlock(&forked->iopub.lock);
}

static void after_fork_in_child(void)
{
    after_fork();
    if (forked)
        sockets_after_fork(&forked->connection);
}

bool iopub_init(struct channels *channels, struct error *err)
{
    pthread_mutex_init(&channels->iopub.lock, NULL);
    forked = channels;
    if (pthread_atfork(before_fork, after_fork, after_fork_in_child))
        return error_set(err, ERROR_SYSTEM, SPAN_NONE, "pthread_atfork failed");
    return true;
}

void iopub_finish(struct channels *channels)
{
    struct iopub *iopub = &channels->iopub;
    forked = NULL;
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

// Needs the lock. `text` is valid UTF-8.
static void send_stream(struct channels *channels, const struct origin *origin,
        enum output_stream stream, const char *text, size_t len)
{
    bool is_stdout = stream == STREAM_STDOUT;
    struct str content = {0};
    str_printf(&content, "{\"name\":\"%s\",\"text\":", is_stdout ? "stdout" : "stderr");
    text_append_json(&content, text, len);
    str_append_char(&content, '}');
    channels_send(
            channels, &(struct message_spec){.channel = CHANNEL_IOPUB,
                              .origin = origin,
                              .topic = is_stdout ? "stream.stdout" : "stream.stderr",
                              .msg_type = "stream",
                              .content_stolen = str_take(&content)});
}

// Needs the lock.
static void send_text(struct channels *channels, struct pending *pending)
{
    struct iopub *iopub = &channels->iopub;
    send_stream(channels, pending->origin, pending->stream, pending->text.text,
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
static int send_due(struct channels *channels, int64_t now_ms)
{
    struct iopub *iopub = &channels->iopub;
    size_t kept = 0;
    int64_t wait_ms = -1;
    for (size_t i = 0; i < iopub->pending.len; i++) {
        struct pending *pending = &iopub->pending.items[i];
        int64_t left = pending->deadline_ms - now_ms;
        if (left <= 0) {
            send_text(channels, pending);
            continue;
        }
        wait_ms = wait_ms < 0 || left < wait_ms ? left : wait_ms;
        iopub->pending.items[kept++] = *pending;
    }
    iopub->pending.len = kept;
    return (int)wait_ms;
}

static void send_pending(struct channels *channels) // needs the lock
{
    send_due(channels, INT64_MAX);
}

static struct pending *find_pending(
        struct iopub *iopub, const struct origin *origin, enum output_stream stream)
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
        struct channels *channels, struct origin *origin, enum output_stream stream)
{
    struct iopub *iopub = &channels->iopub;
    struct pending *pending = find_pending(iopub, origin, stream);
    if (!pending) {
        enum output_stream other =
                stream == STREAM_STDOUT ? STREAM_STDERR : STREAM_STDOUT;
        struct pending *before = find_pending(iopub, origin, other);
        if (before && keeps_order(iopub)) {
            before->deadline_ms = 0;
            send_due(channels, 0);
        }
        struct pending fresh = {
                origin_acquire(origin), stream, iopub->spare, clock_ms() + GATHER_MS};
        iopub->spare = (struct str){0};
        vec_push(&iopub->pending, fresh);
        pending = &vec_last(&iopub->pending);
        if (!pthread_equal(pthread_self(), channels->io_thread))
            queue_wake(&channels->outgoing);
    }
    return pending;
}

// Needs the lock. `text` is valid UTF-8.
static void add_text(struct channels *channels, struct origin *origin,
        enum output_stream stream, const char *text, size_t len)
{
    if (!len)
        return;
    if (len > 4 * GATHER_BYTES) {
        send_pending(channels);
        send_stream(channels, origin, stream, text, len);
        return;
    }
    struct pending *pending = open_pending(channels, origin, stream);
    str_append_bytes(&pending->text, text, len);
    if (pending->text.len >= GATHER_BYTES) {
        pending->deadline_ms = 0;
        send_due(channels, 0);
    }
}

static void take_captured(struct channels *channels) // needs the lock
{
    const struct protocol_hooks *hooks = channels->hooks;
    struct str text = {0};
    // a program that never stops writing must not keep the lock for ever
    for (int round = 0; round < 16 && hooks->has_captured(channels->kernel); round++) {
        for (int stream = 0; stream < 2; stream++) {
            str_clear(&text);
            if (hooks->read_captured(channels->kernel, (enum output_stream)stream, &text))
                add_text(channels, channels->iopub.origin, (enum output_stream)stream,
                        str_text(&text), text.len);
        }
    }
    str_finish(&text);
}

// Takes the lock with everything written so far pending or sent.
static void lock_in_order(struct channels *channels)
{
    // outside the lock: the pipe may be full, and only the I/O thread's read makes room
    fflush(stdout);
    pthread_mutex_lock(&channels->iopub.lock);
    take_captured(channels);
}

void iopub_send(struct channels *channels, const struct message_spec *spec)
{
    lock_in_order(channels);
    send_pending(channels);
    channels_send(channels, spec);
    pthread_mutex_unlock(&channels->iopub.lock);
}

void iopub_set_origin(struct channels *channels, struct origin *origin)
{
    lock_in_order(channels);
    send_pending(channels);
    origin_release(channels->iopub.origin);
    channels->iopub.origin = origin_acquire(origin);
    pthread_mutex_unlock(&channels->iopub.lock);
}

struct origin *iopub_origin(struct channels *channels)
{
    pthread_mutex_lock(&channels->iopub.lock);
    struct origin *origin = origin_acquire(channels->iopub.origin);
    pthread_mutex_unlock(&channels->iopub.lock);
    return origin;
}

struct origin *iopub_control(struct channels *channels)
{
    pthread_mutex_lock(&channels->iopub.lock);
    struct origin *origin = origin_acquire(channels->iopub.control);
    pthread_mutex_unlock(&channels->iopub.lock);
    return origin;
}

void iopub_note_control(struct channels *channels, struct origin *origin)
{
    pthread_mutex_lock(&channels->iopub.lock);
    origin_release(channels->iopub.control);
    channels->iopub.control = origin_acquire(origin);
    pthread_mutex_unlock(&channels->iopub.lock);
}

void iopub_stream(struct channels *channels, struct origin *origin,
        enum output_stream stream, const char *text, size_t len)
{
    lock_in_order(channels);
    if (text_is_valid(text, len)) {
        add_text(channels, origin, stream, text, len);
    } else {
        struct str valid = {0};
        text_append_valid(&valid, text, len);
        add_text(channels, origin, stream, str_text(&valid), valid.len);
        str_finish(&valid);
    }
    pthread_mutex_unlock(&channels->iopub.lock);
}

void iopub_flush(struct channels *channels)
{
    lock_in_order(channels);
    send_pending(channels);
    pthread_mutex_unlock(&channels->iopub.lock);
}

void iopub_flush_soon(struct channels *channels)
{
    int64_t now = clock_ms();
    lock_in_order(channels);
    if (now - channels->iopub.flushed_ms >= GATHER_MS) {
        channels->iopub.flushed_ms = now;
        send_pending(channels);
    }
    pthread_mutex_unlock(&channels->iopub.lock);
}

int iopub_poll(struct channels *channels)
{
    struct iopub *iopub = &channels->iopub;
    pthread_mutex_lock(&iopub->lock);
    if (backlog_has_room(channels))
        take_captured(channels);
    int wait_ms = iopub->pending.len ? send_due(channels, clock_ms()) : -1;
    pthread_mutex_unlock(&iopub->lock);
    return wait_ms;
}

void iopub_flush_at_crash(struct channels *channels)
{
    struct timespec limit;
    clock_gettime(CLOCK_MONOTONIC, &limit);
    limit.tv_nsec += 100000000;
    if (limit.tv_nsec >= 1000000000) {
        limit.tv_nsec -= 1000000000;
        limit.tv_sec++;
    }
    if (pthread_mutex_clocklock(&channels->iopub.lock, CLOCK_MONOTONIC, &limit))
        return;
    take_captured(channels);
    send_pending(channels);
    pthread_mutex_unlock(&channels->iopub.lock);
}
