# SPDX-License-Identifier: MIT
"""NumPy's datetime64 and timedelta64 in compiled code."""
import collections
import pickle

import numpy as np
import pytest
from conftest import function_of

from numba import from_dtype, guvectorize, njit, prange, typed, typeof, types, vectorize
from numba.core.errors import TypingError

DAY, MOMENT = np.datetime64("2020-01-31"), np.datetime64("2021-02-03T04:05:06")
MONTH, YEAR = np.datetime64("2020-03"), np.datetime64("1969")
DAYS, SECONDS = np.timedelta64(3, "D"), np.timedelta64(-5, "s")
MONTHS, YEARS, COUNT = np.timedelta64(2, "M"), np.timedelta64(1, "Y"), np.timedelta64(7)
NO_DATE, NO_SPAN = np.datetime64("NaT", "D"), np.timedelta64("NaT", "s")
LEAST = -2**63


def same(got, want):
    """Equal to the bit, unit and all; numbers by value."""
    if isinstance(want, (tuple, list)):
        return len(got) == len(want) and all(same(g, w) for g, w in zip(got, want))
    got, want = np.asarray(got), np.asarray(want)
    if got.dtype != want.dtype or got.shape != want.shape:
        return False
    if want.dtype.kind == "f":
        return np.array_equal(got, want, equal_nan=True)
    return got.tobytes() == want.tobytes()


def check(expressions, *args):
    """One compiled function for all lines: what it gives for the arguments a, b, ... is NumPy's."""
    lines = [line.strip() for line in expressions.strip().splitlines()]
    names = ", ".join("abcdefg"[:len(args)])
    python = function_of(f"def f({names}):\n    return ({', '.join(lines)},)\n")
    with np.errstate(all="ignore"):
        got, want = njit(python)(*args), python(*args)
    for line, g, w in zip(lines, got, want):
        assert same(g, w), f"{line} of {args}: {g!r}, not {w!r}"


def refused(expression, *args, match=None):
    names = ", ".join("abcdefg"[:len(args)])
    with pytest.raises(TypingError, match=match):
        njit(function_of(f"def f({names}):\n    return {expression}\n"))(*args)


def rows(rng, kind, unit, n=24):
    counts = rng.integers(-40000, 40000, n)
    counts[::7] = LEAST
    return counts.view(f"{kind}8[{unit}]")


def test_types():
    assert typeof(DAY) == types.NPDatetime("D") and str(typeof(DAY)) == "datetime64[D]"
    assert typeof(SECONDS) == types.NPTimedelta("s") and repr(typeof(COUNT)) == "timedelta64[]"
    assert type(typeof(DAYS)) is types.NPTimedelta and type(typeof(DAY)) is types.NPDatetime
    assert types.NPDatetime("D")("2020-01-31") == DAY and str(types.NPTimedelta("s")("NaT")) == "NaT"
    assert types.NPTimedelta("")(3) == np.timedelta64(3) and types.NPDatetime("s")(DAY).dtype == "M8[s]"
    assert types.NPDatetime("ms").unit == "ms" and types.NPDatetime("ms").unit_code == 8
    assert str(typeof(np.zeros((2, 2), "m8[ns]"))) == "array(timedelta64[ns], 2d, C)"
    assert from_dtype(np.dtype("M8[h]")) == types.NPDatetime("h")
    assert pickle.loads(pickle.dumps(types.NPTimedelta("ms"))) is types.NPTimedelta("ms")
    for unit in ("Q", "0D", "3", "B", "10 D", "900000000s"):
        with pytest.raises(ValueError):
            types.NPDatetime(unit)


def test_values_come_back():
    same_value = njit(function_of("def f(a):\n    return a\n"))
    for value in (DAY, MOMENT, MONTH, YEAR, DAYS, SECONDS, MONTHS, COUNT, NO_DATE, NO_SPAN):
        got = same_value(value)
        assert type(got) is type(value) and same(got, value)
    declared = njit(types.NPDatetime("s")(types.NPDatetime("D")))(function_of("def f(a):\n    return a\n"))
    assert same(declared(DAY), DAY.astype("M8[s]")) and same(declared(YEAR), YEAR.astype("M8[s]"))


