// SPDX-License-Identifier: MIT
// NVIDIA devices through the driver: their memory, streams and events.
#include "runtime/cuda/cuda_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runtime/cuda/host_copy.h"

static void cuda_destroy(struct device *device)
{
    if (!device)
        return;
    struct cuda_device *cuda = cuda_device_of(device);
    cuda_context_close(cuda);
    host_copy_buffers_destroy(cuda->buffers);
    pthread_mutex_destroy(&cuda->small_lock);
    pthread_mutex_destroy(&cuda->queue_lock);
    pthread_mutex_destroy(&cuda->lock);
    vec_finish(&cuda->orphans);
    vec_finish(&cuda->controls);
    free(cuda);
}

static bool cuda_attribute(
        struct device *device, int number, int *value, struct error *err)
{
    return CUDA_CALL(
            err, cuDeviceGetAttribute(value, number, cuda_device_of(device)->handle));
}

// What the pool keeps for later is free to us.
static bool cuda_memory_info(
        struct device *device, size_t *free_bytes, size_t *total_bytes, struct error *err)
{
    size_t unused = 0, total = 0;
    uint64_t reserved = 0, used = 0;
    if (!cuda_enter(device, err) || !CUDA_CALL(err, cuMemGetInfo(&unused, &total)))
        return cuda_blame(device, false, err);
    struct cuda_pool *pool = cuda_device_of(device)->pool;
    if (pool && (!CUDA_CALL(err, cuMemPoolGetAttribute(
                                         pool, CUDA_POOL_RESERVED_BYTES, &reserved)) ||
                        !CUDA_CALL(err, cuMemPoolGetAttribute(
                                                pool, CUDA_POOL_USED_BYTES, &used))))
        return false;
    *free_bytes = unused + (size_t)(reserved - used);
    *total_bytes = total;
    return true;
}

// Somebody has waited for work of the device.
static void waited(struct device *device)
{
    atomic_store_explicit(&device->unwaited, 0, memory_order_relaxed);
}

static bool cuda_synchronize(struct device *device, struct error *err)
{
    bool is_done = cuda_enter(device, err) && CUDA_CALL(err, cuCtxSynchronize());
    if (is_done)
        cuda_idle(device);
    waited(device);
    return cuda_blame(device, is_done, err);
}

// Streams of other libraries may not wait for the default stream, in whose order the pool
// is.
// Non-blocking streams, that is. What they use must be there before they begin, and must
// not be given to others before they end: the device is waited for, which is slow and
// right.
static bool has_strangers(struct cuda_device *cuda)
{
    return cuda->pool &&
           atomic_load_explicit(&cuda->device.has_foreign_streams, memory_order_relaxed);
}

static int allocate(struct cuda_device *cuda, uint64_t *address, size_t size_bytes)
{
    int result = cuda->pool ? cuda_driver.cuMemAllocAsync(address, size_bytes, NULL)
                            : cuda_driver.cuMemAlloc(address, size_bytes);
    return !result && has_strangers(cuda) ? cuda_driver.cuStreamSynchronize(NULL)
                                          : result;
}

// The default stream waits for all others, and they for it, so that memory of the pool is
// ordered with every stream's work. No allocation has no address: a word stands for it.
// Whole words are asked for, in which atomics on narrow items work.
// What the pool keeps in pieces that are too small may make one that is large enough.
static bool cuda_memory_alloc(struct device *device, size_t size_bytes,
        device_address *address, struct error *err)
{
    struct cuda_device *cuda = cuda_device_of(device);
    size_t size = size_bytes ? (size_bytes + 3) & ~(size_t)3 : 4;
    uint64_t allocated = 0;
    if (!cuda_enter(device, err))
        return cuda_blame(device, false, err);
    int result = allocate(cuda, &allocated, size);
    if (result == CUDA_ERROR_OUT_OF_MEMORY && cuda->pool &&
            cuda_driver.cuCtxSynchronize() == CUDA_SUCCESS &&
            cuda_driver.cuMemPoolTrimTo(cuda->pool, 0) == CUDA_SUCCESS)
        result = allocate(cuda, &allocated, size);
    bool is_done = cuda_check(result, cuda->pool ? "cuMemAllocAsync" : "cuMemAlloc", err);
    if (is_done)
        *address = allocated;
    return cuda_blame(device, is_done, err);
}

