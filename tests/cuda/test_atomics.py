"""Atomic operations on elements of every dtype, on their own and beside others in a word."""
import linecache

from common import cuda, np, raises
import numba
from numba import float16, int8, uint16, uint32
from numba.core import errors
from test_compile import assembled

NARROW = (np.int8, np.uint8, np.int16, np.uint16, np.float16)
WIDE = (np.int32, np.uint32, np.int64, np.uint64, np.float32, np.float64)


def made(operation, arguments="v[i]"):
    name = f"<atomic {operation} {arguments}>"
    source = (f"def kernel(a, v, old):\n    i = cuda.grid(1)\n"
              f"    old[i] = cuda.atomic.{operation}(a, i % a.size, {arguments})\n")
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    scope = {"cuda": cuda}
    exec(compile(source, name, "exec"), scope)
    return cuda.jit(scope["kernel"])


def outcome(kernel, start, values):
    """What is left of the items of `start`, and what they held before each of the operations."""
    a, old = start.copy(), np.zeros(len(values), start.dtype)
    kernel[1, len(values)](a, np.asarray(values, start.dtype), old)
    return a, old


def test_numbers():
    kernels = {operation: made(operation) for operation in
               ("add", "sub", "max", "min", "nanmax", "nanmin", "exch")}
    values = np.arange(64) % 5
    for dtype in NARROW + WIDE:
        start = np.array([60, 3, 61, 2, 62], dtype)
        parts = [values[i::5] for i in range(5)]
        for operation, expected in (
                ("add", [s + p.sum() for s, p in zip(start, parts)]),
                ("sub", [s - p.sum() for s, p in zip(start, parts)]),
                ("max", [max(s, p.max()) for s, p in zip(start, parts)]),
                ("min", [min(s, p.min()) for s, p in zip(start, parts)]),
                ("nanmax", [max(s, p.max()) for s, p in zip(start, parts)]),
                ("nanmin", [min(s, p.min()) for s, p in zip(start, parts)])):
            a, old = outcome(kernels[operation], start, values)
            np.testing.assert_array_equal(a, np.array(expected).astype(dtype), f"{operation} {dtype}")
            assert all(start[i] in old[i::5] for i in range(5)), (operation, dtype)
        a, old = outcome(kernels["exch"], start, [7, 8, 9, 10, 11])
        np.testing.assert_array_equal(a, np.array([7, 8, 9, 10, 11], dtype))
        np.testing.assert_array_equal(old, start)


def test_bits():
    kernels = {operation: made(operation) for operation in ("and_", "or_", "xor")}
    for dtype in NARROW[:4] + WIDE[:4] + (np.bool_,):
        start, values = np.array([0b1100, 0b1010, 1], dtype), np.array([0b1010, 0b0110, 0], dtype)
        for operation, function in (("and_", np.bitwise_and), ("or_", np.bitwise_or),
                                    ("xor", np.bitwise_xor)):
            a, old = outcome(kernels[operation], start, values)
            np.testing.assert_array_equal(a, function(start, values))
            np.testing.assert_array_equal(old, start)
    for dtype in (np.float16, np.float32):
        with raises(errors.TypingError, "does not work on the array's dtype"):
            outcome(kernels["or_"], np.ones(1, dtype), [1])


def test_compare_and_swap():
    kernel = made("cas", "v[0], v[1]")
    for dtype in NARROW + WIDE + (np.bool_,):
        start = np.array([0, 1, 0, 1], dtype)
        a, old = outcome(kernel, start, [1, 0, 0, 0])
        np.testing.assert_array_equal(a, np.zeros(4, dtype))
        np.testing.assert_array_equal(old, start)


def test_counters():
    inc, dec = made("inc"), made("dec")
    for dtype in (np.uint8, np.uint16, np.uint32, np.uint64):
        np.testing.assert_array_equal(
            outcome(inc, np.array([3, 5, 7], dtype), [5, 5, 5])[0], np.array([4, 0, 0], dtype))
        np.testing.assert_array_equal(
            outcome(dec, np.array([3, 0, 7], dtype), [5, 5, 5])[0], np.array([2, 5, 5], dtype))
    with raises(errors.TypingError, "unsigned integers"):
        outcome(inc, np.ones(1, np.int32), [1])


def test_nan():
    for dtype in (np.float16, np.float32, np.float64):
        start, values = np.array([np.nan, 2, np.nan], dtype), [3, np.nan, np.nan]
        for operation in ("max", "min"):
            np.testing.assert_array_equal(outcome(made(operation), start, values)[0], start)
        for operation in ("nanmax", "nanmin"):
            np.testing.assert_array_equal(
                outcome(made(operation), start, values)[0], np.array([3, 2, np.nan], dtype))


