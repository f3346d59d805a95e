// SPDX-License-Identifier: MIT
// Splits a loop into equal chunks, one per thread; the calling thread takes the first.
#include "runtime/host/parallel_loop.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

enum { MAX_THREADS = 128, MAX_OPERANDS = 32, CHUNK_MIN = 8192 };

static atomic_int thread_count; // 0: not yet asked for

struct chunk {
    abi_ufunc_loop loop;
    char *args[MAX_OPERANDS];
    intptr_t dims[1];
    const intptr_t *steps;
    int32_t status;
    pthread_t thread;
    bool is_started;
};

int parallel_thread_limit(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > MAX_THREADS ? MAX_THREADS : (int)count;
}

int parallel_thread_count(void)
{
    int count = atomic_load(&thread_count);
    return count ? count : parallel_thread_limit();
}

void parallel_set_thread_count(int count)
{
    atomic_store(&thread_count, count);
}

static void *run_chunk(void *data)
{
    struct chunk *chunk = data;
    chunk->loop(chunk->args, chunk->dims, chunk->steps, &chunk->status);
    return NULL;
}

static int chunk_count(intptr_t len, const intptr_t *steps, int input_count)
{
    if (!steps[input_count] || input_count + 1 > MAX_OPERANDS)
        return 1; // a reduction
    intptr_t count = len / CHUNK_MIN;
    int threads = parallel_thread_count();
    return count < 2 ? 1 : count > threads ? threads : (int)count;
}

void parallel_loop(abi_ufunc_loop loop, char **args, const intptr_t *dims,
        const intptr_t *steps, int input_count, int32_t *status)
{
    int count = chunk_count(dims[0], steps, input_count);
    if (count == 1) {
        loop(args, dims, steps, status);
        return;
    }
    struct chunk chunks[MAX_THREADS];
    intptr_t done = 0;
    for (int i = 0; i < count; i++) {
        struct chunk *chunk = &chunks[i];
        *chunk = (struct chunk){.loop = loop, .steps = steps};
        chunk->dims[0] = (dims[0] - done) / (count - i);
        for (int operand = 0; operand <= input_count; operand++)
            chunk->args[operand] = args[operand] + done * steps[operand];
        done += chunk->dims[0];
        if (i > 0)
            chunk->is_started =
                    pthread_create(&chunk->thread, NULL, run_chunk, chunk) == 0;
    }
    for (int i = 0; i < count; i++)
        if (!chunks[i].is_started)
            run_chunk(&chunks[i]);
    for (int i = 0; i < count; i++) {
        if (chunks[i].is_started)
            pthread_join(chunks[i].thread, NULL);
        if (!*status)
            *status = chunks[i].status;
    }
}
