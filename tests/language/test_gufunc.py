"""guvectorize: real gufuncs, for signatures and for the types they meet."""
import pickle

import numpy as np
import pytest
from numba import float64, get_num_threads, get_thread_id as numba_get_thread_id, guvectorize, int64, njit, set_num_threads
from numba.core import errors


def fill_sum(x, y, res):
    "Adds a number."
    for i in range(x.shape[0]):
        res[i] = x[i] + y


@pytest.fixture(scope="module")
def add():
    return guvectorize(["void(int64[:], int64, int64[:])", "void(float64[:], float64, float64[:])"],
                       "(n),()->(n)")(fill_sum)


def test_attributes(add):
    assert repr(add) == "<numba._GUFunc 'fill_sum'>" and add.__doc__ == "Adds a number."
    assert type(add).__name__ == "GUFunc" and type(add).__module__ == "numba.np.ufunc.gufunc"
    assert isinstance(add.ufunc, np.ufunc) and add.signature == "(n),()->(n)"
    assert (add.nin, add.nout, add.nargs, add.ntypes) == (2, 1, 3, 2)
    assert add.types == ["ll->l", "dd->d"] and add.identity is None and not add.is_dynamic


def test_calls(add):
    a = np.arange(12).reshape(3, 4)
    assert add(a, np.arange(3)).tolist() == (a + np.arange(3)[:, None]).tolist()
    assert add(a, np.arange(4), axis=0).tolist() == (a + np.arange(4)).tolist()
    assert add(a, np.arange(4), axes=[0, (), 0]).tolist() == (a + np.arange(4)).tolist()
    assert add(np.arange(3, dtype=np.int32), np.int8(3)).dtype == np.int64
    assert add([1, 2], 0.5).tolist() == [1.5, 2.5]
    assert add(np.arange(3), 1, dtype=np.float64).dtype == np.float64
    out = np.zeros(4)
    assert add(np.arange(4), 2, out=out) is out and out.tolist() == [2, 3, 4, 5]
    assert add(np.arange(4), 2, out) is out
    assert add(np.zeros((2, 0)), 1).shape == (2, 0) and add(np.zeros((0, 3)), 1).shape == (0, 3)


def test_layouts_of_arrays(add, rng):
    a = rng.normal(size=(4, 6, 8))
    b = rng.normal(size=(4, 6))
    for view, other in ((a, b), (a[::2, ::-1], b[::2, ::-1]), (a[..., ::2], b), (a[:, :, ::-3], b),
                        (a.transpose(1, 0, 2), b.T), (a.transpose(2, 1, 0), b[:1, :6].T[:, 0]),
                        (np.asfortranarray(a), b), (np.broadcast_to(a[0], a.shape), b[:1])):
        assert np.array_equal(add(view, other), view + other[..., None])
    unaligned = np.zeros(49, np.int8)[1:].view(np.float64)
    assert add(unaligned, 1.0).tolist() == [1.0] * 6


def test_errors(add):
    with pytest.raises(ValueError, match=r"does not have enough dimensions \(has 0, gufunc core"):
        add(3, 3)
    with pytest.raises(TypeError, match="takes from 2 to 3 positional arguments but 1"):
        add(np.arange(3))
    with pytest.raises(TypeError, match="could not be safely coerced|supported for the input"):
        add(np.arange(3) + 1j, 1)
    with pytest.raises(RuntimeError, match="Reduction not defined on ufunc with signature"):
        add.reduce(np.arange(3))


def test_several_outputs_and_numbers():
    @guvectorize([(float64[:], float64[:], float64[:])], "(n)->(),()")
    def extremes(x, low, high):
        low[0] = x.min()
        high[0] = x.max()

    a = np.arange(6.0).reshape(2, 3)
    low, high = extremes(a)
    assert low.tolist() == [0, 3] and high.tolist() == [2, 5]
    assert type(extremes(a[0])[0]) is np.float64
    assert extremes(a, keepdims=True)[1].tolist() == [[2], [5]]
    assert extremes(a, axis=0)[0].tolist() == [0, 1, 2]


