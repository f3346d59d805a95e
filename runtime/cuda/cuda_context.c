// SPDX-License-Identifier: MIT
// The primary context of a device: made at first use, given up when a kernel's fault has
// made it useless or the user resets it, and then made anew. What a lost context held is
// gone; the device's generation tells what was made in which.
//
// CUDA ends a context at the first fault of a kernel: from then on each call in it
// returns that error. Other programs end there; a notebook should not. So a context is an
// era with a number, the device's generation. Objects note the generation they were made
// in (runtime/device), and are refused once it has gone by.
//
// The lock guards the context, the pool and the names of recent kernels. It is not held
// while the device is waited for, but for a reset.
#include "runtime/cuda/cuda_device.h"

#include <stdio.h>
#include <string.h>

#include "compiler/ir/ir.h"
#include "compiler/types/source.h"
#include "runtime/cuda/host_copy.h"

// The generation in which this thread last entered a device: a failure that comes late is
// of that context, not of its successor.
static _Thread_local uint64_t entered;

// Whether this thread's latest entry found no context and got none: then a failure is not
// a kernel's, and the message must not promise the context that was just refused. Some
// drivers answer with the kernel's own error.
static _Thread_local bool was_refused;

// Freed memory stays in the pool: giving it back to the driver at each synchronisation
// would cost each allocation of a loop a fresh mapping.
// One pool for the device, the driver's default one, which other libraries may use, too.
static bool open_pool(struct cuda_device *cuda, struct error *err)
{
    int has_pools = 0;
    uint64_t keep_all = UINT64_MAX;
    if (!CUDA_CALL(err, cuDeviceGetAttribute(&has_pools,
                                CUDA_DEVICE_MEMORY_POOLS_SUPPORTED, cuda->handle)))
        return false;
    cuda->has_pool = has_pools;
    if (!has_pools)
        return true;
    return CUDA_CALL(err, cuDeviceGetDefaultMemPool(&cuda->pool, cuda->handle)) &&
           CUDA_CALL(err, cuMemPoolSetAttribute(
                                  cuda->pool, CUDA_POOL_RELEASE_THRESHOLD, &keep_all));
}

// Frees what earlier contexts left in the pool. Needs the lock, and the context's thread.
static void free_orphans(struct cuda_device *cuda)
{
    vec_each (address, &cuda->orphans)
        cuda_driver.cuMemFreeAsync(*address, NULL);
    cuda->orphans.len = 0;
}

// Needs the lock.
static bool open_context(struct cuda_device *cuda, struct error *err)
{
    struct cuda_context *context = NULL;
    bool is_retained = CUDA_CALL(err, cuDevicePrimaryCtxRetain(&context, cuda->handle));
    if (is_retained && open_pool(cuda, err)) {
        cuda->context = context;
        if (cuda->orphans.len && cuda_driver.cuCtxSetCurrent(context) == CUDA_SUCCESS)
            free_orphans(cuda);
        return true;
    }
    if (is_retained)
        cuda_driver.cuDevicePrimaryCtxRelease(cuda->handle);
    if (atomic_load(&cuda->device.generation))
        error_note(err,
                "; the context of device %d could not be opened again after it had "
                "ended: "
                "restart the kernel",
                cuda->device.id);
    return false;
}

// Destroys the context with all it holds, whatever its state. Other users of the primary
// context in this process lose it, too. Needs the lock.
// Release alone would leave it alive as long as others have it, useless for all of them.
static void abandon_context(struct cuda_device *cuda)
{
    cuda_driver.cuCtxSetCurrent(NULL);
    host_copy_buffers_forget(cuda->buffers);
    busy_copy_forget(cuda);
    cuda_driver.cuDevicePrimaryCtxRelease(cuda->handle);
    cuda_driver.cuDevicePrimaryCtxReset(cuda->handle);
    cuda->context = NULL;
    cuda->pool = NULL;
    cuda->is_lost = false;
    cuda_stack_forget(cuda);
    cuda_stop_forget(cuda);
    cuda_queue_forget(cuda);
    cuda->recent_count = 0;
    cuda->last_launched = NULL;
}

