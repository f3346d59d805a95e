// SPDX-License-Identifier: MIT
// Copies between pageable host memory and a CUDA device through pinned buffers, filled
// and emptied by several threads while the device's copy engine works on others.
#pragma once

#include "runtime/cuda/cuda_device.h"

enum host_copy_direction { COPY_TO_DEVICE, COPY_TO_HOST };

struct host_copy {
    enum host_copy_direction direction;
    device_address on_device;
    char *on_host; // only read when the direction is COPY_TO_DEVICE
    size_t size_bytes;
    struct cuda_stream *stream;
};

// The pinned buffers of a device, allocated at the first copy that needs them.
struct host_copy_buffers *host_copy_buffers_create(void);
// Needs the device's context as the thread's, if there ever was a copy.
void host_copy_buffers_destroy(struct host_copy_buffers *buffers);

// The context of the buffers is going, and they with it: the next copy allocates others.
void host_copy_buffers_forget(struct host_copy_buffers *buffers);

// Whether the host memory is pageable.
bool host_copy_is_pageable(const struct host_copy *copy);
// Whether the copy is large enough, and its host memory pageable, for buffers to help.
bool host_copy_is_worthwhile(const struct host_copy *copy);

// Copies in stream order and returns when the host memory may be reused, or is filled.
// Needs the device's context as the thread's. *is_done stays false when there is no
// pinned memory to be had: then nothing has been copied and nothing failed.
bool host_copy_run(struct host_copy_buffers *buffers, struct cuda_context *context,
        const struct host_copy *copy, bool *is_done, struct error *err);

// busy_copy.c: for a copy which may have to wait for kernels on a device that may be
// busy. Does it, or waits so that it need not.
bool busy_copy_run(struct cuda_device *cuda, const struct host_copy *copy, bool *is_done,
        struct error *err);
// Its buffer goes with the context, or before it.
void busy_copy_forget(struct cuda_device *cuda);
void busy_copy_close(struct cuda_device *cuda);
