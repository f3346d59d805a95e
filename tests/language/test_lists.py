"""Lists in compiled functions, compared with plain Python."""
import random

import numpy as np
import pytest
from conftest import outcome_on_copies, resident
from numba import njit, typed
from numba.core import errors


def compare(make, body, *cases):
    f = make(f"def f({', '.join('abcd'[:len(cases[0])])}):\n" +
             "".join(f"    {line}\n" for line in body.split("\n")))
    jitted = njit(f)
    for args in cases:
        assert outcome_on_copies(jitted, args) == outcome_on_copies(f, args), (body, args)


BODIES = [
    "return a[0], a[-1], a[b], len(a)",
    "return a[b:], a[:b], a[::-1], a[b::-1], a[5:1:-2], a[::2], a[-3:], a[b:100], a[-100:b:-1]",
    "a.append(7)\nreturn a",
    "a.insert(b, 9)\nreturn a",
    "x = a.pop()\ny = a.pop(b)\nreturn x, y, a",
    "a.remove(3)\nreturn a",
    "a.clear()\nreturn a, not a",
    "a.reverse()\nreturn a.copy(), a.count(3), 3 in a, 99 not in a",
    "a.sort()\nc = sorted(a, reverse=True)\nreturn a, c, sorted(a, key=lambda x: -x)",
    "return a.index(3)",
    "return a.index(3, b), a.index(3, b, 100)",
    "del a[b]\nreturn a",
    "del a[b::2]\nreturn a",
    "del a[::-3]\nreturn a",
    "a[b] = 100\na[-1] += 5\nreturn a",
    "a[b:] = [1, 2, 3]\nreturn a",
    "a[1:1] = a\nreturn a",
    "a[::2] = [0] * len(a[::2])\nreturn a",
    "a[::2] = [0]\nreturn a",
    "a += [1, 2]\na.extend((3, 4))\na.extend(range(2))\na.extend(a)\nreturn a + [1], a * 2, 2 * a, a * -1",
    "a *= b\nreturn a",
    "c = [b]\nc *= 70\nreturn [7] * 50 + c, [a[:2], a] * 3, ['x', 'yz'] * b, (['q'] * 40)[-1], [(1, 2.5)] * 3",
    "return a * (1 << 62)",
    "return a == [3, 1, 2], a != [1], a < [3, 2], a >= [3], a <= a, a > [5]",
    "return sum(a), min(a), max(a), any(a), all(a), max(a, key=lambda x: -x)",
    "return [x * y for x in a for y in range(b) if x != y], [[x] * b for x in a]",
    "return [i + x for i, x in enumerate(a)], [x - y for x, y in zip(a, a[1:])], list(reversed(a))",
    "n = 0\nwhile a:\n    n += a.pop()\nreturn n",
    "x = 0\nfor y in a:\n    if y == 3:\n        break\n    x += y\nelse:\n    x = -1\nreturn x",
    "x, y, z = a\nreturn x + y * z",
    "for x in a:\n    if len(a) < 50:\n        a.append(x + 1)\nreturn a",
    "return list(map(lambda x: x + 1, a)), list(filter(lambda x: x > 2, a)), [*a, b, *a]",
    "c = a\nc.append(1)\nreturn a is c, a is a.copy(), c",
]
CASES = ([[3, 1, 2], 1], [[], 0], [[5], -1], [[3, 3, -1, 8, 0, 3, 2], 2], [[2, 9, 3, 4], -3], [[1, 3], 40])


@pytest.mark.parametrize("body", BODIES)
def test_like_python(make, body):
    compare(make, body, *CASES)


def test_random_operations(make):
    """A long sequence of random steps on one list."""
    steps = ["a.append({})", "a.insert({}, {})", "a.sort()", "a.reverse()", "a[{} % len(a)] = {}",
             "a.pop({} % len(a))", "a.extend(a[{} % 7:{} % 11])", "del a[{} % 5:{} % 9:{} % 3 + 1]",
             "a[{} % 4:{} % 6] = [{}, {}, {}]", "x = a[::{} % 3 - 4]\n    a.append(sum(x))",
             "if {} not in a:\n        a.append({})", "a.append(a.count({} % 4))"]
    generator = random.Random(7)
    for _ in range(6):
        lines = []
        for _ in range(40):
            step = generator.choice(steps)
            lines.append(step.format(*[generator.randint(-20, 20) for _ in range(5)]))
            lines.append("if not a:\n        a.append(1)")
        f = make("def f(a):\n" + "".join(f"    {line}\n" for line in lines) + "    return a, len(a)\n")
        assert outcome_on_copies(njit(f), [[4, 2, 9]]) == outcome_on_copies(f, [[4, 2, 9]]), lines


