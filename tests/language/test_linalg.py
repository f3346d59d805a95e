# SPDX-License-Identifier: MIT
"""Products and linear algebra against NumPy's."""
import numpy as np
import pytest
from compare import calls, check, check_each
from numba import njit

DTYPES = "f8 f4 c16 c8".split()
IS_FROM_2_5 = np.lib.NumpyVersion(np.__version__) >= "2.5.0"


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


@pytest.mark.parametrize("types", ["i1 i1", "i1 u1", "i8 f4", "? ?", "? i1", "f2 f2", "i4 i2", "u1 f2"])
def test_types_of_products(types, rng):
    """The numbers of a product are those that both factors' are converted to; small ones go round."""
    a, b = (rng.integers(0, 2 if t == "?" else 100, (3, 3)).astype(t) for t in types.split())
    check_each("""
        a @ b
        np.dot(a, b[0])
        np.matmul(a, b[:, :1])
        a.reshape((1, 3, 3)) @ b
        np.vecdot(a, b)
    """, a, b, rtol=1e-2)


@pytest.mark.parametrize("dtype", DTYPES)
def test_products_with_one_row_or_column(dtype, rng):
    """They are products with a vector, in any order of items."""
    a, b = numbers(rng, (70, 40), dtype), numbers(rng, (40, 1), dtype)
    check_each("""
        a @ b
        b.T @ a.T
        np.asfortranarray(a) @ b
        b.T @ a.copy().T
        b.T @ b
        a[:, ::2] @ b[::2]
        (a @ b) @ b[:1]
        np.conj(b.T) @ np.ascontiguousarray(a.T)
        a[:0] @ b
        b[:0].T @ a[:0]
    """, a, b, rtol=1e-4)


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


@njit
def power(a, n):
    return np.linalg.matrix_power(a, n)


def test_powers_multiply_as_numpy_does(rng):
    """Also where an order or an identity more would make NaN of an infinity."""
    a = rng.integers(-3, 4, (4, 4)).astype(float)
    infinite = a.copy()
    infinite[0, 0] = np.inf
    for matrix in (a, infinite, a.astype(int), a + 1j, np.stack((a, infinite)), a.T, np.zeros((0, 0))):
        for n in range(12):
            with np.errstate(all="ignore"):
                np.testing.assert_allclose(power(matrix, n), np.linalg.matrix_power(matrix, n), rtol=1e-9)


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
        np.linalg.matrix_power(a, -2)
        np.linalg.matrix_power(a, 0)
        np.linalg.cond(a)
        np.linalg.cond(a, 1)
        np.linalg.cond(a, -2)
        np.linalg.cond(a, 'fro')
        np.linalg.cholesky(a @ np.conjugate(a).T)
        np.linalg.cholesky(a @ np.conjugate(a).T, upper=True)
        np.linalg.slogdet(a).logabsdet
        np.linalg.eigvalsh(a @ np.conjugate(a).T)
    """, a, b, turn=DTYPES.index(dtype), rtol=5e-3 if dtype in ("f4", "c8") else 1e-6)


@pytest.mark.parametrize("dtype", DTYPES)
def test_rectangular(dtype, rng):
    a, b = numbers(rng, (6, 4), dtype), numbers(rng, (6, 2), dtype)
    rtol = 2e-3 if dtype in ("f4", "c8") else 1e-6
    for turn, m in enumerate((a, a.T.copy()), DTYPES.index(dtype)):
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
        """, m, turn=turn, rtol=rtol, dtype=False)
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
    # real ones of real matrices, as numba has them; NumPy from 2.5 on has complex ones
    check("w, v = np.linalg.eig(a)\nreturn np.sort(w.real), (a @ v - v * w).real", s)
    check("np.sort(np.linalg.eigvals(a).real)", s)
    check("np.sort(np.abs(np.linalg.eigvals(a)))", a + 1j * s)
    from compare import compiled
    assert compiled("np.linalg.eigvals(a)", 1)(s).dtype == np.float64
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


