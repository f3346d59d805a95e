"""bfloat16 against its definition: float32 results, rounded to the nearest, ties to even."""
import math
import operator

import numpy as np
import pytest
from common import composed, cuda, raises

from numba import float32, float64, int32, types
from numba.cuda import bf16
from numba.cuda.bf16 import bfloat16

bits_of, from_bits = bf16.bfloat16_as_uint16, bf16.uint16_as_bfloat16
CANONICAL_NAN = 0x7fff


def rounded(x):
    """The bits of float64 values as bfloat16: by the distance to both neighbours."""
    x = np.asarray(x, np.float64)
    with np.errstate(all="ignore"):
        below = np.abs(x).astype(np.float32)
    raw = below.view(np.uint32)
    raw = raw - (below.astype(np.float64) > np.abs(x))  # towards zero
    low = raw >> 16
    lower, upper = value(low), value(low + 1)
    upper = np.where(np.isinf(upper), 2.0**128, upper)
    middle = (lower + upper) / 2
    up = (np.abs(x) > middle) | ((np.abs(x) == middle) & (low & 1 == 1))
    found = (low + up).astype(np.uint16) | (np.signbit(x).astype(np.uint16) << 15)
    found = np.where(np.isinf(x), np.where(x > 0, 0x7f80, 0xff80), found)
    return np.where(np.isnan(x), CANONICAL_NAN, found).astype(np.uint16)


def value(bits):
    with np.errstate(all="ignore"):
        return (np.asarray(bits, np.uint32) << 16).view(np.float32).astype(np.float64)


rng = np.random.default_rng(3)
EDGES = np.array([0, 0x8000, 1, 0x8001, 0x7f, 0x80, 0x3f80, 0xbf80, 0x4000, 0x7f7f, 0xff7f, 0x7f80,
                  0xff80, 0x7fc0, 0xffc1, 0x4120, 0x3eaa, 0x0100], np.uint16)
A, B = (x.ravel().astype(np.uint16) for x in np.meshgrid(EDGES, EDGES))
A = np.concatenate([A, rng.integers(0x3000, 0x4a00, 500).astype(np.uint16)])
B = np.concatenate([B, rng.integers(0xb000, 0xca00, 500).astype(np.uint16)])


