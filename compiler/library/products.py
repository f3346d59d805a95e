# SPDX-License-Identifier: MIT
"""Products of vectors and matrices, by BLAS where their numbers allow (runtime/host/lapack/lapack.c)."""
import numpy as np

from gridcell import _gridcell
from gridcell.library import (
    A, C, F, FLOAT, TUPLE, bits, compiled, dtype_of, external, form, kind, layout, readonly, small, strided,
    tuple_drop, tuple_full, tuple_take)
from gridcell.library.elementwise import number_of
from gridcell.library.views import (
    axes_of, broadcast_shape, conjugated, contiguous, flat, order_of, order_of_different, permuted, place, product,
    put_out, spread_out)

_gridcell.load_lapack()

MISSING = -1000  # of BLAS
LONG = 1 << 20  # a call of BLAS takes no more, so that an interrupt need not wait


@compiled
def dot(a, b, out=None):
    if out is not None:
        return put_out(out, dot(a, b))
    elif np.ndim(a) == 0 or np.ndim(b) == 0:
        return number_of(np.multiply(a, b))
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
def is_mixed(a, b):
    """Whether BLAS multiplies arrays of the type that these have in common; known while compiling."""
    both = zero_of(a, b)
    return kind(both) >= FLOAT and bits(both) > 16 and not is_for_blas(a, b)


@compiled
def dot_vectors(a, b):
    check(len(a), len(b), a, b)
    if is_for_blas(a, b):
        if kind(a) == FLOAT:
            if 32 <= len(a) <= LONG and a.strides[0] % a.itemsize == 0 and b.strides[0] % b.itemsize == 0:
                return call_dot(a, b)
        if layout(a) != A and layout(b) != A and len(a) >= 1024:
            out = np.zeros(1, a.dtype)
            if call_matvec(a, 0, len(a), b, out):
                return out[0]
    total = zero_of(a, b)
    for i in range(len(a)):
        total += a[i] * b[i]
    return dtype_of(zero_of(a, b))(total)


@compiled
def call_dot(a, b):
    if bits(a) == 64:
        return external("gridcell_dot_doubles", np.float64, len(a), a, step_of(a), b, step_of(b))
    else:
        return external("gridcell_dot_floats", np.float32, len(a), a, step_of(a), b, step_of(b))


@compiled
def step_of(a):
    return a.strides[0] // a.itemsize


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
def leading(a, axis):
    """How many items apart the rows (axis 0) or columns begin, as BLAS takes it; 0: not."""
    inner = a.strides[1 - axis]
    apart = a.strides[axis]
    least = max(a.shape[1 - axis], 1)
    if a.shape[axis] == 1:  # how far apart does not matter
        apart = least * a.itemsize
    if (inner == a.itemsize or a.shape[1 - axis] == 1) and apart % a.itemsize == 0 and apart >= least * a.itemsize:
        return apart // a.itemsize
    else:
        return 0


@small
def operand(a):
    """The matrix as BLAS takes it, whether in columns, and how many items apart these or its rows begin; a copy
    where items are apart both ways."""
    if layout(a) == C:
        return a, 0, max(a.shape[1], 1)
    elif layout(a) == F:
        return a, 1, max(a.shape[0], 1)
    elif leading(a, 0) > 0:
        return a, 0, leading(a, 0)
    elif leading(a, 1) > 0:
        return a, 1, leading(a, 1)
    else:
        copied = a.copy()
        return strided(copied, a.dtype, A, 0, a.shape, copied.strides), 0, max(a.shape[1], 1)


@small
def vector_by_blas(a, b, out):
    left, in_columns, apart = operand(writable(a))
    return call_matvec(left, in_columns, apart, contiguous(b), out)


@small
def writable(a):
    """An array whose type a copy of it has, too."""
    if layout(a) == A and readonly(a):
        return a.copy()
    else:
        return a


@small
def call_matvec(a, in_columns, apart, b, out):
    return is_done(external("gridcell_matvec", np.int64, kind(out) * 1000 + bits(out), len(out), len(b),
                            a, in_columns, apart, b, out))


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
    if is_mixed(a, b):
        return dot_matrices(a.astype(dtype_of(zero_of(a, b))), b.astype(dtype_of(zero_of(a, b))))
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
    left, left_in_columns, left_apart = operand(writable(a))
    right, right_in_columns, right_apart = operand(writable(b))
    return is_done(external("gridcell_matmul", np.int64, kind(out) * 1000 + bits(out), out.shape[0], out.shape[1],
                            a.shape[1], left, left_in_columns, left_apart, right, right_in_columns, right_apart, out))


@compiled
def matmul(a, b, out=None):
    if out is not None:
        return spread_out(out, matmul(a, b))
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
        if axes < 0:
            return contract(a, b, ())
        else:
            return contract(a, b, tuple_full(axes, 0))
    else:
        if len(axes_of(axes[0])) != len(axes_of(axes[1])):
            raise ValueError("shape-mismatch for sum")
        x = order_of_different(a, axes_of(axes[0]), "duplicate axes are not allowed in tensordot")
        order = order_of_different(b, axes_of(axes[1]), "duplicate axes are not allowed in tensordot")
        count = len(axes_of(axes[1]))
        left = permuted(a, x)
        right = permuted(b, order[b.ndim - count:] + order[:b.ndim - count])
        return contract(left, right, axes_of(axes[0]))


@compiled
def check_sums(a, b, count):
    """The axes in pairs: the first that is missing, or of another length, says what is wrong, as in NumPy."""
    if count > a.ndim:
        raise IndexError("tuple index out of range")
    if a.ndim and b.ndim:
        for k in range(min(count, b.ndim)):
            if a.shape[a.ndim - count + k] != b.shape[k]:
                raise ValueError("shape-mismatch for sum")
    if count > b.ndim:
        raise IndexError("tuple index out of range")


@small
def contract(a, b, count):
    """The last axes of a with the first of b: as many as items in a tuple."""
    check_sums(a, b, len(count))
    kept = a.shape[:a.ndim - len(count)]
    gone = a.shape[a.ndim - len(count):]
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
    if a.shape[place(axis, a.ndim)] != b.shape[place(axis, b.ndim)]:
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
