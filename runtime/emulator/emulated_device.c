// SPDX-License-Identifier: MIT
// The emulated CUDA device: device memory is host memory, and every operation has ended
// when its call returns, which is the order that any set of streams and events asks for.
#include "runtime/device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "compiler/support/libdevice.h"
#include "compiler/backends/cpu/symbols.h"
#include "runtime/emulator/emulator.h"
#include "runtime/emulator/observer.h"
#include "runtime/threads/fault.h"
#include "runtime/threads/thread_pool.h"

enum { ERROR_INVALID_HANDLE = 400 };

struct emulated_device {
    struct device device;
    struct emulated_memory *memory;
    struct emulated_host *host;
    struct emulated_scratch *scratch;
};

struct device_stream {
    int unused;
};

struct device_event {
    bool has_timing, is_recorded;
    struct timespec time;
};

struct device_kernel {
    const struct compiled *compiled;
};

static const struct {
    int code;
    const char *name;
} error_names[] = {
        {DEVICE_ERROR_INVALID_VALUE, "INVALID_VALUE"},
        {DEVICE_ERROR_OUT_OF_MEMORY, "OUT_OF_MEMORY"},
        {DEVICE_ERROR_INVALID_DEVICE, "INVALID_DEVICE"},
        {DEVICE_ERROR_INVALID_CONTEXT, "INVALID_CONTEXT"},
        {DEVICE_ERROR_ALREADY_REGISTERED, "HOST_MEMORY_ALREADY_REGISTERED"},
        {ERROR_INVALID_HANDLE, "INVALID_HANDLE"},
        {DEVICE_ERROR_ILLEGAL_ADDRESS, "ILLEGAL_ADDRESS"},
        {DEVICE_ERROR_LAUNCH_FAILED, "LAUNCH_FAILED"},
        {DEVICE_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "COOPERATIVE_LAUNCH_TOO_LARGE"},
};

bool emulated_error(struct error *err, int code, const char *call)
{
    const char *name = "UNKNOWN";
    for (size_t i = 0; i < sizeof error_names / sizeof *error_names; i++) {
        if (error_names[i].code == code)
            name = error_names[i].name;
    }
    error_set(err, ERROR_DEVICE, SPAN_NONE, "Call to %s results in CUDA_ERROR_%s", call,
            name);
    err->code = code;
    return false;
}

static struct emulated_device *of(struct device *device)
{
    return device->implementation;
}

static void emulator_destroy(struct device *device)
{
    struct emulated_device *emulated = of(device);
    emulated_memory_destroy(emulated->memory);
    emulated_host_destroy(emulated->host);
    emulated_scratch_destroy(emulated->scratch);
    free(emulated);
}

// The attributes that do not depend on the machine; codes of enum CUdevice_attribute.
static const struct {
    int attribute, value;
} fixed_attributes[] = {
        {DEVICE_MAX_THREADS_PER_BLOCK, EMULATOR_MAX_THREADS_PER_BLOCK},
        {DEVICE_MAX_BLOCK_DIM_X, EMULATOR_MAX_THREADS_PER_BLOCK},
        {DEVICE_MAX_BLOCK_DIM_Y, EMULATOR_MAX_THREADS_PER_BLOCK},
        {DEVICE_MAX_BLOCK_DIM_Z, EMULATOR_MAX_BLOCK_Z},
        {DEVICE_MAX_GRID_DIM_X, INT32_MAX}, {DEVICE_MAX_GRID_DIM_Y, EMULATOR_MAX_GRID_YZ},
        {DEVICE_MAX_GRID_DIM_Z, EMULATOR_MAX_GRID_YZ},
        {DEVICE_MAX_SHARED_MEMORY_PER_BLOCK, EMULATOR_SHARED_BYTES},
        {9, 64 * 1024},                                          // TOTAL_CONSTANT_MEMORY
        {DEVICE_WARP_SIZE, EMULATOR_WARP_SIZE}, {11, INT32_MAX}, // MAX_PITCH
        {12, 64 * 1024}, // MAX_REGISTERS_PER_BLOCK
        {14, 512},       // TEXTURE_ALIGNMENT
        {15, 0},         // GPU_OVERLAP
        {17, 0},         // KERNEL_EXEC_TIMEOUT
        {18, 1},         // INTEGRATED: shares its memory with the host
        {19, 1},         // CAN_MAP_HOST_MEMORY
        {20, 0},         // COMPUTE_MODE
        {31, 0},         // CONCURRENT_KERNELS
        {32, 0},         // ECC_ENABLED
        {DEVICE_PCI_BUS_ID, 0}, {DEVICE_PCI_DEVICE_ID, 0}, {35, 0}, // TCC_DRIVER
        {40, 0},                                                    // ASYNC_ENGINE_COUNT
        {41, 1},                                                    // UNIFIED_ADDRESSING
        {50, 0},                                                    // PCI_DOMAIN_ID
        {DEVICE_COMPUTE_MAJOR, 8}, {DEVICE_COMPUTE_MINOR, 0},
        {78, 0},                           // STREAM_PRIORITIES_SUPPORTED
        {81, EMULATOR_SHARED_OPTIN_BYTES}, // MAX_SHARED_MEMORY_PER_MULTIPROCESSOR: one
                                           // block at a time
        {82, 64 * 1024},                   // MAX_REGISTERS_PER_MULTIPROCESSOR
        {83, 1},                           // MANAGED_MEMORY
        {84, 0},                           // MULTI_GPU_BOARD
        {87, 2},                           // SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO
        {88, 1},                           // PAGEABLE_MEMORY_ACCESS
        {89, 1},                           // CONCURRENT_MANAGED_ACCESS
        {91, 1},                           // CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM
        {95, 1},                           // COOPERATIVE_LAUNCH
        {99, 1},                           // HOST_REGISTER_SUPPORTED
        {115, 1},                          // MEMORY_POOLS_SUPPORTED
        {DEVICE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, EMULATOR_SHARED_OPTIN_BYTES},
        {39, EMULATOR_MAX_THREADS_PER_BLOCK}, // MAX_THREADS_PER_MULTIPROCESSOR
        {106, 1},                             // MAX_BLOCKS_PER_MULTIPROCESSOR
};

