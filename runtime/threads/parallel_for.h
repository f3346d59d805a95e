// SPDX-License-Identifier: MIT
// Loops on several threads: those of compiled code (prange), and of ufuncs.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "compiler/types/abi.h"

// Runs the turns from `start` to before `stop`; stores what they add up to at `result`.
typedef int32_t parallel_part(
        void *captured, int64_t start, int64_t stop, int64_t step, void *result);

// Runs range(start, stop, step) in parts on the pool's threads, until one fails: then the
// status of the earliest part that did. *results: what the parts added up to, `stride`
// bytes each, in order; only if stride is not 0 and all went well. Any thread may call,
// also one that runs a part.
int32_t gridcell_parallel_for(parallel_part *run, void *captured, int64_t start,
        int64_t stop, int64_t step, int64_t stride, char **results);
int64_t gridcell_parallel_count(char *results);
void gridcell_parallel_free(char *results);
void parallel_for_init(void);

// What threads do about Python: the caller leaves it while it waits, and an exception
// goes from the thread that it was raised on to the caller's.
struct parallel_hooks {
    void *(*leave_python)(void); // NULL: it was not there
    void (*enter_python)(void *left);
    void *(*take)(int32_t status); // NULL: nothing to take along
    void (*put)(void *exception);
    void (*drop)(void *exception);
};
extern struct parallel_hooks parallel_hooks;

// How many threads loops may use, and the most there can be.
int parallel_thread_count(void);
int parallel_thread_limit(void);
void parallel_set_thread_count(int count);
// The calling thread's number in the loop that it runs a part of; 0 outside.
int parallel_thread_number(void);
// Turns in a part of the calling thread's loops; 0: as many as suit.
int64_t parallel_chunk_turns(void);
void parallel_set_chunk_turns(int64_t turns);
