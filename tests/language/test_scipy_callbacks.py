"""Functions of cfunc that SciPy takes by LowLevelCallable: each signature that it knows, beside the same in Python."""
import ctypes

import numpy as np
import pytest

from numba import carray, cfunc, from_dtype, types

scipy = pytest.importorskip("scipy")
from scipy import LowLevelCallable, integrate, ndimage

f8, intc, intp, pointer = types.float64, types.intc, types.intp, types.CPointer
IMAGE = np.random.default_rng(1).random((20, 17))
FILTER = intc(pointer(f8), intp, pointer(f8), types.voidptr)


def given(*numbers):
    """Numbers that a callback is given as its data: an array, to be kept, and its address."""
    data = np.array(numbers)
    return data, data.ctypes.data_as(ctypes.c_void_p)


def test_integrands_with_data():
    kept, address = given(2.0, 5.0)

    @cfunc(f8(f8, types.voidptr))
    def line(x, data):
        parts = carray(data, (2,), f8)
        return parts[0] * x + parts[1]

    @cfunc(f8(intc, pointer(f8), types.voidptr))
    def plane(n, at, data):
        parts = carray(data, (2,), f8)
        return parts[0] * at[0] + parts[1] * at[n - 1]

    for function, signature in ((line, "double (double, void *)"), (plane, "double (int, double *, void *)")):
        assert LowLevelCallable(function.ctypes, user_data=address).signature == signature
    assert np.isclose(integrate.quad(LowLevelCallable(line.ctypes, user_data=address), 0, 2)[0], 14)
    assert np.isclose(integrate.nquad(LowLevelCallable(plane.ctypes, user_data=address), [[0, 1], [0, 2]])[0], 12)


def test_integrands_with_arguments():
    @cfunc(f8(intc, pointer(f8)))
    def weighted(n, at):
        total = 0.0
        for i in range(n):
            total += at[i] * (i + 1)
        return total
    lowered = LowLevelCallable(weighted.ctypes)
    assert np.isclose(integrate.quad(lowered, 0, 2, args=(3.0, 1.0))[0], integrate.quad(lambda x: x + 2 * 3 + 3 * 1, 0, 2)[0])
    assert np.isclose(integrate.quad(lowered, 0, 2, args=(3.0,), weight="cos", wvar=3)[0],
                      integrate.quad(lambda x: x + 6, 0, 2, weight="cos", wvar=3)[0])


def test_a_record_as_data():
    class Parameters(ctypes.Structure):
        _fields_ = [("scale", ctypes.c_double), ("power", ctypes.c_int)]

    @cfunc(f8(f8, pointer(from_dtype(np.dtype([("scale", "f8"), ("power", "i4")], align=True)))))
    def scaled(x, parameters):
        own = carray(parameters, 1)[0]
        return own.scale * x ** own.power
    parameters = Parameters(2.0, 3)
    address = ctypes.cast(ctypes.pointer(parameters), ctypes.c_void_p)
    lowered = LowLevelCallable(scaled.ctypes, user_data=address, signature="double (double, void *)")
    assert np.isclose(integrate.quad(lowered, 0, 1)[0], 0.5)


def test_filters_of_windows():
    @cfunc(FILTER)
    def median(values, count, result, data):
        result[0] = np.median(carray(values, count))
        return 1
    lowered = LowLevelCallable(median.ctypes)
    for options in ({"size": (3, 5)}, {"footprint": np.eye(3)}, {"size": 3, "mode": "wrap"}):
        assert np.array_equal(ndimage.generic_filter(IMAGE, lowered, **options),
                              ndimage.generic_filter(IMAGE, np.median, **options))


def test_filters_of_lines():
    @cfunc(intc(pointer(f8), intp, pointer(f8), intp, types.voidptr))
    def means(line, count, result, size, data):
        values, out = carray(line, count), carray(result, size)
        for i in range(size):
            out[i] = (values[i] + values[i + 1] + values[i + 2]) / 3
        return 1

    def in_python(line, out):
        out[:] = (line[:-2] + line[1:-1] + line[2:]) / 3
    for axis in 0, 1:
        assert np.allclose(ndimage.generic_filter1d(IMAGE, LowLevelCallable(means.ctypes), 3, axis=axis),
                           ndimage.generic_filter1d(IMAGE, in_python, 3, axis=axis))


def test_mappings_with_data():
    shift, address = given(0.5, 1.25)

    @cfunc(intc(pointer(intp), pointer(f8), intc, intc, types.voidptr))
    def bend(out, into, rank_out, rank_in, data):
        by = carray(data, (2,), f8)
        into[0] = out[0] * 0.5 + by[0]
        into[1] = out[1] - by[1] * rank_in
        return 1
    lowered = LowLevelCallable(bend.ctypes, user_data=address)
    want = ndimage.geometric_transform(IMAGE, lambda at: (at[0] * 0.5 + shift[0], at[1] - 2 * shift[1]), order=3)
    assert np.allclose(ndimage.geometric_transform(IMAGE, lowered, order=3), want)


def test_signatures_that_scipy_does_not_know():
    median = cfunc(FILTER)(lambda values, count, result, data: 1)
    with pytest.raises(ValueError, match="signature"):
        integrate.quad(LowLevelCallable(median.ctypes), 0, 1)
