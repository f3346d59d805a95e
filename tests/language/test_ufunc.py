"""vectorize: real ufuncs, for signatures and for the types they meet."""
import inspect
import itertools
import math
import pickle

import compare
import numpy as np
import pytest
from conftest import function_of
from numba import float32, float64, int32, int64, njit, vectorize
from numba.core import errors


def test_signatures_make_a_numpy_ufunc():
    @vectorize(["int64(int64, int64)", "float64(float64, float64)"])
    def add(a, b):
        "Adds."
        return a + b

    assert isinstance(add, np.ufunc) and repr(add) == "<ufunc 'add'>"
    assert (add.nin, add.nout, add.ntypes, add.types) == (2, 1, 2, ["ll->l", "dd->d"])
    assert "Adds." in add.__doc__
    a = np.arange(12).reshape(3, 4)
    assert np.array_equal(add(a, a[0]), a + a[0])
    assert add(a, 0.5).dtype == np.float64
    assert type(add(1, 2)) is np.int64 and type(add(1.0, 2)) is np.float64
    assert add.reduce(np.arange(10)) == 45
    assert np.array_equal(add.accumulate(np.arange(10)), np.cumsum(np.arange(10)))
    assert np.array_equal(add.outer(np.arange(3), np.arange(4)), np.add.outer(range(3), range(4)))
    b = np.zeros(5, np.int64)
    add.at(b, [0, 0, 3], 2)
    assert b.tolist() == [4, 0, 0, 2, 0]
    out = np.empty((3, 4), np.int64)
    assert add(a, a, out=out) is out and np.array_equal(out, 2 * a)
    masked = np.zeros((3, 4), np.int64)
    add(a, a, out=masked, where=a > 5)
    assert np.array_equal(masked, np.where(a > 5, 2 * a, 0))


def test_signature_forms():
    for given in ("float64(float64)", ["float64(float64)"], float64(float64), [float64(float64)],
                  [(float64,)]):
        twice = vectorize(given)(lambda x: x * 2)
        assert twice.types == ["d->d"] and twice(1.5) == 3.0
    assert vectorize(["float32(float32)"], nopython=True)(lambda x: x).types == ["f->f"]


def test_order_of_signatures():
    f = vectorize([float32(float32), float64(float64)])(lambda x: x * 2)
    assert f(np.ones(2, np.float32)).dtype == np.float32
    assert f(np.ones(2)).dtype == np.float64


def test_no_safe_cast():
    f = vectorize([int32(int32)])(lambda x: x)
    with pytest.raises(TypeError, match="not supported for the input types"):
        f(np.arange(3))


def test_dynamic():
    @vectorize
    def scale(x, y):
        "Scales."
        return x * y

    assert repr(scale) == "<numba._DUFunc 'scale'>" and scale.types == [] and scale.nin == 2
    assert scale.__name__ == "scale" and scale.__doc__ == "Scales."
    a = np.arange(6).reshape(2, 3)
    assert np.array_equal(scale(a, 3), a * 3) and scale(a, 3).dtype == np.int64
    assert scale(2, 4) == 8 and type(scale(2, 4)) is np.int64
    assert scale(a, 0.5).dtype == np.float64
    assert scale(np.ones(3, np.float32), np.float32(2)).dtype == np.float32
    assert scale([1, 2, 3], [4, 5, 6]).tolist() == [4, 10, 18]
    assert scale.types[0] == "ll->l"
    assert scale.reduce(np.arange(1, 6)) == 120
    assert scale.accumulate(np.arange(1, 5)).tolist() == [1, 2, 6, 24]
    assert np.array_equal(scale.outer(np.arange(3), np.arange(3)), np.outer(range(3), range(3)))
    out = np.zeros((2, 3), np.int64)
    assert scale(a, a, out=out) is out and np.array_equal(out, a * a)


def test_dynamic_empty_call():
    assert repr(vectorize()(lambda x: x)) == "<numba._DUFunc '<lambda>'>"


def test_loop_is_reused_when_inputs_cast_safely():
    f = vectorize(lambda x: x * 2)
    f(np.ones(2))
    assert f(np.arange(3)).dtype == np.float64 and f.types == ["d->d"]


