// SPDX-License-Identifier: MIT
// A device of the driver: shared by cuda_device.c (memory, streams, events) and
// cuda_module.c (kernels).
#pragma once

#include <pthread.h>

#include "runtime/cuda/cuda_driver.h"
#include "runtime/device/device.h"

struct cuda_device {
    struct device device;
    int handle; // CUdevice
    pthread_mutex_t lock;
    struct cuda_context *context; // guarded by lock while NULL; then constant
    struct cuda_pool *pool;       // NULL: the device has none; set with `context`
    struct host_copy_buffers *buffers;
    char last_kernel[128]; // guarded by lock; the last one launched
};

// Makes the device's primary context, created at first use, the calling thread's.
bool cuda_enter(struct device *device, struct error *err);

static inline struct cuda_device *cuda_device_of(struct device *device)
{
    return device->implementation;
}

// A stream of the table is the driver's own handle.
static inline struct cuda_stream *cuda_stream_of(struct device_stream *stream)
{
    return (struct cuda_stream *)stream;
}

// To be called with the outcome of what may report a kernel's fault: names that kernel.
bool cuda_blame(struct device *device, bool is_done, struct error *err);

// cuda_module.c
bool cuda_kernel_load(struct device *device, const struct compiled *compiled,
        struct device_kernel **kernel, struct error *err);
void cuda_kernel_unload(struct device *device, struct device_kernel *kernel);
bool cuda_kernel_attribute(struct device *device, struct device_kernel *kernel,
        enum kernel_attribute attribute, int *value, struct error *err);
bool cuda_kernel_blocks_at_once(struct device *device, struct device_kernel *kernel,
        int threads, size_t dynamic_shared_bytes, int *blocks, struct error *err);
bool cuda_kernel_launch(struct device *device, struct device_kernel *kernel,
        const struct launch_config *config, const void *args, struct error *err);