def test_fixed_sizes_and_shared_names():
    @guvectorize("void(float64[:], float64[:], float64[:])", "(3),(3)->(3)")
    def cross(a, b, c):
        c[0] = a[1] * b[2] - a[2] * b[1]
        c[1] = a[2] * b[0] - a[0] * b[2]
        c[2] = a[0] * b[1] - a[1] * b[0]

    a, b = np.arange(6.0).reshape(2, 3), np.array([1.0, -2, 5])
    assert np.allclose(cross(a, b), np.cross(a, b))
    with pytest.raises(ValueError, match="size 4 is different from 3"):
        cross(np.ones(4), np.ones(4))

    @guvectorize([(float64[:, :], float64[:, :], float64[:, :])], "(m,n),(n,p)->(m,p)")
    def multiply(a, b, c):
        for i in range(c.shape[0]):
            for j in range(c.shape[1]):
                c[i, j] = 0
                for k in range(a.shape[1]):
                    c[i, j] += a[i, k] * b[k, j]

    a, b = np.random.rand(5, 1, 2, 3), np.random.rand(4, 3, 6)
    assert np.allclose(multiply(a, b), a @ b)
    assert np.allclose(multiply(a.swapaxes(2, 3), a), a.swapaxes(2, 3) @ a)


def test_number_given_as_an_array_of_one():
    @guvectorize([(int64[:], int64[:], int64[:])], "(n),()->(n)")
    def scale(x, y, out):
        out[:] = x * y[0]

    assert scale(np.arange(3), 4).tolist() == [0, 4, 8]
    assert scale(np.arange(6).reshape(2, 3), [1, 2]).tolist() == [[0, 1, 2], [6, 8, 10]]


@pytest.mark.parametrize("named", [0, "x"])
def test_writable_arguments(named):
    @guvectorize([(float64[:], float64[:], float64[:])], "(n),()->(n)", writable_args=(named,))
    def swap(x, y, z):
        for i in range(len(x)):
            z[i] = x[i]
            x[i] += y[0]

    a = np.arange(3.0)
    assert swap(a, 1.0).tolist() == [0, 1, 2] and a.tolist() == [1, 2, 3]
    whole = np.arange(3)
    with pytest.raises(ValueError, match="writable_args: 'q' is not an input of fill_sum"):
        guvectorize("(n),()->(n)", writable_args=("q",))(fill_sum)
    assert whole.tolist() == [0, 1, 2]


def test_dynamic():
    f = guvectorize("(n),()->(n)")(fill_sum)
    assert f.is_dynamic and f.types == []
    with pytest.raises(TypeError, match="Too few arguments for function 'fill_sum'. Note that the"):
        f(np.arange(4.0), 2.0)
    out = np.zeros(4)
    assert f(np.arange(4.0), 2.0, out) is out and out.tolist() == [2, 3, 4, 5]
    whole = np.zeros((2, 4), np.int64)
    f(np.arange(4), np.array([1, 2]), out=whole)
    assert whole.tolist() == [[1, 2, 3, 4], [2, 3, 4, 5]] and f.types == ["ll->l", "dd->d"]


def test_target_parallel(rng):
    f = guvectorize(["void(float64[:], float64, float64[:])"], "(n),()->(n)",
                    target="parallel")(fill_sum)
    assert isinstance(f, np.ufunc) and repr(f) == "<ufunc 'fill_sum'>" and f.signature == "(n),()->(n)"
    a, b = rng.normal(size=(1000, 7)), rng.normal(size=1000)
    before = get_num_threads()
    try:
        for count in (1, before):
            set_num_threads(count)
            assert np.array_equal(f(a, b), a + b[:, None])
            assert np.array_equal(f(a[::-1, ::2], b), a[::-1, ::2] + b[:, None])
    finally:
        set_num_threads(before)
    again = pickle.loads(pickle.dumps(f))
    assert again(a, 1.0).tolist() == (a + 1).tolist()


def test_parallel_uses_threads():
    @guvectorize("void(int64[:], int64[:])", "(n)->()", target="parallel")
    def meet(x, out):
        out[0] = get_thread()

    seen = meet(np.zeros((4096, 16), np.int64))
    assert set(seen.tolist()) <= set(range(get_num_threads()))


@njit
def get_thread():
    from_pool = numba_get_thread_id()
    return from_pool


def test_exceptions(make):
    f = guvectorize([(int64[:], int64[:])], "(n)->()")(make(
        "def f(x, out):\n    if x[0] < 0:\n        raise ValueError('negative')\n    out[0] = x.sum()\n"))
    assert f(np.arange(3)) == 3
    with pytest.raises(ValueError, match="negative"):
        f(np.array([[1, 2], [-1, 2]]))


