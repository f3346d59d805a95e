// SPDX-License-Identifier: MIT
// Counts what compiled code allocates and frees, for those who ask.
#include <stdatomic.h>

#include "compiler/support/support.h"

static _Atomic(bool) is_counting;
static _Atomic(int64_t) counts[SUPPORT_COUNTS];

void support_count(enum support_count what)
{
    if (atomic_load_explicit(&is_counting, memory_order_relaxed))
        atomic_fetch_add_explicit(&counts[what], 1, memory_order_relaxed);
}

int64_t support_counted(enum support_count what)
{
    return atomic_load_explicit(&counts[what], memory_order_relaxed);
}

bool support_is_counting(void)
{
    return atomic_load_explicit(&is_counting, memory_order_relaxed);
}

void support_set_counting(bool value)
{
    atomic_store_explicit(&is_counting, value, memory_order_relaxed);
}
