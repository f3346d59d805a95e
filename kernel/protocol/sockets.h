// SPDX-License-Identifier: MIT
// The five ZeroMQ sockets from binding to closing.
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "kernel/protocol/connection.h"

struct channels;

// Binds the five sockets; fills in the ports that were 0.
bool sockets_bind(struct channels *channels, struct error *err);
// Closes what is open; `channels` may be bound in part. After the I/O thread has ended,
// or on it.
void sockets_close(struct channels *channels);
// What is queued when the sockets close gets so long to leave. I/O thread.
void sockets_set_linger(struct channels *channels, int linger_ms);
// In a forked child: closes what would keep the ports from a kernel that follows.
void sockets_after_fork(const struct connection *connection);
