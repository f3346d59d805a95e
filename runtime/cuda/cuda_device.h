// SPDX-License-Identifier: MIT
// A device of the driver: shared by cuda_context.c, cuda_device.c (memory, streams,
// events), cuda_host_memory.c, cuda_ipc.c (other processes and devices) and cuda_module.c
// (kernels).
#pragma once

#include <pthread.h>

#include "base/vec.h"
#include "runtime/cuda/cuda_driver.h"
#include "runtime/device/device.h"

enum { RECENT_KERNELS = 4, RECENT_BYTES = 240, QUEUE_MARKS = 2 };

struct cuda_device {
    struct device device;
    int handle; // CUdevice
    pthread_mutex_t lock;
    // guarded by lock
    struct cuda_context *context; // NULL: there is none
    struct cuda_pool *pool;       // NULL: the device has none; set with `context`
    bool is_lost;                 // the context answers every call with an error
    bool has_pool;                // the device has one
    bool was_lost;                // an earlier one did
    VEC(uint64_t) orphans;        // to be freed: the pool's memory outlives contexts
    VEC(uint64_t) controls;       // of the kernels that can be stopped: cuda_stop.c
    // what was launched since the device was last seen idle; more are only counted
    char recent[RECENT_KERNELS][RECENT_BYTES];
    size_t recent_count;
    const void *last_launched; // the kernel that is the latest of `recent`
    // guarded by small_lock
    char *small_buffer; // pinned; NULL until it is needed: busy_copy.c
    pthread_mutex_t small_lock;
    // guarded by queue_lock: events among the launches that wait their turn
    struct cuda_event *marks[QUEUE_MARKS];
    pthread_mutex_t queue_lock;
    // not guarded
    atomic_uint launches;
    atomic_size_t
            stack_bytes; // of a thread of a kernel that recurses; 0: none was loaded
    struct host_copy_buffers *buffers;
};

// Appends the CUDA devices of the driver; *count 0 and true when there is no driver.
bool cuda_devices_open(
        struct device **devices, size_t capacity, size_t *count, struct error *err);
// Makes the device's primary context the calling thread's. It is created at first use,
// and anew after it was lost or reset.
bool cuda_enter(struct device *device, struct error *err);
// The operation context_reset.
bool cuda_context_reset(struct device *device, enum context_end why, struct error *err);
// The operation forget.
void cuda_forget(struct device *device, enum device_resource kind, uint64_t handle);
// Gives the context up at the end of the process.
void cuda_context_close(struct cuda_device *cuda);

static inline struct cuda_device *cuda_device_of(struct device *device)
{
    return device->implementation;
}

// A stream of the table is the driver's own handle.
static inline struct cuda_stream *cuda_stream_of(struct device_stream *stream)
{
    return (struct cuda_stream *)stream;
}

// To be called with the outcome of what may report a kernel's fault: names the kernels
// that may have caused it, and takes the context for lost if the fault has ended it.
bool cuda_blame(struct device *device, bool is_done, struct error *err);
// Remembers a launched kernel for cuda_blame; NULL forgets the latest's identity.
void cuda_launched(
        struct device *device, const void *kernel, const struct compiled *compiled);
// The device has been seen idle: nothing launched before can fault any more.
void cuda_idle(struct device *device);

// Whether a kernel may run: one was launched since the device was last seen idle.
bool cuda_may_be_busy(struct device *device);

// cuda_host_memory.c
bool cuda_host_alloc(
        struct device *device, struct host_memory *memory, struct error *err);
void cuda_host_free(struct device *device, struct host_memory *memory, bool is_live);

// cuda_ipc.c
bool cuda_memory_alloc_shared(struct device *device, size_t size_bytes,
        device_address *address, struct error *err);
bool cuda_memory_free_shared(
        struct device *device, device_address address, struct error *err);
bool cuda_ipc_export(struct device *device, device_address address,
        unsigned char handle[IPC_HANDLE_BYTES], struct error *err);
bool cuda_ipc_open(struct device *device, const unsigned char handle[IPC_HANDLE_BYTES],
        device_address *address, struct error *err);
bool cuda_ipc_close(struct device *device, device_address address, struct error *err);
bool cuda_peer_can_access(
        struct device *device, struct device *peer, bool *can_access, struct error *err);
bool cuda_peer_enable(struct device *device, struct device *peer, struct error *err);
bool cuda_copy_from_peer(struct device *device, device_address target,
        struct device *peer, device_address source, size_t size_bytes, struct error *err);

// cuda_link.c
// Loads a kernel that is linked with foreign code.
bool cuda_link_load(struct device *device, const struct compiled *compiled,
        struct cuda_module **module, struct error *err);

// cuda_module.c
uint64_t cuda_kernel_module(const struct device_kernel *kernel);
bool cuda_kernel_load(struct device *device, const struct compiled *compiled,
        struct device_kernel **kernel, struct error *err);
void cuda_kernel_unload(struct device *device, struct device_kernel *kernel);
bool cuda_kernel_attribute(struct device *device, struct device_kernel *kernel,
        enum kernel_attribute attribute, int *value, struct error *err);
bool cuda_kernel_blocks_at_once(struct device *device, struct device_kernel *kernel,
        int threads, size_t dynamic_shared_bytes, int *blocks, struct error *err);
bool cuda_kernel_prefer_shared(struct device *device, struct device_kernel *kernel,
        int percent, struct error *err);
bool cuda_launch(struct device *device, struct device_kernel *kernel,
        const struct launch_config *config, const void *args, struct error *err);

// cuda_queue.c: after each launch; waits where too many wait their turn.
bool cuda_queue_launched(
        struct device *device, struct device_stream *stream, struct error *err);
// The marks went with their context. Nobody may launch meanwhile.
void cuda_queue_forget(struct cuda_device *cuda);

// cuda_stack.c
// Before a kernel that recurses is launched: gives each thread as much stack as the
// device can spare, once in each context. The context must be the calling thread's.
void cuda_stack_enlarge(struct device *device);
// The size, in bytes.
size_t cuda_stack_bytes(struct cuda_device *cuda);
// The context has ended.
void cuda_stack_forget(struct cuda_device *cuda);

// cuda_stop.c: the operations stop and resume
void cuda_stop(struct device *device);
void cuda_resume(struct device *device);
// A kernel's variable (struct abi_gpu_control) in the present context.
void cuda_stop_add(struct device *device, uint64_t control);
void cuda_stop_remove(struct device *device, uint64_t control);
// The context has ended. Needs the lock.
void cuda_stop_forget(struct cuda_device *cuda);

// cuda_observation.c
struct cuda_counted; // where an observed launch counts
// Before a launch of an observed kernel: `variable` is told where to count. NULL with err
// set.
struct cuda_counted *cuda_observation_begin(const struct compiled *compiled,
        const struct launch_config *config, uint64_t variable, struct error *err);
// After it: waits for it, and adds what was counted unless the launch had failed.
bool cuda_observation_end(struct cuda_counted *counted, bool is_launched,
        const struct launch_config *config, struct error *err);

// cuda_program.c
extern const struct program_operations cuda_programs;
