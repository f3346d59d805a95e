# SPDX-License-Identifier: MIT
"""Linear algebra by LAPACK (runtime/host/lapack/lapack.c): systems, inverses, factors, powers of matrices.

What computes one matrix ends in `_one`; stacks of matrices are taken one by one.
"""
import numpy as np

from gridcell import _gridcell
from gridcell.library import (
    COMPLEX, FLOAT, LIST, bits, compiled, dtype_of, external, external_memory, form, kind, small, tuple_load,
    tuple_take)
from gridcell.library.products import dot, dot_matrices
from gridcell.library.views import backwards, broadcast_shape, contiguous, order_of, permuted, product, put_out

_gridcell.load_lapack()

MISSING = -1000
NO_MEMORY = -1001
INTERRUPTED = -1002
STATUS_INTERRUPTED = -1  # of functions

QRResult = type(np.linalg.qr(np.eye(1)))
SlogdetResult = type(np.linalg.slogdet(np.eye(1)))


# --- LAPACK: matrices as copies in Fortran order


@small
def check_stack(a):
    if a.ndim < 2:
        raise np.linalg.LinAlgError("1-dimensional array given. Array must be at least two-dimensional")


@small
def check_square(a):
    check_stack(a)
    if a.shape[a.ndim - 2] != a.shape[a.ndim - 1]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square.")


@small
def check_status(status):
    if status == MISSING:
        raise ImportError("no LAPACK is loaded: install SciPy for np.linalg in compiled code")
    if status == NO_MEMORY:
        raise MemoryError
    if status == INTERRUPTED:
        external("gridcell_pass_status", "status", STATUS_INTERRUPTED)
    if status < 0:
        raise ValueError("LAPACK refused an argument")


def check_solved_or(message):
    """Refuses what LAPACK could not solve."""
    @small
    def check_solved(status):
        check_status(status)
        if status > 0:
            raise np.linalg.LinAlgError(message)

    return check_solved


check_regular = check_solved_or("Matrix is singular to machine precision.")
check_converged = check_solved_or("SVD did not converge.")


@small
def work_number(x):
    """A number of the type that LAPACK computes with."""
    if kind(x) >= FLOAT and bits(x) > 16:
        return x.dtype(0)
    else:
        return 0.0


@small
def real_dtype(a):
    """An empty array of the floats that make up the numbers."""
    return np.empty(0, dtype_of(abs(a.dtype(0))))


@small
def common_number(a, b):
    """An empty array of the numbers in which LAPACK computes with both."""
    return np.empty(0, dtype_of(work_number(np.empty(0, np.result_type(a, b)))))


@compiled
def fortran(a):
    """A copy in Fortran order, of floats or complex numbers."""
    out = np.empty(backwards(a.shape), dtype_of(work_number(a)))
    out.T[...] = a
    return out


@compiled
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
        raise np.linalg.LinAlgError("Array must not contain infs or NaNs.")


@small
def matrices(a):
    """The matrices of a stack in a row."""
    outer = a.shape[:a.ndim - 2]
    return contiguous(a).reshape((product(a, outer),) + a.shape[a.ndim - 2:])


@small
def spread(a, outer):
    """Likewise, of a stack that is broadcast to this shape."""
    return matrices(np.broadcast_to(a, outer + a.shape[a.ndim - 2:]))


# --- Systems and inverses


@small
def solve_one(a, b):
    common = common_number(a, b)
    matrix = fortran_as(a, common)
    right = fortran_as(b, common)
    columns = right.size // max(len(a), 1)
    status = external_memory("gridcell_solve", np.int64, code_of(matrix), len(a), columns, matrix, right)
    check_regular(status)
    return contiguous(right.T)


@small
def solve(a, b):
    check_square(a)
    if b.shape[b.ndim - 1 if b.ndim == 1 else b.ndim - 2] != a.shape[a.ndim - 1]:
        raise np.linalg.LinAlgError("Incompatible array sizes, system is not dimensionally valid.")
    if a.ndim == 2 and b.ndim <= 2:
        return solve_one(a, b)
    elif b.ndim == 1:
        return solve_stacks(a, b.reshape((len(b), 1)), a.shape[:a.ndim - 2]).reshape(a.shape[:a.ndim - 1])
    else:
        outer = broadcast_shape(a.shape[:a.ndim - 2], b.shape[:b.ndim - 2])
        return solve_stacks(a, b, outer).reshape(outer + b.shape[b.ndim - 2:])


