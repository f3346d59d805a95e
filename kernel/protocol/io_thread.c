// SPDX-License-Identifier: MIT
// The thread that owns every socket: it receives and sorts requests, sends what the
// others queue, answers heartbeat and control, and watches for the end of the launcher.
#include "kernel/session/kernel.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/vec.h"
#include "kernel/process/descriptors.h"
#include "kernel/process/usage.h"

#define LINGER_MS 1000
#define MESSAGES_PER_TURN 64 // of one socket, so that no channel starves another
#define LARGEST_MESSAGE (INT64_C(2) << 30)

enum { POLL_WAKE = CHANNEL_COUNT, POLL_CAPTURE, POLL_PARENT, POLL_COUNT };

static const int socket_types[CHANNEL_COUNT] = {
        [CHANNEL_SHELL] = ZMQ_ROUTER,
        [CHANNEL_CONTROL] = ZMQ_ROUTER,
        [CHANNEL_STDIN] = ZMQ_ROUTER,
        [CHANNEL_IOPUB] = ZMQ_XPUB,
        [CHANNEL_HEARTBEAT] = ZMQ_ROUTER,
};

// ---- binding

static void set_int(void *socket, int option, int value)
{
    zmq_setsockopt(socket, option, &value, sizeof value);
}

static bool socket_configure(const struct connection *connection, enum channel channel,
        void *socket, struct error *err)
{
    int64_t largest = LARGEST_MESSAGE;
    set_int(socket, ZMQ_LINGER, LINGER_MS);
    set_int(socket, ZMQ_SNDHWM, 0);
    set_int(socket, ZMQ_RCVHWM, 0);
    set_int(socket, ZMQ_IPV6, strchr(connection->ip, ':') != NULL);
    zmq_setsockopt(socket, ZMQ_MAXMSGSIZE, &largest, sizeof largest);
    if (channel == CHANNEL_IOPUB)
        set_int(socket, ZMQ_XPUB_VERBOSE, 1);
    else
        set_int(socket, ZMQ_ROUTER_HANDOVER, 1);
    if (!connection->curve_public)
        return true;
    int is_server = 1;
    if (zmq_setsockopt(socket, ZMQ_CURVE_SERVER, &is_server, sizeof is_server) ||
            zmq_setsockopt(socket, ZMQ_CURVE_PUBLICKEY, connection->curve_public, 41) ||
            zmq_setsockopt(socket, ZMQ_CURVE_SECRETKEY, connection->curve_secret, 41))
        return error_set(err, ERROR_VALUE, SPAN_NONE,
                "connection file %s: ZeroMQ refuses the curve keys (%s)",
                connection->path, zmq_strerror(errno));
    return true;
}

static int port_of_endpoint(const char *endpoint, bool is_ipc)
{
    const char *digits = strrchr(endpoint, is_ipc ? '-' : ':');
    return digits ? atoi(digits + 1) : 0;
}

static bool socket_bind(struct kernel *kernel, enum channel channel, struct error *err)
{
    struct connection *connection = &kernel->connection;
    char endpoint[ENDPOINT_SIZE], bound[ENDPOINT_SIZE];
    size_t bound_size = sizeof bound;
    if (!connection_endpoint(connection, channel, endpoint, err))
        return false;
    void *socket = zmq_socket(kernel->zmq_context, socket_types[channel]);
    if (!socket)
        return error_set(
                err, ERROR_SYSTEM, SPAN_NONE, "no socket: %s", zmq_strerror(errno));
    kernel->sockets[channel] = socket;
    if (!socket_configure(connection, channel, socket, err))
        return false;
    if (zmq_bind(socket, endpoint)) {
        if (errno == EADDRINUSE && !connection->is_ipc)
            return error_set(err, ERROR_SYSTEM, SPAN_NONE,
                    "port %d of the %s channel is already in use on %s",
                    connection->ports[channel], channel_name(channel), connection->ip);
        return error_set(err, ERROR_SYSTEM, SPAN_NONE,
                "the %s channel cannot bind %s: %s", channel_name(channel), endpoint,
                zmq_strerror(errno));
    }
    kernel->is_bound[channel] = true;
    if (!connection->ports[channel] &&
            !zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, bound, &bound_size))
        connection->ports[channel] = port_of_endpoint(bound, connection->is_ipc);
    return true;
}

