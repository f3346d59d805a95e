// SPDX-License-Identifier: MIT
// A stand-in for libcuda.so.1: one device whose memory is the host's, which remembers
// launches instead of running them. It lets the driver layer be tested where there is no
// GPU.
#include "tests/unit/fake_cuda.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cuda_context;
struct cuda_stream;
struct cuda_event;
struct cuda_module;
struct cuda_function;
struct cuda_pool;
struct cuda_link;

struct cuda_ipc_handle {
    unsigned char bytes[64];
};

#define EXPORT __attribute__((visibility("default")))

#define CUDA_FUNCTION(name, symbol, params) EXPORT int fake_##name params __asm__(symbol);
#include "runtime/cuda/cuda_driver.def"
#undef CUDA_FUNCTION

static struct {
    char failing[64];
    int result, sticky;
    bool is_failing_always;
    atomic_int live, copies, links, resets, trims, registered;
    char linked[65536]; // the latest cubin: its PTX after "cubin of "
    atomic_bool has_context;
    char *pinned;
    size_t pinned_bytes;
    int function_shared_bytes;
    void *params[8];
    unsigned launched[7];
} state;

// The result of a call that would succeed.
static int outcome(const char *function)
{
    const char *name = function + strlen("fake_");
    if (state.sticky)
        return state.sticky;
    if (strcmp(name, state.failing) != 0)
        return 0;
    if (!state.is_failing_always)
        state.failing[0] = '\0';
    if (state.result >= 700)
        state.sticky = state.result;
    return state.result;
}

static int outcome_in_context(const char *function)
{
    return state.has_context ? outcome(function) : 201; // CUDA_ERROR_INVALID_CONTEXT
}

// What the context holds.
static struct {
    void *items[1024];
    size_t len;
} held;

static void *hold(size_t size_bytes)
{
    void *memory =
            held.len < sizeof held.items / sizeof *held.items ? malloc(size_bytes) : NULL;
    if (!memory)
        return NULL;
    held.items[held.len++] = memory;
    state.live++;
    return memory;
}

static int make(void **handle, const char *function)
{
    int result = outcome_in_context(function);
    if (result)
        return result;
    *handle = hold(1);
    return *handle ? 0 : 2;
}

static int unmake(void *handle, const char *function)
{
    int result = outcome_in_context(function);
    if (result)
        return result;
    for (size_t i = 0; handle && i < held.len; i++) {
        if (held.items[i] != handle)
            continue;
        held.items[i] = held.items[--held.len];
        free(handle);
        state.live--;
        return 0;
    }
    return handle ? 400 : 0; // CUDA_ERROR_INVALID_HANDLE
}

int fake_cuInit(unsigned flags)
{
    return flags ? 1 : outcome(__func__);
}

int fake_cuDriverGetVersion(int *version)
{
    *version = 12080;
    return outcome(__func__);
}

int fake_cuGetErrorName(int result, const char **name)
{
    *name = result == 2     ? "CUDA_ERROR_OUT_OF_MEMORY"
            : result == 218 ? "CUDA_ERROR_INVALID_PTX"
            : result == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                            : NULL;
    return *name ? 0 : 1;
}

int fake_cuGetErrorString(int result, const char **text)
{
    return fake_cuGetErrorName(result, text);
}

int fake_cuDeviceGetCount(int *count)
{
    *count = 1;
    return outcome(__func__);
}

int fake_cuDeviceGet(int *device, int ordinal)
{
    *device = ordinal + 40; // a handle is not the ordinal
    return ordinal == 0 ? outcome(__func__) : 101;
}

int fake_cuDeviceGetName(char *name, int size, int device)
{
    snprintf(name, (size_t)size, "Fake device %d", device);
    return outcome(__func__);
}

int fake_cuDeviceGetUuid(unsigned char *uuid, int device)
{
    for (int i = 0; i < 16; i++)
        uuid[i] = (unsigned char)(i * 16 + i);
    return device == 40 ? outcome(__func__) : 101;
}

int fake_cuDeviceGetAttribute(int *value, int attribute, int device)
{
    *value = attribute == 75 ? 8 : attribute == 76 ? 6 : 1;
    return device == 40 ? outcome(__func__) : 101;
}

