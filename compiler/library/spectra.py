# SPDX-License-Identifier: MIT
"""Singular values and eigenvalues of matrices by LAPACK, and what is made of them: norms too."""
import math

import numpy as np

from gridcell.library import (
    ARRAY, COMPLEX, NUMBER, STRING, compiled, dtype_of, external_memory, form, kind, small, tuple_full, tuple_take)
from gridcell.library.linalg import (
    adjoint, check_converged, check_finite, check_square, check_stack, check_status, code_of, common_number, fortran,
    fortran_as, inv_one, matrices, real_dtype)
from gridcell.library.norms import norm_row, norm_two, size_unit
from gridcell.library.products import dot_matrices
from gridcell.library.views import axes_of, contiguous, flat, order_of, permuted, product, rows_along, with_ones

EigResult = type(np.linalg.eig(np.eye(1)))
EighResult = type(np.linalg.eigh(np.eye(1)))
SVDResult = type(np.linalg.svd(np.eye(1)))


# --- Singular values


@small
def svd_one(a, is_full):
    m, n = a.shape
    k = min(m, n)
    matrix = fortran(a)
    check_finite(matrix)
    s = np.empty(k, real_dtype(matrix).dtype)
    u = np.empty((m if is_full else k, m), matrix.dtype)
    vt = np.empty((n, n if is_full else k), matrix.dtype)
    if k == 0:
        u[...] = np.eye(len(u), m)
        vt[...] = np.eye(n, vt.shape[1])
        return contiguous(u.T), s, contiguous(vt.T)
    job = 65 if is_full else 83
    status = external_memory("gridcell_svd", np.int64, code_of(matrix), job, m, n, matrix, s, u, vt)
    check_converged(status)
    return contiguous(u.T), s, contiguous(vt.T)


@small
def singular_one(a):
    m, n = a.shape
    matrix = fortran(a)
    check_finite(matrix)
    s = np.empty(min(m, n), real_dtype(matrix).dtype)
    unused = np.empty(1, matrix.dtype)
    if len(s) > 0:
        status = external_memory("gridcell_svd", np.int64, code_of(matrix), 78, m, n, matrix, s, unused, unused)
        check_converged(status)
    return s


@small
def svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    check_stack(a)
    if not compute_uv:
        return singular_values(a, hermitian)
    elif hermitian:
        return svd_hermitian(a)
    elif a.ndim == 2:
        u, s, vt = svd_one(a, 1 if full_matrices else 0)
        return SVDResult(u, s, vt)
    else:
        return svd_stack(a, 1 if full_matrices else 0)


@small
def svd_stack(a, is_full):
    outer, rows = a.shape[:a.ndim - 2], matrices(a)
    m, n = rows.shape[1:]
    k = min(m, n)
    us = np.empty((len(rows), m, m if is_full else k), common_number(a, a).dtype)
    ss = np.empty((len(rows), k), real_dtype(us).dtype)
    vts = np.empty((len(rows), n if is_full else k, n), us.dtype)
    for i in range(len(rows)):
        us[i], ss[i], vts[i] = svd_one(rows[i], is_full)
    return SVDResult(us.reshape(outer + us.shape[1:]), ss.reshape(outer + (k,)), vts.reshape(outer + vts.shape[1:]))


@small
def svd_hermitian(a):
    w, v = eigh(a)
    order = np.argsort(np.absolute(w), -1)[..., ::-1]
    signs = np.take_along_axis(np.copysign(w.dtype(1), w), order, -1)
    u = np.take_along_axis(v, np.expand_dims(order, -2), -1)
    scaled = u * np.expand_dims(signs, -2)
    return SVDResult(u, np.take_along_axis(np.absolute(w), order, -1), adjoint(scaled.astype(u.dtype)))


@small
def singular_values(a, hermitian=False):
    check_stack(a)
    if hermitian:
        return contiguous(np.sort(np.absolute(eigvalsh(a)), -1)[..., ::-1])
    elif a.ndim == 2:
        return singular_one(a)
    else:
        rows = matrices(a)
        k = min(rows.shape[1], rows.shape[2])
        out = np.empty((len(rows), k), real_dtype(common_number(a, a)).dtype)
        for i in range(len(rows)):
            out[i] = singular_one(rows[i])
        return out.reshape(a.shape[:a.ndim - 2] + (k,))


