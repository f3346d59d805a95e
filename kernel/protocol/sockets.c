// SPDX-License-Identifier: MIT
// Binding and closing. ZeroMQ opens the descriptors; which of them are ours is told by
// the addresses in the connection file.
#include "kernel/protocol/sockets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel/protocol/channels.h"

#define LINGER_MS 1000
#define LARGEST_MESSAGE (INT64_C(2) << 30)

enum { SCHEME_BYTES = sizeof "ipc://" - 1 };

static const int socket_types[CHANNEL_COUNT] = {
        [CHANNEL_SHELL] = ZMQ_ROUTER,
        [CHANNEL_CONTROL] = ZMQ_ROUTER,
        [CHANNEL_STDIN] = ZMQ_ROUTER,
        [CHANNEL_IOPUB] = ZMQ_XPUB,
        [CHANNEL_HEARTBEAT] = ZMQ_ROUTER,
};

// Names that begin with @ are Linux's own and stand in no folder.
static bool has_file(const struct connection *connection)
{
    return connection->is_ipc && connection->ip[0] != '@';
}

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

static bool socket_bind(
        struct channels *channels, enum channel channel, struct error *err)
{
    struct connection *connection = &channels->connection;
    char endpoint[ENDPOINT_SIZE], bound[ENDPOINT_SIZE];
    size_t bound_size = sizeof bound;
    if (!connection_endpoint(connection, channel, endpoint, err))
        return false;
    void *socket = zmq_socket(channels->zmq_context, socket_types[channel]);
    if (!socket)
        return error_set(
                err, ERROR_SYSTEM, SPAN_NONE, "no socket: %s", zmq_strerror(errno));
    channels->sockets[channel] = socket;
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
    channels->is_bound[channel] = true;
    // the umask decided; who may write to the file may connect
    if (has_file(connection))
        chmod(endpoint + SCHEME_BYTES, S_IRUSR | S_IWUSR);
    if (!connection->ports[channel] &&
            !zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, bound, &bound_size))
        connection->ports[channel] = port_of_endpoint(bound, connection->is_ipc);
    return true;
}

bool sockets_bind(struct channels *channels, struct error *err)
{
    bool chooses_ports = false;
    channels->zmq_context = zmq_ctx_new();
    if (!channels->zmq_context)
        return error_set(err, ERROR_SYSTEM, SPAN_NONE, "ZeroMQ: %s", zmq_strerror(errno));
    for (int i = 0; i < CHANNEL_COUNT; i++) {
        chooses_ports = chooses_ports || !channels->connection.ports[i];
        if (!socket_bind(channels, (enum channel)i, err))
            return false;
    }
    return !chooses_ports || connection_write(&channels->connection, err);
}

// libzmq leaves the files of its sockets.
static void remove_files(struct channels *channels)
{
    char endpoint[ENDPOINT_SIZE];
    struct error ignored = {0};
    for (int i = 0; has_file(&channels->connection) && i < CHANNEL_COUNT; i++) {
        if (channels->is_bound[i] && connection_endpoint(&channels->connection,
                                             (enum channel)i, endpoint, &ignored))
            unlink(endpoint + SCHEME_BYTES);
        channels->is_bound[i] = false;
    }
}

void sockets_close(struct channels *channels)
{
    for (int i = 0; i < CHANNEL_COUNT; i++) {
        if (channels->sockets[i])
            zmq_close(channels->sockets[i]);
        channels->sockets[i] = NULL;
    }
    if (channels->zmq_context)
        zmq_ctx_term(channels->zmq_context);
    channels->zmq_context = NULL;
    remove_files(channels);
}

void sockets_set_linger(struct channels *channels, int linger_ms)
{
    for (int i = 0; i < CHANNEL_COUNT; i++)
        zmq_setsockopt(channels->sockets[i], ZMQ_LINGER, &linger_ms, sizeof linger_ms);
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