def test_items_of_all_types(make):
    compare(make, "a.append((7, 'z'))\na[0] = (1, a[1][1] + '!')\na.sort()\nreturn a[::-1], [s for _, s in a]",
            [[(3, "c"), (2, "b"), (5, "\u00e9\u4e2d")]])
    compare(make, "a.append('x' + a[0])\na.sort()\nreturn a, 'b' in a, a.index('b'), a == ['a']", [["b", "a"]])
    compare(make, "a[0].append(5)\na.append([1])\na.append(a[0])\na[1] = a[2]\nreturn a", [[[1], [2, 3]]])
    compare(make, "a.append(1 + 2j)\na.append(a[0] * 2)\nreturn a", [[1j]])
    compare(make, "a.append(a[0] and not a[1])\nreturn a", [[True, False]])
    compare(make, "m = [[i * j for j in range(a)] for i in range(a)]\nm[1][2] = 50\nm[0], m[1] = m[1], m[0]\n"
                  "return m, [r[0] for r in m], [x for r in m for x in r]", [4])


def test_arrays_in_lists(make):
    f = njit(make("def f(n):\n    a = [np.full(i, i) for i in range(n)]\n    a.pop(0)\n    a.append(a[0])\n"
                  "    s = 0\n    for x in a:\n        s += x.sum()\n    a[0][0] = 50\n    return a, s\n"))
    arrays, total = f(4)
    assert [list(x) for x in arrays] == [[50], [2, 2], [3, 3, 3], [50]] and total == 15
    g = njit(make("def f(a):\n    a.append(a[0] * 2)\n    a[0][0] = 9\n    return a[0]\n"))
    one = np.ones(2)
    listed = [one, np.zeros(2)]
    assert g(listed) is one and list(one) == [9, 1] and list(listed[2]) == [2, 2] and listed[0] is one


def test_types_from_later_uses(make):
    def result(body, *args):
        return njit(make("def f(n):\n" + "".join(f"    {line}\n" for line in body.split("\n"))))(*args)
    assert result("l = []\nif len(l) == 0 or l[-1] != n:\n    l.append(n)\nreturn l", 3) == [3]
    assert result("l = [[] for i in range(n)]\nfor i in range(n):\n    l[i % 2].append(i)\nreturn l", 4) == [
        [0, 2], [1, 3], [], []]
    assert result("l = [1]\nl.append(2.5)\nreturn l", 3) == [1.0, 2.5]
    assert result("l = [0] * n\nl[1] = 2.5\nreturn l", 3) == [0.0, 2.5, 0.0]
    assert result("if n > 1:\n    l = [1]\nelse:\n    l = [2.5]\nreturn l", 3) == [1.0]
    assert result("l = []\nwhile not l:\n    for x in l:\n        n += x\n    l.append(0.5)\nreturn n + l[0]", 1) == 1.5
    assert result("l = list()\nl.append(np.ones(n))\nl.append(l[0] * 2)\nreturn l[1].sum()", 2) == 4
    assert result("l = [[]]\nl.append([n])\nfor x in l:\n    x.append(1)\nreturn l", 2) == [[1], [2, 1]]
    with pytest.raises(errors.TypingError, match="Cannot infer the type of variable 'l', have imprecise type: "
                                                 r"list\(undefined\)<iv=None>"):
        result("l = []\nreturn len(l)", 1)
    with pytest.raises(errors.TypingError, match="must have one type"):
        result("return [1, 'a']", 1)
    with pytest.raises(errors.TypingError, match="without loss"):
        njit(make("def f(l):\n    l.append(2.5)\n"))([1])