def launch(kernel, *arrays):
    kernel[(len(arrays[0]) + 127) // 128, 128](*arrays)


def test_arithmetic_rounds_once():
    @cuda.jit
    def compute(a, b, out):
        i = cuda.grid(1)
        if i < len(a):
            x, y = from_bits(a[i]), from_bits(b[i])
            out[0, i] = bits_of(x + y)
            out[1, i] = bits_of(x - y)
            out[2, i] = bits_of(x * y)
            out[3, i] = bits_of(x / y)
            out[4, i] = bits_of(-x)
            z = x
            z *= y
            out[5, i] = bits_of(z)
            out[6, i] = bits_of(bf16.hadd(x, y))
            out[7, i] = bits_of(bf16.hdiv(x, y))
            out[8, i] = bits_of(bf16.hsub_rn(x, y))
            out[9, i] = bits_of(bf16.hmul_sat(x, y))
            out[10, i] = bits_of(bf16.habs(x))

    out = np.zeros((11, len(A)), np.uint16)
    launch(compute, A, B, out)
    x, y = value(A), value(B)
    with np.errstate(all="ignore"):
        product = np.where(np.isnan(x * y), 0, np.clip(x * y, 0, 1) + 0.0)
        expected = [x + y, x - y, x * y, x / y, -x, x * y, x + y, x / y, x - y, product, np.abs(x)]
    for row, (found, exact) in enumerate(zip(out, expected)):
        both = np.isnan(value(found)) & np.isnan(exact)
        wrong = np.flatnonzero((found != rounded(exact)) & ~both)
        assert not len(wrong), (row, x[wrong[:3]], y[wrong[:3]], found[wrong[:3]])


def test_fma_is_rounded_once():
    @cuda.jit
    def compute(a, b, c, out):
        i = cuda.grid(1)
        if i < len(a):
            x, y, z = from_bits(a[i]), from_bits(b[i]), from_bits(c[i])
            out[0, i] = bits_of(bf16.hfma(x, y, z))
            out[1, i] = bits_of(bf16.hfma_relu(x, y, z))
            out[2, i] = bits_of(bf16.hfma_sat(x, y, z))

    # the first: a product halfway between two values, and a little more
    a = np.array([0x3f81, 0x3f81, 0x4040, 0xbf80, 0x7fc0], np.uint16)
    b = np.array([0x3fc0, 0x3fc0, 0x4000, 0x3f80, 0x3f80], np.uint16)
    c = np.array([0x0080, 0x8080, 0x3f80, 0x0000, 0x3f80], np.uint16)
    out = np.zeros((3, 5), np.uint16)
    launch(compute, a, b, c, out)
    halfway = value(a[0]) * value(b[0])  # 1.51171875
    assert halfway == 1.51171875
    assert out[0].tolist() == [0x3fc2, 0x3fc1, 0x40e0, 0xbf80, CANONICAL_NAN]
    assert out[1].tolist() == [0x3fc2, 0x3fc1, 0x40e0, 0, CANONICAL_NAN]
    assert out[2].tolist() == [0x3f80, 0x3f80, 0x3f80, 0, 0]


def of_pairs(outer, function, a, b, dtype):
    """outer(function(x, y)) of each two values that have these bits."""
    @cuda.jit
    def kernel(a, b, out):
        i = cuda.grid(1)
        if i < len(a):
            out[i] = outer(function(from_bits(a[i]), from_bits(b[i])))

    out = np.zeros(len(a), dtype)
    launch(kernel, a, b, out)
    return out


def test_comparisons():
    x, y = value(A), value(B)
    unordered = np.isnan(x) | np.isnan(y)
    for compare, expected in {
            operator.eq: x == y, operator.ne: x != y, operator.lt: x < y, operator.le: x <= y,
            operator.gt: x > y, operator.ge: x >= y,
            bf16.heq: x == y, bf16.hneu: x != y, bf16.hlt: x < y, bf16.hne: (x != y) & ~unordered,
            bf16.hequ: (x == y) | unordered, bf16.hltu: (x < y) | unordered,
            bf16.hgeu: (x >= y) | unordered}.items():
        assert (of_pairs(bool, compare, A, B, np.bool_) == expected).all(), compare
    for ask, expected in {bf16.hisnan: np.isnan(x), bf16.hisinf: np.isinf(x), bool: x != 0}.items():
        assert ((composed(ask, from_bits, A, np.int32) != 0) == expected).all(), ask


def test_largest_and_smallest():
    a = np.array([0x8000, 0, 0x7fc0, 0x3f80, 0x4000], np.uint16)
    b = np.array([0, 0x8000, 0x3f80, 0x7fc0, 0xc000], np.uint16)
    for choose, expected in {
            bf16.hmax: [0, 0, 0x3f80, 0x3f80, 0x4000],
            bf16.hmin: [0x8000, 0x8000, 0x3f80, 0x3f80, 0xc000],
            bf16.hmax_nan: [0, 0, CANONICAL_NAN, CANONICAL_NAN, 0x4000]}.items():
        assert of_pairs(bits_of, choose, a, b, np.uint16).tolist() == expected, choose
    assert of_pairs(bits_of, max, a, b, np.uint16)[4] == 0x4000


def test_functions():
    @cuda.jit
    def compute(a, out):
        i = cuda.grid(1)
        if i < len(a):
            x = from_bits(a[i])
            out[0, i], out[1, i] = float32(bf16.hsin(x)), float32(math.sin(x))
            out[2, i], out[3, i] = float32(bf16.hexp(x)), float32(math.exp(x))
            out[4, i], out[5, i] = float32(bf16.hlog(x)), float32(math.sqrt(x))
            out[6, i], out[7, i] = float32(bf16.hsqrt(x)), float32(bf16.hrsqrt(x))
            out[8, i], out[9, i] = float32(bf16.hrcp(x)), float32(bf16.hfloor(x))
            out[10, i], out[11, i] = float32(bf16.hceil(x)), float32(bf16.hrint(x))
            out[12, i], out[13, i] = float32(bf16.htrunc(x)), float32(bf16.htanh(x))
            out[14, i], out[15, i] = float32(bf16.hexp10(x)), float32(bf16.hlog2(x))
            out[16, i], out[17, i] = float32(math.floor(x)), float32(abs(-x))
            out[18, i], out[19, i] = float32(bf16.hcos(x)), float32(bf16.hexp2(x))

    a = rng.integers(0x3c00, 0x4180, 200).astype(np.uint16)
    out = np.zeros((20, len(a)), np.float32)
    launch(compute, a, out)
    x = value(a)
    exact = [np.sin(x), np.sin(x), np.exp(x), np.exp(x), np.log(x), np.sqrt(x), np.sqrt(x),
             1 / np.sqrt(x), 1 / x, np.floor(x), np.ceil(x), np.rint(x), np.trunc(x), np.tanh(x),
             10.0**x, np.log2(x), np.floor(x), x, np.cos(x), np.exp2(x)]
    for row, (found, right) in enumerate(zip(out, exact)):
        near = np.abs(value(rounded(right)) - found) <= np.abs(right) * 2.0**-8
        assert near.all(), (row, x[~near], found[~near])
        assert (value(rounded(found)) == found).all()


NUMBERS = np.array([0, 1, -1, 255, 256, 257, 258, 259, -257, -259, 65535, 8388609, 16843009,
                    2**31 - 1, -2**31], np.int64)
LONG = np.array([2**53 + 1, 2**62 + 1, 2**63 - 1, -2**63, -2**62 - 1, 257 * 2**54, 257 * 2**54 + 1,
                 257 * 2**54 - 1, 0, -5], np.int64)


def neighbours(n):
    """The largest bfloat16 value that is not above an integer, and the smallest not below."""
    near = int(value(rounded(float(n if abs(n) < 2**53 else n >> 11 << 11))))
    candidates = [int(value(b)) for b in range(max(int(rounded(abs(float(n)))) - 2, 0),
                                               int(rounded(abs(float(n)))) + 3)]
    candidates += [-c for c in candidates] + [near]
    return max(c for c in candidates if c <= n), min(c for c in candidates if c >= n)


def test_integers_to_bfloat16_in_all_roundings():
    numbers = np.concatenate([NUMBERS, LONG])
    nearest, cut, down, up, converted, down_from_int32 = (
        composed(float64, function, numbers, np.float64)
        for function in (bf16.int64_to_bfloat16_rn, bf16.int64_to_bfloat16_rz, bf16.int64_to_bfloat16_rd,
                         bf16.int64_to_bfloat16_ru, bfloat16, bf16.int32_to_bfloat16_rd))
    for i, n in enumerate(int(n) for n in numbers):
        below, above = neighbours(n)
        assert down[i] == below and up[i] == above, (n, down[i], up[i], below, above)
        assert cut[i] == (below if n >= 0 else above), n
        if abs(n - below) != abs(above - n):
            assert nearest[i] == (below if n - below < above - n else above), n
        assert nearest[i] == converted[i]
        if -2**31 <= n < 2**31:
            assert down_from_int32[i] == below


def test_float32_in_all_roundings():
    x = np.array([1, 1.001, -1.001, 3.4e38, -3.4e38, 1e-45, -1e-45, np.inf, np.nan, 0.0, -0.0],
                 np.float32)
    for function, expected in {
            bf16.float32_to_bfloat16: rounded(x).tolist(),
            bf16.float32_to_bfloat16_rz: [0x3f80, 0x3f80, 0xbf80, 0x7f7f, 0xff7f, 0, 0x8000, 0x7f80,
                                          CANONICAL_NAN, 0, 0x8000],
            bf16.float32_to_bfloat16_rd: [0x3f80, 0x3f80, 0xbf81, 0x7f7f, 0xff80, 0, 0x8001, 0x7f80,
                                          CANONICAL_NAN, 0, 0x8000],
            bf16.float32_to_bfloat16_ru: [0x3f80, 0x3f81, 0xbf80, 0x7f80, 0xff7f, 1, 0x8000, 0x7f80,
                                          CANONICAL_NAN, 0, 0x8000]}.items():
        assert composed(bits_of, function, x, np.uint16).tolist() == expected, function


def test_float64_is_rounded_once():
    # by way of float32 the first would be a tie, and go down
    x = np.array([1 + 2.0**-8 + 2.0**-40, 1 + 2.0**-8 - 2.0**-40, 1e300, -1e-300, np.nan, 2.0**-134])
    assert composed(bits_of, bfloat16, x, np.uint16).tolist() == [0x3f81, 0x3f80, 0x7f80, 0x8000, CANONICAL_NAN, 0]


def test_to_integers():
    a = rounded([2.5, -2.5, 3.5, 300, -300, 1e20, -1e20, np.nan])
    most, least = 2**31 - 1, -2**31
    big = int(value(rounded(300.0)))
    for function, expected in {
            bf16.bfloat16_to_int32_rn: [2, -2, 4, big, -big, most, least, 0],
            bf16.bfloat16_to_int32_rz: [2, -2, 3, big, -big, most, least, 0],
            bf16.bfloat16_to_int32_rd: [2, -3, 3, big, -big, most, least, 0],
            bf16.bfloat16_to_int32_ru: [3, -2, 4, big, -big, most, least, 0],
            bf16.bfloat16_to_uint8_rz: [2, 0, 3, 255, 0, 255, 0, 0],
            bf16.bfloat16_to_int16_rn: [2, -2, 4, big, -big, 2**15 - 1, -2**15, 0],
            bf16.bfloat16_to_int64_rn: [2, -2, 4, big, -big, 2**63 - 1, -2**63, -2**63]}.items():
        assert composed(function, from_bits, a, np.int64).tolist() == expected, function
    assert composed(bf16.bfloat16_to_uint64_rz, from_bits, a, np.uint64).tolist() == [
        2, 0, 3, big, 0, 2**64 - 1, 0, 2**63]


def test_mixed_with_other_numbers():
    @cuda.jit
    def mix(out):
        x = bfloat16(1.5)
        out[0] = bits_of(x + 1)
        out[1] = bits_of(bfloat16(x + float32(1)))
        total = bfloat16(0)
        for i in range(4):
            total += x
        out[2] = bits_of(total)
        out[3] = bits_of(-x * total ** 2)
        out[4] = int32(total)
        out[5] = bits_of(bfloat16(True))

    out = np.zeros(6, np.uint16)
    mix[1, 1](out)
    assert out.tolist() == [0x4020, 0x4020, 0x40c0, int(rounded(-54.0)), 6, 0x3f80]


def test_arrays_of_it_within_a_kernel():
    @cuda.jit
    def reverse(a, out):
        tile = cuda.shared.array(32, bfloat16)
        own = cuda.local.array(2, dtype=bfloat16)
        i = cuda.threadIdx.x
        tile[i] = a[i]
        cuda.syncthreads()
        own[0] = tile[31 - i]
        own[1] = own[0] * own[0]
        out[i] = own[1]

    a = np.arange(32, dtype=np.float32)
    out = np.zeros(32, np.float32)
    reverse[1, 32](a, out)
    assert (out == value(rounded(a[::-1].astype(np.float64)**2))).all()


def test_device_functions_take_it():
    @cuda.jit(device=True)
    def twice(x):
        return x + x

    @cuda.jit
    def kernel(out):
        out[0] = float32(twice(bfloat16(1.25)))
        pair = (bfloat16(2), 3)
        out[1] = float32(pair[0])

    out = np.zeros(2, np.float32)
    kernel[1, 1](out)
    assert out.tolist() == [2.5, 2]
    assert str(bfloat16) == "bfloat16" and types.bfloat16 is bfloat16


def test_print(capfd):
    @cuda.jit
    def show():
        print(bfloat16(1.5), bf16.hneg(bfloat16(2)))

    show[1, 1]()
    cuda.synchronize()
    assert "1.500000 -2.000000" in capfd.readouterr().out


def test_wrong_arguments():
    @cuda.jit
    def of_float(out):
        out[0] = bf16.hsin(1.5)

    @cuda.jit
    def of_complex(out):
        out[0] = float32(bfloat16(1j))

    for kernel in of_float, of_complex:
        with raises(Exception, "No implementation"):
            kernel[1, 1](np.zeros(1, np.float32))
    with raises(NotImplementedError, "cannot be called from host code"):
        bf16.hsin(1)


def test_arrays_of_ml_dtypes():
    ml_dtypes = pytest.importorskip("ml_dtypes")

    @cuda.jit
    def scale(a, by, out):
        i = cuda.grid(1)
        if i < len(a):
            out[i] = a[i] * by

    a = rng.normal(size=300).astype(ml_dtypes.bfloat16)
    by = ml_dtypes.bfloat16(3)
    out = cuda.device_array(300, ml_dtypes.bfloat16)
    launch(scale, cuda.to_device(a), by, out)
    host = out.copy_to_host()
    assert host.dtype == a.dtype
    np.testing.assert_array_equal(host, a * by)
    compiled = cuda.jit("void(bfloat16[:], bfloat16, bfloat16[:])")(scale.py_func)
    compiled[3, 128](a, 2.0, host)
    np.testing.assert_array_equal(host, a * ml_dtypes.bfloat16(2))
    assert bfloat16(1.0) == ml_dtypes.bfloat16(1)


def test_operators_are_the_functions():
    for name in "add sub mul truediv".split():
        operation = getattr(operator, name)

        @cuda.jit
        def kernel(a, out):
            out[0] = bits_of(operation(from_bits(a[0]), from_bits(a[1])))

        a, out = np.array([0x4049, 0x3f8e], np.uint16), np.zeros(1, np.uint16)
        kernel[1, 1](a, out)
        assert out[0] == rounded(operation(*value(a)))


class OfOthers:
    """An array of another library's, as CuPy has them: its interface has no name for the dtype, which it has itself."""

    def __init__(self, array, dtype):
        self.dtype, self._array = dtype, array
        self.__cuda_array_interface__ = {**array.__cuda_array_interface__, "typestr": "<V2"}


def test_arrays_of_other_libraries():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    bfloat = np.dtype(ml_dtypes.bfloat16)
    values = np.arange(5).astype(bfloat)
    given, out = (cuda.to_device(array.view(np.uint16)) for array in (values, np.zeros(5, bfloat)))

    @cuda.jit
    def scaled(a, out):
        i = cuda.grid(1)
        if i < a.size:
            out[i] = 2 * a[i] + ml_dtypes.bfloat16(3.0)
    scaled[1, 32](OfOthers(given, bfloat), OfOthers(out, bfloat))
    assert np.array_equal(out.copy_to_host().view(bfloat), 2 * values + 3)
    for dtype in (None, np.dtype(np.float32), np.dtype("V2")):
        with pytest.raises(NotImplementedError, match="unsupported array dtype"):
            scaled[1, 32](OfOthers(given, dtype), OfOthers(out, dtype))