def test_reduction_needs_a_loop_of_one_type():
    f = vectorize(lambda x, y: x * y)
    f(np.arange(3), 2.5)
    assert f.types == ["ld->d"]
    assert f.reduce(np.arange(1, 5)) == 24 and f.types == ["ld->d", "ll->l"]


def test_layouts(rng):
    f = vectorize(lambda x, y: x * 2.0 - y)
    a, b = rng.normal(size=(6, 8)), rng.normal(size=(6, 8))
    for view, other in ((a.T, b.T), (a[::2, ::-3], b[::2, ::-3]), (np.asfortranarray(a), b),
                        (a[0], b), (a[:, :1], b), (a[:0], b[:0])):
        assert np.array_equal(f(view, other), view * 2.0 - other)
    assert f(a, a, out=a[:, :]) is not None


def test_overlap_of_input_and_output(rng):
    f = vectorize(["float64(float64, float64)"])(lambda x, y: x + y)
    a = rng.normal(size=1000)
    want = a.copy()
    want[1:] = want[:-1] + want[1:]
    f(a[:-1], a[1:], out=a[1:])
    assert np.allclose(a, want)


def test_math_and_dtypes(rng):
    @vectorize
    def gauss(x, mean, sigma):
        return math.exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * 2.5)

    x = rng.normal(size=10000).astype(np.float32)
    want = np.exp(-0.5 * ((x.astype(float) - 0.5) / 2) ** 2) / 5
    assert np.allclose(gauss(x, 0.5, 2.0), want, rtol=1e-6)
    assert np.allclose(gauss(x, np.float32(0.5), np.float32(2)), want, rtol=1e-4)


@pytest.mark.parametrize("code", ["b", "B", "h", "H", "i", "I", "l", "L", "f", "d", "F", "D"])
def test_every_dtype(code, rng):
    a = rng.integers(0, 50, 100).astype(code)
    f = vectorize(lambda x: x * x)
    assert np.allclose(f(a), a.astype(f(a).dtype) ** 2)


def test_comparison_gives_bool():
    f = vectorize(lambda a, b: a < b)
    assert f(1.0, 2).dtype == np.bool_ and f(np.arange(3), 1).tolist() == [True, False, False]


@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning")
def test_division_follows_numpy():
    f = vectorize(["int64(int64, int64)"])(lambda a, b: a // b)
    assert f(np.array([7, 2]), np.array([2, 0])).tolist() == [3, 0]
    g = vectorize(lambda a, b: a / b)
    assert g(1.0, 0.0) == np.inf


def test_raise_in_a_ufunc(make):
    f = vectorize(["int64(int64)"])(make(
        "def f(x):\n    if x < 0:\n        raise ValueError('negative')\n    return x\n"))
    assert f(np.arange(3)).tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="negative"):
        f(np.array([1, -1]))
    assert f(3) == 3


def test_parallel_target(rng):
    f = vectorize(["float64(float64, float64)"], target="parallel")(lambda x, y: x * y + 1)
    a, b = rng.normal(size=100_001), rng.normal(size=100_001)
    assert np.array_equal(f(a, b), a * b + 1)
    assert np.array_equal(f(a[::2], b[::-2]), a[::2] * b[::-2] + 1)
    assert np.isclose(f.reduce(a[:20]), __import__("functools").reduce(lambda x, y: x * y + 1, a[:20]))


def test_bad_uses():
    with pytest.raises(ValueError, match="Unsupported target: gpu"):
        vectorize(["float64(float64)"], target="gpu")(lambda x: x)
    with pytest.raises(errors.NumbaNotImplementedError,
                       match=r"array\(float64, 1d, A\) cannot be represented as a NumPy dtype"):
        vectorize(["float64(float64[:])"])(lambda x: x)
    with pytest.raises(TypeError, match="Signature mismatch"):
        vectorize(["float64(float64)"])(lambda x, y: x)
    with pytest.raises(TypeError, match="not a function"):
        vectorize(["float64(float64)"])(3)
    with pytest.raises(errors.TypingError):
        vectorize(lambda x: x.foo)(1)


