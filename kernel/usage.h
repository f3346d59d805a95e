// SPDX-License-Identifier: MIT
// What the process and its host use.
#pragma once

#include <jansson.h>

// The content of usage_reply. I/O thread.
json_t *usage_content(void);
// The memory that can still be had, of the host and of our control group; -1: unknown.
long long usage_available_bytes(void);
