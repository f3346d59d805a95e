# SPDX-License-Identifier: MIT
"""Blas: linear algebra on host and device arrays, as pyculib had it.

Matrices are in Fortran order. On a GPU, products of matrices (gemm) are cuBLAS's where the machine
has it; all else is computed by NumPy, with copies of device arrays.
"""
import functools

import numpy as np

from gridcell import cuda

from . import cublas_library, matrices
from .arguments import on_host, put


@functools.lru_cache(maxsize=None)
def _handle(generation):
    return cublas_library.Handle()


def _for_triangles(act, what):
    """Methods of a triangular matrix that is given whole, as a band of k diagonals, or packed."""
    def whole(self, uplo, trans, diag, n, A, x):
        act(self, self._triangle(A, n, uplo, diag), trans, x)

    def band(self, uplo, trans, diag, n, k, A, x):
        act(self, self._band_triangle(A, n, k, uplo, diag), trans, x)

    def packed(self, uplo, trans, diag, n, AP, x):
        act(self, self._packed_triangle(AP, n, uplo, diag), trans, x)

    whole.__doc__ = f"{what} of a triangular matrix"
    band.__doc__ = f"{what} of a triangular band of k diagonals"
    packed.__doc__ = f"{what} of a packed triangle"
    return whole, band, packed


