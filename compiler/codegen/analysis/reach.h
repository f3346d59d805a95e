// SPDX-License-Identifier: MIT
// What a function does or needs, with all that it calls.
#pragma once

#include "compiler/ir/ir.h"

// What the function and those that it can reach are linked with, each once; the caller
// frees with vec_finish.
struct foreign_list {
    const struct foreign_code **items;
    size_t len, capacity;
};
void call_foreign_code(const struct ir_function *function, struct foreign_list *list);
// Whether the function or one that it can reach calls a foreign function.
bool call_is_foreign(const struct ir_function *function);
// Whether the callee is the function, or one that it comes to call calls it.
bool call_leads_to(const struct ir_function *function, const struct ir_function *callee);
bool call_can_fail(const struct ir_function *function);
// Whether it, or a function that it calls, waits for other threads.
bool call_has_barrier(const struct ir_function *function);
// Whether the function or one that it can reach is as `is_so` says, which is given
// `context`.
bool call_reaches(const struct ir_function *function,
        bool (*is_so)(const struct ir_function *function, void *context), void *context);
bool call_syncs_grid(const struct ir_function *function);
// Whether it may wait for what the host or another kernel writes meanwhile: it has
// fences, sleeps, loads past the caches or foreign code.
bool call_heeds_others(const struct ir_function *function);
