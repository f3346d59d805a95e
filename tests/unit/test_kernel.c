// SPDX-License-Identifier: MIT
// The whole protocol side in a process of its own, with the interpreter of a few words:
// what a client sees on each channel. It needs no Python, so that sanitizers see the
// kernel alone.
#include "tests/unit/test.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/vec.h"
#include "kernel/process/signals.h"
#include "kernel/session/kernel.h"

#define PATIENCE_MS 10000

struct client {
    pid_t pid;
    char path[64];
    struct wire wire;
    struct connection connection;
    void *context, *sockets[CHANNEL_COUNT];
};

static const char connection_text[] =
        "{\"shell_port\": 0, \"control_port\": 0, \"stdin_port\": 0, \"iopub_port\": 0,"
        " \"hb_port\": 0, \"key\": \"secret\"}";

static bool write_connection_file(struct client *client)
{
    strcpy(client->path, "/tmp/gridcell-test-XXXXXX");
    int fd = mkstemp(client->path);
    bool is_written = fd >= 0 && write(fd, connection_text, strlen(connection_text)) > 0;
    close(fd);
    return is_written;
}

// The kernel fills in its ports when it has bound them.
static bool read_ports(struct client *client)
{
    const struct timespec pause = {.tv_nsec = 5000000};
    for (int i = 0; i < PATIENCE_MS / 5; i++) {
        struct error err = {0};
        if (!connection_read(&client->connection, client->path, &err))
            return false;
        if (client->connection.ports[CHANNEL_HEARTBEAT])
            return true;
        connection_finish(&client->connection);
        nanosleep(&pause, NULL);
    }
    return false;
}

static void *connect_socket(struct client *client, enum channel channel, int type)
{
    char endpoint[ENDPOINT_SIZE];
    struct error err = {0};
    int linger_ms = 100, patience_ms = PATIENCE_MS;
    connection_endpoint(&client->connection, channel, endpoint, &err);
    void *socket = zmq_socket(client->context, type);
    zmq_setsockopt(socket, ZMQ_LINGER, &linger_ms, sizeof linger_ms);
    zmq_setsockopt(socket, ZMQ_RCVTIMEO, &patience_ms, sizeof patience_ms);
    // replies to an input_request find the client by the identity it has on the shell
    // channel
    if (type == ZMQ_DEALER)
        zmq_setsockopt(socket, ZMQ_ROUTING_ID, "client", 6);
    else
        zmq_setsockopt(socket, ZMQ_SUBSCRIBE, "", 0);
    zmq_connect(socket, endpoint);
    return socket;
}

static struct message *receive_any(struct client *client, enum channel channel)
{
    VEC(zmq_msg_t) frames = {0};
    bool has_more = true, is_whole = true;
    while (has_more && is_whole) {
        zmq_msg_t frame;
        zmq_msg_init(&frame);
        is_whole = zmq_msg_recv(&frame, client->sockets[channel], 0) >= 0;
        has_more = is_whole && zmq_msg_more(&frame);
        vec_push(&frames, frame);
    }
    struct error err = {0};
    struct message *message = NULL;
    if (is_whole)
        message = wire_decode(&client->wire, channel, frames.items, frames.len, &err);
    if (!message)
        TEST_FAIL("nothing on the %s channel: %s", channel_name(channel), err.message);
    vec_each (frame, &frames)
        zmq_msg_close(frame);
    vec_finish(&frames);
    return message;
}

static bool is_starting(const struct message *message)
{
    const char *state =
            json_string_value(json_object_get(message->content, "execution_state"));
    return state && !strcmp(state, "starting");
}

// Whether the kernel's first message reaches a client depends on who is quicker.
static struct message *receive(struct client *client, enum channel channel)
{
    struct message *message = receive_any(client, channel);
    while (message && is_starting(message)) {
        message_destroy(message);
        message = receive_any(client, channel);
    }
    return message;
}

// A status that is on its way while the subscription arrives may overtake the welcome.
static bool is_welcomed(struct client *client)
{
    bool is_welcome = false, is_status = true;
    while (!is_welcome && is_status) {
        struct message *message = receive(client, CHANNEL_IOPUB);
        is_welcome = message && !strcmp(message->msg_type, "iopub_welcome");
        is_status = message && !strcmp(message->msg_type, "status");
        message_destroy(message);
    }
    if (!is_welcome)
        kill(client->pid, SIGKILL);
    return is_welcome;
}