def test_sums_of_units():
    check("a + c\n a - c\n c + a\n a - a\n a + d\n b + c\n a - b\n e - f\n f + c\n f + g\n e + g\n e - g",
          DAY, MOMENT, DAYS, SECONDS, MONTH, YEAR, MONTHS)
    check("a + b\n a - b\n b - a\n c + d\n c - d\n d + d", DAYS, SECONDS, MONTHS, YEARS)
    check("a + b\n a - a\n a + c\n b - c\n -c\n c * 2\n 2.5 * c\n c / c\n c / 2.0", NO_DATE, DAYS, NO_SPAN)
    check("a + c\n a - c\n b + c\n c + c\n c / a", DAYS, YEARS, COUNT)


def test_products():
    check("a * c\n c * a\n b * c\n a * d\n d * b\n a / c\n b / c\n b // c\n a / d\n b / d\n b // d",
          DAYS, SECONDS, 4, 2.5)
    check("a / b\n a // b\n b // a\n b % a\n a % b\n a / c\n a // c\n a % c\n b / 0\n b / 0.0\n b * d",
          DAYS, SECONDS, np.timedelta64(0, "s"), np.inf)
    check("-a\n +b\n abs(a)\n abs(b)\n np.negative(b)\n np.absolute(b)\n divmod(b, a)", DAYS, SECONDS)


def test_comparisons():
    operators = "\n".join(f"a {op} b\n b {op} a\n a {op} a" for op in ("==", "!=", "<", "<=", ">", ">="))
    for a, b in ((DAY, MOMENT), (DAY, MONTH), (YEAR, MONTH), (DAYS, SECONDS), (YEARS, MONTHS), (DAY, NO_DATE),
                 (SECONDS, NO_SPAN), (NO_DATE, NO_DATE), (COUNT, DAYS)):
        check(operators, a, b)
    check("np.isnat(a)\n np.isnat(b)\n np.isnat(c)\n np.isnan(c)\n np.isfinite(c)\n np.isfinite(a)\n np.isinf(c)",
          DAY, SECONDS, NO_SPAN)
    check("min(a, b)\n max(a, b)\n max(b, a, a)\n np.minimum(a, c)\n np.maximum(c, a)\n np.fmin(a, c)\n np.fmax(c, a)",
          DAY, DAY + 9, NO_DATE)
    check("(a,) == (a,)\n a in (a, b)\n (a, 1) < (c, 0)", DAY, NO_DATE, DAY + 1)
    nothing = njit(function_of("def f(a):\n    return (a,) == (a,), a in (a,), [a] == [a]\n"))
    assert nothing(NO_SPAN) == (False, False, False)


def test_integers_of_them():
    check("np.int64(a)\n np.int64(b)\n np.int64(c)", DAY, SECONDS, NO_DATE)
    assert njit(function_of("def f(a):\n    return int(a)\n"))(DAYS) == 3


def test_constants():
    check("""np.datetime64('2020-01-31')
             np.datetime64('1969-12-31T23:59:59.125')
             np.datetime64('2020-02', 'D')
             np.datetime64('2020')
             np.datetime64('NaT')
             np.datetime64('2020-01-01 05', 's')
             np.datetime64('1970-02-03T04:05:06.123456789012')
             np.datetime64(7, 'W')
             np.timedelta64(3, 'D')
             np.timedelta64(-3)
             np.timedelta64('NaT', 'ms')
             np.timedelta64(a, 's')
             np.timedelta64(b, 'ms')
             np.datetime64(c, 's')""", 12, SECONDS, DAY)
    for expression in ("np.datetime64('2019-02-29')", "np.datetime64('2020-13')", "np.datetime64('x')",
                       "np.datetime64(5)", "np.timedelta64(1, 'Q')", "np.timedelta64('2020')",
                       "np.datetime64('2020-01-01', 'M')"):
        refused(expression)
    f = njit(function_of("def f(i):\n    return DATES[i], SPAN, NONE\n",
                         DATES=np.array([DAY, NO_DATE]), SPAN=SECONDS, NONE=NO_DATE))
    assert same(f(1), (NO_DATE, SECONDS, NO_DATE)) and same(f(0)[0], DAY)