class Blas:
    """Operations in the order of `stream`, which may be assigned."""

    def __init__(self, stream=0):
        self.stream = stream

    def _host(self, array):
        return on_host(array, self.stream)

    def _put(self, array, values):
        put(array, values, self.stream)

    # --- vectors ---------------------------------------------------------------------------------

    def nrm2(self, x):
        """The Euclidean norm."""
        values = self._host(x)
        return np.linalg.norm(values).astype(values.real.dtype)

    def dot(self, x, y):
        """The sum of x[i] * y[i]."""
        return np.dot(self._host(x), self._host(y))

    dotu = dot

    def dotc(self, x, y):
        """The sum of conj(x[i]) * y[i]."""
        return np.vdot(self._host(x), self._host(y))

    def scal(self, alpha, x):
        """x = alpha x"""
        self._put(x, self._host(x) * alpha)

    def axpy(self, alpha, x, y):
        """y = alpha x + y"""
        self._put(y, alpha * self._host(x) + self._host(y))

    def amax(self, x):
        """Where the first item of the largest size is."""
        return int(np.argmax(_size(self._host(x))))

    def amin(self, x):
        """Where the first item of the smallest size is."""
        return int(np.argmin(_size(self._host(x))))

    def asum(self, x):
        """The sum of the sizes of all items: |real| + |imag|."""
        values = self._host(x)
        return _size(values).sum().astype(values.real.dtype)

    def rot(self, x, y, c, s):
        """Turns the points (x[i], y[i]) by the angle of the cosine c and the sine s."""
        a, b = self._host(x).copy(), self._host(y).copy()
        self._put(x, c * a + s * b)
        self._put(y, c * b - np.conj(s) * a)

    def rotg(self, a, b):
        """(r, z, c, s): the turn that brings (a, b) to (r, 0)."""
        scale = a if abs(a) > abs(b) else b
        if a == 0 and b == 0:
            return 0.0, 0.0, 1.0, 0.0
        r = np.copysign(np.hypot(a, b), scale)
        c, s = a / r, b / r
        z = s if abs(a) > abs(b) else 1 / c if c != 0 else 1.0
        return r, z, c, s

    def rotm(self, x, y, param):
        """Changes the points (x[i], y[i]) by the matrix that `param` (of rotmg) describes."""
        flag, h11, h21, h12, h22 = map(float, self._host(param))
        if flag == -2:
            return
        if flag == 0:
            h11 = h22 = 1.0
        elif flag == 1:
            h12, h21 = 1.0, -1.0
        a, b = self._host(x).copy(), self._host(y).copy()
        self._put(x, h11 * a + h12 * b)
        self._put(y, h21 * a + h22 * b)

    def rotmg(self, d1, d2, x1, y1):
        """The five parameters of the modified turn that brings sqrt(d2) y1 to 0."""
        if d1 < 0:
            return np.array([-1.0, 0, 0, 0, 0])
        p1, p2 = d1 * x1, d2 * y1
        if p2 == 0:
            return np.array([-2.0, 0, 0, 0, 0])
        q1, q2 = p1 * x1, p2 * y1
        if abs(q1) > abs(q2):
            return np.array([0.0, 0, -y1 / x1, p2 / p1, 0])
        if q2 < 0:
            return np.array([-1.0, 0, 0, 0, 0])
        return np.array([1.0, p1 / p2, 0, 0, x1 / y1])

    # --- matrices and vectors --------------------------------------------------------------------

    def _product(self, matrix, trans, alpha, x, beta, y):
        product = alpha * (matrices.operated(matrix, trans) @ self._host(x))
        self._put(y, product if beta == 0 else product + beta * self._host(y))

    def gemv(self, trans, m, n, alpha, A, x, beta, y):
        """y = alpha op(A) x + beta y"""
        self._product(self._host(A)[:m, :n], trans, alpha, x, beta, y)

    def gbmv(self, trans, m, n, kl, ku, alpha, A, x, beta, y):
        """gemv of a matrix with kl diagonals below and ku above the main one."""
        band = matrices.from_band(self._host(A), m, n, kl, ku)
        self._product(band, trans, alpha, x, beta, y)

    def symv(self, uplo, n, alpha, A, x, beta, y):
        """y = alpha A x + beta y, of a triangle of the symmetric A"""
        self._product(matrices.symmetric(self._host(A)[:n, :n], uplo), "N", alpha, x, beta, y)

    def hemv(self, uplo, n, alpha, A, x, beta, y):
        """symv of an Hermitian matrix."""
        self._product(matrices.symmetric(self._host(A)[:n, :n], uplo, True), "N", alpha, x, beta, y)

    def sbmv(self, uplo, n, k, alpha, A, x, beta, y):
        """symv of a band of k diagonals."""
        half = matrices.from_band_triangle(self._host(A), n, k, uplo)
        self._product(matrices.symmetric(half, uplo), "N", alpha, x, beta, y)

    def hbmv(self, uplo, n, k, alpha, A, x, beta, y):
        """hemv of a band of k diagonals."""
        half = matrices.from_band_triangle(self._host(A), n, k, uplo)
        self._product(matrices.symmetric(half, uplo, True), "N", alpha, x, beta, y)

    def spmv(self, uplo, n, alpha, AP, x, beta, y):
        """symv of a packed triangle."""
        half = matrices.from_packed(self._host(AP), n, uplo)
        self._product(matrices.symmetric(half, uplo), "N", alpha, x, beta, y)

    def hpmv(self, uplo, n, alpha, AP, x, beta, y):
        """hemv of a packed triangle."""
        half = matrices.from_packed(self._host(AP), n, uplo)
        self._product(matrices.symmetric(half, uplo, True), "N", alpha, x, beta, y)

    def _triangle(self, A, n, uplo, diag):
        return matrices.triangular(self._host(A)[:n, :n], uplo, diag)

    def _band_triangle(self, A, n, k, uplo, diag):
        return matrices.triangular(matrices.from_band_triangle(self._host(A), n, k, uplo), uplo, diag)

    def _packed_triangle(self, AP, n, uplo, diag):
        return matrices.triangular(matrices.from_packed(self._host(AP), n, uplo), uplo, diag)

    def _multiply(self, matrix, trans, x):
        self._put(x, matrices.operated(matrix, trans) @ self._host(x))

    def _solve(self, matrix, trans, x):
        self._put(x, np.linalg.solve(matrices.operated(matrix, trans), self._host(x)))

    trmv, tbmv, tpmv = _for_triangles(_multiply, "x = op(A) x")
    trsv, tbsv, tpsv = _for_triangles(_solve, "Solves op(A) y = x, into x,")

    def ger(self, m, n, alpha, x, y, A):
        """A = alpha x y' + A"""
        self._put(A, alpha * np.outer(self._host(x), self._host(y)) + self._host(A))

    geru = ger

    def gerc(self, m, n, alpha, x, y, A):
        """A = alpha x conj(y)' + A"""
        self._put(A, alpha * np.outer(self._host(x), self._host(y).conj()) + self._host(A))

    def _update(self, uplo, A, change):
        whole = self._host(A).copy()
        places = np.nonzero(matrices.triangle(np.ones(whole.shape), uplo))
        whole[places] += change.astype(whole.dtype)[places]
        self._put(A, whole)

    def _rank_one(self, alpha, x, is_hermitian):
        x = self._host(x)
        return alpha * np.outer(x, x.conj() if is_hermitian else x)

    def _rank_two(self, alpha, x, y, is_hermitian):
        x, y = self._host(x), self._host(y)
        if is_hermitian:
            half = alpha * np.outer(x, y.conj())
            return half + half.conj().T
        return alpha * (np.outer(x, y) + np.outer(y, x))

    def _update_packed(self, uplo, AP, change):
        self._put(AP, self._host(AP) + matrices.to_packed(change, uplo))

    def syr(self, uplo, n, alpha, x, A):
        """A = alpha x x' + A, in one triangle"""
        self._update(uplo, A, self._rank_one(alpha, x, False))

    def her(self, uplo, n, alpha, x, A):
        """A = alpha x conj(x)' + A, in one triangle"""
        self._update(uplo, A, self._rank_one(alpha, x, True))

    def spr(self, uplo, n, alpha, x, AP):
        """syr of a packed triangle."""
        self._update_packed(uplo, AP, self._rank_one(alpha, x, False))

    def hpr(self, uplo, n, alpha, x, AP):
        """her of a packed triangle."""
        self._update_packed(uplo, AP, self._rank_one(alpha, x, True))

    def syr2(self, uplo, n, alpha, x, y, A):
        """A = alpha (x y' + y x') + A, in one triangle"""
        self._update(uplo, A, self._rank_two(alpha, x, y, False))

    def her2(self, uplo, n, alpha, x, y, A):
        """A = alpha x conj(y)' + conj(alpha) y conj(x)' + A, in one triangle"""
        self._update(uplo, A, self._rank_two(alpha, x, y, True))

    def spr2(self, uplo, n, alpha, x, y, AP):
        """syr2 of a packed triangle."""
        self._update_packed(uplo, AP, self._rank_two(alpha, x, y, False))

    def hpr2(self, uplo, n, alpha, x, y, AP):
        """her2 of a packed triangle."""
        self._update_packed(uplo, AP, self._rank_two(alpha, x, y, True))

    # --- matrices --------------------------------------------------------------------------------

    def gemm(self, transa, transb, m, n, k, alpha, A, B, beta, C):
        """C = alpha op(A) op(B) + beta C"""
        if cublas_library.can_multiply(A, B, C):
            self._gemm_on_device(transa, transb, m, n, k, alpha, A, B, beta, C)
            return
        product = alpha * (matrices.operated(self._host(A), transa)[:m, :k]
                           @ matrices.operated(self._host(B), transb)[:k, :n])
        self._put(C, product if beta == 0 else product + beta * self._host(C))

    def _gemm_on_device(self, transa, transb, m, n, k, alpha, A, B, beta, C):
        def on_device(array):
            if cuda.is_cuda_array(array):
                return cuda.as_cuda_array(array)
            return cuda.to_device(np.asfortranarray(array), stream=self.stream)

        target = on_device(C)
        _handle(cuda.get_current_device()._raw.generation).gemm(
            transa, transb, m, n, k, alpha, on_device(A), on_device(B), beta, target, self.stream)
        if not cuda.is_cuda_array(C):
            C[...] = target.copy_to_host(stream=self.stream)

    def _into_triangle(self, uplo, product, beta, C):
        whole = self._host(C).copy()
        places = np.nonzero(matrices.triangle(np.ones(whole.shape), uplo))
        result = product if beta == 0 else product + beta * whole
        whole[places] = result.astype(whole.dtype)[places]
        self._put(C, whole)

    def syrk(self, uplo, trans, n, k, alpha, A, beta, C):
        """C = alpha op(A) op(A)' + beta C, in one triangle"""
        given = matrices.operated(self._host(A), trans)
        self._into_triangle(uplo, alpha * (given @ given.T), beta, C)

    def herk(self, uplo, trans, n, k, alpha, A, beta, C):
        """C = alpha op(A) conj(op(A))' + beta C, in one triangle"""
        given = matrices.operated(self._host(A), trans)
        self._into_triangle(uplo, alpha * (given @ given.conj().T), beta, C)

    def _beside(self, side, matrix, alpha, B, beta, C):
        other = self._host(B)
        product = alpha * (matrix @ other if matrices.is_left(side) else other @ matrix)
        self._put(C, product if beta == 0 else product + beta * self._host(C))

    def symm(self, side, uplo, m, n, alpha, A, B, beta, C):
        """C = alpha A B + beta C or alpha B A + beta C, of a triangle of the symmetric A"""
        self._beside(side, matrices.symmetric(self._host(A), uplo), alpha, B, beta, C)

    def hemm(self, side, uplo, m, n, alpha, A, B, beta, C):
        """symm of an Hermitian matrix."""
        self._beside(side, matrices.symmetric(self._host(A), uplo, True), alpha, B, beta, C)

    def trmm(self, side, uplo, trans, diag, m, n, alpha, A, B, C):
        """C = alpha op(A) B or alpha B op(A), of a triangular matrix"""
        given = matrices.operated(matrices.triangular(self._host(A), uplo, diag), trans)
        self._beside(side, given, alpha, B, 0, C)

    def trsm(self, side, uplo, trans, diag, m, n, alpha, A, B):
        """Solves op(A) X = alpha B or X op(A) = alpha B, of a triangular matrix, into B."""
        given = matrices.operated(matrices.triangular(self._host(A), uplo, diag), trans)
        right = alpha * self._host(B)
        self._put(B, np.linalg.solve(given, right) if matrices.is_left(side)
                  else np.linalg.solve(given.T, right.T).T)

    def dgmm(self, side, m, n, A, x, C):
        """C = diag(x) A or A diag(x)"""
        x = self._host(x)
        self._put(C, x[:, None] * self._host(A) if matrices.is_left(side) else self._host(A) * x)

    def geam(self, transa, transb, m, n, alpha, A, beta, B, C):
        """C = alpha op(A) + beta op(B)"""
        self._put(C, alpha * matrices.operated(self._host(A), transa)
                  + beta * matrices.operated(self._host(B), transb))


def _size(values):
    return np.abs(values.real) + np.abs(values.imag) if values.dtype.kind == "c" else np.abs(values)
