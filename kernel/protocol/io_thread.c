// SPDX-License-Identifier: MIT
// The thread that owns every socket: it receives requests and hands them on, sends what
// the others queue, answers the heartbeat, and watches for the end of the launcher.
// ZeroMQ's sockets belong to one thread, therefore all others only queue packets and wake
// this one. It runs no Python and takes no lock for long, so that a cell that never ends
// leaves the kernel able to answer.
#include "kernel/protocol/io_thread.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/vec.h"
#include "kernel/protocol/channels.h"
#include "kernel/protocol/sockets.h"

#define MESSAGES_PER_TURN 64 // of one socket, so that no channel starves another

enum { POLL_WAKE = CHANNEL_COUNT, POLL_CAPTURE, POLL_PARENT, POLL_COUNT };

// ---- receiving

struct frames {
    VEC(zmq_msg_t) list;
};

static void frames_clear(struct frames *frames)
{
    vec_each (frame, &frames->list)
        zmq_msg_close(frame);
    frames->list.len = 0;
}

// One whole message, or false when there is none.
static bool receive(void *socket, struct frames *frames)
{
    frames_clear(frames);
    for (;;) {
        zmq_msg_t frame;
        zmq_msg_init(&frame);
        if (zmq_msg_recv(&frame, socket, ZMQ_DONTWAIT) < 0) {
            zmq_msg_close(&frame);
            return false;
        }
        bool has_more = zmq_msg_more(&frame);
        vec_push(&frames->list, frame);
        if (!has_more)
            return true;
    }
}

static void echo(struct channels *channels, struct frames *frames)
{
    for (size_t i = 0; i < frames->list.len; i++) {
        int flags = ZMQ_DONTWAIT | (i + 1 < frames->list.len ? ZMQ_SNDMORE : 0);
        zmq_msg_send(&frames->list.items[i], channels->sockets[CHANNEL_HEARTBEAT], flags);
    }
}

static void send_packet(struct channels *channels, struct packet *packet)
{
    void *socket = channels->sockets[packet->channel];
    for (size_t i = 0; i < packet->frame_count; i++) {
        int flags = ZMQ_DONTWAIT | (i + 1 < packet->frame_count ? ZMQ_SNDMORE : 0);
        if (zmq_msg_send(&packet->frames[i], socket, flags) < 0) {
            log_write(LOG_WARNING, "a message on the %s channel was not sent: %s",
                    channel_name(packet->channel), zmq_strerror(errno));
            break;
        }
    }
    packet_destroy(packet);
}

// A new subscriber hears that it is one: the first message it can rely on, ahead of what
// is queued.
static void welcome(struct channels *channels, struct frames *frames)
{
    zmq_msg_t *frame = &frames->list.items[0];
    const char *bytes = zmq_msg_data(frame);
    size_t len = zmq_msg_size(frame);
    if (frames->list.len != 1 || !len || bytes[0] != 1)
        return;
    json_t *topic = json_stringn(bytes + 1, len - 1);
    if (!topic || memchr(bytes + 1, 0, len - 1)) {
        json_decref(topic);
        return;
    }
    struct packet *packet = wire_encode(&channels->wire,
            &(struct message_spec){.channel = CHANNEL_IOPUB,
                    .topic = json_string_value(topic),
                    .msg_type = "iopub_welcome",
                    .content_stolen =
                            json_text_stolen(json_pack("{s:O}", "subscription", topic))});
    if (packet)
        send_packet(channels, packet);
    backlog_tell(channels);
    json_decref(topic);
}

// Whoever sends a million bad messages shall not fill the log: after some, powers of two.
static void log_drop(
        struct channels *channels, enum channel channel, const struct error *err)
{
    uint64_t count = ++channels->dropped_count;
    if (count <= 20)
        log_write(LOG_WARNING, "a message on the %s channel was dropped: %s",
                channel_name(channel), err->message);
    else if (!(count & (count - 1)))
        log_write(LOG_WARNING,
                "%llu messages were dropped so far; the last on the %s channel: %s",
                (unsigned long long)count, channel_name(channel), err->message);
}

static void receive_request(
        struct channels *channels, enum channel channel, struct frames *frames)
{
    struct error err = {0};
    struct message *message = wire_decode(
            &channels->wire, channel, frames->list.items, frames->list.len, &err);
    if (message)
        channels->hooks->deliver(channels->kernel, message);
    else
        log_drop(channels, channel, &err);
}

static void serve_socket(
        struct channels *channels, enum channel channel, struct frames *frames)
{
    void *socket = channels->sockets[channel];
    for (int i = 0; i < MESSAGES_PER_TURN && receive(socket, frames); i++) {
        if (channel == CHANNEL_HEARTBEAT)
            echo(channels, frames);
        else if (channel == CHANNEL_IOPUB)
            welcome(channels, frames);
        else
            receive_request(channels, channel, frames);
    }
}

// ---- sending

