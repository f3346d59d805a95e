// SPDX-License-Identifier: MIT
// The stand-in for libcuda.so.1: memory of the device, of the host and of other
// processes, and copies.
#include "tests/unit/fake_driver.h"

#include <stdlib.h>
#include <string.h>

int fake_cuMemcpyPeerAsync(uint64_t target, struct cuda_context *target_context,
        uint64_t source, struct cuda_context *source_context, size_t size_bytes,
        struct cuda_stream *stream)
{
    memmove((void *)(uintptr_t)target, (void *)(uintptr_t)source, size_bytes);
    return fake_outcome_in_context(__func__);
}

int fake_cuMemPoolTrimTo(struct cuda_pool *pool, size_t keep_bytes)
{
    fake_state.seen.trims++;
    return pool ? fake_outcome_in_context(__func__) : 1;
}

// Every address begins an allocation of 64 bytes.
int fake_cuMemGetAddressRange(uint64_t *start, size_t *size_bytes, uint64_t address)
{
    *start = address;
    *size_bytes = 64;
    return fake_outcome_in_context(__func__);
}

int fake_cuMemAllocManaged(uint64_t *address, size_t size_bytes, unsigned flags)
{
    return flags == 1 || flags == 2 ? fake_cuMemAlloc(address, size_bytes) : 1;
}

int fake_cuMemHostRegister(void *memory, size_t size_bytes, unsigned flags)
{
    fake_state.seen.registered += memory && size_bytes && flags == 3;
    return memory && flags == 3 ? fake_outcome_in_context(__func__) : 1;
}

int fake_cuMemHostUnregister(void *memory)
{
    fake_state.seen.registered--;
    return memory ? fake_outcome_in_context(__func__) : 1;
}

int fake_cuMemHostGetDevicePointer(uint64_t *address, void *memory, unsigned flags)
{
    *address = (uint64_t)(uintptr_t)memory;
    return flags ? 1 : fake_outcome_in_context(__func__);
}

int fake_cuIpcGetMemHandle(struct cuda_ipc_handle *handle, uint64_t address)
{
    memset(handle, 7, sizeof *handle);
    memcpy(handle, &address, sizeof address);
    return fake_outcome_in_context(__func__);
}

int fake_cuIpcOpenMemHandle(
        uint64_t *address, struct cuda_ipc_handle handle, unsigned flags)
{
    memcpy(address, &handle, sizeof *address);
    return flags == 1 && handle.bytes[63] == 7 ? fake_outcome_in_context(__func__) : 1;
}

int fake_cuIpcCloseMemHandle(uint64_t address)
{
    return address ? fake_outcome_in_context(__func__) : 1;
}

int fake_cuMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    *free_bytes = 1000, *total_bytes = 100000;
    return fake_outcome_in_context(__func__);
}

int fake_cuMemAlloc(uint64_t *address, size_t size_bytes)
{
    int result = fake_outcome_in_context(__func__);
    void *memory = result ? NULL : fake_hold(size_bytes);
    if (!memory)
        return result ? result : 2;
    *address = (uint64_t)(uintptr_t)memory;
    return 0;
}

int fake_cuMemFree(uint64_t address)
{
    return fake_unmake((void *)(uintptr_t)address, __func__);
}

int fake_cuMemAllocAsync(uint64_t *address, size_t size_bytes, struct cuda_stream *stream)
{
    int result = stream ? 1 : fake_outcome_in_context(__func__);
    return result ? result : fake_cuMemAlloc(address, size_bytes);
}

int fake_cuMemFreeAsync(uint64_t address, struct cuda_stream *stream)
{
    int result = stream ? 1 : fake_outcome_in_context(__func__);
    return result ? result : fake_cuMemFree(address);
}

int fake_cuMemPoolGetAttribute(struct cuda_pool *pool, int attribute, void *value)
{
    *(uint64_t *)value = attribute == 5 ? 300 : 100; // reserved, used
    return pool ? fake_outcome(__func__) : 1;
}

int fake_cuMemPoolSetAccess(
        struct cuda_pool *pool, const struct cuda_pool_access *accesses, size_t count)
{
    return pool && accesses && count == 1 ? fake_outcome_in_context(__func__) : 1;
}

int fake_cuMemPoolSetAttribute(struct cuda_pool *pool, int attribute, void *value)
{
    bool keeps_all = attribute == 4 && *(uint64_t *)value == UINT64_MAX;
    return pool && keeps_all ? fake_outcome(__func__) : 1;
}

int fake_cuMemHostAlloc(void **memory, size_t size_bytes, unsigned flags)
{
    int result = flags == 1 || flags == 7 ? fake_outcome_in_context(__func__) : 1;
    if (result)
        return result;
    *memory = fake_state.seen.pinned = fake_hold(size_bytes);
    fake_state.pinned_bytes = size_bytes;
    return *memory ? 0 : 2;
}

int fake_cuMemFreeHost(void *memory)
{
    return fake_unmake(memory, __func__);
}

// Memory that is not ours is unknown: pageable.
int fake_cuPointerGetAttributes(
        unsigned count, int *attributes, void **values, uint64_t address)
{
    char *memory = (char *)(uintptr_t)address;
    bool is_known = memory >= fake_state.seen.pinned &&
                    memory < fake_state.seen.pinned + fake_state.pinned_bytes;
    for (unsigned i = 0; i < count; i++) {
        if (attributes[i] != 2)
            return 1;
        *(unsigned *)values[i] = is_known;
    }
    return 0;
}

static int copy(void *target, const void *source, size_t size, const char *function)
{
    fake_state.seen.copies++;
    int result = fake_outcome_in_context(function);
    if (!result)
        memmove(target, source, size);
    return result;
}

int fake_cuMemcpyHtoD(uint64_t target, const void *source, size_t size_bytes)
{
    return copy((void *)(uintptr_t)target, source, size_bytes, __func__);
}

int fake_cuMemcpyDtoH(void *target, uint64_t source, size_t size_bytes)
{
    return copy(target, (void *)(uintptr_t)source, size_bytes, __func__);
}

int fake_cuMemcpyHtoDAsync(uint64_t target, const void *source, size_t size_bytes,
        struct cuda_stream *stream)
{
    return copy((void *)(uintptr_t)target, source, size_bytes, __func__);
}

int fake_cuMemcpyDtoHAsync(
        void *target, uint64_t source, size_t size_bytes, struct cuda_stream *stream)
{
    return copy(target, (void *)(uintptr_t)source, size_bytes, __func__);
}

int fake_cuMemcpyDtoDAsync(
        uint64_t target, uint64_t source, size_t size_bytes, struct cuda_stream *stream)
{
    return copy(
            (void *)(uintptr_t)target, (void *)(uintptr_t)source, size_bytes, __func__);
}

int fake_cuMemsetD8Async(
        uint64_t target, unsigned char byte, size_t count, struct cuda_stream *stream)
{
    int result = fake_outcome_in_context(__func__);
    if (!result)
        memset((void *)(uintptr_t)target, byte, count);
    return result;
}
