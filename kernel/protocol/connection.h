// SPDX-License-Identifier: MIT
// The connection file: where the front end expects the kernel's sockets, and with which
// key.
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#include "base/error.h"

enum channel {
    CHANNEL_SHELL,
    CHANNEL_CONTROL,
    CHANNEL_STDIN,
    CHANNEL_IOPUB,
    CHANNEL_HEARTBEAT,
    CHANNEL_COUNT
};

struct connection {
    json_t *file;     // as read; strings below are borrowed from it
    const char *path; // borrowed from the caller
    const char *ip, *key, *signature_scheme;
    const char *curve_public, *curve_secret; // Z85, or NULL
    bool is_ipc;
    int ports[CHANNEL_COUNT]; // 0: to be chosen when binding
};

#define ENDPOINT_SIZE 512

bool connection_read(struct connection *connection, const char *path, struct error *err);
void connection_finish(struct connection *connection);
// Writes the file anew, with the ports that were chosen.
bool connection_write(const struct connection *connection, struct error *err);
// The address to bind; port 0 becomes one that ZeroMQ (tcp) or the caller chooses.
bool connection_endpoint(const struct connection *connection, enum channel channel,
        char endpoint[ENDPOINT_SIZE], struct error *err);
// Whether a socket's own address is one of ours, and of which channel. Safe in a signal
// handler.
bool connection_owns(const struct connection *connection,
        const struct sockaddr_storage *address, enum channel *channel);
const char *channel_name(enum channel channel);