def test_identity():
    add = lambda x, y: x + y
    assert vectorize(["int64(int64,int64)"], identity=0)(add).identity == 0
    assert vectorize(["int64(int64,int64)"], identity=0)(add).reduce(np.zeros(0, np.int64)) == 0
    assert vectorize(["int64(int64,int64)"])(add).identity is None


def test_called_from_compiled_code():
    square = vectorize(["float64(float64)"])(lambda x: x * x)
    cube = vectorize(lambda x: x * x * x)
    f = njit(lambda x: square(x) + cube(x))
    assert f(2.0) == 12.0


def test_jitted_function_in_vectorize():
    helper = njit(lambda x: x + 1)
    f = vectorize(lambda x: helper(x) * 2)
    assert f(np.arange(3)).tolist() == [2, 4, 6]


def test_numbapro_calls_cuda_gpu(prints):
    code = ("from numbapro import vectorize\nimport numpy as np\n"
            "f = vectorize(['float32(float32)'], target='gpu')(lambda x: x + 1)\n"
            "print(f(np.arange(3, dtype=np.float32)))\n")
    prints("[1. 2. 3.]\n", "-m", "gridcell", code=code, env={"GRIDCELL_DEVICE": "emulator"})


@vectorize
def choose(a, b):
    return a + b if a > b else a - b


def test_ufuncs_on_arrays_in_compiled_code(rng):
    a, b = rng.normal(size=(3, 4)), rng.normal(size=4)
    assert np.array_equal(njit(lambda a, b: choose(a, b))(a, b), choose(a, b))
    assert np.array_equal(njit(lambda a, b: choose(a, b) * 2 + choose(b, 1.0))(a, b),
                          choose(a, b) * 2 + choose(b, 1.0))

    @njit
    def into(a, b, out):
        choose(a, b, out)
        return choose(a, b, out=out)

    out = np.zeros((3, 4))
    assert into(a, b, out) is not None and np.array_equal(out, choose(a, b))
    apply = njit(lambda f, x: f(x, x))
    assert njit(lambda x: apply(choose, x))(b).tolist() == [0, 0, 0, 0]
    with pytest.raises(errors.TypingError, match="takes 2 inputs"):
        njit(lambda a: choose(a))(a)
    with pytest.raises(errors.TypingError, match="unexpected keyword argument 'where'"):
        njit(lambda a: choose(a, a, where=a))(a)


def test_methods_of_ufuncs_in_compiled_code(rng):
    a = rng.integers(-9, 9, (3, 4))
    line, positions = rng.integers(-9, 9, 8), np.array([0, 3, 2, 5])

    @njit
    def reductions(a, line, positions):
        return (choose.reduce(line), choose.reduce(a), choose.reduce(a, axis=1),
                choose.reduce(a, 1, None, keepdims=True), np.add.reduce(a), np.maximum.reduce(a, axis=None),
                np.logical_and.reduce(a > 0, axis=1), choose.accumulate(line), choose.accumulate(a, 1),
                np.multiply.accumulate(a), choose.outer(line, line), np.add.outer(line, 2.5),
                choose.reduceat(line, positions), np.add.reduceat(line, positions))

    for got, want in zip(reductions(a, line, positions), reductions.py_func(a, line, positions)):
        assert np.array_equal(got, want) and np.shape(got) == np.shape(want)
    small = njit(lambda a: np.add.reduce(a))(a.astype(np.int8))
    assert small.dtype == np.int64 and np.array_equal(small, a.sum(0))

    @njit
    def change(a):
        choose.at(a, np.array([0, 0, 1]), 2)
        np.add.at(a, np.array([3, 3]), np.array([1, 10]))
        np.negative.at(a, 5)
        return a

    assert np.array_equal(change(line.copy()), change.py_func(line.copy()))
    with pytest.raises(ValueError, match="zero-size array to reduction operation"):
        njit(lambda a: choose.reduce(a))(line[:0])


def test_end_of_compilation(make):
    f = vectorize(make("def f(a, b):\n    return a + b\n"))
    f.add("float32(float32, float32)")
    assert f.types == ["ff->f"]
    assert f.build_ufunc() is f.ufunc
    assert f(np.float32(1), np.float32(2)) == 3
    g = vectorize(make("def f(a):\n    return a\n"))
    g.disable_compile()
    with pytest.raises(TypeError):
        g(1)


