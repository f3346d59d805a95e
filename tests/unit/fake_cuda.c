// SPDX-License-Identifier: MIT
// A stand-in for libcuda.so.1: one device whose memory is the host's, which remembers
// launches instead of running them. It lets the driver layer be tested where there is no
// GPU. This file: devices, contexts, streams, modules and launches, and what tests ask;
// fake_cuda_memory.c: memory and copies.
#include "tests/unit/fake_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fake_state fake_state;

// The result of a call that would succeed.
int fake_outcome(const char *function)
{
    const char *name = function + strlen("fake_");
    if (fake_state.sticky)
        return fake_state.sticky;
    if (strcmp(name, fake_state.failing) != 0)
        return 0;
    if (!fake_state.is_failing_always)
        fake_state.failing[0] = '\0';
    if (fake_state.result >= 700)
        fake_state.sticky = fake_state.result;
    return fake_state.result;
}

int fake_outcome_in_context(const char *function)
{
    return fake_state.has_context ? fake_outcome(function)
                                  : 201; // CUDA_ERROR_INVALID_CONTEXT
}

// What the context holds.
static struct {
    void *items[1024];
    size_t len;
} held;

void *fake_hold(size_t size_bytes)
{
    void *memory =
            held.len < sizeof held.items / sizeof *held.items ? malloc(size_bytes) : NULL;
    if (!memory)
        return NULL;
    held.items[held.len++] = memory;
    fake_state.seen.live++;
    return memory;
}

static int make(void **handle, const char *function)
{
    int result = fake_outcome_in_context(function);
    if (result)
        return result;
    *handle = fake_hold(1);
    return *handle ? 0 : 2;
}

int fake_unmake(void *handle, const char *function)
{
    int result = fake_outcome_in_context(function);
    if (result)
        return result;
    for (size_t i = 0; handle && i < held.len; i++) {
        if (held.items[i] != handle)
            continue;
        held.items[i] = held.items[--held.len];
        free(handle);
        fake_state.seen.live--;
        return 0;
    }
    return handle ? 400 : 0; // CUDA_ERROR_INVALID_HANDLE
}

int fake_cuInit(unsigned flags)
{
    return flags ? 1 : fake_outcome(__func__);
}

int fake_cuDriverGetVersion(int *version)
{
    *version = 12080;
    return fake_outcome(__func__);
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
    return fake_outcome(__func__);
}

int fake_cuDeviceGet(int *device, int ordinal)
{
    *device = ordinal + 40; // a handle is not the ordinal
    return ordinal == 0 ? fake_outcome(__func__) : 101;
}

int fake_cuDeviceGetName(char *name, int size, int device)
{
    snprintf(name, (size_t)size, "Fake device %d", device);
    return fake_outcome(__func__);
}

int fake_cuDeviceGetUuid(unsigned char *uuid, int device)
{
    for (int i = 0; i < 16; i++)
        uuid[i] = (unsigned char)(i * 16 + i);
    return device == 40 ? fake_outcome(__func__) : 101;
}

int fake_cuDeviceGetAttribute(int *value, int attribute, int device)
{
    *value = attribute == 75 ? 8 : attribute == 76 ? 6 : 1;
    return device == 40 ? fake_outcome(__func__) : 101;
}

int fake_cuDeviceGetDefaultMemPool(struct cuda_pool **pool, int device)
{
    *pool = (struct cuda_pool *)&fake_state;
    return device == 40 ? fake_outcome(__func__) : 101;
}

int fake_cuDevicePrimaryCtxRetain(struct cuda_context **context, int device)
{
    *context = (struct cuda_context *)&fake_state.has_context;
    return device == 40 ? fake_outcome(__func__) : 101;
}

int fake_cuDevicePrimaryCtxRelease(int device)
{
    fake_state.has_context = false;
    return device == 40 ? 0 : 101;
}

// Whatever the context held is gone, and with it what was wrong.
int fake_cuDevicePrimaryCtxReset(int device)
{
    fake_state.has_context = false;
    while (held.len > 0)
        free(held.items[--held.len]);
    fake_state.seen.pinned = NULL;
    fake_state.pinned_bytes = 0;
    fake_state.sticky = 0;
    fake_state.seen.live = 0;
    fake_state.seen.resets++;
    return device == 40 ? 0 : 101;
}

int fake_cuDeviceCanAccessPeer(int *can_access, int device, int peer)
{
    *can_access = device != peer;
    return fake_outcome(__func__);
}

int fake_cuCtxEnablePeerAccess(struct cuda_context *peer, unsigned flags)
{
    return peer && !flags ? fake_outcome_in_context(__func__) : 1;
}

int fake_cuProfilerStart(void)
{
    return fake_outcome_in_context(__func__);
}

int fake_cuProfilerStop(void)
{
    return fake_outcome_in_context(__func__);
}

int fake_cuCtxSetCurrent(struct cuda_context *context)
{
    fake_state.has_context = context == (struct cuda_context *)&fake_state.has_context;
    return 0; // also in a lost context
}

int fake_cuCtxGetLimit(size_t *value, int limit)
{
    size_t set = fake_state.seen.stack_bytes;
    *value = set ? set : 1024;
    return limit ? 1 : fake_outcome_in_context(__func__);
}

