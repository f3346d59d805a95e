"""Indices out of bounds: IndexError by default as in plain Python, and how the checks are taken out."""
import random
import textwrap

import numpy as np
import pytest
from numba import njit, prange


def outcome(function, *args):
    """(result or the error's class, what became of the arrays)."""
    args = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    try:
        result = function(*args)
    except (IndexError, ZeroDivisionError, ValueError) as error:
        result = type(error).__name__
    return result, [a.tolist() for a in args if isinstance(a, np.ndarray)]


def agree(function, *args):
    assert outcome(function, *args) == outcome(function.py_func, *args), args


def test_message_names_index_axis_size_and_line(make):
    f = njit(make("def f(a, i, j):\n    b = a[0, 0]\n    return a[i, j] + b\n"))
    for place, said in (((7, 0), "index 7 on axis 0 of size 3"), ((0, -5), "index -5 on axis 1 of size 4"),
                        ((3, 9), "index 3 on axis 0 of size 3")):
        with pytest.raises(IndexError, match="^index is out of bounds: " + said) as info:
            f(np.zeros((3, 4)), *place)
        assert info.traceback[-1].lineno == 2
    assert f(np.ones((3, 4)), -3, -4) == 2


def test_loop_says_which_turn_failed(make):
    f = njit(make("def f(a, b, n):\n    for i in range(n):\n        a[i] += b[i + 1]\n    return 0\n"))
    a = np.zeros(8)
    with pytest.raises(IndexError, match="index 5 on axis 0 of size 5") as info:
        f(a, np.ones(5), 8)
    assert a.tolist() == [1] * 4 + [0] * 4 and info.traceback[-1].lineno == 2


RANGES = ("n", "2, n", "n, -1, -1", "n, -15, -1", "0, n, 3", "n, -12, -2", "-20, n", "5, 5 - n, -3")
INDICES = ("i", "i + 1", "i - 1", "n - i", "n - 1 - i", "n - 2 - i", "2 * i", "i - n", "3 * i - 4", "i % 7", "b[i % 3] + i", "-i",
           "-i - 1", "2 - -i", "-n + i", "-(i + 3)")


def test_loops_fail_in_the_same_turn(make):
    """`i` is stored for each turn that was made."""
    lines = ["import numpy as np"]
    for r in RANGES:
        for index in INDICES:
            lines.append(f"def f{len(lines)}(a, b, done, n):\n    s = 0.0\n    for i in range({r}):\n"
                         f"        s += a[{index}]\n        done[0] = i\n    return s")
    source = "\n".join(lines) + "\nf = (" + ", ".join(f"f{k}" for k in range(1, len(lines))) + ")\n"
    for function in make(source):
        compiled = njit(function)
        for n in (0, 5, 9, 10, 11, 30):
            agree(compiled, np.arange(10.0), np.array([0, 2, 1]), np.zeros(1, np.int64), n)


FIXED = ("n", "-n", "n + 1", "-(n - 2)", "2 * n", "n - m", "-m - 1")


def test_loops_that_do_not_look_at_their_number(make):
    """An index that the loop leaves alone is asked about, whether or not the loop's number is used for anything."""
    for turns in ("7", "20", "100", "m", "m, -1, -1", "len(a)"):
        for index in FIXED:
            f = njit(make(f"def f(a, g, n, m):\n    s = 0\n    for _ in range({turns}):\n        s += 1\n"
                          f"        a[{index}] = s\n        s += g[0, {index}] + g[{index}, 1]\n    return s\n"))
            for n in (0, 1, 3, 5, 6, 9):
                for m in (0, 1, 40):
                    agree(f, np.arange(6), np.arange(36).reshape(6, 6), n, m)


# What a loop goes over -> its variables. Whatever it is, the loop asks about what it leaves alone.
ITERABLES = {
    "c": "x", "c[1:]": "x", "c[::-1]": "x", "c.flat": "x", "np.nditer(c)": "x", "np.ndenumerate(c)": "q, x", "np.ndindex(c.shape)": "q",
    "np.ndindex(3, 4)": "q", "enumerate(c)": "q, x", "enumerate(c, 2)": "q, x", "zip(c, c[1:])": "x, y", "enumerate(zip(c, c))": "q, x",
    "zip(range(m), c)": "q, x", "rows": "x", "enumerate(rows)": "q, x", "zip(c, rows)": "y, x", "[3, 1, m]": "x", "(1, 2, 3)": "x",
    "'eleven turns'": "x", "reversed(range(m))": "x", "range(np.int32(m))": "x", "range(np.uint64(m))": "x", "range(0, m, step)": "x",
    "(z for z in c)": "x",
}


