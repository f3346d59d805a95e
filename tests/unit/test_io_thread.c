// SPDX-License-Identifier: MIT
// The I/O thread with hooks of its own in place of a session: what it delivers, answers,
// passes on and sends.
#include "tests/unit/test.h"

#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/vec.h"
#include "kernel/protocol/channels.h"

#define PATIENCE_MS 10000

// What the hooks saw; the lane is only passed through.
struct lane {
    int number;
};

static struct {
    atomic_int begun, ended, orphans, delivered, barriers;
    char types[256];    // of what was delivered, with its channel
    int before_barrier; // delivered by then
    int lane;
    int launcher[2]; // a pipe whose write end is the process that launched the kernel
} seen;

static int begin(struct kernel *kernel)
{
    (void)kernel;
    atomic_fetch_add(&seen.begun, 1);
    return seen.launcher[0];
}

static int poll_nothing(struct kernel *kernel)
{
    (void)kernel;
    return -1;
}

static void check_nothing(struct kernel *kernel)
{
    (void)kernel;
}

static void deliver(struct kernel *kernel, struct message *message)
{
    (void)kernel;
    size_t len = strlen(seen.types);
    snprintf(seen.types + len, sizeof seen.types - len, "%s:%s ",
            channel_name(message->channel), message->msg_type);
    message_destroy(message);
    atomic_fetch_add(&seen.delivered, 1);
}

static void pass_barrier(struct kernel *kernel, struct lane *lane)
{
    (void)kernel;
    seen.before_barrier = atomic_load(&seen.delivered);
    seen.lane = lane->number;
    atomic_fetch_add(&seen.barriers, 1);
}

static void check_end(struct kernel *kernel, bool is_orphan)
{
    (void)kernel;
    atomic_fetch_add(&seen.orphans, is_orphan);
}

static void end(struct kernel *kernel)
{
    (void)kernel;
    atomic_fetch_add(&seen.ended, 1);
}

static bool has_captured(struct kernel *kernel)
{
    (void)kernel;
    return false;
}

static bool read_captured(
        struct kernel *kernel, enum output_stream stream, struct str *text)
{
    (void)kernel, (void)stream, (void)text;
    return false;
}

// In the order of the fields, whose names they have where they do something.
static const struct protocol_hooks hooks = {begin, poll_nothing, check_nothing, deliver,
        pass_barrier, check_end, end, has_captured, read_captured};

// ---- the channels, and a client of them

static struct channels channels;
static char path[64];
static struct wire wire;
static void *context;
static VEC(void *) sockets; // of the client, closed by `stop`

static bool start(void)
{
    static const char text[] =
            "{\"shell_port\": 0, \"control_port\": 0, \"stdin_port\": 0,"
            " \"iopub_port\": 0, \"hb_port\": 0, \"key\": \"secret\"}";
    struct error err = {0};
    memset(&seen, 0, sizeof seen);
    channels = (struct channels){0};
    strcpy(path, "/tmp/gridcell-test-XXXXXX");
    int fd = mkstemp(path);
    bool is_written = fd >= 0 && write(fd, text, strlen(text)) > 0;
    close(fd);
    context = zmq_ctx_new();
    if (is_written && !pipe(seen.launcher) &&
            wire_init(&wire, "hmac-sha256", "secret", &err) &&
            channels_open(&channels, path, &hooks, NULL, &err) &&
            io_thread_start(&channels, &err))
        return true;
    TEST_FAIL("the channels did not open: %s", err.message);
    return false;
}

static void *connect_to(enum channel channel, int type)
{
    char endpoint[ENDPOINT_SIZE];
    struct error err = {0};
    int linger_ms = 0, patience_ms = PATIENCE_MS;
    void *socket = zmq_socket(context, type);
    CHECK(connection_endpoint(&channels.connection, channel, endpoint, &err));
    zmq_setsockopt(socket, ZMQ_LINGER, &linger_ms, sizeof linger_ms);
    zmq_setsockopt(socket, ZMQ_RCVTIMEO, &patience_ms, sizeof patience_ms);
    if (type == ZMQ_SUB)
        zmq_setsockopt(socket, ZMQ_SUBSCRIBE, "", 0);
    zmq_connect(socket, endpoint);
    vec_push(&sockets, socket);
    return socket;
}

static void stop(void)
{
    vec_each (socket, &sockets)
        zmq_close(*socket);
    vec_finish(&sockets);
    io_thread_finish(&channels);
    channels_close(&channels);
    zmq_ctx_term(context);
    wire_finish(&wire);
    close(seen.launcher[1]); // the other end is the thread's
    unlink(path);
}

static void send_with(struct wire *sender, void *socket, const char *msg_type)
{
    struct origin nobody = {.header = {"{}", 2}};
    struct packet *packet = wire_encode(sender,
            &(struct message_spec){
                    .channel = CHANNEL_SHELL, .origin = &nobody, .msg_type = msg_type});
    for (size_t i = 0; i < packet->frame_count; i++)
        zmq_msg_send(&packet->frames[i], socket,
                i + 1 < packet->frame_count ? ZMQ_SNDMORE : 0);
    packet_destroy(packet);
}

// Waits until the count is reached; false: it was not in time.
static bool await(atomic_int *count, int wanted)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    int64_t end_ms = clock_ms() + PATIENCE_MS;
    while (atomic_load(count) < wanted && clock_ms() < end_ms)
        nanosleep(&pause, NULL);
    return atomic_load(count) >= wanted;
}

