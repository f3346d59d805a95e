"""Dicts and sets in compiled functions, compared with plain Python."""
import random

import numpy as np
import pytest
from conftest import outcome_on_copies
from numba import njit
from numba.core import errors, types
from numba.typed import Dict


def compare(make, body, *cases):
    f = make("def f(n):\n" + "".join(f"    {line}\n" for line in body.split("\n")))
    jitted = njit(f)
    for args in cases:
        assert outcome_on_copies(jitted, args) == outcome_on_copies(f, args), body


BODIES = [
    "s = set()\nd = {}\nfor i in range(n * 3000):\n    k = i * i % 50021\n    s.add(k)\n    d[k] = i\n    if i % 3 == 0:\n"
    "        s.discard(k - i % 5)\n        d.pop(k - i % 7, 0)\nreturn len(s), sum(s), len(d), sum(d.values()), list(d)[:50]",
    "d = {}\nfor i in range(n):\n    d[i % 7] = d.get(i % 7, 0) + i\ns = 0\nfor k in d:\n    s = s * 3 + k + d[k]\n"
    "return s, len(d), 3 in d, 9 not in d, list(d.items())",
    "d = {1: 2.5, 3: 4.5}\ndel d[1]\nd[8] = 1.0\nreturn list(d.keys()), list(d.values()), d.pop(3), d.pop(77, 5.0), "
    "d.setdefault(5, 3.5), list(d.items()), d.get(9), d.get(8)",
    "d = {'a': 1}\nd['b' + str(n)] = 2\nreturn list(d.items()), 'a' in d, d['zz']",
    "d = {1: 2}\nreturn d[n]",
    "d = {(1, 2): 'x'}\nd[(n, 2)] = 'y'\nreturn list(d.items()), d.pop((1, 3))",
    "d = {}\nd[n] = [1]\nd[n].append(2)\nd.setdefault(7, [5]).append(6)\nreturn list(d.items())",
    "d = {i: i for i in range(n)}\nfor i in range(n):\n    if i % 3:\n        del d[i]\nfor i in range(n):\n"
    "    d[i * 1000] = 1\nx = d.popitem()\nreturn list(d.items()), x",
    "d = {0.5: 1}\nd[1e300] = 2\nd[-0.25] = n\nreturn list(d.items()), d.get(0.5), d.get(3.0), d.get(1)",
    "d = dict([(1, 'a'), (2, 'b')])\ne = d.copy()\ne.update({3: 'c', 1: 'z'})\nf = d | e\nd |= {9: 'x'}\n"
    "return list(d.items()), list(e.items()), list(f.items()), d == e, d != e, d == d.copy(), len(f)",
    "d = {True: 1}\nd[False] = n\nd.clear()\nd[True] = 3\nreturn list(d.items()), not d",
    "d = {}\nwhile n > 0:\n    d[n] = n * 2.0\n    n -= 1\nreturn [k for k in d], sum([x for x in d.values()]), "
    "[(i, k) for i, k in enumerate(d)], {k: v + 1 for k, v in d.items()}[1]",
    "d = {1: 1}\nreturn d.popitem(), d.popitem()",
    "s = {1, 2, 3}\nt = set()\nfor i in range(n):\n    t.add(i * 2)\nreturn (sorted(s | t), sorted(s & t), sorted(s - t), "
    "sorted(s ^ t), len(t), 4 in t, s <= t, {1} < s, s == {3, 2, 1}, s != t, s > {1}, s >= s)",
    "s = set([3, 1, n])\ns.discard(77)\ns.remove(1)\ns.update([7, 8])\nt = s.copy()\ns |= {20}\ns -= {3}\ns ^= {7, 50}\n"
    "s &= {20, 8, 50}\nreturn sorted(s), sorted(t), t.issubset([3, n, 7, 8, 9]), s.issuperset({8}), s.isdisjoint(t), "
    "sorted(t.union([100])), sorted(t.difference(s)), sorted(t.intersection([8])), sorted(t.symmetric_difference({8}))",
    "s = {'a', 'b'}\ns.add('c' + str(n))\nreturn sorted([x for x in s]), 'a' in s, sorted({x % 3 for x in range(n)})",
    "s = {1}\ns.remove(n)\nreturn s",
    "s = {n}\nx = s.pop()\ns.pop()\nreturn x",
]


@pytest.mark.parametrize("body", BODIES)
def test_like_python(make, body):
    compare(make, body, [50], [5], [1])


