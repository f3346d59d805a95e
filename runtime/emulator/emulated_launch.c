// SPDX-License-Identifier: MIT
// Runs a grid: checks its limits, shares its blocks out over the thread pool, gives each
// running block shared memory and coroutine frames, and reports the first thread that
// raised.
//
// One thread of the CPU runs a block from its first barrier to its last, and the threads
// of the block in turn. So nothing within a block needs a lock or an atomic instruction
// (codegen/cuda/atomic.c counts on it), and what races, races in the same way each time.
// Blocks run in any order and at the same time, as on a GPU: they share global memory and
// `struct launch`.
#include "runtime/emulator/emulator.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"
#include "compiler/types/source.h"
#include "compiler/support/interrupt.h"
#include "runtime/debugger/stops.h"
#include "runtime/emulator/emulated_interrupt.h"
#include "runtime/emulator/observer.h"
#include "runtime/threads/fault.h"
#include "runtime/threads/thread_pool.h"

// Memory of one block that runs.
// As many as threads of the CPU, and kept between launches: fresh pages cost more than
// most kernels. It is not cleared, as shared memory of a GPU is not.
struct block_memory {
    struct block_memory *next;
    size_t shared_bytes, scratch_bytes;
    void *shared, *scratch;
    struct abi_shadow *shadow; // of launches that check shared memory
    struct observer *observer; // of launches that were observed, or NULL
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
    int64_t threads; // of the grid
    size_t block_threads;
    int64_t block_count, chunk, most_joined; // blocks that run as one
    int64_t end;                             // no block from this one on is run yet
    struct sample sample; // where there is an observation: blocks that are counted
    atomic_llong next;    // first block that nobody has taken
    atomic_bool failed;   // set with the fields below, which the lock of `scratch` guards
    int32_t status;
    struct fault fault; // of STATUS_FAULT
    int64_t failed_index;
    int32_t failed_block[3], failed_thread[3], failed_line;
    int32_t other_thread, other_line; // -1: the failure is of one thread alone
};

struct emulated_scratch *emulated_scratch_create(void)
{
    struct emulated_scratch *scratch = memory_zalloc(sizeof *scratch);
    pthread_mutex_init(&scratch->lock, NULL);
    return scratch;
}