static bool client_start(struct client *client)
{
    struct error err = {0};
    *client = (struct client){0};
    fflush(NULL);
    if (!write_connection_file(client) || (client->pid = fork()) < 0)
        return false;
    if (!client->pid) {
        signals_install();
        exit(kernel_run(client->path, &(struct interp_options){0}));
    }
    if (!read_ports(client) || !wire_init(&client->wire, "hmac-sha256", "secret", &err))
        return false;
    client->context = zmq_ctx_new();
    client->sockets[CHANNEL_SHELL] = connect_socket(client, CHANNEL_SHELL, ZMQ_DEALER);
    client->sockets[CHANNEL_CONTROL] =
            connect_socket(client, CHANNEL_CONTROL, ZMQ_DEALER);
    client->sockets[CHANNEL_STDIN] = connect_socket(client, CHANNEL_STDIN, ZMQ_DEALER);
    client->sockets[CHANNEL_IOPUB] = connect_socket(client, CHANNEL_IOPUB, ZMQ_SUB);
    return is_welcomed(client);
}

static void send_packet(
        struct client *client, enum channel channel, struct packet *packet)
{
    for (size_t i = 0; i < packet->frame_count; i++)
        zmq_msg_send(&packet->frames[i], client->sockets[channel],
                i + 1 < packet->frame_count ? ZMQ_SNDMORE : 0);
    packet_destroy(packet);
}

static void send_text(struct client *client, enum channel channel, const char *msg_type,
        const char *content)
{
    struct origin nobody = {.header = {"{}", 2}};
    send_packet(client, channel,
            wire_encode(&client->wire, &(struct message_spec){.channel = channel,
                                               .origin = &nobody,
                                               .msg_type = msg_type,
                                               .content_stolen = strdup(content)}));
}

static void execute(struct client *client, const char *code)
{
    char content[256];
    snprintf(content, sizeof content, "{\"code\": \"%s\", \"allow_stdin\": true}", code);
    send_text(client, CHANNEL_SHELL, "execute_request", content);
}

static const char *text_of(const json_t *object, const char *field)
{
    const char *text = json_string_value(json_object_get(object, field));
    return text ? text : "(none)";
}

// The next reply on a channel must be of this type and status.
static void check_reply(struct client *client, enum channel channel, const char *msg_type,
        const char *status)
{
    struct message *reply = receive(client, channel);
    if (!reply)
        return;
    CHECK_STR(reply->msg_type, msg_type);
    CHECK_STR(text_of(reply->content, "status"), status);
    message_destroy(reply);
}

// What IOPub says until the next idle, as "type:text " words.
static void check_published(struct client *client, const char *expected)
{
    struct str seen = {0};
    for (bool is_idle = false; !is_idle;) {
        struct message *message = receive(client, CHANNEL_IOPUB);
        if (!message)
            break;
        const char *state = text_of(message->content, "execution_state");
        bool is_status = !strcmp(message->msg_type, "status");
        bool is_stream = !strcmp(message->msg_type, "stream");
        is_idle = is_status && !strcmp(state, "idle");
        str_printf(&seen, "%s ",
                is_status   ? state
                : is_stream ? text_of(message->content, "text")
                            : message->msg_type);
        message_destroy(message);
    }
    CHECK_STR(str_text(&seen), expected);
    str_finish(&seen);
}

// Ends the client; the kernel must have ended by itself, with this status.
static void client_finish(struct client *client, int expected)
{
    int status = -1;
    waitpid(client->pid, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), expected);
    for (int i = 0; i < CHANNEL_COUNT; i++) {
        if (client->sockets[i])
            zmq_close(client->sockets[i]);
    }
    zmq_ctx_term(client->context);
    wire_finish(&client->wire);
    connection_finish(&client->connection);
    unlink(client->path);
}

// Runs a cell and checks what comes on both channels.
static void run(struct client *client, const char *code, const char *status,
        const char *published)
{
    execute(client, code);
    check_reply(client, CHANNEL_SHELL, "execute_reply", status);
    check_published(client, published);
}

// Starts a cell that goes on until it is interrupted.
static void start_loop(struct client *client)
{
    execute(client, "loop");
    message_destroy(receive(client, CHANNEL_IOPUB)); // it is busy
}

static void shut_down(struct client *client)
{
    send_text(client, CHANNEL_CONTROL, "shutdown_request", "{\"restart\": true}");
    check_reply(client, CHANNEL_CONTROL, "shutdown_reply", "ok");
    check_published(client, "busy shutdown_reply idle ");
    client_finish(client, 0);
}

