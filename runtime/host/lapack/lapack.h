// SPDX-License-Identifier: MIT
// Linear algebra for compiled code, by the BLAS and LAPACK that NumPy or SciPy brings.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/types/abi.h"

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
enum { NO_LIBRARY = -1000, NO_MEMORY = -1001, INTERRUPTED = -1002 };

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

bool lapack_has_wide_integers(void);
// A workspace, to be freed, of as many items as the first item of `asked` says; NULL
// where there is no memory.
void *lapack_workspace(int64_t kind, const void *asked, int64_t *count);

// What a function said in its `info`, whose high half may not be written.
static inline int64_t lapack_narrow(int64_t info)
{
    return (int32_t)info;
}

static inline int64_t lapack_at_least_1(int64_t n)
{
    return n > 1 ? n : 1;
}

// One task for LAPACK: matrices are in Fortran order and are overwritten.
struct lapack_task {
    int64_t (*run)(const struct lapack_task *task); // 0, LAPACK's info or a status
    int64_t kind, m, n, count;                      // as `run` reads them
    int option;
    double limit;
    struct abi_memory *arrays[4]; // the first ones; the task has references to them
};

static inline void *lapack_array(const struct lapack_task *task, size_t i)
{
    return task->arrays[i]->data;
}

// lapack/task.c: runs it, and answers what it does, or INTERRUPTED where an interrupt
// came first: it goes on then on a thread of its own. `work`: about how many
// floating-point operations it takes. Any thread.
int64_t lapack_run(const struct lapack_task *task, double work);

// lapack/products.c, lapack/factors.c, lapack/spectra.c
void lapack_define_products(void);
void lapack_define_factors(void);
void lapack_define_spectra(void);

// lapack/threads.c: a call about a small matrix is made between these; any thread
void lapack_threads_find(void *library, const char *prefix, const char *suffix);
bool lapack_enter(int64_t items);
void lapack_leave(bool is_alone);
