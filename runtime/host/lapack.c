// SPDX-License-Identifier: MIT
// Linear algebra for compiled code. The functions are found by name in the library that
// NumPy has loaded, or come from SciPy. Libraries differ in the width of their integers:
// numbers pass by address with their low half first, so that both widths read them; only
// what comes back in arrays needs care.
#include "runtime/host/lapack.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"

static void *library;               // of dlopen
static const char *prefix, *suffix; // around names in it
static bool has_wide_integers;

// The functions in use, as far as they have been looked up; [1] for complex numbers.
static const char *const names[][2] = {{"dot", "dotu"}, {"gemv", "gemv"},
        {"gemm", "gemm"}, {"gesv", "gesv"}, {"getrf", "getrf"}, {"getri", "getri"},
        {"potrf", "potrf"}, {"geqrf", "geqrf"}, {"orgqr", "ungqr"}, {"gesdd", "gesdd"},
        {"geev", "geev"}, {"syevd", "heevd"}, {"gelsd", "gelsd"}};
enum { NAME_COUNT = sizeof names / sizeof *names };
static _Atomic(void *) functions[4][NAME_COUNT];
static bool has_scipy;

// --- Finding functions

static bool take_names(void *handle)
{
    static const char *const forms[][2] = {
            {"scipy_", "_64_"}, {"scipy_", "_"}, {"", "_64_"}, {"", "_"}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char name[64];
        snprintf(name, sizeof name, "%sdgesdd%s", forms[i][0], forms[i][1]);
        if (!dlsym(handle, name))
            continue;
        library = handle;
        prefix = forms[i][0];
        suffix = forms[i][1];
        has_wide_integers = !strcmp(suffix, "_64_");
        lapack_threads_find(library, prefix, suffix);
        return true;
    }
    return false;
}

static int look_into(struct dl_phdr_info *info, size_t size, void *context)
{
    const char *name = strrchr(info->dlpi_name, '/');
    if (!name ||
            (!strstr(name, "blas") && !strstr(name, "lapack") && !strstr(name, "mkl")))
        return 0;
    void *handle = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
    return handle && take_names(handle);
}

bool lapack_find(void)
{
    return library || has_scipy || dl_iterate_phdr(look_into, NULL);
}

void lapack_take(void *(*find)(void *context, const char *name), void *context)
{
    for (size_t kind = 0; kind < 4; kind++)
        for (size_t i = 0; i < NAME_COUNT; i++) {
            char name[32];
            snprintf(name, sizeof name, "%c%s", "sdcz"[kind], names[i][kind > 1]);
            functions[kind][i] = find(context, name);
        }
    has_scipy = true;
}

void *lapack_function(int64_t kind, const char *name)
{
    size_t row = kind == LAPACK_FLOAT32     ? 0
                 : kind == LAPACK_FLOAT64   ? 1
                 : kind == LAPACK_COMPLEX64 ? 2
                                            : 3;
    size_t i = 0;
    while (strcmp(names[i][0], name) != 0)
        i++;
    void *function = functions[row][i];
    if (function || !library)
        return function;
    char full[64];
    snprintf(full, sizeof full, "%s%c%s%s", prefix, "sdcz"[row], names[i][row > 1],
            suffix);
    function = dlsym(library, full);
    functions[row][i] = function;
    return function;
}

// What a function said in its `info`, whose high half may not be written.
static int64_t narrow(int64_t info)
{
    return (int32_t)info;
}

// A workspace of as many items as the first item of `asked` says.
static void *workspace(int64_t kind, const void *asked, int64_t *count)
{
    double wanted = lapack_real_bytes(kind) == 4 ? (double)*(const float *)asked
                                                 : *(const double *)asked;
    *count = (int64_t)wanted + 1;
    return malloc((size_t)*count * lapack_item_bytes(kind));
}

static int64_t at_least_1(int64_t n)
{
    return n > 1 ? n : 1;
}

// --- Factorisations; matrices are in Fortran order and are overwritten

