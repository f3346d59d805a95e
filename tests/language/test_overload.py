"""numba.extending: functions, methods and attributes that a program implements by types."""
import gc

import numpy as np
import pytest

import numba
from numba import njit, types
from numba.core import overloads
from numba.core.errors import TypingError
from numba.extending import (
    is_jitted, overload, overload_attribute, overload_method, register_jitable)


def test_by_types(make):
    def size_of(x):
        raise NotImplementedError

    @overload(size_of)
    def of_number(x):
        if isinstance(x, types.Integer):
            return lambda x: 1
        if isinstance(x, types.Float):
            return lambda x: 2

    @overload(size_of)
    def of_array(x):
        if isinstance(x, types.Array) and x.ndim == 2 and isinstance(x.dtype, types.Float):
            def implementation(x):
                return x.shape[0] * x.shape[1]
            return implementation
        if isinstance(x, types.UniTuple):
            count = x.count
            return lambda x: count * 100

    f = njit(make("def f(x):\n    return size_of(x)\n", size_of=size_of))
    assert f(3) == 1 and f(2.5) == 2
    assert f(np.zeros((2, 3))) == 6
    assert f((1, 2, 3)) == 300
    with pytest.raises(TypingError, match="No overload of it takes arguments of these types"):
        f("text")
    with pytest.raises(NotImplementedError):
        size_of(1)


def test_defaults_keywords_and_literals(make):
    def scale(x, factor=2, mode="up"):
        raise NotImplementedError

    @overload(scale)
    def ol_scale(x, factor=2, mode="up"):
        if not isinstance(mode, (str, types.StringLiteral)):
            return None
        up = (mode if isinstance(mode, str) else mode.literal_value) == "up"
        if up:
            return lambda x, factor=2, mode="up": x * factor
        return lambda x, factor=2, mode="up": x / factor

    f = njit(make("def f(x):\n"
                  "    return scale(x), scale(x, 3), scale(x, mode='down', factor=4)\n",
                  scale=scale))
    assert f(8) == (16, 24, 2.0)


def test_library_functions(make):
    @overload(np.fill_diagonal)
    def ol_fill(a, val, wrap=False):
        if isinstance(a, types.Array) and a.ndim == 2 and isinstance(val, types.Number):
            def implementation(a, val, wrap=False):
                for i in range(min(a.shape)):
                    a[i, i] = val
            return implementation

    f = njit(make("def f(a):\n    np.fill_diagonal(a, 7)\n    return a\n"))
    assert np.trace(f(np.zeros((3, 3)))) == 21

    @overload(len)
    def ol_len(x):
        if isinstance(x, types.Float):
            return lambda x: 42

    g = njit(make("def g(x, a):\n    return len(x), len(a)\n", "g"))
    assert g(1.5, np.zeros(3)) == (42, 3)
    late = njit(make("def h(v, n):\n    for i in range(0):\n        i = z\n        z = len([q for q in range(i)])\n"
                     "    v.append(n)\n    return v\n", "h"))
    assert late([1], 2) == [1, 2]  # a length that what the list holds depends on
    unrolled = njit(make("def u(z):\n    a = (1, 'abc', z)\n    names = ''\n    for i in range(len(literal_unroll(a))):\n"
                         "        if isinstance(a[i], str):\n            names += a[i]\n    return names\n", "u",
                         literal_unroll=numba.literal_unroll))
    assert unrolled("d") == "abcd"
    for names in "len", "(1, (len, 2))", "np.fill_diagonal", "[len]", "{1: len}", "[[len]]", "{'a': [len]}":
        with pytest.raises(TypingError, match=r"Can't return function object \(Function\(<built-in function"):
            njit(make(f"def f():\n    return {names}\n"))()