@cuda.jit
def counted(out, halves):
    i = cuda.threadIdx.x
    counts = cuda.shared.array(8, int8)
    sums = cuda.shared.array((2, 3), uint16)
    if i < 8:
        counts[i] = 0
    if i < 6:
        sums[i // 3, i % 3] = 0
    cuda.syncthreads()
    cuda.atomic.add(counts, i % 8, 1)
    cuda.atomic.add(sums, (i % 2, i % 3), i)
    cuda.atomic.add(halves, -1, float16(0.5))
    cuda.syncthreads()
    if i < 8:
        out[i] = counts[i]
    if i < 6:
        out[8 + i] = sums[i // 3, i % 3]


def test_narrow_items_of_shared_memory():
    out, halves = np.zeros(14, np.int64), np.zeros(3, np.float16)
    counted[1, 96](out, halves)
    i = np.arange(96)
    np.testing.assert_array_equal(out[:8], 12)
    np.testing.assert_array_equal(
        out[8:], [i[(i % 2 == row) & (i % 3 == column)].sum() for row in range(2) for column in range(3)])
    np.testing.assert_array_equal(halves, np.array([0, 0, 48], np.float16))


def test_ptx():
    for cc in ((7, 5), (9, 0)):
        assembled(counted._ptx((uint32[:], float16[:]), *cc), cc)


@cuda.jit
def bits(out, x):
    out[0], out[1] = cuda.popc(x), cuda.clz(x)
    out[2], out[3] = cuda.brev(x), cuda.ffs(x)


def test_bits_of_narrow_integers():
    out = np.zeros(4, np.int64)
    for dtype, expected in ((np.uint8, [1, 31, 1 << 31, 1]), (np.int16, [1, 31, 1 << 31, 1]),
                            (np.uint64, [1, 63, -1 << 63, 1])):
        bits[1, 1](out, dtype(1))
        np.testing.assert_array_equal(out, expected)
    bits[1, 1](out, np.int8(-1))
    np.testing.assert_array_equal(out, [32, 0, 0xffffffff, 1])


def test_complex_numbers():
    values = (np.arange(64) % 5 * (1 + 2j)).astype(np.complex64)
    for dtype in (np.complex64, np.complex128):
        start = np.array([60j, 3, 61], dtype)
        parts = [values[i::3].sum() for i in range(3)]
        a, old = outcome(made("add"), start, values)
        np.testing.assert_array_equal(a, (start + parts).astype(dtype))
        a, old = outcome(made("sub"), start, values)
        np.testing.assert_array_equal(a, (start - parts).astype(dtype))
        for operation in ("max", "nanmin", "and_", "inc"):
            with raises(errors.TypingError):
                outcome(made(operation), start, values)
        assembled(made("add")._ptx([numba.typeof(a)] * 3, 7, 5), (7, 5))
    start = np.array([60j, 3, 61], np.complex64)
    a, old = outcome(made("exch"), start, [1, 2j, 3])
    np.testing.assert_array_equal(a, np.array([1, 2j, 3], np.complex64))
    np.testing.assert_array_equal(old, start)
    a, old = outcome(made("cas", "60j, v[i]"), start, [1, 2j, 3])
    np.testing.assert_array_equal(a, np.array([1, 3, 61], np.complex64))
    np.testing.assert_array_equal(old, start)
    with raises(errors.TypingError, "does not work on the array's dtype"):
        outcome(made("exch"), start.astype(np.complex128), [1, 2j, 3])


def test_complex_numbers_in_shared_memory():
    @cuda.jit
    def kernel(a, out):
        s = cuda.shared.array((2, 2), numba.complex64)
        i = cuda.threadIdx.x
        if i < 4:
            s[i // 2, i % 2] = 0
        cuda.syncthreads()
        cuda.atomic.add(s, (-1, i % 2), a[i])
        cuda.syncthreads()
        if i < 2:
            out[i] = s[1, i]

    a, out = (np.arange(64) * (1 - 1j)).astype(np.complex64), np.zeros(2, np.complex64)
    kernel[1, 64](a, out)
    np.testing.assert_array_equal(out, [a[::2].sum(), a[1::2].sum()])


def test_bfloat16():
    from numba.cuda.types import bfloat16

    @cuda.jit
    def kernel(out):
        s = cuda.shared.array(6, bfloat16)
        i = cuda.threadIdx.x
        if i < 6:
            s[i] = bfloat16(8)
        cuda.syncthreads()
        old = cuda.atomic.add(s, 0, bfloat16(0.5))
        cuda.atomic.sub(s, 1, 0.25)
        cuda.atomic.max(s, 2, bfloat16(i))
        cuda.atomic.min(s, -3, bfloat16(i))
        cuda.atomic.nanmax(s, 4, bfloat16(i))
        cuda.atomic.cas(s, 5, bfloat16(8), bfloat16(3))
        cuda.syncthreads()
        if i < 6:
            out[i] = numba.float32(s[i])
        if float(old) == 8:
            cuda.atomic.add(out, 6, 1)

    out = np.zeros(7, np.float32)
    kernel[1, 16](out)
    np.testing.assert_array_equal(out, [16, 4, 15, 0, 15, 3, 1])
    for cc in ((7, 5), (8, 0), (9, 0)):
        assembled(kernel._ptx([numba.typeof(out)], *cc), cc)