typedef void (*gesv_function)(const int64_t *n, const int64_t *nrhs, void *a,
        const int64_t *lda, void *pivots, void *b, const int64_t *ldb, int64_t *info);

static int64_t solve(int64_t kind, int64_t n, int64_t count, void *a, void *b)
{
    gesv_function gesv = (gesv_function)lapack_function(kind, "gesv");
    int64_t info = 0, ld = at_least_1(n);
    void *pivots = calloc((size_t)ld, sizeof(int64_t));
    bool is_alone = lapack_enter(n * n);
    if (gesv && pivots)
        gesv(&n, &count, a, &ld, pivots, b, &ld, &info);
    lapack_leave(is_alone);
    free(pivots);
    return !gesv ? NO_LIBRARY : !pivots ? NO_MEMORY : narrow(info);
}

typedef void (*getrf_function)(const int64_t *m, const int64_t *n, void *a,
        const int64_t *lda, void *pivots, int64_t *info);
typedef void (*getri_function)(const int64_t *n, void *a, const int64_t *lda,
        const void *pivots, void *work, const int64_t *lwork, int64_t *info);

// LU; *swaps: how many rows changed places.
static int64_t factor_lu(int64_t kind, int64_t n, void *a, void *pivots, int64_t *swaps)
{
    getrf_function getrf = (getrf_function)lapack_function(kind, "getrf");
    int64_t info = 0, ld = at_least_1(n);
    if (!getrf)
        return NO_LIBRARY;
    bool is_alone = lapack_enter(n * n);
    getrf(&n, &n, a, &ld, pivots, &info);
    lapack_leave(is_alone);
    *swaps = 0;
    for (int64_t i = 0; i < n; i++)
        *swaps += (has_wide_integers ? ((int64_t *)pivots)[i] : ((int32_t *)pivots)[i]) !=
                  i + 1;
    return narrow(info);
}

static int64_t invert(int64_t kind, int64_t n, void *a, void *pivots)
{
    getri_function getri = (getri_function)lapack_function(kind, "getri");
    int64_t swaps, info = factor_lu(kind, n, a, pivots, &swaps);
    int64_t ask = -1, lwork, ld = at_least_1(n);
    double asked[2] = {0};
    if (info || !getri)
        return info ? info : NO_LIBRARY;
    getri(&n, a, &ld, pivots, asked, &ask, &info);
    void *work = workspace(kind, asked, &lwork);
    if (!work)
        return NO_MEMORY;
    bool is_alone = lapack_enter(n * n);
    getri(&n, a, &ld, pivots, work, &lwork, &info);
    lapack_leave(is_alone);
    free(work);
    return narrow(info);
}

typedef void (*potrf_function)(const char *uplo, const int64_t *n, void *a,
        const int64_t *lda, int64_t *info, size_t);

static int64_t factor_cholesky(int64_t kind, int64_t n, void *a)
{
    potrf_function potrf = (potrf_function)lapack_function(kind, "potrf");
    int64_t info = 0, ld = at_least_1(n);
    if (!potrf)
        return NO_LIBRARY;
    bool is_alone = lapack_enter(n * n);
    potrf("L", &n, a, &ld, &info, 1);
    lapack_leave(is_alone);
    return narrow(info);
}

typedef void (*geqrf_function)(const int64_t *m, const int64_t *n, void *a,
        const int64_t *lda, void *tau, void *work, const int64_t *lwork, int64_t *info);
typedef void (*orgqr_function)(const int64_t *m, const int64_t *n, const int64_t *k,
        void *a, const int64_t *lda, const void *tau, void *work, const int64_t *lwork,
        int64_t *info);

// R above the diagonal, with what Q is made of below it and in tau.
static int64_t factor_qr(int64_t kind, int64_t m, int64_t n, void *a, void *tau)
{
    geqrf_function geqrf = (geqrf_function)lapack_function(kind, "geqrf");
    int64_t info = 0, ask = -1, lwork, ld = at_least_1(m);
    double asked[2] = {0};
    if (!geqrf)
        return NO_LIBRARY;
    geqrf(&m, &n, a, &ld, tau, asked, &ask, &info);
    void *work = workspace(kind, asked, &lwork);
    if (!work)
        return NO_MEMORY;
    bool is_alone = lapack_enter(m * n);
    geqrf(&m, &n, a, &ld, tau, work, &lwork, &info);
    lapack_leave(is_alone);
    free(work);
    return narrow(info);
}