def test_bad_uses():
    def two(a, b):
        b[0] = a[0]

    for layout, kind, text in (("(n)->(m)", NameError, "undefined output symbols: m"),
                               ("(n", ValueError, "bad layout"), ("(n)(m)->(n)", ValueError, "bad layout"),
                               ("(n),(n)->(n)", TypeError, "Signature mismatch"),
                               ("(n-1)->(n)", ValueError, "neither a name nor a size")):
        with pytest.raises(kind, match=text):
            guvectorize(["void(float64[:], float64[:])"], layout)(two)
    with pytest.raises(errors.TypingError, match="must return nothing"):
        guvectorize(["float64(float64[:], float64[:])"], "(n)->(n)")(two)
    with pytest.raises(errors.TypingError, match=r"its type must be float64\[:\], not float64"):
        guvectorize(["void(float64[:], float64)"], "(n)->()")(two)
    with pytest.raises(TypeError, match="gives it 1 dimension"):
        guvectorize(["void(float64[:,:], float64[:])"], "(n)->()")(two)
    with pytest.raises(ValueError, match="Unsupported target: foo"):
        guvectorize(["void(float64[:], float64[:])"], "(n)->()", target="foo")(two)
    with pytest.raises(KeyError, match="Unrecognized options: {'foo'}"):
        guvectorize(["void(float64[:], float64[:])"], "(n)->()", foo=1)(two)
    with pytest.raises(errors.TypingError):
        guvectorize(["void(float64[:], float64[:])"], "(n)->()")(lambda a, b: a.missing)


def test_called_from_compiled_code(add):
    @njit
    def use(a, b, out):
        add(a, b, out)
        return out

    a = np.arange(12).reshape(3, 4)
    assert use(a[0], 2, np.zeros(4, np.int64)).tolist() == [2, 3, 4, 5]
    assert np.array_equal(use(a, np.arange(3), np.zeros_like(a)), a + np.arange(3)[:, None])
    assert np.array_equal(use(a[0], np.arange(3), np.zeros_like(a)), a[0] + np.arange(3)[:, None])
    assert np.array_equal(use(a[:1], np.arange(3), np.zeros_like(a)), a[0] + np.arange(3)[:, None])

    @guvectorize([(float64[:], float64[:], float64[:], float64[:])], "(n),()->(),(n)")
    def two(x, y, total, scaled):
        total[0] = x.sum()
        scaled[:] = x * y[0]

    @njit
    def use_two(x, y, total, scaled):
        two(x, y, total, scaled)

    x, total, scaled = np.arange(6.0).reshape(2, 3), np.zeros(2), np.zeros((2, 3))
    use_two(x, 2.0, total, scaled)
    assert total.tolist() == [3, 12] and np.array_equal(scaled, x * 2)
    use_two(x, np.array([1.0, 3]), total, scaled)
    assert np.array_equal(scaled, x * np.array([[1], [3]]))


def test_pickle():
    f = guvectorize([(int64[:], int64, int64[:])], "(n),()->(n)")(fill_sum)
    again = pickle.loads(pickle.dumps(f))
    assert again(np.arange(3), 1).tolist() == [1, 2, 3] and again.types == ["ll->l"]


def test_shapes_are_compared_in_compiled_code():
    @guvectorize("(n),(n)->()")
    def dot(x, y, out):
        out[0] = (x * y).sum()

    @njit
    def call(x, y, out):
        dot(x, y, out)

    def run(first, second, result):
        out = np.zeros(result)
        call(np.ones(first), np.ones(second), out)
        return out
    assert run((2,), (2,), ()) == 2
    assert (run((5, 1, 2), (3, 2), (5, 3)) == 2).all()
    with pytest.raises(ValueError, match="mismatch in one of its core dimensions"):
        run((5, 3, 2), (3,), (5, 3))
    for shapes in (((1, 5, 3, 2), (5, 3, 2), (5, 3)), ((5, 4, 2), (3, 2), (5, 3)), ((4, 2), (2,), (3,))):
        with pytest.raises(ValueError, match="Loop and array shapes are incompatible"):
            run(*shapes)


def test_outputs_of_another_dtype(rng):
    """What the array for the result holds is there when the function begins, whatever its dtype and layout."""
    add = guvectorize(["(float64[:],float64[:])"], "(n)->(n)")(lambda a, out: add_to(a, out))
    first = guvectorize(["(float64[:],float64[:])"], "(n)->(n)")(lambda a, out: put_first(a, out))
    a = rng.integers(0, 9, 3).astype(float)
    for dtype in ("f4", "f8"):
        for out in (np.ones(3, dtype), np.ones((2, 3), dtype), np.ones(6, dtype)[::2], np.ones((3, 2), dtype).T):
            before = out.copy()
            assert add(a, out) is out and np.array_equal(out, before + a)
            assert first(-a, out) is out and np.array_equal(out[..., 1:], (before + a)[..., 1:])
            assert (out[..., 0] == -a[0]).all()
    swapped = np.ones(3, ">f8")
    add(a, swapped)
    assert np.array_equal(swapped, 1 + a)


