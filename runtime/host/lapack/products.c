// SPDX-License-Identifier: MIT
// Products of vectors and matrices for compiled code, by BLAS. Large ones are made of
// panels of some 20 ms each, between which an interrupt is seen.
#include <stdint.h>

#include "compiler/types/abi.h"
#include "compiler/backends/cpu/symbols.h"
#include "compiler/support/interrupt.h"
#include "runtime/host/lapack/lapack.h"
#include "runtime/threads/touch.h"

enum {
    // What a panel takes: products of two doubles, and items that are read once
    PRODUCTS = 600 * 1000 * 1000,
    ITEMS = 1 << 23,
    THIN = 32,   // matrices of fewer rows or columns take as long to read as these
    DEPTH = 384, // of panels: BLAS's own, or a multiple, so that it adds in its order
    ALIGNED = 96,
};

typedef void (*gemm_function)(const char *ta, const char *tb, const int64_t *m,
        const int64_t *n, const int64_t *k, const void *alpha, const void *a,
        const int64_t *lda, const void *b, const int64_t *ldb, const void *beta, void *c,
        const int64_t *ldc, size_t, size_t);
typedef void (*gemv_function)(const char *ta, const int64_t *m, const int64_t *n,
        const void *alpha, const void *a, const int64_t *lda, const void *x,
        const int64_t *incx, const void *beta, void *y, const int64_t *incy, size_t);

static const double one64[2] = {1, 0}, zero64[2];
static const float one32[2] = {1, 0};

static const void *unit_of(int64_t kind)
{
    return lapack_real_bytes(kind) == 4 ? (const void *)one32 : (const void *)one64;
}

