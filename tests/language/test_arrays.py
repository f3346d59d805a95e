"""Arrays of every dtype, layout and shape: reading, writing, views, what comes back."""
import numpy as np
import pytest
from conftest import same
from numba import njit

CODES = ["?", "b", "B", "h", "H", "i", "I", "l", "L", "f", "d", "F", "D"]


def total_from(start):
    @njit
    def total(a):
        s = start
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                s += a[i, j] * (3 * i + j + 1)
        return s

    return total


total, total_complex = total_from(0.0), total_from(0j)


def layouts(a):
    """The array in other layouts, equal in value."""
    big = np.zeros((a.shape[0] * 2, a.shape[1] * 3), a.dtype)
    big[::2, ::3] = a
    reverse = np.ascontiguousarray(a[::-1, ::-1])[::-1, ::-1]
    raw = np.zeros(a.nbytes + 1, np.uint8)[1:].view(a.dtype).reshape(a.shape)
    raw[...] = a
    frozen = a.copy()
    frozen.flags.writeable = False
    return [a, np.asfortranarray(a), big[::2, ::3], reverse, a.T.copy().T, raw, frozen]


@pytest.mark.parametrize("code", CODES)
def test_dtypes_and_layouts(code, rng):
    a = (rng.integers(0, 2, (3, 4)) if code == "?" else rng.integers(0, 100, (3, 4))).astype(code)
    if a.dtype.kind == "c":
        a = a + a.dtype.type(0.5j)
    f = total_complex if a.dtype.kind == "c" else total
    want = f.py_func(a.astype(complex if a.dtype.kind == "c" else float))
    for view in layouts(a):
        assert same(f(view), want, rtol=1e-6)


@pytest.mark.parametrize("code", CODES)
def test_stores(code, make):
    f = njit(make("def f(a, b):\n    for i in range(a.size):\n        b[i] = a[-1 - i]\n"))
    a = np.array([0, 1, 1, 0, 1]).astype(code) if code == "?" else np.arange(5).astype(code)
    for target in (np.zeros(5, a.dtype), np.zeros(10, a.dtype)[::2], np.zeros(5, a.dtype)[::-1]):
        f(a, target)
        assert np.array_equal(target, a[::-1])


def test_store_converts(make):
    f = njit(make("def f(a, x):\n    a[0] = x\n    return a[0]\n"))
    assert f(np.zeros(2, np.int8), 300) == 44
    assert f(np.zeros(2, np.int32), 2.9) == 2
    assert f(np.zeros(2, np.float32), 0.1) == float(np.float32(0.1))
    assert f(np.zeros(2, np.bool_), 7) is True


def test_attributes(make):
    f = njit(make("def f(a):\n    return a.shape, a.size, a.ndim, len(a), a.strides, a.itemsize\n"))
    for a in (np.zeros((2, 3)), np.zeros((4, 5, 6), np.int16)[::2, :, ::-1], np.zeros(7)[::2]):
        assert f(a) == (a.shape, a.size, a.ndim, len(a), a.strides, a.itemsize)


def test_views(make, rng):
    source = "def f(a, i, j, k):\n    return a[{}]\n"
    a = rng.normal(size=(6, 7))
    for index in ("i", "i:j", "i:j:k", "::k", "::-1", "i, :", ":, j", "i:, :j", "..., j",
                  "None, i", "-1", ":, ::-k", "i:100", "-3:-1"):
        f = njit(make(source.format(index)))
        for i, j, k in ((1, 4, 2), (0, 6, 3), (5, 2, 1)):
            got, want = f(a, i, j, k), f.py_func(a, i, j, k)
            assert same(got, want), index
            assert got.strides == want.strides or not got.size
            assert np.shares_memory(got, a) or not got.size


def test_what_comes_back(make):
    identity = njit(make("def f(a):\n    return a\n"))
    for a in (np.arange(5), np.zeros((2, 3), order="F"), np.array(1.5), np.zeros((0, 2))):
        assert identity(a) is a
    part = njit(make("def f(a):\n    return a[1:3]\n"))
    a = np.arange(5)
    b = part(a)
    assert b.base is a and b.flags.writeable and not b.flags.owndata
    frozen = np.arange(5)
    frozen.flags.writeable = False
    assert identity(frozen) is frozen and not part(frozen).flags.writeable
    import sys
    before = sys.getrefcount(a)
    for _ in range(10):
        identity(a), part(a)
    assert sys.getrefcount(a) == before


def test_new_arrays(make):
    f = njit(make("def f(n):\n    a = np.zeros(n)\n    b = np.empty((n, 2), np.int32)\n"
                  "    for i in range(n):\n        a[i] = i * 0.5\n        b[i, 0] = i\n        b[i, 1] = -i\n"
                  "    return a, b, np.ones(3, np.float32)\n"))
    a, b, c = f(4)
    assert same(a, np.arange(4) * 0.5) and b.dtype == np.int32 and c.dtype == np.float32
    assert same(b, np.array([[0, 0], [1, -1], [2, -2], [3, -3]], np.int32))
    a += 1
    for _ in range(200):
        f(1000)
    assert same(a, np.arange(4) * 0.5 + 1)


def test_zero_dimensions(make):
    f = njit(make("def f(a):\n    a[()] = a[()] + 1\n    return a[()]\n"))
    a = np.array(2.5)
    assert f(a) == 3.5 and a == 3.5


