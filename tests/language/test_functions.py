"""Inner functions, lambdas, closures, functions as arguments, stars: as in plain Python."""
import warnings

import numpy as np
import pytest
from conftest import check_calls
from numba import njit
from numba.core.errors import TypingError, UnsupportedError

PROGRAMS = {
    "inner function": ("""\
def f(x):
    def g(y):
        return y * 2 + 1
    return g(x) + g(0.5)
""", [(3,), (2.5,)]),
    "captures": ("""\
def f(x, k):
    def g(y):
        return y * k
    return g(x) - g(1)
""", [(3, 4)]),
    "captures what changes": ("""\
def f(n):
    k = 1
    def g(y):
        return y + k
    s = 0
    for i in range(n):
        k = k * 2
        s += g(i)
    return s
""", [(7,)]),
    "captures an array": ("""\
def f(a):
    def at(i):
        return a[i] + len(a)
    return at(0) + at(2)
""", [(np.arange(5.0),)]),
    "lambda": ("""\
def f(x):
    g = lambda y, z: y * z + x
    return g(x, 2), (lambda: x + 1)()
""", [(5,)]),
    "defaults": ("""\
def f(x):
    def g(a, b=2, *, c=x, d=3.5):
        return a + 10 * b + 100 * c + d
    x = 77
    return g(1), g(1, 5), g(1, c=4), g(b=2, a=9, d=0)
""", [(3,)]),
    "star parameters": ("""\
def f(x, y):
    def total(first, *rest):
        s = first
        for v in rest:
            s += v
        return s
    t = (x, y)
    return total(x), total(x, y, 3), total(*t), total(1, *t, x)
""", [(2, 5)]),
    "keywords after a star": ("""\
def f(x, y):
    def g(a, b, k=1):
        return (a - b) * k
    t = (x, y)
    return g(*t), g(*t, k=3), g(*t[:1], y, k=2)
""", [(9, 4)]),
    "recursion": ("""\
def f(n):
    def fact(k):
        return 1 if k < 2 else k * fact(k - 1)
    return fact(n)
""", [(10,)]),
    "recursion with captures": ("""\
def f(n, m):
    def power(k):
        if k == 0:
            return 1
        return m * power(k - 1)
    return power(n)
""", [(5, 3)]),
    "two deep": ("""\
def f(a):
    def g(b):
        def h(c):
            return a + b * c
        return h(b + 1)
    return g(a + 2)
""", [(3,), (1.5,)]),
    "a function that calls another": ("""\
def f(x):
    def g(y):
        return y + x
    def h(y):
        return g(y) * g(1)
    return h(3)
""", [(4,)]),
    "passed on": ("""\
def f(x):
    def apply(g, v):
        return g(g(v))
    return (apply(lambda v: v + x, 1),
            apply(lambda v: v * 2.0, 1))
""", [(4,)]),
    "by cases": ("""\
def f(x):
    if x > 2:
        def g(v):
            return v + 1
        return g(x)
    else:
        def h(v):
            return v - 1
        return h(x)
""", [(4,), (1,)]),
    "several lambdas of one line": ("""\
def f(x):
    a, b = (lambda v: v + 1), (lambda v: v * 2)
    return a(x), b(x), (lambda v: v - 1)(x)
""", [(4,)]),
    "tuple displays": ("""\
def f(x, y):
    t = (x, y)
    return (*t, 1, *t), (*t,)
""", [(4, 2.5)]),
    "loop in an inner function": ("""\
def f(n):
    def g(k):
        s = 0
        for i in range(k):
            s += i
        return s
    t = 0
    for i in range(n):
        t += g(i)
    return t
""", [(30,)]),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name, make):
    source, calls = PROGRAMS[name]
    check_calls(njit(make(source)), calls)


# what each gives, in one line: CPython 3.12 notes no place for a constant
GIVEN = ("1", "2", "1.0", "True", "'a'", "1", "-1", "(1, 2)", "(1, 2.0)", "0.0", "-0.0", "None", "v", "v + 1", "n", "10", "n * v")


def test_lambdas_of_one_line_are_told_apart(make):
    texts = ", ".join(f"lambda v: {given}" for given in GIVEN)
    alone, inner = make(f"n = 4; f = [{texts}]"), make(f"f = (lambda n: [lambda w: 1, {texts}][1:])(4)")
    for functions in alone, inner:
        for given, function in zip(GIVEN, functions):
            assert repr(njit(function)(7)) == repr(eval(given, {"n": 4, "v": 7})), given


def test_closures_as_arguments(make):
    f = make("@njit\ndef integrate(g, a, b, n):\n    s = 0.0\n    for i in range(n):\n"
             "        s += g(a + (i + 0.5) * (b - a) / n)\n    return s * (b - a) / n\n\n"
             "@njit\ndef f(p):\n    return (integrate(lambda x: x ** p, 0.0, 1.0, 1000),\n"
             "            integrate(math.sin, 0.0, math.pi, 1000))\n", njit=njit)
    assert np.allclose(f(2), (1 / 3, 2), rtol=1e-5)


