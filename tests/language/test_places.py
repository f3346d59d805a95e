"""np.ndindex, np.ndenumerate, np.nditer and a.flat over arrays of every layout, number of axes and dtype, beside NumPy."""
import itertools

import numpy as np
import pytest
from conftest import function_of
from numba import cuda, njit
from numba.core.errors import TypingError

SHAPES = [(), (0,), (1,), (7,), (3, 4), (1, 5), (5, 1), (0, 3), (3, 0), (2, 3, 4), (2, 0, 4), (1, 1, 1), (2, 1, 3, 2)]
DTYPES = [np.float64, np.float32, np.int8, np.int64, np.uint64, np.complex128, np.bool_]
LAYOUTS = {
    "C": lambda a: a,
    "F": np.asfortranarray,
    "reversed": lambda a: a[::-1] if a.ndim else a,
    "strided": lambda a: np.repeat(a, 2, axis=-1)[..., ::2] if a.ndim else a,
    "transposed": lambda a: a.T,
}
# What each form gives, as a list; np.nditer goes over arrays in Fortran order as they lie, as NumPy's and numba's do, and
# over all others in C order, as numba's does.
FORMS = {
    "ndindex of a shape": "[str(i) for i in np.ndindex(a.shape)]",
    "ndindex, an item": "[a[i] for i in np.ndindex(a.shape)]",
    "ndenumerate": "[(str(i), x) for i, x in np.ndenumerate(a)]",
    "nditer": "[x.item() for x in np.nditer(a ORDER)]",
    "nditer, an index": "[x[()] for x in np.nditer(a ORDER)]",
    "nditer of two": "[(x.item(), y.item()) for x, y in np.nditer((a, a) ORDER)]",
    "flat": "[x for x in a.flat]",
}


def loop(form):
    """The same as a loop statement, which goes over places without a generator."""
    item, rest = form[1:-1].split(" for ", 1)
    return f"    out = []\n    for {rest.split(' in ')[0]} in {rest.split(' in ', 1)[1]}:\n        out.append({item})\n    return out\n"


def arrays():
    for shape, (layout, change) in itertools.product(SHAPES, LAYOUTS.items()):
        yield layout, change((np.arange(np.prod(shape, dtype=int)) * 3.0 % 7).reshape(shape))
    for dtype in DTYPES:
        yield "C", (np.arange(12) % 5).reshape(3, 4).astype(dtype)


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("is_loop", [True, False])
def test_forms(name, is_loop):
    form = FORMS[name]
    text = "def f(a):\n" + (loop(form) if is_loop else f"    return {form}\n")
    compiled = njit(function_of(text.replace(" ORDER", "")))
    plain = {order: function_of(text.replace(" ORDER", f", order='{order}'")) for order in "CK"}
    for layout, a in arrays():
        # NumPy's nditer refuses to go over nothing; numba's has no turn
        is_fortran = a.flags.f_contiguous and not a.flags.c_contiguous
        want = plain["K" if is_fortran else "C"](a) if a.size or "nditer" not in name else []
        if "ndindex of" in name or "ndenumerate" in name:
            want = [x.replace("np.int64", "") if isinstance(x, str) else x for x in want]
        got = compiled(a)
        assert got == want, (layout, a.shape, a.dtype, got, want)


RECORD = np.dtype([("x", np.float64), ("n", np.int16)])


@pytest.mark.parametrize("dtype", [*DTYPES, "M8[s]", "U3", RECORD], ids=str)
def test_items_of_flat(dtype):
    """Items by number, of all layouts, from the front and from behind, got and set, beside NumPy."""
    get = function_of("def f(a):\n    view = a.flat\n    return [view[i] for i in range(-a.size, a.size)]\n")
    change = function_of("def f(a):\n    for i in range(a.size // 2):\n        a.flat[i] = a.flat[-1 - i]\n"
                         "        a.flat[-1] = a.flat[i]\n    return a\n")
    compiled_get, compiled_change = njit(get), njit(change)
    for layout, a in arrays():
        if a.dtype != np.float64 or not a.ndim or not a.size:
            continue
        if dtype == RECORD:
            turned = a.view(np.int64).astype(RECORD) if a.flags.c_contiguous else a.astype(RECORD)
        else:
            turned = a.astype(np.int64).astype(dtype)
        assert [str(x) for x in compiled_get(turned)] == [str(x) for x in get(turned)], (layout, a.shape)
        ours, plain = turned.copy("K"), turned.copy("K")
        assert compiled_change(ours).tolist() == change(plain).tolist(), (layout, a.shape)
        assert ours.tolist() == plain.tolist()


def test_flat_out_of_range():
    get = njit(function_of("def f(a, i):\n    return a.flat[i]\n"))
    put = njit(function_of("def f(a, i):\n    a.flat[i] = 1.5\n"))
    for layout, a in arrays():
        for i in (a.size, -a.size - 1, 10**18, -10**18):
            for call in (get, put):
                with pytest.raises(IndexError, match="out of bounds"):
                    call(a, i)
    fixed = np.zeros((2, 3))
    fixed.flags.writeable = False
    assert get(fixed, 5) == 0
    with pytest.raises(TypingError, match="readonly"):
        put(fixed, 5)


def check(body, *args):
    f = function_of("def f(" + ", ".join("abc"[:len(args)]) + "):\n" + "".join(f"    {line}\n" for line in body.split("\n")))
    assert njit(f)(*args) == f(*args)


