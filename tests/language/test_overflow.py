"""overflow_check: integers that raise OverflowError where a result does not fit."""
import numpy as np
import pytest
from numba import njit
from numba.core.errors import TypingError

LAST = 2 ** 63 - 1
U = np.uint64
CASES = {
    "a + b": [(LAST, 1), (-LAST, -2), (LAST, -1), (U(2 ** 64 - 1), U(1))],
    "a - b": [(-LAST, 2), (LAST, LAST), (U(3), U(4))],
    "a * b": [(LAST, 2), (2 ** 32, 2 ** 31), (2 ** 31, 2 ** 31), (U(2 ** 63), U(2))],
    "a ** b": [(2, 62), (2, 63), (-2, 63), (-2, 64), (3, 40), (-1, 10 ** 12 + 1), (0, 5)],
    "a << b": [(1, 62), (1, 63), (-1, 63), (3, 100), (0, 100)],
    "a // b": [(-LAST - 1, -1), (-LAST, -1)],
    "-a + 0 * b": [(-LAST - 1, 0), (-LAST, 0)],
    "abs(a) + 0 * b": [(-LAST - 1, 0), (-LAST, 0)],
}


@pytest.mark.parametrize("expression", CASES)
def test_operations(make, expression):
    source = f"def f(a, b):\n    return {expression}\n"
    checked, plain = njit(overflow_check=True)(make(source)), njit(make(source))
    for a, b in CASES[expression]:
        exact = eval(expression, {"a": int(a), "b": int(b)})
        low, high = (0, 2 ** 64) if isinstance(a, U) else (-LAST - 1, LAST + 1)
        if low <= exact < high:
            assert checked(a, b) == exact
        else:
            with pytest.raises(OverflowError, match="^integer overflow: .*does not fit in u?int64"):
                checked(a, b)
            assert (int(plain(a, b)) - exact) % 2 ** 64 == 0


def test_expressions_of_literals_are_exact_or_refused(make):
    for text in ("2 ** 63", "2 ** 64 - 1", "-2 ** 63", "2 ** 64 * 1.0", "2 ** 65 // 2 ** 60", "2 ** 100 % 7",
                 "2 ** 64 / 2 ** 60", "~2 ** 64 + 2 ** 64", "1 << 63"):
        assert njit(make(f"def f():\n    return {text}\n"))() == eval(text), text
    for text in ("2 ** 64", "2 ** 64 - 1 + 1", "-2 ** 63 - 1", "1 << 64", "x + 2 ** 64"):
        with pytest.raises(TypingError, match="Int value is too large: .* does not fit in 64 bits"):
            njit(make(f"def f(x):\n    return {text}\n"))(1)


def test_loops_name_values_and_line(make):
    f = njit(overflow_check=True)(make(
        "def f(n):\n    s = 1\n    for i in range(1, n):\n        s *= i\n    return s\n"))
    assert f(21) == 2432902008176640000
    with pytest.raises(OverflowError, match=r"2432902008176640000 \* 21 does not fit in int64") as info:
        f(22)
    assert info.traceback[-1].lineno == 3


def test_not_a_time():
    """NaT goes through; sums of dates and spans that do not fit are refused."""
    def f(t, k):
        d = t[k] - t[0]
        d += d
        return t[0] - t[k], t[0] + d, d, -d, abs(d), d * 3, -2 * d, d // 2, d % np.timedelta64(7, "D")

    checked = njit(overflow_check=True)(f)
    dates = np.array(["2020-02-28", "2021-01-01", "1900-05-05", "NaT"], "M8[D]")
    for k in range(4):
        assert [str(item) for item in checked(dates, k)] == [str(item) for item in f(dates, k)]
    for count in (2 ** 62, -2 ** 62 - 40000):
        with pytest.raises(OverflowError, match="does not fit in int64"):
            checked(np.array([0, count], "M8[D]"), 1)


def test_environment(run_python):
    done = run_python(code="import gridcell\ngridcell.activate()\nfrom numba import njit\n@njit\ndef f(a):\n"
                           "    return a + 1\ntry:\n    print(f(2**63 - 1))\nexcept OverflowError:\n    print('raised')\n",
                      env={"GRIDCELL_CHECK_OVERFLOW": "1"})
    assert done.stdout == "raised\n", done.stderr
