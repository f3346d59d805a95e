# SPDX-License-Identifier: MIT
"""Forms of the language that few programs use, against what Python makes of them."""
import collections
import enum
import itertools
import re

import numpy as np
import pytest

import numba
from numba import njit, types
from numba.experimental import jitclass, structref

Point = collections.namedtuple("Point", "x y z", defaults=(5, 6.5))
Mixed = collections.namedtuple("Mixed", "n text")


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


def check(make, cases, **names):
    """Each expression of a, b, c, compiled with the others in one function, against Python."""
    body = "".join(f"    r{i} = {case}\n" for i, case in enumerate(cases))
    everything = ", ".join(f"r{i}" for i in range(len(cases)))
    function = make(f"def f(a, b, c):\n{body}    return ({everything},)\n", **names)
    for args in [(3, 200, 13), (-3, 5, -7), (7, -1, 9)]:
        assert njit(function)(*args) == function(*args)


def test_named_tuples(make):
    check(make, ["Point(a)", "Point(a, z=b)", "Point(y=a, x=b)", "Point(a)._replace(y=c, z=2.5)",
                 "Point(a)._fields", "Point._fields", "Point._make((a, b, c))", "Point(a, b)[1]",
                 "len(Mixed(a, 'x')._fields)", "Mixed(a, 'x')._replace(n=4).n"], Point=Point, Mixed=Mixed)
    as_dict = njit(make("def f(p):\n    return p._asdict()\n"))(Point(1))
    assert dict(as_dict) == {"x": 1, "y": 5, "z": 6.5}
    assert njit(make("def f(p):\n    d = p._asdict()\n    return d['n'], d['text']\n"))(Mixed(1, "a")) == (1, "a")
    assert njit(make("def f(p):\n    return hasattr(p, '_fields'), hasattr(p, '_rows')\n"))(Point(1)) == (True, False)
    with pytest.raises(numba.TypingError, match="unexpected field names"):
        njit(make("def f(p):\n    return p._replace(q=3)\n"))(Point(1))
    with pytest.raises(numba.TypingError, match="takes 2 arguments, 1 given"):
        njit(make("def f():\n    return Mixed(1)\n", Mixed=Mixed))()


def test_builtins_of_integers_and_ranges(make):
    check(make, ["pow(a, 3, c)", "pow(b * b, a * a, 1000003)", "pow(2, 62, 2 ** 61 - 1)", "pow(a, 2)",
                 "pow(-(2 ** 62) - 5, 77, 2 ** 62 + 1)", "pow(a, -2, 10 ** 9 + 7)", "pow(a, 0, 1)",
                 "range(-9, 9, 2).index(3)", "range(9, -9, -3).count(a)", "range(5).count(b)",
                 "slice(1, a) == slice(1, 3)", "slice(1, a, b) != slice(1, a, c)",
                 "callable(abs)", "callable(a)", "callable(Point)",
                 "sum([x * y for x, y in zip(range(a, a + 3), (1, 2, 3), strict=True)])",
                 "sum([x * y for x, y in zip(range(4), (1, 2, 3), strict=False)])"], Point=Point)
    cases = {"pow(3, 3, n)": "pow.. 3rd argument cannot be 0", "pow(2, -1, n + 4)": "not invertible",
             "range(n, 9, 2).index(3)": "not in range",
             "list(zip((1, 2), range(n), strict=True))": "argument 2 is shorter than argument 1$",
             "list(zip(range(n), (1, 2), [1][:n], strict=True))": "argument 2 is longer than argument 1$"}
    for case, words in cases.items():
        with pytest.raises(ValueError, match=words):
            njit(make(f"def f(n):\n    return {case}\n"))(0)