def test_stacks_of_small_complex_numbers(rng):
    check_each("""
        np.linalg.solve(a, np.ones((4, 1), np.complex64))
        np.linalg.inv(a)
        np.linalg.slogdet(a)
        np.linalg.svdvals(a)
        np.linalg.eigvalsh(a)
        np.linalg.norm(a, axis=(1, 2))
    """, numbers(rng, (2, 4, 4), "c8"), rtol=5e-3)


def test_stacks_of_matrices(rng):
    a = numbers(rng, (2, 3, 4, 4), "f8")
    b, c = numbers(rng, (3, 4, 2), "f8"), numbers(rng, (4,), "f8")
    check_each("""
        np.linalg.solve(a, b)
        np.linalg.solve(a[0, 0], b)
        np.linalg.solve(a, c)
        np.linalg.inv(a)
        np.linalg.inv(a[:, ::2, ::-1])
        np.linalg.det(a)
        np.linalg.slogdet(a)
        np.linalg.matrix_power(a, 3)
        np.linalg.matrix_power(a[0], 0)
        np.linalg.cond(a)
        np.linalg.cond(a[0], np.inf)
        np.linalg.matrix_rank(a)
        np.linalg.matrix_rank(a, tol=np.full((2, 3), 2.0))
        np.linalg.pinv(a[..., :2])
        np.linalg.pinv(a, rcond=0.3)
        np.linalg.svdvals(a)
        np.linalg.svd(a, compute_uv=False)
        np.linalg.eigvalsh(a + np.conjugate(np.swapaxes(a, 2, 3)))
        np.linalg.eigvalsh(a, UPLO='U')
        np.abs(np.linalg.qr(a, mode='r'))
        np.linalg.norm(a, axis=(2, 3))
        np.linalg.norm(a, 'nuc', (0, 3))
        np.linalg.norm(a, 2, axis=(-2, -1), keepdims=True)
        np.linalg.matrix_norm(a)
        np.linalg.matrix_norm(a, ord=1, keepdims=True)
        np.linalg.vector_norm(a)
        np.linalg.vector_norm(a, axis=(0, 2), ord=1)
        np.linalg.vector_norm(a, axis=1, keepdims=True)
        np.linalg.matrix_transpose(a)
        np.linalg.diagonal(a, offset=1)
        np.linalg.trace(a, offset=-1)
        a @ a[0]
        a[0] @ a[:, :1]
        np.linalg.matrix_power(a[1], -1)
    """, a, b, c)
    body = "m = a.astype(np.complex128)\n"
    check(body + "u, s, vt = np.linalg.svd(m, full_matrices=False)\nreturn (u * s[:, :, None, :]) @ vt", a, rtol=1e-6)
    check(body + "r = np.linalg.qr(m[:, :, :, :3], 'complete')\nreturn r.Q @ r.R, r.Q.shape", a, rtol=1e-6)
    check(body + "w, v = np.linalg.eig(m)\nreturn m @ v - v * w[..., None, :]", a)
    check(body + "m = m @ np.conjugate(np.swapaxes(m, 2, 3)) + 5 * np.eye(4)\nr = np.linalg.eigh(m)\n"
          "return r.eigenvalues, np.linalg.cholesky(m), np.linalg.svd(m, True, True, True).S, "
          "np.linalg.pinv(m, hermitian=True), np.linalg.matrix_rank(m, hermitian=True)", a, rtol=1e-6)


def test_integers(rng):
    a = rng.integers(-9, 9, (3, 4, 4)).astype("i4")
    check_each("""
        np.linalg.inv(a)
        np.linalg.solve(a[0], a[1])
        np.linalg.det(a[0])
        np.linalg.svdvals(a)
        np.linalg.matrix_power(a, 3).astype(np.int32)
        np.linalg.matrix_power(a[0], 0).astype(np.int32)
        np.linalg.eigvalsh(a, UPLO='U')
        np.linalg.pinv(a)
    """, a)