int fake_cuCtxSetLimit(int limit, size_t value)
{
    int result = limit ? 1 : fake_outcome_in_context(__func__);
    if (result)
        return result;
    fake_state.seen.stack_bytes = value;
    fake_state.seen.limits++;
    return 0;
}

int fake_cuCtxSynchronize(void)
{
    return fake_outcome_in_context(__func__);
}

int fake_cuStreamCreate(struct cuda_stream **stream, unsigned flags)
{
    return flags ? 1 : make((void **)stream, __func__);
}

int fake_cuStreamCreateWithPriority(
        struct cuda_stream **stream, unsigned flags, int priority)
{
    return fake_cuStreamCreate(stream, 0);
}

int fake_cuStreamDestroy(struct cuda_stream *stream)
{
    return fake_unmake(stream, __func__);
}

int fake_cuStreamSynchronize(struct cuda_stream *stream)
{
    return fake_outcome_in_context(__func__);
}

int fake_cuStreamQuery(struct cuda_stream *stream)
{
    return fake_outcome_in_context(__func__);
}

int fake_cuStreamIsCapturing(struct cuda_stream *stream, int *status)
{
    *status = 0;
    return fake_outcome_in_context(__func__);
}

int fake_cuThreadExchangeStreamCaptureMode(int *mode)
{
    return fake_outcome_in_context(__func__);
}

int fake_cuStreamWaitEvent(
        struct cuda_stream *stream, struct cuda_event *event, unsigned flags)
{
    return flags ? 1 : fake_outcome_in_context(__func__);
}

int fake_cuEventCreate(struct cuda_event **event, unsigned flags)
{
    return make((void **)event, __func__);
}

int fake_cuEventDestroy(struct cuda_event *event)
{
    return fake_unmake(event, __func__);
}

int fake_cuEventRecord(struct cuda_event *event, struct cuda_stream *stream)
{
    return fake_outcome_in_context(__func__);
}

int fake_cuEventSynchronize(struct cuda_event *event)
{
    return fake_outcome_in_context(__func__);
}

int fake_cuEventQuery(struct cuda_event *event)
{
    return fake_outcome_in_context(__func__);
}

int fake_cuEventElapsedTime(
        float *elapsed_ms, struct cuda_event *start, struct cuda_event *end)
{
    *elapsed_ms = 1.5f;
    return fake_outcome_in_context(__func__);
}

int fake_cuLinkCreate(
        unsigned count, int *options, void **values, struct cuda_link **link)
{
    fake_state.seen.links++;
    return make((void **)link, __func__);
}

int fake_cuLinkAddData(struct cuda_link *link, int kind, void *data, size_t size_bytes,
        const char *name, unsigned count, int *options, void **values)
{
    bool is_ptx = kind == 1 && strstr(data, ".version") != NULL;
    snprintf(fake_state.linked, sizeof fake_state.linked, "cubin of %.*s",
            (int)size_bytes, (char *)data);
    return is_ptx ? fake_outcome_in_context(__func__) : 218;
}

int fake_cuLinkComplete(struct cuda_link *link, void **cubin, size_t *size_bytes)
{
    *cubin = fake_state.linked;
    *size_bytes = strlen(fake_state.linked) + 1;
    return fake_outcome_in_context(__func__);
}

int fake_cuLinkDestroy(struct cuda_link *link)
{
    return fake_unmake(link, __func__);
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
    return fake_unmake(module, __func__);
}

int fake_cuModuleGetFunction(
        struct cuda_function **function, struct cuda_module *module, const char *name)
{
    *function = (struct cuda_function *)module;
    bool is_there = !strcmp(name, "kernel") || !strcmp(name, "kernel_joined");
    return is_there ? fake_outcome_in_context(__func__) : 500;
}

int fake_cuFuncGetAttribute(int *value, int attribute, struct cuda_function *function)
{
    *value = attribute == 0
                     ? 512
                     : fake_state.seen.function_shared_bytes; // 0: threads of a block
    return fake_outcome_in_context(__func__);
}

int fake_cuFuncSetAttribute(struct cuda_function *function, int attribute, int value)
{
    fake_state.seen.function_shared_bytes = attribute == 8 ? value : -1;
    return fake_outcome_in_context(__func__);
}

// Parameters may lie anywhere in the caller's block, which lives only as long as the
// call.
int fake_cuLaunchKernel(struct cuda_function *function, unsigned grid_x, unsigned grid_y,
        unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
        unsigned shared_bytes, struct cuda_stream *stream, void **params, void **extra)
{
    unsigned launched[7] = {
            grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes};
    memcpy(fake_state.seen.launched, launched, sizeof launched);
    memcpy(fake_state.params, params, sizeof fake_state.params);
    return fake_outcome_in_context(__func__);
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
    return fake_outcome_in_context(__func__);
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
    snprintf(fake_state.failing, sizeof fake_state.failing, "%s", name);
    fake_state.result = result;
    fake_state.is_failing_always = false;
}

static void set_lasting_failure(const char *name, int result)
{
    set_failure(name, result);
    fake_state.is_failing_always = true;
}

static void recover(void)
{
    fake_state.sticky = 0;
    fake_state.failing[0] = '\0';
}

static void copy_parameter(size_t index, void *value, size_t size)
{
    memcpy(value, fake_state.params[index], size);
}

extern EXPORT const struct fake_cuda fake_cuda;
const struct fake_cuda fake_cuda = {
        set_failure, set_lasting_failure, recover, copy_parameter, &fake_state.seen};