def test_random_operations(make):
    steps = ["d[{}] = {}", "d.pop({}, -1)", "if {} in d:\n        del d[{}]", "d.setdefault({}, {})", "x += d.get({}, {})",
             "d.update({{{}: {}}})"]
    generator = random.Random(3)
    lines = []
    for _ in range(60):
        key = generator.choice([0, 1, 2, 3, 64, 2 ** 40, -5, 2 ** 62])
        step = generator.choice(steps)
        lines.append(step.format(key, key if step.startswith("if") else generator.randint(-9, 9)))
    f = make("def f(n):\n    d = {}\n    x = 0\n" + "".join(f"    {line}\n" for line in lines) +
             "    return list(d.items()), x\n")
    assert outcome_on_copies(njit(f), [1]) == outcome_on_copies(f, [1])


def test_arguments_are_written_back(make, recwarn):
    plain = {"a": 1.0, "b": 2.0}
    f = njit(make("def f(d):\n    d['x'] = 5.0\n    del d['a']\n    return d, len(d)\n"))
    assert f(plain)[0] is plain and plain == {"b": 2.0, "x": 5.0} and list(plain) == ["b", "x"]
    empty = {}
    njit(make("def f(d):\n    for i in range(3):\n        d[i] = i * 0.5\n"))(empty)
    assert empty == {0: 0.0, 1: 0.5, 2: 1.0}
    numbers = {1, 2}
    g = njit(make("def f(s):\n    s.add(9)\n    s.discard(1)\n    return s\n"))
    assert g(numbers) is numbers and numbers == {2, 9}
    lists = {1: [3]}
    one = lists[1]
    h = njit(make("def f(d):\n    d[1].append(7)\n    d[2] = [1, 2]\n    return d[1]\n"))
    assert h(lists) is one and lists == {1: [3, 7], 2: [1, 2]} and lists[1] is one
    arrays = {"a": np.ones(2)}
    held = arrays["a"]
    njit(make("def f(d):\n    d['a'][0] = 5\n    d['b'] = d['a'] + 1\n"))(arrays)
    assert arrays["a"] is held and list(held) == [5, 1] and list(arrays["b"]) == [6, 2]
    with pytest.raises(errors.TypingError, match="Cannot determine Numba type of <class 'dict'>"):
        f({"text": "is refused, as numba has it"})
    look = njit(make("def f(d, k):\n    return d[k]\n"))
    with pytest.raises(KeyError, match="'zz'"):
        look(plain, "zz")
    assert not recwarn.list


def test_results_are_typed(make):
    f = njit(make("def f(n):\n    d = {}\n    for i in range(n):\n        d[i] = float(i)\n    return d\n"))
    result = f(3)
    assert repr(result) == "DictType[int64,float64]<iv=None>({0: 0.0, 1: 1.0, 2: 2.0})"
    assert str(result) == "{0: 0.0, 1: 1.0, 2: 2.0}" and result == {0: 0.0, 1: 1.0, 2: 2.0}
    assert njit(make("def f(n):\n    return {n, 5}\n"))(3) == {3, 5}


def test_what_has_no_type(make):
    with pytest.raises(errors.TypingError, match="Cannot infer the type of variable 'd', have imprecise type"):
        njit(make("def f():\n    d = {}\n    return len(d)\n"))()


@njit
def churn(keys, kinds):
    items, table, seen = {np.int64(0)}, {np.int64(0): 0}, [0]
    items.discard(0)
    table.pop(0)
    for i in range(len(keys)):
        key = keys[i]
        if kinds[i] == 0:
            items.add(key)
            table[key] = i
        elif kinds[i] == 1:
            items.discard(key)
            if key in table:
                seen.append(table.pop(key))
        else:
            seen.append(len(items))
            seen.append(1 if key in items else 0)
            seen.append(table.get(key, -1))
    return seen, items, dict(table)


@pytest.mark.parametrize("most", [2, 8, 60, 2000, 10**12])
def test_items_come_and_go(rng, most):
    keys, kinds = rng.integers(-most, most, 3000), rng.integers(0, 3, 3000)
    seen, items, table = churn(keys, kinds)
    want = churn.py_func(keys.tolist(), kinds.tolist())
    assert seen == want[0] and items == want[1] and dict(table) == want[2]
    assert add_and_discard(3000) == 1


@njit
def add_and_discard(n):
    path, cells = {1}, {1: 1}
    for i in range(2, n):
        path.add(i)
        path.discard(i)
        cells[i] = i
        del cells[i]
    return len(path) * len(cells)


def test_keys_that_are_members_of_an_enum(make):
    import enum

    class Level(enum.IntEnum):
        LOW = 1
        HIGH = 2
    f = njit(make("""
def f(x):
    d = {Level.LOW: 1.5}
    d[Level.HIGH] = 2.5
    return d[x], len(d), Level.HIGH in d, d.get(Level.LOW)
""", Level=Level))
    assert f(Level.HIGH) == (2.5, 2, True, 1.5)