@small
def solve_stacks(a, b, outer):
    left = spread(a, outer)
    right = spread(b, outer)
    out = np.empty(right.shape, common_number(a, b).dtype)
    for i in range(len(left)):
        out[i] = solve_one(left[i], right[i])
    return out


@small
def inv_one(a, is_strict):
    """NaNs for a singular matrix, unless that is an error."""
    matrix = fortran(a)
    pivots = np.empty(max(len(a), 1), np.int64)
    status = external_memory("gridcell_invert", np.int64, code_of(matrix), len(a), matrix, pivots)
    if status > 0 and not is_strict:
        matrix[...] = np.nan
    else:
        check_regular(status)
    return contiguous(matrix.T)


@small
def of_each(f, a, how):
    """f(matrix, how) of a matrix, or of each of a stack."""
    if a.ndim == 2:
        return f(a, how)
    else:
        rows = matrices(a)
        out = np.empty(rows.shape, dtype_of(work_number(a)))
        for i in range(len(rows)):
            out[i] = f(rows[i], how)
        return out.reshape(a.shape)


@small
def inv(a):
    check_square(a)
    return of_each(inv_one, a, 1)


@compiled
def inverse_axes(a, first):
    """The axes of the array from this one on, then those before it."""
    order = np.empty(a.ndim, np.int64)
    for i in range(a.ndim):
        order[i] = (first + i) % a.ndim
    return tuple_load(a.ndim, order)


