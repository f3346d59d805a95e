"""a, b = x for everything that can be looped over, beside plain Python."""
from conftest import outcome
from numba import njit

UNPACKED = [
    "a, b = {1: 2, n: 4}", "a, *b = {1: 2, n: 4, 5: 6}", "a, b = {1, n}", "a, (b, c) = {1: (2, 3), n: (4, 5)}.items()", "*a, b = {n: 2, 1: 3}.values()",
    "a, b = (i * i for i in range(n))", "a, *b = (i * i for i in range(n))", "*a, b = map(abs, (n, -2, 3))", "a, b = enumerate('ab')",
    "(a, b), c = zip((1, 2), (n, 4))", "a, b, *c = 'a' * n", "*a, b = b'xyz'", "a, *b = range(n)", "a, b, *c = np.arange(n)", "a, b = reversed([n, 2])",
    "a, b = np.ndindex(n, 1)", "g = iter(range(5))\n    a, b = next(g), next(g)", "b = [n, 2]\n    b[1], b[0] = b\n    a = b[0]",
    "c = np.array([n, 2])\n    c[1], c[0] = c\n    a, b = c[0], c[1]", "c = {1: n}\n    b = 5\n    try:\n        b, a = c\n    except ValueError as e:\n        a = len(str(e))"]


def test_unpacking_of_what_has_no_items_by_number(make):
    for body in UNPACKED:
        f = make(f"def f(n):\n    {body}\n    return a, b\n")
        for n in (2, 3, 1):
            assert outcome(njit(f), n) == outcome(f, n), (body, n)
    endless = make("def f(n):\n    def forever():\n        while True:\n            yield n\n    a, b = forever()\n    return a, b\n")
    assert outcome(njit(endless), 1) == outcome(endless, 1)
