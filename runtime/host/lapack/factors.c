// SPDX-License-Identifier: MIT
// Systems of equations, inverses and factors of matrices for compiled code.
#include <stdint.h>
#include <stdlib.h>

#include "compiler/types/abi.h"
#include "compiler/backends/cpu/symbols.h"
#include "runtime/host/lapack/lapack.h"

// --- Systems

typedef void (*gesv_function)(const int64_t *n, const int64_t *nrhs, void *a,
        const int64_t *lda, void *pivots, void *b, const int64_t *ldb, int64_t *info);

static int64_t run_solve(const struct lapack_task *task)
{
    gesv_function gesv = (gesv_function)lapack_function(task->kind, "gesv");
    int64_t info = 0, n = task->n, ld = lapack_at_least_1(n);
    void *pivots = calloc((size_t)ld, sizeof(int64_t));
    bool is_alone = lapack_enter(n * n);
    if (gesv && pivots)
        gesv(&n, &task->count, lapack_array(task, 0), &ld, pivots, lapack_array(task, 1),
                &ld, &info);
    lapack_leave(is_alone);
    free(pivots);
    return !gesv ? NO_LIBRARY : !pivots ? NO_MEMORY : lapack_narrow(info);
}

static double cube(int64_t n)
{
    return (double)n * (double)n * (double)n;
}

// b becomes the solutions.
static int64_t solve(int64_t kind, int64_t n, int64_t count, struct abi_memory *a,
        struct abi_memory *b)
{
    struct lapack_task task = {
            .run = run_solve, .kind = kind, .n = n, .count = count, .arrays = {a, b}};
    return lapack_run(&task, cube(n) + 2.0 * (double)n * (double)n * (double)count);
}

// --- LU

typedef void (*getrf_function)(const int64_t *m, const int64_t *n, void *a,
        const int64_t *lda, void *pivots, int64_t *info);
typedef void (*getri_function)(const int64_t *n, void *a, const int64_t *lda,
        const void *pivots, void *work, const int64_t *lwork, int64_t *info);

static int64_t run_lu(const struct lapack_task *task)
{
    getrf_function getrf = (getrf_function)lapack_function(task->kind, "getrf");
    int64_t info = 0, n = task->n, ld = lapack_at_least_1(n);
    if (!getrf)
        return NO_LIBRARY;
    bool is_alone = lapack_enter(n * n);
    getrf(&n, &n, lapack_array(task, 0), &ld, lapack_array(task, 1), &info);
    lapack_leave(is_alone);
    return lapack_narrow(info);
}

// *swaps: how many rows changed places.
static int64_t factor_lu(int64_t kind, int64_t n, struct abi_memory *a,
        struct abi_memory *pivots, struct abi_memory *swaps)
{
    struct lapack_task task = {
            .run = run_lu, .kind = kind, .n = n, .arrays = {a, pivots}};
    int64_t info = lapack_run(&task, cube(n)), count = 0;
    if (info <= NO_LIBRARY)
        return info;
    bool is_wide = lapack_has_wide_integers();
    for (int64_t i = 0; i < n; i++)
        count += (is_wide ? ((int64_t *)pivots->data)[i]
                          : ((int32_t *)pivots->data)[i]) != i + 1;
    *(int64_t *)swaps->data = count;
    return info;
}

static int64_t run_invert(const struct lapack_task *task)
{
    getri_function getri = (getri_function)lapack_function(task->kind, "getri");
    int64_t info = run_lu(task), n = task->n;
    int64_t ask = -1, lwork, ld = lapack_at_least_1(n);
    void *a = lapack_array(task, 0), *pivots = lapack_array(task, 1);
    double asked[2] = {0};
    if (info || !getri)
        return info ? info : NO_LIBRARY;
    getri(&n, a, &ld, pivots, asked, &ask, &info);
    void *work = lapack_workspace(task->kind, asked, &lwork);
    if (!work)
        return NO_MEMORY;
    bool is_alone = lapack_enter(n * n);
    getri(&n, a, &ld, pivots, work, &lwork, &info);
    lapack_leave(is_alone);
    free(work);
    return lapack_narrow(info);
}

static int64_t invert(
        int64_t kind, int64_t n, struct abi_memory *a, struct abi_memory *pivots)
{
    struct lapack_task task = {
            .run = run_invert, .kind = kind, .n = n, .arrays = {a, pivots}};
    return lapack_run(&task, 2 * cube(n));
}

// --- Cholesky's factor

typedef void (*potrf_function)(const char *uplo, const int64_t *n, void *a,
        const int64_t *lda, int64_t *info, size_t);