// A number from a file of the kernel's, or `fallback`.
static long read_number(const char *path, long fallback)
{
    FILE *file = fopen(path, "r");
    long value = 0;
    if (!file || fscanf(file, "%ld", &value) != 1 || value <= 0)
        value = fallback;
    if (file)
        fclose(file);
    return value;
}

static bool machine_attribute(int attribute, int *value)
{
    switch (attribute) {
    case DEVICE_MULTIPROCESSOR_COUNT:
        *value = (int)thread_pool_cores();
        return true;
    case 13: // CLOCK_RATE in kHz
    case 36: // MEMORY_CLOCK_RATE
        *value = (int)read_number(
                "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", 2000000);
        return true;
    case 37: // GLOBAL_MEMORY_BUS_WIDTH in bits
        *value = 128;
        return true;
    case 38: // L2_CACHE_SIZE: the last level's, which the file gives in KiB
        *value = (int)(read_number(
                               "/sys/devices/system/cpu/cpu0/cache/index3/size", 1024) *
                       1024);
        return true;
    default:
        return false;
    }
}

static bool emulator_attribute(
        struct device *device, int attribute, int *value, struct error *err)
{
    for (size_t i = 0; i < sizeof fixed_attributes / sizeof *fixed_attributes; i++) {
        if (fixed_attributes[i].attribute == attribute) {
            *value = fixed_attributes[i].value;
            return true;
        }
    }
    if (machine_attribute(attribute, value))
        return true;
    if (attribute < 1 || attribute > 150)
        return emulated_error(err, DEVICE_ERROR_INVALID_VALUE, "cuDeviceGetAttribute");
    *value = 0; // a feature that this device lacks
    return true;
}

static bool emulator_memory_info(
        struct device *device, size_t *free_bytes, size_t *total_bytes, struct error *err)
{
    emulated_memory_info(of(device)->memory, free_bytes, total_bytes);
    return true;
}

static bool emulator_synchronize(struct device *device, struct error *err)
{
    return true;
}

static bool emulator_memory_alloc(struct device *device, size_t size_bytes,
        device_address *address, struct error *err)
{
    return emulated_memory_alloc(of(device)->memory, size_bytes, address, err);
}

static bool emulator_memory_free(
        struct device *device, device_address address, struct error *err)
{
    return emulated_memory_free(of(device)->memory, address, err);
}

// Nothing is under way when a call returns; so all that ends is what has been allocated.
static bool emulator_context_reset(
        struct device *device, enum context_end why, struct error *err)
{
    device_context_ended(device, why);
    emulated_memory_reset(of(device)->memory);
    emulated_host_reset(of(device)->host);
    return true;
}

static void emulator_forget(
        struct device *device, enum device_resource kind, uint64_t handle)
{
    if (kind == RESOURCE_MEMORY || kind == RESOURCE_POOL_MEMORY)
        emulated_memory_forget(of(device)->memory, handle);
    else
        free((void *)(uintptr_t)handle);
}

