"""Loops run in strips, vectorise, and count what they allocate; ufuncs take operands of any shape."""
import math
import resource

import numpy as np
import pytest
from numba import njit, vectorize

LENGTHS = [0, 1, 2, 1023, 1024, 1025, 2048, 3000]


@njit
def visited(start, stop, step):
    """First and last number, how many, and a checksum that knows the order."""
    first = last = count = 0
    check = 0
    for i in range(start, stop, step):
        if count == 0:
            first = i
        last = i
        count += 1
        check = (check * 31 + i) % 1000003
    return first, last, count, check


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("start", [0, -7, 5])
@pytest.mark.parametrize("step", [1, -1, 2, -3, 1500])
def test_ranges_visit_every_number(length, start, step):
    bounds = start, start + length * (1 if step > 0 else -1), step
    assert visited(*bounds) == visited.py_func(*bounds)


@njit
def up(n):
    total = 0
    for i in range(n):
        total += i
    return total, i if n else -1


@njit
def down(n):
    total = 0
    for i in range(n, 0, -1):
        total = total * 3 + i
        total %= 100003
    return total


@pytest.mark.parametrize("length", LENGTHS)
def test_unit_steps(length):
    if length:
        assert up(length) == up.py_func(length)
    assert down(length) == down.py_func(length)


@njit
def search(a, wanted):
    for position, item in enumerate(a):
        if item == wanted:
            break
    else:
        return -1
    return position


@njit
def search_plain(a, wanted):
    found = -1
    i = 0
    for item in a:
        if item == wanted:
            found = i
            break
        if item < 0:
            continue
        i += 1
    return found


@pytest.mark.parametrize("wanted", [0, 1023, 1024, 2999, 5000])
def test_breaks_and_else(wanted):
    a = np.arange(3000)
    assert search(a, wanted) == search.py_func(a, wanted)
    assert search_plain(a, wanted) == search_plain.py_func(a, wanted)


def test_range_at_the_end_of_int64():
    last = 2**63 - 1
    assert visited(last - 3, last, 2) == (last - 3, last - 1, 2, visited(last - 3, last, 2)[3])
    assert visited(-last, -last + 2, 1)[2] == 2


def test_arrays_made_in_a_loop_are_freed():
    @njit
    def churn(n):
        total = 0.0
        previous = np.zeros(1)
        for i in range(n):
            a = np.empty(1 << 20)
            a[0] = i + previous[0]
            previous = a
            total += a[0]
        return total

    churn(2)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert churn(200) == churn.py_func(200)
    grown_mib = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    assert grown_mib < 200  # of 1600 made


def test_swapped_arrays_live_on():
    @njit
    def swap(n):
        a = np.zeros(4)
        b = np.ones(4)
        for i in range(n):
            a, b = b, a
            a[0] += i
        return a, b

    for n in (0, 1, 2, 7):
        for got, want in zip(swap(n), swap.py_func(n)):
            assert (got == want).all()


@vectorize(["float64(float64, float64)"])
def add(a, b):
    return a + b


def test_ufunc_operands_of_any_layout():
    x = np.arange(1000.0)
    wide = np.zeros(2000)
    assert (add(x, 3) == x + 3).all() and (add(3, x) == x + 3).all()
    assert (add(x[::-1], x) == 999).all()
    assert (add(x[::3], x[:334]) == x[::3] + x[:334]).all()
    add(x, x, out=wide[::2])
    assert (wide[::2] == 2 * x).all() and (wide[1::2] == 0).all()
    grid = np.arange(12.0).reshape(3, 4)
    assert (add(grid.T, grid.T[:, :1]) == grid.T + grid.T[:, :1]).all()


def test_ufunc_in_place_and_overlapping():
    x = np.arange(1000.0)
    y = x.copy()
    add(y, 1, out=y)
    assert (y == x + 1).all()
    y = x.copy()
    add(y[1:], y[:-1], out=y[:-1])
    assert (y[:-1] == x[1:] + x[:-1]).all()
    assert add.reduce(x) == x.sum()
    assert (add.accumulate(x) == np.cumsum(x)).all()
    assert (add.outer(x[:3], x[:4]) == np.add.outer(x[:3], x[:4])).all()


@pytest.mark.parametrize("name", ["sin", "exp", "log", "tanh"])
def test_mathematics_does_not_depend_on_the_position(name):
    function = getattr(math, name)

    @njit
    def apply(a):
        b = np.empty_like(a)
        for i in range(len(a)):
            b[i] = function(a[i])
        return b

    ufunc = vectorize(["float64(float64)"])(lambda x: function(x))
    for length in (2, 3, 7, 8, 9, 31, 33, 100):
        a = np.full(length, 0.7371)
        for result in apply(a), ufunc(a):
            assert len(set(result)) == 1
            assert result[0] == pytest.approx(function(0.7371), rel=4e-16)


def test_steps_that_are_computed_are_not_gathered():

    @njit
    def clear(flags, step):
        for i in range(step, len(flags), step):
            flags[i] = 0
        return flags

    assert clear(np.ones(200, np.uint8), 7).nonzero()[0].tolist() == \
        [i for i in range(200) if i % 7 or i == 0]
    assert " x i64>" not in clear.inspect_llvm(clear.signatures[0])


