// SPDX-License-Identifier: MIT
// What a test may ask the stand-in for libcuda.so.1 (fake_cuda.c).
#pragma once

#include <stddef.h>
#include <stdint.h>

struct fake_cuda {
    // The next call of `name` gives `result`; from 700 on every call after it too.
    void (*fail)(const char *name, int result);
    void (*fail_always)(const char *name, int result); // every call of `name`
    void (*recover)(void);
    // Copies the first `size` bytes of parameter `index` of the latest launch.
    void (*parameter)(size_t index, void *value, size_t size);
    // Of the latest launch: grid x, y, z, block x, y, z, bytes of shared memory.
    const unsigned *(*launched)(void);
    int (*live)(void); // allocations, streams, events and modules not yet freed
    int (*function_shared_bytes)(void); // as cuFuncSetAttribute set it
    int (*copies)(void);                // calls that copy, so far
    void *(*pinned)(void);              // the memory that was pinned last
    int (*links)(void);                 // times that PTX was to be made a cubin
    int (*resets)(void);                // of the primary context
    int (*trims)(void);                 // of the pool
    int (*registered)(void);            // host memory that is registered
};
