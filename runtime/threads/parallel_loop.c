// SPDX-License-Identifier: MIT
// Splits a ufunc's inner loop into parts for the thread pool.
#include "runtime/threads/parallel_loop.h"

#include <stdbool.h>

#include "runtime/threads/parallel_for.h"

enum { MAX_OPERANDS = 32, PART_MIN = 8192 };

struct split {
    abi_ufunc_loop loop;
    char **args;
    const intptr_t *steps;
    int operands;
};

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

void parallel_loop(abi_ufunc_loop loop, char **args, const intptr_t *dims,
        const intptr_t *steps, int input_count, int32_t *status)
{
    struct split split = {loop, args, steps, input_count + 1};
    bool is_reduction = !steps[input_count] || input_count + 1 > MAX_OPERANDS;
    if (is_reduction || dims[0] < 2 * PART_MIN) {
        loop(args, dims, steps, status);
        return;
    }
    int32_t failed = gridcell_parallel_for(run_part, &split, 0, dims[0], 1, 0, NULL);
    if (!*status)
        *status = failed;
}
