// SPDX-License-Identifier: MIT
// What the kernel says of itself.
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "kernel/protocol/connection.h"

// The content of kernel_info_reply as JSON text; the caller frees it.
char *kernel_info_content(bool has_debugger);
// The content of connect_reply.
json_t *connect_content(const struct connection *connection);
