"""Arrays that kernels make for themselves."""
from common import cuda, equal, np, raises
from numba import float64, types
from numba.core import errors

SIZE = 5


def test_numpy_constructors():
    @cuda.jit
    def kernel(out):
        i = cuda.grid(1)
        a = np.zeros(4, np.float32)
        b = np.ones((2, SIZE))
        c = np.full(3, 7, np.int16)
        d = np.empty(2)
        for j in range(4):
            a[j] += i
        d[0], d[1] = a.sum(), b[1, 4] + c[2]
        out[i, 0] = d[0]
        out[i, 1] = d[1]
        out[i, 2] = a.size + b.shape[1] + c.size

    out = np.zeros((40, 3))
    kernel[2, 20](out)
    i = np.arange(40)
    equal(out, np.stack([4. * i, np.full(40, 8.), np.full(40, 12.)], axis=1))


def test_zeros_anew_in_each_turn():
    @cuda.jit
    def kernel(out):
        i = cuda.grid(1)
        for turn in range(3):
            a = np.zeros(2, np.int64)
            a[i % 2] += 1
            out[i] += a[0] * 10 + a[1]

    out = np.zeros(4, np.int64)
    kernel[1, 4](out)
    equal(out, [30, 3, 30, 3])


def test_unknown_shape():
    @cuda.jit
    def kernel(a):
        b = np.zeros(a.shape[0])
        a[0] = b[0]

    with raises(Exception, "zeros", "must be known when the kernel is compiled"):
        kernel[1, 1](np.zeros(3))


@cuda.jit
def makes(x):
    a = np.zeros(3)
    a[1] = x
    return a[1:]


@cuda.jit
def gives_back(a):
    return a[1:]


def test_own_arrays_are_not_returned():
    @cuda.jit
    def kernel(out):
        out[0] = makes(3.0)[0]

    with raises(errors.TypingError, "memory of this function", "return a[1:]"):
        kernel[1, 1](np.zeros(1))


def test_arrays_of_the_caller_are_returned():
    @cuda.jit
    def kernel(out):
        a = cuda.local.array(3, float64)
        a[1] = 7
        out[0] = gives_back(a)[0] + np.where(a[1] > 3, 10, 20.5)

    out = np.zeros(1)
    kernel[1, 1](out)
    equal(out, [17.0])


def test_alignment():
    @cuda.jit
    def aligned(out):
        shared = cuda.shared.array(3, float64, alignment=64)
        own = cuda.local.array(3, np.int8, alignment=32)
        own[1] = shared[1] = 3
        out[0] = own[1] + shared[1]

    @cuda.jit
    def wrong(out):
        out[0] = cuda.shared.array(3, float64, 24)[0]

    @cuda.jit
    def text(out):
        out[0] = len(cuda.local.array(3, types.unicode_type))

    out = np.zeros(1)
    aligned[1, 1](out)
    equal(out, [6.0])
    with raises(ValueError, "power of 2"):
        wrong[1, 1](out)
    with raises(errors.TypingError, "unsupported type: unicode_type"):
        text[1, 1](out)