// Needs the lock.
// Only once for each context: the generation goes on by one.
static void mark_lost(struct cuda_device *cuda)
{
    if (cuda->is_lost || !cuda->context)
        return;
    cuda->is_lost = cuda->was_lost = true;
    cuda->orphans.len = 0;
    device_context_ended(&cuda->device, CONTEXT_LOST);
}

// Needs the lock.
// A lost context is abandoned at the next use and not at once: who finds the fault may be
// in the middle of an object's end.
static struct cuda_context *have_context(struct cuda_device *cuda, struct error *err)
{
    if (cuda->is_lost)
        abandon_context(cuda);
    bool is_open = cuda->context || open_context(cuda, err);
    entered = atomic_load(&cuda->device.generation);
    was_refused = !is_open;
    return is_open ? cuda->context : NULL;
}

// Other libraries of the process set contexts too, so the thread's is set at each call.
// One of them may also have reset the device: then the context is no more.
bool cuda_enter(struct device *device, struct error *err)
{
    struct cuda_device *cuda = cuda_device_of(device);
    if (!cuda_driver_is_usable(err))
        return false;
    pthread_mutex_lock(&cuda->lock);
    struct cuda_context *context = have_context(cuda, err);
    int result = context ? cuda_driver.cuCtxSetCurrent(context) : CUDA_SUCCESS;
    if (result == CUDA_ERROR_INVALID_CONTEXT ||
            result == CUDA_ERROR_CONTEXT_IS_DESTROYED) {
        mark_lost(cuda);
        context = have_context(cuda, err);
        result = context ? cuda_driver.cuCtxSetCurrent(context) : CUDA_SUCCESS;
    }
    pthread_mutex_unlock(&cuda->lock);
    return context && cuda_check(result, "cuCtxSetCurrent", err);
}

// Nobody may enter meanwhile.
bool cuda_context_reset(struct device *device, enum context_end why, struct error *err)
{
    struct cuda_device *cuda = cuda_device_of(device);
    if (!cuda_driver_is_usable(err))
        return false;
    pthread_mutex_lock(&cuda->lock);
    if (cuda->context) {
        if (!cuda->is_lost) {
            device_context_ended(device, why);
            if (cuda_driver.cuCtxSetCurrent(cuda->context) == CUDA_SUCCESS)
                cuda_driver.cuCtxSynchronize(); // whose failure ends with the context
        }
        abandon_context(cuda);
    }
    pthread_mutex_unlock(&cuda->lock);
    return true;
}

// Memory of the pool outlives a context that was reset in good order; its addresses are
// freed in the next one.
void cuda_forget(struct device *device, enum device_resource kind, uint64_t handle)
{
    struct cuda_device *cuda = cuda_device_of(device);
    struct error ignored = {0};
    if (kind != RESOURCE_POOL_MEMORY || !cuda_driver_is_usable(&ignored))
        return;
    pthread_mutex_lock(&cuda->lock);
    if (cuda->has_pool &&
            !cuda->was_lost) { // after a fault nobody knows what the pool still holds
        vec_push(&cuda->orphans, handle);
        if (cuda->pool && cuda_driver.cuCtxSetCurrent(cuda->context) == CUDA_SUCCESS)
            free_orphans(cuda);
    }
    pthread_mutex_unlock(&cuda->lock);
}

void cuda_context_close(struct cuda_device *cuda)
{
    struct error ignored = {0};
    if (!cuda->context || !cuda_driver_is_usable(&ignored))
        return;
    cuda_driver.cuCtxSetCurrent(cuda->context);
    host_copy_buffers_destroy(cuda->buffers);
    busy_copy_close(cuda);
    cuda->buffers = NULL;
    cuda_driver.cuDevicePrimaryCtxRelease(cuda->handle);
    cuda->context = NULL;
}