@njit
def shapes_of_while(n, stop):
    """Loops that ask for an interrupt every few turns: of any number of turns, and left in the middle."""
    i = down = seen = 0
    while i < n:
        i += 1
        down = down * 3 + i
        if i == stop:
            break
        if i % 3 == 0:
            continue
        seen += i
    else:
        seen += 1000
    for j in range(n):
        if j == stop:
            seen += 5000
            break
        down ^= j << 3
    k = n
    while True:
        k -= 1
        if k < 0:
            return i, down, seen, k
        if k == stop:
            return i, down, seen, -7


def test_small_loops_make_every_turn():
    for n in range(14):
        for stop in range(-1, 14):
            assert shapes_of_while(n, stop) == shapes_of_while.py_func(n, stop)


@pytest.mark.parametrize("length", LENGTHS)
def test_lists_that_stay_and_lists_that_grow(length):
    @njit
    def total(n):
        items = [i * 3 for i in range(n)]
        even = odd = last = 0
        for x in items:
            if x % 2:
                odd += x
            else:
                even += x
            last = x
        for x in items:
            last += x
            if last > 100_000:
                break
        return even, odd, last, sum(items), len([x for x in items if x % 5])

    @njit
    def grown(n):
        items = [1] * n
        turns = 0
        for x in items:
            turns += x
            if len(items) < 3 * n:
                items.append(x + 1)
        return turns, len(items)

    @njit
    def shrunk(items):
        turns = 0
        for x in items:
            turns += x
            if len(items) > 3:
                items.pop()
        return turns

    assert total(length) == total.py_func(length)
    assert grown(length) == grown.py_func(length)
    assert shrunk([2] * length) == shrunk.py_func([2] * length)


def test_few_turns_within_loops():
    @njit
    def around(board):
        counts = np.zeros_like(board)
        for i in range(board.shape[0]):
            for j in range(board.shape[1]):
                for di in (-1, 0, 1):
                    for dj in (-1, 0, 1):
                        if di != 0 or dj != 0:
                            counts[i, j] += board[(i + di) % board.shape[0], (j + dj) % board.shape[1]]
                for k in range(3):
                    if k == board[i, j]:
                        break
                    counts[i, j] += 10
                for name, k in (("a", 1), ("b", 2)):
                    counts[i, j] += 100 * k * len(name)
        return counts

    board = np.random.default_rng(1).integers(0, 3, (7, 9))
    np.testing.assert_array_equal(around(board), around.py_func(board))


def test_views_that_library_functions_give_live_as_long_as_needed():
    @njit
    def views(n):
        kept = np.zeros(2)
        late = np.zeros((1, 2))
        for i in range(n):
            a = np.full((2, 3), float(i))
            flat = np.ravel(a)
            wide = np.broadcast_to(flat, (2, 6))
            b = np.ones((2, 2)) * i  # may lie where an array was that nobody has any more
            if i % 3 == 1:
                kept = flat[2:4] if i % 2 else np.ravel(np.transpose(b))[1:3]
            late = np.atleast_2d(np.reshape(wide[1:], 6)[::3])
        return kept, late, np.ravel(np.ones((2, 2)) * n), np.swapaxes(late, 0, 1)

    @njit
    def same(a):
        return a

    @njit
    def passed_on(n):
        total = 0.0
        for i in range(n):
            a = same(np.ravel(same(np.full(4, 1.5))))
            total += np.expand_dims(a, 0)[0].sum() + ((a - same(a) * 0.5) ** 2).sum()
        return total

    for n in 0, 1, 2, 5, 8:
        for ours, expected in zip(views(n), views.py_func(n)):
            np.testing.assert_array_equal(ours, expected)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert passed_on(400_000) == 400_000 * (6 + 4 * 0.5625)
    views(200_000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000


through = njit(lambda iterable: iterable)
zipped = njit(lambda a, b: zip(a, b))


@njit
def loops_over_results(a, b, kept):
    """Each kind of iterable, and what it holds, comes back from a function."""
    total = 0.0
    for x, y in through(zip(a, b)):
        total += x * y
    for x, y in zipped(kept, b * 2):
        total += x * y
    for i, x in through(enumerate(a + b)):
        total += i * x
    for i, (x, y) in through(enumerate(zipped(a, b))):
        total += i * x * y
    for x, (i, y) in through(through(zip(a, enumerate(b)))):
        total += i * x * y
    for x in through(iter(a)):
        total += x
    for x in through(reversed(a)):
        total += x
    for x in through(a.flat):
        total += x
    for i in through(range(3, len(a))):
        total += i
    return total


@pytest.mark.parametrize("count", [0, 1, 5, 1000])
def test_iterables_that_functions_return(count, rng):
    a, b = rng.random(count), rng.random(count)
    kept = list(rng.random(count + 1))
    want = (a @ b + 2 * np.dot(kept[:count], b) + np.arange(count) @ (a + b) + 2 * np.arange(count) @ (a * b)
            + 3 * a.sum() + sum(range(3, count)))
    for _ in range(20):
        assert loops_over_results(a, b, kept) == pytest.approx(want, rel=1e-9)