int fake_cuDeviceGetDefaultMemPool(struct cuda_pool **pool, int device)
{
    *pool = (struct cuda_pool *)&state;
    return device == 40 ? outcome(__func__) : 101;
}

int fake_cuDevicePrimaryCtxRetain(struct cuda_context **context, int device)
{
    *context = (struct cuda_context *)&state.has_context;
    return device == 40 ? outcome(__func__) : 101;
}

int fake_cuDevicePrimaryCtxRelease(int device)
{
    state.has_context = false;
    return device == 40 ? 0 : 101;
}

// Whatever the context held is gone, and with it what was wrong.
int fake_cuDevicePrimaryCtxReset(int device)
{
    state.has_context = false;
    while (held.len > 0)
        free(held.items[--held.len]);
    state.pinned = NULL;
    state.pinned_bytes = 0;
    state.sticky = 0;
    state.live = 0;
    state.resets++;
    return device == 40 ? 0 : 101;
}

int fake_cuDeviceCanAccessPeer(int *can_access, int device, int peer)
{
    *can_access = device != peer;
    return outcome(__func__);
}

int fake_cuCtxEnablePeerAccess(struct cuda_context *peer, unsigned flags)
{
    return peer && !flags ? outcome_in_context(__func__) : 1;
}

int fake_cuMemcpyPeerAsync(uint64_t target, struct cuda_context *target_context,
        uint64_t source, struct cuda_context *source_context, size_t size_bytes,
        struct cuda_stream *stream)
{
    memmove((void *)(uintptr_t)target, (void *)(uintptr_t)source, size_bytes);
    return outcome_in_context(__func__);
}

int fake_cuMemPoolTrimTo(struct cuda_pool *pool, size_t keep_bytes)
{
    state.trims++;
    return pool ? outcome_in_context(__func__) : 1;
}

// Every address begins an allocation of 64 bytes.
int fake_cuMemGetAddressRange(uint64_t *start, size_t *size_bytes, uint64_t address)
{
    *start = address;
    *size_bytes = 64;
    return outcome_in_context(__func__);
}

int fake_cuMemAllocManaged(uint64_t *address, size_t size_bytes, unsigned flags)
{
    return flags == 1 || flags == 2 ? fake_cuMemAlloc(address, size_bytes) : 1;
}

int fake_cuMemHostRegister(void *memory, size_t size_bytes, unsigned flags)
{
    state.registered += memory && size_bytes && flags == 3;
    return memory && flags == 3 ? outcome_in_context(__func__) : 1;
}

int fake_cuMemHostUnregister(void *memory)
{
    state.registered--;
    return memory ? outcome_in_context(__func__) : 1;
}

int fake_cuMemHostGetDevicePointer(uint64_t *address, void *memory, unsigned flags)
{
    *address = (uint64_t)(uintptr_t)memory;
    return flags ? 1 : outcome_in_context(__func__);
}

int fake_cuIpcGetMemHandle(struct cuda_ipc_handle *handle, uint64_t address)
{
    memset(handle, 7, sizeof *handle);
    memcpy(handle, &address, sizeof address);
    return outcome_in_context(__func__);
}

int fake_cuIpcOpenMemHandle(
        uint64_t *address, struct cuda_ipc_handle handle, unsigned flags)
{
    memcpy(address, &handle, sizeof *address);
    return flags == 1 && handle.bytes[63] == 7 ? outcome_in_context(__func__) : 1;
}

int fake_cuIpcCloseMemHandle(uint64_t address)
{
    return address ? outcome_in_context(__func__) : 1;
}

int fake_cuProfilerStart(void)
{
    return outcome_in_context(__func__);
}

int fake_cuProfilerStop(void)
{
    return outcome_in_context(__func__);
}

int fake_cuCtxSetCurrent(struct cuda_context *context)
{
    state.has_context = context == (struct cuda_context *)&state.has_context;
    return 0; // also in a lost context
}

int fake_cuCtxSynchronize(void)
{
    return outcome_in_context(__func__);
}

int fake_cuMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    *free_bytes = 1000, *total_bytes = 5000;
    return outcome_in_context(__func__);
}

int fake_cuMemAlloc(uint64_t *address, size_t size_bytes)
{
    int result = outcome_in_context(__func__);
    void *memory = result ? NULL : hold(size_bytes);
    if (!memory)
        return result ? result : 2;
    *address = (uint64_t)(uintptr_t)memory;
    return 0;
}

