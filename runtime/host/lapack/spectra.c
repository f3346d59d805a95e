// SPDX-License-Identifier: MIT
// Singular values, eigenvalues and least squares for compiled code.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/types/abi.h"
#include "compiler/backends/cpu/symbols.h"
#include "runtime/host/lapack/lapack.h"

// About what these take for each item of a matrix and each of its rows, or columns where
// they are fewer
enum { SINGULAR_WORK = 20, SYMMETRIC_WORK = 10, EIGEN_WORK = 40 };

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a < b ? b : a;
}

static double operations_of(const struct lapack_task *task, int each)
{
    return (double)each * (double)task->m * (double)task->n *
           (double)least(task->m, task->n);
}

// --- Singular values

typedef void (*gesdd_function)(const char *job, const int64_t *m, const int64_t *n,
        void *a, const int64_t *lda, void *s, void *u, const int64_t *ldu, void *vt,
        const int64_t *ldvt, void *work, const int64_t *lwork, void *iwork, int64_t *info,
        size_t);
typedef void (*complex_gesdd_function)(const char *job, const int64_t *m,
        const int64_t *n, void *a, const int64_t *lda, void *s, void *u,
        const int64_t *ldu, void *vt, const int64_t *ldvt, void *work,
        const int64_t *lwork, void *rwork, void *iwork, int64_t *info, size_t);

struct scratch {
    void *reals, *integers;
};

static int64_t call_gesdd(const struct lapack_task *task, const struct scratch *scratch,
        void *work, int64_t lwork)
{
    void *function = lapack_function(task->kind, "gesdd");
    void *a = lapack_array(task, 0), *s = lapack_array(task, 1),
         *u = lapack_array(task, 2), *vt = lapack_array(task, 3);
    const char job[2] = {(char)task->option, 0};
    const int64_t *m = &task->m, *n = &task->n;
    int64_t ldu = lapack_at_least_1(*m);
    int64_t ldvt = lapack_at_least_1(task->option == 'A' ? *n : least(*m, *n));
    int64_t info = 0;
    bool is_alone = lapack_enter(*m * *n);
    if (lapack_is_complex(task->kind))
        ((complex_gesdd_function)function)(job, m, n, a, &ldu, s, u, &ldu, vt, &ldvt,
                work, &lwork, scratch->reals, scratch->integers, &info, 1);
    else
        ((gesdd_function)function)(job, m, n, a, &ldu, s, u, &ldu, vt, &ldvt, work,
                &lwork, scratch->integers, &info, 1);
    lapack_leave(is_alone);
    return lapack_narrow(info);
}

static int64_t run_svd(const struct lapack_task *task)
{
    if (!lapack_function(task->kind, "gesdd"))
        return NO_LIBRARY;
    size_t k = (size_t)least(task->m, task->n), wide = (size_t)most(task->m, task->n);
    size_t reals = k * (5 * k + 7) + 2 * wide * k + 2 * k * k + 1;
    bool has_reals = lapack_is_complex(task->kind);
    struct scratch scratch = {
            malloc(has_reals ? reals * lapack_real_bytes(task->kind) : 8),
            malloc((8 * k + 1) * sizeof(int64_t))};
    double asked[2] = {0};
    int64_t lwork, info = NO_MEMORY;
    void *work = NULL;
    if (scratch.reals && scratch.integers)
        info = call_gesdd(task, &scratch, asked, -1);
    if (!info) {
        work = lapack_workspace(task->kind, asked, &lwork);
        info = work ? call_gesdd(task, &scratch, work, lwork) : NO_MEMORY;
    }
    free(work);
    free(scratch.reals);
    free(scratch.integers);
    return info;
}

// job: 'A' all of u and vt, 'S' their first columns and rows, 'N' neither.
static int64_t decompose_svd(int64_t kind, int64_t job, int64_t m, int64_t n,
        struct abi_memory *a, struct abi_memory *s, struct abi_memory *u,
        struct abi_memory *vt)
{
    struct lapack_task task = {.run = run_svd,
            .kind = kind,
            .m = m,
            .n = n,
            .option = (int)job,
            .arrays = {a, s, u, vt}};
    double wide = (double)most(m, n), whole = job == 'A' ? wide * wide : 0;
    return lapack_run(
            &task, operations_of(&task, SINGULAR_WORK) + whole * (double)least(m, n));
}

// --- Eigenvalues

typedef void (*geev_function)(const char *left, const char *right, const int64_t *n,
        void *a, const int64_t *lda, void *wr, void *wi, void *vl, const int64_t *ldvl,
        void *vr, const int64_t *ldvr, void *work, const int64_t *lwork, int64_t *info,
        size_t, size_t);
