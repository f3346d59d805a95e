# SPDX-License-Identifier: MIT
"""Products and linear algebra against NumPy's."""
import numpy as np
import pytest
from compare import check, check_each

DTYPES = "f8 f4 c16 c8".split()


def numbers(rng, shape, dtype):
    a = rng.random(shape) - 0.3
    return (a + 1j * rng.random(shape) if dtype[0] == "c" else a).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES + ["i8", "i4"])
def test_products(dtype, rng):
    a, b = ((rng.integers(-5, 5, shape) if dtype[0] == "i" else numbers(rng, shape, dtype)).astype(dtype)
            for shape in ((3, 4), (4, 5)))
    check_each("""
        a @ b
        np.dot(a, b)
        a.dot(b)
        a @ b[:, 0]
        a[0] @ b
        a[0] @ b[:, 1]
        np.dot(a.T.copy().T, b)
        np.dot(a, np.asfortranarray(b))
        np.dot(np.asfortranarray(a), np.asfortranarray(b))
        a[::-1, ::2] @ b[::2]
        np.vdot(a, a)
        np.inner(a, a)
        a @ a
    """, a, b, rtol=1e-4, dtype=dtype != "i4")


def test_large_products_and_stacks(rng):
    a, b = rng.random((40, 50)), rng.random((50, 60))
    check_each("""
        a @ b
        a.T @ a
        a @ a.T
        np.dot(a[:, ::2], b[::2])
        np.asfortranarray(a) @ b
        np.dot(a, b, np.zeros((40, 60)))
    """, a, b)
    a, b = rng.random((2, 3, 4)), rng.random((2, 4, 5))
    check_each("""
        a @ b
        np.matmul(a, b[0])
        np.matmul(a[0], b)
        np.matmul(a, b[0, :, 0])
        np.matmul(a[0, 0], b)
        np.dot(a, b[0, :, 0])
        np.dot(a, b)
        np.inner(a, a)
        np.tensordot(a, b, ((2,), (1,)))
        np.tensordot(a, b, ((0, 2), (0, 1)))
        np.tensordot(a, b[0], 1)
        np.tensordot(a, a.T.copy()[:, :, 0], axes=1)
        np.matmul(a, 2)
    """, a, b)


@pytest.mark.parametrize("dtype", DTYPES)
def test_square(dtype, rng):
    a, b = numbers(rng, (5, 5), dtype), numbers(rng, (5, 2), dtype)
    check_each("""
        np.linalg.solve(a, b)
        np.linalg.solve(a, b[:, 0])
        np.linalg.inv(a)
        np.linalg.inv(np.asfortranarray(a))
        np.linalg.det(a)
        np.linalg.slogdet(a)
        np.linalg.matrix_power(a, 3)
        np.linalg.matrix_power(a, -2)
        np.linalg.matrix_power(a, 0)
        np.linalg.cond(a)
        np.linalg.cond(a, 1)
        np.linalg.cholesky(a @ np.conjugate(a).T)
        np.linalg.eigvalsh(a @ np.conjugate(a).T)
    """, a, b, rtol=5e-3 if dtype in ("f4", "c8") else 1e-6)


@pytest.mark.parametrize("dtype", DTYPES)
def test_rectangular(dtype, rng):
    a, b = numbers(rng, (6, 4), dtype), numbers(rng, (6, 2), dtype)
    rtol = 2e-3 if dtype in ("f4", "c8") else 1e-6
    for m in (a, a.T.copy()):
        check_each("""
            np.linalg.svd(a)[1]
            np.linalg.svd(a, full_matrices=False)[1]
            np.linalg.svd(a, compute_uv=False)
            np.linalg.pinv(a)
            np.linalg.matrix_rank(a)
            np.linalg.norm(a)
            np.linalg.norm(a, 2)
            np.linalg.norm(a, 'fro')
            np.linalg.norm(a, np.inf)
            np.linalg.norm(a, 1)
            np.linalg.norm(a[0])
            np.linalg.norm(a[0], 3)
            np.linalg.norm(a[0], -np.inf)
            np.linalg.norm(a, axis=1)
            np.linalg.norm(a, axis=0, keepdims=True)
            np.abs(np.linalg.qr(a)[1])
        """, m, rtol=rtol, dtype=False)
        check("q, r = np.linalg.qr(a)\nreturn q @ r", m, rtol=rtol)
        check("u, s, vt = np.linalg.svd(a, full_matrices=False)\nreturn (u * s) @ vt", m, rtol=rtol)
        check("u, s, vt = np.linalg.svd(a)\nreturn u.shape, vt.shape, np.allclose(np.abs(np.linalg.det(u)), 1.0)", m)
    check("np.linalg.lstsq(a, b)", a, b, rtol=rtol)
    check("np.linalg.lstsq(a, b[:, 0])[0]", a, b, rtol=rtol)
    check("np.linalg.lstsq(a.T.copy(), b[:4])[0]", a, b, rtol=rtol)


def test_eigenvectors(rng):
    a = rng.random((4, 4))
    s = a + a.T
    check("w, v = np.linalg.eigh(a)\nreturn w, (v * w) @ v.T", s)
    check("w, v = np.linalg.eigh(a, 'U')\nreturn w, np.abs(v)", s)
    check("w, v = np.linalg.eig(a)\nreturn np.sort(w), a @ v - v * w", s)
    check("np.sort(np.linalg.eigvals(a))", s)
    check("np.sort(np.abs(np.linalg.eigvals(a)))", a + 1j * s)
    from compare import compiled
    with pytest.raises(ValueError, match="domain change"):
        compiled("np.linalg.eigvals(a)", 1)(np.array([[0.0, 1], [-1, 0]]))


def test_mistakes():
    singular = np.ones((3, 3))
    check_each("""
        np.linalg.solve(a, a[:, 0])
        np.linalg.inv(a)
        np.linalg.det(a)
        np.linalg.slogdet(a)
        np.linalg.cholesky(-a)
        np.linalg.inv(a[:2])
        np.linalg.matrix_rank(a)
        np.linalg.svd(a * np.inf)
        np.linalg.eigvals(a[:2])
        np.dot(a, a[:2])
    """, singular)
    check("np.linalg.solve(a, b)", np.eye(2, dtype="i8"), np.array([3, 4]))
    check("np.linalg.inv(a)", np.zeros((0, 0)))


def test_einsum(rng):
    a, b, c = rng.random((3, 4)), rng.random((4, 5)), rng.random((4, 4))
    check_each("""
        np.einsum('ij,jk->ik', a, b)
        np.einsum('ij,jk', a, b)
        np.einsum('ij->ji', a)
        np.einsum('ij->', a)
        np.einsum('ij->j', a)
        np.einsum('ii', c)
        np.einsum('ii->i', c)
        np.einsum('ij,ij->i', a, a)
        np.einsum('i,j->ij', a[0], b[0])
        np.einsum('ij, jk, kl -> il', a, b, b.T)
        np.einsum('ij,jk->ik', a, c[:2])
        np.einsum('ba', a)
    """, a, b, c)
    check("np.einsum('ij,jk->ik', a, a)", np.arange(9, dtype="i8").reshape(3, 3))


def test_polynomials():
    check("np.sort(np.roots(a))", np.array([0.0, 1, -6, 11, -6, 0]))
    check("np.roots(a)", np.array([0.0, 0, 3]))
    check("np.polyval(a, b)", np.array([1.0, 2, 3]), np.arange(4.0))
    check("np.polyval(a, 2.5)", np.array([1.0, 2, 3]))
