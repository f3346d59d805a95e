# SPDX-License-Identifier: MIT
"""Products of vectors and matrices, and linear algebra by LAPACK (runtime/host/lapack.c)."""
import math

import numpy as np

from gridcell import _gridcell
from gridcell.library import (
    A, COMPLEX, F, FLOAT, STRING, TUPLE, bits, compiled, dtype_of, external, form, kind, layout, small,
    strided, tuple_drop, tuple_full, tuple_take)
from gridcell.library.shapes import backwards
from gridcell.library.views import (
    axes_of, broadcast_shape, contiguous, flat, order_of, permuted, place, product, with_ones)

_gridcell.load_lapack()

MISSING = -1000
NO_MEMORY = -1001


# --- Products


@compiled
def dot(a, b, out=None):
    if out is not None:
        out[...] = dot(a, b)
        return out
    elif np.ndim(a) == 0 or np.ndim(b) == 0:
        return np.multiply(a, b)
    elif a.ndim == 1 and b.ndim == 1:
        return dot_vectors(a, b)
    elif a.ndim == 2 and b.ndim == 1:
        return dot_matrix_vector(a, b)
    elif a.ndim == 1 and b.ndim == 2:
        return dot_matrix_vector(b.T, a)
    elif a.ndim == 2 and b.ndim == 2:
        return dot_matrices(a, b)
    elif b.ndim == 1:
        rows = contiguous(a).reshape((a.size // max(len(b), 1), a.shape[a.ndim - 1]))
        return dot_matrix_vector(rows, b).reshape(a.shape[:a.ndim - 1])
    else:
        return dot_any(a, b)


@small
def dot_any(a, b):
    """The last axis of a with the last but one of b."""
    n = a.shape[a.ndim - 1]
    order = order_of(b, (b.ndim - 2,))
    columns = contiguous(permuted(b, order)).reshape((b.size // max(n, 1), b.shape[b.ndim - 2]))
    rows = contiguous(a).reshape((a.size // max(n, 1), n))
    return dot_matrices(rows, columns.T).reshape(a.shape[:a.ndim - 1] + tuple_take(b.shape, order[:b.ndim - 1]))


@small
def check(m, n):
    if m != n:
        raise ValueError("incompatible array sizes for np.dot(a, b)")


@compiled
def product_of(x, y):
    """The number that sums of products of such numbers begin with."""
    return np.multiply(x, y) + np.multiply(x, y)


@compiled
def dot_vectors(a, b):
    check(len(a), len(b))
    total = product_of(a.dtype(0), b.dtype(0))
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@compiled
def dot_matrix_vector(a, b):
    check(a.shape[1], len(b))
    out = np.full(a.shape[0], product_of(a.dtype(0), b.dtype(0)))
    if layout(a) == F:
        for k in range(a.shape[1]):
            for i in range(a.shape[0]):
                out[i] += a[i, k] * b[k]
    else:
        for i in range(a.shape[0]):
            total = out.dtype(0)
            for k in range(a.shape[1]):
                total += a[i, k] * b[k]
            out[i] = total
    return out


@compiled
def dot_matrices(a, b):
    check(a.shape[1], b.shape[0])
    out = np.zeros((a.shape[0], b.shape[1]), dtype_of(product_of(a.dtype(0), b.dtype(0))))
    if kind(a) >= FLOAT and kind(a) == kind(b) and bits(a) == bits(b) and bits(a) > 16:
        if a.shape[0] * a.shape[1] * b.shape[1] < 1000 or not by_blas(a, b, out):
            multiply(a, b, out)
    else:
        multiply(a, b, out)
    return out


@compiled
def multiply(a, b, out):
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            x = a[i, k]
            for j in range(b.shape[1]):
                out[i, j] += x * b[k, j]


@small
def by_blas(a, b, out):
    if layout(a) == F:
        if layout(b) == F:
            return call_blas(a.T, 1, b.T, 1, out)
        else:
            return call_blas(a.T, 1, contiguous(b), 0, out)
    elif layout(b) == F:
        return call_blas(contiguous(a), 0, b.T, 1, out)
    else:
        return call_blas(contiguous(a), 0, contiguous(b), 0, out)


@small
def call_blas(a, a_transposed, b, b_transposed, out):
    n = a.shape[0] if a_transposed == 1 else a.shape[1]
    return external("gridcell_matmul", np.int64, kind(out) * 1000 + bits(out), out.shape[0], out.shape[1], n,
                    a, a_transposed, b, b_transposed, out) == 0


@compiled
def matmul(a, b):
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        raise ValueError("matmul: Input operand does not have enough dimensions")
    elif a.ndim <= 2 and b.ndim <= 2:
        return dot(a, b)
    elif a.ndim == 1:
        return drop_axis(matmul(a[None, :], b), -2)
    elif b.ndim == 1:
        return drop_axis(matmul(a, b[:, None]), -1)
    else:
        return matmul_stacks(a, b)


@small
def drop_axis(a, axis):
    k = place(axis, a.ndim)
    return contiguous(strided(a, a.dtype, A, 0, tuple_drop(a.shape, k), tuple_drop(a.strides, k)))


@compiled
def matmul_stacks(a, b):
    check(a.shape[a.ndim - 1], b.shape[b.ndim - 2])
    outer = broadcast_shape(a.shape[:a.ndim - 2], b.shape[:b.ndim - 2])
    x = flat(np.broadcast_to(a, outer + a.shape[a.ndim - 2:]))
    y = flat(np.broadcast_to(b, outer + b.shape[b.ndim - 2:]))
    count = product(a, outer)
    m = a.shape[a.ndim - 2]
    n = a.shape[a.ndim - 1]
    p = b.shape[b.ndim - 1]
    left = x.reshape((count, m, n))
    right = y.reshape((count, n, p))
    out = np.empty((count, m, p), dtype_of(product_of(a.dtype(0), b.dtype(0))))
    for i in range(count):
        out[i] = dot_matrices(left[i], right[i])
    return out.reshape(outer + (m, p))


@compiled
def vdot(a, b):
    return dot_vectors(np.conjugate(flat(a)), flat(b))


@compiled
def inner(a, b):
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return np.multiply(a, b)
    elif b.ndim == 1:
        return dot(a, b)
    else:
        n = b.shape[b.ndim - 1]
        columns = contiguous(b).reshape((b.size // max(n, 1), n))
        if a.ndim == 1:
            return dot(columns, a).reshape(b.shape[:b.ndim - 1])
        else:
            rows = contiguous(a).reshape((a.size // max(n, 1), a.shape[a.ndim - 1]))
            return dot_matrices(rows, columns.T).reshape(a.shape[:a.ndim - 1] + b.shape[:b.ndim - 1])


@small
def tensordot(a, b, axes=None):
    if axes is None:
        return contract(a, b, (0, 0))
    elif form(axes) != TUPLE:
        return contract(a, b, tuple_full(axes, 0))
    else:
        x = order_of(a, axes_of(axes[0]))
        order = order_of(b, axes_of(axes[1]))
        count = len(axes_of(axes[1]))
        left = permuted(a, x)
        right = permuted(b, order[b.ndim - count:] + order[:b.ndim - count])
        return contract(left, right, axes_of(axes[0]))


@small
def contract(a, b, count):
    """The last axes of a with the first of b: as many as items in a tuple."""
    kept = a.shape[:a.ndim - len(count)]
    gone = a.shape[a.ndim - len(count):]
    if gone != b.shape[:len(count)]:
        raise ValueError("shape-mismatch for sum")
    n = product(a, gone)
    rows = contiguous(a).reshape((product(a, kept), n))
    columns = contiguous(b).reshape((n, product(b, b.shape[len(count):])))
    return dot_matrices(rows, columns).reshape(kept + b.shape[len(count):])


# --- LAPACK: matrices as copies in Fortran order


@small
def check_square(a):
    if a.ndim != 2:
        raise np.linalg.LinAlgError("2-dimensional array given. Array must be at least two-dimensional")
    if a.shape[0] != a.shape[1]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")


@small
def check_status(status):
    if status == MISSING:
        raise ImportError("no LAPACK is loaded: install SciPy for np.linalg in compiled code")
    if status == NO_MEMORY:
        raise MemoryError
    if status < 0:
        raise ValueError("LAPACK refused an argument")


@small
def work_number(x):
    """A number of the type that LAPACK computes with."""
    if kind(x) >= FLOAT and bits(x) > 16:
        return x.dtype(0)
    else:
        return 0.0


@small
def fortran(a):
    """A copy in Fortran order, of floats or complex numbers."""
    out = np.empty(backwards(a.shape), dtype_of(work_number(a)))
    out.T[...] = a
    return out


@small
def fortran_as(a, like):
    out = np.empty(backwards(a.shape), like.dtype)
    out.T[...] = a
    return out


@small
def code_of(a):
    return kind(a) * 1000 + bits(a)


@small
def check_finite(a):
    if not np.all(np.isfinite(a)):
        raise np.linalg.LinAlgError("Array must not contain infs or NaNs")


@small
def solve(a, b):
    check_square(a)
    if b.shape[0] != a.shape[0]:
        raise ValueError("solve: Input operand 1 has a mismatch in its core dimension 0")
    common = np.empty(0, dtype_of(work_number(np.empty(0, np.result_type(a, b)))))
    matrix = fortran_as(a, common)
    right = fortran_as(b, common)
    status = external("gridcell_solve", np.int64, code_of(matrix), len(a), right.size // max(len(a), 1), matrix, right)
    check_status(status)
    if status > 0:
        raise np.linalg.LinAlgError("Singular matrix")
    return contiguous(right.T)


@small
def inv(a):
    check_square(a)
    matrix = fortran(a)
    pivots = np.empty(max(len(a), 1), np.int64)
    status = external("gridcell_invert", np.int64, code_of(matrix), len(a), matrix, pivots)
    check_status(status)
    if status > 0:
        raise np.linalg.LinAlgError("Singular matrix")
    return contiguous(matrix.T)


@small
def lu(a):
    """The factors in one matrix, and the sign of the permutation."""
    check_square(a)
    matrix = fortran(a)
    pivots = np.empty(max(len(a), 1), np.int64)
    swaps = np.zeros(1, np.int64)
    check_status(external("gridcell_factor_lu", np.int64, code_of(matrix), len(a), matrix, pivots, swaps))
    return matrix, 1 - 2 * (swaps[0] % 2)


@small
def det(a):
    factors, sign = lu(a)
    result = factors.dtype(sign)
    for i in range(len(factors)):
        result *= factors[i, i]
    return result


@small
def slogdet(a):
    factors, parity = lu(a)
    sign = factors.dtype(parity)
    total = abs(factors.dtype(0))
    for i in range(len(factors)):
        x = factors[i, i]
        size = abs(x)
        if size == 0:
            return factors.dtype(0), -dtype_of(size)(math.inf)
        sign *= x / size
        total += np.log(size)
    return sign, total


@small
def cholesky(a):
    check_square(a)
    matrix = fortran(a)
    status = external("gridcell_factor_cholesky", np.int64, code_of(matrix), len(a), matrix)
    check_status(status)
    if status > 0:
        raise np.linalg.LinAlgError("Matrix is not positive definite")
    out = np.zeros(a.shape, matrix.dtype)
    for i in range(len(a)):
        for j in range(i + 1):
            out[i, j] = matrix[j, i]
    return out


@small
def qr(a):
    check_matrix(a)
    m, n = a.shape
    k = min(m, n)
    matrix = fortran(a)
    tau = np.zeros(max(k, 1), matrix.dtype)
    check_status(external("gridcell_factor_qr", np.int64, code_of(matrix), m, n, matrix, tau))
    r = np.zeros((k, n), matrix.dtype)
    for i in range(k):
        for j in range(i, n):
            r[i, j] = matrix[j, i]
    check_status(external("gridcell_make_q", np.int64, code_of(matrix), m, k, matrix, tau))
    return contiguous(matrix[:k].T), r


@small
def check_matrix(a):
    if a.ndim != 2:
        raise np.linalg.LinAlgError("Array must be two-dimensional")


@small
def real_dtype(a):
    """An empty array of the floats that make up the numbers."""
    return np.empty(0, dtype_of(abs(a.dtype(0))))


@small
def svd_parts(a, job, rows, columns):
    check_matrix(a)
    matrix = fortran(a)
    check_finite(matrix)
    s = np.empty(min(a.shape[0], a.shape[1]), real_dtype(matrix).dtype)
    u = np.empty((columns, a.shape[0]), matrix.dtype)
    vt = np.empty((a.shape[1], rows), matrix.dtype)
    status = external("gridcell_svd", np.int64, code_of(matrix), job, a.shape[0], a.shape[1], matrix, s, u, vt)
    check_status(status)
    if status > 0:
        raise np.linalg.LinAlgError("SVD did not converge")
    return u, s, vt


@small
def svd(a, full_matrices=True, compute_uv=True):
    m, n = a.shape
    k = min(m, n)
    if compute_uv:
        u, s, vt = svd_parts(a, 65 if full_matrices else 83, n if full_matrices else k, m if full_matrices else k)
        return contiguous(u.T), s, contiguous(vt.T)
    else:
        return singular_values(a)


@small
def singular_values(a):
    return svd_parts(a, 78, 1, 1)[1]


@small
def eigen(a, vectors):
    check_square(a)
    matrix = fortran(a)
    check_finite(matrix)
    n = len(a)
    w = np.empty(n, matrix.dtype)
    wi = np.zeros(n, matrix.dtype)
    v = np.empty((n, n), matrix.dtype)
    status = external("gridcell_eigen", np.int64, code_of(matrix), vectors, n, matrix, w, wi, v)
    check_status(status)
    if status > 0:
        raise np.linalg.LinAlgError("Eigenvalues did not converge")
    if kind(matrix) != COMPLEX:
        for x in wi:
            if x != 0:
                raise ValueError("eig() argument must not cause a domain change.")
    return w, contiguous(v.T)


@small
def eig(a):
    return eigen(a, 1)


@small
def eigvals(a):
    return eigen(a, 0)[0]


@small
def eigen_symmetric(a, vectors, UPLO):
    check_square(a)
    matrix = fortran(a)
    w = np.empty(len(a), real_dtype(matrix).dtype)
    upper = 1 if UPLO == "U" else 0
    status = external("gridcell_eigen_symmetric", np.int64, code_of(matrix), vectors, upper, len(a), matrix, w)
    check_status(status)
    if status > 0:
        raise np.linalg.LinAlgError("Eigenvalues did not converge")
    return w, contiguous(matrix.T)


@small
def eigh(a, UPLO="L"):
    return eigen_symmetric(a, 1, UPLO)


@small
def eigvalsh(a, UPLO="L"):
    return eigen_symmetric(a, 0, UPLO)[0]


@small
def lstsq(a, b, rcond=None):
    check_matrix(a)
    m, n = a.shape
    if b.shape[0] != m:
        raise np.linalg.LinAlgError("Incompatible dimensions")
    common = np.empty(0, dtype_of(work_number(np.empty(0, np.result_type(a, b)))))
    matrix = fortran_as(a, common)
    count = b.size // max(m, 1)
    right = np.zeros((count, max(m, n)), common.dtype)
    right[:, :m] = fortran_as(b, common).reshape((count, m))
    s = np.empty(min(m, n), real_dtype(common).dtype)
    rank = np.zeros(1, np.int64)
    limit = np.finfo(s.dtype).eps * max(m, n) * 1.0 if rcond is None else float(rcond)
    status = external("gridcell_least_squares", np.int64, code_of(matrix), m, n, count, matrix, right, s, limit, rank)
    check_status(status)
    if status > 0:
        raise np.linalg.LinAlgError("SVD did not converge in Linear Least Squares")
    residuals = np.zeros(count if rank[0] == n and m > n else 0, s.dtype)
    for i in range(len(residuals)):
        for k in range(n, m):
            residuals[i] += abs(right[i, k]) ** 2
    return solution(right, b, n), residuals, rank[0], s


@small
def solution(right, b, n):
    if b.ndim == 1:
        return right[0, :n].copy()
    else:
        return contiguous(right[:, :n].T)


@compiled
def pinv(a, rcond=1e-15):
    u, s, vt = svd(a, False)
    limit = s.dtype(rcond) * (s[0] if len(s) > 0 else s.dtype(0))
    left = np.conjugate(vt).T.copy()
    for k in range(len(s)):
        scale = 1 / s[k] if s[k] > limit else s[k] * 0
        for i in range(len(left)):
            left[i, k] *= scale
    return dot_matrices(left, np.conjugate(u).T.copy())


@small
def matrix_rank(A, tol=None):
    if A.ndim < 2:
        return 1 if np.any(A != 0) else 0
    else:
        s = singular_values(A)
        if len(s) == 0:
            return 0
        limit = s[0] * max(A.shape[0], A.shape[1]) * np.finfo(s.dtype).eps if tol is None else s.dtype(tol)
        count = 0
        for x in s:
            count += x > limit
        return count


@small
def cond(x, p=None):
    if p is None:
        s = singular_values(x)
        return s[0] / s[len(s) - 1]
    elif form(p) == STRING or p != 2:
        return norm(x, p) * norm(inv(x), p)
    else:
        s = singular_values(x)
        return s[0] / s[len(s) - 1]


@small
def matrix_power(a, n):
    check_square(a)
    if n < 0:
        return matrix_power_of(inv(a), -n)
    else:
        return matrix_power_of(a.copy(), n)


@small
def matrix_power_of(a, n):
    result = np.eye(len(a), None, 0, a.dtype)
    base = a
    while n > 0:
        if n % 2 == 1:
            result = dot_matrices(result, base).astype(a.dtype)
        n //= 2
        if n > 0:
            base = dot_matrices(base, base).astype(a.dtype)
    return result


# --- Norms


@compiled
def norm_row(x, ord):
    """The norm of a vector."""
    total = abs(x.dtype(0)) * 1.0
    if ord is None:
        return norm_two(x)
    elif form(ord) == STRING:
        return norm_two(x)
    elif ord == 2:
        return norm_two(x)
    elif ord == math.inf:
        return np.max(np.absolute(x)) * 1.0
    elif ord == -math.inf:
        return np.min(np.absolute(x)) * 1.0
    elif ord == 0:
        for y in x:
            total += y != 0
        return total
    elif ord == 1:
        for y in x:
            total += abs(y)
        return total
    else:
        for y in x:
            total += abs(y) ** ord
        return total ** (1.0 / ord)


@compiled
def norm_two(x):
    total = abs(x.dtype(0)) * 1.0
    for y in x:
        size = abs(y)
        total += size * size
    return np.sqrt(total)


@small
def norm_matrix(x, ord):
    if form(ord) == STRING:
        if ord == "fro":
            return norm_two(flat(x))
        else:
            return np.sum(singular_values(x)) * 1.0
    elif ord == 2:
        return np.max(singular_values(x)) * 1.0
    elif ord == -2:
        return np.min(singular_values(x)) * 1.0
    elif ord == 1:
        return np.max(np.sum(np.absolute(x), 0)) * 1.0
    elif ord == -1:
        return np.min(np.sum(np.absolute(x), 0)) * 1.0
    elif ord == math.inf:
        return np.max(np.sum(np.absolute(x), 1)) * 1.0
    elif ord == -math.inf:
        return np.min(np.sum(np.absolute(x), 1)) * 1.0
    else:
        raise ValueError("Invalid norm order for matrices.")


@small
def norm(x, ord=None, axis=None, keepdims=None):
    if axis is not None:
        return norm_along(x, ord, axis, keepdims)
    elif ord is None:
        return norm_two(flat(x))
    elif x.ndim == 1:
        return norm_row(contiguous(x), ord)
    else:
        return norm_matrix(x, ord)


@compiled
def norm_along(x, ord, axis, keepdims):
    order = order_of(x, axes_of(axis))
    count = len(axes_of(axis))
    kept = tuple_take(x.shape, order[:x.ndim - count])
    rows = contiguous(permuted(x, order)).reshape((product(x, kept), product(x, tuple_take(x.shape, order[x.ndim - count:]))))
    out = np.empty(len(rows), dtype_of(abs(x.dtype(0)) * 1.0))
    for i in range(len(rows)):
        out[i] = norm_row(rows[i], ord)
    if keepdims is not None:
        return out.reshape(with_ones(x.shape, axes_of(axis)))
    elif x.ndim == count:
        return out[0]
    else:
        return out.reshape(kept)


# --- Polynomials


@small
def roots(p):
    """The roots of the polynomial with these coefficients, the highest power first."""
    kept = np.flatnonzero(p)
    if len(kept) == 0:
        return np.empty(0, work_dtype(p).dtype)
    first = kept[0]
    last = kept[len(kept) - 1]
    n = last - first
    companion = np.zeros((n, n), work_dtype(p).dtype)
    for i in range(n):
        companion[0, i] = -p[first + i + 1] / companion.dtype(p[first])
        if i > 0:
            companion[i, i - 1] = 1
    out = np.zeros(n + len(p) - 1 - last, companion.dtype)
    if n > 0:
        out[:n] = eigvals(companion)
    return out


@small
def work_dtype(a):
    return np.empty(0, dtype_of(work_number(a)))


@compiled
def polyval(p, x):
    result = np.multiply(x, p.dtype(0))
    for c in p:
        result = np.add(np.multiply(result, x), c)
    return result