# --- Eigenvalues


@small
def eigen_one(a, vectors):
    matrix = fortran(a)
    check_finite(matrix)
    n = len(a)
    w = np.empty(n, matrix.dtype)
    wi = np.zeros(n, matrix.dtype)
    v = np.empty((n, n), matrix.dtype)
    status = external_memory("gridcell_eigen", np.int64, code_of(matrix), vectors, n, matrix, w, wi, v)
    check_status(status)
    if status > 0:
        raise np.linalg.LinAlgError("Eigenvalues did not converge.")
    if kind(matrix) != COMPLEX:
        for x in wi:
            if x != 0:
                raise ValueError("eig() argument must not cause a domain change.")
    return w, contiguous(v.T)


@small
def eigen_stack(a, vectors):
    rows = matrices(a)
    ws = np.empty(rows.shape[:2], common_number(a, a).dtype)
    vs = np.empty(rows.shape, ws.dtype)
    for i in range(len(rows)):
        ws[i], vs[i] = eigen_one(rows[i], vectors)
    return ws.reshape(a.shape[:a.ndim - 1]), vs.reshape(a.shape)


@small
def eig(a):
    check_square(a)
    if a.ndim == 2:
        w, v = eigen_one(a, 1)
        return EigResult(w, v)
    else:
        w, v = eigen_stack(a, 1)
        return EigResult(w, v)


@small
def eigvals(a):
    check_square(a)
    if a.ndim == 2:
        return eigen_one(a, 0)[0]
    else:
        return eigen_stack(a, 0)[0]


@small
def eigen_symmetric_one(a, vectors, upper):
    matrix = fortran(a)
    check_finite(matrix)
    w = np.empty(len(a), real_dtype(matrix).dtype)
    status = external_memory("gridcell_eigen_symmetric", np.int64, code_of(matrix), vectors, upper, len(a), matrix, w)
    check_status(status)
    if status > 0:
        raise np.linalg.LinAlgError("Eigenvalues did not converge.")
    return w, contiguous(matrix.T)


@small
def eigen_symmetric(a, vectors, upper):
    check_square(a)
    if a.ndim == 2:
        return eigen_symmetric_one(a, vectors, upper)
    else:
        rows = matrices(a)
        vs = np.empty(rows.shape, common_number(a, a).dtype)
        ws = np.empty(rows.shape[:2], real_dtype(vs).dtype)
        for i in range(len(rows)):
            ws[i], vs[i] = eigen_symmetric_one(rows[i], vectors, upper)
        return ws.reshape(a.shape[:a.ndim - 1]), vs.reshape(a.shape)


@small
def is_upper(UPLO):
    if UPLO == "U" or UPLO == "u":
        return 1
    elif UPLO == "L" or UPLO == "l":
        return 0
    raise ValueError("UPLO argument must be 'L' or 'U'")


@small
def eigh(a, UPLO="L"):
    w, v = eigen_symmetric(a, 1, is_upper(UPLO))
    return EighResult(w, v)


@small
def eigvalsh(a, UPLO="L"):
    return eigen_symmetric(a, 0, is_upper(UPLO))[0]


# --- Least squares


@small
def lstsq(a, b, rcond=None):
    if a.ndim != 2:
        raise np.linalg.LinAlgError("Array must be two-dimensional")
    if b.ndim > 2:
        raise np.linalg.LinAlgError("%d-dimensional array given. Array must be two-dimensional", b.ndim)
    m, n = a.shape
    if b.shape[0] != m:
        raise np.linalg.LinAlgError("Incompatible array sizes, system is not dimensionally valid.")
    common = common_number(a, b)
    matrix = fortran_as(a, common)
    check_finite(matrix)
    check_finite(b)
    count = product(b, b.shape[1:])
    right = np.zeros((max(count, 1), max(m, n)), common.dtype)
    right[:count, :m] = fortran_as(b, common).reshape((count, m))
    s = np.empty(min(m, n), real_dtype(common).dtype)
    rank = np.zeros(1, np.int64)
    limit = np.finfo(s.dtype).eps * max(m, n) * 1.0 if rcond is None else float(rcond)
    if len(s) > 0:
        status = external_memory("gridcell_least_squares", np.int64, code_of(matrix), m, n, len(right), matrix, right, s,
                                 limit, rank)
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
        return contiguous(right[:b.shape[1], :n].T)