def test_arguments_are_written_back(make, recwarn):
    f = njit(make("def f(l):\n    l.append(4)\n    l[0] = 10\n    return l\n"))
    plain = [1, 2, 3]
    assert f(plain) is plain and plain == [10, 2, 3, 4]
    empty = []
    g = njit(make("def f(l):\n    l.append(0.5)\n    return len(l)\n"))
    assert g(empty) == 1 and empty == [0.5]
    count = njit(make("def f(l):\n    return len(l) + sum(l)\n"))
    assert count([]) == 0 and count([2]) == 3
    failing = njit(make("def f(l):\n    l.append(1)\n    return l[50]\n"))
    with pytest.raises(IndexError, match="^list index out of range$"):
        failing(plain)
    assert plain == [10, 2, 3, 4, 1]
    same = njit(make("def f(a, b):\n    a.append(1)\n    return a is b, len(b)\n"))
    assert same(plain, plain) == (True, 6) and same(plain, [])[0] is False
    nested = [[1], [2]]
    first = nested[0]
    h = njit(make("def f(l):\n    l[0].append(9)\n    l.append(l[0])\n    l.append([5])\n    return l[0]\n"))
    assert h(nested) is first and nested == [[1, 9], [2], [1, 9], [5]] and nested[2] is first
    kept = [10 ** 6, 3.5]
    big = kept[0]
    njit(make("def f(l):\n    l[1] = 2.0\n"))(kept)
    assert kept == [10 ** 6, 2.0] and kept[0] is big
    in_tuple = njit(make("def f(t):\n    t[0].append(t[1])\n    return t\n"))
    result = in_tuple((nested[1], 8))
    assert nested[1] == [2, 8] and result[0] is nested[1]
    assert not recwarn.list


def test_between_compiled_functions(make):
    f = make("@njit\ndef fill(l, n):\n    for i in range(n):\n        l.append(i)\n    return l\n\n"
             "@njit\ndef f(n):\n    l = [5]\n    m = fill(l, n)\n    m.append(7)\n    return l, m is l\n", njit=njit)
    assert f(3) == ([5, 0, 1, 2, 7], True)
    depth = make("@njit\ndef walk(n):\n    if n == 0:\n        return [0]\n    l = walk(n - 1)\n    l.append(n)\n"
                 "    return l\n", name="walk", njit=njit)
    assert depth(5) == [0, 1, 2, 3, 4, 5]


def test_sort_is_stable_and_right(make, rng):
    f = njit(make("def f(l):\n    l.sort()\n    return l\n"))
    g = njit(make("def f(l):\n    l.sort(key=lambda t: t[0], reverse=True)\n    return l\n"))
    for n in (0, 1, 2, 15, 16, 17, 33, 100, 1000):
        numbers = rng.integers(0, 50, n).tolist() or [1]
        assert f(list(numbers)) == sorted(numbers)
        pairs = [(x, i) for i, x in enumerate(numbers)]
        assert g(list(pairs)) == sorted(pairs, key=lambda t: t[0], reverse=True)


def test_nothing_leaks(make):
    f = njit(make("def f(n):\n    s = 0\n    for i in range(n):\n        l = [[j for j in range(9)] for k in range(9)]\n"
                  "        l.append([1])\n        l[0] = l[1]\n        t = (l, [1, 2])\n        u = [t, t]\n"
                  "        a = [np.ones(20)] * 3\n        a[1] = a[2] + 1\n        s += u[0][0][1][3] + len(a)\n"
                  "        w = [str(i), 'x']\n        del w[0]\n    return s\n"))
    f(200)
    before = resident()
    f(20000)
    assert resident() - before < 2000


def test_text(make, capfd):
    compare(make, "return str(a), f'{a}', repr(a), '%s' % a, str([a, a]), str([(1, 'a')]), str({1: 'a'}), str({(1, 2.5)})",
            [[1, 2]])
    f = njit(make("def f(l):\n    print(l, {1: 2}, {3}, ['a', 'b'])\n"))
    f([1.5])
    assert capfd.readouterr().out == "[1.5] {1: 2} {3} ['a', 'b']\n"