def test_in_compiled_code_as_declared():
    # the loops that there are decide, not the types of the arguments
    @vectorize(["int32(int32,int32)", "float64(float64,float64)"])
    def sum_of(a, b):
        return a + b

    @njit
    def call(a, b):
        return sum_of(a, b)
    small = np.arange(3, dtype=np.int32)
    assert isinstance(call(1, 2), float) and call(np.int32(1), np.int32(2)) == 3
    assert call(small, small).dtype == np.int32 and call(np.arange(3), 2).dtype == np.float64
    with pytest.raises(errors.TypingError):
        call(1j, 2)

    @njit
    def reductions(a, indices, out):
        return (np.add.reduce(a, axis=1, initial=100), np.add.reduce(a, 0, None, None, True),
                sum_of.reduce(a[0], initial=7), np.add.reduceat(a, indices, 1),
                np.multiply.reduceat(a, indices, 0, None, out))
    a, indices, out = np.arange(1.0, 13).reshape(3, 4), np.array([0, 2, 1]), np.empty((3, 4))
    got = reductions(a, indices, out)
    for value, want in zip(got, (np.add.reduce(a, 1, initial=100), np.add.reduce(a, 0, keepdims=True),
                                 17.0, np.add.reduceat(a, indices, 1), np.multiply.reduceat(a, indices, 0))):
        np.testing.assert_array_equal(value, want)
    np.testing.assert_array_equal(out, got[4])


INDICES = [
    (), 1, -1, 5, [0, 0], [1, 0, 1], np.array([0, 1, 0]), np.array([[0, 1], [1, 1]]), np.array([True, False]),
    slice(0, 2), slice(None, None, -1), (1, np.array([0, 2, 2])), (slice(None), 1), (np.array([0, 0]), np.array([1, 1])),
    (Ellipsis, 0), np.zeros(0, np.int64), np.array([7]), (1, 2),
]


def changed(function, a, *args):
    """What the function makes of a copy of a in the same layout, or the error's name."""
    whole = np.zeros((2 * a.shape[0],) + a.shape[1:])[::2] if a.ndim == 2 and a.base is not None else a.copy(order="K")
    whole[...] = a
    try:
        function(whole, *args)
    except (IndexError, ValueError, errors.TypingError):
        return "refused"
    return whole


@pytest.mark.sampled
@pytest.mark.parametrize("b", [2.0, np.array([3.0]), np.arange(1.0, 4.0)], ids=["number", "one", "row"])
@pytest.mark.parametrize("a", [np.zeros(2), np.zeros((2, 3)), np.asfortranarray(np.zeros((2, 3))), np.zeros((4, 3))[::2]],
                         ids=["row", "matrix", "fortran", "apart"])
def test_at_takes_every_index(a, b):
    f = njit(lambda a, i, b: np.add.at(a, i, b))
    g = njit(lambda a, i: np.negative.at(a, i))
    for i in INDICES:
        want, got = changed(np.add.at, a, i, b), changed(f, a, i, b)
        assert np.array_equal(got, want), (i, b, got, want)
        want, got = changed(np.negative.at, a + 1, i), changed(g, a + 1, i)
        assert np.array_equal(got, want), (i, got, want)


def test_at_of_a_ufunc_of_the_program():
    f = vectorize(lambda x, y: x * 2 + y)
    a = np.ones((2, 3))
    call = njit(lambda a, b: f.at(a, (np.array([0, 0]), np.array([1, 1])), b))
    call(a, 1.0)
    assert a.tolist() == [[1, 7, 1], [1, 1, 1]]
    f.at(a, (slice(None), 0), 1.0)
    assert a[:, 0].tolist() == [3, 3]


def test_methods_take_lists_and_tuples(rng):
    add_at = njit(lambda a, i, b: np.add.at(a, i, b))
    parts = njit(lambda a, i: (np.add.reduceat(a, i), np.subtract.reduceat(a, i)))
    numbers = rng.integers(-9, 9, 6)
    for second in ([1, 2, 3], (1, 2, 3)):
        for places in ([4, 1, 4], (np.array([4, 1, 4]),), numbers > np.sort(numbers)[2]):
            a = np.arange(6)
            if isinstance(places, np.ndarray) and places.sum() != 3:
                continue
            assert np.array_equal(changed(add_at, a, places, second), changed(np.add.at, a, places, second))
    for row in (list(numbers), tuple(numbers), numbers):
        for places in ([0, 3], (2, 2, 5)):
            for got, want in zip(parts(row, places), parts.py_func(row, places)):
                assert np.array_equal(got, want)