static void block_memory_destroy(struct block_memory *memory)
{
    observer_destroy(memory->observer);
    free(memory->shared);
    free(memory->scratch);
    shadow_destroy(memory->shadow);
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

// Contents need not survive, so that realloc's copy would be for nothing. 128: the first
// word of shared memory is of bank 0; a line of the cache, and the widest vector, is
// less.
static bool grow(void **memory, size_t *size_bytes, size_t wanted_bytes)
{
    if (*size_bytes >= wanted_bytes)
        return true;
    size_t rounded = (wanted_bytes + 4095) & ~(size_t)4095;
    void *grown = aligned_alloc(128, rounded);
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
    shadow_destroy(memory->shadow);
    memory->shadow =
            launch->compiled->checks_shared ? shadow_create(launch->shared_bytes) : NULL;
    if (launch->config->observation) {
        memory->observer = memory->observer ? memory->observer : observer_create();
        observer_begin(memory->observer, launch->compiled, launch->block_threads);
    }
    if (grow(&memory->shared, &memory->shared_bytes, launch->shared_bytes) &&
            grow(&memory->scratch, &memory->scratch_bytes, launch->scratch_bytes))
        return memory;
    block_memory_destroy(memory);
    return NULL;
}

// What was counted, if anything was, goes to the launch.
static void block_memory_report(struct launch *launch, struct block_memory *memory)
{
    if (!launch->config->observation)
        return;
    pthread_mutex_lock(&launch->scratch->lock);
    observer_report(memory->observer, launch->sample.counted);
    pthread_mutex_unlock(&launch->scratch->lock);
}

static void block_memory_return(struct launch *launch, struct block_memory *memory)
{
    block_memory_report(launch, memory);
    pthread_mutex_lock(&launch->scratch->lock);
    memory->next = launch->scratch->idle;
    launch->scratch->idle = memory;
    pthread_mutex_unlock(&launch->scratch->lock);
}

// Keeps the failure of the block that comes first in the grid.
// So that a kernel that fails in many blocks is reported alike in most runs. Others may
// still run: they see `failed` before their next block.
static void launch_fail(struct launch *launch, int32_t status, int64_t index,
        const struct abi_emulated_block *block)
{
    pthread_mutex_lock(&launch->scratch->lock);
    if (!atomic_load(&launch->failed) || index < launch->failed_index) {
        launch->status = status;
        launch->fault = *fault_last();
        launch->failed_index = index;
        for (int axis = 0; axis < 3; axis++) {
            launch->failed_block[axis] = block->block_idx[axis];
            launch->failed_thread[axis] = block->failed_thread[axis];
        }
        launch->failed_line = block->failed_line;
        launch->other_thread = -1;
        if (block->shadow)
            shadow_other(block->shadow, &launch->other_thread, &launch->other_line);
        atomic_store(&launch->failed, true);
    }
    pthread_mutex_unlock(&launch->scratch->lock);
}

// x fastest, as CUDA numbers blocks.
static void block_place(struct abi_emulated_block *block, int64_t index)
{
    int64_t row = index / block->grid_dim[0];
    block->block_idx[0] = (int32_t)(index % block->grid_dim[0]);
    block->block_idx[1] = (int32_t)(row % block->grid_dim[1]);
    block->block_idx[2] = (int32_t)(row / block->grid_dim[1]);
}

// A block without its place in the grid, and memory for it; NULL with the launch failed.
static struct block_memory *block_init(
        struct launch *launch, struct abi_emulated_block *block)
{
    *block = (struct abi_emulated_block){
            .dynamic_shared_bytes = (int64_t)launch->config->dynamic_shared_bytes,
            .stop = &compiler_interrupt_flag,
    };
    for (int axis = 0; axis < 3; axis++) {
        block->grid_dim[axis] = launch->config->grid_dim[axis];
        block->block_dim[axis] = launch->config->block_dim[axis];
    }
    struct block_memory *memory = block_memory_take(launch);
    if (!memory) {
        launch_fail(launch, STATUS_MEMORY, 0, block);
        return NULL;
    }
    block->shared = memory->shared;
    block->scratch = memory->scratch;
    block->scratch_bytes = (int64_t)memory->scratch_bytes;
    block->shadow = memory->shadow;
    if (launch->config->observation)
        observer_join(memory->observer, block);
    return memory;
}

static int32_t block_run(const struct compiled *compiled,
        struct abi_emulated_block *block, const void *args)
{
    if (block->shadow && !block->is_resumed)
        shadow_begin(block->shadow);
    return compiler_interrupt_flag ? STATUS_INTERRUPTED
                                   : compiled->emulated_entry(block, args);
}

static bool is_observed(const struct launch *launch, int64_t index)
{
    return launch->config->observation && sample_wants(&launch->sample, index);
}

// The code for a block: of an observed kernel, some run as it is without.
static const struct compiled *code_of(const struct launch *launch, int64_t index)
{
    const struct compiled *plain = launch->config->plain;
    return plain && !is_observed(launch, index) ? plain : launch->compiled;
}

static int32_t block_run_whole(struct launch *launch, struct abi_emulated_block *block,
        const void *args, int64_t index, struct observer *observer)
{
    block->observer = is_observed(launch, index) ? observer : NULL;
    int32_t status = block_run(code_of(launch, index), block, args);
    if (block->observer && status == STATUS_OK)
        observer_end_block(observer);
    return status;
}

// Blocks that a thread has taken. What is still to be run is kept here, where it is found
// again after a fault.
struct chunk {
    struct launch *launch;
    struct abi_emulated_block *block;
    const void *args;
    struct observer *observer; // or NULL
    int64_t index, end;
};

// Runs a block, with those behind it along x as far as they can run as one; returns how
// many.
// Only kernels that do not ask which block they are in (lanes_may_join_blocks): one long
// row of threads then vectorises where a small block would not.
static int64_t run_joined(struct chunk *chunk)
{
    struct launch *launch = chunk->launch;
    struct abi_emulated_block *block = chunk->block;
    int64_t index = chunk->index;
    block_place(block, index);
    int64_t count = block->grid_dim[0] - block->block_idx[0];
    if (count > chunk->end - index)
        count = chunk->end - index;
    if (count > launch->most_joined)
        count = launch->most_joined;
    block->joined = (int32_t)count;
    block->failed_joined = 0;
    int32_t status = block_run_whole(launch, block, chunk->args, index, chunk->observer);
    if (status != STATUS_OK) {
        block->block_idx[0] += block->failed_joined;
        launch_fail(launch, status, index + block->failed_joined, block);
    }
    return count;
}

// The index moves on after the block: after a fault it is that of the block at fault.
static int32_t run_taken(void *data, const void *unused)
{
    struct chunk *chunk = data;
    struct launch *launch = chunk->launch;
    fault_be_loose();
    while (chunk->index < chunk->end &&
            !atomic_load_explicit(&launch->failed, memory_order_relaxed))
        chunk->index += run_joined(chunk);
    return STATUS_OK;
}

// Enters the kernel once for all blocks of the chunk.
static void run_chunk(struct chunk *chunk)
{
    int32_t status = fault_call(run_taken, chunk, NULL);
    if (status != STATUS_OK)
        launch_fail(chunk->launch, status, chunk->index, chunk->block);
}

static void run_chunks(
        struct launch *launch, struct abi_emulated_block *block, const void *args)
{
    struct observer *observer = block->observer;
    while (!atomic_load(&launch->failed)) {
        struct chunk chunk = {launch, block, args, observer,
                .index = atomic_fetch_add(&launch->next, launch->chunk)};
        chunk.end = chunk.index + launch->chunk;
        if (chunk.index >= launch->end)
            break;
        if (chunk.end > launch->end)
            chunk.end = launch->end;
        run_chunk(&chunk);
    }
}

// Takes blocks and runs them until none is left or one has failed; on every thread of the
// launch.
// By chunks of the grid, sixteen for each core: enough that an unlucky core is made up
// for, few enough that nobody waits for the counter.
static void run_blocks(void *context)
{
    struct launch *launch = context;
    struct abi_emulated_block block;
    struct block_memory *memory = block_init(launch, &block);
    if (!memory)
        return;
    struct counters *counters =
            counters_open(launch->compiled, launch->args, launch->threads);
    block.counts_apart = counters != NULL;
    const void *args = counters ? counters_arguments(counters) : launch->args;
    size_t watched = emulated_interrupt_watch();
    run_chunks(launch, &block, args);
    emulated_interrupt_unwatch(watched);
    counters_close(counters);
    block_memory_return(launch, memory);
}

// --- Grids whose blocks wait for each other: all of them are under way at once
// Rounds: each block runs to its next grid barrier or to its end, then all go on. The
// pool waits between two rounds, which is the barrier. Blocks keep their memory, and may
// go on on another thread of the CPU each time.

struct cooperative {
    struct launch *launch;
    struct abi_emulated_block *blocks;
    bool *is_ended; // by block
    atomic_llong next;
};

// Nothing of a block is on the CPU's stack between two rounds: all of it is in coroutine
// frames.
static int32_t resume_block(void *data, const void *unused)
{
    const struct chunk *chunk = data;
    fault_be_loose();
    return block_run(chunk->launch->compiled, chunk->block, chunk->args);
}

// Runs each block to where it waits for the grid, or to its end.
static void run_waiting(struct cooperative *grid)
{
    struct launch *launch = grid->launch;
    for (;;) {
        int64_t index = atomic_fetch_add(&grid->next, 1);
        if (index >= launch->block_count || atomic_load(&launch->failed))
            return;
        if (grid->is_ended[index])
            continue;
        struct chunk chunk = {
                .launch = launch, .block = &grid->blocks[index], .args = launch->args};
        int32_t status = fault_call(resume_block, &chunk, NULL);
        grid->is_ended[index] = status != STATUS_GRID;
        grid->blocks[index].is_resumed = true;
        if (status != STATUS_OK && status != STATUS_GRID)
            launch_fail(launch, status, index, &grid->blocks[index]);
    }
}

static void run_to_grid_barrier(void *context)
{
    size_t watched = emulated_interrupt_watch();
    run_waiting(context);
    emulated_interrupt_unwatch(watched);
}

static bool is_any_waiting(const struct cooperative *grid)
{
    for (int64_t i = 0; i < grid->launch->block_count; i++)
        if (!grid->is_ended[i])
            return true;
    return false;
}

static void run_cooperatively(struct launch *launch, size_t helpers)
{
    size_t count = (size_t)launch->block_count, ready = 0;
    struct cooperative grid = {.launch = launch,
            .blocks = memory_zalloc(count * sizeof *grid.blocks),
            .is_ended = memory_zalloc(count * sizeof *grid.is_ended)};
    struct block_memory **memory = memory_zalloc(count * sizeof *memory);
    while (ready < count && (memory[ready] = block_init(launch, &grid.blocks[ready]))) {
        block_place(&grid.blocks[ready], (int64_t)ready);
        ready++;
    }
    while (!atomic_load(&launch->failed) && is_any_waiting(&grid)) {
        atomic_store(&grid.next, 0);
        thread_pool_run(run_to_grid_barrier, &grid, helpers);
    }
    for (size_t i = 0; i < ready; i++) {
        if (launch->config->observation)
            observer_end_block(memory[i]->observer);
        block_memory_report(launch, memory[i]);
        block_memory_destroy(memory[i]);
    }
    free(memory);
    free(grid.is_ended);
    free(grid.blocks);
}

// Names the other thread that a failure is about; returns false.
static bool note_other(const struct launch *launch, struct error *err)
{
    const int32_t *dim = launch->config->block_dim;
    int32_t x = launch->other_thread;
    if (x < 0)
        return false;
    error_note(err, " (the other is tid=[%d, %d, %d]", x / dim[0] / dim[1],
            x / dim[0] % dim[1], x % dim[0]);
    return launch->other_line ? error_note(err, " at line %d)", launch->other_line)
                              : error_note(err, ", which has ended)");
}

// A fault of the machine in the kernel's code. A GPU says no more than the error's name.
static bool report_fault(const struct launch *launch, struct error *err)
{
    const struct fault *fault = &launch->fault;
    const struct source *source = launch->compiled->function->source;
    bool is_memory = fault->signal == SIGSEGV || fault->signal == SIGBUS;
    emulated_error(err,
            is_memory ? DEVICE_ERROR_ILLEGAL_ADDRESS : DEVICE_ERROR_LAUNCH_FAILED,
            "cuLaunchKernel");
    error_note(err, ": the kernel '%s' (%s, line %d) ", launch->compiled->function->name,
            source ? source->file : "?", source ? source->first_line : 0);
    if (fault->is_stack)
        return error_note(err, "filled the stack of its thread of the CPU: its local "
                               "arrays, or its recursion, need more");
    if (!is_memory)
        return error_note(err, "%s",
                fault->signal == SIGABRT ? fault->text : "was stopped by the machine");
    error_note(err, "accessed memory that is not there");
    return fault->address ? error_note(err, ", at address %p", fault->address) : false;
}

// By a thread that holds no lock, after all others have left the launch.
static bool report(const struct launch *launch, struct error *err)
{
    struct observation *observation = launch->config->observation;
    if (!atomic_load(&launch->failed))
        return true;
    if (observation)
        observation->is_failure_plain =
                code_of(launch, launch->failed_index) != launch->compiled;
    switch (launch->status) {
    case STATUS_INTERRUPTED:
        return error_set(err, ERROR_INTERRUPT, SPAN_NONE,
                "interrupted while a kernel was running");
    case STATUS_PYTHON:
        return error_set(err, ERROR_PYTHON, SPAN_NONE, "Python exception in a kernel");
    case STATUS_FAULT:
        return report_fault(launch, err);
    case STATUS_MEMORY:
        return emulated_error(err, DEVICE_ERROR_OUT_OF_MEMORY, "cuLaunchKernel");
    default:
        device_raise(code_of(launch, launch->failed_index), launch->status,
                launch->failed_thread, launch->failed_block, launch->failed_line, err);
        return note_other(launch, err);
    }
}

int emulated_max_threads(const struct compiled *compiled)
{
    int most = compiled->max_threads;
    return most && most < EMULATOR_MAX_THREADS_PER_BLOCK ? most
                                                         : EMULATOR_MAX_THREADS_PER_BLOCK;
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
    return block[0] * block[1] * block[2] <= emulated_max_threads(compiled) &&
           compiled->static_shared_bytes <= EMULATOR_SHARED_BYTES &&
           config->dynamic_shared_bytes <=
                   EMULATOR_SHARED_OPTIN_BYTES - compiled->static_shared_bytes;
}

static void run_from(struct launch *launch, int64_t first, int64_t end, size_t helpers)
{
    atomic_store(&launch->next, first);
    launch->end = end;
    if (first >= end || atomic_load(&launch->failed))
        return;
    if (helpers)
        thread_pool_run(run_blocks, launch, helpers);
    else
        run_blocks(launch);
}

// The first block says how many of the others can be observed in reasonable time.
static void run_observed(struct launch *launch, size_t helpers)
{
    int64_t blocks = launch->block_count;
    run_from(launch, 0, 1, 0);
    bool is_part = sample_choose(&launch->sample);
    run_from(launch, 1, is_part ? blocks - 1 : blocks, helpers);
    if (!is_part)
        return;
    sample_end(&launch->sample, !atomic_load(&launch->failed));
    run_from(launch, blocks - 1, blocks, 0);
}

// Returns when the grid has ended: streams of this device have no work under way. Its
// limits are those of a real device, so that what runs here is not refused there.
bool emulated_launch(struct emulated_scratch *scratch, const struct compiled *compiled,
        const struct launch_config *config, const void *args, struct error *err)
{
    if (!is_within_limits(compiled, config))
        return emulated_error(err, DEVICE_ERROR_INVALID_VALUE, "cuLaunchKernel");
    const int32_t *grid = config->grid_dim, *block = config->block_dim;
    size_t threads = (size_t)block[0] * (size_t)block[1] * (size_t)block[2];
    int64_t blocks = (int64_t)grid[0] * grid[1] * grid[2];
    if (compiled->is_cooperative && blocks * (int64_t)threads > EMULATOR_MAX_AT_ONCE)
        return emulated_error(
                err, DEVICE_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "cuLaunchKernel");
    size_t cores = thread_pool_cores();
    size_t static_bytes = compiled->static_shared_bytes;
    size_t frame_bytes = compiled->frame_bytes;
    if (config->plain && config->plain->static_shared_bytes > static_bytes)
        static_bytes = config->plain->static_shared_bytes;
    if (config->plain && config->plain->frame_bytes > frame_bytes)
        frame_bytes = config->plain->frame_bytes;
    struct launch launch = {
            .scratch = scratch,
            .compiled = compiled,
            .config = config,
            .args = args,
            // 64 more: dynamic shared memory begins aligned
            .shared_bytes = static_bytes + config->dynamic_shared_bytes + 64,
            .scratch_bytes = ((frame_bytes + 15) & ~(size_t)15) * threads,
            .block_count = blocks,
            .end = blocks,
            .sample = {.counted = config->observation, .blocks = blocks},
            .threads = blocks * (int64_t)threads,
            .block_threads = threads,
    };
    bool is_line = block[1] == 1 && block[2] == 1;
    launch.most_joined = compiled->walks_rows || (is_line && compiled->joins_blocks)
                                 ? EMULATED_ROW_THREADS / block[0]
                                 : 1;
    launch.chunk = launch.block_count / ((int64_t)cores * 16);
    if (launch.chunk < 1)
        launch.chunk = 1;
    if (config->observation)
        observation_begin(config->observation, compiled, config);
    size_t helpers = cores - 1;
    if ((int64_t)helpers > launch.block_count - 1)
        helpers = (size_t)launch.block_count - 1;
    if (compiled->has_line_hooks && stops_begin_launch())
        helpers = 0;
    if (compiled->is_cooperative)
        run_cooperatively(&launch, helpers);
    else if (config->observation)
        run_observed(&launch, helpers);
    else
        thread_pool_run(run_blocks, &launch, helpers);
    if (compiled->has_line_hooks)
        stops_end_launch();
    return report(&launch, err);
}
