// SPDX-License-Identifier: MIT
// Linear algebra for compiled code, by the BLAS and LAPACK that NumPy or SciPy brings.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Looks for a library with LAPACK's functions among those that the process has loaded.
bool lapack_find(void);
// Takes LAPACK's functions, of 32-bit integers, from `find`, by names such as "dgesv"; it
// gives NULL where there is none.
void lapack_take(void *(*find)(void *context, const char *name), void *context);
void lapack_define_symbols(void);

// lapack_threads.c: a call about a small matrix is made between these; any thread
void lapack_threads_find(void *library, const char *prefix, const char *suffix);
bool lapack_enter(int64_t items);
void lapack_leave(bool is_alone);