static bool cuda_memory_trim(struct device *device, size_t keep_bytes, struct error *err)
{
    struct cuda_device *cuda = cuda_device_of(device);
    bool is_done =
            cuda_enter(device, err) && CUDA_CALL(err, cuCtxSynchronize()) &&
            (!cuda->pool || CUDA_CALL(err, cuMemPoolTrimTo(cuda->pool, keep_bytes)));
    return cuda_blame(device, is_done, err);
}

static bool cuda_memory_range(struct device *device, device_address address,
        device_address *start, size_t *size_bytes, struct error *err)
{
    bool is_done = cuda_enter(device, err) &&
                   CUDA_CALL(err, cuMemGetAddressRange(start, size_bytes, address));
    return cuda_blame(device, is_done, err);
}

static bool cuda_memory_free(
        struct device *device, device_address address, struct error *err)
{
    if (!address)
        return true;
    struct cuda_device *cuda = cuda_device_of(device);
    bool is_done = cuda_enter(device, err) &&
                   (!has_strangers(cuda) || CUDA_CALL(err, cuCtxSynchronize())) &&
                   (cuda->pool ? CUDA_CALL(err, cuMemFreeAsync(address, NULL))
                               : CUDA_CALL(err, cuMemFree(address)));
    return cuda_blame(device, is_done, err);
}

// Without a stream the call returns when the host's memory may be used again; on a stream
// the caller keeps it until the stream has come past.
static bool copy_by_driver(const struct host_copy *copy, struct error *err)
{
    uint64_t address = copy->on_device;
    size_t size = copy->size_bytes;
    if (copy->direction == COPY_TO_DEVICE)
        return copy->stream ? CUDA_CALL(err, cuMemcpyHtoDAsync(address, copy->on_host,
                                                     size, copy->stream))
                            : CUDA_CALL(err, cuMemcpyHtoD(address, copy->on_host, size));
    return copy->stream ? CUDA_CALL(err, cuMemcpyDtoHAsync(copy->on_host, address, size,
                                                 copy->stream))
                        : CUDA_CALL(err, cuMemcpyDtoH(copy->on_host, address, size));
}

// Whether the driver would wait for kernels before the copy.
static bool may_wait(struct device *device, const struct host_copy *copy)
{
    return cuda_may_be_busy(device) && (!copy->stream || host_copy_is_pageable(copy));
}

static bool copy_host(
        struct device *device, const struct host_copy *copy, struct error *err)
{
    struct cuda_device *cuda = cuda_device_of(device);
    bool is_copied = false;
    if (!copy->size_bytes)
        return true;
    bool is_done =
            cuda_enter(device, err) &&
            (!host_copy_is_worthwhile(copy) ||
                    host_copy_run(cuda->buffers, cuda->context, copy, &is_copied, err)) &&
            (is_copied || !may_wait(device, copy) ||
                    busy_copy_run(cuda, copy, &is_copied, err)) &&
            (is_copied || copy_by_driver(copy, err));
    return cuda_blame(device, is_done, err);
}

static bool cuda_copy_to_device(struct device *device, device_address target,
        const void *source, size_t size_bytes, struct device_stream *stream,
        struct error *err)
{
    struct host_copy copy = {
            COPY_TO_DEVICE, target, (char *)source, size_bytes, cuda_stream_of(stream)};
    return copy_host(device, &copy, err);
}

static bool cuda_copy_to_host(struct device *device, void *target, device_address source,
        size_t size_bytes, struct device_stream *stream, struct error *err)
{
    struct host_copy copy = {
            COPY_TO_HOST, source, target, size_bytes, cuda_stream_of(stream)};
    waited(device); // but for pinned memory on a stream, which nobody can tell from here
    return copy_host(device, &copy, err);
}

static bool cuda_host_is_pageable(struct device *device, const void *memory)
{
    struct error ignored = {0};
    return !cuda_enter(device, &ignored) ||
           host_copy_is_pageable(&(struct host_copy){.on_host = (char *)memory});
}

static bool cuda_copy_on_device(struct device *device, device_address target,
        device_address source, size_t size_bytes, struct device_stream *stream,
        struct error *err)
{
    if (!size_bytes)
        return true;
    bool is_done = cuda_enter(device, err) &&
                   CUDA_CALL(err, cuMemcpyDtoDAsync(target, source, size_bytes,
                                          cuda_stream_of(stream)));
    return cuda_blame(device, is_done, err);
}

