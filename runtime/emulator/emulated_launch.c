// SPDX-License-Identifier: MIT
// Runs a grid: checks its limits, shares its blocks out over the thread pool, gives each
// running block shared memory and coroutine frames, and reports the first thread that
// raised.
#include "runtime/emulator/emulator.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"
#include "runtime/emulator/thread_pool.h"

// Memory of one block that runs.
struct block_memory {
    struct block_memory *next;
    size_t shared_bytes, scratch_bytes;
    void *shared, *scratch;
};

struct emulated_scratch {
    pthread_mutex_t lock;
    struct block_memory *idle; // guarded by lock
};

struct launch {
    struct emulated_scratch *scratch;
    const struct compiled *compiled;
    const struct launch_config *config;
    const void *args;
    size_t shared_bytes, scratch_bytes;
    int64_t block_count, chunk;
    atomic_llong next;  // first block that nobody has taken
    atomic_bool failed; // set with the fields below, which the lock of `scratch` guards
    int32_t status;
    int64_t failed_index;
    int32_t failed_block[3], failed_thread[3];
};

struct emulated_scratch *emulated_scratch_create(void)
{
    struct emulated_scratch *scratch = memory_zalloc(sizeof *scratch);
    pthread_mutex_init(&scratch->lock, NULL);
    return scratch;
}

static void block_memory_destroy(struct block_memory *memory)
{
    free(memory->shared);
    free(memory->scratch);
    free(memory);
}

void emulated_scratch_destroy(struct emulated_scratch *scratch)
{
    if (!scratch)
        return;
    while (scratch->idle) {
        struct block_memory *memory = scratch->idle;
        scratch->idle = memory->next;
        block_memory_destroy(memory);
    }
    pthread_mutex_destroy(&scratch->lock);
    free(scratch);
}

static bool grow(void **memory, size_t *size_bytes, size_t wanted_bytes)
{
    if (*size_bytes >= wanted_bytes)
        return true;
    size_t rounded = (wanted_bytes + 4095) & ~(size_t)4095;
    void *grown = aligned_alloc(64, rounded);
    if (!grown)
        return false;
    free(*memory);
    *memory = grown;
    *size_bytes = rounded;
    return true;
}

// Memory for a block, taken from the idle ones; NULL when there is no more to be had.
static struct block_memory *block_memory_take(struct launch *launch)
{
    struct emulated_scratch *scratch = launch->scratch;
    pthread_mutex_lock(&scratch->lock);
    struct block_memory *memory = scratch->idle;
    if (memory)
        scratch->idle = memory->next;
    pthread_mutex_unlock(&scratch->lock);
    if (!memory)
        memory = memory_zalloc(sizeof *memory);
    if (grow(&memory->shared, &memory->shared_bytes, launch->shared_bytes) &&
            grow(&memory->scratch, &memory->scratch_bytes, launch->scratch_bytes))
        return memory;
    block_memory_destroy(memory);
    return NULL;
}

static void block_memory_return(struct launch *launch, struct block_memory *memory)
{
    pthread_mutex_lock(&launch->scratch->lock);
    memory->next = launch->scratch->idle;
    launch->scratch->idle = memory;
    pthread_mutex_unlock(&launch->scratch->lock);
}

// Keeps the failure of the block that comes first in the grid.
static void launch_fail(struct launch *launch, int32_t status, int64_t index,
        const struct abi_emulated_block *block)
{
    pthread_mutex_lock(&launch->scratch->lock);
    if (!atomic_load(&launch->failed) || index < launch->failed_index) {
        launch->status = status;
        launch->failed_index = index;
        for (int axis = 0; axis < 3; axis++) {
            launch->failed_block[axis] = block->block_idx[axis];
            launch->failed_thread[axis] = block->failed_thread[axis];
        }
        atomic_store(&launch->failed, true);
    }
    pthread_mutex_unlock(&launch->scratch->lock);
}

static void block_place(struct abi_emulated_block *block, int64_t index)
{
    int64_t row = index / block->grid_dim[0];
    block->block_idx[0] = (int32_t)(index % block->grid_dim[0]);
    block->block_idx[1] = (int32_t)(row % block->grid_dim[1]);
    block->block_idx[2] = (int32_t)(row / block->grid_dim[1]);
}

