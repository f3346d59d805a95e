"""Values of several types side by side, and other habits of programs that are found in public."""
import numpy as np
import pytest

import numba
from numba import literal_unroll, njit, prange, types
from numba.extending import overload


@njit
def equal(a, b):
    return a == b, a != b


def test_values_of_unlike_types_are_never_equal():
    assert equal(1, "a") == equal("a", 1.5) == equal(np.ones(2), None) == (False, True)


@njit
def from_mixed_displays(x):
    record = {"a": x, "b": "text", "c": np.arange(3), "d": x * 0.5}
    items = [x, "a", 2.5]
    count = 0
    for item in literal_unroll(items):
        if item == "a":
            count += 10
        else:
            count += 1
    return record["a"], record["b"], record["c"].sum(), record["d"], count, len(items), len(record)


def test_displays_of_several_types():
    assert from_mixed_displays(4) == (4, "text", 3, 2.0, 12, 3, 4)
    for text in ("[1, 'a']", "{'a': 1, 'b': 'c'}"):
        with pytest.raises(numba.TypingError, match="cannot return"):
            njit(eval(f"lambda: {text}"))()


@njit
def unpack_optional(x):
    pair = (x, 2) if x > 0 else None
    a, b = pair
    return a + b


def test_none_is_not_unpacked():
    assert unpack_optional(1) == 3
    with pytest.raises(TypeError):
        unpack_optional(-1)


@njit
def zipped():
    first, second = iter([0, 1, 2]), iter([0, 1, 2, 3, 4])
    pairs = list(zip(first, second))
    empty = 0
    for _ in zip():
        empty += 1
    return pairs, list(second), empty


def test_zip_stops_at_the_first_that_ends():
    assert zipped() == ([(0, 0), (1, 1), (2, 2)], [3, 4], 0)


@njit
def truths(items):
    return bool(set(items)), bool(items), bool(set(items) - set(items))


def test_truth_of_containers():
    assert truths([1, 2]) == (True, True, False)


def test_sum_leaves_its_start_alone():
    start = np.ones(3)
    got = njit(lambda a, s: sum([a, a], s))(np.ones(3), start)
    assert got.tolist() == [3, 3, 3] and start.tolist() == [1, 1, 1]


def test_mean_of_integers_does_not_overflow():
    a = np.array([2**60, 2**61 + 2**62, 2**61, 5, -7])
    mean = njit(lambda a: np.mean(a))
    assert mean(a) == a.mean() and mean(a.reshape(5, 1)) == a.mean()


@njit
def filled(a, x):
    a[1:3] = (x, 2)
    total = 0
    for i in range(x, 0.5, -1):
        total += i
    return total


def test_slices_are_set_to_tuples_and_ranges_have_float_bounds():
    a = np.zeros(4)
    assert filled(a, 3.7) == 6 and a.tolist() == [0, 3.7, 2, 0]


@njit(parallel=True)
def private_variables(n, k):
    r, q = np.zeros((n, k)), np.zeros(n)
    for t in prange(2):
        q[t] += 1
    for t in range(1, 3):
        r[0][r[0] < t] = t
    for i in prange(n):
        for j in range(k):
            if r[i, j] < j:
                r[i, j] = 0.5
    for i in range(k):
        for back in prange(1, k):
            place = k - back
            if i % 2 == 0:
                q[place] += place
    return r, q


def test_turns_of_prange_set_variables_that_were_not_set_before():
    got, want = private_variables(5, 4), private_variables.py_func(5, 4)
    assert all((g == w).all() for g, w in zip(got, want))


def test_array_of_packed_records_has_the_type_of_a_signature():
    record = numba.from_dtype(np.dtype([("a", "f8"), ("b", "i2")]))
    rows = np.zeros(3, np.dtype([("a", "f8"), ("b", "i2")]))
    assert njit((record[:], numba.intp))(lambda rows, i: rows[i].a)(rows, 1) == 0


def test_the_first_function_may_draw_of_a_generator(prints):
    code = ("import gridcell\ngridcell.activate()\nimport numba, numpy as np\n"
            "f = numba.njit(lambda g: g.random())\n"
            "h = numba.njit(lambda g: g.standard_normal())\n"
            "print(f(np.random.default_rng(0)) == np.random.default_rng(0).random(),"
            " h(np.random.default_rng(0)) == np.random.default_rng(0).standard_normal())\n")
    prints("True True\n", code=code)


