// SPDX-License-Identifier: MIT
// Enters a ufunc's inner loop, and splits it into parts for the thread pool.
#include "runtime/threads/parallel_loop.h"

#include <stdbool.h>

#include "runtime/threads/fault.h"
#include "runtime/threads/parallel_for.h"

enum { MAX_OPERANDS = 32, PART_MIN = 8192 };

struct chunk {
    abi_ufunc_loop loop;
    char **args;
    const intptr_t *dims, *steps;
};

static int32_t run_chunk(void *result, const void *data)
{
    const struct chunk *chunk = data;
    int32_t status = STATUS_OK;
    chunk->loop(chunk->args, chunk->dims, chunk->steps, &status);
    return status;
}

int32_t serial_loop(
        abi_ufunc_loop loop, char **args, const intptr_t *dims, const intptr_t *steps)
{
    const struct chunk chunk = {loop, args, dims, steps};
    return fault_call(run_chunk, NULL, &chunk);
}

struct split {
    abi_ufunc_loop loop;
    char **args;
    const intptr_t *steps;
    int operands;
};

// parallel_for has entered the gate.
static int32_t run_part(
        void *data, int64_t start, int64_t stop, int64_t step, void *result)
{
    const struct split *split = data;
    char *args[MAX_OPERANDS];
    intptr_t dims[1] = {(intptr_t)(stop - start)};
    int32_t status = 0;
    for (int i = 0; i < split->operands; i++)
        args[i] = split->args[i] + start * split->steps[i];
    split->loop(args, dims, split->steps, &status);
    return status;
}

int32_t parallel_loop(abi_ufunc_loop loop, char **args, const intptr_t *dims,
        const intptr_t *steps, int input_count)
{
    struct split split = {loop, args, steps, input_count + 1};
    bool is_reduction = !steps[input_count] || input_count + 1 > MAX_OPERANDS;
    if (is_reduction || dims[0] < 2 * PART_MIN)
        return serial_loop(loop, args, dims, steps);
    return gridcell_parallel_for(run_part, &split, 0, dims[0], 1, 0, NULL);
}
