// SPDX-License-Identifier: MIT
// Reads, checks and rewrites the connection file. Every complaint names the file and the
// field.
#include "kernel/protocol/connection.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/files.h"

static const struct {
    const char *name, *port_field;
} channels[CHANNEL_COUNT] = {
        [CHANNEL_SHELL] = {"shell", "shell_port"},
        [CHANNEL_CONTROL] = {"control", "control_port"},
        [CHANNEL_STDIN] = {"stdin", "stdin_port"},
        [CHANNEL_IOPUB] = {"iopub", "iopub_port"},
        [CHANNEL_HEARTBEAT] = {"heartbeat", "hb_port"},
};

const char *channel_name(enum channel channel)
{
    return channels[channel].name;
}

// A string field; `fallback` when it is missing or null.
static bool read_text(const struct connection *connection, const char *field,
        const char *fallback, const char **text, struct error *err)
{
    json_t *value = json_object_get(connection->file, field);
    if (!value || json_is_null(value)) {
        *text = fallback;
        return true;
    }
    if (!json_is_string(value))
        return error_set(err, ERROR_VALUE, SPAN_NONE,
                "connection file %s: %s is not a string", connection->path, field);
    *text = json_string_value(value);
    return true;
}

static bool read_ports(struct connection *connection, struct error *err)
{
    for (int i = 0; i < CHANNEL_COUNT; i++) {
        const char *field = channels[i].port_field;
        json_t *value = json_object_get(connection->file, field);
        if (!value)
            return error_set(err, ERROR_VALUE, SPAN_NONE, "connection file %s: no %s",
                    connection->path, field);
        json_int_t port = json_is_integer(value) ? json_integer_value(value) : -1;
        if (port < 0 || port > 65535)
            return error_set(err, ERROR_VALUE, SPAN_NONE,
                    "connection file %s: %s is not a port number", connection->path,
                    field);
        connection->ports[i] = (int)port;
    }
    return true;
}

static bool read_curve_key(const struct connection *connection, const char *field,
        const char **key, struct error *err)
{
    if (!read_text(connection, field, NULL, key, err))
        return false;
    if (*key && strlen(*key) != 40)
        return error_set(err, ERROR_VALUE, SPAN_NONE,
                "connection file %s: %s is not a Z85 key of 40 characters",
                connection->path, field);
    return true;
}

static bool read_fields(struct connection *connection, struct error *err)
{
    const char *transport = "tcp";
    if (!read_text(connection, "transport", "tcp", &transport, err) ||
            !read_text(connection, "ip", "127.0.0.1", &connection->ip, err) ||
            !read_text(connection, "key", "", &connection->key, err) ||
            !read_text(connection, "signature_scheme", "hmac-sha256",
                    &connection->signature_scheme, err) ||
            !read_curve_key(
                    connection, "curve_publickey", &connection->curve_public, err) ||
            !read_curve_key(
                    connection, "curve_secretkey", &connection->curve_secret, err))
        return false;
    connection->is_ipc = !strcmp(transport, "ipc");
    if (!connection->is_ipc && strcmp(transport, "tcp"))
        return error_set(err, ERROR_VALUE, SPAN_NONE,
                "connection file %s: transport '%s' is neither tcp nor ipc",
                connection->path, transport);
    if (!connection->curve_public != !connection->curve_secret)
        return error_set(err, ERROR_VALUE, SPAN_NONE,
                "connection file %s: one of the two curve keys is missing",
                connection->path);
    return read_ports(connection, err);
}

bool connection_read(struct connection *connection, const char *path, struct error *err)
{
    *connection = (struct connection){.path = path};
    if (access(path, R_OK))
        return error_set(err, ERROR_SYSTEM, SPAN_NONE, "connection file %s: %s", path,
                strerror(errno));
    json_error_t problem;
    connection->file = json_load_file(path, 0, &problem);
    if (!connection->file)
        return error_set(err, ERROR_VALUE, SPAN_NONE, "connection file %s: line %d: %s",
                path, problem.line, problem.text);
    if (!json_is_object(connection->file))
        error_set(err, ERROR_VALUE, SPAN_NONE, "connection file %s: not a JSON object",
                path);
    else if (read_fields(connection, err))
        return true;
    connection_finish(connection);
    return false;
}

void connection_finish(struct connection *connection)
{
    json_decref(connection->file);
    *connection = (struct connection){0};
}

bool connection_write(const struct connection *connection, struct error *err)
{
    for (int i = 0; i < CHANNEL_COUNT; i++)
        json_object_set_new(connection->file, channels[i].port_field,
                json_integer(connection->ports[i]));
    char *text = json_dumps(connection->file, JSON_INDENT(2));
    if (!text)
        return error_set(err, ERROR_MEMORY, SPAN_NONE, "no memory for a connection file");
    bool is_done = file_replace(connection->path, text, strlen(text), FILE_PRIVATE) ||
                   error_set(err, ERROR_SYSTEM, SPAN_NONE,
                           "connection file %s cannot be written: %s", connection->path,
                           strerror(errno));
    free(text);
    return is_done;
}

// The first number whose socket file does not exist yet.
static int ipc_choose_port(const struct connection *connection)
{
    char path[ENDPOINT_SIZE];
    for (int port = 1; port < 65536; port++) {
        snprintf(path, sizeof path, "%s-%d", connection->ip, port);
        if (access(path, F_OK))
            return port;
    }
    return 0;
}

bool connection_endpoint(const struct connection *connection, enum channel channel,
        char endpoint[ENDPOINT_SIZE], struct error *err)
{
    int port = connection->ports[channel], len;
    if (connection->is_ipc)
        len = snprintf(endpoint, ENDPOINT_SIZE, "ipc://%s-%d", connection->ip,
                port ? port : ipc_choose_port(connection));
    else if (strchr(connection->ip, ':'))
        len = snprintf(endpoint, ENDPOINT_SIZE, "tcp://[%s]:%d", connection->ip, port);
    else
        len = snprintf(endpoint, ENDPOINT_SIZE, "tcp://%s:%d", connection->ip, port);
    if (len >= ENDPOINT_SIZE)
        return error_set(err, ERROR_VALUE, SPAN_NONE,
                "connection file %s: ip is too long", connection->path);
    return true;
}

static bool owns_path(
        const struct connection *connection, const char *path, enum channel *channel)
{
    size_t len = strlen(connection->ip);
    if (!connection->is_ipc || strncmp(path, connection->ip, len) || path[len] != '-')
        return false;
    int port = 0;
    for (const char *at = path + len + 1; *at >= '0' && *at <= '9'; at++)
        port = 10 * port + *at - '0';
    for (int i = 0; i < CHANNEL_COUNT; i++) {
        if (connection->ports[i] == port) {
            *channel = (enum channel)i;
            return true;
        }
    }
    return false;
}

bool connection_owns(const struct connection *connection,
        const struct sockaddr_storage *address, enum channel *channel)
{
    int port = -1;
    if (address->ss_family == AF_UNIX)
        return owns_path(
                connection, ((const struct sockaddr_un *)address)->sun_path, channel);
    if (address->ss_family == AF_INET)
        port = ntohs(((const struct sockaddr_in *)address)->sin_port);
    else if (address->ss_family == AF_INET6)
        port = ntohs(((const struct sockaddr_in6 *)address)->sin6_port);
    for (int i = 0; i < CHANNEL_COUNT; i++) {
        if (!connection->is_ipc && connection->ports[i] == port) {
            *channel = (enum channel)i;
            return true;
        }
    }
    return false;
}