static bool cuda_memory_set(struct device *device, device_address target, uint8_t byte,
        size_t size_bytes, struct device_stream *stream, struct error *err)
{
    if (!size_bytes)
        return true;
    bool is_done = cuda_enter(device, err) &&
                   CUDA_CALL(err, cuMemsetD8Async(target, byte, size_bytes,
                                          cuda_stream_of(stream)));
    return cuda_blame(device, is_done, err);
}

// At the end of a thing nobody is left to tell of a failure.
static bool enter_to_destroy(struct device *device)
{
    struct error ignored = {0};
    return cuda_enter(device, &ignored);
}

static bool cuda_stream_create(
        struct device *device, struct device_stream **stream, struct error *err)
{
    struct cuda_stream *created = NULL;
    bool is_done = cuda_enter(device, err) && CUDA_CALL(err, cuStreamCreate(&created, 0));
    *stream = (struct device_stream *)created;
    return cuda_blame(device, is_done, err);
}

static void cuda_stream_destroy(struct device *device, struct device_stream *stream)
{
    if (stream && enter_to_destroy(device))
        cuda_driver.cuStreamDestroy(cuda_stream_of(stream));
}

static bool cuda_stream_synchronize(
        struct device *device, struct device_stream *stream, struct error *err)
{
    bool is_done = cuda_enter(device, err) &&
                   CUDA_CALL(err, cuStreamSynchronize(cuda_stream_of(stream)));
    if (is_done && !stream) // it waits for all others
        cuda_idle(device);
    waited(device);
    return cuda_blame(device, is_done, err);
}

// "Not ready" is an answer, not a failure.
static bool take_query(struct device *device, int result, const char *call,
        bool *is_finished, struct error *err)
{
    *is_finished = result == CUDA_SUCCESS;
    if (*is_finished)
        waited(device);
    return result == CUDA_ERROR_NOT_READY || cuda_check(result, call, err);
}

static bool cuda_stream_query(struct device *device, struct device_stream *stream,
        bool *is_finished, struct error *err)
{
    bool is_done = cuda_enter(device, err) &&
                   take_query(device, cuda_driver.cuStreamQuery(cuda_stream_of(stream)),
                           "cuStreamQuery", is_finished, err);
    return cuda_blame(device, is_done, err);
}

static struct cuda_event *cuda_event_of(struct device_event *event)
{
    return (struct cuda_event *)event;
}

static bool cuda_event_create(struct device *device, bool has_timing,
        struct device_event **event, struct error *err)
{
    struct cuda_event *created = NULL;
    unsigned flags = has_timing ? 0 : CUDA_EVENT_DISABLE_TIMING;
    bool is_done =
            cuda_enter(device, err) && CUDA_CALL(err, cuEventCreate(&created, flags));
    *event = (struct device_event *)created;
    return cuda_blame(device, is_done, err);
}

static void cuda_event_destroy(struct device *device, struct device_event *event)
{
    if (event && enter_to_destroy(device))
        cuda_driver.cuEventDestroy(cuda_event_of(event));
}

static bool cuda_event_record(struct device *device, struct device_event *event,
        struct device_stream *stream, struct error *err)
{
    bool is_done =
            cuda_enter(device, err) &&
            CUDA_CALL(err, cuEventRecord(cuda_event_of(event), cuda_stream_of(stream)));
    return cuda_blame(device, is_done, err);
}

static bool cuda_event_synchronize(
        struct device *device, struct device_event *event, struct error *err)
{
    bool is_done = cuda_enter(device, err) &&
                   CUDA_CALL(err, cuEventSynchronize(cuda_event_of(event)));
    waited(device);
    return cuda_blame(device, is_done, err);
}

static bool cuda_event_query(struct device *device, struct device_event *event,
        bool *is_finished, struct error *err)
{
    bool is_done = cuda_enter(device, err) &&
                   take_query(device, cuda_driver.cuEventQuery(cuda_event_of(event)),
                           "cuEventQuery", is_finished, err);
    return cuda_blame(device, is_done, err);
}