// Q's first columns from k of what factor_qr left.
static int64_t make_q(
        int64_t kind, int64_t m, int64_t columns, int64_t k, void *a, const void *tau)
{
    orgqr_function orgqr = (orgqr_function)lapack_function(kind, "orgqr");
    int64_t info = 0, ask = -1, lwork, ld = at_least_1(m);
    double asked[2] = {0};
    if (!orgqr)
        return NO_LIBRARY;
    orgqr(&m, &columns, &k, a, &ld, tau, asked, &ask, &info);
    void *work = workspace(kind, asked, &lwork);
    if (!work)
        return NO_MEMORY;
    bool is_alone = lapack_enter(m * columns);
    orgqr(&m, &columns, &k, a, &ld, tau, work, &lwork, &info);
    lapack_leave(is_alone);
    free(work);
    return narrow(info);
}

// --- Singular and eigenvalues

typedef void (*gesdd_function)(const char *job, const int64_t *m, const int64_t *n,
        void *a, const int64_t *lda, void *s, void *u, const int64_t *ldu, void *vt,
        const int64_t *ldvt, void *work, const int64_t *lwork, void *iwork, int64_t *info,
        size_t);
typedef void (*complex_gesdd_function)(const char *job, const int64_t *m,
        const int64_t *n, void *a, const int64_t *lda, void *s, void *u,
        const int64_t *ldu, void *vt, const int64_t *ldvt, void *work,
        const int64_t *lwork, void *rwork, void *iwork, int64_t *info, size_t);

struct svd {
    int64_t kind, m, n, ldu, ldvt;
    const char *job;
    void *function, *a, *s, *u, *vt, *rwork, *iwork;
};

static int64_t call_gesdd(const struct svd *svd, void *work, int64_t lwork)
{
    int64_t info = 0, lda = at_least_1(svd->m);
    bool is_alone = lapack_enter(svd->m * svd->n);
    if (lapack_is_complex(svd->kind))
        ((complex_gesdd_function)svd->function)(svd->job, &svd->m, &svd->n, svd->a, &lda,
                svd->s, svd->u, &svd->ldu, svd->vt, &svd->ldvt, work, &lwork, svd->rwork,
                svd->iwork, &info, 1);
    else
        ((gesdd_function)svd->function)(svd->job, &svd->m, &svd->n, svd->a, &lda, svd->s,
                svd->u, &svd->ldu, svd->vt, &svd->ldvt, work, &lwork, svd->iwork, &info,
                1);
    lapack_leave(is_alone);
    return narrow(info);
}

// job: 'A' all of u and vt, 'S' their first columns and rows, 'N' neither.
static int64_t decompose_svd(int64_t kind, int64_t job, int64_t m, int64_t n, void *a,
        void *s, void *u, void *vt)
{
    int64_t least = m < n ? m : n, most = m < n ? n : m, lwork;
    char jobs[2] = {(char)job, 0};
    struct svd svd = {kind, m, n, at_least_1(m), at_least_1(job == 'A' ? n : least), jobs,
            lapack_function(kind, "gesdd"), a, s, u, vt, NULL, NULL};
    if (!svd.function)
        return NO_LIBRARY;
    size_t reals =
            (size_t)(least * (5 * least + 7) + 2 * most * least + 2 * least * least + 1);
    svd.rwork = malloc(lapack_is_complex(kind) ? reals * lapack_real_bytes(kind) : 8);
    svd.iwork = malloc((size_t)(8 * least + 1) * sizeof(int64_t));
    double asked[2] = {0};
    int64_t info = svd.rwork && svd.iwork ? call_gesdd(&svd, asked, -1) : NO_MEMORY;
    void *work = info ? NULL : workspace(kind, asked, &lwork);
    if (!info)
        info = work ? call_gesdd(&svd, work, lwork) : NO_MEMORY;
    free(work);
    free(svd.rwork);
    free(svd.iwork);
    return info;
}