@pytest.mark.parametrize("shape", ["3, 4", "(3, 4)", "5", "(5,)", "2, 3, 2", "np.int32(2), 3", "0", "2, 0", "()"])
def test_shapes_of_ndindex(shape):
    check(f"n = 0\nfor i in np.ndindex({shape}):\n    for k in i:\n        n = n * 3 + k\n    n += 1\nreturn n")


def test_what_is_not_one_loop():
    """A call whose result has another user than one loop is an iterator with a state, as in NumPy."""
    check("it = np.ndindex(3, 2)\nfirst = next(it)\nrest = [i for i in it]\nreturn first, rest, len([i for i in it])")
    check("it = np.nditer(a)\nn = 0\nfor x in it:\n    n += x.item()\n    if n > 3:\n        break\nfor x in it:\n    n += 100\nreturn n",
          np.arange(6))
    check("return [(i, k) for k, i in enumerate(np.ndindex(2, 2))]")
    check("return [(i, x) for i, x in zip(np.ndindex(2, 2), [5, 6, 7])]")
    check("s = 0\nfor i in np.ndindex(2, 2):\n    for j in np.ndindex(3):\n        s = s * 5 + i[0] + i[1] * 2 + j[0]\n    if s > 10**6:\n"
          "        break\nelse:\n    s = -s\nreturn s")


def test_writing():
    @njit
    def f(a):
        for x in np.nditer(a):
            x[()] = x.item() * 2
        for i, x in np.ndenumerate(a):
            a[i] = x + i[0]
        for i in np.ndindex(a.shape):
            a[i] += 1

    for change in LAYOUTS.values():
        a = change(np.arange(12.0).reshape(3, 4))
        want = a * 2 + np.arange(a.shape[0])[:, None] + 1
        f(a)
        assert np.array_equal(a, want)


def test_memory_of_what_is_gone_over():
    """The loop's array has no name of its own."""
    @njit
    def f(n):
        s = 0.0
        for x in np.nditer(np.ones((n, n))):
            junk = np.full((n, n), 7.0)
            s += x.item() + junk[0, 0] * 0
        for x, y in np.nditer((np.ones((n, n)), np.ones((n, 1)) * 2)):
            junk = np.full((n, n), 7.0)
            s += x.item() * y.item() + junk[0, 0] * 0
        for i, x in np.ndenumerate(np.ones((n, n))):
            junk = np.full((n, n), 7.0)
            s += x + junk[0, 0] * 0
        return s

    assert f(9) == 81 * 4


def test_broadcast_operands():
    check("s = 0.0\nfor x, y in np.nditer((a, b)):\n    s = s * 0.5 + x.item() * y.item()\nreturn s", np.arange(4.0), np.arange(3.0)[:, None])


def test_operands_in_several_layouts():
    """They are gone over in one order: Fortran's where an array of all axes lies so and none lies in C order."""
    pairs = function_of("def f(a, b):\n    out = []\n    for x, y in np.nditer((a, b)):\n        out.append((x.item(), y.item()))\n"
                        "    return out\n")
    compiled, c = njit(pairs), np.arange(24.0).reshape(2, 3, 4)
    f = np.asfortranarray(c)
    for a, b in [(f, f), (f, f[:, :1].copy(order="F")), (f, f[0, 0]), (f, np.float64(2.0)), (c, f), (f, c), (f, c[0, 0]),
                 (f, np.asfortranarray(c).astype(np.int32)), (f[:, :, :0], f[:, :, :0])]:
        assert compiled(a, b) == (pairs(a, b) if a.size else [])
    with pytest.raises(ValueError):
        compiled(f, f[:, :2].copy(order="F"))


def test_flat_follows_the_array():
    """A loop over items that do not lie in a row sees what it changes."""
    check("b, out = a.copy().T, []\nfor x in b.flat:\n    out.append(x)\n    b[...] += 1\nreturn out", np.zeros((3, 4)))
    check("b, out = a.copy(), []\nfor x in b[:, ::-2].flat:\n    b[-1, -1] = x\n    out.append(x)\nreturn out", np.arange(12).reshape(3, 4))
    records = np.zeros((2, 3), RECORD).T
    records["n"] = np.arange(6).reshape(3, 2)
    f = njit(function_of("def f(a):\n    s = 0\n    for x in a.flat:\n        s = s * 7 + x.n\n    for i, x in np.ndenumerate(a):\n"
                         "        s = s * 7 + x.n * (i[0] + 2 * i[1])\n    return s\n"))
    want = 0
    for x in records.flat:
        want = want * 7 + int(x["n"])
    for i, x in np.ndenumerate(records):
        want = want * 7 + int(x["n"]) * (i[0] + 2 * i[1])
    assert f(records) == want


def test_item_by_places():
    check("s = 0\nfor i in range(3):\n    for j in range(4):\n        s = s * 3 % 1009 + a.item(i, j) + a.item(i * 4 + j)\nreturn s",
          np.arange(12).reshape(3, 4))
    f = njit(lambda a: a.item())
    assert f(np.array([[7]])) == 7 and f(np.array(5)) == 5
    with pytest.raises(ValueError, match="size 1"):
        f(np.ones(2))
    with pytest.raises(IndexError):
        njit(lambda a: a.item(3))(np.ones(2))


@pytest.mark.parametrize("call", ["ndindex(a.shape)", "ndenumerate(a)", "nditer(a)"])
def test_kernels_are_told_what_to_do(call):
    kernel = cuda.jit(function_of(f"def k(a):\n    for i in np.{call}:\n        a[0] += 1\n", "k"))
    with pytest.raises(TypingError, match="loop over range"):
        kernel[1, 1](np.zeros(3))