def fixed(variables, iterable, access, is_nested=False):
    outer = "    for r in range(2):\n    " if is_nested else ""
    return (f"def f(a, g, c, rows, k, m, step):\n    s = 0\n{outer}    for {variables} in {iterable}:\n"
            f"{'    ' * is_nested}        {access}\n    return s\n")


def places(number):
    """Arrays in the middle of others: what is next to them belongs to nobody here."""
    line, plane = np.zeros(60, np.int64), np.zeros((20, 20), np.int64)
    turns = np.arange(number)
    return line, plane, (line[30:38], plane[6:14, 6:14], turns, np.arange(2 * number).reshape(number, 2))


def check_fixed(compiled, k, number=9):
    line, plane, arrays = places(number)
    index = int(k)
    try:
        want, result = compiled.py_func(*arrays, index, number, 1), None
    except (IndexError, OverflowError):  # the latter of 2 ** 63 and more
        want = IndexError
    want = want, line.tolist(), plane.tolist()
    line, plane, arrays = places(number)
    try:
        result = compiled(*arrays, k, number, 1)
    except IndexError:
        result = IndexError
    assert (result, line.tolist(), plane.tolist()) == want, (k, number)


@pytest.mark.parametrize("iterable", ITERABLES)
def test_loops_of_every_kind_ask_about_what_they_leave_alone(make, iterable):
    for access, is_nested, dtype, far in (("a[k] = 5", False, np.int64, -9), ("s += g[1, k]", True, np.uint64, 2 ** 64 - 1)):
        f = njit(make(fixed(ITERABLES[iterable], iterable, access, is_nested), np=np))
        for k in (7, 8, far):
            check_fixed(f, dtype(k))
        if "nditer" not in iterable:  # which NumPy has over no items at all not
            check_fixed(f, dtype(8), number=0)


MADE = ("k", "k + 1", "-k", "k // 2 * 2", "k & 127", "k ^ 3", "k >> 1", "k % 11", "~k", "min(k, 90)", "max(k, 2)", "m - k", "np.int8(k)",
        "np.uint64(k) // np.uint64(2)", "k * m", "min(max(k, 0), len(a) - 1)")


@pytest.mark.parametrize("dtype", ("int64", "int32", "int16", "int8", "uint64", "uint32", "uint16", "uint8"))
def test_indices_of_every_integer_that_loops_leave_alone(make, dtype):
    """Made before the loop, or in each turn of what is."""
    iterable = "range(m)" if dtype == "int64" else "c"
    for made in MADE if dtype in ("int64", "int32") else ("k", "np.int8(k)", "k >> 1"):
        f = njit(make(fixed("x", iterable, f"a[{made}] += 1"), np=np))
        for k in (0, 3, 7, 8, 9, 17, 100, *((-1, -8, -9, -100) if dtype.startswith("i") else ())):
            check_fixed(f, getattr(np, dtype)(k))


def test_rows_that_a_loop_has_of_an_array_are_as_long_as_before(make):
    for variables, iterable, access in (
            ("x", "rows", "x[k] = 1"), ("q, x", "enumerate(rows)", "s += x[k]"), ("y, x", "zip(c, rows)", "x[k] += y"),
            ("x", "c", "s += g[1][k]"), ("x", "c", "g[2, :][k] += 1"), ("x", "range(m - 1)", "rows[x][k] = 3"),
            ("x", "c", "g[:, 1][k] += 1"), ("x", "range(m)", "s += g[1][x]")):
        f = njit(make(fixed(variables, iterable, access), np=np))
        for k in (0, 1, 2, 3, 7, 8, -1, -2, -3, -9):
            for number in (0, 1, 9):
                check_fixed(f, k, number)


def test_loops_with_vectors_ask_about_what_they_count_down(make):
    """Indices with a sign before the number; integers are added up in any order, so that LLVM has vectors for the loop."""
    for index in ("-i", "-i - 1", "-n + i", "-(i + 3)", "2 - -i", "-(n - i)"):
        f = njit(make(f"def f(a, b, n, m):\n    s = 0\n    for i in range(n, m):\n        s += a[{index}]\n        b[i] = 7\n"
                      "    return s\n"))
        for n in (0, 1, 3, 7):
            for m in (0, 2, 6, 7, 8, 20):
                agree(f, np.arange(7), np.zeros(20, np.int64), n, m)