TEST(runs_cells_in_order)
{
    struct client client;
    REQUIRE(client_start(&client));
    run(&client, "print a", "ok", "busy a idle ");
    run(&client, "cprint from-c", "ok", "busy from-c idle ");
    run(&client, "error", "error", "busy error idle ");
    shut_down(&client);
}

TEST(aborts_what_is_queued_behind_an_error)
{
    struct client client;
    REQUIRE(client_start(&client));
    execute(&client, "loop");
    execute(&client, "ok");
    send_text(&client, CHANNEL_SHELL, "is_complete_request", "{\"code\": \"1\"}");
    execute(&client, "ok");
    // the interrupt may come before the cell runs, and means nothing then
    zmq_pollitem_t item = {.socket = client.sockets[CHANNEL_SHELL], .events = ZMQ_POLLIN};
    while (!zmq_poll(&item, 1, 50))
        kill(client.pid, SIGINT);
    check_reply(&client, CHANNEL_SHELL, "execute_reply", "error");
    check_reply(&client, CHANNEL_SHELL, "execute_reply", "aborted");
    check_reply(&client, CHANNEL_SHELL, "is_complete_reply", "complete");
    check_reply(&client, CHANNEL_SHELL, "execute_reply", "aborted");
    execute(&client, "ok");
    check_reply(&client, CHANNEL_SHELL, "execute_reply", "ok");
    check_published(&client, "busy error idle "); // of the first cell, then the others
    for (int i = 0; i < 4; i++)
        check_published(&client, "busy idle ");
    shut_down(&client);
}

TEST(control_answers_while_a_cell_runs)
{
    struct client client;
    REQUIRE(client_start(&client));
    start_loop(&client);
    send_text(&client, CHANNEL_CONTROL, "kernel_info_request", "{}");
    check_reply(&client, CHANNEL_CONTROL, "kernel_info_reply", "ok");
    check_published(&client, "busy idle ");
    // until the cell has begun there is nothing to interrupt
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    send_text(&client, CHANNEL_CONTROL, "interrupt_request", "{}");
    check_reply(&client, CHANNEL_CONTROL, "interrupt_reply", "ok");
    check_reply(&client, CHANNEL_SHELL, "execute_reply", "error");
    // the two threads publish at the same time: the cell's error and two idles, in any
    // order
    for (int left = 4; left > 0; left--)
        message_destroy(receive(&client, CHANNEL_IOPUB));
    shut_down(&client);
}

TEST(asks_for_input)
{
    struct client client;
    REQUIRE(client_start(&client));
    execute(&client, "input");
    struct message *question = receive(&client, CHANNEL_STDIN);
    REQUIRE(question);
    CHECK_STR(question->msg_type, "input_request");
    CHECK_STR(text_of(question->content, "prompt"), "name? ");
    message_destroy(question);
    send_text(&client, CHANNEL_STDIN, "input_reply", "{\"value\": \"Ada\"}");
    check_reply(&client, CHANNEL_SHELL, "execute_reply", "ok");
    check_published(&client, "busy Ada idle ");
    shut_down(&client);
}

TEST(survives_frames_of_every_wrong_kind)
{
    static const char *const pieces[] = {
            "", "<IDS|MSG>", "{}", "[]", "\xff", "0123456789abcdef"};
    struct client client;
    REQUIRE(client_start(&client));
    unsigned chance = 1;
    for (int i = 0; i < 2000; i++) {
        void *socket = client.sockets[i % 2 ? CHANNEL_SHELL : CHANNEL_CONTROL];
        int count = 1 + (int)(chance >> 8) % 8;
        for (int j = 0; j < count; j++) {
            chance = chance * 1103515245 + 12345;
            const char *piece = pieces[(chance >> 16) % 6];
            zmq_send(socket, piece, strlen(piece), j + 1 < count ? ZMQ_SNDMORE : 0);
        }
    }
    run(&client, "print alive", "ok", "busy alive idle ");
    shut_down(&client);
}

TEST(exit_in_a_cell_ends_the_kernel)
{
    struct client client;
    REQUIRE(client_start(&client));
    run(&client, "exit", "ok", "busy idle ");
    client_finish(&client, 0);
}

TEST(terminates_in_good_order)
{
    struct client client;
    REQUIRE(client_start(&client));
    start_loop(&client);
    kill(client.pid, SIGTERM);
    client_finish(&client, 0);
}