typedef void (*geev_function)(const char *left, const char *right, const int64_t *n,
        void *a, const int64_t *lda, void *wr, void *wi, void *vl, const int64_t *ldvl,
        void *vr, const int64_t *ldvr, void *work, const int64_t *lwork, int64_t *info,
        size_t, size_t);
typedef void (*complex_geev_function)(const char *left, const char *right,
        const int64_t *n, void *a, const int64_t *lda, void *w, void *vl,
        const int64_t *ldvl, void *vr, const int64_t *ldvr, void *work,
        const int64_t *lwork, void *rwork, int64_t *info, size_t, size_t);

static int64_t call_geev(int64_t kind, void *function, int64_t wants_vectors, int64_t n,
        void *a, void *w, void *wi, void *v, void *work, int64_t lwork, void *rwork)
{
    int64_t info = 0, ld = at_least_1(n), one = 1;
    const char *right = wants_vectors ? "V" : "N";
    bool is_alone = lapack_enter(n * n);
    if (lapack_is_complex(kind))
        ((complex_geev_function)function)("N", right, &n, a, &ld, w, NULL, &one, v, &ld,
                work, &lwork, rwork, &info, 1, 1);
    else
        ((geev_function)function)("N", right, &n, a, &ld, w, wi, NULL, &one, v, &ld, work,
                &lwork, &info, 1, 1);
    lapack_leave(is_alone);
    return narrow(info);
}

// Eigenvalues w (with their imaginary parts in wi for real matrices), and vectors in v.
static int64_t eigen(int64_t kind, int64_t wants_vectors, int64_t n, void *a, void *w,
        void *wi, void *v)
{
    void *function = lapack_function(kind, "geev");
    int64_t lwork;
    double asked[2] = {0};
    if (!function)
        return NO_LIBRARY;
    void *rwork = malloc((size_t)(2 * n + 1) * sizeof(double));
    int64_t info = rwork ? call_geev(kind, function, wants_vectors, n, a, w, wi, v, asked,
                                   -1, rwork)
                         : NO_MEMORY;
    void *work = info ? NULL : workspace(kind, asked, &lwork);
    if (!info)
        info = work ? call_geev(kind, function, wants_vectors, n, a, w, wi, v, work,
                              lwork, rwork)
                    : NO_MEMORY;
    free(work);
    free(rwork);
    return info;
}

typedef void (*syevd_function)(const char *job, const char *uplo, const int64_t *n,
        void *a, const int64_t *lda, void *w, void *work, const int64_t *lwork,
        void *iwork, const int64_t *liwork, int64_t *info, size_t, size_t);
typedef void (*heevd_function)(const char *job, const char *uplo, const int64_t *n,
        void *a, const int64_t *lda, void *w, void *work, const int64_t *lwork,
        void *rwork, const int64_t *lrwork, void *iwork, const int64_t *liwork,
        int64_t *info, size_t, size_t);