typedef void (*complex_geev_function)(const char *left, const char *right,
        const int64_t *n, void *a, const int64_t *lda, void *w, void *vl,
        const int64_t *ldvl, void *vr, const int64_t *ldvr, void *work,
        const int64_t *lwork, void *rwork, int64_t *info, size_t, size_t);

static int64_t call_geev(
        const struct lapack_task *task, void *reals, void *work, int64_t lwork)
{
    void *function = lapack_function(task->kind, "geev");
    void *a = lapack_array(task, 0), *w = lapack_array(task, 1),
         *wi = lapack_array(task, 2), *v = lapack_array(task, 3);
    int64_t info = 0, ld = lapack_at_least_1(task->n), one = 1;
    const char *right = task->option ? "V" : "N";
    bool is_alone = lapack_enter(task->n * task->n);
    if (lapack_is_complex(task->kind))
        ((complex_geev_function)function)("N", right, &task->n, a, &ld, w, NULL, &one, v,
                &ld, work, &lwork, reals, &info, 1, 1);
    else
        ((geev_function)function)("N", right, &task->n, a, &ld, w, wi, NULL, &one, v, &ld,
                work, &lwork, &info, 1, 1);
    lapack_leave(is_alone);
    return lapack_narrow(info);
}

static int64_t run_eigen(const struct lapack_task *task)
{
    int64_t lwork, info = NO_MEMORY;
    double asked[2] = {0};
    if (!lapack_function(task->kind, "geev"))
        return NO_LIBRARY;
    void *reals = malloc((size_t)(2 * task->n + 1) * sizeof(double)), *work = NULL;
    if (reals)
        info = call_geev(task, reals, asked, -1);
    if (!info) {
        work = lapack_workspace(task->kind, asked, &lwork);
        info = work ? call_geev(task, reals, work, lwork) : NO_MEMORY;
    }
    free(work);
    free(reals);
    return info;
}

// Eigenvalues w (with their imaginary parts in wi for real matrices), and vectors in v.
static int64_t eigen(int64_t kind, int64_t wants_vectors, int64_t n, struct abi_memory *a,
        struct abi_memory *w, struct abi_memory *wi, struct abi_memory *v)
{
    struct lapack_task task = {.run = run_eigen,
            .kind = kind,
            .m = n,
            .n = n,
            .option = wants_vectors != 0,
            .arrays = {a, w, wi, v}};
    return lapack_run(&task, operations_of(&task, EIGEN_WORK));
}

// --- Eigenvalues of symmetric matrices

typedef void (*syevd_function)(const char *job, const char *uplo, const int64_t *n,
        void *a, const int64_t *lda, void *w, void *work, const int64_t *lwork,
        void *iwork, const int64_t *liwork, int64_t *info, size_t, size_t);
typedef void (*heevd_function)(const char *job, const char *uplo, const int64_t *n,
        void *a, const int64_t *lda, void *w, void *work, const int64_t *lwork,
        void *rwork, const int64_t *lrwork, void *iwork, const int64_t *liwork,
        int64_t *info, size_t, size_t);

enum { WANTS_VECTORS = 1, IS_UPPER = 2 }; // options

static int64_t run_eigen_symmetric(const struct lapack_task *task)
{
    void *function = lapack_function(task->kind, "syevd");
    void *a = lapack_array(task, 0), *w = lapack_array(task, 1);
    const char *job = task->option & WANTS_VECTORS ? "V" : "N",
               *uplo = task->option & IS_UPPER ? "U" : "L";
    int64_t info = 0, n = task->n, ld = lapack_at_least_1(n);
    int64_t lwork = 1 + 6 * n + 2 * n * n, lrwork = 1 + 5 * n + 2 * n * n,
            liwork = 3 + 5 * n;
    if (!function)
        return NO_LIBRARY;
    void *work = malloc((size_t)lwork * lapack_item_bytes(task->kind));
    void *rwork = malloc((size_t)lrwork * lapack_real_bytes(task->kind));
    void *iwork = malloc((size_t)liwork * sizeof(int64_t));
    bool is_alone = lapack_enter(n * n);
    if (!work || !rwork || !iwork)
        info = NO_MEMORY;
    else if (lapack_is_complex(task->kind))
        ((heevd_function)function)(job, uplo, &n, a, &ld, w, work, &lwork, rwork, &lrwork,
                iwork, &liwork, &info, 1, 1);
    else
        ((syevd_function)function)(
                job, uplo, &n, a, &ld, w, work, &lwork, iwork, &liwork, &info, 1, 1);
    lapack_leave(is_alone);
    free(work);
    free(rwork);
    free(iwork);
    return info == NO_MEMORY ? info : lapack_narrow(info);
}