bool sockets_bind(struct kernel *kernel, struct error *err)
{
    bool chooses_ports = false;
    kernel->zmq_context = zmq_ctx_new();
    if (!kernel->zmq_context)
        return error_set(err, ERROR_SYSTEM, SPAN_NONE, "ZeroMQ: %s", zmq_strerror(errno));
    for (int i = 0; i < CHANNEL_COUNT; i++) {
        chooses_ports = chooses_ports || !kernel->connection.ports[i];
        if (!socket_bind(kernel, (enum channel)i, err))
            return false;
    }
    return !chooses_ports || connection_write(&kernel->connection, err);
}

// libzmq leaves the files of its sockets.
static void remove_files(struct kernel *kernel)
{
    static const char scheme[] = "ipc://";
    char endpoint[ENDPOINT_SIZE];
    struct error ignored = {0};
    for (int i = 0; kernel->connection.is_ipc && i < CHANNEL_COUNT; i++) {
        if (kernel->is_bound[i] && connection_endpoint(&kernel->connection,
                                           (enum channel)i, endpoint, &ignored))
            unlink(endpoint + sizeof scheme - 1);
        kernel->is_bound[i] = false;
    }
}

void sockets_close(struct kernel *kernel)
{
    for (int i = 0; i < CHANNEL_COUNT; i++) {
        if (kernel->sockets[i])
            zmq_close(kernel->sockets[i]);
        kernel->sockets[i] = NULL;
    }
    if (kernel->zmq_context)
        zmq_ctx_term(kernel->zmq_context);
    kernel->zmq_context = NULL;
    remove_files(kernel);
}

// Between fork and what follows: only calls that are safe in a signal handler.
void sockets_after_fork(const struct connection *connection)
{
    enum { MOST_DESCRIPTORS = 1024 };
    int saved_errno = errno;
    for (int fd = STDERR_FILENO + 1; fd < MOST_DESCRIPTORS; fd++) {
        struct sockaddr_storage address = {0};
        socklen_t len = sizeof address;
        enum channel channel;
        if (!getsockname(fd, (struct sockaddr *)&address, &len) &&
                connection_owns(connection, &address, &channel))
            close(fd);
    }
    errno = saved_errno;
}

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

static void echo(struct kernel *kernel, struct frames *frames)
{
    for (size_t i = 0; i < frames->list.len; i++) {
        int flags = ZMQ_DONTWAIT | (i + 1 < frames->list.len ? ZMQ_SNDMORE : 0);
        zmq_msg_send(&frames->list.items[i], kernel->sockets[CHANNEL_HEARTBEAT], flags);
    }
}

static void send_packet(struct kernel *kernel, struct packet *packet)
{
    void *socket = kernel->sockets[packet->channel];
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
static void welcome(struct kernel *kernel, struct frames *frames)
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
    struct packet *packet = wire_encode(&kernel->wire,
            &(struct message_spec){.channel = CHANNEL_IOPUB,
                    .topic = json_string_value(topic),
                    .msg_type = "iopub_welcome",
                    .content_stolen =
                            json_text_stolen(json_pack("{s:O}", "subscription", topic))});
    if (packet)
        send_packet(kernel, packet);
    backlog_tell(kernel);
    json_decref(topic);
}

void requests_push(struct kernel *kernel, struct message *message)
{
    // a cell that awaits takes it from behind other requests
    bool overtakes = message_is_comm(message);
    lane_push(&kernel->main, message);
    if (overtakes)
        queue_wake(&kernel->main.requests);
}

static void deliver(struct kernel *kernel, enum channel channel, struct message *message)
{
    if (channel == CHANNEL_CONTROL) {
        control_serve(kernel, message);
    } else if (channel == CHANNEL_STDIN) {
        if (interrupts_take_answer(kernel, message))
            return;
        if (!strcmp(message->msg_type, "input_reply") &&
                atomic_load(&kernel->awaits_input))
            queue_push(&kernel->input_replies, &message->node);
        else
            message_destroy(message);
    } else if (lanes_take(kernel, message)) {
        return;
    } else if (control_answer_at_once(kernel, message)) {
        message_destroy(message);
    } else {
        lanes_note_question(kernel, message);
        requests_push(kernel, message);
    }
}

