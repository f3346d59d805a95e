// SPDX-License-Identifier: MIT
// Drives the loops of a ufunc: operands that are dense go to the vectorised loop as they
// are, others through small dense buffers; what depends on the order of elements
// (reductions) goes to the serial loop.
#include "compiler/support/ufunc_run.h"

#include <stdbool.h>
#include <string.h>

#include "compiler/support/interrupt.h"
#include "compiler/types/abi.h"

enum {
    BUFFER_ELEMENTS = 256,
    BUFFER_ITEM_BYTES = 16,
    TURNS_PER_POLL = 1 << 16, // of the interrupt flag
};

struct run {
    const struct ufunc_plan *plan;
    char *const *args;
    const intptr_t *steps;
    bool is_dense[UFUNC_MAX_OPERANDS];
    bool all_dense;
};

// The bytes that `count` elements of an operand touch.
static void extent(const struct run *run, int64_t operand, int64_t count, uintptr_t *low,
        uintptr_t *high)
{
    intptr_t reach = run->steps[operand] * (count - 1);
    uintptr_t start = (uintptr_t)run->args[operand];
    *low = start + (uintptr_t)(reach < 0 ? reach : 0);
    *high = start + (uintptr_t)(reach > 0 ? reach : 0) +
            (uintptr_t)run->plan->sizes[operand];
}

// Whether an output shares no element with another operand, but for an input that is the
// very same elements in the same order. (accumulate passes its output shifted by one as
// an input, reduce a single element as both.)
static bool is_independent(const struct run *run, int64_t count)
{
    for (int64_t out = run->plan->inputs; out < run->plan->operands; out++) {
        uintptr_t low, high, other_low, other_high;
        extent(run, out, count, &low, &high);
        if (run->steps[out] == 0 && count > 1)
            return false;
        for (int64_t i = 0; i < out; i++) {
            extent(run, i, count, &other_low, &other_high);
            bool is_same = run->args[i] == run->args[out] &&
                           run->steps[i] == run->steps[out] && i < run->plan->inputs;
            if (!is_same && low < other_high && other_low < high)
                return false;
        }
    }
    return true;
}

static void copy_strided(char *to, intptr_t to_step, const char *from, intptr_t from_step,
        int64_t size, int64_t count)
{
    switch (size) {
    case 4:
        for (int64_t i = 0; i < count; i++)
            memcpy(to + i * to_step, from + i * from_step, 4);
        break;
    case 8:
        for (int64_t i = 0; i < count; i++)
            memcpy(to + i * to_step, from + i * from_step, 8);
        break;
    default:
        for (int64_t i = 0; i < count; i++)
            memcpy(to + i * to_step, from + i * from_step, (size_t)size);
    }
}

// Turns `start` to `start + count` through buffers for the operands that are not dense.
static int32_t run_buffered(const struct run *run, int64_t start, int64_t count)
{
    static _Thread_local _Alignas(
            64) char buffers[UFUNC_MAX_OPERANDS][BUFFER_ELEMENTS * BUFFER_ITEM_BYTES];
    const struct ufunc_plan *plan = run->plan;
    char *places[UFUNC_MAX_OPERANDS], *operands[UFUNC_MAX_OPERANDS];
    for (int64_t i = 0; i < plan->operands; i++) {
        places[i] = run->args[i] + start * run->steps[i];
        operands[i] = run->is_dense[i] ? places[i] : buffers[i];
        bool is_kept =
                run->steps[i] == 0 && start > 0; // one element, filled in at the start
        if (i < plan->inputs && !run->is_dense[i] && !is_kept)
            copy_strided(operands[i], plan->sizes[i], places[i], run->steps[i],
                    plan->sizes[i], count);
    }
    int32_t status = plan->dense(operands, NULL, count);
    for (int64_t i = plan->inputs; i < plan->operands && !status; i++)
        if (!run->is_dense[i])
            copy_strided(places[i], run->steps[i], operands[i], plan->sizes[i],
                    plan->sizes[i], count);
    return status;
}

static int32_t run_dense(const struct run *run, int64_t start, int64_t count)
{
    char *operands[UFUNC_MAX_OPERANDS];
    for (int64_t i = 0; i < run->plan->operands; i++)
        operands[i] = run->args[i] + start * run->steps[i];
    return run->plan->dense(operands, NULL, count);
}

static int32_t run_serial(const struct run *run, int64_t start, int64_t count)
{
    char *operands[UFUNC_MAX_OPERANDS];
    for (int64_t i = 0; i < run->plan->operands; i++)
        operands[i] = run->args[i] + start * run->steps[i];
    return run->plan->serial(operands, run->steps, count);
}

int32_t gridcell_ufunc_run(const struct ufunc_plan *plan, char **args,
        const intptr_t *dims, const intptr_t *steps)
{
    struct run run = {.plan = plan, .args = args, .steps = steps, .all_dense = true};
    bool fits = true;
    for (int64_t i = 0; i < plan->operands; i++) {
        run.is_dense[i] = steps[i] == plan->sizes[i];
        run.all_dense &= run.is_dense[i];
        fits &= plan->sizes[i] <= BUFFER_ITEM_BYTES;
    }
    int64_t count = dims[0], chunk = TURNS_PER_POLL;
    int32_t (*step)(const struct run *, int64_t, int64_t) = run_serial;
    if (count > 1 && is_independent(&run, count)) {
        step = run.all_dense ? run_dense : fits ? run_buffered : run_serial;
        chunk = step == run_buffered ? BUFFER_ELEMENTS : TURNS_PER_POLL;
    }
    for (int64_t start = 0; start < count; start += chunk) {
        if (compiler_interrupt_flag)
            return STATUS_INTERRUPTED;
        int32_t status = step(&run, start, count - start < chunk ? count - start : chunk);
        if (status)
            return status;
    }
    return STATUS_OK;
}