def test_methods_and_attributes(make):
    @overload_method(types.Array, "doubled")
    def ol_doubled(a, times=1):
        def implementation(a, times=1):
            for _ in range(times):
                a = a * 2
            return a
        return implementation

    @overload_attribute(types.Array, "middle")
    def ol_middle(a):
        if a.ndim == 1:
            return lambda a: a[a.size // 2]

    f = njit(make("def f(a):\n    return a.doubled(), a.doubled(times=2).sum(), a.middle\n"))
    doubled, total, middle = f(np.arange(3.0))
    assert doubled.tolist() == [0, 2, 4] and total == 12 and middle == 1.0
    g = njit(make("def g(a):\n    return a.middle\n", "g"))
    with pytest.raises(TypingError, match="Unknown attribute 'middle'"):
        g(np.zeros((2, 2)))


def test_strict_and_failing(make):
    def first(x):
        raise NotImplementedError

    @overload(first)
    def ol_first(x):
        return lambda y: y

    f = njit(make("def f(x):\n    return first(x)\n", first=first))
    with pytest.raises(TypingError, match="differ in argument names"):
        f(1)

    @overload(first)
    def again(x):
        if isinstance(x, types.Integer):
            raise TypingError("no integers here")
        return lambda x: -x

    with pytest.raises(TypingError, match="no integers here"):
        f(1)
    assert f(2.0) == -2.0


def chooser(wanted, word):
    def choose(x):
        if not isinstance(x, wanted):
            raise TypingError(f"no {word}")
        return lambda x: word
    choose.__qualname__ = f"choose_{word}"
    return choose


def test_the_first_that_gives_something(make):
    """In the order in which they were added, whatever those before raise; what is defined anew stands before what it was."""
    def told(x):
        raise NotImplementedError

    for wanted, word in ((types.Integer, "whole"), (types.Number, "number"), (object, "any")):
        overload(told)(chooser(wanted, word))
    f = njit(make("def f(x):\n    return told(x)\n", told=told))
    assert [f(x) for x in (1, 1.5, "a")] == ["whole", "number", "any"]

    def other(x):
        raise NotImplementedError

    for word in "old", "new":
        space = {"types": types}
        exec(f"def choose(x):\n    return lambda x: {word!r}\n", space)
        overload(other)(space["choose"])
    assert njit(make("def f(x):\n    return other(x)\n", other=other))("a") == "new"


def test_register_jitable_and_is_jitted(make):
    def twice(x):
        return x + x
    marked = register_jitable(twice)
    assert marked is twice and twice(2) == 4 and not is_jitted(twice)
    f = njit(make("def f(x):\n    return twice(x) + 1\n", twice=twice))
    assert f(3) == 7 and is_jitted(f)


def test_literal_types():
    three = types.literal(3)
    assert isinstance(three, types.IntegerLiteral) and isinstance(three, types.Integer)
    assert isinstance(three, types.Literal) and three.literal_value == 3
    assert three == types.literal(3) and three != types.literal(4)
    assert types.unliteral(three) == types.int64 == numba.typeof(3)
    assert isinstance(types.literal("a"), types.StringLiteral)
    assert isinstance(types.literal(True), types.Boolean)


def test_an_answer_that_nobody_keeps_stays():
    """Of what chooses overloads and makes a dispatcher for each question."""
    class Doubles:
        def attribute(self, kind, name):
            return True if name == "twice_its_value" else None

        def method(self, given, name, keywords):
            return njit(lambda x: x * 2) if name == "twice_its_value" else None

    resolver = Doubles()
    overloads.add_resolver(resolver)
    try:
        f = njit(lambda x: x.twice_its_value())
        g = njit(lambda x: x.twice_its_value() + f(x))
        assert f(4) == 8
        gc.collect()
        others = [njit(eval(f"lambda x: x + {n}")) for n in range(50)]
        assert [other(1) for other in others] == list(range(1, 51))
        assert (f(2.5), f(4), g(3), g(1j)) == (5.0, 8, 12, 4j)
    finally:
        overloads._resolvers.remove(resolver)


CLASSES = """
import collections

import numpy as np

from numba import njit, types
from numba.extending import overload

Pair = collections.namedtuple("Pair", "a b")


def of_pairs(value, cls):
    def implement(x):
        if isinstance(x, types.BaseNamedTuple) and x.instance_class is Pair:
            return lambda x: value
    overload(cls)(implement)


for cls, value in ((int, 5), (float, 2.5), (complex, 1j), (str, "pair"), (bool, False), (list, 7), (dict, 8), (set, 9)):
    of_pairs(value, cls)


@overload(bool)
def slice_is_true(x):
    if isinstance(x, types.SliceType):
        return lambda x: x.start > 0


@njit
def made(pair):
    return int(pair), float(pair), complex(pair), str(pair), bool(pair), list(pair), dict(pair), set(pair)


@njit
def truths(x):
    return bool(x), 1 if x else 2


@njit
def kinds(x):
    return (isinstance(x, int), isinstance(x, (float, complex)), isinstance(x, str), isinstance(x, bool),
            isinstance(x, list), isinstance(x, (dict, set)))


@njit
def as_ever(x):
    d = dict()
    d[x] = np.ones(2)
    return (int(x), float("2.5"), complex(x), str(7), bool(x), list((1, 2)), np.zeros(1, float), np.ones(1, bool),
            np.zeros(1).astype(int), 1 if x else 2, len(d))


assert made(Pair(1, 2.0)) == (5, 2.5, 1j, "pair", False, 7, 8, 9)
assert truths(slice(1, 2)) == (True, 1) and truths(slice(0, 2)) == (False, 2)
for x in (3, 2.5, "x", True, [1], {1}):
    assert kinds(x) == (type(x) is int, type(x) is float, type(x) is str, type(x) is bool, type(x) is list, type(x) is set)
assert str(as_ever(3.5)) == str((3, 2.5, 3.5 + 0j, "7", True, [1, 2], np.zeros(1), np.ones(1, bool), np.zeros(1, int), 1, 1))
"""


def test_overloaded_classes_stay_classes(run_python):
    """In a process of its own: what it overloads is overloaded for all."""
    result = run_python("-m", "gridcell", code=CLASSES)
    assert result.returncode == 0, result.stderr


def test_a_part_of_a_parallel_caller_is_parallel(recwarn):
    def doubled(x):
        raise NotImplementedError

    def threads(x):
        raise NotImplementedError

    def implement(x):
        def implementation(x):
            out = np.empty(len(x), np.int64)
            for i in numba.prange(len(x)):
                total = 0.0
                for j in range(1000):
                    total += np.sin(x[i] + j)
                out[i] = numba.get_thread_id() + (total > 1000)
            return out
        return implementation

    overload(doubled, inline="always")(implement)
    overload(threads)(implement)
    x = np.zeros(4096)
    is_shared = {}
    for name, function in ("part", doubled), ("apart", threads):
        def caller(x):
            return function(x)
        made = njit(parallel=True)(caller)
        is_shared[name] = len(set(made(x))) > 1 or numba.get_num_threads() == 1
        warned = [warning for warning in recwarn.list if "no transformation" in str(warning.message)]
        assert len(warned) == (name == "apart")
    assert is_shared["part"]
    assert set(njit(lambda x: doubled(x))(x)) == {0}
