"""NumPy's ufuncs in kernels, on numbers and, with an array for the result, on arrays."""
from common import cuda, np, raises
from numba import float32, float64
from numba.core import errors
from test_compile import assembled


@cuda.jit(device=True)
def difference(x, y, out):
    np.subtract(x, y, out)


@cuda.jit
def one_dimension(a, b, out):
    np.add(a, b, out)
    np.multiply(out, 2, out)
    np.sin(out, out=out)
    np.sqrt(np.abs(a[4]), out[:1])


@cuda.jit
def two_dimensions(a, row, out, is_more):
    own = cuda.local.array((2, 3), float64)
    difference(a, row, own)
    np.greater(a, own, is_more)
    np.maximum(own, 0.5, out)
    np.cos(a[0, 0], out[1])


def test_arrays():
    a, b, out = np.arange(8.0), np.ones(8), np.zeros(8)
    one_dimension[1, 1](a, b, out)
    expected = np.sin((a + b) * 2)
    expected[0] = 2
    np.testing.assert_allclose(out, expected)


def test_rows_are_repeated():
    a, row = np.arange(6.0).reshape(2, 3), np.array([0.0, 2.0, 1.0])
    out, is_more = np.zeros((2, 3)), np.zeros((2, 3), np.bool_)
    two_dimensions[1, 1](a, row, out, is_more)
    expected = np.maximum(a - row, 0.5)
    expected[1] = 1
    np.testing.assert_allclose(out, expected)
    np.testing.assert_array_equal(is_more, a > a - row)


def test_ptx():
    for kernel, argtypes in ((one_dimension, (float64[:],) * 3),
                             (two_dimensions, (float64[:, :], float64[:], float64[:, :],
                                               float64[:, :]))):
        for cc in ((7, 5), (9, 0)):
            assembled(kernel._ptx(argtypes, *cc), cc)


def test_new_arrays_are_refused():
    @cuda.jit
    def makes(a):
        a[0] = (a + a)[0]

    with raises(errors.TypingError, "which CUDA code cannot do", "`out`"):
        makes[1, 1](np.zeros(3))


@cuda.jit
def two_results(x, y, out):
    out[0], out[1] = np.divmod(x[0], y)
    out[2], out[3] = np.modf(x[1])
    out[4], out[5] = np.frexp(x[1])


def test_functions_of_two_results():
    for dtype in (np.float32, np.float64):
        x, out = np.array([-7, -2.75], dtype), np.zeros(6, dtype)
        two_results[1, 1](x, dtype(3), out)
        np.testing.assert_array_equal(out, [-3, 2, -0.75, -2, -0.6875, 2])
    out = np.zeros(6)
    two_results[1, 1](np.array([-7, 5]), 3, out)
    np.testing.assert_array_equal(out, [-3, 2, 0, 5, 0.625, 3])


@cuda.jit
def updates(a, row, table, counts):
    a += row
    a[1:] *= 2
    a -= 0.5
    table[1] /= row
    table[:, ::2] **= 2
    counts //= 3
    counts += counts


def test_updates_in_place():
    a, row = np.arange(4.0), np.array([1.0, 2, 4, 8])
    table, counts = np.arange(8.0).reshape(2, 4), np.array([7, -7], np.int32)
    right = [a.copy(), table.copy(), counts.copy()]
    updates.py_func(right[0], row, *right[1:])
    for given in (lambda array: array, cuda.to_device):
        a, table, counts = np.arange(4.0), np.arange(8.0).reshape(2, 4), np.array([7, -7], np.int32)
        arrays = [given(a), given(table), given(counts)]
        updates[1, 1](arrays[0], row, *arrays[1:])
        for array, expected in zip(arrays, right, strict=True):
            host = array if isinstance(array, np.ndarray) else array.copy_to_host()
            np.testing.assert_array_equal(host, expected)


def test_updates_that_read_what_changes():
    @cuda.jit
    def shifted(a):
        a[1:] += a[:-1]

    with raises(errors.TypingError, "parts of one array", "write the loop"):
        shifted[1, 1](np.arange(4.0))


@cuda.jit
def expressions(out, a, b):
    out[:] = a + b * 2
    out[1:3] *= a[:2] + 1
    out[...] = np.sqrt(out * out) + np.maximum(a, b) - 1


@cuda.jit
def own_and_shared(out, a):
    i = cuda.threadIdx.x
    shared = cuda.shared.array(4, float64)
    own = cuda.local.array(4, float32)
    own[:] = a * 2 + i
    if i == 0:
        shared[:] = own * 0.5
    cuda.syncthreads()
    out[i] = shared + own + a
    out[i, :] += shared - own * a
    out[i, 1:3] = -out[i, 1:3]


@cuda.jit
def rows_and_columns(out, a, b, c):
    np.add(a * b, c, out=out)
    out[:, 0] = a[:, 1] + b[:, 0]
    out[1] = out[0] * 2
    out[:] = (a > b) + out


def test_expressions():
    a, b = np.arange(4.0), np.arange(4.0)[::-1] ** 2
    out, right = np.zeros(4), np.zeros(4)
    expressions[1, 1](out, a, b)
    expressions.py_func(right, a, b)
    np.testing.assert_allclose(out, right)
    a, b, c = np.random.default_rng(3).random((3, 2, 3))
    out, right = np.zeros((2, 3)), np.zeros((2, 3))
    rows_and_columns[1, 1](out, a, b, c)
    rows_and_columns.py_func(right, a, b, c)
    np.testing.assert_allclose(out, right)


def test_expressions_of_own_and_shared_arrays():
    a, out, right = np.arange(4, dtype=np.float32), np.zeros((4, 4)), np.zeros((4, 4))
    own_and_shared[1, 4](out, a)
    for i in range(4):
        own = a * 2 + i
        right[i] = a + own + a + (a - own * a)
        right[i, 1:3] *= -1
    np.testing.assert_allclose(out, right)
    for cc in ((7, 5), (9, 0)):
        assembled(own_and_shared._ptx((float64[:, :], float32[:]), *cc), cc)


@cuda.jit
def moved(a, b):
    a[1:] = a[:-1] + 1


@cuda.jit
def turned(a, b):
    np.add(a, b, a[::-1])


@cuda.jit
def used_twice(a, b):
    both = a + b
    a[:] = both
    b[:] = both


@cuda.jit
def changed_between(a, b):
    both = a + b
    a[0] = 5
    b[:] = both


def test_expressions_that_need_an_array():
    for kernel, text in ((moved, "parts of one array"), (turned, "parts of one array"),
                         (used_twice, "a[:] = ..."), (changed_between, "a[:] = ...")):
        with raises(errors.TypingError, text):
            kernel[1, 1](np.arange(4.0), np.ones(4))