def test_empty(make):
    f = njit(make("def f(a):\n    s = 0.0\n    for v in a:\n        s += v\n    return s, len(a)\n"))
    assert f(np.zeros(0)) == (0.0, 0) and f(np.zeros((5,))[5:]) == (0.0, 0)


def test_negative_indices_wrap(make):
    f = njit(make("def f(a, i):\n    return a[i]\n"))
    a = np.arange(10) * 1.5
    assert [f(a, i) for i in range(-10, 10)] == [a[i] for i in range(-10, 10)]


def test_boundscheck(make):
    f = njit(boundscheck=True)(make("def f(a, i):\n    return a[i]\n"))
    assert f(np.arange(3), -3) == 0
    for i in (3, -4, 100):
        with pytest.raises(IndexError, match="index is out of bounds"):
            f(np.arange(3), i)


def test_slice_assignment(make, rng):
    f = njit(make("def f(a, b):\n    a[1:4] = b[2:5]\n    a[5:] = 7\n    a[0] = -1\n"))
    b = rng.normal(size=9)
    got, want = np.zeros(9), np.zeros(9)
    f(got, b)
    f.py_func(want, b)
    assert same(got, want)
    g = njit(make("def f(a, b):\n    a[:3] = b\n"))
    with pytest.raises(ValueError):
        g(np.zeros(5), np.zeros(4))


def test_iteration_over_rows(make, rng):
    f = njit(make("def f(a):\n    s = 0.0\n    for row in a:\n        for v in row:\n            s = s * 0.5 + v\n"
                  "    return s\n"))
    a = rng.normal(size=(5, 6))
    for view in layouts(a)[:5]:
        assert same(f(view), f.py_func(view), rtol=1e-14)


def test_readonly_is_enforced(make):
    f = njit(make("def f(a):\n    a[0] = 1\n"))
    a = np.zeros(3)
    a.flags.writeable = False
    from numba.core.errors import TypingError
    with pytest.raises(TypingError, match="[Rr]ead-?only"):
        f(a)


def test_matrix_multiply(make, rng):
    f = njit(make("def f(a, b, c):\n    for i in range(a.shape[0]):\n        for j in range(b.shape[1]):\n"
                  "            s = 0.0\n            for k in range(a.shape[1]):\n                s += a[i, k] * b[k, j]\n"
                  "            c[i, j] = s\n    return c\n"))
    a, b = rng.normal(size=(5, 7)), rng.normal(size=(7, 4))
    for left in layouts(a)[:5]:
        assert np.allclose(f(left, np.asfortranarray(b), np.zeros((5, 4))), a @ b)


def test_transpose_and_reshape(make, rng):
    f = njit(make("def f(a):\n    return a.T, a.reshape(6), a.transpose()\n"))
    a = rng.normal(size=(2, 3))
    got = f(a)
    assert same(got, (a.T, a.reshape(6), a.T)) and got[0].flags.f_contiguous


def test_frozen_global_array(make):
    table = np.arange(6.0).reshape(2, 3)
    f = njit(make("def f(i, j):\n    return T[i, j], T.shape\n", T=table))
    assert f(1, 2) == (5.0, (2, 3))


def test_unsupported_dtypes(make):
    from numba.core.errors import TypingError
    f = njit(make("def f(a):\n    return a[0]\n"))
    for a in (np.zeros(3, ">f4"), np.array([object()])):
        with pytest.raises(TypingError, match="Unsupported array dtype"):
            f(a)


def test_subclass_and_big_strides(make):
    f = njit(make("def f(a):\n    return a[0, 0] + a[-1, -1]\n"))
    m = np.arange(6.0).reshape(2, 3).view(np.ndarray)
    assert f(np.broadcast_to(np.arange(3.0), (1000, 3))) == 2.0 and f(m) == 5.0


def test_assignments_that_do_not_fit_name_both_shapes(make):
    put = njit(make("def f(a, b):\n    a[:] = b\n"))
    with pytest.raises(ValueError, match=r"^cannot assign slice of shape \(3,\) from input of shape \(4,\)$"):
        put(np.ones(3), np.ones(4))
    with pytest.raises(ValueError, match=r"^cannot assign slice of shape \(2, 2\) from input of shape \(2, 3\)$"):
        put(np.ones((2, 2)), np.ones((2, 3)))
    caught = njit(make("def f(a, b):\n    try:\n        a[:] = b\n    except ValueError as e:\n        return str(e)\n    return ''\n"))
    assert caught(np.ones(3), np.ones(3)) == ""


def test_zeros_in_blocks_that_were_used(run_python):
    """Large blocks are kept when they are freed: what comes next is zero all the same, and its pages are not asked of the
    system again, even where the C library gives all back, as it is told to on Dask's workers."""
    code = """
import resource
import numpy as np
from numba import njit

@njit
def left_over(items, rounds):
    found = 0
    for _ in range(rounds):
        dirty = np.ones(items)
        found += np.count_nonzero(np.zeros(items)) + np.count_nonzero(np.zeros_like(dirty))
    return found

for mib in (0.1, 0.2, 3, 4, 15, 17):
    assert left_over(int(mib * 2**17), 3) == 0, mib
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
left_over(2**19, 20)  # of 1024 pages, three times a round
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""
    done = run_python("-m", "gridcell", code=code, env={"MALLOC_TRIM_THRESHOLD_": "65536"})
    assert int(done.stdout) < 20 * 1024, done.stdout + done.stderr