// Of symmetric or Hermitian matrices, given by their lower (C order: upper) triangle.
static int64_t eigen_symmetric(int64_t kind, int64_t wants_vectors, int64_t is_upper,
        int64_t n, struct abi_memory *a, struct abi_memory *w)
{
    struct lapack_task task = {.run = run_eigen_symmetric,
            .kind = kind,
            .m = n,
            .n = n,
            .option = (wants_vectors ? WANTS_VECTORS : 0) | (is_upper ? IS_UPPER : 0),
            .arrays = {a, w}};
    return lapack_run(&task, operations_of(&task, SYMMETRIC_WORK));
}

// --- Least squares

typedef void (*gelsd_function)(const int64_t *m, const int64_t *n, const int64_t *nrhs,
        void *a, const int64_t *lda, void *b, const int64_t *ldb, void *s,
        const void *rcond, int64_t *rank, void *work, const int64_t *lwork, void *iwork,
        int64_t *info);
typedef void (*complex_gelsd_function)(const int64_t *m, const int64_t *n,
        const int64_t *nrhs, void *a, const int64_t *lda, void *b, const int64_t *ldb,
        void *s, const void *rcond, int64_t *rank, void *work, const int64_t *lwork,
        void *rwork, void *iwork, int64_t *info);

static int64_t call_gelsd(const struct lapack_task *task, const struct scratch *scratch,
        void *work, int64_t lwork)
{
    void *function = lapack_function(task->kind, "gelsd");
    void *a = lapack_array(task, 0), *b = lapack_array(task, 1),
         *s = lapack_array(task, 2), *rank = lapack_array(task, 3);
    float limit32 = (float)task->limit;
    const void *limit =
            lapack_real_bytes(task->kind) == 4 ? (void *)&limit32 : (void *)&task->limit;
    const int64_t *m = &task->m, *n = &task->n, *count = &task->count;
    int64_t info = 0, lda = lapack_at_least_1(*m), ldb = lapack_at_least_1(most(*m, *n));
    bool is_alone = lapack_enter(*m * *n);
    if (lapack_is_complex(task->kind))
        ((complex_gelsd_function)function)(m, n, count, a, &lda, b, &ldb, s, limit, rank,
                work, &lwork, scratch->reals, scratch->integers, &info);
    else
        ((gelsd_function)function)(m, n, count, a, &lda, b, &ldb, s, limit, rank, work,
                &lwork, scratch->integers, &info);
    lapack_leave(is_alone);
    return lapack_narrow(info);
}

static int64_t run_least_squares(const struct lapack_task *task)
{
    if (!lapack_function(task->kind, "gelsd"))
        return NO_LIBRARY;
    double asked[2] = {0}, reals[2] = {0};
    int64_t integers[2] = {0}, lwork;
    *(int64_t *)lapack_array(task, 3) = 0;
    int64_t info = call_gelsd(task, &(struct scratch){reals, integers}, asked, -1);
    if (info)
        return info;
    float wanted32;
    memcpy(&wanted32, reals, sizeof wanted32);
    size_t real_bytes = lapack_real_bytes(task->kind);
    double wanted = real_bytes == 4 ? (double)wanted32 : reals[0];
    void *work = lapack_workspace(task->kind, asked, &lwork);
    struct scratch scratch = {malloc(((size_t)wanted + 1) * real_bytes),
            malloc(((size_t)lapack_narrow(integers[0]) + 1) * sizeof(int64_t))};
    info = work && scratch.reals && scratch.integers
                   ? call_gelsd(task, &scratch, work, lwork)
                   : NO_MEMORY;
    free(work);
    free(scratch.reals);
    free(scratch.integers);
    return info;
}

// b, of max(m, n) rows, becomes the solution; s: the singular values; *rank: how many
// count.
static int64_t least_squares(int64_t kind, int64_t m, int64_t n, int64_t count,
        struct abi_memory *a, struct abi_memory *b, struct abi_memory *s, double limit,
        struct abi_memory *rank)
{
    struct lapack_task task = {.run = run_least_squares,
            .kind = kind,
            .m = m,
            .n = n,
            .count = count,
            .limit = limit,
            .arrays = {a, b, s, rank}};
    double sides = 4.0 * (double)m * (double)n * (double)count;
    return lapack_run(&task, operations_of(&task, SINGULAR_WORK) + sides);
}

static const struct support_symbol symbols[] = {
        SUPPORT_SYMBOL("gridcell_svd", decompose_svd),
        SUPPORT_SYMBOL("gridcell_eigen", eigen),
        SUPPORT_SYMBOL("gridcell_eigen_symmetric", eigen_symmetric),
        SUPPORT_SYMBOL("gridcell_least_squares", least_squares),
        {0},
};

void lapack_define_spectra(void)
{
    compiler_define_symbols(symbols);
}
