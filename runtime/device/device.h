// SPDX-License-Identifier: MIT
// A CUDA device: a real one through the driver (cuda/cuda_device.c) or the emulated one
// (emulator/emulated_device.c). Everything above (arrays, launches, streams, the Python
// objects) goes through this table and works on either. All calls may run without the GIL
// and from any thread. Errors: ERROR_DEVICE with the CUDA result code in `code`, worded
// as numba words it:
// "[700] Call to cuMemcpyDtoH results in CUDA_ERROR_ILLEGAL_ADDRESS".
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "compiler/compiler.h"
#include "runtime/device/observation.h"

typedef uint64_t device_address; // an address in device memory; on the emulated device a
                                 // host address

struct device;
struct device_stream; // NULL: the default stream
struct device_event;
struct device_kernel; // a compiled kernel loaded on one device

struct launch_config {
    int32_t grid_dim[3], block_dim[3];
    size_t dynamic_shared_bytes;
    struct device_stream *stream;
    // Of an observed kernel: filled in, else NULL; and the kernel as it is without, which
    // runs the blocks of a large grid that are not observed.
    struct observation *observation;
    const struct compiled *plain;
};

// CUresult codes that we make ourselves; the numbers are the driver's.
enum device_error {
    DEVICE_ERROR_INVALID_VALUE = 1,
    DEVICE_ERROR_OUT_OF_MEMORY = 2,
    DEVICE_ERROR_NO_DEVICE = 100,
    DEVICE_ERROR_INVALID_DEVICE = 101,
    DEVICE_ERROR_INVALID_CONTEXT = 201,
    DEVICE_ERROR_ILLEGAL_ADDRESS = 700,
    DEVICE_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    DEVICE_ERROR_CONTEXT_ENDED = 709,
    DEVICE_ERROR_ALREADY_REGISTERED = 712,
    DEVICE_ERROR_LAUNCH_FAILED = 719,
    DEVICE_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = 720,
};

// CU_DEVICE_ATTRIBUTE_* codes that the project asks for by number; the Python side knows
// them all.
enum device_attribute {
    DEVICE_MAX_THREADS_PER_BLOCK = 1,
    DEVICE_MAX_BLOCK_DIM_X = 2,
    DEVICE_MAX_BLOCK_DIM_Y = 3,
    DEVICE_MAX_BLOCK_DIM_Z = 4,
    DEVICE_MAX_GRID_DIM_X = 5,
    DEVICE_MAX_GRID_DIM_Y = 6,
    DEVICE_MAX_GRID_DIM_Z = 7,
    DEVICE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    DEVICE_WARP_SIZE = 10,
    DEVICE_MULTIPROCESSOR_COUNT = 16,
    DEVICE_PCI_BUS_ID = 33,
    DEVICE_PCI_DEVICE_ID = 34,
    DEVICE_COMPUTE_MAJOR = 75,
    DEVICE_COMPUTE_MINOR = 76,
    DEVICE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
};

// CU_FUNC_ATTRIBUTE_* codes: what a compiled kernel takes.
enum kernel_attribute {
    KERNEL_MAX_THREADS_PER_BLOCK = 0,
    KERNEL_SHARED_BYTES = 1,
    KERNEL_CONST_BYTES = 2,
    KERNEL_LOCAL_BYTES = 3,
    KERNEL_REGISTERS = 4,
};

// Why a context ended.
enum context_end { CONTEXT_IS_OPEN, CONTEXT_RESET, CONTEXT_CLOSED, CONTEXT_LOST };

// What a context holds, by whose end its handle becomes a mere number.
enum device_resource {
    RESOURCE_MEMORY,
    RESOURCE_POOL_MEMORY, // of memory_alloc
    RESOURCE_STREAM,
    RESOURCE_EVENT
};

enum host_memory_kind {
    HOST_PINNED,     // stays in place; copies from and to it are asynchronous
    HOST_MAPPED,     // pinned, and kernels use it where it lies
    HOST_MANAGED,    // moves between host and device by itself
    HOST_REGISTERED, // memory of someone else's, pinned and mapped for a time
};

