// SPDX-License-Identifier: MIT
// Copies on a device that may be busy. The driver's copies of pageable memory wait for
// the kernels before them with the context locked: nobody could tell such a kernel to
// leave. So the waiting is done by a call that locks nothing.
#include "runtime/cuda/host_copy.h"

#include <string.h>

// Through a pinned buffer the device copies as soon as its kernels have ended; for larger
// copies the moment between the two does not count.
enum { SMALL_BYTES = 64 * 1024 };

// Needs the buffer's lock.
static bool have_buffer(struct cuda_device *cuda)
{
    void *memory = NULL;
    if (!cuda->small_buffer && !cuda_driver.cuMemHostAlloc(&memory, SMALL_BYTES, 0))
        cuda->small_buffer = memory;
    return cuda->small_buffer != NULL;
}

static bool copy_small(
        struct cuda_device *cuda, const struct host_copy *copy, struct error *err)
{
    bool is_done = CUDA_CALL(err, cuMemcpyDtoHAsync(cuda->small_buffer, copy->on_device,
                                          copy->size_bytes, copy->stream)) &&
                   CUDA_CALL(err, cuStreamSynchronize(copy->stream));
    if (is_done)
        memcpy(copy->on_host, cuda->small_buffer, copy->size_bytes);
    return is_done;
}

bool busy_copy_run(struct cuda_device *cuda, const struct host_copy *copy, bool *is_done,
        struct error *err)
{
    bool is_small = copy->size_bytes <= SMALL_BYTES;
    *is_done = false;
    if (is_small && copy->direction == COPY_TO_HOST &&
            !pthread_mutex_trylock(&cuda->small_lock)) {
        *is_done = have_buffer(cuda);
        bool is_right = !*is_done || copy_small(cuda, copy, err);
        pthread_mutex_unlock(&cuda->small_lock);
        if (*is_done)
            return is_right;
    }
    return CUDA_CALL(err, cuStreamSynchronize(copy->stream));
}

void busy_copy_forget(struct cuda_device *cuda)
{
    pthread_mutex_lock(&cuda->small_lock);
    cuda->small_buffer = NULL;
    pthread_mutex_unlock(&cuda->small_lock);
}

void busy_copy_close(struct cuda_device *cuda)
{
    if (cuda->small_buffer)
        cuda_driver.cuMemFreeHost(cuda->small_buffer);
    cuda->small_buffer = NULL;
}
