"""Operators and methods of device arrays against NumPy."""
import operator

from common import cuda, equal, np, raises, rng

BINARY = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv,
          operator.mod, operator.lt, operator.ge, operator.eq, operator.ne]


def data(dtype, shape=(3, 5)):
    return (rng.uniform(1, 9, shape)).astype(dtype)


def same(device, host):
    assert isinstance(device, type(cuda.device_array(1))), type(device)
    got = device.copy_to_host()
    assert got.dtype == host.dtype and got.shape == host.shape, (got.dtype, host.dtype)
    np.testing.assert_allclose(got, host, rtol=1e-6)


def test_operators_between_arrays():
    for dtype, other in ((np.int32, np.int32), (np.float32, np.float32), (np.int64, np.float64),
                         (np.float32, np.int16)):
        a, b = data(dtype), data(other)
        da, db = cuda.to_device(a), cuda.to_device(b)
        for op in BINARY if dtype == other == np.int32 else BINARY[:1]:
            same(op(da, db), op(a, b))
        same(da - b, a - b)


def test_operators_with_numbers():
    a = data(np.float32)
    d = cuda.to_device(a)
    for op in BINARY:
        same(op(d, 2), op(a, 2))
        same(op(d, 2.5), op(a, 2.5))
        same(op(7, d), op(7, a))
    i = cuda.to_device(np.arange(6, dtype=np.int16))
    same(i + 1, np.arange(6, dtype=np.int16) + 1)
    same(i * 0.5, np.arange(6, dtype=np.int16) * 0.5)
    same(i << 2, np.arange(6, dtype=np.int16) << 2)
    same(-d, -a)
    same(abs(-d), a)
    same(~i, ~np.arange(6, dtype=np.int16))
    same(d ** 2, a ** 2)


def test_layouts_and_views():
    a = data(np.float64, (4, 6))
    d = cuda.to_device(a)
    same(d[1:3, ::2] + 1, a[1:3, ::2] + 1)
    same(d.T * d.T, a.T * a.T)
    same(d[:, 1] - d[:, 2], a[:, 1] - a[:, 2])
    same(cuda.to_device(np.asfortranarray(a)) + d, a + a)


def test_in_place():
    a = data(np.float64)
    d = cuda.to_device(a)
    before = d
    d += 1
    d *= d
    assert d is before
    same(d, (a + 1) * (a + 1))
    i = cuda.to_device(np.arange(4))
    with raises(TypeError, "float64", "int64"):
        i /= 2
    with raises(TypeError, "unsupported operand"):
        d + "x"
    assert (d == None) is False  # noqa: E711


def test_methods():
    for dtype in (np.int8, np.uint64, np.float32, np.float64):
        a = data(dtype, (7, 11))
        d = cuda.to_device(a)
        for name in ("sum", "min", "max", "mean"):
            got, expected = getattr(d, name)(), getattr(a, name)()
            assert got.dtype == expected.dtype, (name, got.dtype)
            np.testing.assert_allclose(got, expected, rtol=1e-5)
        np.testing.assert_allclose(d[2:5, ::3].sum(), a[2:5, ::3].sum(), rtol=1e-5)
        same(d.copy(), a)
        same(d[:, 1].copy(), a[:, 1])
        for other in (np.float32, np.bool_):
            same(d.astype(other), a.astype(other))
        d.fill(3)
        same(d, np.full_like(a, 3))
    empty = cuda.to_device(np.zeros(0))
    assert empty.sum() == 0 and np.isnan(empty.mean())
    with raises(ValueError, "zero-size array"):
        empty.max()
    with raises(NotImplementedError, "axis"):
        d.sum(axis=0)
    with_nan = cuda.to_device(np.array([1.0, np.nan, 3]))
    assert np.isnan(with_nan.max()) and np.isnan(with_nan.min())


def test_iteration_and_conversion():
    a = data(np.float64, (3, 2))
    d = cuda.to_device(a)
    assert [row.copy_to_host().tolist() for row in d] == a.tolist()
    assert list(d[0]) == list(a[0])
    assert float(cuda.to_device(np.array([2.5]))) == 2.5 and int(cuda.to_device(np.array([7]))) == 7
    with raises(TypeError, "one element"):
        bool(d)
    assert {d: 1}[d] == 1


def test_preview():
    d = cuda.to_device(np.arange(1000.0).reshape(20, 50))
    text, page = d.preview(), d._repr_html_()
    assert "(20, 50) float64, 8000 bytes" in text and "0.,   1.,   2." in text and "..." in text
    assert page.startswith("<b>DeviceNDArray(20, 50)") and "<pre>" in page
    assert "[]" in cuda.to_device(np.zeros(0)).preview()
    assert repr(d).startswith("<numba.cuda.cudadrv.devicearray.DeviceNDArray object at")
