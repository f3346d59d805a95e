"""Lists of known length: displays, `*`, `+` and copies, as compiled functions make them."""
import numpy as np
import pytest
from numba import njit, typed


def test_repeated_displays():
    @njit
    def repeated(n):
        zeros = [0] * n
        pairs = [1.5, n] * 3
        words = n * ["a", "bc"]
        rows = [[n, 1]] * n
        for row in rows:
            row.append(2)
        return zeros, pairs, words, rows, len([0] * -n), [()] * 2, [None, 3] * 2
    for n in (0, 1, 3, 1500):
        assert repeated(n) == repeated.py_func(n)


def test_repeated_items_are_counted():
    @njit
    def arrays(n):
        kept = [np.arange(3)] * n + [np.zeros(2, np.int64)]
        more = kept.copy() + kept
        kept.clear()
        more.pop()
        return more

    assert [list(a) for a in arrays(2)] == [[0, 1, 2], [0, 1, 2], [0, 0], [0, 1, 2], [0, 1, 2]]
    for _ in range(100):
        assert len(arrays(50)) == 101


def test_made_lists_grow():
    @njit
    def grown(n):
        items = [n] * 3
        other = [n, 2] * 2
        for i in range(n):
            items.append(i)
            other.append(i)
        return items, other, items + other, (items + other).pop()
    for n in (0, 1, 100):
        assert grown(n) == grown.py_func(n)


def test_typed_lists_are_copied():
    @njit
    def copied(items):
        other = items.copy()
        other.append(7)
        return other
    assert list(copied(typed.List([1, 2]))) == [1, 2, 7]


def test_lists_too_long():
    @njit
    def long(n):
        return len([0, 1] * n)
    with pytest.raises(MemoryError):
        long(1 << 62)


def test_searches_within_loops():
    """Loops that end early within others ask for interrupts each turn, not in strips."""
    @njit
    def first_factors(n):
        found = [0] * n
        for i in range(2, n):
            for j in range(2, i):
                if i % j == 0 and found[j] >= 0:
                    found[i] = j
                    break
        return found

    @njit
    def places(values, wanted):
        out = [-1] * len(wanted)
        for i, x in enumerate(wanted):
            for place in range(len(values)):
                if values[place] == x and (place + x) % 7 != 8:
                    out[i] = place
                    break
            else:
                out[i] = -2
        return out
    assert first_factors(100) == first_factors.py_func(100)
    values = np.arange(5000)[::-1].copy()
    wanted = np.array([4999, 0, 17, 6000])
    assert places(values, wanted) == [0, 4999, 4982, -2]