def test_what_may_make_an_index_larger_is_asked_about(make):
    """A difference, a quotient, a shift and a mask make it no larger only where their other side is known."""
    for index in ("i - m", "i - m - 1", "min(i - m, n)", "min(n, i) - m", "(i + n) // 2", "i & m", "i - m & i", "(i - m) % n"):
        f = njit(make(f"def f(a, n, m):\n    s = 0\n    for i in range(len(a)):\n        if s == -1:\n            break\n"
                      f"        s += a[{index}]\n    return s\n"))
        for n in (1, 5, 9, 40):
            for m in (-9, -3, -1, 0, 2, 6, 9, 2 ** 63 - 1):
                agree(f, np.arange(7), n, m)


def loop(body):
    """A function that sums what the body takes in n turns."""
    return "def f(a, b, n):\n    s = 0.0\n    for i in range(n):\n" + textwrap.indent(body, 8 * " ") + "\n    return s"


SHAPES = {
    "conditional": loop("if b[i % len(b)] > 1:\n    s += a[i]"),
    "guarded": loop("if i >= len(a):\n    break\ns += a[i]"),
    "explicit raise first": loop("if i == 10:\n    raise ValueError('ten')\ns += a[i]"),
    "while": """
def f(a, b, n):
    s, i = 0.0, 0
    while i < n:
        s += a[i]
        b[0] = i
        i += 1
    return s""",
    "sorting": """
def f(a, b, n):
    for i in range(1, len(a)):
        key, j = a[i], i - 1
        while j >= -n and a[j] < key:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = key
    return 0""",
    "nested": loop("for j in range(i, -1, -1):\n    s += a[i - j] * a[i]\n    b[j % 3] += 1"),
    "reassigned": """
def f(a, b, n):
    s = 0.0
    c = a
    for i in range(n):
        s += c[i]
        if i == 4:
            c = a[::-1][:8]
    return s""",
    "aliased": """
def f(a, b, n):
    c = a[2:]
    for i in range(n):
        a[i] = c[i] + 1
    return 0""",
    "fixed index": """
def f(a, b, n):
    s = 0.0
    for i in range(3):
        s += a[n]
        b[i] = 9
    return s""",
    "empty": """
def f(a, b, n):
    s = 0.0
    for i in range(5, 5):
        s += a[n]
    return s""",
    "handled": """
def f(a, b, n):
    s = 0.0
    try:
        for i in range(n):
            s += a[i]
            b[0] = i
    except Exception:
        s = -s
    return s""",
    "break and else": """
def f(a, b, n):
    for i in range(n):
        if a[i] == 12.0:
            break
    else:
        return -1
    return i""",
    "rows": """
def f(a, b, n):
    c = np.zeros((4, 5))
    s = 0.0
    for i in range(n):
        for j in range(n):
            s += c[i, j] + c[i][j]
            b[0] = i * 100 + j
    return s""",
    "range of the length": """
def f(a, b, n):
    s = 0.0
    for i in range(len(a)):
        s += a[i] + a[i - n]
    for i in range(1, len(a) - 1):
        s += a[i - 1] + a[i + 1]
    for i in range(len(a) - 1, -1, -1):
        s += a[i]
    return s""",
}


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_of_loops(make, name):
    f = njit(make("import numpy as np\n" + SHAPES[name] + "\n"))
    for n in (0, 1, 4, 5, 9, 10, 11, 12, 25, -3, -10, -11):
        agree(f, np.arange(10.0), np.array([0, 2, 1]), n)


def expression(rng, names):
    left = rng.choice(names)
    if rng.random() < 0.3:
        left = f"{rng.choice((-1, 2, 3))} * {left}"
    if rng.random() < 0.3:  # of what a range was made of, to cancel it out
        left = f"{left} {rng.choice('+-')} {rng.choice(('1', '2', *names))}"
    return f"{left} {rng.choice('+-')} {rng.choice((*names, '0', '1', '2', '7'))}"


