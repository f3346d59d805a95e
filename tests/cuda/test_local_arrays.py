"""Arrays that kernels make for themselves."""
from common import cuda, equal, np, raises

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
