# SPDX-License-Identifier: MIT
"""numba.np.linalg: what libraries call from compiled code of what numba has beside LAPACK."""
import numpy as np

from numba.core.ccallback import carray
from numba.core.decorators import always_jit as njit
from numba.np.numpy_support import as_dtype


class _LAPACK:
    """Routines by the names of LAPACK, without its prefix for the type."""

    def numba_xgesv(self, dtype):
        """A jitted function of (kind, n, nrhs, a, lda, ipiv, b, ldb), the arrays as pointers.

        It solves as gesv does: `a` becomes its factors, `ipiv` the exchanged rows (from 1 on), `b`
        the solutions; both lie by columns. The result is 0, or the number of the pivot that is 0.
        """
        dtype = as_dtype(dtype)

        @njit
        def xgesv(kind, n, nrhs, a, lda, ipiv, b, ldb):
            factors = carray(a, (n, lda), dtype)[:, :n].T
            sides = carray(b, (nrhs, ldb), dtype)[:, :n].T
            singular = factorize(factors, carray(ipiv, n, np.int32))
            if singular == 0:
                substitute(factors, carray(ipiv, n, np.int32), sides)
            return singular
        return xgesv


@njit
def exchange(rows, i, k):
    for column in range(rows.shape[1]):
        rows[i, column], rows[k, column] = rows[k, column], rows[i, column]


@njit
def factorize(a, pivots):
    """L and U of the matrix, in its place, by partial pivoting."""
    n, singular = len(a), 0
    for i in range(n):
        best = i
        for k in range(i + 1, n):
            if abs(a[k, i]) > abs(a[best, i]):
                best = k
        pivots[i] = best + 1
        if a[best, i] == 0:
            singular = singular if singular else i + 1
            continue
        exchange(a, i, best)
        for k in range(i + 1, n):
            a[k, i] /= a[i, i]
        for column in range(i + 1, n):
            for k in range(i + 1, n):
                a[k, column] -= a[k, i] * a[i, column]
    return singular


@njit
def substitute(factors, pivots, sides):
    n = len(factors)
    for i in range(n):
        exchange(sides, i, pivots[i] - 1)
    for column in range(sides.shape[1]):
        for i in range(n):
            for k in range(i):
                sides[i, column] -= factors[i, k] * sides[k, column]
        for i in range(n - 1, -1, -1):
            for k in range(i + 1, n):
                sides[i, column] -= factors[i, k] * sides[k, column]
            sides[i, column] /= factors[i, i]


def ensure_blas():
    """Nothing is to be done: the routines are gridcell's own."""


ensure_lapack = ensure_blas


def get_blas_kind(dtype, func_name="<BLAS function>"):
    """The letter of BLAS for a type of numbers; NumbaTypeError for others."""
    from numba.core.errors import NumbaTypeError
    letters = {"float32": "s", "float64": "d", "complex64": "c", "complex128": "z"}
    if str(dtype) not in letters:
        raise NumbaTypeError(f"unsupported dtype for {func_name}()")
    return letters[str(dtype)]


@njit
def _copy_to_fortran_order(a):
    """A copy of a matrix that lies by columns."""
    return a.copy(order="F")