static bool emulator_memory_trim(
        struct device *device, size_t keep_bytes, struct error *err)
{
    emulated_memory_trim(of(device)->memory, keep_bytes);
    return true;
}

static bool emulator_memory_range(struct device *device, device_address address,
        device_address *start, size_t *size_bytes, struct error *err)
{
    return emulated_memory_range(of(device)->memory, address, start, size_bytes, err);
}

static bool emulator_host_alloc(
        struct device *device, struct host_memory *memory, struct error *err)
{
    return emulated_host_alloc(of(device)->host, memory, err);
}

static void emulator_host_free(
        struct device *device, struct host_memory *memory, bool is_live)
{
    emulated_host_free(of(device)->host, memory, is_live);
}

static bool emulator_host_is_pageable(struct device *device, const void *memory)
{
    return emulated_host_is_pageable(of(device)->host, memory);
}

static bool emulator_memory_alloc_shared(struct device *device, size_t size_bytes,
        device_address *address, struct error *err)
{
    return emulated_memory_alloc_shared(of(device)->memory, size_bytes, address, err);
}

static bool emulator_memory_free_shared(
        struct device *device, device_address address, struct error *err)
{
    return emulated_memory_free(of(device)->memory, address, err);
}

static bool emulator_ipc_export(struct device *device, device_address address,
        unsigned char handle[IPC_HANDLE_BYTES], struct error *err)
{
    return emulated_ipc_export(of(device)->memory, address, handle, err);
}

static bool emulator_ipc_open(struct device *device,
        const unsigned char handle[IPC_HANDLE_BYTES], device_address *address,
        struct error *err)
{
    return emulated_ipc_open(of(device)->memory, handle, address, err);
}

static bool emulator_ipc_close(
        struct device *device, device_address address, struct error *err)
{
    return emulated_ipc_close(of(device)->memory, address, err);
}

// Emulated devices share the host's memory.
static bool emulator_peer_can_access(
        struct device *device, struct device *peer, bool *can_access, struct error *err)
{
    *can_access = device != peer;
    return true;
}

static bool emulator_peer_enable(
        struct device *device, struct device *peer, struct error *err)
{
    return device != peer ||
           emulated_error(err, DEVICE_ERROR_INVALID_DEVICE, "cuCtxEnablePeerAccess");
}

static bool emulator_copy_to_device(struct device *device, device_address target,
        const void *source, size_t size_bytes, struct device_stream *stream,
        struct error *err)
{
    if (size_bytes)
        memcpy((void *)(uintptr_t)target, source, size_bytes);
    return true;
}

static bool emulator_copy_to_host(struct device *device, void *target,
        device_address source, size_t size_bytes, struct device_stream *stream,
        struct error *err)
{
    if (size_bytes)
        memcpy(target, (const void *)(uintptr_t)source, size_bytes);
    return true;
}

static bool emulator_copy_on_device(struct device *device, device_address target,
        device_address source, size_t size_bytes, struct device_stream *stream,
        struct error *err)
{
    if (size_bytes)
        memmove((void *)(uintptr_t)target, (const void *)(uintptr_t)source, size_bytes);
    return true;
}

static bool emulator_copy_from_peer(struct device *device, device_address target,
        struct device *peer, device_address source, size_t size_bytes, struct error *err)
{
    return emulator_copy_on_device(device, target, source, size_bytes, NULL, err);
}

static bool emulator_memory_set(struct device *device, device_address target,
        uint8_t byte, size_t size_bytes, struct device_stream *stream, struct error *err)
{
    if (size_bytes)
        memset((void *)(uintptr_t)target, byte, size_bytes);
    return true;
}

static bool emulator_stream_create(
        struct device *device, struct device_stream **stream, struct error *err)
{
    *stream = memory_zalloc(sizeof **stream);
    return true;
}

static void emulator_stream_destroy(struct device *device, struct device_stream *stream)
{
    free(stream);
}

static bool emulator_stream_synchronize(
        struct device *device, struct device_stream *stream, struct error *err)
{
    return true;
}

static bool emulator_stream_query(struct device *device, struct device_stream *stream,
        bool *is_done, struct error *err)
{
    *is_done = true;
    return true;
}

static bool emulator_event_create(struct device *device, bool has_timing,
        struct device_event **event, struct error *err)
{
    *event = memory_zalloc(sizeof **event);
    (*event)->has_timing = has_timing;
    return true;
}

static void emulator_event_destroy(struct device *device, struct device_event *event)
{
    free(event);
}

static bool emulator_event_record(struct device *device, struct device_event *event,
        struct device_stream *stream, struct error *err)
{
    clock_gettime(CLOCK_MONOTONIC, &event->time);
    event->is_recorded = true;
    return true;
}