CHANGED = [
    "for k in d:\n        if a:\n            d[k + 10] = 1",
    "for k, v in d.items():\n        if a:\n            del d[k]",
    "for v in d.values():\n        if a:\n            d.pop(1, 0)",
    "for k in d.keys():\n        if a:\n            d.clear()",
    "for i, k in enumerate(d):\n        if a:\n            d[i + 20] = i",
    "for k in s:\n        if a:\n            s.add(k + 10)",
    "for k in s:\n        if a:\n            s.discard(1)",
    # what stays as long as it is, or is not gone on with
    "for k in d:\n        d[k] = 9",
    "for k in list(d):\n        if a:\n            del d[k]",
    "for k in d:\n        if a:\n            d[50] = 1\n            break",
    "for k in d:\n        d = {k: 1, 60: k + a}",
    "for k in {x: a for x in d}:\n        d[k + 70] = k",
]


def test_changes_while_a_loop_runs(make):
    for loop in CHANGED:
        plain = make(f"def f(a):\n    d = {{1: 2, 3: 4}}\n    s = {{1, 2}}\n    {loop}\n    return sorted(d.items()), sorted(s)\n")
        f = njit(plain)
        for a in (0, 1):
            try:
                want = plain(a)
            except RuntimeError as error:
                with pytest.raises(RuntimeError) as got:
                    f(a)
                assert str(got.value) == str(error), loop
            else:
                assert f(a) == want, loop


def test_displays_that_unpack(make):
    plain = make("def f(a):\n    d = {1: 2, 3: 4}\n    e = {**d}\n    e[9] = a\n    g = {**{1: a}, 3: a + 1}\n"
                 "    h = {5: 1, **d, 3: a, **e, **{7: 7}}\n    x = [6, a]\n"
                 "    return len(d), e, g, h, {**d, **d}, [*x, *d.values()], (*x, 1) if a > 5 else (0, 0, 0)\n".replace(
                     "(*x, 1) if a > 5 else (0, 0, 0)", "[*x, 1]"))
    f = njit(plain)
    for a in (0, 11):
        got, want = f(a), plain(a)
        assert [list(x.items()) if hasattr(x, "items") else x for x in got] == \
            [list(x.items()) if hasattr(x, "items") else x for x in want]


@pytest.mark.parametrize("line", [
    "x.copy()", "k in x.copy()", "len(x.copy())", "x.copy().pop(k)", "x.copy() == x", "x | x", "k in (x | x)",
    "x.copy().copy() == x", "list(x.copy())"])
@pytest.mark.parametrize("value", [{1: 2, 5: 6}, {1, 5}, {"a": 1.5, "b": 2.5}, {"a", "b"}], ids=str)
def test_first_uses_of_an_argument(make, line, value):
    """A dict or set that the caller made has no table yet, whatever is done with it first."""
    if isinstance(value, set) and "pop" in line:
        line = "x.copy().discard(k)"
    f = make(f"def f(x, k):\n    return {line}\n")
    k = next(iter(value))
    got, want = njit(f)(value, k), f(value, k)
    assert (sorted(got) == sorted(want)) if isinstance(want, list) else got == want


@pytest.mark.parametrize("join", ["a | b", "a ^ b", "a.union(b)", "a.symmetric_difference(b)", "a.update(b)",
                                  "a.symmetric_difference_update(b)", "a.union(list(b))", "a.update(list(b))"])
def test_sets_take_in_no_items_with_loss(make, join):
    """A set of integers became {1, 2, 3} with {3.5}."""
    plain = make(f"def f(a, b):\n    return a, {join}\n")
    f = njit(plain)
    with pytest.raises(errors.TypingError, match="cannot become one without loss"):
        f({1, 2}, {2.0, 3.5})
    assert f({1.5, 2.0}, {2, 3}) == plain({1.5, 2.0}, {2, 3})
    assert f({1, 2}, {2, 3}) == plain({1, 2}, {2, 3})


@pytest.mark.parametrize("join", ["a | b", "a.update(b)"])
def test_dicts_take_in_no_keys_with_loss(make, join):
    f = njit(make(f"def f(a, b):\n    c = {join}\n    return len(a)\n"))
    whole, broken = Dict.empty(types.int64, types.int64), Dict.empty(types.float64, types.int64)
    with pytest.raises(errors.TypingError, match="without loss"):
        f(whole, broken)
    assert f(broken, whole) == 0
