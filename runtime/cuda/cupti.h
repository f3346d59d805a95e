// SPDX-License-Identifier: MIT
// What a GPU does, in time, as the activity records of NVIDIA's CUPTI tell it, where its
// library is found. It needs no rights to the hardware's counters.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "runtime/device/device.h"

enum gpu_activity_kind {
    GPU_ACTIVITY_KERNEL,
    GPU_ACTIVITY_COPY,
    GPU_ACTIVITY_SET, // of memory
    GPU_ACTIVITY_WAIT // of the host, in the driver
};

struct gpu_activity {
    enum gpu_activity_kind kind;
    char what[160];    // the kernel's symbol, where a copy goes, what is waited for
    double begin, end; // of activity_clock
    uint64_t bytes;
    uint32_t stream;    // its number; 0: the default one
    const char *memory; // of the host, in a copy: "pageable", "pinned"; NULL: none
};

// From now on records are kept; it takes the device's context as the thread's. False:
// there is no CUPTI, or it refuses.
bool cupti_begin(struct device *device, struct error *err);
// Ends that; the device has been waited for. The records, which the caller frees, and how
// many were lost.
struct gpu_activity *cupti_end(size_t *count, size_t *lost);
