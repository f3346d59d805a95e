// SPDX-License-Identifier: MIT
// Copies of pageable memory. One thread copies at a fraction of the bus's speed, so the
// copy is cut into chunks that several threads take as they come. Each thread has a lane
// of two pinned buffers: while the device copies one, the thread fills or empties the
// other. Chunks do not overlap, so their order on the stream does not matter.
#include "runtime/cuda/host_copy.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runtime/threads/thread_pool.h"

enum {
    CHUNK_BYTES = 1 << 20,
    THRESHOLD_BYTES = 4 << 20, // below, the driver's own copy is as fast
    MAX_LANES = 10,
    LANE_BUFFERS = 2,
};

struct buffer {
    char *memory;              // pinned, CHUNK_BYTES
    struct cuda_event *copied; // recorded after the device's last copy from or to it
    bool is_in_flight;         // since `copied` was recorded, nobody has waited for it
};

struct host_copy_buffers {
    pthread_mutex_t lock; // held by the one copy that has the buffers
    char *memory;         // of all buffers; NULL until the first copy
    size_t lane_count;
    bool is_refused; // there was no pinned memory: not asked for again
    struct buffer buffers[MAX_LANES][LANE_BUFFERS];
};

// What the threads of one copy share.
struct job {
    struct host_copy_buffers *buffers;
    struct cuda_context *context;
    const struct host_copy *copy;
    size_t chunk_count;
    atomic_size_t next_chunk, next_lane;
    atomic_bool has_failed;
    pthread_mutex_t lock;
    struct error error; // guarded by lock; the first failure
};

// A chunk of the copy that a thread has taken, in the buffer it goes through.
struct piece {
    struct buffer *buffer;
    size_t offset, size_bytes;
};

struct host_copy_buffers *host_copy_buffers_create(void)
{
    struct host_copy_buffers *buffers = memory_zalloc(sizeof *buffers);
    pthread_mutex_init(&buffers->lock, NULL);
    return buffers;
}

static void release(struct host_copy_buffers *buffers)
{
    for (size_t lane = 0; lane < MAX_LANES; lane++) {
        for (size_t i = 0; i < LANE_BUFFERS; i++) {
            struct buffer *buffer = &buffers->buffers[lane][i];
            if (buffer->is_in_flight)
                cuda_driver.cuEventSynchronize(buffer->copied);
            if (buffer->copied)
                cuda_driver.cuEventDestroy(buffer->copied);
            *buffer = (struct buffer){0};
        }
    }
    if (buffers->memory)
        cuda_driver.cuMemFreeHost(buffers->memory);
    buffers->memory = NULL;
}

void host_copy_buffers_destroy(struct host_copy_buffers *buffers)
{
    if (!buffers)
        return;
    release(buffers);
    pthread_mutex_destroy(&buffers->lock);
    free(buffers);
}

void host_copy_buffers_forget(struct host_copy_buffers *buffers)
{
    pthread_mutex_lock(&buffers->lock);
    memset(buffers->buffers, 0, sizeof buffers->buffers);
    buffers->memory = NULL;
    buffers->is_refused = false;
    pthread_mutex_unlock(&buffers->lock);
}

// The driver does not know pageable memory. Asked for several attributes it leaves what
// it does not know at 0; asked for one it answers with an error, which tools that watch
// the calls report.
bool host_copy_is_pageable(const struct host_copy *copy)
{
    unsigned kind = 0;
    int attribute = CUDA_POINTER_MEMORY_TYPE;
    void *value = &kind;
    int result = cuda_driver.cuPointerGetAttributes(
            1, &attribute, &value, (uint64_t)(uintptr_t)copy->on_host);
    return result == CUDA_SUCCESS && kind == 0;
}

bool host_copy_is_worthwhile(const struct host_copy *copy)
{
    return copy->size_bytes >= THRESHOLD_BYTES && host_copy_is_pageable(copy);
}

// Allocates all buffers at once. Needs the buffers' lock.
static bool have_buffers(struct host_copy_buffers *buffers)
{
    if (buffers->memory || buffers->is_refused)
        return buffers->memory != NULL;
    size_t cores = thread_pool_cores();
    buffers->lane_count = cores < 2 ? 2 : cores < MAX_LANES ? cores : MAX_LANES;
    size_t size = buffers->lane_count * LANE_BUFFERS * CHUNK_BYTES;
    void *memory = NULL;
    bool is_done = !cuda_driver.cuMemHostAlloc(&memory, size, CUDA_HOST_ALLOC_PORTABLE);
    buffers->memory = is_done ? memory : NULL;
    for (size_t i = 0; is_done && i < buffers->lane_count * LANE_BUFFERS; i++) {
        struct buffer *buffer = &buffers->buffers[i / LANE_BUFFERS][i % LANE_BUFFERS];
        buffer->memory = buffers->memory + i * CHUNK_BYTES;
        is_done = !cuda_driver.cuEventCreate(&buffer->copied, CUDA_EVENT_DISABLE_TIMING);
    }
    if (!is_done) {
        release(buffers);
        buffers->is_refused = true;
    }
    return is_done;
}