def test_named_results(rng):
    a = rng.random((3, 3)) + np.eye(3)
    from compare import compiled
    for body in ("np.linalg.svd(a)", "np.linalg.qr(a)", "np.linalg.eigh(a + a.T)", "np.linalg.eig(a + a.T)", "np.linalg.slogdet(a)"):
        f = compiled(body, 1)
        got, want = f(a), f.py_func(a)
        assert type(got) is type(want) and got._fields == want._fields
    check("r = np.linalg.svd(a)\nreturn (r.U * r.S) @ r.Vh, r[1], np.linalg.eigh(a).eigenvalues", a)
    check("r = np.linalg.slogdet(a)\nreturn r.sign * np.exp(r.logabsdet)", a)


def test_qr_modes(rng):
    for a in (rng.random((5, 3)), rng.random((3, 5)), numbers(rng, (4, 4), "c16"), rng.random((3, 0)), rng.random((0, 2))):
        check_each("""
            np.linalg.qr(a, mode='r').shape
            np.abs(np.linalg.qr(a, mode='r'))
            np.linalg.qr(a, mode='raw')
            np.linalg.qr(a, 'complete')
            np.linalg.qr(a)
            np.linalg.qr(a, 'nothing')
        """, a)


def test_chains_and_tensors(rng):
    a, b, c = rng.random((3, 7)), rng.random((7, 2)), rng.random((2, 5))
    check_each("""
        np.linalg.multi_dot((a, b))
        np.linalg.multi_dot((a, b, c))
        np.linalg.multi_dot((a[0], b, c))
        np.linalg.multi_dot((a[0], b, c, c[0]))
        np.linalg.multi_dot((c.T, b.T, a.T, a[:, 0]))
        np.linalg.multi_dot([a, b, c, c.T, b.T])
        np.linalg.multi_dot((a, b, c), out=np.zeros((3, 5)))
        np.linalg.multi_dot((a,))
        np.linalg.multi_dot((a, c, b))
    """, a, b, c)
    a, b = rng.random((4, 6, 8, 3)), rng.random((4, 6))
    check_each("""
        np.linalg.tensorinv(a, ind=2)
        np.linalg.tensorinv(a.reshape(24, 8, 3), 1)
        np.linalg.tensorinv(a, 0)
        np.linalg.tensorsolve(a, b)
        np.linalg.tensorsolve(np.moveaxis(a, 0, 2), b.T.copy(), axes=(1,))
        np.linalg.tensorsolve(a, b[0])
        np.linalg.tensorinv(a, 1)
    """, a, b)


def test_products_of_vectors(rng):
    a, b, c = rng.random((2, 3)), rng.random((4, 2, 3)), np.arange(6).reshape(2, 1, 3)
    check_each("""
        np.kron(a, a)
        np.kron(a, b)
        np.kron(b, c)
        np.kron(c, a[0])
        np.kron(a[0], 2)
        np.cross(a, b)
        np.cross(a.T.copy(), a.T.copy(), axis=0)
        np.cross(a, a.T.copy(), axisb=0, axisc=0)
        np.linalg.cross(a, b)
        np.linalg.cross(a[:, :2], a[:, :2])
        np.linalg.outer(a[0], a[1])
        np.linalg.outer(a, a)
        np.vecdot(a, b)
        np.linalg.vecdot(b, b, axis=0)
        np.linalg.vecdot(a, a[:, :2])
        np.linalg.tensordot(a, a, axes=((0,), (0,)))
        np.trace(b, 1)
        np.trace(b, offset=-1, axis1=1, axis2=2)
        np.trace(c[0] % 3, dtype=np.float32)
        np.trace(a, offset=9)
        np.linalg.trace(c, offset=1)
    """, a, b, c)