def test_refused():
    for expression in ("a + a", "b - a", "a * 2", "1 - a", "a < b", "a == b", "a * b", "b * b",
                       "2 / b", "b ** 2", "~b", "b + 1.5", "a < 1", "b < 1.5", "abs(a)", "-a", "a + c", "c + b", "c < b",
                       "divmod(a, b)", "divmod(b, 2)", "int(a)", "float(b)", "b * True", "np.isnat(1)", "np.sqrt(b)", "max(a, b)",
                       "np.minimum(b, 1.5)", "np.timedelta64(c, 'D')", "np.timedelta64(1, 'Y') == b"):
        refused(expression, DAY, SECONDS, MONTHS)
    refused("a.sum()", np.array([DAY]))
    store = njit(function_of("def f(a, v):\n    a[0] = v\n"))
    months = np.zeros(1, "M8[M]")
    store(months, DAY)
    assert months[0] == np.datetime64("2020-01")
    with pytest.raises(TypingError):
        store(np.zeros(1, "M8[D]"), DAYS)


def test_whole_arrays(rng):
    dates, others, spans = rows(rng, "M", "D"), rows(rng, "M", "D")[::-1], rows(rng, "m", "s")
    factors, reals = rng.integers(-3, 4, 24), rng.normal(size=24)
    check("""a - b
             a + c
             a - c
             c * d
             d * c
             c * e
             c / d
             c // d
             c / e
             c / c[::-1]
             c // c[::-1]
             c % c[::-1]
             (a + c * 2 - b) / f
             a == b
             a < b
             a != g
             c >= f
             -c
             abs(c)
             np.isnat(a)
             np.isnan(c)
             np.minimum(a, b)
             np.fmax(c, c[::-1])
             np.where(a < g, a, b)
             np.clip(c, -f, f)""", dates, others, spans, factors, reals, np.timedelta64(36, "h"), DAY)
    check("a - b\n a + c\n a < b\n a - c\n np.maximum(a, b)", rows(rng, "M", "M"), rows(rng, "M", "D"), rows(rng, "m", "D"))


def test_signs(rng):
    """Spans whatever NumPy runs, as numba has them; from NumPy 2.5 on its own are float64."""
    sign = njit(lambda x: np.sign(x))
    spans = rows(rng, "m", "s")
    assert same(sign(spans), np.sign(spans.view(np.int64)).view(spans.dtype))
    assert same(sign(SECONDS), np.timedelta64(-1, "s")) and same(sign(DAYS), np.timedelta64(1, "D"))


def test_reductions_and_order(rng):
    dates, spans = rows(rng, "M", "D"), rows(rng, "m", "s")
    check("a.min()\n a.max()\n np.sort(a)\n np.argsort(a, kind='mergesort')\n np.unique(b)\n b.min()\n b.argmax()\n "
          "np.searchsorted(np.sort(b), b)\n np.diff(b)\n np.ptp(b)\n b[0] in b\n np.concatenate((a, b))\n np.flip(a)",
          dates, dates[~np.isnat(dates)])
    check("a.sum()\n b.sum()\n b.mean()\n np.median(b)\n a.max()\n np.cumsum(b)\n np.sort(a)[::-1]\n np.diff(b, 2)\n "
          "np.median(a)\n a[:0].sum()\n np.any(b == b[0])", spans, spans[~np.isnat(spans)])
    grid = spans[1:7].reshape(2, 3)
    check("a.sum(axis=0)\n a.min(axis=1)\n np.sort(a, axis=0)\n a.T\n a.ravel()\n a[a > b]\n a[:, ::2]", grid, SECONDS)