static int64_t at_least_1(int64_t n)
{
    return n > 1 ? n : 1;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

// The length of panels, whole steps, where each is to take about `most` of `len`.
static int64_t panel_len(int64_t len, int64_t most, int64_t step)
{
    int64_t count = (len + most - 1) / at_least_1(most);
    int64_t part = len / at_least_1(count);
    return count <= 1 ? len : (part + step) / step * step;
}

// --- Vectors

// Rows that begin `ld` items apart.
static void touch_operand(
        int64_t kind, const void *data, int64_t rows, int64_t columns, int64_t ld)
{
    size_t item = lapack_item_bytes(kind);
    for (int64_t i = 0; ld != columns && i < rows; i++)
        touch((const char *)data + (size_t)(i * ld) * item, (size_t)columns * item);
    if (ld == columns)
        touch(data, (size_t)(rows * columns) * item);
}

static void touch_result(int64_t kind, void *data, int64_t rows, int64_t columns)
{
    touch_to_write(data, (size_t)(rows * columns) * lapack_item_bytes(kind));
}

// y = a x; a of m by n in C order, or, transposed, in Fortran's; its rows, or columns,
// begin `lda` items apart.
static int64_t matvec(int64_t kind, int64_t m, int64_t n, const void *a,
        int64_t a_transposed, int64_t lda, const void *x, void *y)
{
    gemv_function gemv = (gemv_function)lapack_function(kind, "gemv");
    if (!gemv)
        return NO_LIBRARY;
    touch_operand(kind, a, a_transposed ? n : m, a_transposed ? m : n, lda);
    touch_operand(kind, x, n, 1, 1);
    touch_result(kind, y, m, 1);
    const void *one = unit_of(kind);
    int64_t lens[2] = {a_transposed ? m : n, a_transposed ? n : m}; // BLAS's m and n
    int64_t step = 1, item = (int64_t)lapack_item_bytes(kind);
    int64_t most[2] = {least(lens[0], ITEMS), 0};
    most[1] = panel_len(lens[1], ITEMS / at_least_1(most[0]), 1);
    int64_t at[2], count[2];
    for (at[1] = 0; at[1] < at_least_1(lens[1]); at[1] += at_least_1(count[1])) {
        count[1] = least(lens[1] - at[1], most[1]);
        for (at[0] = 0; at[0] < at_least_1(lens[0]); at[0] += at_least_1(count[0])) {
            bool is_first = !(at[0] | at[1]);
            if (!is_first && compiler_interrupt_flag)
                return STATUS_INTERRUPTED;
            count[0] = least(lens[0] - at[0], most[0]);
            int64_t to = at[!a_transposed], from = at[!!a_transposed];
            gemv(a_transposed ? "N" : "T", &count[0], &count[1], one,
                    (const char *)a + (at[1] * lda + at[0]) * item, &lda,
                    (const char *)x + from * item, &step, from ? one : zero64,
                    (char *)y + to * item, &step, 1);
        }
    }
    return STATUS_OK;
}

// --- Matrices

// c = a b, all in C order (a: m by k, b: k by n); transposed ones are stored as k by m, n
// by k.
struct product {
    gemm_function gemm;
    int64_t kind, m, n, k;
    const char *a, *b;
    char *c;
    int64_t lda, ldb;
    bool a_transposed, b_transposed;
};

struct panel {
    int64_t row, column, depth; // where it starts
    int64_t rows, columns, depths;
};

static int64_t thick(int64_t n)
{
    return n > THIN ? n : THIN;
}

// The size of panels. Thin ones take their share of the depth, others of rows, which are
// as long as can be: so BLAS rearranges the fewest items twice.
static struct panel panel_of(const struct product *p)
{
    int64_t cost = (int64_t)lapack_item_bytes(p->kind) / 4 *
                   (lapack_is_complex(p->kind) ? 2 : 1);
    double budget = 2.0 * PRODUCTS / (double)cost;
    double area = (double)thick(p->m) * (double)thick(p->n);
    if (area * (double)thick(p->k) <= budget)
        return (struct panel){.rows = p->m, .columns = p->n, .depths = p->k};
    int64_t depth = (int64_t)(budget / area) / DEPTH * DEPTH;
    depth = least(p->k, depth > DEPTH ? depth : DEPTH);
    int64_t items = (int64_t)(budget / (double)thick(depth));
    int64_t rows = items / thick(p->n);
    rows = panel_len(p->m, rows > 4 * ALIGNED ? rows : 4 * ALIGNED, ALIGNED);
    return (struct panel){.rows = rows,
            .columns = panel_len(p->n, items / thick(rows), ALIGNED),
            .depths = depth};
}

// The depth of the next panel: as BLAS does, the last two share what is left.
static int64_t depth_of(int64_t left, int64_t usual)
{
    if (left >= 2 * usual)
        return usual;
    return left <= usual ? left : (left / 2 + 15) / 16 * 16;
}

static void multiply_panel(const struct product *p, const struct panel *at)
{
    const void *one = unit_of(p->kind);
    int64_t item = (int64_t)lapack_item_bytes(p->kind), ldc = at_least_1(p->n);
    int64_t from_a =
            p->a_transposed ? at->depth * p->lda + at->row : at->row * p->lda + at->depth;
    int64_t from_b = p->b_transposed ? at->column * p->ldb + at->depth
                                     : at->depth * p->ldb + at->column;
    p->gemm(p->b_transposed ? "T" : "N", p->a_transposed ? "T" : "N", &at->columns,
            &at->rows, &at->depths, one, p->b + from_b * item, &p->ldb,
            p->a + from_a * item, &p->lda, at->depth ? one : zero64,
            p->c + (at->row * ldc + at->column) * item, &ldc, 1, 1);
}

// 0, or STATUS_INTERRUPTED with part of the product made.
static int64_t multiply_panels(const struct product *p, const struct panel *size)
{
    struct panel at;
    for (at.depth = 0; at.depth < p->k; at.depth += at.depths) {
        at.depths = depth_of(p->k - at.depth, size->depths);
        for (at.row = 0; at.row < p->m; at.row += size->rows) {
            at.rows = least(p->m - at.row, size->rows);
            for (at.column = 0; at.column < p->n; at.column += size->columns) {
                if (compiler_interrupt_flag)
                    return STATUS_INTERRUPTED;
                at.columns = least(p->n - at.column, size->columns);
                multiply_panel(p, &at);
            }
        }
    }
    return STATUS_OK;
}

static int64_t matmul(int64_t kind, int64_t m, int64_t n, int64_t k, const void *a,
        int64_t a_transposed, int64_t lda, const void *b, int64_t b_transposed,
        int64_t ldb, void *c)
{
    if (n == 1 && (b_transposed || ldb == 1))
        return matvec(kind, m, k, a, a_transposed, lda, b, c);
    if (m == 1 && (!a_transposed || lda == 1))
        return matvec(kind, n, k, b, !b_transposed, ldb, a, c);
    struct product p = {
            .gemm = (gemm_function)lapack_function(kind, "gemm"),
            .kind = kind,
            .m = m,
            .n = n,
            .k = k,
            .a = a,
            .b = b,
            .c = c,
            .lda = lda,
            .ldb = ldb,
            .a_transposed = a_transposed,
            .b_transposed = b_transposed,
    };
    if (!p.gemm)
        return NO_LIBRARY;
    touch_operand(kind, a, a_transposed ? k : m, a_transposed ? m : k, lda);
    touch_operand(kind, b, b_transposed ? n : k, b_transposed ? k : n, ldb);
    touch_result(kind, c, m, n);
    struct panel size = panel_of(&p);
    if (size.rows < m || size.columns < n || size.depths < k)
        return multiply_panels(&p, &size);
    multiply_panel(&p, &size);
    return STATUS_OK;
}

// --- Sums of products

// Where BLAS has a vector begin: at its lowest address.
#define LOWEST(items, n, step) ((step) < 0 ? (items) + ((n)-1) * (step) : (items))

// dot_doubles and dot_floats: the sum of products, in order where there is no library, of
// vectors whose items lie `xs` and `ys` items apart.
#define DEFINE_DOT(name, number, kind)                                                   \
    typedef number (*name##_function)(const int64_t *n, const number *x,                 \
            const int64_t *incx, const number *y, const int64_t *incy);                  \
    static number name(                                                                  \
            int64_t n, const number *x, int64_t xs, const number *y, int64_t ys)         \
    {                                                                                    \
        name##_function dot = (name##_function)lapack_function(kind, "dot");             \
        const number *left = LOWEST(x, n, xs), *right = LOWEST(y, n, ys);                \
        touch(left, (size_t)((n - 1) * (xs < 0 ? -xs : xs) + 1) * sizeof *x);            \
        touch(right, (size_t)((n - 1) * (ys < 0 ? -ys : ys) + 1) * sizeof *y);           \
        number total = 0;                                                                \
        for (int64_t i = 0; !dot && i < n; i++)                                          \
            total += x[i * xs] * y[i * ys];                                              \
        return dot ? dot(&n, left, &xs, right, &ys) : total;                             \
    }
DEFINE_DOT(dot_doubles, double, LAPACK_FLOAT64)
DEFINE_DOT(dot_floats, float, LAPACK_FLOAT32)
#undef DEFINE_DOT

// By what a product has returned, which is not 0, compiled code fails.
static int64_t pass_status(int64_t status)
{
    return status;
}

static const struct support_symbol symbols[] = {
        SUPPORT_SYMBOL("gridcell_matmul", matmul),
        SUPPORT_SYMBOL("gridcell_matvec", matvec),
        SUPPORT_SYMBOL("gridcell_dot_doubles", dot_doubles),
        SUPPORT_SYMBOL("gridcell_dot_floats", dot_floats),
        SUPPORT_SYMBOL("gridcell_pass_status", pass_status),
        {0},
};

void lapack_define_products(void)
{
    compiler_define_symbols(symbols);
}
