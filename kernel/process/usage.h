// SPDX-License-Identifier: MIT
// What the process and its host use.
#pragma once

#include <jansson.h>

// Rates are counted from here, then from reply to reply. I/O thread.
void usage_begin(void);
// The content of usage_reply. I/O thread.
json_t *usage_content(void);
// A list of the GPUs; empty until the driver's library is loaded, which the first call
// begins. I/O thread.
json_t *usage_gpus(void);
// The memory that can still be had, of the host and of our control group; -1: unknown.
long long usage_available_bytes(void);