def test_making_arrays(rng):
    dates, spans = rows(rng, "M", "D"), rows(rng, "m", "s")
    check("""np.zeros(3, 'M8[D]')
             np.zeros((2, 2), 'timedelta64[ms]')
             np.full(3, c)
             np.zeros_like(a)
             np.full_like(b, d)
             np.array([c, c])
             a.copy()
             a.view(np.int64)
             a.astype('M8[s]')
             b.astype(np.int64)
             b.astype('m8[ms]')
             np.arange(3).astype('m8[s]')
             np.arange(3).view('M8[s]')
             a.reshape(4, 6)
             a[2:9:3]
             a[b > d]
             np.repeat(a, 2)
             np.stack((a, a))""", dates, spans, DAY, SECONDS)
    # a unit of the other is taken where it is finer
    source = "def f(a, v):\n    a[0] = v\n    a[2:] = v\n    a[1:2].fill(v)\n    return a\n"
    assert same(njit(function_of(source))(np.zeros(4, "M8[s]"), DAY), np.full(4, DAY, "M8[s]"))
    update = function_of("def f(a, b):\n    a += b\n    a *= 3\n    a -= b\n    a //= 2\n    a %= b\n    return a\n")
    assert same(njit(update)(spans.copy(), DAYS), update(spans.copy(), DAYS))


def test_units(rng):
    """Between any two units: exact to finer ones, rounded down to coarser ones."""
    units = "Y M W D h 15m s 25s ms us ns".split()
    counts = np.append(rng.integers(-300, 300, 20), [0, -1, LEAST])
    for kind in "Mm":
        for a in units[:None if kind == "M" else -1]:
            source = "def f(a):\n    return (" + ", ".join(f"a.astype('{kind}8[{b}]')" for b in units if kind == "M" or b != "ns") + ")\n"
            f, dates = function_of(source), counts.view(f"{kind}8[{a}]")
            assert same(njit(f)(dates), f(dates)), a
    refused("a.astype('m8[as]')", np.zeros(2, "m8[D]"))  # more than an integer holds
    days = rng.integers(-10**6, 10**6, 2000).view("M8[D]")
    months = function_of("def f(a):\n    return a.astype('M8[M]'), a.astype('M8[7Y]'), a.astype('M8[5h]')\n")
    assert same(njit(months)(days), months(days))


def test_counts(rng):
    spans, dates = rows(rng, "m", "s"), rows(rng, "M", "D")
    check("""a.astype(np.int64)
             b.astype('i8')
             a[~np.isnat(a)].astype(np.int32)
             b[~np.isnat(b)].astype('i2')
             a.astype('f8')
             a.astype('f4')
             a.astype(np.bool_)
             c.astype('m8[s]')
             c.astype('M8[15m]')
             d.astype('m8[D]')
             (c > 0).astype('m8[D]')
             np.nonzero(a)
             np.any(a)
             np.count_nonzero(b)""", spans, dates, np.arange(-2, 3), np.array([1.5, np.nan, -2.5]))
    check("a.astype('M8[M]')\n a.astype('M8[s]')\n a.astype(np.int64)\n b.astype('m8[h]')\n b.astype('f8')\n "
          "np.datetime64(a, 'Y')\n np.timedelta64(b, 'm')\n np.timedelta64(b, '2s')", DAY, SECONDS)
    truth = njit(function_of("def f(a):\n    return bool(a), not a, 1 if a else 2\n"))
    for value in (SECONDS, np.timedelta64(0, "s"), NO_SPAN, DAY):
        assert truth(value) == truth.py_func(value)


def test_integers_as_spans(rng):
    dates, spans, counts = rows(rng, "M", "D"), rows(rng, "m", "s"), np.arange(24)
    check("""a + 1
             1 + a
             a - 1
             b + 1
             1 - b
             b - c
             c + a
             a + (c > 0)
             b < 3
             4 >= b
             b == -5
             b != c
             np.minimum(b, 1)
             a + np.uint8(3)""", DAY, SECONDS, 7)
    check("a + 1\n a - c\n b + c\n 2 + b\n c - b\n b > c\n np.maximum(b, 5)\n (a + c) - a", dates, spans, counts)
    update = function_of("def f(a, b):\n    a += 1\n    a -= b\n    a[0] += 5\n    return a\n")
    assert same(njit(update)(dates.copy(), counts), update(dates.copy(), counts))
    walk = function_of("def f(day, n):\n    while n > 0:\n        day = day + 1\n        n -= 1\n    return day\n")
    assert same(njit(walk)(DAY, 40), walk(DAY, 40))