// Whether every later call in the context returns the same error.
static bool is_fatal(int code)
{
    static const int fatal[] = {CUDA_ERROR_ECC_UNCORRECTABLE, CUDA_ERROR_ILLEGAL_ADDRESS,
            CUDA_ERROR_LAUNCH_TIMEOUT, CUDA_ERROR_CONTEXT_IS_DESTROYED, CUDA_ERROR_ASSERT,
            CUDA_ERROR_HARDWARE_STACK_ERROR, CUDA_ERROR_ILLEGAL_INSTRUCTION,
            CUDA_ERROR_MISALIGNED_ADDRESS, CUDA_ERROR_INVALID_ADDRESS_SPACE,
            CUDA_ERROR_INVALID_PC, CUDA_ERROR_LAUNCH_FAILED};
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        if (fatal[i] == code)
            return true;
    return false;
}

static size_t named_kernels(const struct cuda_device *cuda)
{
    return cuda->recent_count < RECENT_KERNELS ? cuda->recent_count : RECENT_KERNELS;
}

// Needs the lock.
static void name_suspects(const struct cuda_device *cuda, struct error *err)
{
    size_t named = named_kernels(cuda);
    if (named == 1)
        error_note(err, " in kernel %s", cuda->recent[0]);
    else if (named > 1)
        error_note(err, " in one of the kernels launched last: ");
    for (size_t i = 0; named > 1 && i < named; i++)
        error_note(err, "%s%s", i ? ", " : "",
                cuda->recent[(cuda->recent_count - named + i) % RECENT_KERNELS]);
}

// Around each call that may report a fault. Faults come late: the call that reports one
// need not be the one to blame, hence the list of kernels launched since the device was
// last idle.
bool cuda_blame(struct device *device, bool is_done, struct error *err)
{
    if (is_done || err->kind != ERROR_DEVICE || !is_fatal(err->code) || was_refused)
        return is_done;
    struct cuda_device *cuda = cuda_device_of(device);
    pthread_mutex_lock(&cuda->lock);
    name_suspects(cuda, err);
    if (entered == atomic_load(&device->generation))
        mark_lost(cuda);
    pthread_mutex_unlock(&cuda->lock);
    return error_note(err,
            ". The context of device %d is lost: device arrays, streams and events made "
            "in it cannot be used any more; the next use of the device asks for a new "
            "one",
            device->id);
}

// Needs the lock.
static void name_kernel(struct cuda_device *cuda, const struct compiled *compiled)
{
    const struct ir_function *function = compiled->function;
    char text[RECENT_BYTES], more[RECENT_BYTES / 3] = "";
    if (compiled->recurses)
        snprintf(more, sizeof more, ", which recurses on a stack of %zu bytes a thread",
                cuda_stack_bytes(cuda));
    if (function->source)
        snprintf(text, sizeof text, "'%.60s' (%.80s:%d)%s", function->name,
                function->source->file, function->source->first_line, more);
    else
        snprintf(text, sizeof text, "'%.60s'%s", function->name, more);
    for (size_t i = 0; i < named_kernels(cuda); i++)
        if (!strcmp(cuda->recent[i], text))
            return;
    memcpy(cuda->recent[cuda->recent_count++ % RECENT_KERNELS], text, sizeof text);
}

void cuda_launched(
        struct device *device, const void *kernel, const struct compiled *compiled)
{
    struct cuda_device *cuda = cuda_device_of(device);
    pthread_mutex_lock(&cuda->lock);
    if (kernel && kernel != cuda->last_launched)
        name_kernel(cuda, compiled);
    cuda->last_launched = kernel;
    pthread_mutex_unlock(&cuda->lock);
}

void cuda_idle(struct device *device)
{
    struct cuda_device *cuda = cuda_device_of(device);
    pthread_mutex_lock(&cuda->lock);
    cuda->recent_count = 0;
    cuda->last_launched = NULL;
    pthread_mutex_unlock(&cuda->lock);
}

bool cuda_may_be_busy(struct device *device)
{
    struct cuda_device *cuda = cuda_device_of(device);
    pthread_mutex_lock(&cuda->lock);
    bool may_be = cuda->recent_count > 0;
    pthread_mutex_unlock(&cuda->lock);
    return may_be;
}
