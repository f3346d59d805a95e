// SPDX-License-Identifier: MIT
// What code that was compiled to be debugged tells of itself while it runs: each call of
// a function has a record of where it is and of its variables. The record lies in the
// call's own stack frame, or among what a coroutine keeps; codegen/body/line_hook.c
// writes it, runtime/debugger/ reads it.
#pragma once

#include <stdint.h>

struct abi_emulated_block;
struct type;

// A variable of the user's. One that has values of several types is several of these, of
// which at most one is set.
struct debug_variable_place {
    const char *name;
    const struct type *type;
    int64_t offset; // from the start of the record, of the value in ABI form
    int64_t is_argument;
};

struct debug_function {
    const char *name, *file;
    int64_t first_line, variable_count;
    const struct debug_variable_place *variables;
};

struct debug_frame {
    struct debug_frame *caller; // NULL: Python, or the device, has called it
    const struct debug_function *function;
    struct abi_emulated_block *block; // NULL: it runs on the host
    int32_t thread[3];                // of the block
    int32_t line;                     // where it is
    int32_t told_line;                // that the debugger was asked about last; 0: none
    int32_t depth;                    // 0: of no other call
    // a byte for each variable, whether it is set; then their values
};

static inline const unsigned char *debug_frame_set(const struct debug_frame *frame)
{
    return (const unsigned char *)(frame + 1);
}