// Memory of the host that the device knows.
struct host_memory {
    enum host_memory_kind kind;
    bool is_write_combined; // HOST_PINNED and HOST_MAPPED: fast to send, slow to read
    bool is_host_attached;  // HOST_MANAGED: no kernel of another stream uses it yet
    size_t size_bytes;
    void *host;             // set by host_alloc, given to it for HOST_REGISTERED
    device_address address; // set by host_alloc
};

enum { IPC_HANDLE_BYTES = 64 };

enum { MAX_DEVICES = 64 };

// Modules of PTX or machine code, by the driver's handles.
struct program_operations {
    // `image` ends with NUL, or says itself where it ends.
    bool (*load)(struct device *device, const void *image, uint64_t *module,
            struct error *err);
    bool (*unload)(struct device *device, uint64_t module, struct error *err);
    bool (*function)(struct device *device, uint64_t module, const char *name,
            uint64_t *function, struct error *err);
    bool (*variable)(struct device *device, uint64_t module, const char *name,
            device_address *address, size_t *size_bytes, struct error *err);
    bool (*attribute)(struct device *device, uint64_t function, int attribute, int *value,
            struct error *err);
    bool (*prefer_shared)(
            struct device *device, uint64_t function, int percent, struct error *err);
    // `params`: where each argument is.
    bool (*launch)(struct device *device, uint64_t function,
            const struct launch_config *config, bool is_cooperative, void **params,
            struct error *err);
};

struct device_operations {
    void (*destroy)(struct device *device);

    // Ends the context, once its work is done: memory, streams and events are gone, and
    // the device's generation grows. The next call makes a new one.
    bool (*context_reset)(struct device *device, enum context_end why, struct error *err);
    // Drops what the host holds for a resource of a context that has ended, or what of it
    // outlived the context. NULL where there is nothing.
    void (*forget)(struct device *device, enum device_resource kind, uint64_t handle);

    bool (*attribute)(
            struct device *device, int attribute, int *value, struct error *err);
    bool (*memory_info)(struct device *device, size_t *free_bytes, size_t *total_bytes,
            struct error *err);
    bool (*synchronize)(struct device *device, struct error *err);

    // Freeing waits in stream order for work that uses the memory. size_bytes may be 0.
    bool (*memory_alloc)(struct device *device, size_t size_bytes,
            device_address *address, struct error *err);
    bool (*memory_free)(struct device *device, device_address address, struct error *err);
    // Gives memory that was freed, and is kept for the next allocation, back to the
    // system, but for `keep_bytes`.
    bool (*memory_trim)(struct device *device, size_t keep_bytes, struct error *err);
    // The allocation that an address lies in.
    bool (*memory_range)(struct device *device, device_address address,
            device_address *start, size_t *size_bytes, struct error *err);

    bool (*host_alloc)(
            struct device *device, struct host_memory *memory, struct error *err);
    // `is_live`: the context that it was made in has not ended.
    void (*host_free)(struct device *device, struct host_memory *memory, bool is_live);
    // Whether memory of the host may move: copies of it go through other memory.
    bool (*host_is_pageable)(struct device *device, const void *memory);

    // An allocation that other processes can open; it is freed by memory_free_shared.
    bool (*memory_alloc_shared)(struct device *device, size_t size_bytes,
            device_address *address, struct error *err);
    bool (*memory_free_shared)(
            struct device *device, device_address address, struct error *err);
    // A handle by which other processes open the allocation that begins at `address`.
    bool (*ipc_export)(struct device *device, device_address address,
            unsigned char handle[IPC_HANDLE_BYTES], struct error *err);
    bool (*ipc_open)(struct device *device, const unsigned char handle[IPC_HANDLE_BYTES],
            device_address *address, struct error *err);
    bool (*ipc_close)(struct device *device, device_address address, struct error *err);

    // Starts or stops what an attached profiler records. NULL where there is none.
    bool (*profile)(struct device *device, bool is_start, struct error *err);

