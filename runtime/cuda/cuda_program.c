// SPDX-License-Identifier: MIT
// Modules that the user loads by himself: PTX or machine code into the context, its
// functions and variables by their names.
#include <stdlib.h>

#include "base/memory.h"
#include "runtime/cuda/cuda_device.h"

enum { LOG_BYTES = 8192 };

static bool program_load(
        struct device *device, const void *image, uint64_t *module, struct error *err)
{
    struct cuda_module *loaded = NULL;
    char *log = memory_zalloc(LOG_BYTES);
    int options[] = {CUDA_JIT_ERROR_LOG, CUDA_JIT_ERROR_LOG_BYTES};
    void *values[] = {log, (void *)(uintptr_t)LOG_BYTES};
    bool is_done = cuda_enter(device, err) &&
                   CUDA_CALL(err, cuModuleLoadDataEx(&loaded, image, 2, options, values));
    if (is_done)
        *module = (uint64_t)(uintptr_t)loaded;
    else if (log[0])
        error_note(err, "\n%s", log);
    free(log);
    return cuda_blame(device, is_done, err);
}

static struct cuda_module *module_of(uint64_t module)
{
    return (struct cuda_module *)(uintptr_t)module;
}

static struct cuda_function *function_of(uint64_t function)
{
    return (struct cuda_function *)(uintptr_t)function;
}

static bool program_unload(struct device *device, uint64_t module, struct error *err)
{
    return cuda_enter(device, err) && CUDA_CALL(err, cuModuleUnload(module_of(module)));
}

static bool program_function(struct device *device, uint64_t module, const char *name,
        uint64_t *function, struct error *err)
{
    struct cuda_function *found = NULL;
    bool is_done = cuda_enter(device, err) &&
                   CUDA_CALL(err, cuModuleGetFunction(&found, module_of(module), name));
    if (is_done)
        *function = (uint64_t)(uintptr_t)found;
    return is_done;
}

static bool program_variable(struct device *device, uint64_t module, const char *name,
        device_address *address, size_t *size_bytes, struct error *err)
{
    return cuda_enter(device, err) &&
           CUDA_CALL(
                   err, cuModuleGetGlobal(address, size_bytes, module_of(module), name));
}

static bool program_attribute(struct device *device, uint64_t function, int attribute,
        int *value, struct error *err)
{
    return cuda_enter(device, err) &&
           CUDA_CALL(err, cuFuncGetAttribute(value, attribute, function_of(function)));
}

static bool program_prefer_shared(
        struct device *device, uint64_t function, int percent, struct error *err)
{
    return cuda_enter(device, err) &&
           CUDA_CALL(err, cuFuncSetAttribute(function_of(function),
                                  CUDA_FUNCTION_SHARED_CARVEOUT, percent));
}

static bool program_launch(struct device *device, uint64_t function,
        const struct launch_config *config, bool is_cooperative, void **params,
        struct error *err)
{
    const int32_t *grid = config->grid_dim, *block = config->block_dim;
    unsigned shared_bytes = (unsigned)config->dynamic_shared_bytes;
    struct cuda_stream *stream = cuda_stream_of(config->stream);
    bool is_done = cuda_enter(device, err);
    if (is_done && is_cooperative)
        is_done = CUDA_CALL(
                err, cuLaunchCooperativeKernel(function_of(function), (unsigned)grid[0],
                             (unsigned)grid[1], (unsigned)grid[2], (unsigned)block[0],
                             (unsigned)block[1], (unsigned)block[2], shared_bytes, stream,
                             params));
    else if (is_done)
        is_done = CUDA_CALL(
                err, cuLaunchKernel(function_of(function), (unsigned)grid[0],
                             (unsigned)grid[1], (unsigned)grid[2], (unsigned)block[0],
                             (unsigned)block[1], (unsigned)block[2], shared_bytes, stream,
                             params, NULL));
    if (is_done)
        atomic_fetch_add_explicit(&device->unwaited, 1, memory_order_relaxed);
    return cuda_blame(device, is_done, err);
}

const struct program_operations cuda_programs = {
#define OPERATION(name) .name = program_##name,
#include "runtime/device/program_operations.def"
#undef OPERATION
};