// Whoever sends a million bad messages shall not fill the log: after some, powers of two.
static void log_drop(struct kernel *kernel, enum channel channel, const struct error *err)
{
    uint64_t count = ++kernel->dropped_count;
    if (count <= 20)
        log_write(LOG_WARNING, "a message on the %s channel was dropped: %s",
                channel_name(channel), err->message);
    else if (!(count & (count - 1)))
        log_write(LOG_WARNING,
                "%llu messages were dropped so far; the last on the %s channel: %s",
                (unsigned long long)count, channel_name(channel), err->message);
}

static void receive_request(
        struct kernel *kernel, enum channel channel, struct frames *frames)
{
    struct error err = {0};
    struct message *message = wire_decode(
            &kernel->wire, channel, frames->list.items, frames->list.len, &err);
    if (message)
        deliver(kernel, channel, message);
    else
        log_drop(kernel, channel, &err);
}

static void serve_socket(
        struct kernel *kernel, enum channel channel, struct frames *frames)
{
    void *socket = kernel->sockets[channel];
    for (int i = 0; i < MESSAGES_PER_TURN && receive(socket, frames); i++) {
        if (channel == CHANNEL_HEARTBEAT)
            echo(kernel, frames);
        else if (channel == CHANNEL_IOPUB)
            welcome(kernel, frames);
        else
            receive_request(kernel, channel, frames);
    }
}

// ---- sending

// A lane aborts what was queued before this point; all that has arrived comes before it.
static void pass_barrier(
        struct kernel *kernel, struct packet *packet, struct frames *frames)
{
    struct lane *lane = packet->lane;
    void *socket = kernel->sockets[CHANNEL_SHELL];
    packet_destroy(packet);
    for (int i = 0; i < 100 * MESSAGES_PER_TURN && receive(socket, frames); i++)
        receive_request(kernel, CHANNEL_SHELL, frames);
    struct message *barrier = memory_zalloc(sizeof *barrier);
    lanes_pass_barrier(kernel, lane, barrier);
}

static void send_queued(struct kernel *kernel, struct frames *frames)
{
    struct queue_node *node;
    // who has subscribed by now is welcomed before it gets any of this
    serve_socket(kernel, CHANNEL_IOPUB, frames);
    while ((node = queue_pop(&kernel->outgoing))) {
        struct packet *packet = (struct packet *)node;
        if (packet->frame_count)
            send_packet(kernel, packet);
        else
            pass_barrier(kernel, packet, frames);
    }
}

// ---- the loop

struct io_loop {
    struct kernel *kernel;
    struct frames frames;
    zmq_pollitem_t items[POLL_COUNT];
    int item_count;
    int parent_fd;
    int64_t end_ms; // when the process ends whatever happens; 0: not asked for
};

static void prepare_poll(struct io_loop *loop)
{
    struct kernel *kernel = loop->kernel;
    for (int i = 0; i < CHANNEL_COUNT; i++)
        loop->items[i] =
                (zmq_pollitem_t){.socket = kernel->sockets[i], .events = ZMQ_POLLIN};
    const int fds[] = {
            kernel->outgoing.event_fd, kernel->capture.ready_fd, loop->parent_fd};
    for (int i = POLL_WAKE; i < POLL_COUNT; i++)
        loop->items[i] = (zmq_pollitem_t){.fd = fds[i - POLL_WAKE], .events = ZMQ_POLLIN};
    loop->item_count = loop->parent_fd >= 0 ? POLL_COUNT : POLL_PARENT;
}

static void begin_shutdown(struct io_loop *loop)
{
    if (loop->end_ms)
        return;
    loop->end_ms = clock_ms() + SHUTDOWN_LIMIT_MS;
    if (!atomic_load(&loop->kernel->is_stopping))
        control_begin_shutdown(loop->kernel);
}

