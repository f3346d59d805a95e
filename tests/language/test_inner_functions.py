# SPDX-License-Identifier: MIT
"""Functions within functions: those that call each other, and those that assign variables of the
function around them."""
import inspect

import pytest
from conftest import function_of

from numba import njit
from numba.core.errors import TypingError


def both(source, *args):
    """What the function gives compiled, which must be what Python gives."""
    function = function_of(source)
    got = njit(function)(*args)
    assert repr(got) == repr(function(*args))
    return got


RECURSIVE = {
    "mutual": ("""
def f(n):
    def even(n):
        return True if n == 0 else odd(n - 1)
    def odd(n):
        return False if n == 0 else even(n - 1)
    return even(n), odd(n)
""", (10,)),
    "captures": ("""
def f(n, k):
    z = k * 2
    def a(n, step=k):
        if n <= 0:
            return z
        return b(n - step) + 1
    def b(n):
        if n <= 0:
            return k
        return c(n - 1) * 2
    def c(n):
        return a(n - 1) if n > 0 else b(n)
    return a(n), b(n), a(n, 2), c(3)
""", (10, 1)),
    "through a third": ("""
def f(n):
    def even(n):
        if n == 0:
            return True
        def go(m):
            return odd(m)
        return go(n - 1)
    def odd(n):
        return False if n == 0 else even(n - 1)
    return even(n), odd(n)
""", (7,)),
    "lambda": ("""
def f(n):
    factorial = lambda k: 1 if k < 2 else k * factorial(k - 1)
    return factorial(n)
""", (6,)),
}


@pytest.mark.parametrize("name", RECURSIVE)
def test_inner_functions_call_each_other(name):
    source, args = RECURSIVE[name]
    both(source, *args)


NONLOCAL = {
    "counter": ("""
def f(n):
    total, count = 0.0, 0
    def add(x):
        nonlocal total, count
        total += x
        count += 1
        return total
    for i in range(n):
        last = add(i * 0.5)
    return total, count, last
""", (4,)),
    "two levels": ("""
def f(n):
    k = n
    def a():
        def b():
            nonlocal k
            k += 1
            return k
        return b() + b()
    def read():
        return k * 100
    x = a()
    return x, k, read()
""", (3,)),
    "parameter": ("""
def f(n, m):
    def step():
        nonlocal n
        n -= 1
        return n > m
    c = 0
    while step():
        c += 1
    return c, n
""", (10, 3)),
    "text": ("""
def f(n):
    s = "x"
    def grow():
        nonlocal s
        s += "y"
    for i in range(n):
        grow()
    return s
""", (3,)),
    "several": ("""
def f(n):
    a, b = 0, 1
    def following():
        nonlocal a, b
        a, b = b, a + b
        return a
    return [following() for i in range(n)]
""", (9,)),
    "loop variable": ("""
def f(n):
    i = 0
    def show():
        nonlocal i
        i += 0
        return i
    s = 0
    for i in range(n):
        s += show()
    return s, i
""", (5,)),
    "exception": ("""
def f(n):
    k = 0
    def g(x):
        nonlocal k
        k += 1
        if x:
            raise ValueError("a")
        k += 10
    try:
        g(n)
    except Exception:
        k += 100
    return k
""", (1,)),
    "captured list": ("""
def f(n):
    found = []
    def add(x):
        found.append(x)
    for i in range(n):
        add(i * 2)
    return found
""", (4,)),
}


@pytest.mark.parametrize("name", NONLOCAL)
def test_inner_functions_change_what_is_around_them(name):
    source, args = NONLOCAL[name]
    both(source, *args)


def test_array_that_an_inner_function_replaces():
    assert njit(function_of("""
def f(n):
    a = np.zeros(1)
    def grow():
        nonlocal a
        a = np.append(a, a.size)
    for i in range(n):
        grow()
    return a
"""))(2).tolist() == [0, 1, 2]


def test_variable_without_a_value():
    f = njit(function_of("""
def f(n):
    def get():
        nonlocal k
        return k
    def put():
        nonlocal k
        k = 3
    if n > 3:
        put()
    got = get()
    k = 5
    return got
"""))
    assert f(5) == 3
    with pytest.raises(UnboundLocalError):
        f(1)


