// SPDX-License-Identifier: MIT
// What the process does on host and device, in time: what %%gpu_timeline shows. Nothing
// is kept until somebody asks, and until then it costs the look at a flag.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum activity_kind {
    ACTIVITY_COMPILE, // a function
    ACTIVITY_PASS,    // a part of that
    ACTIVITY_TO_DEVICE,
    ACTIVITY_TO_HOST,
    ACTIVITY_ON_DEVICE, // a copy, also from another device
    ACTIVITY_SET,       // memory of the device, to a byte
    ACTIVITY_LAUNCH,    // on the emulated device the kernel runs in it
    ACTIVITY_WAIT,
};

// The host's, of a copy.
enum activity_memory { ACTIVITY_NO_MEMORY, ACTIVITY_PAGEABLE, ACTIVITY_PINNED };

struct activity {
    enum activity_kind kind;
    char what[80];
    double begin, end; // seconds of the monotonic clock
    size_t bytes;      // of a copy
    enum activity_memory memory;
    uintptr_t stream; // 0: none, or the default one
    long thread;
};

extern atomic_bool activity_is_kept;

double activity_clock(void);
// Notes what has just ended, if notes are kept. Any thread.
void activity_note(enum activity_kind kind, const char *what, double begin, size_t bytes,
        const void *stream);
// The same of a copy.
void activity_note_copy(enum activity_kind kind, const char *what, double begin,
        size_t bytes, bool is_pageable);
// From now on notes are kept, or no longer; those that were are forgotten.
void activity_keep(int is_kept);
// What was kept since: an array that the caller frees, and how many were too many.
struct activity *activity_take(size_t *count, size_t *lost);