// The main thread is stuck in a cell: what is queued leaves, and the process ends.
static void end_process(struct io_loop *loop)
{
    struct kernel *kernel = loop->kernel;
    int linger_ms = 200;
    log_write(LOG_WARNING, "a cell did not stop in time; the process ends");
    send_queued(kernel, &loop->frames);
    for (int i = 0; i < CHANNEL_COUNT; i++)
        zmq_setsockopt(kernel->sockets[i], ZMQ_LINGER, &linger_ms, sizeof linger_ms);
    sockets_close(kernel);
    process_end_children();
    _exit(0);
}

static void check_end(struct io_loop *loop)
{
    struct kernel *kernel = loop->kernel;
    if (loop->item_count > POLL_PARENT && loop->items[POLL_PARENT].revents) {
        log_write(LOG_INFO, "the process that launched the kernel ended");
        loop->item_count = POLL_PARENT;
        begin_shutdown(loop);
    }
    if (atomic_load(&kernel->wants_stop) || atomic_load(&kernel->is_stopping))
        begin_shutdown(loop);
    if (kernel->ends_now || (loop->end_ms && clock_ms() >= loop->end_ms))
        end_process(loop);
}

static void report_crash(struct io_loop *loop)
{
    iopub_flush_at_crash(loop->kernel);
    crash_prepare_report(loop->kernel);
    send_queued(loop->kernel, &loop->frames);
    crash_finish_report(loop->kernel);
}

static int shorter(int wait_ms, int64_t limit_ms)
{
    limit_ms = limit_ms < 0 ? 0 : limit_ms;
    return wait_ms < 0 || limit_ms < wait_ms ? (int)limit_ms : wait_ms;
}

// Either may be -1: never.
static int sooner(int one_ms, int other_ms)
{
    return other_ms < 0 ? one_ms : shorter(one_ms, other_ms);
}

static void *io_thread_main(void *argument)
{
    struct io_loop loop = {.kernel = argument};
    struct kernel *kernel = loop.kernel;
    pthread_setname_np(pthread_self(), "gridcell-io");
    loop.parent_fd = process_watch_parent();
    descriptors_note(loop.parent_fd);
    prepare_poll(&loop);
    kernel_status(kernel, NULL, "starting");
    usage_begin();
    while (!atomic_load(&kernel->is_finished)) {
        int wait_ms = iopub_poll(kernel);
        wait_ms = sooner(wait_ms, control_poll(kernel));
        wait_ms = sooner(wait_ms, interrupts_poll(kernel));
        wait_ms = sooner(wait_ms, lanes_poll(kernel));
        wait_ms = sooner(wait_ms, backlog_poll(kernel));
        // what C code and programs print waits in its pipe, and they with it
        loop.items[POLL_CAPTURE].events = backlog_has_room(kernel) ? ZMQ_POLLIN : 0;
        lanes_collect(kernel);
        send_queued(kernel, &loop.frames);
        if (loop.end_ms)
            wait_ms = shorter(wait_ms, loop.end_ms - clock_ms());
        zmq_poll(loop.items, loop.item_count, wait_ms);
        if (crash_is_pending())
            report_crash(&loop);
        if (loop.items[POLL_WAKE].revents)
            queue_clear_event(&kernel->outgoing);
        for (int i = CHANNEL_COUNT - 1; i >= 0; i--) {
            if (loop.items[i].revents)
                serve_socket(kernel, (enum channel)i, &loop.frames);
        }
        check_end(&loop);
    }
    iopub_poll(kernel);
    send_queued(kernel, &loop.frames);
    control_finish(kernel);
    frames_clear(&loop.frames);
    vec_finish(&loop.frames.list);
    if (loop.parent_fd >= 0)
        close(loop.parent_fd);
    return NULL;
}

bool io_thread_start(struct kernel *kernel, struct error *err)
{
    sigset_t before;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    signals_block_all();
    int failure = pthread_create(&kernel->io_thread, NULL, io_thread_main, kernel);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failure)
        return error_set(
                err, ERROR_SYSTEM, SPAN_NONE, "no thread: %s", strerror(failure));
    return true;
}

void io_thread_finish(struct kernel *kernel)
{
    atomic_store(&kernel->is_finished, true);
    queue_wake(&kernel->outgoing);
    pthread_join(kernel->io_thread, NULL);
}
