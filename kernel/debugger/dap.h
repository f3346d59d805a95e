// SPDX-License-Identifier: MIT
// A connection to a debug adapter: JSON messages of the Debug Adapter Protocol over TCP.
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/str.h"

struct dap {
    int fd;           // -1: not connected
    struct str input; // what has come
    size_t taken;     // of it, already read as messages
};

bool dap_connect(struct dap *dap, const char *address, int port, struct error *err);
void dap_close(struct dap *dap);
bool dap_send(struct dap *dap, const json_t *message, struct error *err);
// Reads what has come; false when the other side is gone.
bool dap_receive(struct dap *dap, struct error *err);
// The next whole message (new reference). NULL: there is none yet, or `err` says what is
// wrong.
json_t *dap_next(struct dap *dap, struct error *err);
