// SPDX-License-Identifier: MIT
// Host memory that the device reaches. It is allocated here and registered with the
// driver, so that it stays readable when the context ends; write-combined and managed
// memory is the driver's own, and ends with the context.
#include "runtime/cuda/cuda_device.h"

#include <stdlib.h>

enum { PAGE_BYTES = 4096 };

static bool is_drivers_own(const struct host_memory *memory)
{
    return memory->kind == HOST_MANAGED ||
           (memory->is_write_combined && memory->kind != HOST_REGISTERED);
}

static bool register_memory(struct host_memory *memory, struct error *err)
{
    unsigned flags = CUDA_HOST_REGISTER_PORTABLE | CUDA_HOST_REGISTER_MAPPED;
    if (!CUDA_CALL(err, cuMemHostRegister(memory->host, memory->size_bytes, flags)))
        return false;
    if (CUDA_CALL(err, cuMemHostGetDevicePointer(&memory->address, memory->host, 0)))
        return true;
    cuda_driver.cuMemHostUnregister(memory->host);
    return false;
}

static bool alloc_registered(struct host_memory *memory, struct error *err)
{
    size_t rounded = (memory->size_bytes + PAGE_BYTES - 1) & ~(size_t)(PAGE_BYTES - 1);
    memory->host =
            rounded < memory->size_bytes ? NULL : aligned_alloc(PAGE_BYTES, rounded);
    if (!memory->host) {
        error_set(err, ERROR_DEVICE, SPAN_NONE,
                "Call to cuMemHostAlloc results in CUDA_ERROR_OUT_OF_MEMORY");
        err->code = DEVICE_ERROR_OUT_OF_MEMORY;
        return false;
    }
    if (register_memory(memory, err))
        return true;
    free(memory->host);
    memory->host = NULL;
    return false;
}

static bool alloc_write_combined(struct host_memory *memory, struct error *err)
{
    unsigned flags = CUDA_HOST_ALLOC_PORTABLE | CUDA_HOST_ALLOC_MAPPED |
                     CUDA_HOST_ALLOC_WRITE_COMBINED;
    if (!CUDA_CALL(err, cuMemHostAlloc(&memory->host, memory->size_bytes, flags)))
        return false;
    if (CUDA_CALL(err, cuMemHostGetDevicePointer(&memory->address, memory->host, 0)))
        return true;
    cuda_driver.cuMemFreeHost(memory->host);
    memory->host = NULL;
    return false;
}

static bool alloc_managed(struct host_memory *memory, struct error *err)
{
    unsigned flags = memory->is_host_attached ? CUDA_ATTACH_HOST : CUDA_ATTACH_GLOBAL;
    if (!CUDA_CALL(err, cuMemAllocManaged(&memory->address, memory->size_bytes, flags)))
        return false;
    memory->host = (void *)(uintptr_t)memory->address;
    return true;
}

bool cuda_host_alloc(struct device *device, struct host_memory *memory, struct error *err)
{
    bool is_done = cuda_enter(device, err);
    if (is_done && memory->kind == HOST_REGISTERED)
        is_done = register_memory(memory, err);
    else if (is_done && memory->kind == HOST_MANAGED)
        is_done = alloc_managed(memory, err);
    else if (is_done && memory->is_write_combined)
        is_done = alloc_write_combined(memory, err);
    else if (is_done)
        is_done = alloc_registered(memory, err);
    return cuda_blame(device, is_done, err);
}

// A kernel may still use the memory, which nothing else would keep from going.
static void free_live(struct device *device, struct host_memory *memory)
{
    struct error ignored = {0};
    if (!cuda_enter(device, &ignored))
        return;
    cuda_driver.cuCtxSynchronize();
    if (memory->kind == HOST_MANAGED)
        cuda_driver.cuMemFree(memory->address);
    else if (is_drivers_own(memory))
        cuda_driver.cuMemFreeHost(memory->host);
    else
        cuda_driver.cuMemHostUnregister(memory->host);
}

void cuda_host_free(struct device *device, struct host_memory *memory, bool is_live)
{
    if (!memory->host)
        return;
    if (is_live)
        free_live(device, memory);
    if (memory->kind != HOST_REGISTERED && !is_drivers_own(memory))
        free(memory->host);
    memory->host = NULL;
}
