// SPDX-License-Identifier: MIT
// Counted memory, and by name what compiled code calls while it runs on the CPU.
#include "compiler/support/support.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/support/ufunc_run.h"

enum { HEADER_BYTES = 64 };
_Static_assert(
        sizeof(struct abi_memory) <= HEADER_BYTES, "the header fits before the data");

// Blocks that are the C library's own, which is asked without detours.
static bool is_small(int64_t size_bytes)
{
    return (uint64_t)size_bytes < SUPPORT_LEAST_ALIGNED - HEADER_BYTES;
}

static void memory_free(struct abi_memory *memory)
{
    support_count(SUPPORT_RELEASED);
    if (is_small(memory->size_bytes)) {
        support_count(SUPPORT_FREED);
        free(memory);
        return;
    }
    support_block_destroy(memory, (size_t)memory->size_bytes + HEADER_BYTES);
}

static struct abi_memory *memory_init(struct abi_memory *memory, int64_t size_bytes)
{
    if (!memory)
        return NULL;
    support_count(SUPPORT_MADE);
    memory->count = 1;
    memory->release = memory_free;
    memory->data = (char *)memory + HEADER_BYTES;
    memory->size_bytes = size_bytes;
    return memory;
}

struct abi_memory *gridcell_memory_create(int64_t size_bytes)
{
    void *small = is_small(size_bytes) ? malloc((size_t)size_bytes + HEADER_BYTES) : NULL;
    if (small) {
        support_count(SUPPORT_ALLOCATED);
        return memory_init(small, size_bytes);
    }
    return memory_init(
            support_block_create((size_t)size_bytes + HEADER_BYTES), size_bytes);
}

struct abi_memory *gridcell_memory_create_zeroed(int64_t size_bytes)
{
    return memory_init(
            support_block_create_zeroed((size_t)size_bytes + HEADER_BYTES), size_bytes);
}

void gridcell_memory_retain(struct abi_memory *memory)
{
    if (memory)
        __atomic_fetch_add(&memory->count, 1, __ATOMIC_RELAXED);
}

void gridcell_memory_release(struct abi_memory *memory)
{
    if (!memory)
        return;
    // who has the only reference need not count
    if (__atomic_load_n(&memory->count, __ATOMIC_ACQUIRE) == 1 ||
            __atomic_sub_fetch(&memory->count, 1, __ATOMIC_ACQ_REL) == 0)
        memory->release(memory);
}

void gridcell_memory_release_each(struct abi_memory *const *slots, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        gridcell_memory_release(slots[i]);
}

// Whether an integer power needs more bits than `bits`, below 0: of an unsigned type.
static int32_t power_overflows(int64_t base, int64_t exponent, int32_t bits)
{
    __int128 number = bits < 0 ? (__int128)(uint64_t)base : base, result = 1;
    __int128 high =
            bits < 0 ? ((__int128)1 << -bits) - 1 : ((__int128)1 << (bits - 1)) - 1;
    __int128 low = bits < 0 ? 0 : -high - 1;
    uint64_t count = (uint64_t)exponent;
    if ((bits > 0 && exponent < 0) || (number >= -1 && number <= 1))
        return 0;
    for (; count; count--) { // ends by the 64th turn
        if (__builtin_mul_overflow(result, number, &result) || result > high ||
                result < low)
            return 1;
    }
    return 0;
}

const struct support_symbol support_symbols[] = {
        {"gridcell_memory_create", (void *)gridcell_memory_create},
        {"gridcell_memory_create_zeroed", (void *)gridcell_memory_create_zeroed},
        {"gridcell_array_refused", (void *)gridcell_array_refused},
        {"gridcell_array_repeat", (void *)gridcell_array_repeat},
        {"gridcell_array_copy", (void *)gridcell_array_copy},
        {"gridcell_array_is_dense", (void *)gridcell_array_is_dense},
        {"gridcell_axes_order", (void *)gridcell_axes_order},
        {"gridcell_chunks_add", (void *)gridcell_chunks_add},
        {"gridcell_chunks_begin", (void *)gridcell_chunks_begin},
        {"gridcell_chunks_next", (void *)gridcell_chunks_next},
        {"gridcell_chunks_open", (void *)gridcell_chunks_open},
        {"gridcell_plan", (void *)gridcell_plan},
        {"gridcell_plan_next", (void *)gridcell_plan_next},
        {"gridcell_plan_order", (void *)gridcell_plan_order},
        {"gridcell_copy_lines", (void *)gridcell_copy_lines},
        {"gridcell_walk", (void *)gridcell_walk},
        {"gridcell_walk_operand", (void *)gridcell_walk_operand},
        {"gridcell_walk_next", (void *)gridcell_walk_next},
        {"gridcell_copy_blocks", (void *)gridcell_copy_blocks},
        {"gridcell_take_blocks", (void *)gridcell_take_blocks},
        {"gridcell_repeat_blocks", (void *)gridcell_repeat_blocks},
        {"gridcell_unravel", (void *)gridcell_unravel},
        {"gridcell_sort", (void *)gridcell_sort},
        {"gridcell_sum_doubles", (void *)gridcell_sum_doubles},
        {"gridcell_sum_floats", (void *)gridcell_sum_floats},
        {"gridcell_select", (void *)gridcell_select},
        {"gridcell_argsort", (void *)gridcell_argsort},
        {"gridcell_memory_retain", (void *)gridcell_memory_retain},
        {"gridcell_memory_release", (void *)gridcell_memory_release},
        {"gridcell_memory_release_each", (void *)gridcell_memory_release_each},
        {"gridcell_generator_create", (void *)gridcell_generator_create},
        {"gridcell_generator_next", (void *)gridcell_generator_next},
        {"gridcell_coroutine_alloc", (void *)gridcell_coroutine_alloc},
        {"gridcell_coroutine_free", (void *)gridcell_coroutine_free},
        {"gridcell_array_keep", (void *)gridcell_array_keep},
        {"gridcell_owner_holds", (void *)gridcell_owner_holds},
        {"gridcell_row_create", (void *)gridcell_row_create},
        {"gridcell_table_create", (void *)gridcell_table_create},
        {"gridcell_row_splice", (void *)gridcell_row_splice},
        {"gridcell_row_swap", (void *)gridcell_row_swap},
        {"gridcell_trace_call", (void *)gridcell_trace_call},
        {"gridcell_ufunc_run", (void *)gridcell_ufunc_run},
        {"gridcell_power_overflows", (void *)power_overflows},
        {0},
};