static bool wait_for(struct buffer *buffer, struct error *err)
{
    if (!buffer->is_in_flight)
        return true;
    buffer->is_in_flight = false;
    return CUDA_CALL(err, cuEventSynchronize(buffer->copied));
}

static bool take_piece(struct job *job, struct buffer *buffer, struct piece *piece)
{
    if (atomic_load(&job->has_failed))
        return false;
    size_t chunk = atomic_fetch_add(&job->next_chunk, 1);
    if (chunk >= job->chunk_count)
        return false;
    size_t offset = chunk * CHUNK_BYTES, left = job->copy->size_bytes - offset;
    *piece = (struct piece){.buffer = buffer,
            .offset = offset,
            .size_bytes = left < CHUNK_BYTES ? left : CHUNK_BYTES};
    return true;
}

// Hands the piece to the device's copy engine.
static bool submit(
        const struct host_copy *copy, const struct piece *piece, struct error *err)
{
    struct buffer *buffer = piece->buffer;
    uint64_t address = copy->on_device + piece->offset;
    bool is_done = copy->direction == COPY_TO_DEVICE
                           ? CUDA_CALL(err, cuMemcpyHtoDAsync(address, buffer->memory,
                                                    piece->size_bytes, copy->stream))
                           : CUDA_CALL(err, cuMemcpyDtoHAsync(buffer->memory, address,
                                                    piece->size_bytes, copy->stream));
    if (!is_done || !CUDA_CALL(err, cuEventRecord(buffer->copied, copy->stream)))
        return false;
    buffer->is_in_flight = true;
    return true;
}

static bool upload(struct job *job, struct buffer *lane, struct error *err)
{
    struct piece piece;
    for (size_t turn = 0; take_piece(job, &lane[turn % LANE_BUFFERS], &piece); turn++) {
        if (!wait_for(piece.buffer, err))
            return false;
        memcpy(piece.buffer->memory, job->copy->on_host + piece.offset, piece.size_bytes);
        if (!submit(job->copy, &piece, err))
            return false;
    }
    return true;
}

static bool empty(const struct host_copy *copy, struct piece *piece, struct error *err)
{
    if (!wait_for(piece->buffer, err))
        return false;
    memcpy(copy->on_host + piece->offset, piece->buffer->memory, piece->size_bytes);
    return true;
}

// Keeps the device a piece ahead of the thread.
static bool download(struct job *job, struct buffer *lane, struct error *err)
{
    struct piece pieces[LANE_BUFFERS];
    size_t submitted = 0, emptied = 0;
    for (;;) {
        struct piece *next = &pieces[submitted % LANE_BUFFERS];
        if (submitted - emptied < LANE_BUFFERS &&
                take_piece(job, &lane[submitted % LANE_BUFFERS], next)) {
            if (!wait_for(next->buffer, err) || !submit(job->copy, next, err))
                return false;
            submitted++;
            if (submitted - emptied < LANE_BUFFERS)
                continue;
        }
        if (emptied == submitted)
            return true;
        if (!empty(job->copy, &pieces[emptied++ % LANE_BUFFERS], err))
            return false;
    }
}

static void work(void *context)
{
    struct job *job = context;
    struct error err = {0};
    size_t lane = atomic_fetch_add(&job->next_lane, 1);
    if (lane >= job->buffers->lane_count)
        return;
    struct buffer *buffers = job->buffers->buffers[lane];
    bool is_done =
            CUDA_CALL(&err, cuCtxSetCurrent(job->context)) &&
            (job->copy->direction == COPY_TO_DEVICE ? upload(job, buffers, &err)
                                                    : download(job, buffers, &err));
    if (is_done)
        return;
    pthread_mutex_lock(&job->lock);
    if (!job->error.kind)
        job->error = err;
    pthread_mutex_unlock(&job->lock);
    atomic_store(&job->has_failed, true);
}

bool host_copy_run(struct host_copy_buffers *buffers, struct cuda_context *context,
        const struct host_copy *copy, bool *is_done, struct error *err)
{
    struct job job = {.buffers = buffers,
            .context = context,
            .copy = copy,
            .chunk_count = (copy->size_bytes + CHUNK_BYTES - 1) / CHUNK_BYTES,
            .lock = PTHREAD_MUTEX_INITIALIZER};
    *is_done = false;
    pthread_mutex_lock(&buffers->lock);
    if (have_buffers(buffers)) {
        thread_pool_run(work, &job, buffers->lane_count - 1);
        *is_done = true;
    }
    pthread_mutex_unlock(&buffers->lock);
    pthread_mutex_destroy(&job.lock);
    if (!job.error.kind)
        return true;
    error_set(err, job.error.kind, job.error.span, "%s", job.error.message);
    err->code = job.error.code;
    return false;
}