    // Has all kernels leave, now and until `resume`, which waits for that. Both NULL
    // where kernels look at the interrupt's flag themselves.
    void (*stop)(struct device *device);
    void (*resume)(struct device *device);

    bool (*peer_can_access)(struct device *device, struct device *peer, bool *can_access,
            struct error *err);
    bool (*peer_enable)(struct device *device, struct device *peer, struct error *err);

    // Copies in stream order. With stream NULL they return when the host memory may be
    // reused (to_device) or has been filled (to_host); with a stream that holds only for
    // pageable memory.
    bool (*copy_to_device)(struct device *device, device_address target,
            const void *source, size_t size_bytes, struct device_stream *stream,
            struct error *err);
    bool (*copy_to_host)(struct device *device, void *target, device_address source,
            size_t size_bytes, struct device_stream *stream, struct error *err);
    bool (*copy_on_device)(struct device *device, device_address target,
            device_address source, size_t size_bytes, struct device_stream *stream,
            struct error *err);
    // From memory of another device, in order with the default streams of both.
    bool (*copy_from_peer)(struct device *device, device_address target,
            struct device *peer, device_address source, size_t size_bytes,
            struct error *err);
    bool (*memory_set)(struct device *device, device_address target, uint8_t byte,
            size_t size_bytes, struct device_stream *stream, struct error *err);

    bool (*stream_create)(
            struct device *device, struct device_stream **stream, struct error *err);
    void (*stream_destroy)(struct device *device, struct device_stream *stream);
    bool (*stream_synchronize)(
            struct device *device, struct device_stream *stream, struct error *err);
    bool (*stream_query)(struct device *device, struct device_stream *stream,
            bool *is_done, struct error *err);

    bool (*event_create)(struct device *device, bool has_timing,
            struct device_event **event, struct error *err);
    void (*event_destroy)(struct device *device, struct device_event *event);
    bool (*event_record)(struct device *device, struct device_event *event,
            struct device_stream *stream, struct error *err);
    bool (*event_synchronize)(
            struct device *device, struct device_event *event, struct error *err);
    bool (*event_query)(struct device *device, struct device_event *event, bool *is_done,
            struct error *err);
    bool (*event_wait)(struct device *device, struct device_event *event,
            struct device_stream *stream, struct error *err);
    bool (*event_elapsed_ms)(struct device *device, struct device_event *start,
            struct device_event *end, float *elapsed_ms, struct error *err);

    // `compiled` (for this device's target) must outlive the kernel.
    bool (*kernel_load)(struct device *device, const struct compiled *compiled,
            struct device_kernel **kernel, struct error *err);
    void (*kernel_unload)(struct device *device, struct device_kernel *kernel);
    bool (*kernel_attribute)(struct device *device, struct device_kernel *kernel,
            enum kernel_attribute attribute, int *value, struct error *err);
    // How many blocks of that many threads one multiprocessor holds at once.
    bool (*kernel_blocks_at_once)(struct device *device, struct device_kernel *kernel,
            int threads, size_t dynamic_shared_bytes, int *blocks, struct error *err);
    // The share of a multiprocessor's memory, in percent, that the kernel would have as
    // shared memory. NULL where there is no choice.
    bool (*kernel_prefer_shared)(struct device *device, struct device_kernel *kernel,
            int percent, struct error *err);
    // `args` is an argument block (abi.h) of compiled->function's parameters, copied
    // before the call returns. Asynchronous: faults may surface at a later call.
    bool (*launch)(struct device *device, struct device_kernel *kernel,
            const struct launch_config *config, const void *args, struct error *err);
    // What others know the kernel's module by.
    uint64_t (*kernel_module)(const struct device_kernel *kernel);
    const struct program_operations *programs; // NULL: it runs no GPU's machine code
};