// All that has arrived comes before the barrier.
static void pass_barrier(
        struct channels *channels, struct packet *packet, struct frames *frames)
{
    struct lane *lane = packet->lane;
    void *socket = channels->sockets[CHANNEL_SHELL];
    packet_destroy(packet);
    for (int i = 0; i < 100 * MESSAGES_PER_TURN && receive(socket, frames); i++)
        receive_request(channels, CHANNEL_SHELL, frames);
    channels->hooks->pass_barrier(channels->kernel, lane);
}

static void send_queued(struct channels *channels, struct frames *frames)
{
    struct queue_node *node;
    // who has subscribed by now is welcomed before it gets any of this
    serve_socket(channels, CHANNEL_IOPUB, frames);
    while ((node = queue_pop(&channels->outgoing))) {
        struct packet *packet = (struct packet *)node;
        if (packet->frame_count)
            send_packet(channels, packet);
        else
            pass_barrier(channels, packet, frames);
    }
}

// ---- the loop

struct io_loop {
    struct channels *channels;
    struct frames frames;
    zmq_pollitem_t items[POLL_COUNT];
    int item_count;
    int parent_fd;
};

static void prepare_poll(struct io_loop *loop)
{
    struct channels *channels = loop->channels;
    for (int i = 0; i < CHANNEL_COUNT; i++)
        loop->items[i] =
                (zmq_pollitem_t){.socket = channels->sockets[i], .events = ZMQ_POLLIN};
    const int fds[] = {
            channels->outgoing.event_fd, channels->captured_fd, loop->parent_fd};
    for (int i = POLL_WAKE; i < POLL_COUNT; i++)
        loop->items[i] = (zmq_pollitem_t){.fd = fds[i - POLL_WAKE], .events = ZMQ_POLLIN};
    loop->item_count = loop->parent_fd >= 0 ? POLL_COUNT : POLL_PARENT;
}

// Either may be -1: never.
static int sooner(int one_ms, int other_ms)
{
    bool is_first = other_ms < 0 || (one_ms >= 0 && one_ms < other_ms);
    return is_first ? one_ms : other_ms;
}

// Sends what is due, and waits for something to do.
static void wait_for_work(struct io_loop *loop)
{
    struct channels *channels = loop->channels;
    int wait_ms = iopub_poll(channels);
    wait_ms = sooner(wait_ms, channels->hooks->poll(channels->kernel));
    wait_ms = sooner(wait_ms, backlog_poll(channels));
    // what C code and programs print waits in its pipe, and they with it
    loop->items[POLL_CAPTURE].events = backlog_has_room(channels) ? ZMQ_POLLIN : 0;
    send_queued(channels, &loop->frames);
    zmq_poll(loop->items, loop->item_count, wait_ms);
}

// The last channels come first: heartbeat and control wait for no cell.
static void serve_sockets(struct io_loop *loop)
{
    if (loop->items[POLL_WAKE].revents)
        queue_clear_event(&loop->channels->outgoing);
    for (int i = CHANNEL_COUNT - 1; i >= 0; i--) {
        if (loop->items[i].revents)
            serve_socket(loop->channels, (enum channel)i, &loop->frames);
    }
}

// Told once: after it, the descriptor stays readable for ever.
static bool became_orphan(struct io_loop *loop)
{
    bool is_orphan = loop->item_count > POLL_PARENT && loop->items[POLL_PARENT].revents;
    if (is_orphan)
        loop->item_count = POLL_PARENT;
    return is_orphan;
}

static void *io_thread_main(void *argument)
{
    struct io_loop loop = {.channels = argument};
    struct channels *channels = loop.channels;
    const struct protocol_hooks *hooks = channels->hooks;
    pthread_setname_np(pthread_self(), "gridcell-io");
    loop.parent_fd = hooks->begin(channels->kernel);
    prepare_poll(&loop);
    while (!atomic_load(&channels->is_finished)) {
        wait_for_work(&loop);
        hooks->check_crash(channels->kernel);
        serve_sockets(&loop);
        hooks->check_end(channels->kernel, became_orphan(&loop));
    }
    iopub_poll(channels);
    send_queued(channels, &loop.frames);
    hooks->end(channels->kernel);
    frames_clear(&loop.frames);
    vec_finish(&loop.frames.list);
    if (loop.parent_fd >= 0)
        close(loop.parent_fd);
    return NULL;
}

bool io_thread_start(struct channels *channels, struct error *err)
{
    int failure = pthread_create(&channels->io_thread, NULL, io_thread_main, channels);
    if (failure)
        return error_set(
                err, ERROR_SYSTEM, SPAN_NONE, "no thread: %s", strerror(failure));
    return true;
}

void io_thread_finish(struct channels *channels)
{
    if (!channels->io_thread)
        return;
    atomic_store(&channels->is_finished, true);
    queue_wake(&channels->outgoing);
    pthread_join(channels->io_thread, NULL);
}

void io_thread_send_rest(struct channels *channels, int linger_ms)
{
    struct frames frames = {0};
    send_queued(channels, &frames);
    sockets_set_linger(channels, linger_ms);
    sockets_close(channels);
    frames_clear(&frames);
    vec_finish(&frames.list);
}