// Of symmetric or Hermitian matrices, given by their lower (C order: upper) triangle.
static int64_t eigen_symmetric(int64_t kind, int64_t wants_vectors, int64_t is_upper,
        int64_t n, void *a, void *w)
{
    void *function = lapack_function(kind, "syevd");
    const char *job = wants_vectors ? "V" : "N", *uplo = is_upper ? "U" : "L";
    int64_t info = 0, ld = at_least_1(n);
    int64_t lwork = 1 + 6 * n + 2 * n * n, lrwork = 1 + 5 * n + 2 * n * n,
            liwork = 3 + 5 * n;
    if (!function)
        return NO_LIBRARY;
    void *work = malloc((size_t)lwork * lapack_item_bytes(kind));
    void *rwork = malloc((size_t)lrwork * lapack_real_bytes(kind));
    void *iwork = malloc((size_t)liwork * sizeof(int64_t));
    bool is_alone = lapack_enter(n * n);
    if (!work || !rwork || !iwork)
        info = NO_MEMORY;
    else if (lapack_is_complex(kind))
        ((heevd_function)function)(job, uplo, &n, a, &ld, w, work, &lwork, rwork, &lrwork,
                iwork, &liwork, &info, 1, 1);
    else
        ((syevd_function)function)(
                job, uplo, &n, a, &ld, w, work, &lwork, iwork, &liwork, &info, 1, 1);
    lapack_leave(is_alone);
    free(work);
    free(rwork);
    free(iwork);
    return info == NO_MEMORY ? info : narrow(info);
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

struct least_squares {
    int64_t kind, m, n, count, *rank;
    void *function, *a, *b, *s, *rcond;
};

static int64_t call_gelsd(const struct least_squares *ls, void *work, int64_t lwork,
        void *rwork, void *iwork)
{
    int64_t info = 0, lda = at_least_1(ls->m),
            ldb = at_least_1(ls->m > ls->n ? ls->m : ls->n);
    bool is_alone = lapack_enter(ls->m * ls->n);
    if (lapack_is_complex(ls->kind))
        ((complex_gelsd_function)ls->function)(&ls->m, &ls->n, &ls->count, ls->a, &lda,
                ls->b, &ldb, ls->s, ls->rcond, ls->rank, work, &lwork, rwork, iwork,
                &info);
    else
        ((gelsd_function)ls->function)(&ls->m, &ls->n, &ls->count, ls->a, &lda, ls->b,
                &ldb, ls->s, ls->rcond, ls->rank, work, &lwork, iwork, &info);
    lapack_leave(is_alone);
    return narrow(info);
}

// b, of max(m, n) rows, becomes the solution; s: the singular values; *rank: how many
// count.
static int64_t least_squares(int64_t kind, int64_t m, int64_t n, int64_t count, void *a,
        void *b, void *s, double rcond, int64_t *rank)
{
    float rcond32 = (float)rcond;
    struct least_squares ls = {kind, m, n, count, rank, lapack_function(kind, "gelsd"), a,
            b, s, lapack_real_bytes(kind) == 4 ? (void *)&rcond32 : (void *)&rcond};
    if (!ls.function)
        return NO_LIBRARY;
    double asked[2] = {0}, reals[2] = {0};
    int64_t integers[2] = {0}, lwork;
    *rank = 0;
    int64_t info = call_gelsd(&ls, asked, -1, reals, integers);
    void *work = workspace(kind, asked, &lwork);
    float wanted32;
    memcpy(&wanted32, reals, sizeof wanted32);
    double wanted = lapack_real_bytes(kind) == 4 ? (double)wanted32 : reals[0];
    void *rwork = malloc(((size_t)wanted + 1) * lapack_real_bytes(kind));
    void *iwork = malloc(((size_t)narrow(integers[0]) + 1) * sizeof(int64_t));
    if (!info)
        info = work && rwork && iwork ? call_gelsd(&ls, work, lwork, rwork, iwork)
                                      : NO_MEMORY;
    free(work);
    free(rwork);
    free(iwork);
    return info;
}

void lapack_define_symbols(void)
{
    lapack_define_products();
    compiler_define_symbol("gridcell_solve", (void *)solve);
    compiler_define_symbol("gridcell_factor_lu", (void *)factor_lu);
    compiler_define_symbol("gridcell_invert", (void *)invert);
    compiler_define_symbol("gridcell_factor_cholesky", (void *)factor_cholesky);
    compiler_define_symbol("gridcell_factor_qr", (void *)factor_qr);
    compiler_define_symbol("gridcell_make_q", (void *)make_q);
    compiler_define_symbol("gridcell_svd", (void *)decompose_svd);
    compiler_define_symbol("gridcell_eigen", (void *)eigen);
    compiler_define_symbol("gridcell_eigen_symmetric", (void *)eigen_symmetric);
    compiler_define_symbol("gridcell_least_squares", (void *)least_squares);
}