def test_type_that_changes():
    f = njit(function_of("""
def f(n):
    total = 0
    def add(x):
        nonlocal total
        total = x
    add("a")
    return total
"""))
    with pytest.raises(TypingError, match="begin with a value of the type unicode_type"):
        f(1)


@pytest.mark.parametrize("source", ["""
def f(n):
    x = 0
    def g():
        nonlocal x
        x += 1.5
    g()
    return x
""", """
def f(n):
    s = 0
    t = 0
    def g(v):
        nonlocal s, t
        s = s + v
        t = t + 1
    def h(v):
        g(v)
        g(v * 2)
    for i in range(n):
        h(i * 0.5)
    s = s * 1
    return s, t
""", """
def f(n):
    s = 0.5
    def even(k):
        nonlocal s
        s *= 1j
        if k == 0:
            return 0
        return odd(k - 1)
    def odd(k):
        if k == 0:
            return 1
        return even(k - 1)
    return even(n), s
""", """
def f(n):
    s = 0
    def g(v):
        nonlocal s
        def h():
            nonlocal s
            s = s + v
        h()
        return s + 0.0
    for i in range(n):
        g(i * 0.5)
    return s
"""])
def test_number_that_becomes_wider(source):
    both(source, 5)


# what CPython makes no code of, for it cannot be reached
DEAD = {
    "behind a return": "return p\n    {}",
    "behind a raise": "if p > 100:\n        raise ValueError\n        {}\n    return p",
    "behind a continue": "for i in range(3):\n        continue\n        {}\n    return p",
    "behind a break": "for i in range(3):\n        break\n        {}\n    return p",
    "behind an endless loop": "while True:\n        if p < 100:\n            return p\n    {}",
    "under False": "if False:\n        {}\n    return p",
    "beside True": "if True:\n        return p\n    else:\n        {}\n    return 3",
    "behind True": "if True:\n        return p\n    {}",
    "in a loop of no turns": "while 0:\n        {}\n    return p",
    "behind if and else": "if p < 100:\n        return p\n    else:\n        return 0\n    {}",
    "behind a try": "try:\n        return p\n    finally:\n        p += 1\n    {}",
    "behind two arms that are true": "if (True if p > 3 else True):\n        return p\n    {}",
    "behind or": "if p or 1:\n        return p\n    {}",
    "behind not": "if not (p and 0):\n        return p\n    {}",
    "behind a text": "if 'text':\n        return p\n    {}",
    "behind bytes": "if not b'':\n        return p\n    {}",
    "behind a tuple": "if (1, 2):\n        return p\n    {}",
    "behind an ellipsis": "if ...:\n        return p\n    {}",
    "behind a complex number": "if 1j:\n        return p\n    {}",
    "behind arithmetic": "if 3 - 2 * 5 + ~1:\n        return p\n    {}",
    "behind an item of a tuple": "if (0, 1)[1]:\n        return p\n    {}",
    "behind a repeated text": "if not 'a' * 0:\n        return p\n    {}",
}
FORMS = ["def g(x): return x\n{0}return g(p)", "g = lambda x: x + p\n{0}return g(3)", "return (lambda x: x)(p)",
         "def g(x): return h(x)\n{0}def h(x): return g(x)\n{0}return h(p)", "return sorted([1, 2], key=lambda x: -x)[0]",
         "return 3 if True else (lambda x: x)(p)", "return sum(x for x in (1, 2))",
         "return 1 or (lambda x: x)(p)", "return p and 0 and (lambda x: x)(p)", "return [p, 2.5 and 3 or (lambda x: x)(p)][0]",
         "while (lambda x: x)(p) < 3:\n{0}    p += 1\n{0}return p",
         "def g(x):\n{0}    nonlocal p\n{0}    p += x\n{0}g(2)\n{0}return p"]


@pytest.mark.parametrize("place", DEAD)
def test_inner_functions_that_cannot_be_reached(place):
    for form in FORMS:
        lines = DEAD[place].split("\n")
        indent = next(len(line) - len(line.lstrip()) for line in lines if "{}" in line) or 4
        f = function_of("def f(p):\n    " + DEAD[place].format(form.format(" " * indent)) + "\n")
        if "def h" in form and any(inspect.iscode(value) for value in f.__code__.co_consts):
            continue  # CPython 3.14 folds arithmetic later, and has code of this: an endless recursion
        assert njit(f)(7) == f(7), form
