# SPDX-License-Identifier: MIT
"""Variables that are read where they have no value: as in Python, but for what a loop would have to pay for."""
import itertools

import numpy as np
import pytest

from numba import njit
from numba.core.errors import TypingError

TEXT = "cannot access local variable 'z' where it is not associated with a value"

# Ways to have given `z` the value {0} for n = 3 and none for n = 0
SETS = {
    "if": "    if n:\n        z = {0}\n",
    "elif": "    if n == 0:\n        y = 1\n    elif n == 3:\n        z = {0}\n    else:\n        z = {0}\n",
    "for": "    for i in range(n):\n        z = {0}\n",
    "while": "    m = n\n    while m:\n        z = {0}\n        m -= 1\n",
    "try": "    try:\n        y = 6 // n\n        z = {0}\n    except Exception:\n        pass\n",
    "except": "    try:\n        y = 6 // (n - 3)\n    except Exception:\n        z = {0}\n",
    "finally": "    try:\n        if n:\n            z = {0}\n    finally:\n        y = 1\n",
    "else of for": "    for i in range(2):\n        if not n:\n            break\n    else:\n        z = {0}\n",
    "else of try": "    try:\n        y = 6 // n\n    except Exception:\n        pass\n    else:\n        z = {0}\n",
    "match": "    match n:\n        case 3:\n            z = {0}\n        case 4:\n            z = {0}\n",
    "walrus": "    if n and str(z := {0}):\n        y = 1\n",
    "del": "    z = {0}\n    if n == 0:\n        del z\n",
    "nested": "    if n:\n        for i in range(n):\n            if i:\n                z = {0}\n            else:\n                z = {0}\n",
    "one branch of two": "    if n > 1:\n        if n > 2:\n            z = {0}\n        else:\n            z = {0}\n",
}
# How it is read then
READS = {
    "return": "    return z\n",
    "branch": "    y = z if n == 0 else z\n    return y\n",
    "twice": "    y = z\n    return z\n",
    "in a loop": "    y = 0\n    for i in range(2):\n        y = i\n        if i == 1:\n            break\n    return z\n",
    "handled": "    try:\n        return z\n    except ZeroDivisionError:\n        return z\n",
}
VALUES = ["n + 4", "2.5", "'text'", "(1, 2.5)", "[n, 2]", "np.arange(n)", "None", "{n: 1}", "1j", "np.datetime64('2020', 'Y')"]


def outcome(f, n):
    try:
        return f(n)
    except UnboundLocalError as error:
        return str(error)


def same(a, b):
    return np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b


@pytest.mark.parametrize("how", SETS)
def test_reads_of_what_has_no_value(make, how):
    """Each way to read, and each type of value by one of them."""
    cases = list(itertools.product(READS.values(), VALUES[:1])) + [(READS["return"], value) for value in VALUES[1:]]
    for read, value in cases:
        f = make(f"def f(n):\n{SETS[how].format(value)}{read}")
        g = njit(f)
        assert outcome(f, 0) == TEXT, read
        assert same(outcome(g, 3), outcome(f, 3)) and outcome(g, 0) == TEXT, (read, value)


def test_reads_of_what_has_no_value_are_caught_and_leave_generators(make):
    for error in ("UnboundLocalError", "NameError", "Exception"):
        f = make(f"def f(n):\n    try:\n        if n:\n            z = n\n        return z\n    except {error}:\n"
                 "        return -1\n")
        assert [njit(f)(n) for n in (0, 3)] == [f(0), f(3)] == [-1, 3]
    f = make("def f(n):\n    if n:\n        z = n\n    yield 7\n    yield z\n")
    assert list(njit(f)(3)) == [7, 3]
    made = njit(f)(0)
    assert next(made) == 7
    with pytest.raises(UnboundLocalError, match=TEXT):
        next(made)


def test_each_turn_of_a_loop_may_set_it(make):
    """A flag that turns carry on would slow the loop, so that the value is 0 then, as in numba."""
    for body in ("    for i in range(n):\n        if i == 2:\n            z = i\n    return z\n",
                 "    y = 0\n    for i in range(n):\n        if i > 0:\n            y += z\n        z = i\n    return y\n",
                 "    y = 0\n    for i in range(n):\n        if i == n - 1:\n            y = z\n        if i == 0:\n            z = 8\n"
                 "    return y\n"):
        f = make(f"def f(n):\n{body}")
        assert njit(f)(3) == f(3)
        assert njit(f)(1) == 0


