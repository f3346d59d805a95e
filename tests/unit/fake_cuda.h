// SPDX-License-Identifier: MIT
// What a test may ask the stand-in for libcuda.so.1 (fake_cuda.c).
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

// What the stand-in saw so far.
struct fake_seen {
    atomic_int live;           // allocations, streams, events and modules not yet freed
    atomic_int copies;         // calls that copy
    atomic_int links;          // times that PTX was to be made a cubin
    atomic_int resets;         // of the primary context
    atomic_int trims;          // of the pool
    atomic_int registered;     // host memory that is registered
    size_t stack_bytes;        // of a thread, as cuCtxSetLimit set it; 0: not yet
    int limits;                // times that it was set
    int function_shared_bytes; // as cuFuncSetAttribute set it
    char *pinned;              // the memory that was pinned last
    // Of the latest launch: grid x, y, z, block x, y, z, bytes of shared memory.
    unsigned launched[7];
};

struct fake_cuda {
    // The next call of `name` gives `result`; from 700 on every call after it too.
    void (*fail)(const char *name, int result);
    void (*fail_always)(const char *name, int result); // every call of `name`
    void (*recover)(void);
    // Copies the first `size` bytes of parameter `index` of the latest launch.
    void (*parameter)(size_t index, void *value, size_t size);
    const struct fake_seen *seen;
};