@njit
def add_to(a, out):
    for i in range(len(a)):
        out[i] += a[i]


@njit
def put_first(a, out):
    out[0] = a[0]


def test_methods_of_ufuncs(rng):
    """A gufunc without dimensions reduces as NumPy's ufuncs do; one with dimensions says as NumPy that it cannot."""
    plus = guvectorize("(),()->()")(lambda x, y, out: add_one(x, y, out))
    a = rng.integers(0, 9, (3, 4))
    assert plus.signature is None and plus.nargs == 3
    for axis in (0, 1):
        assert np.array_equal(plus.reduce(a, axis=axis), np.add.reduce(a, axis=axis))
        assert np.array_equal(plus.accumulate(a, axis), np.add.accumulate(a, axis))
    assert np.array_equal(plus.reduceat(a[0] / 2, [0, 2]), np.add.reduceat(a[0] / 2, [0, 2]))
    assert np.array_equal(plus.outer([0, 1], a), np.add.outer([0, 1], a))
    to = a[0].copy()
    plus.at(to, [0, 0, 2], a[1, :3])
    assert np.array_equal(to, a[0] + np.bincount([0, 0, 2], a[1, :3], 4))
    whole = guvectorize("(n)->(n)")(lambda x, out: add_to(x, out))
    for name, given in (("reduce", (a,)), ("accumulate", (a,)), ("reduceat", (a, [0]))):
        with pytest.raises(RuntimeError, match="Reduction not defined on ufunc with signature"):
            getattr(whole, name)(*given)
    with pytest.raises(TypeError, match="outer is not allowed in ufunc with non-trivial signature"):
        whole.outer(a, a)
    with pytest.raises(TypeError, match="at does not support ufunc with non-trivial signature"):
        whole.at(a, [0], a)


@njit
def add_one(x, y, out):
    out[0] = x + y


def test_object_mode(rng):
    """forceobj=True: the interpreter runs the function, for each part, and may do whatever Python does."""
    seen = []

    def scaled(x, y, out):
        seen.append(str(type(y)))
        out[:] = [item * y for item in x]
    a = rng.random((2, 3))
    for made in (guvectorize(["(f8[:],f8,f8[:])"], "(n),()->(n)", forceobj=True)(scaled),
                 pickle.loads(pickle.dumps(guvectorize(["(f8[:],f8,f8[:])"], "(n),()->(n)", forceobj=True)(times)))):
        assert np.array_equal(made(a, 2.0), a * 2)
        out = np.ones((3, 2)).T
        assert made(a, [2.0, 3.0], out) is out and np.array_equal(out, a * [[2], [3]])
    assert seen == ["<class 'float'>"] * 4
    fill = guvectorize("(n)->(n)", forceobj=True, writable_args=("x",))(clear)
    b = a[0].copy()
    assert fill(b, np.zeros(3)).tolist() == a[0].tolist() and not b.any()
    with pytest.raises(ZeroDivisionError):
        guvectorize(["(f8[:],f8[:])"], "(n)->(n)", forceobj=True)(lambda x, out: 1 / 0)(a)


def times(x, y, out):
    out[:] = [item * y for item in x]


def clear(x, out):
    out[:] = list(x)
    x[:] = [0] * len(x)


@pytest.mark.parametrize("identity", ["none", 2, "zero"])
def test_wrong_identity(identity):
    with pytest.raises(ValueError, match=f"Invalid identity value {identity!r}"):
        guvectorize(["(f8[:],f8[:])"], "(n)->(n)", identity=identity)(add_to.py_func)


def test_what_was_filled_before_an_error_stays():
    def fill(a, n, out):
        for i in range(a.shape[0]):
            if a[i] < 0:
                raise ValueError("negative")
            out[i] = a[i] * n[0]
    for options in ({"nopython": True}, {"forceobj": True}):
        f = guvectorize(["int32[:], int32[:], int32[:]"], "(n),()->(n)", **options)(fill)
        out = np.zeros(4, np.int32)
        with pytest.raises(ValueError, match="negative"):
            f(np.array([1, 2, -3, 4], np.int32), 2, out)
        assert list(out) == [2, 4, 0, 0]


def test_axes_that_the_function_takes():
    pairs = guvectorize("(m,n),(n),()->(m),()")(lambda a, b, c, sums, total: None)
    assert pairs.expected_ndims() == ((2, 1, 0), (1, 0))
