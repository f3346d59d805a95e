"""keys(), values() and items() of dicts, kept and used later, beside plain Python."""
import pytest
from conftest import function_of, outcome_on_copies
from numba import njit
from numba.core import errors, types
from numba.typed import Dict

BODIES = [
    # What a view shows is what the dict holds then.
    "k, v, i = d.keys(), d.values(), d.items()\nseen = [(len(k), sum(v), len(i))]\nd[70] = 7.5\nseen.append((len(k), sum(v), len(i)))\n"
    "d.pop(1)\nd[2] = -1.0\nseen.append((len(k), sum(v), len(i)))\nresult = list(k), list(v), list(i), bool(k), not v\nd.clear()\n"
    "return seen, result, list(k), list(v), list(i), bool(k), not v, len(i)",
    "k = d.keys()\nn = 0\nfor step in range(4):\n    d[step * 100] = 0.5\n    for x in k:\n        n = n * 3 + x\nreturn n, 300 in k, 301 in k",
    "k, v, i = d.keys(), d.values(), d.items()\nd[9] = 0.25\nreturn (9 in k, 10 in k, 0.25 in v, 5.0 in v, 9.0 in k, 3 not in v, "
    "(9, 0.25) in i, (9, 0.5) in i, (8, 0.25) in i, (9, 0.25) not in i, 9 in i, (1, 2, 3) in i)",
    "k, v, i = d.keys(), d.values(), d.items()\nd[9] = 0.25\nreturn (sorted(k), set(k), min(v), max(k), max(i), sum(k), any(v), all(k), "
    "list(reversed(k)), list(reversed(i)), list(enumerate(v, 5)), list(zip(k, v)), [x for x in k if x > 1], {y: x for x, y in i}[0.25], "
    "list(dict(i).items()), [*reversed(v)], sorted(i, reverse=True), list(map(abs, k)), list(filter(None, v)), next(iter(k)))",
    "k, v, i = d.keys(), d.values(), d.items()\nd[9] = 0.25\nprint(k, v, i)\nreturn str(k), repr(v), f'{i} {k!r}', str((k, 1)), str([v])",
    # Sets of keys and items.
    "k, e = d.keys(), {1: 2.5, 9: 1.0, 4: 4.0}\nd[9] = 0.25\nl = e.keys()\nsets = [k & l, k | l, k - l, k ^ l, k & {9}, {9, 50} | k, {9, 50} - k, "
    "k - [9], [9, 50] ^ k, k & range(10)]\nitems = [d.items() & e.items(), d.items() - e.items(), e.items() | i_of(d), d.items() ^ {(9, 0.25)}]\n"
    "return [sorted(s) for s in sets], [sorted(s) for s in items]",
    "k, e = d.keys(), {1: 2.5}\nl = e.keys()\nresult = [k == l, k != l, k < l, l < k, k <= l, l <= k, k > l, l > k, k >= l, l >= k, k == k, k <= k]\n"
    "d.clear()\nd[1] = 2.5\nreturn (result, k == l, k < l, k == {1}, {1} == k, k <= {1, 2}, {1, 2} > k, d.items() == e.items(), d.items() >= {(1, 2.5)}, "
    "k == [1], k != 1, k.isdisjoint(l), k.isdisjoint([7, 8]), d.items().isdisjoint(e.items()), d.items().isdisjoint({(1, 3.5)}))",
    "k = d.keys()\ns = {50}\ns |= k\nt = s\nt &= k\ns.update(d.keys())\nl = [0.5]\nl.extend(d.values())\nl += d.values()\nl[:1] = d.values()\n"
    "e = {7: 1.0}\ne.update(d.items())\nreturn sorted(s), sorted(t), l, list(e.items()), s.issuperset(k), s.isdisjoint(k), sorted(s - set(k)), ','.join({'a': 1, 'b': 2}.keys())",
    # A view is a value like others: in variables that meet, in tuples and lists, as an argument.
    "e = d.copy()\ne[8] = 0.5\nk = d.keys()\nif len(d) < 3:\n    k = e.keys()\npair = (k, d.items())\nviews = [k, e.keys()]\nd[90] = 1.0\n"
    "return list(pair[0]), list(pair[1]), [len(x) for x in views], total(d.values()), total(k), inner_total(d)",
    "k = None\nif len(d) > 1:\n    k = d.keys()\nd[90] = 1.0\nreturn -1 if k is None else len(k)",
    # The dict may not grow meanwhile.
    "n = 0\nfor k in d.keys():\n    n += 1\n    d[k + 1000] = 1.0\nreturn n",
    "v = d.values()\nfor x in v:\n    d.clear()\nreturn len(v)",
    "i = d.items()\nfor at, (k, v) in enumerate(i):\n    d[k] = v + at\nreturn list(i)",
    "i = d.items()\nfor at, (k, v) in enumerate(i):\n    d[k - 1000] = v\nreturn list(i)",
    "for k, v in zip(d.keys(), d.values()):\n    d[k + 1000] = v\nreturn len(d)",
    "for k, v in zip(range(9), d.values()):\n    d[k + 1000] = v\nreturn len(d)",
]