def test_dispatchers_as_arguments(make):
    source = ("@njit\ndef inc(x):\n    return x + 1\n\n@njit\ndef dbl(x):\n    return x * 2\n\n"
              "@njit\ndef f(g, x):\n    return g(g(x))\n")
    space = {}
    f = make(source, njit=njit, space=space)
    inc, dbl = f.py_func.__globals__["inc"], f.py_func.__globals__["dbl"]
    assert f(inc, 3) == 5 and f(dbl, 3) == 12 and f(inc, 0.5) == 2.5
    assert len(f.signatures) == 3


def test_a_new_function_in_place_of_an_old_one(make):
    f = make("@njit\ndef f(g, x):\n    return g(x)\n", njit=njit)
    for k in range(30):
        g = njit(make(f"def g(x):\n    return x + {k}\n", "g"))
        assert f(g, 1) == k + 1
        del g


def test_messages(make):
    f = njit(make("def f(x):\n    def g(a, b):\n        return a\n    return g(x)\n"))
    with pytest.raises(TypingError, match="not enough arguments: expected 2, got 1"):
        f(1)
    f = njit(make("def f(x):\n    def g(a):\n        return a + x\n    return g(1, 2)\n"))
    with pytest.raises(TypingError, match="too many arguments: expected 1, got 2"):
        f(1)
    f = njit(make("def f(a):\n    def g(*v):\n        return len(v)\n    return g(*a)\n"))
    with pytest.raises(UnsupportedError, match="only a tuple can be unpacked"):
        f(np.arange(3))
    f = njit(make("def f(t):\n    a, b = t\n    return a\n"))
    with pytest.raises(TypingError, match="too many values to unpack .expected 2, got 3"):
        f((1, 2, 3))


def test_escaping_closure(make):
    f = njit(make("def f(n):\n    def g(x):\n        return x + n\n    return g\n"))
    assert f(1)(2) == 3
    f = make("@njit\ndef maker(n):\n    return lambda x: x + n\n\n@njit\ndef f(n, x):\n"
             "    g = maker(n)\n    return g(x) + maker(1)(x)\n", njit=njit)
    assert f(10, 5) == 21


def test_functions_in_a_tuple(make):
    source = ("@njit\ndef inc(x):\n    return x + 1\n\n@njit\ndef dbl(x):\n    return x * 2\n\n"
              "@njit\ndef f(fs, i, x):\n    return fs[i](x)\n\nFS = (inc, dbl, math.sqrt)\n\n"
              "@njit\ndef g(i, x):\n    return FS[i](x)\n\n"
              "@njit\ndef h(x, k):\n    s = 0.0\n    fs = (lambda v: v + k, lambda v: v * k, dbl)\n"
              "    for i in range(3):\n        s = s * 10 + fs[i](x)\n    return s\n")
    f = make(source, njit=njit)
    space = f.py_func.__globals__
    fs = space["inc"], space["dbl"]
    assert [f(fs, i, 5) for i in (0, 1, -1)] == [6, 10, 10]
    with pytest.raises(IndexError, match="tuple index out of range"):
        f(fs, 2, 5)
    assert [space["g"](i, 9.0) for i in range(3)] == [10.0, 18.0, 3.0]
    assert space["h"](5, 3) == space["h"].py_func(5, 3)


def test_declared_locals(make):
    from numba import float32, int8
    f = njit(locals={"x": float32, "y": int8})(make("def f(a):\n    x = a * 0.1\n    y = 300\n    return x, y\n"))
    assert f(1.0) == (float(np.float32(0.1)), 44)
    assert str(f.nopython_signatures[0].return_type) == "Tuple(float32, int8)"


def test_generated_jit(make):
    from numba import generated_jit, types
    f = generated_jit(nopython=True)(make(
        "def f(x, k=2):\n    if isinstance(x, types.Float):\n        return lambda x, k=2: x / k\n"
        "    return lambda x, k=2: x * k\n", types=types))
    assert f(3) == 6 and f(3.0) == 1.5 and f(3, k=5) == 15 and f.__name__ == "f"
    g = njit(make("def f(x):\n    return g(x) + g(x, 3) + g(x, k=4)\n", g=f))
    assert g(2) == 18 and g(12.0) == 6 + 4 + 3


def test_starred_targets_and_lists(make):
    f = njit(make("def f(t):\n    a, *b = t\n    *c, d = t\n    e, *g, h = t\n    return a, b, c, d, e, g, h\n"))
    assert f((1, 2, 3)) == (1, [2, 3], [1, 2], 3, 1, [2], 3)


def test_object_mode_of_old_tutorials(make):
    from numba import jit
    f = jit(make("def f(x):\n    return x['key']\n"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert f({"key": "value"}) == "value"


def test_recursion_with_a_signature(make):
    # compiled before its name is bound
    from numba import jit, njit
    fib = make("@jit('int64(int64)')\ndef f(n):\n"
               "    return n if n < 2 else f(n - 1) + f(n=n - 2)\n", jit=jit)
    assert fib(10) == 55

    @njit("int64(int64)")
    def inner(n):
        return 1 if n == 0 else n * inner(n - 1)
    assert inner(5) == 120
    inner.compile("int64(int64)")
    with pytest.raises(RuntimeError, match="compilation disabled"):
        inner.compile("float64(float64)")