def test_heapq_and_bisect(make):
    import bisect
    import heapq

    def same(body, *cases):
        f = make("def f(a, n):\n" + "".join(f"    {line}\n" for line in body.split("\n")), heapq=heapq, bisect=bisect)
        for args in cases:
            assert outcome_on_copies(njit(f), args) == outcome_on_copies(f, args), body
    cases = ([[5, 1, 4, 1, 9, 2], 3], [[], 0], [[2], 2], [[3, 3, 1], -1])
    same("heapq.heapify(a)\nb = []\nwhile a:\n    b.append(heapq.heappop(a))\nreturn b", *cases)
    same("h = []\nfor x in a:\n    heapq.heappush(h, (x, n))\nreturn h, [heapq.heappop(h)[0] for _ in range(len(h))]", *cases)
    same("heapq.heapify(a)\nreturn heapq.heappushpop(a, n), heapq.heapreplace(a, n + 1), a", *cases)
    same("return heapq.nlargest(n, a), heapq.nsmallest(n, a), heapq.nsmallest(n, a, key=lambda x: -x)", *cases)
    same("return heapq.heappop(a)", *cases)
    same("a.sort()\nbisect.insort(a, n)\nbisect.insort_left(a, 2)\nreturn a, bisect.bisect_left(a, 3), bisect.bisect(a, 3), "
         "bisect.bisect_right(a, 1, 1), bisect.bisect_left(a, 9, 0, 1)", *cases)


def test_interrupt_of_a_growing_list(prints):
    code = """
import numba, os, signal, time

@numba.njit
def f(l):
    for x in l:
        l.append(x)
        if len(l) > 100000:
            l.clear()
            l.append(x)
            for y in l:
                while len(l) < 5:
                    l.pop()
                    l.append(y)

if os.fork() == 0:
    time.sleep(1)
    os.kill(os.getppid(), signal.SIGINT)
    os._exit(0)
try:
    f([1])
except KeyboardInterrupt:
    print("interrupted")
"""
    prints("interrupted\n", "-m", "gridcell", code=code, timeout=30)


@pytest.mark.parametrize("body", ["return l[i]", "l[i] = 5", "del l[i]", "l.pop(i)", "l.insert(i, 5)"])
def test_positions_are_integers(make, body):
    """Also those of methods: 1.5 was cut to 1, and nan was in every range."""
    f = njit(make("def f(l, i):\n    " + body + "\n"))
    for items in [1, 2, 3], typed.List([1, 2, 3]):
        for index in 1.5, float("nan"), 1j, "x", None:
            with pytest.raises(errors.TypingError):
                f(items, index)
        assert list(items) == [1, 2, 3]
        f(items, True)


def test_one_list_stays_one_among_many():
    """Those of a call are looked through while they are few, and found by a map beyond."""
    for count in (2, 7, 8, 9, 10, 30):
        rows = [[k] for k in range(count)]
        for twin in (0, count // 2, count - 1):
            nest = [*rows, rows[twin]]
            njit(mark_last)(nest)
            assert rows[twin][-1] == -1 and nest[-1] is rows[twin]
            assert [len(row) for row in rows] == [2 if k == twin else 1 for k in range(count)]
            rows[twin].pop()


def mark_last(nest):
    nest[-1].append(-1)


@pytest.mark.parametrize("many", [1, 1000, 300_000])
def test_containers_of_many_items(many):
    """What goes in is made in pieces."""
    same = njit(lambda a: a)
    numbers = list(range(many))
    for container in (numbers, set(numbers), {k: float(k) for k in numbers}, [(k, 0.5) for k in numbers]):
        kept = container.copy()
        assert same(container) is container and container == kept
    total = njit(lambda a: sum([x for x in a]))
    assert total(numbers) == total(set(numbers)) == sum(numbers)


def test_positions_without_a_sign():
    """With the length they make floats, which are no positions."""
    def f(items, i):
        items[i] = 7
        first = items[i]
        del items[i]
        return first, items.pop(i), items

    for dtype in (np.uint8, np.uint64):
        assert njit(f)([1, 2, 3], dtype(1)) == (7, 3, [1])
        with pytest.raises(IndexError):
            njit(f)([1, 2, 3], dtype(3))


def test_a_list_beyond_all_memory_names_no_size_of_another():
    @njit
    def f(a):
        try:
            np.empty(1 << 58)
        except Exception:
            pass
        return a * (1 << 62)

    with pytest.raises(MemoryError) as caught:
        f([5])
    assert caught.value.args == ()