static bool emulator_event_synchronize(
        struct device *device, struct device_event *event, struct error *err)
{
    return true;
}

static bool emulator_event_query(struct device *device, struct device_event *event,
        bool *is_done, struct error *err)
{
    *is_done = true;
    return true;
}

static bool emulator_event_wait(struct device *device, struct device_event *event,
        struct device_stream *stream, struct error *err)
{
    return true;
}

static bool emulator_event_elapsed_ms(struct device *device, struct device_event *start,
        struct device_event *end, float *elapsed_ms, struct error *err)
{
    if (!start->is_recorded || !end->is_recorded || !start->has_timing ||
            !end->has_timing)
        return emulated_error(err, ERROR_INVALID_HANDLE, "cuEventElapsedTime");
    double seconds = (double)(end->time.tv_sec - start->time.tv_sec);
    double nanoseconds = (double)(end->time.tv_nsec - start->time.tv_nsec);
    *elapsed_ms = (float)(seconds * 1e3 + nanoseconds / 1e6);
    return true;
}

static bool emulator_kernel_load(struct device *device, const struct compiled *compiled,
        struct device_kernel **kernel, struct error *err)
{
    if (!compiled->emulated_entry)
        return emulated_error(err, DEVICE_ERROR_INVALID_VALUE, "cuModuleLoadData");
    fault_watch();
    *kernel = memory_zalloc(sizeof **kernel);
    (*kernel)->compiled = compiled;
    return true;
}

static uint64_t emulator_kernel_module(const struct device_kernel *kernel)
{
    return (uint64_t)(uintptr_t)kernel;
}

static void emulator_kernel_unload(struct device *device, struct device_kernel *kernel)
{
    free(kernel);
}

// Nothing runs on registers here: they are 0.
static bool emulator_kernel_attribute(struct device *device, struct device_kernel *kernel,
        enum kernel_attribute attribute, int *value, struct error *err)
{
    *value = attribute == KERNEL_MAX_THREADS_PER_BLOCK
                     ? emulated_max_threads(kernel->compiled)
             : attribute == KERNEL_SHARED_BYTES
                     ? (int)kernel->compiled->static_shared_bytes
                     : 0;
    return true;
}

// Of the blocks that may wait for each other, each processor's share.
static bool emulator_kernel_blocks_at_once(struct device *device,
        struct device_kernel *kernel, int threads, size_t dynamic_shared_bytes,
        int *blocks, struct error *err)
{
    int processors = 1;
    device->operations->attribute(device, DEVICE_MULTIPROCESSOR_COUNT, &processors, err);
    *blocks = EMULATOR_MAX_AT_ONCE / processors / (threads > 0 ? threads : 1);
    return true;
}

static bool emulator_launch(struct device *device, struct device_kernel *kernel,
        const struct launch_config *config, const void *args, struct error *err)
{
    return emulated_launch(of(device)->scratch, kernel->compiled, config, args, err);
}

static const struct device_operations operations = {
#define OPERATION(name) .name = emulator_##name,
#include "runtime/device/operations.def"
#undef OPERATION
};

static const struct support_symbol symbols[] = {
        SUPPORT_SYMBOL("gridcell_meeting", gridcell_meeting),
        SUPPORT_SYMBOL("gridcell_check_shared", gridcell_check_shared),
        SUPPORT_SYMBOL("gridcell_check_round", gridcell_check_round),
        SUPPORT_SYMBOL("gridcell_check_warp", gridcell_check_warp),
        SUPPORT_SYMBOL("gridcell_observe", gridcell_observe),
        SUPPORT_SYMBOL("gridcell_observe_runs", gridcell_observe_runs),
        {0},
};

struct device *emulated_device_create(int id)
{
    struct emulated_device *emulated = memory_zalloc(sizeof *emulated);
    emulated->memory = emulated_memory_create(emulated_memory_default_total());
    emulated->host = emulated_host_create();
    emulated->scratch = emulated_scratch_create();
    compiler_define_symbols(symbols);
    compiler_define_symbols(libdevice_symbols);
    struct device *device = &emulated->device;
    device->operations = &operations;
    device->id = id;
    device->target = TARGET_EMULATOR;
    device->compute_major = 8;
    device->compute_minor = 0;
    device->implementation = emulated;
    snprintf(device->name, sizeof device->name, "gridcell emulated device (CPU)");
    snprintf(device->uuid, sizeof device->uuid, "GPU-00000000-0000-0000-0000-%012x",
            (unsigned)id);
    return device;
}
