// SPDX-License-Identifier: MIT
// Kernels that leave when they are told to. The code of each has a variable of its own
// (struct abi_gpu_control) that its loops poll, in the device's memory; it is written by
// a copy on a stream that waits for no other, while the kernels run.
//
// The lock of the device guards the list of variables, which belong to the context.
#include "runtime/cuda/cuda_device.h"

#include "compiler/types/abi.h"

enum {
    STREAM_NON_BLOCKING = 1,
    FIRST_OF_ALL = -1000
}; // the driver knows how far it goes

void cuda_stop_add(struct device *device, uint64_t control)
{
    struct cuda_device *cuda = cuda_device_of(device);
    device_stop_watch();
    pthread_mutex_lock(&cuda->lock);
    vec_push(&cuda->controls, control);
    pthread_mutex_unlock(&cuda->lock);
}

void cuda_stop_remove(struct device *device, uint64_t control)
{
    struct cuda_device *cuda = cuda_device_of(device);
    pthread_mutex_lock(&cuda->lock);
    for (size_t i = 0; i < cuda->controls.len; i++) {
        if (cuda->controls.items[i] != control)
            continue;
        cuda->controls.items[i] = cuda->controls.items[--cuda->controls.len];
        break;
    }
    pthread_mutex_unlock(&cuda->lock);
}

void cuda_stop_forget(struct cuda_device *cuda)
{
    cuda->controls.len = 0;
}

// Gives each kernel's variable a value. Needs the lock. Failures are the context's, which
// the next call of its user reports. The stream lives no longer than that: one more makes
// each launch slower. By its priority it shares no queue of the hardware with kernels.
static void set_all(struct cuda_device *cuda, const struct abi_gpu_control *control)
{
    struct cuda_stream *stream = NULL;
    if (!cuda->context || cuda_driver.cuCtxSetCurrent(cuda->context) ||
            cuda_driver.cuStreamCreateWithPriority(
                    &stream, STREAM_NON_BLOCKING, FIRST_OF_ALL))
        return;
    vec_each (address, &cuda->controls)
        cuda_driver.cuMemcpyHtoDAsync(*address, control, sizeof *control, stream);
    cuda_driver.cuStreamSynchronize(stream);
    cuda_driver.cuStreamDestroy(stream);
}

// Blocks that wait for each other see the flag, and need no count of who is there.
void cuda_stop(struct device *device)
{
    static const struct abi_gpu_control stop = {.stop = 1};
    struct cuda_device *cuda = cuda_device_of(device);
    pthread_mutex_lock(&cuda->lock);
    set_all(cuda, &stop);
    pthread_mutex_unlock(&cuda->lock);
}

// First all kernels leave, those too that stood in the queue.
void cuda_resume(struct device *device)
{
    static const struct abi_gpu_control run = {0};
    struct cuda_device *cuda = cuda_device_of(device);
    struct error ignored = {0};
    if (!cuda_enter(device, &ignored))
        return;
    cuda_driver.cuCtxSynchronize();
    pthread_mutex_lock(&cuda->lock);
    set_all(cuda, &run);
    pthread_mutex_unlock(&cuda->lock);
}
