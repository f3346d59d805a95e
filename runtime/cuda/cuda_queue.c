// SPDX-License-Identifier: MIT
// How many launches wait their turn. The driver's queue holds about a thousand; one more
// waits with the context locked, and nobody could tell the kernel in front to leave. So
// we wait before, for a mark that was set among them, which locks nothing.
#include "runtime/cuda/cuda_device.h"

enum { LAUNCHES_BY_MARK = 128, CAPTURE_MODE_RELAXED = 2 };

// Waits for the mark's former place, and sets it anew. Needs the lock of the queue.
static bool move_mark(
        struct cuda_event **mark, struct cuda_stream *stream, struct error *err)
{
    if (*mark && !CUDA_CALL(err, cuEventSynchronize(*mark)))
        return false;
    return (*mark || CUDA_CALL(err, cuEventCreate(mark, CUDA_EVENT_DISABLE_TIMING))) &&
           CUDA_CALL(err, cuEventRecord(*mark, stream));
}

// Another library may be recording a graph: on this stream, where launches do not run and
// a mark would become a part of the graph, or on one of its own, which forbids other
// threads to wait unless they say that they know.
static bool is_recorded(struct cuda_stream *stream)
{
    int status = 0;
    return cuda_driver.cuStreamIsCapturing(stream, &status) || status;
}

static bool set_mark(
        struct cuda_event **mark, struct cuda_stream *stream, struct error *err)
{
    int mode = CAPTURE_MODE_RELAXED;
    if (is_recorded(stream) || cuda_driver.cuThreadExchangeStreamCaptureMode(&mode))
        return true;
    bool is_done = move_mark(mark, stream, err);
    cuda_driver.cuThreadExchangeStreamCaptureMode(&mode);
    return is_done;
}

bool cuda_queue_launched(
        struct device *device, struct device_stream *stream, struct error *err)
{
    struct cuda_device *cuda = cuda_device_of(device);
    unsigned number =
            1 + atomic_fetch_add_explicit(&cuda->launches, 1, memory_order_relaxed);
    if (number % LAUNCHES_BY_MARK)
        return true;
    pthread_mutex_lock(&cuda->queue_lock);
    bool is_done = set_mark(&cuda->marks[number / LAUNCHES_BY_MARK % QUEUE_MARKS],
            cuda_stream_of(stream), err);
    pthread_mutex_unlock(&cuda->queue_lock);
    return is_done;
}

void cuda_queue_forget(struct cuda_device *cuda)
{
    for (size_t i = 0; i < QUEUE_MARKS; i++)
        cuda->marks[i] = NULL;
}
