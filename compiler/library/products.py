# SPDX-License-Identifier: MIT
"""Products of vectors and matrices, by BLAS where their numbers allow (runtime/host/lapack/lapack.c)."""
import numpy as np

from gridcell import _gridcell
from gridcell.library import (
    A, F, FLOAT, TUPLE, bits, compiled, dtype_of, external, form, kind, layout, small, strided,
    tuple_drop, tuple_full, tuple_take)
from gridcell.library.views import (
    axes_of, broadcast_shape, conjugated, contiguous, flat, order_of, permuted, place, product, put_out)

_gridcell.load_lapack()

MISSING = -1000  # of BLAS
LONG = 1 << 20  # a call of BLAS takes no more, so that an interrupt need not wait


@compiled
def dot(a, b, out=None):
    if out is not None:
        return put_out(out, dot(a, b))
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
        rows = contiguous(a).reshape((product(a, a.shape[:a.ndim - 1]), a.shape[a.ndim - 1]))
        return dot_matrix_vector(rows, b).reshape(a.shape[:a.ndim - 1])
    else:
        return dot_any(a, b)


@small
def dot_any(a, b):
    """The last axis of a with the last but one of b."""
    n = a.shape[a.ndim - 1]
    order = order_of(b, (b.ndim - 2,))
    kept = tuple_take(b.shape, order[:b.ndim - 1])
    columns = contiguous(permuted(b, order)).reshape((product(b, kept), b.shape[b.ndim - 2]))
    rows = contiguous(a).reshape((product(a, a.shape[:a.ndim - 1]), n))
    return dot_matrices(rows, columns.T).reshape(a.shape[:a.ndim - 1] + kept)


@small
def check(m, n, a, b):
    if m != n:
        if a.ndim == 1 and b.ndim == 1:
            raise ValueError("incompatible array sizes for np.dot(a, b) (vector * vector): shapes %s and %s",
                             a.shape, b.shape)
        elif a.ndim == 1:
            raise ValueError("incompatible array sizes for np.dot(a, b) (vector * matrix): shapes %s and %s",
                             a.shape, b.shape)
        elif b.ndim == 1:
            raise ValueError("incompatible array sizes for np.dot(a, b) (matrix * vector): shapes %s and %s",
                             a.shape, b.shape)
        else:
            raise ValueError("incompatible array sizes for np.dot(a, b) (matrix * matrix): shapes %s and %s",
                             a.shape, b.shape)


@compiled
def product_of(x, y):
    """The number that sums of products of such numbers begin with."""
    return np.multiply(x, y) + np.multiply(x, y)


@compiled
def zero_of(a, b):
    """0 of the numbers that products of these arrays' items are added up in."""
    return np.result_type(a, b)(0)


@compiled
def is_for_blas(a, b):
    """Whether BLAS multiplies arrays of these types; known while compiling."""
    return kind(a) >= FLOAT and kind(a) == kind(b) and bits(a) == bits(b) and bits(a) > 16


@compiled
def dot_vectors(a, b):
    check(len(a), len(b), a, b)
    if is_for_blas(a, b) and layout(a) != A and layout(b) != A:
        if kind(a) == FLOAT and 32 <= len(a) <= LONG:
            return call_dot(a, b)
        elif len(a) >= 1024:
            out = np.zeros(1, a.dtype)
            if call_matvec(a.reshape((1, len(a))), 0, b, out):
                return out[0]
    total = zero_of(a, b)
    for i in range(len(a)):
        total += a[i] * b[i]
    return dtype_of(zero_of(a, b))(total)


@compiled
def call_dot(a, b):
    if bits(a) == 64:
        return external("gridcell_dot_doubles", np.float64, len(a), a, b)
    else:
        return external("gridcell_dot_floats", np.float32, len(a), a, b)


@compiled
def dot_matrix_vector(a, b):
    check(a.shape[1], len(b), a, b)
    out = np.zeros(a.shape[0], dtype_of(zero_of(a, b)))
    if not is_for_blas(a, b):
        multiply_vector(a, b, out)
    elif a.size < 256 or not vector_by_blas(a, b, out):
        multiply_vector(a, b, out)
    return out


@compiled
def multiply_vector(a, b, out):
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


@small
def vector_by_blas(a, b, out):
    if layout(a) == F:
        return call_matvec(a.T, 1, contiguous(b), out)
    else:
        return call_matvec(contiguous(a), 0, contiguous(b), out)


