// SPDX-License-Identifier: MIT
// What messages carry, for those who do not send them: the streams and binary buffers.
#pragma once

#include <stddef.h>

enum output_stream { STREAM_STDOUT, STREAM_STDERR };

// A binary frame after the JSON of a message; borrowed for the call that takes it.
struct message_buffer {
    const void *bytes;
    size_t len;
};
