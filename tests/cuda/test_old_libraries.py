"""What numbapro, accelerate and pyculib had beside Fourier transforms."""
import common  # noqa: F401  (numba is gridcell's from here on)
import numpy as np
from numba import cuda
from numbapro import CU
from numbapro.cudalib import cublas, curand
from pyculib import sorting
from common import raises

rng = np.random.default_rng(5)


def matrix(m, n, dtype=np.float64):
    values = rng.random((m, n)) + (1j * rng.random((m, n)) if np.dtype(dtype).kind == "c" else 0)
    return np.asfortranarray(values.astype(dtype))


def test_vectors():
    blas = cublas.Blas()
    for dtype in (np.float32, np.float64, np.complex64, np.complex128):
        x, y = matrix(6, 1, dtype)[:, 0], matrix(6, 1, dtype)[:, 0]
        tolerance = 1e-5 if np.finfo(dtype).bits == 32 else 1e-12
        for give in (np.copy, cuda.to_device):
            a, b = give(x), give(y)
            for result, expected in ((blas.dot(a, b), x @ y), (blas.dotc(a, b), x.conj() @ y),
                                     (blas.nrm2(a), np.linalg.norm(x)),
                                     (blas.asum(a), (abs(x.real) + abs(x.imag)).sum())):
                np.testing.assert_allclose(result, expected, rtol=tolerance)
            blas.axpy(2, a, b)
            blas.scal(3, a)
            np.testing.assert_allclose(np.asarray(b), 2 * x + y, rtol=tolerance)
            np.testing.assert_allclose(np.asarray(a), 3 * x, rtol=tolerance)
    assert (blas.amax(np.array([1.0, -5, 2])), blas.amin(np.array([1.0, -5, 2]))) == (1, 0)
    r, _, c, s = blas.rotg(3.0, 4.0)
    np.testing.assert_allclose([r, c, s], [5, 0.6, 0.8])
    x, y = np.array([3.0, 1]), np.array([4.0, 0])
    blas.rot(x, y, c, s)
    np.testing.assert_allclose([x, y], [[5, 0.6], [0, -0.8]], atol=1e-12)
    x, y = np.array([2.0]), np.array([3.0])
    blas.rotm(x, y, blas.rotmg(1.0, 1.0, 2.0, 3.0))
    np.testing.assert_allclose(y, 0, atol=1e-12)


def test_products_of_matrices():
    blas = cublas.Blas()
    for dtype in (np.float32, np.float64, np.complex128):
        a, b, c = matrix(3, 4, dtype), matrix(4, 5, dtype), matrix(3, 5, dtype)
        expected = 2 * (a @ b) + 3 * c
        for give in (lambda array: array.copy(order="F"), cuda.to_device):
            result = give(c)
            blas.gemm("N", "N", 3, 5, 4, 2, give(a), give(b), 3, result)
            np.testing.assert_allclose(np.asarray(result), expected, rtol=1e-4)
            blas.gemm("C", "T", 3, 5, 4, 1, give(matrix_of(a.conj().T)), give(matrix_of(b.T)), 0, result)
            np.testing.assert_allclose(np.asarray(result), a @ b, rtol=1e-4)
    a, x, y = matrix(3, 4), rng.random(4), rng.random(3)
    expected = 2 * a @ x + y
    blas.gemv("N", 3, 4, 2, a, x, 1, y)
    np.testing.assert_allclose(y, expected)
    with raises(ValueError, "'N', 'T' or 'C'"):
        blas.gemv("X", 3, 4, 2, a, x, 1, y)


def matrix_of(array):
    return np.asfortranarray(array)


def test_special_matrices():
    try:
        import scipy.linalg.blas as reference
    except ImportError:
        return
    blas, n, k = cublas.Blas(), 5, 2
    x = rng.random(n)
    for uplo in "UL":
        lower = int(uplo == "L")
        a = matrix(n, n) + 3 * np.eye(n)
        half = np.tril(a) if lower else np.triu(a)
        packed = np.concatenate([half[j:, j] if lower else half[:j + 1, j] for j in range(n)])
        for diag in "UN":
            solved = x.copy()
            blas.trsv(uplo, "T", diag, n, a, solved)
            np.testing.assert_allclose(
                solved, reference.dtrsv(a, x, lower=lower, trans=1, diag=diag == "U"))
            blas.trmv(uplo, "T", diag, n, a, solved)
            np.testing.assert_allclose(solved, x)
            multiplied = x.copy()
            blas.tpmv(uplo, "N", diag, n, packed, multiplied)
            np.testing.assert_allclose(
                multiplied, reference.dtpmv(n, packed, x, lower=lower, diag=diag == "U"))
        y = np.zeros(n)
        blas.symv(uplo, n, 2, a, x, 0, y)
        np.testing.assert_allclose(y, reference.dsymv(2, a, x, lower=lower))
        blas.spmv(uplo, n, 2, packed, x, 0, y)
        np.testing.assert_allclose(y, reference.dsymv(2, a, x, lower=lower))
        changed = packed.copy()
        blas.spr(uplo, n, 2, x, changed)
        np.testing.assert_allclose(changed, reference.dspr(n, 2, x, packed, lower=lower))
        band = np.zeros((k + 1, n), order="F")
        for j in range(n):
            for i in range(max(0, j - k), min(n, j + k + 1)):
                if (i >= j) == bool(lower) or i == j:
                    band[i - j if lower else k + i - j, j] = a[i, j]
        blas.sbmv(uplo, n, k, 2, band, x, 0, y)
        np.testing.assert_allclose(y, reference.dsbmv(k, 2, band, x, lower=lower))
        product = matrix(n, n)
        expected = np.where(half != 0, 2 * a @ a.T + 3 * product, product)
        blas.syrk(uplo, "N", n, n, 2, a, 3, product)
        np.testing.assert_allclose(product, expected)
        b = matrix(n, 3)
        solved = b.copy(order="F")
        blas.trsm("L", uplo, "N", "N", n, 3, 2, a, solved)
        np.testing.assert_allclose(half @ solved, 2 * b)
        z = x + 1j * x[::-1]
        hermitian = a + 1j * matrix(n, n)
        changed = hermitian.copy()
        blas.her(uplo, n, 2, z, changed)
        np.testing.assert_allclose(
            np.where(half != 0, hermitian + 2 * np.outer(z, z.conj()), hermitian), changed)