def random_function(rng):
    """A nest of loops of floats, which are checked at each index, with random bounds and indices."""
    step = rng.choice((1, 1, 1, -1, 2, -3))
    outer = f"range({rng.choice(('0', '1', 'n', '-2'))}, {rng.choice(('n', 'm', 'len(a)', '0'))}, {step})"
    stop = expression(rng, ("i", "n", "m"))
    stop = f"min({stop}, {expression(rng, ('i', 'n', 'm'))})" if rng.random() < 0.3 else stop
    inner = f"range({expression(rng, ('i', 'n', 'm'))}, {stop}, {rng.choice((1, 1, -1, 4))})"
    lines = ["def f(a, b, n, m):", "    s = 0.0", "    t = 0", f"    for i in {outer}:"]
    if rng.random() < 0.5:
        lines.append(f"        s += a[{expression(rng, ('i', 'n'))}]")
    lines.append(f"        for j in {inner}:")
    for _ in range(rng.choice((1, 1, 2, 3))):
        lines.append(f"            s += {rng.choice('ab')}[{expression(rng, ('i', 'j', 'j', 'n', 'm'))}]")
    if rng.random() < 0.3:
        lines.append(f"            if s > 50:\n                {rng.choice(('break', 't = j', 'continue'))}")
    lines += ["            t += 1", "    return s, t"]
    return "\n".join(lines) + "\n"


def test_random_nests(make):
    rng = random.Random(11)
    for _ in range(60):
        source = random_function(rng)
        f = njit(make(source))
        for _ in range(6):
            n, m = rng.randint(-3, 12), rng.randint(-3, 12)
            a, b = np.arange(float(rng.randint(0, 12))), np.arange(float(rng.randint(0, 12)))
            assert outcome(f, a, b, n, m) == outcome(f.py_func, a, b, n, m), (source, n, m, len(a), len(b))


def test_threads(make):
    f = njit(parallel=True)(make(
        "def f(a, b, n):\n    for i in prange(n):\n        a[i] = b[i] * 2\n    return 0\n", prange=prange))
    a, b = np.zeros(1000), np.arange(1000.0)
    assert f(a, b, 1000) == 0 and np.array_equal(a, b * 2)
    for n in (1001, 5000):
        with pytest.raises(IndexError, match="index is out of bounds"):
            f(a, b, n)


@pytest.mark.parametrize("option", (True, False))
def test_option(make, option):
    """Read from a view of a longer array: what is behind its end is there."""
    source = "def f(a, i):\n    s = 0.0\n    for k in range(i + 1):\n        s = a[k]\n    return s\n"
    f = njit(boundscheck=option)(make(source))
    view = np.arange(10.0)[:5]
    assert f(view, 4) == 4
    if option:
        with pytest.raises(IndexError):
            f(view, 7)
    else:
        assert f(view, 7) == 7


CHILD = """
import numpy as np, numba
from numba import njit
def f(a, i): return a[i]
view = np.arange(10.0)[:5]
for options in ({}, {"boundscheck": True}, {"boundscheck": False}, {"debug": True}):
    try:
        print(njit(**options)(f)(view, 7))
    except IndexError:
        print("IndexError")
"""


@pytest.mark.parametrize("value, expected", ((None, "IndexError IndexError 7.0 IndexError"), ("0", "7.0 7.0 7.0 7.0"),
                                             ("1", "IndexError IndexError IndexError IndexError")))
def test_environment(run_python, value, expected):
    env = {} if value is None else {"NUMBA_BOUNDSCHECK": value}
    done = run_python(code="import gridcell\ngridcell.activate()\n" + CHILD, env=env)
    assert done.stdout.split() == expected.split(), done.stderr


def test_classes_that_go_unchecked_by_default(make):
    """Computed indices of straight innermost loops; with the option they are checked."""
    f = make("def f(counts, values):\n    for v in values:\n        counts[v] += 1\n    return 0\n")
    counts = np.zeros(8, np.int64)
    assert njit(f)(counts[:4], np.array([1, 5])) == 0 and counts.tolist() == [0, 1, 0, 0, 0, 1, 0, 0]
    with pytest.raises(IndexError, match="index 5 on axis 0 of size 4"):
        njit(boundscheck=True)(f)(counts[:4], np.array([1, 5]))
    gather = njit(make("def f(a, where):\n    s = 0.0\n    for k in where:\n        s += a[k]\n    return s\n"))
    with pytest.raises(IndexError, match="index 5 on axis 0 of size 4"):
        gather(np.zeros(4), np.array([1, 5]))


def test_messages_of_unasked_checks_name_the_switch(make):
    plain = make("def f(a, i):\n    return a[i]\n")
    for options, is_told in (({}, True), ({"boundscheck": True}, False), ({"debug": True}, False)):
        with pytest.raises(IndexError) as info:
            njit(**options)(plain)(np.arange(3), 7)
        assert ("boundscheck=False" in str(info.value)) == is_told