DTYPES = ["?", "i8", "f4", "f8", "c16"]


@pytest.mark.parametrize("name", ["add", "multiply", "subtract"])
def test_out_follows_the_casting_rules(name):
    """A result goes into no narrower kind of numbers: NumPy's rule 'same_kind'."""
    f = njit(function_of(f"def f(a, b, out):\n    return np.{name}(a, b, out)"))
    for x in DTYPES:
        for y in DTYPES:
            a = np.array([1, 0, 1]).astype(x)
            if x == "?" and name == "subtract":
                continue
            refused = []
            for function in (f, f.py_func):
                try:
                    function(a, a, np.zeros(3, y))
                except (errors.TypingError, TypeError):
                    refused.append(function)
            assert len(refused) in (0, 2), (x, y, refused)


def test_out_of_the_library():
    """Functions that are no ufuncs, with an array for their result that cannot hold it."""
    a, whole = np.array([[1.5, 2.5], [0.5, 1.0]]), np.zeros((2, 2), np.int64)
    for line in ("np.copyto(out, a)", "np.dot(a, a, out)", "np.matmul(a, a, out)", "np.around(a, 0, out)",
                 "np.take(a, [0, 1], 0, out)", "np.concatenate((a[:1], a[1:]), 0, out)", "np.clip(a, 0.0, 1.0, out)",
                 "np.add.reduce(a.reshape(1, 2, 2), 0, None, out)", "np.stack((a[0], a[1]), 0, out)"):
        f = njit(function_of(f"def f(a, out):\n    {line}\n    return out"))
        f(a, np.zeros((2, 2)))
        f(a, np.zeros((2, 2), np.float32))
        with pytest.raises((TypeError, errors.TypingError)):
            f(a, whole)
        assert not whole.any(), line
    njit(lambda a, out: np.copyto(out, a, casting="unsafe"))(a, whole)
    assert whole.tolist() == [[1, 2], [0, 1]]


@pytest.mark.parametrize("axis", ["()", "0", "-1", "1", "-2", "None", "(0,)", "(0, 1)", "(-1,)"])
def test_axes_of_reductions_of_a_row(axis):
    """One axis is no reason not to look at the argument."""
    for name in ("add", "maximum", "logical_or", "hypot"):
        for call in (f"np.{name}.reduce(a, axis={axis})", f"np.{name}.reduce(a, axis={axis}, keepdims=True)"):
            compare.check(call, np.array([1.0, 0.0, 4.0]))


def test_arguments_that_take_the_call_over():
    """As arrays of Dask do, whose elements are not there yet: they get what compiles for any types."""
    @vectorize
    def add(a, b):
        return a + b

    class Later:
        dtype = np.dtype(float)

        def __array__(self, *args, **keywords):
            raise AssertionError("computed")

        def __array_ufunc__(self, ufunc, method, *args, **keywords):
            return ufunc, method, args, keywords

    class Never(Later):
        __array_ufunc__ = None

    later = Later()
    for _ in range(2):
        assert add(later, 2, out=None) == (add, "__call__", (later, 2), {"out": None})
        assert add(3.0, later) == (add, "__call__", (3.0, later), {})
    assert add(1, 2) == 3
    assert add(later, 2) == (add, "__call__", (later, 2), {})
    with pytest.raises(TypeError, match="operand 'Never' does not support ufuncs"):
        add(Never(), 2)