static int64_t run_cholesky(const struct lapack_task *task)
{
    potrf_function potrf = (potrf_function)lapack_function(task->kind, "potrf");
    int64_t info = 0, n = task->n, ld = lapack_at_least_1(n);
    if (!potrf)
        return NO_LIBRARY;
    bool is_alone = lapack_enter(n * n);
    potrf("L", &n, lapack_array(task, 0), &ld, &info, 1);
    lapack_leave(is_alone);
    return lapack_narrow(info);
}

static int64_t factor_cholesky(int64_t kind, int64_t n, struct abi_memory *a)
{
    struct lapack_task task = {.run = run_cholesky, .kind = kind, .n = n, .arrays = {a}};
    return lapack_run(&task, cube(n));
}

// --- Q and R

typedef void (*geqrf_function)(const int64_t *m, const int64_t *n, void *a,
        const int64_t *lda, void *tau, void *work, const int64_t *lwork, int64_t *info);
typedef void (*orgqr_function)(const int64_t *m, const int64_t *n, const int64_t *k,
        void *a, const int64_t *lda, const void *tau, void *work, const int64_t *lwork,
        int64_t *info);

static int64_t run_qr(const struct lapack_task *task)
{
    geqrf_function geqrf = (geqrf_function)lapack_function(task->kind, "geqrf");
    int64_t info = 0, ask = -1, lwork, ld = lapack_at_least_1(task->m);
    void *a = lapack_array(task, 0), *tau = lapack_array(task, 1);
    double asked[2] = {0};
    if (!geqrf)
        return NO_LIBRARY;
    geqrf(&task->m, &task->n, a, &ld, tau, asked, &ask, &info);
    void *work = lapack_workspace(task->kind, asked, &lwork);
    if (!work)
        return NO_MEMORY;
    bool is_alone = lapack_enter(task->m * task->n);
    geqrf(&task->m, &task->n, a, &ld, tau, work, &lwork, &info);
    lapack_leave(is_alone);
    free(work);
    return lapack_narrow(info);
}

static double operations_of(int64_t m, int64_t n, int64_t k)
{
    return 2.0 * (double)m * (double)n * (double)k;
}

// R above the diagonal, with what Q is made of below it and in tau.
static int64_t factor_qr(
        int64_t kind, int64_t m, int64_t n, struct abi_memory *a, struct abi_memory *tau)
{
    struct lapack_task task = {
            .run = run_qr, .kind = kind, .m = m, .n = n, .arrays = {a, tau}};
    return lapack_run(&task, operations_of(m, n, m < n ? m : n));
}

static int64_t run_make_q(const struct lapack_task *task)
{
    orgqr_function orgqr = (orgqr_function)lapack_function(task->kind, "orgqr");
    int64_t info = 0, ask = -1, lwork, ld = lapack_at_least_1(task->m);
    void *a = lapack_array(task, 0), *tau = lapack_array(task, 1);
    double asked[2] = {0};
    if (!orgqr)
        return NO_LIBRARY;
    orgqr(&task->m, &task->n, &task->count, a, &ld, tau, asked, &ask, &info);
    void *work = lapack_workspace(task->kind, asked, &lwork);
    if (!work)
        return NO_MEMORY;
    bool is_alone = lapack_enter(task->m * task->n);
    orgqr(&task->m, &task->n, &task->count, a, &ld, tau, work, &lwork, &info);
    lapack_leave(is_alone);
    free(work);
    return lapack_narrow(info);
}

// Q's first columns from k of what factor_qr left.
static int64_t make_q(int64_t kind, int64_t m, int64_t columns, int64_t k,
        struct abi_memory *a, struct abi_memory *tau)
{
    struct lapack_task task = {.run = run_make_q,
            .kind = kind,
            .m = m,
            .n = columns,
            .count = k,
            .arrays = {a, tau}};
    return lapack_run(&task, operations_of(m, columns, k));
}

static const struct support_symbol symbols[] = {
        SUPPORT_SYMBOL("gridcell_solve", solve),
        SUPPORT_SYMBOL("gridcell_factor_lu", factor_lu),
        SUPPORT_SYMBOL("gridcell_invert", invert),
        SUPPORT_SYMBOL("gridcell_factor_cholesky", factor_cholesky),
        SUPPORT_SYMBOL("gridcell_factor_qr", factor_qr),
        SUPPORT_SYMBOL("gridcell_make_q", make_q),
        {0},
};

void lapack_define_factors(void)
{
    compiler_define_symbols(symbols);
}