// Takes blocks and runs them until none is left or one has failed; on every thread of the
// launch.
static void run_blocks(void *context)
{
    struct launch *launch = context;
    struct abi_emulated_block block = {
            .dynamic_shared_bytes = (int64_t)launch->config->dynamic_shared_bytes,
            .stop = &compiler_interrupt_flag,
    };
    for (int axis = 0; axis < 3; axis++) {
        block.grid_dim[axis] = launch->config->grid_dim[axis];
        block.block_dim[axis] = launch->config->block_dim[axis];
    }
    struct block_memory *memory = block_memory_take(launch);
    if (!memory) {
        launch_fail(launch, STATUS_MEMORY, 0, &block);
        return;
    }
    block.shared = memory->shared;
    block.scratch = memory->scratch;
    block.scratch_bytes = (int64_t)memory->scratch_bytes;
    for (;;) {
        int64_t index = atomic_fetch_add(&launch->next, launch->chunk),
                end = index + launch->chunk;
        if (index >= launch->block_count)
            break;
        if (end > launch->block_count)
            end = launch->block_count;
        for (; index < end &&
                !atomic_load_explicit(&launch->failed, memory_order_relaxed);
                index++) {
            block_place(&block, index);
            int32_t status = compiler_interrupt_flag ? STATUS_INTERRUPTED
                                                     : launch->compiled->emulated_entry(
                                                               &block, launch->args);
            if (status != STATUS_OK)
                launch_fail(launch, status, index, &block);
        }
        if (atomic_load(&launch->failed))
            break;
    }
    block_memory_return(launch, memory);
}

static bool report_raise(const struct launch *launch, struct error *err)
{
    const struct compiled *compiled = launch->compiled;
    size_t site_index = (size_t)launch->status - 1;
    if (site_index >= compiled->raise_site_count)
        return error_set(err, ERROR_RUNTIME, SPAN_NONE, "kernel ended with status %d",
                launch->status);
    const struct raise_site *site = &compiled->raise_sites[site_index];
    const int32_t *thread = launch->failed_thread, *block = launch->failed_block;
    // numba lists the coordinates as z, y, x
    error_set(err, site->kind ? site->kind : ERROR_RUNTIME, site->span,
            "In function '%s', file %s, line %d, tid=[%d, %d, %d] ctaid=[%d, %d, %d]%s%s",
            site->function ? site->function : "?",
            site->span.file ? site->span.file : "?", site->span.line, thread[2],
            thread[1], thread[0], block[2], block[1], block[0], site->message ? ": " : "",
            site->message ? site->message : "");
    err->code = launch->status;
    return false;
}

static bool report(const struct launch *launch, struct error *err)
{
    if (!atomic_load(&launch->failed))
        return true;
    switch (launch->status) {
    case STATUS_INTERRUPTED:
        return error_set(err, ERROR_INTERRUPT, SPAN_NONE,
                "interrupted while a kernel was running");
    case STATUS_PYTHON:
        return error_set(err, ERROR_PYTHON, SPAN_NONE, "Python exception in a kernel");
    case STATUS_MEMORY:
        return emulated_error(err, DEVICE_ERROR_OUT_OF_MEMORY, "cuLaunchKernel");
    default:
        return report_raise(launch, err);
    }
}

static bool is_within_limits(
        const struct compiled *compiled, const struct launch_config *config)
{
    const int32_t *grid = config->grid_dim, *block = config->block_dim;
    for (int axis = 0; axis < 3; axis++) {
        int32_t max_block =
                axis == 2 ? EMULATOR_MAX_BLOCK_Z : EMULATOR_MAX_THREADS_PER_BLOCK;
        if (grid[axis] < 1 || block[axis] < 1 || block[axis] > max_block)
            return false;
        if (axis > 0 && grid[axis] > EMULATOR_MAX_GRID_YZ)
            return false;
    }
    return block[0] * block[1] * block[2] <= EMULATOR_MAX_THREADS_PER_BLOCK &&
           config->dynamic_shared_bytes <= EMULATOR_SHARED_BYTES &&
           compiled->static_shared_bytes + config->dynamic_shared_bytes <=
                   EMULATOR_SHARED_BYTES;
}

bool emulated_launch(struct emulated_scratch *scratch, const struct compiled *compiled,
        const struct launch_config *config, const void *args, struct error *err)
{
    if (!is_within_limits(compiled, config))
        return emulated_error(err, DEVICE_ERROR_INVALID_VALUE, "cuLaunchKernel");
    const int32_t *grid = config->grid_dim, *block = config->block_dim;
    size_t threads = (size_t)block[0] * (size_t)block[1] * (size_t)block[2];
    size_t cores = thread_pool_cores();
    struct launch launch = {
            .scratch = scratch,
            .compiled = compiled,
            .config = config,
            .args = args,
            // 64 more: dynamic shared memory begins aligned
            .shared_bytes =
                    compiled->static_shared_bytes + config->dynamic_shared_bytes + 64,
            .scratch_bytes = ((compiled->frame_bytes + 15) & ~(size_t)15) * threads,
            .block_count = (int64_t)grid[0] * grid[1] * grid[2],
    };
    launch.chunk = launch.block_count / ((int64_t)cores * 16);
    if (launch.chunk < 1)
        launch.chunk = 1;
    size_t helpers = cores - 1;
    if ((int64_t)helpers > launch.block_count - 1)
        helpers = (size_t)launch.block_count - 1;
    thread_pool_run(run_blocks, &launch, helpers);
    return report(&launch, err);
}