def test_object_mode():
    """forceobj=True: the interpreter runs the function for each item; the types of results are said."""
    def shown(x):
        return float(str(x)[::-1])
    made = vectorize(["f8(f8)", "f4(f4)"], forceobj=True)(shown)
    assert made(np.array([1.25, 20.5])).tolist() == [52.1, 5.02]
    assert made(np.float32([1.25])).dtype == np.float32
    assert pickle.loads(pickle.dumps(made))(np.array([1.25])).tolist() == [52.1]
    with pytest.raises(TypeError, match="return type must be specified for object mode"):
        vectorize(forceobj=True)(shown)(1.5)
    with pytest.raises(TypeError, match="declares a value of type float64, but the block gives unicode_type"):
        vectorize(["f8(f8)"], forceobj=True)(lambda x: "a")(1.5)
    with pytest.raises(ValueError, match="Only one of 'nopython' or 'forceobj' can be True"):
        vectorize(["f8(f8)"], forceobj=True, nopython=True)(shown)
    with pytest.warns(errors.NumbaDeprecationWarning, match="'nopython=False' was supplied"):
        vectorize(["f8(f8)"], nopython=False)(lambda x: x)


def test_what_tells_of_a_ufunc(make):
    """help(), inspect and doctest see the function of a ufunc with signatures, too."""
    f = make("def f(x, y):\n    '''>>> 1'''\n    return x + y\n")
    for made in (vectorize(["f8(f8, f8)"])(f), vectorize(f), vectorize(["f8(f8, f8)"], target="parallel")(f)):
        assert (made.__doc__, made.__name__, made.__module__) == (f.__doc__, "f", f.__module__)
        assert inspect.unwrap(made) is f and made.__qualname__ == f.__qualname__
    fast = vectorize(identity=0, fastmath=True)(f)
    assert fast.targetoptions == {"nopython": True, "boundscheck": None, "fastmath": True}
    assert fast.reorderable and not vectorize(f).reorderable


@pytest.mark.parametrize("code", ["f8", "f4"])
@pytest.mark.parametrize("name", ["acos", "asin", "atan", "atanh", "cosh", "sinh", "tanh", "erf", "erfc", "exp", "expm1", "gamma",
                                  "lgamma", "log", "log10", "log1p", "log2", "hypot", "atan2", "%", "//"])
def test_flags_that_no_result_shows(name, code):
    """Vectorised functions compute both sides of a choice; what NumPy warns of must be seen in the results."""
    numbers = np.array([1000, -1000, 0, -1, 0.5, 2, np.inf, -np.inf, np.nan, 1e-30, 80], code)
    pair = name in ("hypot", "atan2", "%", "//")
    f = vectorize(eval("lambda x, y: x % y" if name == "%" else "lambda x, y: x // y" if name == "//" else
                             f"lambda x, y: math.{name}(x, y)" if pair else f"lambda x: math.{name}(x)", {"math": math}))
    for args in itertools.product(*[numbers] * (1 + pair)):
        row = [np.full(9, arg) for arg in args]
        with np.errstate(all="ignore"):
            result = f(*row)[0]
        may_warn = np.isnan(result) and not np.isnan(args).any() or np.isinf(result) and np.isfinite(args).all()
        with np.errstate(all="ignore" if may_warn else "raise", under="ignore"):
            f(*row)


def test_flags_of_plain_arithmetic_stay():
    f = vectorize(lambda x: 1.0 / (x * x))
    with np.errstate(all="raise"), pytest.raises(FloatingPointError, match="overflow"):
        f(np.array([1e300]))
    g = vectorize(lambda x: np.sinh(x))
    with np.errstate(all="raise"), pytest.raises(FloatingPointError, match="overflow"):
        g(np.array([1.0, 1000.0]))


def test_methods_of_a_ufunc_that_a_program_overloads(make):
    """It is what it was where no overload fits, and has its methods."""
    from numba.core.errors import TypingError
    from numba.extending import overload

    @overload(np.copysign)
    def told(a, b):
        return (lambda a, b: a) if str(a) == "unicode_type" else None
    f = njit(make("def f(a):\n    return np.copysign.accumulate(a), np.copysign.outer(a, a), np.copysign(a, -1.0)\n", np=np))
    a = np.array([1.0, -2.0, 3.0])
    for found, expected in zip(f(a), f.py_func(a)):
        np.testing.assert_array_equal(found, expected)
    with pytest.raises(TypingError, match="Unknown attribute 'nothing'"):
        njit(make("def g(a):\n    return np.copysign.nothing(a)\n", "g", np=np))(a)
