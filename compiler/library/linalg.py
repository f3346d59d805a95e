# SPDX-License-Identifier: MIT
"""Linear algebra by LAPACK (runtime/host/lapack.c)."""
import math

import numpy as np

from gridcell import _gridcell
from gridcell.library import (
    A, COMPLEX, FLOAT, STRING, bits, compiled, dtype_of, external, form, kind, small, tuple_take)
from gridcell.library.products import dot_matrices
from gridcell.library.shapes import backwards
from gridcell.library.views import axes_of, contiguous, flat, order_of, permuted, product, with_ones

_gridcell.load_lapack()

MISSING = -1000
NO_MEMORY = -1001


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
def size_unit(x):
    """0 of the floats that norms are computed in."""
    if kind(x) == FLOAT:
        return x.dtype(0)
    elif kind(x) == COMPLEX:
        return abs(x.dtype(0))
    else:
        return 0.0


@compiled
def norm_row(x, ord):
    """The norm of a vector."""
    total = size_unit(x)
    real = dtype_of(total)
    if ord is None:
        return norm_two(x)
    elif form(ord) == STRING:
        return norm_two(x)
    elif ord == 2:
        return norm_two(x)
    elif ord == math.inf:
        return real(np.max(np.absolute(x)))
    elif ord == -math.inf:
        return real(np.min(np.absolute(x)))
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
            total += real(abs(y)) ** real(ord)
        return total ** real(1.0 / ord)


@compiled
def norm_two(x):
    total = size_unit(x)
    for y in x:
        size = dtype_of(total)(abs(y))
        total += size * size
    return np.sqrt(total)


@small
def norm_matrix(x, ord):
    return dtype_of(size_unit(x))(matrix_size(x, ord))


@small
def matrix_size(x, ord):
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
    out = np.empty(len(rows), dtype_of(size_unit(x)))
    for i in range(len(rows)):
        if count == 2 and ord is not None:
            out[i] = norm_matrix(rows[i].reshape(tuple_take(x.shape, order[x.ndim - 2:])), ord)
        else:
            out[i] = norm_row(rows[i], ord)
    if keepdims is not None:
        return out.reshape(with_ones(x.shape, axes_of(axis)))
    elif x.ndim == count:
        return out[0]
    else:
        return out.reshape(kept)
