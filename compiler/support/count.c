// SPDX-License-Identifier: MIT
// Counts what compiled code allocates and frees, for those who ask.
#include <stdatomic.h>

#include "compiler/support/support.h"

_Atomic(bool) support_counts;
static _Atomic(int64_t) counts[SUPPORT_COUNTS];

void support_count_one(enum support_count what)
{
    atomic_fetch_add_explicit(&counts[what], 1, memory_order_relaxed);
}

int64_t support_counted(enum support_count what)
{
    return atomic_load_explicit(&counts[what], memory_order_relaxed);
}

bool support_is_counting(void)
{
    return atomic_load_explicit(&support_counts, memory_order_relaxed);
}

void support_set_counting(bool value)
{
    atomic_store_explicit(&support_counts, value, memory_order_relaxed);
}
