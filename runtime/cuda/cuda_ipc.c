// SPDX-License-Identifier: MIT
// Device memory of other processes, and of other devices.
#include <string.h>

#include "runtime/cuda/cuda_device.h"

// Memory of a pool has no handle for other processes; this is outside of it.
bool cuda_memory_alloc_shared(struct device *device, size_t size_bytes,
        device_address *address, struct error *err)
{
    uint64_t allocated = 0;
    bool is_done = cuda_enter(device, err) &&
                   CUDA_CALL(err, cuMemAlloc(&allocated, size_bytes ? size_bytes : 1));
    if (is_done)
        *address = allocated;
    return cuda_blame(device, is_done, err);
}

bool cuda_memory_free_shared(
        struct device *device, device_address address, struct error *err)
{
    bool is_done = cuda_enter(device, err) && CUDA_CALL(err, cuMemFree(address));
    return cuda_blame(device, is_done, err);
}

bool cuda_ipc_export(struct device *device, device_address address,
        unsigned char handle[IPC_HANDLE_BYTES], struct error *err)
{
    struct cuda_ipc_handle made = {0};
    bool is_done =
            cuda_enter(device, err) && CUDA_CALL(err, cuIpcGetMemHandle(&made, address));
    memcpy(handle, made.bytes, IPC_HANDLE_BYTES);
    return cuda_blame(device, is_done, err);
}

bool cuda_ipc_open(struct device *device, const unsigned char handle[IPC_HANDLE_BYTES],
        device_address *address, struct error *err)
{
    struct cuda_ipc_handle given;
    uint64_t opened = 0;
    memcpy(given.bytes, handle, sizeof given.bytes);
    bool is_done =
            cuda_enter(device, err) &&
            CUDA_CALL(err, cuIpcOpenMemHandle(&opened, given, CUDA_IPC_LAZY_PEER_ACCESS));
    if (is_done)
        *address = opened;
    return cuda_blame(device, is_done, err);
}

// Work that uses the memory has to be done first: the driver does not wait for it.
bool cuda_ipc_close(struct device *device, device_address address, struct error *err)
{
    bool is_done = cuda_enter(device, err) && CUDA_CALL(err, cuCtxSynchronize()) &&
                   CUDA_CALL(err, cuIpcCloseMemHandle(address));
    return cuda_blame(device, is_done, err);
}

bool cuda_peer_can_access(
        struct device *device, struct device *peer, bool *can_access, struct error *err)
{
    int answer = 0;
    bool is_done =
            device == peer ||
            CUDA_CALL(err, cuDeviceCanAccessPeer(&answer, cuda_device_of(device)->handle,
                                   cuda_device_of(peer)->handle));
    *can_access = answer != 0;
    return is_done;
}

// The peer's context, which has to be there.
static struct cuda_context *context_of(struct device *peer, struct error *err)
{
    return cuda_enter(peer, err) ? cuda_device_of(peer)->context : NULL;
}

// Access to a context's memory does not hold for that of its device's pool.
static bool open_pool_to(
        const struct cuda_device *cuda, struct cuda_pool *pool, struct error *err)
{
    const struct cuda_pool_access access = {
            .place = {.kind = CUDA_PLACE_DEVICE, .number = cuda->handle},
            .rights = CUDA_ACCESS_READ_WRITE};
    return !pool || CUDA_CALL(err, cuMemPoolSetAccess(pool, &access, 1));
}

bool cuda_peer_enable(struct device *device, struct device *peer, struct error *err)
{
    struct cuda_context *context = context_of(peer, err);
    if (!context || !cuda_enter(device, err))
        return cuda_blame(context ? device : peer, false, err);
    int result = cuda_driver.cuCtxEnablePeerAccess(context, 0);
    bool is_done = (result == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED ||
                           cuda_check(result, "cuCtxEnablePeerAccess", err)) &&
                   open_pool_to(cuda_device_of(device), cuda_device_of(peer)->pool, err);
    return cuda_blame(device, is_done, err);
}

bool cuda_copy_from_peer(struct device *device, device_address target,
        struct device *peer, device_address source, size_t size_bytes, struct error *err)
{
    if (!size_bytes)
        return true;
    // what the peer's default stream has been given comes before
    struct cuda_context *context = context_of(peer, err);
    if (!context || !CUDA_CALL(err, cuStreamSynchronize(NULL)))
        return cuda_blame(peer, false, err);
    bool is_done =
            cuda_enter(device, err) &&
            CUDA_CALL(err, cuMemcpyPeerAsync(target, cuda_device_of(device)->context,
                                   source, context, size_bytes, NULL));
    return cuda_blame(device, is_done, err);
}