def test_multiples_of_units(rng):
    quarters, ticks = rng.integers(-99, 99, 9).astype("M8[15m]"), rng.integers(-99, 99, 9).astype("m8[25s]")
    quarters[3] = ticks[4] = "NaT"
    assert str(typeof(quarters)) == "array(datetime64[15m], 1d, C)" and typeof(ticks[0]) == types.NPTimedelta("25s")
    assert types.NPTimedelta("25s").unit == "25s"
    assert pickle.loads(pickle.dumps(types.NPDatetime("6M"))) is types.NPDatetime("6M")
    assert from_dtype(np.dtype("M8[6M]")) == types.NPDatetime("6M")
    check("""a + b
             a - b
             a - a[::-1]
             b * 3
             b / 2
             b // np.timedelta64(1, 's')
             b % np.timedelta64(2, 'm')
             b + np.timedelta64(1, 'm')
             b + 1
             b + np.timedelta64(7)
             a < np.datetime64('1970-01-01T05')
             b == np.timedelta64(75, 's')
             np.sort(a)
             np.unique(a)
             np.diff(b)
             b.sum()
             np.concatenate((b, np.zeros(2, 'm8[10s]')))
             np.where(np.isnat(a), a[0], a)
             np.arange(a[0], a[0] + 5 * b[0])
             np.full(2, np.timedelta64(3, '25s'))
             np.zeros(2, 'M8[6M]') + np.timedelta64(1, 'M')
             np.zeros(2, 'M8[2M]') - np.zeros(2, 'M8[2D]')
             np.datetime64('2020-01-01T00:07', '15m')
             np.datetime64('2020', '3D')
             np.timedelta64(3, '2Y') / np.timedelta64(1, 'M')""", quarters, ticks)
    text = njit(function_of("def f(a):\n    return str(a), str((a, 1))\n"))
    for value in (*quarters, *ticks, np.datetime64(5, "6M"), np.datetime64(-7, "10ms"), np.datetime64(5, "25Y")):
        assert text(value) == (str(value), str((value, 1)))
    table = np.zeros(3, [("at", "M8[15m]"), ("for", "m8[25s]")])
    f = function_of("def f(t):\n    for i in range(len(t)):\n        t[i]['at'] = t[i]['at'] + i * np.timedelta64(15, 'm')\n    return t\n")
    assert same(njit(f)(table.copy()), f(table.copy()))


def test_text(rng, capfd):
    text = njit(function_of("def f(a):\n    return str(a), str((a, 1))\n"))
    for unit in "Y M W D h m s ms us ns ps fs as".split():
        for count in [*rng.integers(-40000, 40000, 8).tolist(), 0, -1, LEAST]:
            for value in (np.datetime64(count, unit), np.timedelta64(count, unit)):
                assert text(value) == (str(value), str((value, 1)))
    for date in ("9999-12-31T23:59", "-0042-03-04", "0000-02-29", "12345-01-01", "1900-02-28", "2000-02-29"):
        assert text(np.datetime64(date))[0] == str(np.datetime64(date))
    njit(function_of("def f(a, b):\n    print(a, b, (a, b))\n"))(DAY, COUNT)
    assert capfd.readouterr().out == f"{DAY} {COUNT} {(DAY, COUNT)}\n"


def test_in_containers_and_control():
    source = """
def f(dates, span):
    lists, table, seen = [span], dict(), set()
    for i, day in enumerate(dates):
        lists.append(day - dates[0])
        if not np.isnat(day):
            table[day] = i
            seen.add(day + span)
    return lists, len(table), table[dates[1]], dates[1] + span in seen
"""
    dates = np.array([DAY, DAY + 1, NO_DATE, DAY])
    got = njit(function_of(source))(dates, DAYS)
    assert same(got[0], [DAYS, *(dates - DAY)]) and got[1:] == (2, 1, True)
    maybe = njit(function_of("def f(a, flag):\n    if flag:\n        return a\n    return None\n"))
    assert same(maybe(DAY, True), DAY) and maybe(DAY, False) is None
    either = njit(function_of("def f(a, b, flag):\n    r = a\n    if flag:\n        r = b\n    return r\n"))
    assert same(either(DAYS, SECONDS, False), np.timedelta64(3 * 86400, "s"))
    assert same(either(DAYS, SECONDS, True), SECONDS)
    total = function_of("def f(a):\n    s = np.timedelta64(0, 's')\n    for v in a:\n        s += v * 2\n    return s\n")
    assert same(njit(total)(np.arange(5).astype("m8[ms]")), np.timedelta64(20, "ms"))
    Pair = collections.namedtuple("Pair", "at length")
    end = njit(function_of("def f(p):\n    return Pair(p.at + p.length, p.length)\n", Pair=Pair))
    assert end(Pair(DAY, DAYS)) == Pair(DAY + DAYS, DAYS)
    several = njit(function_of("def f(a):\n    out = typed.List()\n    out.append(a)\n    out.append(a + a)\n    return out\n",
                               typed=typed))(DAYS)
    assert list(several) == [DAYS, 2 * DAYS]


