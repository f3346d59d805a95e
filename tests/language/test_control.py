"""Control flow, tuples, calls, closures: the same results as plain Python."""
import numba
import numpy as np
import pytest
from conftest import check_calls, same
from numba import njit, prange

PROGRAMS = {
    "if chain": ("def f(x):\n    if x < -1:\n        r = -1\n    elif x < 1:\n        r = 0\n"
                 "    else:\n        r = 1\n    return r\n", [(-5,), (0,), (7,)]),
    "while else": ("def f(n):\n    i = 0\n    while i < n:\n        if i == 7:\n            break\n"
                   "        i += 1\n    else:\n        return -1\n    return i\n", [(3,), (20,)]),
    "for else continue": ("def f(n):\n    s = 0\n    for i in range(n):\n        if i % 3 == 0:\n"
                          "            continue\n        if i > 11:\n            break\n        s += i\n"
                          "    else:\n        s = -s\n    return s\n", [(5,), (50,), (0,)]),
    "ranges": ("def f(a, b, c):\n    s = 0\n    for i in range(a, b, c):\n        s = s * 3 + i\n"
               "    return s\n", [(0, 10, 3), (10, 0, -3), (5, 5, 1), (-4, 9, 2), (3, 0, 2)]),
    "nested loops": ("def f(n):\n    t = 0\n    for i in range(n):\n        for j in range(i):\n"
                     "            if (i + j) % 2:\n                continue\n            t += i * j\n"
                     "    return t\n", [(12,)]),
    "ternary": ("def f(x, y):\n    return x if x > y else y\n", [(1, 2), (3, 2)]),
    "chained": ("def f(a, b, c):\n    return 0 <= a < b <= c\n", [(0, 1, 1), (1, 1, 2), (-1, 3, 4)]),
    "boolean operators": ("def f(a, b):\n    return (a and b), (a or b), not a\n",
                          [(0, 3), (2, 0), (5, 6)]),
    "unify int and float": ("def f(x):\n    if x > 0:\n        return 1.0 * x\n    return 2.5\n",
                            [(3,), (-3,)]),
    "accumulator becomes float": ("def f(n):\n    x = 0\n    for i in range(n):\n        x = x / 2 + i\n"
                                  "    return x\n", [(9,)]),
    "tuples": ("def f(a, b):\n    t = (a, b, a + b)\n    x, y, z = t\n    return z, t[0], len(t), (y,)\n",
               [(1, 2), (1.5, 2.5)]),
    "swap": ("def f(a, b):\n    for i in range(5):\n        a, b = b, a + b\n    return a, b\n",
             [(0, 1)]),
    "tuple loop": ("def f(a, b, c):\n    s = 0\n    for v in (a, b, c):\n        s = s * 10 + v\n"
                   "    return s\n", [(1, 2, 3)]),
    "negative tuple index": ("def f(a, b):\n    t = (a, b)\n    return t[-1]\n", [(1, 2)]),
    "variable changes type": ("def f(x):\n    y = x\n    y = y * 0.5\n    y = y > 1\n    return y\n",
                              [(1,), (8,)]),
    "augmented": ("def f(x):\n    x += 3\n    x -= 1\n    x *= 4\n    x //= 3\n    x %= 7\n    x **= 2\n"
                  "    x <<= 2\n    x >>= 1\n    x |= 1\n    x &= 15\n    x ^= 2\n    return x\n",
                  [(5,), (123,)]),
    "enumerate and zip": ("def f(a, b):\n    s = 0\n    for i, v in enumerate(a):\n        s += i * v\n"
                          "    for v, w in zip(a, b):\n        s += v * w\n    return s\n",
                          [(np.arange(5), np.arange(3, 8))]),
    "early return in loop": ("def f(a, x):\n    for i in range(len(a)):\n        if a[i] == x:\n"
                             "            return i\n    return -1\n", [(np.arange(9), 4), (np.arange(9), 99)]),
    "collatz": ("def f(n):\n    c = 0\n    while n != 1:\n        n = n // 2 if n % 2 == 0 else 3 * n + 1\n"
                "        c += 1\n    return c\n", [(27,), (97,)]),
    "gcd": ("def f(a, b):\n    while b:\n        a, b = b, a % b\n    return a\n", [(1071, 462), (17, 0)]),
    "docstring and pass": ('def f(x):\n    "doc"\n    pass\n    return x\n', [(3,)]),
    "is none": ("def f(x):\n    if x is None:\n        return 0\n    return 1\n", [(None,), (3,)]),
    "division of negatives": ("def f(a, b):\n    return a // b, a % b\n",
                              [(-7, 2), (7, -2), (-7, -2), (-7.5, 2.0), (7.5, -2.0)]),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name, make):
    source, calls = PROGRAMS[name]
    check_calls(njit(make(source)), calls)


def test_optional_result(make):
    f = njit(make("def f(x):\n    if x > 0:\n        return x\n    return None\n"))
    assert f(3) == 3 and f(-3) is None
    g = njit(make("def f(x):\n    if x > 0:\n        return x\n"))
    assert g(2.5) == 2.5 and g(-1.0) is None


