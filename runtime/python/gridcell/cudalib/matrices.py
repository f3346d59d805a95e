# SPDX-License-Identifier: MIT
"""Matrices as BLAS keeps them: triangles, bands and packed columns, made whole."""
import numpy as np


def operated(matrix, trans):
    """The matrix, its transpose or its conjugate transpose: 'N', 'T', 'C'."""
    letter = trans.upper() if isinstance(trans, str) else trans
    if letter == "N":
        return matrix
    if letter == "T":
        return matrix.T
    if letter == "C":
        return matrix.conj().T
    raise ValueError(f"an operation is 'N', 'T' or 'C', not {trans!r}")


def is_upper(uplo):
    if uplo.upper() not in ("U", "L"):
        raise ValueError(f"a triangle is 'U' or 'L', not {uplo!r}")
    return uplo.upper() == "U"


def is_left(side):
    if side.upper() not in ("L", "R"):
        raise ValueError(f"a side is 'L' or 'R', not {side!r}")
    return side.upper() == "L"


def triangle(matrix, uplo):
    return np.triu(matrix) if is_upper(uplo) else np.tril(matrix)


def triangular(matrix, uplo, diag):
    """The triangle; diag 'U': with ones on its diagonal."""
    result = triangle(matrix, uplo)
    if diag.upper() not in ("U", "N"):
        raise ValueError(f"a diagonal is 'U' or 'N', not {diag!r}")
    if diag.upper() == "U":
        np.fill_diagonal(result, 1)
    return result


def symmetric(matrix, uplo, is_hermitian=False):
    """The whole of which a triangle is given."""
    half = triangle(matrix, uplo)
    other = half.conj().T if is_hermitian else half.T
    whole = half + other
    diagonal = np.diagonal(half)
    np.fill_diagonal(whole, diagonal.real if is_hermitian else diagonal)
    return whole


def from_band(band, m, n, below, above):
    """An m x n matrix of its diagonals: row `above + i - j` of column j holds item (i, j)."""
    matrix = np.zeros((m, n), band.dtype)
    for j in range(n):
        first, last = max(0, j - above), min(m, j + below + 1)
        matrix[first:last, j] = band[above + first - j:above + last - j, j]
    return matrix


def from_band_triangle(band, n, k, uplo):
    return from_band(band, n, n, 0, k) if is_upper(uplo) else from_band(band, n, n, k, 0)


def _packed_places(n, uplo):
    columns = [(i, j) for j in range(n) for i in (range(j + 1) if is_upper(uplo) else range(j, n))]
    return tuple(np.array(columns, np.intp).reshape(-1, 2).T)


def from_packed(packed, n, uplo):
    """The triangle whose columns follow each other."""
    matrix = np.zeros((n, n), packed.dtype)
    rows, columns = _packed_places(n, uplo)
    matrix[rows, columns] = packed[:rows.size]
    return matrix


def to_packed(matrix, uplo):
    return matrix[_packed_places(len(matrix), uplo)]