@njit
def total(view):
    n = 0.0
    for x in view:
        n = n * 2 + x
    return n, len(view)


@njit
def inner_total(d):
    view = d.values()

    def add(start):
        for x in view:
            start += x
        return start

    d[91] = 9.5
    return add(0.5)


@njit
def i_of(d):
    return d.items()


@pytest.mark.parametrize("body", BODIES)
def test_like_python(make, body, capfd):
    scope = {"total": total, "inner_total": inner_total, "i_of": i_of}
    text = "def f(d):\n" + "".join(f"    {line}\n" for line in body.split("\n"))
    f, plain = (make(text) for _ in range(2))
    f.__globals__.update(scope)
    plain.__globals__.update({name: value.py_func for name, value in scope.items()})
    jitted = njit(f)
    for d in ({1: 2.5, 2: 5.0, 3: -1.5}, {1: 2.5}):
        expected, printed = outcome_on_copies(plain, [d]), capfd.readouterr().out
        assert outcome_on_copies(jitted, [d]) == expected, body
        assert capfd.readouterr().out == printed
        if BODIES.index(body) % 5:
            continue
        typed = Dict.empty(types.int64, types.float64)
        typed.update(d)
        given = outcome_on_copies(jitted, [typed])
        assert given[:1] == expected[:1] and (given[1] == expected[1] or not isinstance(given[0], type))
        capfd.readouterr()


@pytest.mark.parametrize("body, words", [
    ("d.keys()[0]", "getitem"), ("d.values() & {1}", "values\\(\\) have none"), ("d.keys() & 3", "to be looped over"),
    ("d.keys() + d.keys()", "operators"), ("d.values() == d.values()", "not known"), ("d.keys() is d.keys()", "not known"),
    ("d.values() < d.values()", "not known"), ("d.values() < d.keys()", "order"), ("hash(d.keys())", "hash"), ("{d.items()}", "hash"),
    ("d.keys().mapping", "attribute 'mapping'"), ("d.values().isdisjoint({1})", "attribute 'isdisjoint'"),
    ("d.keys() | {'a'}", "holds values of another type")])
def test_refused(make, body, words):
    with pytest.raises(errors.TypingError, match=words):
        njit(make(f"def f(d):\n    return {body}\n"))({1: 2.5})


def test_views_returned_are_pythons(make):
    d = {1: 2.5}
    k, v, i = njit(make("def f(d):\n    return d.keys(), d.values(), d.items()\n"))(d)
    d[2] = 5.0
    assert (list(k), list(v), list(i)) == ([1, 2], [2.5, 5.0], [(1, 2.5), (2, 5.0)]) and type(k) is type(d.keys())


MADE = ("map(lambda k: k, d)", "filter(None, s)", "iter(d.items())", "(v for v in d.values())", "zip(d, range(9))", "enumerate(s)",
        "enumerate(zip(d.values(), s))")
CHANGED = "def f(n):\n    d = {{i: i + 1 for i in range(n)}}\n    s = {{i for i in range(n)}}\n    m = {}\n"
CHANGED += "    if n > 3:\n        d[99] = 1\n        s.add(99)\n    {}\n"


@pytest.mark.parametrize("made,used", zip(MADE, 4 * ["return len(list(m))", "next(m)\n    return 1"]))
def test_iterators_mind_changes_since_they_were_made(made, used):
    f = function_of(CHANGED.format(made, used))
    compiled = njit(f)
    assert compiled(3) == f(3)
    with pytest.raises(RuntimeError) as want:
        f(4)
    with pytest.raises(RuntimeError, match=str(want.value)):
        compiled(4)
