// SPDX-License-Identifier: MIT
// How deep kernels may recurse. The driver gives each thread the stack that its kernel is
// known to take, or, where a function may call itself, a limit of the context: 1 KiB at
// first, which a few unoptimised activations fill. The driver sets that memory aside for
// all threads that can be there at a time, so the device says how much it can spare.
#include "runtime/cuda/cuda_device.h"

enum {
    LIMIT_STACK_SIZE = 0,            // CU_LIMIT_STACK_SIZE
    MOST_BYTES = 16 * 1024,          // of a thread
    SHARE = 32,                      // of the device's memory, for all threads
    STEP_BYTES = 1024,               // sizes are multiples of it
    THREADS_PER_MULTIPROCESSOR = 39, // CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_...
};

static size_t affordable_bytes(const struct cuda_device *cuda)
{
    int multiprocessors = 0, threads = 0;
    size_t unused = 0, total = 0;
    if (cuda_driver.cuDeviceGetAttribute(
                &multiprocessors, DEVICE_MULTIPROCESSOR_COUNT, cuda->handle) ||
            cuda_driver.cuDeviceGetAttribute(
                    &threads, THREADS_PER_MULTIPROCESSOR, cuda->handle) ||
            cuda_driver.cuMemGetInfo(&unused, &total) || multiprocessors < 1 ||
            threads < 1)
        return 0;
    size_t bytes = total / SHARE / ((size_t)multiprocessors * (size_t)threads);
    return bytes < MOST_BYTES ? bytes / STEP_BYTES * STEP_BYTES : MOST_BYTES;
}

// A limit that is higher already is the user's. Where there is no room for a higher one,
// the kernel has what there is. The driver waits for the device before it sets a limit,
// so the lock is not held meanwhile; two threads that set it set the same.
void cuda_stack_enlarge(struct device *device)
{
    struct cuda_device *cuda = cuda_device_of(device);
    size_t bytes = 0;
    if (cuda_stack_bytes(cuda) || cuda_driver.cuCtxGetLimit(&bytes, LIMIT_STACK_SIZE))
        return;
    size_t wanted = affordable_bytes(cuda);
    if (wanted > bytes && !cuda_driver.cuCtxSetLimit(LIMIT_STACK_SIZE, wanted))
        bytes = wanted;
    atomic_store(&cuda->stack_bytes, bytes);
}

size_t cuda_stack_bytes(struct cuda_device *cuda)
{
    return atomic_load(&cuda->stack_bytes);
}

void cuda_stack_forget(struct cuda_device *cuda)
{
    atomic_store(&cuda->stack_bytes, 0);
}
