"""print() in compiled code: Python's text, in order with Python's own output."""
import enum

import numba
import numpy as np
import pytest
from numba import njit
from numba.core.errors import TypingError


def test_print_text(make, capsys):
    f = njit(make("def f(a, b, c):\n    print(a, b, c)\n    print('x', (a, b), True, None)\n    print()\n"))
    f(1, 2.5, 1e20)
    f.py_func(1, 2.5, 1e20)
    out = capsys.readouterr().out
    assert out[:len(out) // 2] == out[len(out) // 2:], out


def test_print_order(prints):
    code = ("import numba\n@numba.njit\ndef f(i):\n    print('jit', i)\n"
            "for i in range(3):\n    print('python', i)\n    f(i)\n")
    prints("".join(f"python {i}\njit {i}\n" for i in range(3)), "-m", "gridcell", code=code)


def test_print_is_redirected(make):
    import contextlib
    import io
    f = njit(make("def f(x):\n    print('value', x)\n"))
    with contextlib.redirect_stdout(io.StringIO()) as out:
        f(3)
    assert out.getvalue() == "value 3\n"


def printing():
    """Every way in which compiled code for the CPU runs and prints: with and without the GIL, on whose thread."""
    import threading
    import numba

    plain = njit(lambda x: print("line", x))
    nogil = njit(nogil=True)(lambda x: print("line", x))

    @njit(parallel=True)
    def parallel(x):
        for i in numba.prange(x, x + 1):
            print("line", i)

    @njit(parallel=True, nogil=True)
    def both(x):
        for i in numba.prange(8):
            if i == 5:
                print("line", x)

    @njit(nogil=True)
    def calls(x):
        plain(x)

    @njit(nogil=True)
    def nested(x):
        both(x)

    def ufunc(target):
        @numba.vectorize(["i8(i8)"], target=target)
        def f(x):
            print("line", x)
            return x
        return f

    def gufunc(target):
        @numba.guvectorize(["void(i8[:], i8[:])"], "(n)->(n)", target=target)
        def f(x, out):
            print("line", x[0])
            out[:] = x
        return lambda x: f(np.full((1, 2), x))

    def thread(x):
        worker = threading.Thread(target=nogil, args=(x,))
        worker.start()
        worker.join()

    callback = numba.cfunc("void(i8)")(lambda x: print("line", x))
    return {"plain": plain, "nogil": nogil, "parallel": parallel, "both": both, "calls": calls, "nested": nested,
            "ufunc": ufunc("cpu"), "parallel ufunc": ufunc("parallel"), "gufunc": gufunc("cpu"),
            "parallel gufunc": gufunc("parallel"), "callback": callback.ctypes, "thread": thread}


@pytest.fixture(scope="module")
def ways():
    return printing()


WAYS = ("plain", "nogil", "parallel", "both", "calls", "nested", "ufunc", "parallel ufunc", "gufunc",
        "parallel gufunc", "callback", "thread")


@pytest.mark.parametrize("way", WAYS)
def test_print_goes_where_sys_stdout_goes(ways, way, capfd):
    import contextlib
    import io
    assert set(ways) == set(WAYS)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        print("before")
        ways[way](7)
        print("after")
    assert out.getvalue() == "before\nline 7\nafter\n"
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize("options", [{}, {"nogil": True}, {"parallel": True}, {"parallel": True, "nogil": True}])
def test_arrays_print_as_numpy_has_them(make, options, capsys):
    """Without the GIL they were "array(float64, 1d)"."""
    import numba
    source = ("def f(a, b):\n    print(a, a[::2], (1, a), [a], b.T, 3)\n    print(str(a[1:]), f'<{b}>', sep='; ')\n"
              "    for i in prange(1):\n        print(i, a[i:], b)\n")
    plain, f = make(source, prange=range), njit(**options)(make(source, prange=numba.prange))
    arrays = np.array([0.5, 1.25, -3.0]), np.arange(6, dtype=np.int16).reshape(2, 3)
    f(*arrays)
    got = capsys.readouterr().out
    plain(*arrays)
    assert got == capsys.readouterr().out


def test_many_threads_print_whole_lines(capsys):
    import numba

    @njit(parallel=True, nogil=True)
    def f(n):
        for i in numba.prange(n):
            print("<", i, ">")
    f(2000)
    lines = capsys.readouterr().out.splitlines()
    assert sorted(lines) == sorted(f"< {i} >" for i in range(2000))


def test_a_stream_that_fails(make, capfd):
    """Its exception is not the function's; the line goes to C's stdout."""
    import contextlib

    class Broken:
        def write(self, text):
            raise ValueError("no")

    for options in ({}, {"nogil": True}):
        f = njit(**options)(make("def f(x):\n    print('kept', x)\n    return x\n"))
        with contextlib.redirect_stdout(Broken()):
            assert f(3) == 3
        assert capfd.readouterr().out == "kept 3\n"


def test_print_floats(make, capsys):
    f = njit(make("def f(x):\n    print(x)\n"))
    values = [0.1, 1.0, 1e16, 1e15, 123456789.125, 1e-5, 1e-4, float("inf"), float("nan"), -0.0]
    for value in values:
        f(value)
    assert capsys.readouterr().out == "".join(f"{value}\n" for value in values)


def test_print_objects(make, capsys):
    import collections
    import enum
    Point = collections.namedtuple("Point", "x y")
    Color = enum.Enum("Color", "RED GREEN")
    Level = enum.IntEnum("Level", "LOW HIGH")
    f = make("def f(a, p, c, n):\n    print(a, a > 2, a.T)\n    print(p, c, n, (c, n, p), Color.RED)\n    print((a, 1))\n"
             "    print(str(a), f'{a} {p} {c} {n}', repr(c))\n", Color=Color)
    args = np.arange(6.0).reshape(2, 3), Point(1, "x"), Color.GREEN, Level.HIGH
    njit(f)(*args)
    f(*args)
    out = capsys.readouterr().out
    assert out[:len(out) // 2] == out[len(out) // 2:], out
    njit(f)(np.arange(3, dtype=np.int8), *args[1:])
    assert capsys.readouterr().out.startswith("[0 1 2] [False False False] [0 1 2]\n")


def test_print_containers(make, capsys):
    f = make("""def f(l, w):
    d = {'a': 1, 'b': 2}
    s = {3}
    e = {4}
    e.remove(4)
    d['c'] = 3
    del d['a']
    n = [[1.5, 2.0], [0.5]]
    print(l, w, d, s, e, n, [(1, 'x')], (l, d))
    print(str(l), f'{w}|{d}', repr(n), ','.join({'q'}), ''.join(c for c in 'abc'), '-'.join(reversed('xyz')))
""")
    njit(f)([1, 2, 3], ["a", "it's"])
    f([1, 2, 3], ["a", "it's"])
    out = capsys.readouterr().out
    assert out[:len(out) // 2] == out[len(out) // 2:], out


class Shade(enum.Enum):
    RED = (1, 2)
    NONE = None


class Told(enum.Enum):
    A = 1
    B = 2

    def __str__(self):
        return f"told {self.value}"


class Bits(enum.Flag):
    A = 1
    B = 2


class Number(enum.IntEnum):
    ONE = 1


RECORDS = np.array([(1, 2.5), (3, np.nan)], dtype=[("a", np.int32), ("b", np.float64)])


@pytest.mark.parametrize("value", [
    "range(n)", "range(1, n)", "range(n, 1, -2)", "(range(3),)", "[range(n)]", "...", "(..., 1)", "Shade.RED", "[Shade.NONE]",
    "Told.B", "[Told.A]", "Bits.A", "(Bits.B,)", "Number.ONE", "[Number.ONE]", "records[0]", "records", "(records[1],)",
    "np.array([np.datetime64('2020-01-01')])", "np.zeros((2, 0), np.uint8)"])
def test_texts_of_values(make, capsys, value):
    """print, str, repr and formats, as Python and NumPy have them."""
    f = make(f"def f(n, records):\n    x = {value}\n    print(x, (x,))\n    return [str(x), repr(x), f'{{x}}', f'{{x!r}}', '%s|%r' % (x, x),"
             " f'{x!s:>30}', f'{x!r:^40}', '{}{!r}'.format(x, x), str([(x, n)]) if n < 0 else '']\n",
             Shade=Shade, Told=Told, Bits=Bits, Number=Number)
    assert njit(f)(5, RECORDS) == f(5, RECORDS)
    out = capsys.readouterr().out
    assert out[:len(out) // 2] == out[len(out) // 2:]


def test_float16_is_shown_by_the_fewest_digits(make):
    f = njit(make("def f(a):\n    return [str(a[i]) for i in range(len(a))]\n"))
    a = np.random.default_rng(3).integers(0, 65536, 4000).astype(np.uint16).view(np.float16)
    # where a number has an exponent is a matter of NumPy's version
    assert [repr(float(text)) for text in f(a)] == [repr(float(str(x))) for x in a]


TEXTS_OF_CLASSES = """def f(a, n):
    t = np.dtype('f8')
    print(a.dtype, t, int, np.float32, type(n))
    texts = [str(a.dtype), repr(a.dtype), f'{t} {t!r} {t!s:>9} {a.dtype!r:>18}', '{} {!r}'.format(t, np.int8), format(t)]
    return texts + [str(type(n)), f'{type(a)}', repr(type((n, n))), str(type('')), str(type([n])), str(float), str(np.complex64)]
"""


def test_texts_of_classes_and_dtypes(make, capsys):
    f = make(TEXTS_OF_CLASSES)
    a = np.zeros(2, np.float32)
    assert njit(f)(a, 3) == f(a, 3)
    out = capsys.readouterr().out
    assert out[:len(out) // 2] == out[len(out) // 2:]


def test_ascii(make):
    f = make("def f(x, y):\n    return ascii(x), ascii((x, 1.5)), f'{x!a} {y!a:>9}', '%a' % x, '{!a}'.format([x]), ascii(y), f'{x!r}'\n")
    for x in ("plain 'quoted'", "\xe9\u20ac\U0001f600\n\\", ""):
        assert njit(f)(x, 7) == f(x, 7)


@pytest.mark.parametrize("value,words", [
    ("slice(1, n)", "which of its parts were left out"), ("len", "text of a function"), ("np", "text of a function or a module"),
    ("(lambda: 1)", "text of a function"), ("numba.int64", "whether this is a class or a dtype")])
def test_what_has_no_text_says_what_to_write(make, value, words):
    for use in ("str(x)", "f'{x}'", "print(x)", "'%s' % (x,)", "ascii(x)"):
        with pytest.raises(TypingError, match=words):
            njit(make(f"def f(n):\n    x = {value}\n    return {use}\n", numba=numba))(3)