def test_no_result(make):
    assert njit(make("def f(x):\n    x + 1\n"))(3) is None
    assert njit(make("def f():\n    return\n"))() is None


def test_calls_between_functions(make):
    source = ("@njit\ndef square(x):\n    return x * x\n\n@njit\ndef power4(x, scale=1):\n"
              "    return square(square(x)) * scale\n\n@njit\ndef f(a):\n"
              "    return power4(a), power4(a, 2), power4(scale=3, x=a)\n")
    f = make(source, njit=njit)
    assert f(3) == (81, 162, 243) and f(0.5) == (0.0625, 0.125, 0.1875)


def test_recursion(make):
    source = ("@njit\ndef f(n):\n    if n < 2:\n        return n\n    return f(n - 1) + f(n - 2)\n")
    f = make(source, njit=njit)
    assert [f(n) for n in range(15)] == [f.py_func(n) for n in range(15)]


def test_mutual_recursion(make):
    source = ("@njit\ndef even(n):\n    if n == 0:\n        return True\n    return odd(n - 1)\n\n"
              "@njit\ndef odd(n):\n    if n == 0:\n        return False\n    return even(n - 1)\n\n"
              "f = even\n")
    f = make(source, njit=njit)
    assert f(10) is True and f(7) is False


def test_closures_and_globals(make):
    def outer(scale, table):
        @njit
        def inner(x):
            return x * scale + table[1]
        return inner

    table = np.array([1.0, 2.5])
    f, g = outer(3, table), outer(0.5, table)
    assert f(2) == 8.5 and g(2) == 3.5
    table[1] = 100
    assert f(2) == 8.5  # captured values are constants

    def captured_function(h):
        return njit(lambda x: h(x) + 1)

    assert captured_function(f)(2) == 9.5


def test_from_imports(make):
    f = njit(make("from math import exp, sqrt as root\nfrom numpy import cos\n"
                  "def f(x):\n    return exp(x) + root(x) + cos(x)\n"))
    assert same(f(0.7), f.py_func(0.7), rtol=1e-15)


def test_prange_is_range(make):
    f = njit(parallel=True)(make("def f(n):\n    s = 0\n    for i in prange(n):\n        s += i\n"
                                 "    return s\n", prange=prange))
    assert f(100) == 4950 and list(prange(3)) == [0, 1, 2]


def test_tuples_in_and_out(make):
    f = njit(make("def f(t):\n    return t[1], t[0]\n"))
    assert f((1, 2.5)) == (2.5, 1) and f(((1, 2), True)) == (True, (1, 2))
    a = np.arange(3)
    b, c = f((a, 1.5))
    assert c is a and b == 1.5
    assert njit(lambda: ())() == ()


def test_enum(make):
    from enums import Color, Level
    f = njit(make("def f(x):\n    return x * Color.BLUE.value, x + Level.HIGH, x == Color.RED\n",
                  Color=Color, Level=Level))
    assert f(2) == (14, 7, False)
    assert njit(make("def f(x):\n    return x == Color.RED\n", Color=Color))(Color.RED) is True


def test_string_results(make):
    f = njit(make("def f(x):\n    return x\n"))
    assert f("héllo") == "héllo" and f("") == ""
    g = njit(make("def f(a, b):\n    return a == b, a != b\n"))
    assert g("a", "a") == (True, False) and g("a", "ab") == (False, True)


def test_lambda_and_nested_definitions():
    double = njit(lambda x: x * 2)
    triple, quadruple = njit(lambda x: x * 3), njit(lambda x: x * 4)
    assert (double(3), triple(3), quadruple(3)) == (6, 9, 12)
    call = lambda x: njit(lambda y: y + x)(x)
    assert call(3) == 6 and (lambda: njit(lambda y, z: y - z))()(5, 3) == 2


def test_fastmath_and_nogil(make):
    f = njit(fastmath=True, nogil=True)(make(
        "def f(a):\n    s = 0.0\n    for v in a:\n        s += v\n    return s\n"))
    a = np.random.default_rng(1).normal(size=1000)
    assert np.isclose(f(a), a.sum())
    import threading
    results = []
    threads = [threading.Thread(target=lambda: results.append(f(a))) for _ in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert len(results) == 4 and all(np.isclose(r, a.sum()) for r in results)


CONDITIONS = ("if a > 2: n = 1", "while a == 2: n = 1", "n = 1 if a > 2 else 3", "assert a > 2", "n = 1 < a < 3",
              "n = (a > 2 and 1)", "if not a != 2: n = 1", "if n == 0 and a < 4: n = 1", "n = [x for x in (1, 2) if a >= x]")


@pytest.mark.parametrize("condition", CONDITIONS)
def test_array_as_condition(make, condition):
    """What is true of some items is no truth: refused, whichever way the comparison becomes a condition."""
    f = numba.njit(make(f"def f(a):\n    n = 0\n    {condition}\n    return n\n"))
    with pytest.raises((numba.TypingError, ValueError)) as caught:
        f(np.ones(3))
    assert "internal" not in str(caught.value)