# --- Made of singular values


@small
def at(limit, i):
    """The limit for the matrix at this place of a stack."""
    if np.ndim(limit) == 0:
        return limit
    else:
        return flat(limit)[i]


@small
def pinv_one(a, part, hermitian):
    u, s, vt = svd(a, False, True, hermitian)
    limit = s.dtype(part) * (np.max(s) if len(s) > 0 else s.dtype(0))
    left = np.conjugate(vt).T.copy()
    for k in range(len(s)):
        scale = 1 / s[k] if s[k] > limit else s[k] * 0
        for i in range(len(left)):
            left[i, k] *= scale
    return dot_matrices(left, np.conjugate(u).T.copy())


@small
def relative_limit(a, rcond, rtol):
    if form(rtol) == NUMBER or form(rtol) == ARRAY:
        return rtol
    elif rcond is not None:
        return rcond
    elif rtol is None:
        return max(a.shape[a.ndim - 2], a.shape[a.ndim - 1]) * np.finfo(real_dtype(common_number(a, a)).dtype).eps
    else:
        return 1e-15


@small
def pinv(a, rcond=None, hermitian=False, rtol=""):
    """`rtol` is a text where it is left out: None asks for the limit that fits the numbers."""
    check_stack(a)
    limit = relative_limit(a, rcond, rtol)
    if a.ndim == 2:
        return pinv_one(a, at(limit, 0), hermitian)
    else:
        rows = matrices(a)
        out = np.empty((len(rows), rows.shape[2], rows.shape[1]), common_number(a, a).dtype)
        for i in range(len(rows)):
            out[i] = pinv_one(rows[i], at(limit, i), hermitian)
        return out.reshape(a.shape[:a.ndim - 2] + out.shape[1:])


@small
def rank_one(a, tol, hermitian, rtol, i):
    s = singular_values(a, hermitian)
    if len(s) == 0:
        return 0
    elif tol is not None:
        return np.count_nonzero(s > at(tol, i))
    elif rtol is not None:
        return np.count_nonzero(s > np.max(s) * at(rtol, i))
    else:
        return np.count_nonzero(s > np.max(s) * max(a.shape[0], a.shape[1]) * np.finfo(s.dtype).eps)


@small
def matrix_rank(A, tol=None, hermitian=False, rtol=None):
    if A.ndim < 2:
        return 1 if np.any(A != 0) else 0
    elif A.ndim == 2:
        return rank_one(A, tol, hermitian, rtol, 0)
    else:
        rows = matrices(A)
        out = np.empty(len(rows), np.int64)
        for i in range(len(rows)):
            out[i] = rank_one(rows[i], tol, hermitian, rtol, i)
        return out.reshape(A.shape[:A.ndim - 2])


@small
def cond_one(x, p):
    """Infinite where no number can be said, but for a matrix with NaN."""
    if p is None:
        return cond_one(x, 2)
    elif form(p) == STRING:
        result = norm_matrix(x, p) * norm_matrix(inv_one(x, 0), p)
    elif p == 2 or p == -2:
        s = singular_one(x)
        result = s[0] / s[len(s) - 1] if p == 2 else s[len(s) - 1] / s[0]
    else:
        result = norm_matrix(x, p) * norm_matrix(inv_one(x, 0), p)
    return dtype_of(result)(math.inf) if math.isnan(result) and not np.any(np.isnan(x)) else result