# what, the function's body, the results for 0 and 3; None: it has no value
COMPILED = [
    ("in_except", "    try:\n        z = 6 // n\n    except Exception:\n        return z\n    return 10 + z\n", (None, 12)),
    ("in_except_array", "    try:\n        z = np.ones(4)[5 - n]\n    except Exception:\n        return z + 0.5\n    return z\n",
     (None, 1.0)),
    ("in_except_list", "    try:\n        z = [[1], [2]][3 - n]\n    except Exception:\n        return z\n    return z\n",
     (None, [1])),
    ("in_except_text", "    try:\n        z = ('ab', 'cd')[3 - n]\n    except Exception:\n        y = z + '!'\n"
     "        return y\n    return z\n", (None, "ab")),
    ("other_branch", "    if n > 1:\n        z = 3.5\n    else:\n        return z\n    return z + 1\n", (None, 4.5)),
    ("after_loop", "    for i in range(n):\n        z = i\n    return z\n", (None, 2)),
    ("tuple", "    if n == 3:\n        z = (n, 1.5)\n    else:\n        return z\n    return z\n", (None, (3, 1.5))),
    ("never_run", "    if n == 3:\n        z = n\n    elif n > 5:\n        return z\n    return n\n", (0, 3)),
    ("assigned_after", "    try:\n        z = 6 // n\n    except Exception:\n        y = z + 1\n        z = y + 1\n    return z\n",
     (None, 2)),
    ("caught", "    try:\n        n = 6 // n\n    except Exception as z:\n        pass\n    return z\n", (None, None)),
]

REFUSED = [
    ("before", "    if n > 1:\n        return z\n    z = 1\n    return z\n"),
    ("in_its_own_value", "    z = z + n\n    return z\n"),
    ("deleted", "    z = 1\n    del z\n    return z\n"),
    ("dead_assignment", "    if False:\n        z = 1\n    return z\n"),
]


def test_reads_where_no_way_leads_past_an_assignment(make):
    for what, body, expected in COMPILED:
        f = njit(make(f"def f(n):\n{body}"))
        for n, value in zip((0, 3), expected):
            assert outcome(f, n) == (TEXT if value is None else value), what


def test_reads_that_come_before_every_assignment_are_refused(make):
    for what, body in REFUSED:
        f = njit(make(f"def f(n):\n{body}"))
        with pytest.raises(TypingError, match="'?z'? .*(before assignment|before it is set)"):
            f(3)
            pytest.fail(what)


@pytest.mark.parametrize("use", ("v.reverse()", "v.insert(n, n)", "v.append(n)", "v = v.copy()"))
def test_what_gets_a_type_late_beside_a_method(make, use):
    """What a list holds is asked about once more with `z`: then a method is that of a value without a type."""
    f = make("def f(v, n):\n    for i in range(0):\n        i = z\n        z = len([q for q in range(i)])\n"
             f"    v += [n]\n    {use}\n    return v\n")
    assert njit(f)([1], 2) == f([1], 2)


@pytest.mark.parametrize("folder", ("site-packages", "dist-packages", "packages"))
def test_functions_of_installed_packages(tmp_path, monkeypatch, folder):
    """They get what numba gives, a 0 or nothing of the type."""
    place = tmp_path / "lib" / folder
    place.mkdir(parents=True)
    (place / f"installed_{folder[:4]}.py").write_text(
        "import numpy as np\nfrom numba import njit\n" + "".join(
            f"@njit\ndef f{k}(n):\n    if n:\n        z = {value}\n    return n, z\n" for k, value in enumerate(VALUES)))
    monkeypatch.syspath_prepend(str(place))
    module = __import__(f"installed_{folder[:4]}")
    for k, value in enumerate(VALUES):
        f = getattr(module, f"f{k}")
        assert same(f(3)[1], f.py_func(3)[1])
        if folder == "packages":
            with pytest.raises(UnboundLocalError, match=TEXT):
                f(0)
        elif value in ("n + 4", "2.5", "1j"):
            assert f(0) == (0, 0)
        elif value == "np.arange(n)":
            assert f(0)[1].shape == (0,) and f(0)[1].dtype == np.int64
        else:
            assert f(0)[0] == 0
