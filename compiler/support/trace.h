// SPDX-License-Identifier: MIT
// The calls that the exception which leaves compiled code passed through, innermost
// first; of the calling thread. Strings belong to the code.
#pragma once

#include <stddef.h>

enum { COMPILER_TRACE_MAX = 64 };
struct compiler_frame {
    const char *function, *file;
    int line;
};
struct compiler_trace {
    struct compiler_frame frames[COMPILER_TRACE_MAX];
    size_t count, left_out; // left out: behind the first half
};
struct compiler_trace *compiler_trace(void);