@small
def cond(x, p=None):
    check_stack(x)
    if x.shape[x.ndim - 2] * x.shape[x.ndim - 1] == 0:
        raise np.linalg.LinAlgError("cond is not defined on empty arrays")
    if p is not None:
        if form(p) == STRING:
            check_square(x)
        elif p != 2 and p != -2:
            check_square(x)
    if x.ndim == 2:
        return cond_one(x, p)
    else:
        rows = matrices(x)
        out = np.empty(len(rows), real_dtype(common_number(x, x)).dtype)
        for i in range(len(rows)):
            out[i] = cond_one(rows[i], p)
        return out.reshape(x.shape[:x.ndim - 2])


# --- Norms made of them


@small
def norm_matrix(x, ord):
    return dtype_of(size_unit(x))(matrix_size(x, ord))


@small
def matrix_size(x, ord):
    if form(ord) == STRING:
        if ord == "fro" or ord == "f":
            return norm_two(flat(x))
        elif ord == "nuc":
            return np.sum(singular_one(x)) * 1.0
        raise ValueError("Invalid norm order for matrices.")
    elif ord == 2:
        return np.max(singular_one(x), initial=0) * 1.0
    elif ord == -2:
        return np.min(singular_one(x)) * 1.0
    elif ord == 1:
        return np.max(np.sum(np.absolute(x), 0), initial=0) * 1.0
    elif ord == -1:
        return np.min(np.sum(np.absolute(x), 0)) * 1.0
    elif ord == math.inf:
        return np.max(np.sum(np.absolute(x), 1), initial=0) * 1.0
    elif ord == -math.inf:
        return np.min(np.sum(np.absolute(x), 1)) * 1.0
    else:
        raise ValueError("Invalid norm order for matrices.")


@small
def norm(x, ord=None, axis=None, keepdims=None):
    if axis is not None:
        return norm_along(x, ord, axis, keepdims)
    elif ord is None:
        return keep_all(x, norm_two(flat(x)), keepdims)
    elif x.ndim == 1:
        return keep_all(x, norm_row(contiguous(x), ord), keepdims)
    elif x.ndim == 2:
        return keep_all(x, norm_matrix(x, ord), keepdims)
    else:
        raise ValueError("Improper number of dimensions to norm.")


@small
def keep_all(x, total, keepdims):
    """The norm, as an array of one item with all the axes where they are kept."""
    if keepdims is None:
        return total
    else:
        out = np.empty(tuple_full(x.ndim, 1), dtype_of(total))
        out[...] = total
        return out


@compiled
def norm_along(x, ord, axis, keepdims):
    axes = axes_of(axis)
    order = order_of(x, axes)
    count = len(axes)
    if count > 2:
        raise ValueError("Improper number of dimensions to norm.")
    kept = tuple_take(x.shape, order[:x.ndim - count])
    gone = tuple_take(x.shape, order[x.ndim - count:])
    rows = contiguous(permuted(x, order)).reshape((product(x, kept), product(x, gone)))
    out = np.empty(len(rows), dtype_of(size_unit(x)))
    for i in range(len(rows)):
        if count == 2 and ord is not None:
            out[i] = norm_matrix(rows[i].reshape(gone), ord)
        else:
            out[i] = norm_row(rows[i], ord)
    if keepdims is not None:
        return out.reshape(with_ones(x.shape, axes))
    elif x.ndim == count:
        return out[0]
    else:
        return out.reshape(kept)


@small
def matrix_norm(x, ord="fro", keepdims=None):
    check_stack(x)
    return norm_along(x, ord, (-2, -1), keepdims)


@small
def vector_norm(x, axis=None, ord=2, keepdims=None):
    if axis is None:
        return keep_all(x, norm_row(flat(x), ord), keepdims)
    else:
        axes = axes_of(axis)
        order = order_of(x, axes)
        kept = tuple_take(x.shape, order[:x.ndim - len(axes)])
        rows = rows_along(x, order, axes)
        out = np.empty(len(rows), dtype_of(size_unit(x)))
        for i in range(len(rows)):
            out[i] = norm_row(rows[i], ord)
        if keepdims is not None:
            return out.reshape(with_ones(x.shape, axes))
        elif x.ndim == len(axes):
            return out[0]
        else:
            return out.reshape(kept)