@small
def tensorinv(a, ind=2):
    if ind <= 0:
        raise ValueError("Invalid ind argument.")
    columns = 1
    for k in range(ind, a.ndim):
        columns *= a.shape[k]
    rows = contiguous(a).reshape((columns, a.size // max(columns, 1)))
    return inv(rows).reshape(tuple_take(a.shape, inverse_axes(a, ind)))


@small
def tensorsolve(a, b, axes=None):
    if axes is None:
        unknown = a.shape[b.ndim:]
        n = product(a, unknown)
        if a.size != n * n:
            raise np.linalg.LinAlgError("Input arrays must satisfy the requirement "
                                        "prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim])")
        return solve_one(contiguous(a).reshape((n, n)), contiguous(b).reshape(n)).reshape(unknown)
    else:
        return tensorsolve(permuted(a, order_of(a, axes)), b)


# --- Factors


@small
def lu(a):
    """The factors in one matrix, and the sign of the permutation."""
    matrix = fortran(a)
    pivots = np.empty(max(len(a), 1), np.int64)
    swaps = np.zeros(1, np.int64)
    check_status(external_memory("gridcell_factor_lu", np.int64, code_of(matrix), len(a), matrix, pivots, swaps))
    return matrix, matrix.dtype(1 - 2 * (swaps[0] % 2))


@compiled
def diagonal_product(factored):
    factors, result = factored
    for i in range(len(factors)):
        result *= factors[i, i]
    return result


@small
def det(a):
    check_square(a)
    if a.ndim == 2:
        return diagonal_product(lu(a))
    else:
        rows = matrices(a)
        out = np.empty(len(rows), dtype_of(work_number(a)))
        for i in range(len(rows)):
            out[i] = diagonal_product(lu(rows[i]))
        return out.reshape(a.shape[:a.ndim - 2])


@small
def unit_of(x, size):
    """What times its size is the number; 1 for NaN."""
    if kind(x) == COMPLEX:
        return x / size
    else:
        return dtype_of(x)(-1 if x < 0 else 1)


@compiled
def diagonal_logarithms(factored):
    """Of the product of the diagonal: what it is times its size, and the logarithm of that."""
    factors, sign = factored
    total = abs(factors.dtype(0))
    for i in range(len(factors)):
        x = factors[i, i]
        size = abs(x)
        if size == 0:
            return factors.dtype(0), -dtype_of(size)(np.inf)
        sign *= unit_of(x, size)
        total += np.log(size)
    return sign, total


@small
def slogdet(a):
    check_square(a)
    if a.ndim == 2:
        sign, total = diagonal_logarithms(lu(a))
        return SlogdetResult(sign, total)
    else:
        rows = matrices(a)
        signs = np.empty(len(rows), dtype_of(work_number(a)))
        totals = np.empty(len(rows), real_dtype(signs).dtype)
        for i in range(len(rows)):
            signs[i], totals[i] = diagonal_logarithms(lu(rows[i]))
        return SlogdetResult(signs.reshape(a.shape[:a.ndim - 2]), totals.reshape(a.shape[:a.ndim - 2]))


@small
def cholesky_one(a):
    matrix = fortran(a)
    status = external_memory("gridcell_factor_cholesky", np.int64, code_of(matrix), len(a), matrix)
    check_status(status)
    if status > 0:
        raise np.linalg.LinAlgError("Matrix is not positive definite.")
    out = np.zeros(a.shape, matrix.dtype)
    put_lower(matrix, out)
    return out


@compiled
def put_lower(columns, out):
    for i in range(len(out)):
        for j in range(i + 1):
            out[i, j] = columns[j, i]


@small
def adjoint(a):
    """The conjugate of each matrix, transposed."""
    return contiguous(np.conjugate(np.swapaxes(a, a.ndim - 2, a.ndim - 1)))


@small
def triangle_of(a, upper):
    return adjoint(cholesky_one(adjoint(a))) if upper else cholesky_one(a)


@small
def cholesky(a, upper=False):
    check_square(a)
    return of_each(triangle_of, a, upper)


@small
def householder(a):
    """R above the diagonal with what Q is made of below it, the matrix transposed; its scales."""
    matrix = fortran(a)
    tau = np.zeros(min(a.shape[0], a.shape[1]), matrix.dtype)
    check_status(external_memory("gridcell_factor_qr", np.int64, code_of(matrix), a.shape[0], a.shape[1], matrix, tau))
    return matrix, tau


@small
def triangle(matrix, rows):
    out = np.zeros((rows, len(matrix)), matrix.dtype)
    put_upper(matrix, out)
    return out


@compiled
def put_upper(columns, out):
    for i in range(min(len(out), len(columns))):
        for j in range(i, len(columns)):
            out[i, j] = columns[j, i]


@small
def qr_one(a, columns):
    """Q with so many columns, and R."""
    matrix, tau = householder(a)
    r = triangle(matrix, columns)
    q = np.zeros((columns, a.shape[0]), matrix.dtype)
    q[:len(tau)] = matrix[:len(tau)]
    check_status(external_memory("gridcell_make_q", np.int64, code_of(q), a.shape[0], columns, len(tau), q, tau))
    return contiguous(q.T), r


@small
def qr(a, mode="reduced"):
    check_stack(a)
    k = min(a.shape[a.ndim - 2], a.shape[a.ndim - 1])
    if mode == "reduced":
        return qr_pair(a, k)
    elif mode == "complete":
        return qr_pair(a, a.shape[a.ndim - 2])
    elif mode == "r":
        return qr_triangles(a, k)
    elif mode == "raw":
        return qr_raw(a, k)
    else:
        raise ValueError("Unrecognized mode")


@small
def qr_pair(a, columns):
    if a.ndim == 2:
        q, r = qr_one(a, columns)
        return QRResult(q, r)
    else:
        outer, rows = a.shape[:a.ndim - 2], matrices(a)
        qs = np.empty((len(rows), rows.shape[1], columns), dtype_of(work_number(a)))
        rs = np.empty((len(rows), columns, rows.shape[2]), qs.dtype)
        for i in range(len(rows)):
            qs[i], rs[i] = qr_one(rows[i], columns)
        return QRResult(qs.reshape(outer + qs.shape[1:]), rs.reshape(outer + rs.shape[1:]))


@small
def qr_triangles(a, k):
    if a.ndim == 2:
        return triangle(householder(a)[0], k)
    else:
        rows = matrices(a)
        out = np.empty((len(rows), k, rows.shape[2]), dtype_of(work_number(a)))
        for i in range(len(rows)):
            out[i] = triangle(householder(rows[i])[0], k)
        return out.reshape(a.shape[:a.ndim - 2] + out.shape[1:])


@small
def qr_raw(a, k):
    if a.ndim == 2:
        return householder(a)
    else:
        outer, rows = a.shape[:a.ndim - 2], matrices(a)
        h = np.empty((len(rows), rows.shape[2], rows.shape[1]), dtype_of(work_number(a)))
        tau = np.empty((len(rows), k), h.dtype)
        for i in range(len(rows)):
            h[i], tau[i] = householder(rows[i])
        return h.reshape(outer + h.shape[1:]), tau.reshape(outer + (k,))


# --- Powers and chains of products


@small
def product_as(a, b):
    """The product in numbers of the factors' own type."""
    made = dot_matrices(a, b)
    if kind(made) == kind(a) and bits(made) == bits(a):
        return made
    else:
        return made.astype(a.dtype)


@small
def power_one(a, n):
    if n == 0:
        return np.eye(len(a), None, 0, a.dtype)
    if n == 3:  # in NumPy's order
        return product_as(product_as(a, a), a)
    base = a
    while n % 2 == 0:
        base = product_as(base, base)
        n //= 2
    result = base
    while n > 1:
        n //= 2
        base = product_as(base, base)
        if n % 2 == 1:
            result = product_as(result, base)
    return result


@small
def matrix_power(a, n):
    check_square(a)
    if kind(a) < FLOAT:
        if n < 0:
            raise ValueError("a negative power of a matrix of integers is none of integers: convert it with astype")
        return powers(a, n)
    elif n < 0:
        return powers(inv(a), -n)
    else:
        return powers(a, n)


@small
def powers(a, n):
    if a.ndim == 2:
        return power_one(a.copy(), n)
    else:
        rows = matrices(a)
        out = np.empty(rows.shape, a.dtype)
        for i in range(len(rows)):
            out[i] = power_one(rows[i], n)
        return out.reshape(a.shape)


@small
def multi_dot(arrays, out=None):
    if out is not None:
        return put_out(out, multi_dot(arrays))
    elif form(arrays) == LIST:
        if len(arrays) < 2:
            raise ValueError("Expecting at least two arrays.")
        return chain_product([contiguous(a) for a in arrays])
    elif len(arrays) < 2:
        raise ValueError("Expecting at least two arrays.")
    elif len(arrays) == 2:
        return dot(arrays[0], arrays[1])
    else:
        common = np.empty(0, np.result_type(arrays))
        first, last = arrays[0], arrays[len(arrays) - 1]
        factors = [as_matrix(first, common, 0)]
        gather(arrays[1:len(arrays) - 1], common, factors)
        factors.append(as_matrix(last, common, 1))
        whole = chain_product(factors)
        if first.ndim == 1 and last.ndim == 1:
            return whole[0, 0]
        elif first.ndim == 1 or last.ndim == 1:
            return whole.reshape(whole.size)
        else:
            return whole


@small
def gather(arrays, common, factors):
    if len(arrays) > 0:
        if arrays[0].ndim != 2:
            raise np.linalg.LinAlgError("Array must be two-dimensional")
        factors.append(as_matrix(arrays[0], common, 0))
        gather(arrays[1:], common, factors)


@small
def as_matrix(a, common, is_column):
    """A matrix of the common numbers; a vector is a row or a column."""
    if a.ndim == 1:
        return a.astype(common.dtype).reshape((len(a), 1) if is_column else (1, len(a)))
    else:
        return contiguous(a.astype(common.dtype))


@small
def chain_product(factors):
    """The product of matrices, in the order with the fewest multiplications."""
    n = len(factors)
    sizes = np.empty(n + 1, np.float64)
    for i in range(n):
        sizes[i] = factors[i].shape[0]
        sizes[i + 1] = factors[i].shape[1]
    cost = np.zeros((n, n))
    split = np.zeros((n, n), np.int64)
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            cost[i, j] = np.inf
            for k in range(i, j):
                total = cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1]
                if total < cost[i, j]:
                    cost[i, j] = total
                    split[i, j] = k
    return chain_part(factors, split, 0, n - 1)


@small
def chain_part(factors, split, i, j):
    if i == j:
        return factors[i]
    k = split[i, j]
    return product_as(chain_part(factors, split, i, k), chain_part(factors, split, k + 1, j))