@small
def call_matvec(a, a_transposed, b, out):
    return is_done(external("gridcell_matvec", np.int64, kind(out) * 1000 + bits(out), len(out), len(b),
                            a, a_transposed, b, out))


@small
def is_done(status):
    """Whether BLAS did it, which may be missing; an interrupted product leaves the function."""
    if status == 0 or status == MISSING:
        return status == 0
    else:
        external("gridcell_pass_status", "status", status)
        return False


@compiled
def dot_matrices(a, b):
    check(a.shape[1], b.shape[0], a, b)
    out = np.zeros((a.shape[0], b.shape[1]), dtype_of(zero_of(a, b)))
    if not is_for_blas(a, b):
        multiply(a, b, out)
    elif a.shape[0] * a.shape[1] * b.shape[1] < 1000 or not by_blas(a, b, out):
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
    return is_done(external("gridcell_matmul", np.int64, kind(out) * 1000 + bits(out), out.shape[0], out.shape[1], n,
                            a, a_transposed, b, b_transposed, out))


@compiled
def matmul(a, b, out=None):
    if out is not None:
        return put_out(out, matmul(a, b))
    elif np.ndim(a) == 0 or np.ndim(b) == 0:
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
    check(a.shape[a.ndim - 1], b.shape[b.ndim - 2], a, b)
    outer = broadcast_shape(a.shape[:a.ndim - 2], b.shape[:b.ndim - 2])
    x = flat(np.broadcast_to(a, outer + a.shape[a.ndim - 2:]))
    y = flat(np.broadcast_to(b, outer + b.shape[b.ndim - 2:]))
    count = product(a, outer)
    m = a.shape[a.ndim - 2]
    n = a.shape[a.ndim - 1]
    p = b.shape[b.ndim - 1]
    left = x.reshape((count, m, n))
    right = y.reshape((count, n, p))
    out = np.empty((count, m, p), dtype_of(zero_of(a, b)))
    for i in range(count):
        out[i] = dot_matrices(left[i], right[i])
    return out.reshape(outer + (m, p))


@compiled
def vdot(a, b):
    return dot_vectors(conjugated(flat(a)), flat(b))


@compiled
def inner(a, b):
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return np.multiply(a, b)
    elif b.ndim == 1:
        return dot(a, b)
    else:
        n = b.shape[b.ndim - 1]
        columns = contiguous(b).reshape((product(b, b.shape[:b.ndim - 1]), n))
        if a.ndim == 1:
            return dot(columns, a).reshape(b.shape[:b.ndim - 1])
        else:
            rows = contiguous(a).reshape((product(a, a.shape[:a.ndim - 1]), a.shape[a.ndim - 1]))
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


@compiled
def check_axes(m, n, count):
    if count > m or count > n:
        raise ValueError("shape-mismatch for sum: more axes than an array has")


@small
def contract(a, b, count):
    """The last axes of a with the first of b: as many as items in a tuple."""
    check_axes(a.ndim, b.ndim, len(count))
    kept = a.shape[:a.ndim - len(count)]
    gone = a.shape[a.ndim - len(count):]
    if gone != b.shape[:len(count)]:
        raise ValueError("shape-mismatch for sum")
    n = product(a, gone)
    rows = contiguous(a).reshape((product(a, kept), n))
    columns = contiguous(b).reshape((n, product(b, b.shape[len(count):])))
    return dot_matrices(rows, columns).reshape(kept + b.shape[len(count):])


@small
def as_products(sums, a, b):
    """Sums of products in the numbers of products."""
    dtype = dtype_of(zero_of(a, b))
    if np.ndim(sums) == 0:
        return dtype(sums)
    elif kind(sums) == kind(dtype) and bits(sums) == bits(dtype):
        return sums
    else:
        return sums.astype(dtype)


@compiled
def vecdot(a, b, axis=-1):
    if a.shape[a.ndim + axis if axis < 0 else axis] != b.shape[b.ndim + axis if axis < 0 else axis]:
        raise ValueError("vecdot: Input operand 1 has a mismatch in its core dimension 0")
    x = a if axis == -1 else np.moveaxis(a, axis, -1)
    y = b if axis == -1 else np.moveaxis(b, axis, -1)
    return as_products((conjugated(x) * y).sum(-1), a, b)


@compiled
def matvec(a, b):
    return as_products((a * b.reshape(b.shape[:-1] + (1, b.shape[-1]))).sum(-1), a, b)


@compiled
def vecmat(a, b):
    return as_products((conjugated(a).reshape(a.shape + (1,)) * b).sum(-2), a, b)