int fake_cuMemFree(uint64_t address)
{
    return unmake((void *)(uintptr_t)address, __func__);
}

int fake_cuMemAllocAsync(uint64_t *address, size_t size_bytes, struct cuda_stream *stream)
{
    int result = stream ? 1 : outcome_in_context(__func__);
    return result ? result : fake_cuMemAlloc(address, size_bytes);
}

int fake_cuMemFreeAsync(uint64_t address, struct cuda_stream *stream)
{
    int result = stream ? 1 : outcome_in_context(__func__);
    return result ? result : fake_cuMemFree(address);
}

int fake_cuMemPoolGetAttribute(struct cuda_pool *pool, int attribute, void *value)
{
    *(uint64_t *)value = attribute == 5 ? 300 : 100; // reserved, used
    return pool ? outcome(__func__) : 1;
}

int fake_cuMemPoolSetAttribute(struct cuda_pool *pool, int attribute, void *value)
{
    bool keeps_all = attribute == 4 && *(uint64_t *)value == UINT64_MAX;
    return pool && keeps_all ? outcome(__func__) : 1;
}

int fake_cuMemHostAlloc(void **memory, size_t size_bytes, unsigned flags)
{
    int result = flags == 1 || flags == 7 ? outcome_in_context(__func__) : 1;
    if (result)
        return result;
    *memory = state.pinned = hold(size_bytes);
    state.pinned_bytes = size_bytes;
    return *memory ? 0 : 2;
}

int fake_cuMemFreeHost(void *memory)
{
    return unmake(memory, __func__);
}

// Memory that is not ours is unknown: pageable.
int fake_cuPointerGetAttribute(void *value, int attribute, uint64_t address)
{
    char *memory = (char *)(uintptr_t)address;
    *(unsigned *)value = 1;
    bool is_known = memory >= state.pinned && memory < state.pinned + state.pinned_bytes;
    return attribute == 2 && is_known ? 0 : 1;
}

static int copy(void *target, const void *source, size_t size, const char *function)
{
    state.copies++;
    int result = outcome_in_context(function);
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
    int result = outcome_in_context(__func__);
    if (!result)
        memset((void *)(uintptr_t)target, byte, count);
    return result;
}

int fake_cuStreamCreate(struct cuda_stream **stream, unsigned flags)
{
    return flags ? 1 : make((void **)stream, __func__);
}

int fake_cuStreamDestroy(struct cuda_stream *stream)
{
    return unmake(stream, __func__);
}

int fake_cuStreamSynchronize(struct cuda_stream *stream)
{
    return outcome_in_context(__func__);
}

int fake_cuStreamQuery(struct cuda_stream *stream)
{
    return outcome_in_context(__func__);
}

int fake_cuStreamWaitEvent(
        struct cuda_stream *stream, struct cuda_event *event, unsigned flags)
{
    return flags ? 1 : outcome_in_context(__func__);
}

int fake_cuEventCreate(struct cuda_event **event, unsigned flags)
{
    return make((void **)event, __func__);
}

int fake_cuEventDestroy(struct cuda_event *event)
{
    return unmake(event, __func__);
}

int fake_cuEventRecord(struct cuda_event *event, struct cuda_stream *stream)
{
    return outcome_in_context(__func__);
}

int fake_cuEventSynchronize(struct cuda_event *event)
{
    return outcome_in_context(__func__);
}

int fake_cuEventQuery(struct cuda_event *event)
{
    return outcome_in_context(__func__);
}

int fake_cuEventElapsedTime(
        float *elapsed_ms, struct cuda_event *start, struct cuda_event *end)
{
    *elapsed_ms = 1.5f;
    return outcome_in_context(__func__);
}

int fake_cuLinkCreate(
        unsigned count, int *options, void **values, struct cuda_link **link)
{
    state.links++;
    return make((void **)link, __func__);
}

int fake_cuLinkAddData(struct cuda_link *link, int kind, void *data, size_t size_bytes,
        const char *name, unsigned count, int *options, void **values)
{
    bool is_ptx = kind == 1 && strstr(data, ".version") != NULL;
    snprintf(state.linked, sizeof state.linked, "cubin of %.*s", (int)size_bytes,
            (char *)data);
    return is_ptx ? outcome_in_context(__func__) : 218;
}

