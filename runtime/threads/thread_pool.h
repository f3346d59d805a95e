// SPDX-License-Identifier: MIT
// The worker threads that run the blocks of emulated kernels: one for each core but the
// caller's.
#pragma once

#include <stddef.h>

// Cores that this process may use.
size_t thread_pool_cores(void);

// Calls `work(context)` on the calling thread and, at the same time, on up to `helpers`
// threads of the pool; returns when every call has returned. `work` shares out its items
// itself and returns once there are none left. Helpers that are busy, or come too late,
// are not waited for. Any thread may call; a call made while another one has the pool
// runs on its own thread only.
void thread_pool_run(void (*work)(void *context), void *context, size_t helpers);

// The same; while the caller waits for helpers, it calls `ask` every now and then.
void thread_pool_run_asking(
        void (*work)(void *context), void *context, size_t helpers, void (*ask)(void));