def test_strict_zips_of_what_has_no_length(make):
    things = ["(i for i in range({0}))", "enumerate([5, 6, 7][:{0}])", "zip('abc'[:{0}], [5, 6, 7])", "np.ndindex({0}, 1)",
              "map(abs, [1, 2, 3][:{0}])", "np.arange({0})", "range({0})", "[7, 8, 9][:{0}]"]

    def outcome(f):
        try:
            return [str(x) for x in f()]
        except ValueError as error:
            return str(error)

    for number, (first, second) in list(enumerate(itertools.product(things, things)))[::3]:
        lengths = [(2, 2, 2), (2, 3, 2), (3, 2, 3), (2, 2, 3), (2, 2, 1)][number % 5]
        third = things[number % len(things)]
        given = ", ".join(thing.format(n) for thing, n in zip((first, second, third), lengths))
        f = make(f"def f():\n    return [x for x in zip({given}, strict=True)]\n")
        expected = outcome(f)
        if not isinstance(expected, str):
            expected = [re.sub(r"np\.int64\((\d)\)", r"\1", x) for x in expected]
        assert outcome(njit(f)) == expected, given


def test_enum_keys(make):
    def f(member):
        counts = {Colour.RED: 10, Colour.GREEN: 20}
        counts[member] += 1
        return counts[Colour.RED], counts[Colour.GREEN], hash(member) == hash(Colour.GREEN)
    assert njit(f)(Colour.GREEN) == (10, 21, True)


def test_generator_close():
    @njit
    def count(n):
        for i in range(n):
            yield i
    numbers = count(3)
    assert next(numbers) == 0 and numbers.close() is None and list(numbers) == []


def test_objmode_without_call():
    seen = []

    @njit
    def f(n):
        with numba.objmode:
            seen.append(n)
        return n
    assert f(3) == 3 and seen == [3]


@jitclass([("__total", types.int64), ("n", types.int64)])
class Counter:
    def __init__(self, n):
        self.__total = 0
        self.n = n

    def __step(self, by):
        self.__total += by

    def run(self):
        for _ in range(self.n):
            self.__step(2)
        return self.__total


def test_private_names_of_classes():
    assert Counter(4).run() == 8
    assert njit(lambda: Counter(5).run())() == 10
    assert Counter.__module__ == __name__ and f"'{__name__}.Counter'" in repr(Counter)
    assert repr(Counter(1)).startswith("<numba.experimental.jitclass.boxing.Counter object at 0x")
    with pytest.raises(TypeError, match="missing a required argument: 'n'"):
        Counter()
    with pytest.raises(TypeError, match="too many positional arguments"):
        Counter(1, 2)


def test_struct_types_are_shown_as_numba_does():
    @structref.register
    class PairType(types.StructRef):
        pass
    assert repr(PairType([("a", types.int64), ("b", types.float64)])) == "numba.PairType(('a', int64), ('b', float64))"
    assert repr(PairType([("a", types.int64)])) == "numba.PairType(('a', int64),)"


def test_allocations_are_counted(run_python):
    done = run_python(code="""
import gridcell
gridcell.activate()
import numpy as np
from numba import njit
from numba.core.runtime import _nrt_python as _nrt, rtsys

@njit
def f(n):
    rows = [np.ones(i) for i in range(n)]
    texts = {str(i): i for i in range(n)}
    return rows[n - 1], len(texts)

f(5)
try:
    rtsys.get_allocation_stats()
except RuntimeError as error:
    print(error)
_nrt.memsys_enable_stats()
kept = f(50)
stats = rtsys.get_allocation_stats()
print(stats.alloc > 100, stats.alloc - stats.free, stats.mi_alloc - stats.mi_free)
del kept
stats = rtsys.get_allocation_stats()
print(stats.alloc == stats.free, stats.mi_alloc == stats.mi_free, rtsys.memsys_stats_enabled())
_nrt.memsys_disable_stats()
print(rtsys.memsys_stats_enabled())
""")
    assert done.stdout.splitlines() == ["NRT stats are disabled.", "True 1 1", "True True True", "False"]


def test_stencil_filling_that_is_no_number():
    with pytest.raises(numba.core.errors.NumbaValueError, match="cval type does not match"):
        numba.stencil(cval="a")(lambda a: a[1])(np.arange(4.0))