int fake_cuLinkComplete(struct cuda_link *link, void **cubin, size_t *size_bytes)
{
    *cubin = state.linked;
    *size_bytes = strlen(state.linked) + 1;
    return outcome_in_context(__func__);
}

int fake_cuLinkDestroy(struct cuda_link *link)
{
    return unmake(link, __func__);
}

int fake_cuModuleLoadDataEx(struct cuda_module **module, const void *image,
        unsigned count, int *options, void **values)
{
    bool is_ptx = strstr(image, ".version") != NULL;
    if (!is_ptx && count == 2 && options[0] == 5)
        strcpy(values[0], "ptxas: not PTX at all");
    return is_ptx ? make((void **)module, __func__) : 218;
}

int fake_cuModuleUnload(struct cuda_module *module)
{
    return unmake(module, __func__);
}

int fake_cuModuleGetFunction(
        struct cuda_function **function, struct cuda_module *module, const char *name)
{
    *function = (struct cuda_function *)module;
    bool is_there = !strcmp(name, "kernel") || !strcmp(name, "kernel_joined");
    return is_there ? outcome_in_context(__func__) : 500;
}

int fake_cuFuncGetAttribute(int *value, int attribute, struct cuda_function *function)
{
    *value = attribute == 0 ? 512 : state.function_shared_bytes; // 0: threads of a block
    return outcome_in_context(__func__);
}

int fake_cuFuncSetAttribute(struct cuda_function *function, int attribute, int value)
{
    state.function_shared_bytes = attribute == 8 ? value : -1;
    return outcome_in_context(__func__);
}

// Parameters may lie anywhere in the caller's block, which lives only as long as the
// call.
int fake_cuLaunchKernel(struct cuda_function *function, unsigned grid_x, unsigned grid_y,
        unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
        unsigned shared_bytes, struct cuda_stream *stream, void **params, void **extra)
{
    unsigned launched[7] = {
            grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes};
    memcpy(state.launched, launched, sizeof launched);
    memcpy(state.params, params, sizeof state.params);
    return outcome_in_context(__func__);
}

// A launch like any other.
int fake_cuLaunchCooperativeKernel(struct cuda_function *function, unsigned grid_x,
        unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
        unsigned block_z, unsigned shared_bytes, struct cuda_stream *stream,
        void **params)
{
    return fake_cuLaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y,
            block_z, shared_bytes, stream, params, NULL);
}

int fake_cuOccupancyMaxActiveBlocksPerMultiprocessor(
        int *blocks, struct cuda_function *function, int threads, size_t bytes)
{
    *blocks = 2048 / threads;
    return outcome_in_context(__func__);
}

// No module has the variable.
int fake_cuModuleGetGlobal(uint64_t *address, size_t *size_bytes,
        struct cuda_module *module, const char *name)
{
    *address = *size_bytes = 0;
    return 500; // CUDA_ERROR_NOT_FOUND
}

static void set_failure(const char *name, int result)
{
    snprintf(state.failing, sizeof state.failing, "%s", name);
    state.result = result;
    state.is_failing_always = false;
}

static void set_lasting_failure(const char *name, int result)
{
    set_failure(name, result);
    state.is_failing_always = true;
}

static void recover(void)
{
    state.sticky = 0;
    state.failing[0] = '\0';
}

static void copy_parameter(size_t index, void *value, size_t size)
{
    memcpy(value, state.params[index], size);
}

static const unsigned *last_launch(void)
{
    return state.launched;
}

static int live_count(void)
{
    return state.live;
}

static int function_shared_bytes(void)
{
    return state.function_shared_bytes;
}

static int copy_count(void)
{
    return state.copies;
}

static int link_count(void)
{
    return state.links;
}

static void *pinned(void)
{
    return state.pinned;
}

static int reset_count(void)
{
    return state.resets;
}

static int trim_count(void)
{
    return state.trims;
}

static int registered_count(void)
{
    return state.registered;
}

extern EXPORT const struct fake_cuda fake_cuda;
const struct fake_cuda fake_cuda = {set_failure, set_lasting_failure, recover,
        copy_parameter, last_launch, live_count, function_shared_bytes, copy_count,
        pinned, link_count, reset_count, trim_count, registered_count};
