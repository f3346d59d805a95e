"""NumPy's ufuncs in kernels, on numbers and, with an array for the result, on arrays."""
from common import cuda, np, raises
from numba import float64
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