def test_branches_that_a_captured_number_decides():
    def build(width):
        thin, thick = (None, njit(lambda x: x * 10)) if width > 0.0 else (njit(lambda x: x + 1), None)

        @njit
        def draw(x):
            if width > 0.0:
                return thick(x)
            else:
                return thin(x)
        return draw
    assert [build(width)(5) for width in (0, 0.0, 2.5, 1)] == [6, 6, 50, 50]


def test_a_ufunc_is_asked_for_a_loop():
    @numba.vectorize
    def add(a, b):
        return a + b
    add._compile_for_argtys((numba.uint32, numba.uint32))
    assert add(np.uint32(1), np.uint32(2)) == 3


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex128])
def test_equations_are_solved_by_the_name_of_lapack(rng, dtype):
    from numba.np.linalg import _LAPACK
    gesv = _LAPACK().numba_xgesv(numba.from_dtype(np.dtype(dtype)))

    @njit
    def solve(a, b):
        pivots = np.empty(len(a), np.int32)
        return gesv(ord("d"), len(a), b.shape[1], a.ctypes, len(a), pivots.ctypes, b.ctypes, len(a)), pivots

    a, b = rng.random((5, 5)).astype(dtype), rng.random((5, 2)).astype(dtype)
    factors, solutions = np.asfortranarray(a), np.asfortranarray(b)
    state, pivots = solve(factors, solutions)
    assert state == 0 and np.allclose(solutions, np.linalg.solve(a, b), rtol=1e-3)
    lower, upper = np.tril(factors, -1) + np.eye(5), np.triu(factors)
    rows = np.arange(5)
    for i, k in enumerate(pivots - 1):
        rows[[i, k]] = rows[[k, i]]
    assert np.allclose(lower @ upper, a[rows], atol=1e-5)
    assert solve(np.zeros((3, 3), dtype, order="F"), np.ones((3, 1), dtype, order="F"))[0] == 1


def test_copies_of_displays_of_several_types():
    @njit
    def f():
        d = {"a": 1, "b": "x"}
        copied, items = d.copy(), ["a", 1].copy()
        return copied["a"], copied["b"], len(copied), items[0], items[1]
    assert f() == f.py_func()


def test_unrolled_by_index():
    @njit
    def f(z):
        a = (12, 12.7, 3j, "abc", z)
        total, names = 0, ""
        for i in range(len(literal_unroll(a))):
            if isinstance(a[i], str):
                names += a[i]
            else:
                total += a[i]
            if i == 3:
                continue
            total += i
        for x in literal_unroll(["p", 2, 2.5]):  # a list's items keep their types
            if isinstance(x, str):
                names += x
            else:
                total += x
        return total, names, i
    assert f(4) == f.py_func(4)


def test_unrolled_values_under_other_names():
    @njit
    def f(n):
        value = literal_unroll(((1, 2, 3), (2j, 3j), [1, 2], "wxyz"))
        alias = value
        lengths = []
        for x in alias:
            lengths.append(len(x))
        for x in range(n):
            lengths.append(x)
        alias = (7, 8)
        for x in alias:
            lengths.append(x)
        return lengths
    assert f(1) == f.py_func(1) == [3, 2, 2, 4, 0, 7, 8]


def test_values_of_parts_of_tuples():
    """Slices of a tuple of literals are known as the whole is."""
    def word(x):
        return {1: "a", 2: "b", 3: "c", "f": "EFF"}[x]

    @overload(word)
    def ol_word(x):
        if isinstance(x, types.Literal):
            text = word(x.literal_value)
            return lambda x: text

    def f():
        t = (1, 2, 3, "f")
        text = ""
        for x in literal_unroll(t[:2]):
            text += word(x)
        for x in literal_unroll(t[1:]):
            text += word(x)
        for x in literal_unroll(t[::-1][:3:2]):
            text += word(x)
        return text
    assert njit(f)() == f() == "abbcEFFEFFb"