def test_norms(rng):
    a = rng.random((3, 4)) - 0.5
    orders = "1 -1 2 -2 0 3 0.5 np.inf -np.inf".split()
    check_each("\n".join(f"np.linalg.norm(a[0], {p})\nnp.linalg.norm(a, {p})\nnp.linalg.vector_norm(a, ord={p})" for p in orders), a)
    check_each("""
        np.linalg.norm(a, 'nuc')
        np.linalg.norm(a, 'f')
        np.linalg.norm(a, 'nothing')
        np.linalg.norm(a[0], 'fro')
        np.linalg.norm(a, keepdims=True)
        np.linalg.norm(a[None], 2)
        np.linalg.norm(a[::2, ::-1])
        np.linalg.norm(a, 3, axis=0)
        np.linalg.norm(a, axis=(1, 0), ord=-1)
        np.linalg.norm(a.astype(np.int8) * 3)
        np.linalg.norm(a.astype(np.float32), np.inf)
        np.linalg.norm(a[:0])
        np.linalg.norm(a[:0, 0], np.inf)
        np.linalg.norm(a[:0], 1)
        np.linalg.norm(a * np.nan, 2)
        np.linalg.norm(a * np.inf)
        np.linalg.norm([3.0, 4.0])
    """, a)


def test_empty_and_not_finite():
    nothing = calls("np.linalg.", "det slogdet svd eigh cholesky pinv matrix_rank cond") + """
        np.linalg.eigvals(a).real
        np.linalg.solve(a, a)
        np.linalg.svd(a, compute_uv=False)
        np.linalg.lstsq(a, a)
        np.linalg.matrix_power(a, 2)
    """
    for shape in ((0, 0), (2, 0, 0), (0, 2, 2)):
        check_each(nothing, np.zeros(shape))
    for shape in ((0, 3), (3, 0)):
        check_each("np.linalg.svd(a)\nnp.linalg.svd(a, False)\nnp.linalg.pinv(a)\nnp.linalg.lstsq(a, a)", np.zeros(shape))
    check_each(calls("np.linalg.", "inv det eigh svd pinv matrix_rank" + " cond" * (not IS_FROM_2_5)) + """
        np.linalg.eigvals(a).real
        np.linalg.slogdet(a).logabsdet
        np.linalg.lstsq(a, a)
    """, np.full((3, 3), np.nan))
    check_each("np.linalg.cond(a)\nnp.linalg.cond(a, 1)" + "\nnp.linalg.cond(a, 'nuc')" * (not IS_FROM_2_5), np.zeros((2, 2)))


def test_messages():
    """numba's words, which code in the wild looks for."""
    from compare import compiled
    ones = np.ones((3, 3))
    for body, words in (("np.linalg.inv(a)", "Matrix is singular to machine precision."),
                        ("np.linalg.solve(a, a)", "Matrix is singular to machine precision."),
                        ("np.linalg.inv(a[:2])", "Last 2 dimensions of the array must be square."),
                        ("np.linalg.solve(a, a[:2])", "Incompatible array sizes, system is not dimensionally valid."),
                        ("np.linalg.cholesky(-a)", "Matrix is not positive definite."),
                        ("np.linalg.svd(a * np.nan)", "Array must not contain infs or NaNs.")):
        with pytest.raises(np.linalg.LinAlgError) as caught:
            compiled(body, 1)(ones)
        assert str(caught.value) == words


def test_edges(rng):
    """Systems without sides, a vector of two items, NaN."""
    a = rng.random((3, 2))
    check_each("""
        np.linalg.lstsq(a, a[:, :0])[0]
        np.linalg.lstsq(a[:0], a[:0])[0]
        np.linalg.lstsq(a, a)[0]
        np.linalg.slogdet(np.full((2, 2), np.nan))
        np.linalg.slogdet(-np.eye(3))
        np.linalg.cond(np.full((2, 2), np.nan), 1)
        np.linalg.cond(np.ones((2, 2)), 1)
        np.linalg.svd(np.diag(np.array([1.0, -2.0, 0.0])), hermitian=True)
    """, a)
    if not IS_FROM_2_5:  # which refuses vectors of two items
        check("np.cross(a, b)", a, rng.random((3, 3)))


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
