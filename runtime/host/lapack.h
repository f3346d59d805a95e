// SPDX-License-Identifier: MIT
// Linear algebra for compiled code, by the BLAS and LAPACK that NumPy or SciPy brings.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Looks for a library with LAPACK's functions among those that the process has loaded.
bool lapack_find(void);
// Takes LAPACK's functions, of 32-bit integers, from `find`, by names such as "dgesv"; it
// gives NULL where there is none.
void lapack_take(void *(*find)(void *context, const char *name), void *context);
void lapack_define_symbols(void);

// Kinds of numbers as compiled code names them: kind * 1000 + bits
enum {
    LAPACK_FLOAT32 = 4032,
    LAPACK_FLOAT64 = 4064,
    LAPACK_COMPLEX64 = 5064,
    LAPACK_COMPLEX128 = 5128,
};
// Statuses beside LAPACK's own
enum { NO_LIBRARY = -1000, NO_MEMORY = -1001 };

static inline size_t lapack_item_bytes(int64_t kind)
{
    return (size_t)(kind % 1000) / 8;
}

static inline bool lapack_is_complex(int64_t kind)
{
    return kind >= LAPACK_COMPLEX64;
}

static inline size_t lapack_real_bytes(int64_t kind)
{
    return kind == LAPACK_FLOAT32 || kind == LAPACK_COMPLEX64 ? 4 : 8;
}

// The function "gesv" for the kind of numbers, or NULL.
void *lapack_function(int64_t kind, const char *name);

// lapack_products.c
void lapack_define_products(void);

// lapack_threads.c: a call about a small matrix is made between these; any thread
void lapack_threads_find(void *library, const char *prefix, const char *suffix);
bool lapack_enter(int64_t items);
void lapack_leave(bool is_alone);