def test_random_numbers():
    for rndtype in (curand.PRNG.DEFAULT, curand.PRNG.MRG32K3A, curand.PRNG.XORWOW):
        prng = curand.PRNG(rndtype, seed=7, stream=cuda.stream())
        on_device, on_host = cuda.device_array(20000, np.float32), np.zeros(20000, np.float32)
        prng.normal(on_device, mean=3, sigma=2)
        curand.PRNG(rndtype, seed=7).normal(on_host, 3, 2)
        np.testing.assert_array_equal(on_device.copy_to_host(), on_host)
        assert abs(on_host.mean() - 3) < 0.1 and abs(on_host.std() - 2) < 0.1
        prng.uniform(on_host)
        assert 0 < on_host.min() and on_host.max() <= 1 and abs(on_host.mean() - 0.5) < 0.02
    with raises(TypeError, "Only accept 1-D array"):
        prng.uniform(np.zeros((2, 2)))
    counts = curand.poisson(4.0, 5000, device=True)
    assert counts.dtype == np.uint32 and abs(counts.copy_to_host().mean() - 4) < 0.3


def test_points_that_fill_a_cube():
    points = np.zeros(3 * 1024)
    qrng = curand.QRNG(curand.QRNG.SOBOL32, ndim=3)
    qrng.generate(points)
    for row in points.reshape(3, 1024):  # one in each of 1024 equal parts
        np.testing.assert_array_equal(np.sort(np.ceil(row * 1024)), np.arange(1, 1025))
    later = np.zeros(3 * 8)
    qrng.generate(later)
    np.testing.assert_array_equal(
        np.sort(curand.quasi(2048, bits=64).astype(np.float64) // 2.0 ** 53), np.arange(2048))
    same = np.zeros(3 * 8)
    curand.QRNG(curand.QRNG.SOBOL32, ndim=3, offset=1024).generate(same)
    np.testing.assert_array_equal(later, same)


def test_sorting():
    for dtype in (np.int32, np.uint32, np.float32, np.float64, np.int64):
        keys = (rng.random(50) * 100 - (0 if np.dtype(dtype).kind == "u" else 50)).astype(dtype)
        for descending in (False, True):
            with sorting.RadixSort(100, dtype, descending) as sorter:
                device = cuda.to_device(keys)
                places = sorter.argsort(device).copy_to_host()
            expected = np.sort(keys)[::-1] if descending else np.sort(keys)
            np.testing.assert_array_equal(device.copy_to_host(), expected)
            np.testing.assert_array_equal(keys[places], expected)
    keys, values = np.array([3, 1, 2, 9, 7, 8], np.float32), np.arange(6, dtype=np.uint32)
    sorting.segmented_sort(keys, values, np.array([3], np.int32))
    np.testing.assert_array_equal(keys, [1, 2, 3, 7, 8, 9])
    np.testing.assert_array_equal(values, [1, 2, 0, 4, 5, 3])


def test_compute_unit():
    def saxpy(tid, a, x, y, out):
        out[tid] = a[0] * x[tid] + y[tid]

    x, y, out, both = np.arange(50.0), np.ones(50), np.zeros(50), np.full(50, 2.0)
    with CU("gpu") as cu:
        cu.enqueue(saxpy, ntid=50, args=(cu.input(np.array([3.0])), cu.input(x), cu.input(y),
                                         cu.output(out)))
        scratch = cu.scratch(50, np.float64)
        cu.enqueue(saxpy, ntid=50, args=(cu.input(np.array([3.0])), cu.input(x), cu.input(y), scratch))
        cu.enqueue(saxpy, ntid=50, args=(cu.input(np.ones(1)), scratch, scratch, cu.inout(both)))
        cu.wait()
    np.testing.assert_array_equal(out, 3 * x + 1)
    np.testing.assert_array_equal(both, 6 * x + 2)
    with raises(RuntimeError, "closed"):
        cu.wait()
    with raises(ValueError, "compute unit"):
        CU("tpu")