// The next message on IOPub must be of this type: its header is the fourth frame.
static void check_published(void *socket, const char *expected)
{
    zmq_msg_t frame;
    char type[64] = "";
    int more = 1;
    size_t size = sizeof more;
    for (int i = 0; more; i++) {
        zmq_msg_init(&frame);
        if (zmq_msg_recv(&frame, socket, 0) < 0)
            more = 0;
        else
            zmq_getsockopt(socket, ZMQ_RCVMORE, &more, &size);
        json_t *header =
                i == 3 ? json_loadb(zmq_msg_data(&frame), zmq_msg_size(&frame), 0, NULL)
                       : NULL;
        if (header)
            snprintf(type, sizeof type, "%s",
                    json_string_value(json_object_get(header, "msg_type")));
        json_decref(header);
        zmq_msg_close(&frame);
    }
    CHECK_STR(type, expected);
}

// Starts with a client that has subscribed; NULL: it did not start.
static void *start_subscribed(void)
{
    if (!start())
        return NULL;
    void *iopub = connect_to(CHANNEL_IOPUB, ZMQ_SUB);
    check_published(iopub, "iopub_welcome");
    return iopub;
}

// ---- tests

TEST(requests_are_delivered_by_channel)
{
    if (!start())
        return;
    void *shell = connect_to(CHANNEL_SHELL, ZMQ_DEALER);
    void *control = connect_to(CHANNEL_CONTROL, ZMQ_DEALER);
    void *input = connect_to(CHANNEL_STDIN, ZMQ_DEALER);
    send_with(&wire, shell, "one");
    CHECK(await(&seen.delivered, 1));
    send_with(&wire, control, "two");
    CHECK(await(&seen.delivered, 2));
    send_with(&wire, input, "three");
    CHECK(await(&seen.delivered, 3));
    CHECK_STR(seen.types, "shell:one control:two stdin:three ");
    stop();
    CHECK_INT(atomic_load(&seen.begun), 1);
    CHECK_INT(atomic_load(&seen.ended), 1);
}

TEST(requests_without_our_key_are_dropped)
{
    struct wire stranger;
    struct error err = {0};
    if (!start() || !wire_init(&stranger, "hmac-sha256", "another", &err))
        return;
    void *shell = connect_to(CHANNEL_SHELL, ZMQ_DEALER);
    send_with(&stranger, shell, "forged");
    zmq_send(shell, "noise", 5, 0);
    send_with(&wire, shell, "signed");
    CHECK(await(&seen.delivered, 1));
    CHECK_STR(seen.types, "shell:signed ");
    CHECK_INT(channels.dropped_count, 2);
    wire_finish(&stranger);
    stop();
}

TEST(heartbeat_comes_back)
{
    char answer[16] = "";
    if (!start())
        return;
    void *socket = connect_to(CHANNEL_HEARTBEAT, ZMQ_REQ);
    zmq_send(socket, "ping", 4, 0);
    CHECK_INT(zmq_recv(socket, answer, sizeof answer - 1, 0), 4);
    CHECK_STR(answer, "ping");
    stop();
}

TEST(barrier_comes_after_what_was_sent_before_it)
{
    enum { COUNT = 20 };
    struct lane lane = {7};
    if (!start())
        return;
    void *shell = connect_to(CHANNEL_SHELL, ZMQ_DEALER);
    for (int i = 0; i < COUNT; i++)
        send_with(&wire, shell, "r");
    CHECK(await(&seen.delivered, COUNT));
    channels_send_barrier(&channels, &lane);
    CHECK(await(&seen.barriers, 1));
    CHECK_INT(seen.before_barrier, COUNT);
    CHECK_INT(seen.lane, 7);
    stop();
}

TEST(subscriber_is_welcomed_before_anything_else)
{
    void *iopub = start_subscribed();
    REQUIRE(iopub);
    channels_status(&channels, NULL, "busy");
    check_published(iopub, "status");
    stop();
}

TEST(text_leaves_before_the_message_that_follows)
{
    void *iopub = start_subscribed();
    REQUIRE(iopub);
    iopub_stream(&channels, NULL, STREAM_STDOUT, "text", 4);
    iopub_send(&channels,
            &(struct message_spec){.channel = CHANNEL_IOPUB, .msg_type = "display_data"});
    check_published(iopub, "stream");
    check_published(iopub, "display_data");
    stop();
}

TEST(what_is_queued_at_the_end_is_sent)
{
    void *iopub = start_subscribed();
    REQUIRE(iopub);
    channels_status(&channels, NULL, "idle");
    iopub_stream(&channels, NULL, STREAM_STDERR, "last words", 10);
    iopub_flush(&channels);
    io_thread_finish(&channels);
    channels.io_thread = 0;
    check_published(iopub, "status");
    check_published(iopub, "stream");
    stop();
}

TEST(end_of_the_launcher_is_told_once)
{
    char answer[16];
    if (!start())
        return;
    CHECK(await(&seen.begun, 1));
    close(seen.launcher[1]);
    CHECK(await(&seen.orphans, 1));
    // some further turns
    void *socket = connect_to(CHANNEL_HEARTBEAT, ZMQ_REQ);
    for (int i = 0; i < 3; i++) {
        zmq_send(socket, "ping", 4, 0);
        CHECK_INT(zmq_recv(socket, answer, sizeof answer, 0), 4);
    }
    CHECK_INT(atomic_load(&seen.orphans), 1);
    seen.launcher[1] = -1;
    stop();
}