static bool cuda_event_wait(struct device *device, struct device_event *event,
        struct device_stream *stream, struct error *err)
{
    bool is_done = cuda_enter(device, err) &&
                   CUDA_CALL(err, cuStreamWaitEvent(cuda_stream_of(stream),
                                          cuda_event_of(event), 0));
    return cuda_blame(device, is_done, err);
}

static bool cuda_event_elapsed_ms(struct device *device, struct device_event *start,
        struct device_event *end, float *elapsed_ms, struct error *err)
{
    bool is_done = cuda_enter(device, err) &&
                   CUDA_CALL(err, cuEventElapsedTime(elapsed_ms, cuda_event_of(start),
                                          cuda_event_of(end)));
    return cuda_blame(device, is_done, err);
}

static bool profile(struct device *device, bool is_start, struct error *err)
{
    return cuda_enter(device, err) && (is_start ? CUDA_CALL(err, cuProfilerStart())
                                                : CUDA_CALL(err, cuProfilerStop()));
}

static const struct device_operations OPERATIONS = {
#define OPERATION(name) .name = cuda_##name,
#include "runtime/device/operations.def"
#undef OPERATION
        .profile = profile,
        .stop = cuda_stop,
        .resume = cuda_resume,
        .programs = &cuda_programs,
        .kernel_prefer_shared = cuda_kernel_prefer_shared,
};

static void format_uuid(char *out, size_t size, const unsigned char *bytes)
{
    size_t used = (size_t)snprintf(out, size, "GPU");
    for (int i = 0; i < 16; i++) {
        bool starts_group = i == 0 || i == 4 || i == 6 || i == 8 || i == 10;
        used += (size_t)snprintf(
                out + used, size - used, "%s%02x", starts_group ? "-" : "", bytes[i]);
    }
}

static bool describe(struct cuda_device *cuda, struct error *err)
{
    struct device *device = &cuda->device;
    unsigned char uuid[16] = {0};
    int version = 0;
    bool is_done = CUDA_CALL(err, cuDeviceGet(&cuda->handle, device->id)) &&
                   CUDA_CALL(err, cuDeviceGetName(device->name, sizeof device->name,
                                          cuda->handle)) &&
                   CUDA_CALL(err, cuDeviceGetUuid(uuid, cuda->handle)) &&
                   CUDA_CALL(err, cuDeviceGetAttribute(&device->compute_major,
                                          DEVICE_COMPUTE_MAJOR, cuda->handle)) &&
                   CUDA_CALL(err, cuDeviceGetAttribute(&device->compute_minor,
                                          DEVICE_COMPUTE_MINOR, cuda->handle)) &&
                   CUDA_CALL(err, cuDriverGetVersion(&version));
    format_uuid(device->uuid, sizeof device->uuid, uuid);
    device->max_ptx_version = cuda_driver_ptx_version(version);
    return is_done;
}

static struct device *open_device(int id, struct error *err)
{
    struct cuda_device *cuda = memory_zalloc(sizeof *cuda);
    cuda->device = (struct device){.operations = &OPERATIONS,
            .id = id,
            .target = TARGET_GPU,
            .implementation = cuda};
    cuda->buffers = host_copy_buffers_create();
    pthread_mutex_init(&cuda->lock, NULL);
    pthread_mutex_init(&cuda->small_lock, NULL);
    pthread_mutex_init(&cuda->queue_lock, NULL);
    if (describe(cuda, err))
        return &cuda->device;
    cuda_destroy(&cuda->device);
    return NULL;
}

bool cuda_devices_open(
        struct device **devices, size_t capacity, size_t *count, struct error *err)
{
    struct error failure = {0};
    int available = 0;
    *count = 0;
    if (!cuda_driver_exists())
        return true;
    bool is_done = cuda_driver_load(&failure) &&
                   CUDA_CALL(&failure, cuDeviceGetCount(&available));
    if (failure.kind == ERROR_DEVICE && failure.code == CUDA_ERROR_NO_DEVICE)
        return true;
    size_t opened = 0;
    while (is_done && opened < (size_t)available && opened < capacity) {
        devices[opened] = open_device((int)opened, &failure);
        is_done = devices[opened] != NULL;
        opened += is_done;
    }
    if (is_done) {
        *count = opened;
        return true;
    }
    while (opened > 0)
        cuda_destroy(devices[--opened]);
    error_set(err, failure.kind, failure.span, "%s", failure.message);
    err->code = failure.code;
    return false;
}