def test_records_and_threads(rng):
    table = np.zeros(3, [("at", "M8[s]"), ("length", "m8[s]"), ("value", "f8")])
    table["at"], table["length"] = MOMENT, SECONDS
    step = njit(function_of("def f(t):\n    for i in range(len(t)):\n        t[i].at = t[i].at + t[i].length * i\n    return t['at']\n"))
    assert same(step(table), MOMENT + SECONDS * np.arange(3))
    dates, others = rows(rng, "M", "D", 5000), rows(rng, "M", "D", 5000)
    source = """
def f(a, b):
    late = np.zeros(len(a), np.bool_)
    for i in prange(len(a)):
        late[i] = a[i] > b[i]
    return late, a - b
"""
    late, gaps = njit(parallel=True)(function_of(source, prange=prange))(dates, others)
    assert same(late, dates > others) and same(gaps, dates - others)


def test_arange_of_dates():
    check("""
        np.arange(a, a + 9 * c)
        np.arange(a, b)
        np.arange(a, b, np.timedelta64(6, 'h'))
        np.arange(a, a + 9 * c, 2 * c)
        np.arange(a, a - 9 * c, -2)
        np.arange(a, 5)
        np.arange(a, c)
        np.arange(c)
        np.arange(np.datetime64('2020-01'), np.datetime64('2021-01'))
        np.arange(b, a)
    """, np.datetime64("2020-01-31"), np.datetime64("2020-02-03T05"), DAYS)


def test_ufuncs_over_dates():
    dates = np.array(["2020-01-01", "2021-03-04", "NaT"], "M8[D]")
    spans = np.array([1, 2, "NaT"], "m8[D]")
    later = vectorize(function_of("def f(a, b):\n    return a + b\n"))
    assert same(later(dates, spans), dates + spans)
    assert same(later(dates[:, None], spans.astype("m8[s]")), dates[:, None] + spans.astype("m8[s]"))
    assert same(later(np.arange(3), 1.5), np.arange(3) + 1.5)
    between = vectorize(function_of("def f(a, b):\n    return a - b\n"))
    assert same(between(dates, dates[::-1]), dates - dates[::-1])
    assert same(between.outer(dates, dates), np.subtract.outer(dates, dates))
    D, span = types.NPDatetime("D"), types.NPTimedelta("D")
    fixed = vectorize([D(D, span)])(function_of("def f(a, b):\n    return a + b + b\n"))
    assert same(fixed(dates, spans), dates + spans + spans)
    with pytest.raises(TypeError, match="could not be safely coerced"):
        fixed(dates.astype("M8[s]"), spans)


def test_gufuncs_over_dates():
    dates = np.array([["2020-01-01", "2021-03-04", "NaT"], ["1999-12-31", "2000-01-01", "1970-01-01"]], "M8[D]")
    source = "def f(a, b, out):\n    for i in range(a.shape[0]):\n        out[i] = a[i] + b\n"
    f = guvectorize(["void(M8D[:], m8D, M8D[:])".replace("M8D", "NPDatetime('D')").replace("m8D", "NPTimedelta('D')")],
                    "(n),()->(n)")(function_of(source))
    assert same(f(dates, DAYS), dates + DAYS)
    D, span = types.NPDatetime("D"), types.NPTimedelta("D")
    g = guvectorize([(D[:], span[:])], "(n)->()")(function_of("def f(a, out):\n    out[0] = a[-1] - a[0]\n"))
    assert same(g(dates), dates[:, -1] - dates[:, 0])
