"""Arrays that kernels make for themselves."""
import warnings

from common import by_route, cuda, equal, np, raises
from gridcell.cuda.generated import define
from numba import float64, typeof, types
from test_compile import assembled
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


ITEM = np.dtype([("a", np.float32), ("b", np.int16)])


def test_dtypes_by_any_name():
    single = np.dtype("f4")

    @cuda.jit
    def kernel(out):
        a = cuda.shared.array(2, "f4")
        b = cuda.local.array(2, "int16")
        c = cuda.shared.array(shape=(2, 3), dtype=single)
        d = cuda.local.array(2, float)
        e = cuda.local.array(2, int)
        f = cuda.shared.array(2, ITEM)
        g = cuda.local.array(2, bool)
        h = cuda.local.array(2, "c16")
        k = cuda.shared.array(2, types.int8, alignment=16)
        m = cuda.local.array(2, "m8[s]")
        f[1].b = 2.75
        out[0], out[1], out[2], out[3] = a.itemsize, b.itemsize, c.itemsize, d.itemsize
        out[4], out[5], out[6], out[7] = e.itemsize, f[1].b, g.itemsize, h.itemsize
        out[8], out[9] = k.itemsize, m.itemsize

    out = np.zeros(10, np.int64)
    kernel[1, 1](out)
    assert out.tolist() == [4, 2, 4, 8, 8, 2, 1, 16, 1, 8]
    for wrong in ("xx", "f3"):
        with raises(errors.TypingError, "The dtype must be a number type"):
            cuda.jit(lambda out: cuda.local.array(2, wrong)[0])[1, 1](out)


def test_statistics_and_products():
    @cuda.jit
    def kernel(x, y, out, matrix):
        i = cuda.grid(1)
        a, b = cuda.local.array(8, float64), cuda.local.array(7, float64)
        m = cuda.local.array((2, 8), float64)
        for j in range(8):
            a[j] = x[i, j]
            m[0, j], m[1, j] = y[i, j], 1
        for j in range(7):
            b[j] = y[i, j]
        out[i, 0], out[i, 1] = np.nanvar(a), np.nanstd(a, ddof=1)
        out[i, 2], out[i, 3] = np.nanmedian(a), np.median(b)
        out[i, 4], out[i, 5] = np.dot(b, b), b @ y[i, :7]
        out[i, 6], out[i, 7] = np.vdot(b, b), np.nanmean(a)
        np.dot(m, y[i], matrix[i])

    generator = np.random.default_rng(1)
    x, y = generator.normal(size=(20, 8)), generator.normal(size=(20, 8))
    x[::2, 3] = x[5] = np.nan
    out, matrix = np.zeros((20, 8)), np.zeros((20, 2))
    kernel[1, 20](x, y, out, matrix)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = [np.nanvar(x, 1), np.nanstd(x, 1, ddof=1), np.nanmedian(x, 1), np.median(y[:, :7], 1),
                    *[(y[:, :7] ** 2).sum(1)] * 3, np.nanmean(x, 1)]
    np.testing.assert_allclose(out, np.array(expected).T, rtol=1e-12)
    np.testing.assert_allclose(matrix, np.stack([(y * y).sum(1), y.sum(1)], 1), rtol=1e-12)
    signature = [typeof(item) for item in (x, y, out, matrix)]
    assembled(kernel._ptx(signature, 8, 0), (8, 0))


def test_products_need_their_lengths():
    @cuda.jit(debug=True, opt=False)
    def kernel(a, out):
        out[0] = np.dot(a, a[1:])

    with raises(ValueError, "incompatible array sizes for np.dot(a, b)"):
        kernel[1, 1](np.zeros(3), np.zeros(1))


def test_shapes_by_expressions_of_literals():
    """CPython folds them before numba sees them."""
    shapes = {"32 * 4": 128, "2**7": 128, "1 << 7": 128, "256 >> 1": 128, "128 % 1000": 128, "10**2 + 28": 128,
              "513 // 4": 128, "2**3 * 2**4": 128, "2**10 - 896": 128}
    for shape, size in shapes.items():
        for space in ("local", "shared"):
            f = cuda.jit(define("f", f"""
def f(out):
    a = cuda.{space}.array({shape}, np.int32)
    for i in range(a.size):
        a[i] = i
    out[0] = a.size
    out[1] = a[a.size - 1]
""", {"cuda": cuda, "np": np}))
            out = np.zeros(2, np.int64)
            f[1, 1](out)
            assert out.tolist() == [size, size - 1], (shape, space)


@cuda.jit
def eliminate(a):
    m = cuda.grid(1)
    own = cuda.local.array((5, 5), float64)
    for place in range(25):
        own[place // 5, place % 5] = a[m, place // 5, place % 5]
    for k in range(5):
        pivot = 1 / own[k, k]
        for i in range(5):
            factor = own[i, k] * pivot if i != k else 0.0
            for j in range(k, 5):
                own[i, j] -= factor * own[k, j]
    for k in range(5):
        a[m, k, k] = own[k, k]


@cuda.jit
def last_sums(a, out):
    sums = cuda.local.array(16, float64)
    for j in range(16):
        sums[j] = j
    for i in range(a.size):
        sums[0] = i
        for j in range(1, 16):
            sums[j] += sums[j - 1] * a[i]
    out[0] = sums[15]


def test_loops_through_own_arrays_leave_no_memory():
    """LLVM's own generator unrolls the loops that count through a small array, and no others."""
    for kernel, signature in (eliminate, "(float64[:, :, ::1],)"), (last_sums, "(float64[::1], float64[::1])"):
        with by_route("nvptx"):
            version, = cuda.jit(signature, boundscheck=False)(kernel.py_func).overloads.values()
            text = version.inspect_asm(cc=(9, 0))
        assert ".local" not in text and text.count("\n") < 1000