struct device {
    const struct device_operations *operations;
    int id;
    char name[128];          // "NVIDIA H200", "gridcell emulated device (CPU)"
    char uuid[48];           // "GPU-xxxxxxxx-..."
    enum target_kind target; // TARGET_GPU or TARGET_EMULATOR
    int compute_major, compute_minor;
    int max_ptx_version; // TARGET_GPU: newest PTX that the driver loads (e.g. 90)
    // The number of the context, from 0; what was made in an earlier one is gone.
    _Atomic uint64_t generation;
    _Atomic int last_end; // enum context_end of the context before
    // by number of device: whose memory kernels here can use, as 1 + its generation then
    _Atomic uint64_t peers[MAX_DEVICES];
    // Whether there are streams of other libraries, for which the default stream may not
    // wait: memory is then had and freed only when the device is idle.
    atomic_bool has_foreign_streams;
    // Launches since anyone last waited for the device: some may still run. Always 0 on
    // the emulated device, whose launches return when they are done.
    _Atomic uint64_t unwaited;
    // stop.c: calls under way that may wait for kernels; whether these are told to leave,
    // and how often they were.
    atomic_uint waits, stops;
    atomic_bool is_stopping;
    void *implementation;
};

// Streams that every device has, besides the default one (NULL).
#define DEVICE_STREAM_LEGACY ((struct device_stream *)1)
#define DEVICE_STREAM_PER_THREAD ((struct device_stream *)2)

// device/device_context.c
// Records that the device's context has ended.
void device_context_ended(struct device *device, enum context_end why);
// Notes that kernels of the device can use the memory of the peer's present context, and
// asks for it.
void device_peer_enabled(struct device *device, struct device *peer);
bool device_reaches(struct device *device, struct device *peer);
// Fails, naming `what` and why its context ended, unless that is the device's present
// one.
bool device_check_generation(
        struct device *device, uint64_t generation, const char *what, struct error *err);
// Whether device_free waits for kernels first: streams of other libraries or other
// processes may use the memory, in an order that nothing else keeps.
bool device_free_waits(struct device *device, bool is_shared);
// Frees memory of ours, or drops it where its context has ended.
bool device_free(struct device *device, device_address address, uint64_t generation,
        bool is_shared, struct error *err);

// device/raise.c: fails with the exception that a thread of a kernel raised. `status`:
// number of its raise site; `code` of the error gets it. `line`: 0 for the site's.
bool device_raise(const struct compiled *compiled, int32_t status, const int32_t *thread,
        const int32_t *block, int line, struct error *err);

// device/stop.c: around a call that may wait for kernels. An interrupt that comes while
// it does makes them leave: `end` is then true, and says so to the wait that gives it
// what its `begin` gave. Not to be used where Python code may run.
unsigned device_wait_begin(struct device *device);
bool device_wait_end(struct device *device, unsigned stops);
// Waits for the device before a call that would do so with the driver locked, and where
// no exception can be raised: an interrupt ends the wait, and Python raises it after.
void device_wait_idle(struct device *device);
// To be called before there is a kernel that can be stopped.
void device_stop_watch(void);

// device/launch_limits.c: adds to the error of a launch that the device refused what is
// too large, and what would fit.
void launch_explain(struct device *device, struct device_kernel *kernel,
        const struct compiled *compiled, const struct launch_config *config,
        struct error *err);

// The kinds of devices, which lie above: how they are opened.
struct device_kinds {
    // Appends the devices of the driver; *count 0 and true when there is no driver.
    bool (*open_cuda)(
            struct device **devices, size_t capacity, size_t *count, struct error *err);
    struct device *(*create_emulated)(int id);
};

// device/device_registry.c: the devices of this process, found at first use by
// GRIDCELL_DEVICE (auto, cuda, emulator) and NUMBA_ENABLE_CUDASIM. auto takes the CUDA
// devices, and the emulated one when there are none. Idempotent, thread-safe: the first
// call that succeeds decides.
bool devices_init(const struct device_kinds *kinds, struct error *err);
// Why auto took the emulated device; NULL: it did not. Borrowed.
const char *devices_fallback(void);
size_t device_count(void);
struct device *device_borrowed(size_t id);
