// SPDX-License-Identifier: MIT
// What the files of the stand-in for libcuda.so.1 share.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/cuda/cuda_driver.h"
#include "tests/unit/fake_cuda.h"

#define EXPORT __attribute__((visibility("default")))

#define CUDA_FUNCTION(name, symbol, params) EXPORT int fake_##name params __asm__(symbol);
#include "runtime/cuda/cuda_driver.def"
#undef CUDA_FUNCTION

struct fake_state {
    char failing[64];
    int result, sticky;
    bool is_failing_always;
    struct fake_seen seen;
    char linked[65536]; // the latest cubin: its PTX after "cubin of "
    atomic_bool has_context;
    size_t pinned_bytes;
    void *params[8];
};

extern struct fake_state fake_state;

// The result of a call of `function` (its __func__) that would succeed; the second: in a
// context.
int fake_outcome(const char *function);
int fake_outcome_in_context(const char *function);
// Memory that the context holds, or NULL.
void *fake_hold(size_t size_bytes);
// Ends what the context holds; the result of the call.
int fake_unmake(void *handle, const char *function);
