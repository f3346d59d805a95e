"""The truth of arrays, wherever a truth is asked for: that of the item of one; others are a ValueError."""
import numpy as np
import pytest
from numba import cuda, njit, types
from numba.core import errors
from numba.experimental import jitclass

from conftest import outcome, same

# each asks for the truth of `a`
FORMS = {
    "if": "if a:\n        return 1\n    return 0",
    "if not": "if not a:\n        return 1\n    return 0",
    "elif": "if len(a.shape) == 9:\n        return 9\n    elif a:\n        return 1\n    return 0",
    "while": "n = 0\n    while a:\n        n += 1\n        if n > 2:\n            break\n    return n",
    "not": "return not a",
    "bool": "return bool(a)",
    "conditional": "return 1 if a else 0",
    "assert": "assert a\n    return 5",
    "and": "if a and True:\n        return 1\n    return 0",
    "or": "if a or False:\n        return 1\n    return 0",
    "value of and": "return (a and a).size",
    "value of or": "return (a or a).size",
    "any": "return any([a, a])",
    "all": "return all([a, a])",
    "any of a tuple": "return any((a, a))",
    "filter": "n = 0\n    for i in filter(None, [a, a]):\n        n += 1\n    return n",
    "comprehension": "return [1 for i in range(3) if a]",
    "comparison": "if a == a:\n        return 1\n    return 0",
    "chained comparison": "if a == a == a:\n        return 1\n    return 0",
    "value of a chain": "return (a == a == a).size",
    "conditional comparison": "return 1 if a != a else 0",
    "while comparison": "n = 0\n    while a == a:\n        n += 1\n        if n > 2:\n            break\n    return n",
    "guard": "match 1:\n        case 1 if a:\n            return 1\n    return 0",
}

ARRAYS = {
    "0d": np.array(3.0), "0d zero": np.array(0), "one": np.array([2]), "one zero": np.array([0.0]),
    "empty": np.zeros(0), "two": np.arange(2), "1 x 1": np.ones((1, 1)), "2 x 2": np.ones((2, 2)),
    "0 x 3": np.zeros((0, 3)), "F": np.asfortranarray(np.zeros((1, 1), np.int8)), "strided": np.ones(4)[::4],
    "nan": np.array([np.nan]), "complex": np.array([1j]), "bool": np.array([False]), "float32": np.ones(1, np.float32),
    "span": np.array([5], "m8[s]"), "text": np.array(["ab"]), "empty text": np.array([""]), "reversed": np.ones(1)[::-1],
}


@pytest.mark.filterwarnings("ignore:The truth value of an empty array")
@pytest.mark.parametrize("form", FORMS)
def test_truth_of_arrays(make, form):
    plain = make(f"def f(a):\n    {FORMS[form]}\n")
    compiled = njit(plain)
    for name, array in ARRAYS.items():
        if "value of a chain" == form and array.ndim == 0:
            continue  # NumPy gives a bool, which has no size
        got, want = outcome(compiled, array), outcome(plain, array)
        assert same(got, want), (name, got, want)


def test_truth_of_records_is_refused(make):
    with pytest.raises(errors.TypingError, match="A condition must be a number"):
        njit(make("def f(a):\n    if a:\n        return 1\n    return 0\n"))(np.zeros(1, [("x", "i4")]))


@pytest.mark.parametrize("source, want", [
    ("def f(a):\n    return () or 1\n", 1), ("def f(a):\n    return not ()\n", True),
    ("def f(a):\n    return not (a, 1)\n", False), ("def f(a):\n    return not [a]\n", False),
])
def test_not_of_tuples_and_lists(make, source, want):
    assert njit(make(source))(3) == want


@jitclass([("x", types.int64)])
class Number:
    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        return self.x * (self.x == other.x)


def test_comparisons_that_give_no_bool(make):
    f = njit(make("def f(a, b):\n    if a == b:\n        return 1\n    return 0\n"))
    assert [f(Number(2), Number(2)), f(Number(0), Number(0)), f(Number(2), Number(1))] == [1, 0, 0]


def test_truth_of_arrays_in_kernels(make):
    kernel = cuda.jit(make("def f(a, out):\n    if a:\n        out[0] = 1\n    elif not a:\n        out[0] = 2\n"))
    for item, want in ((3, 1), (0, 2)):
        out = np.zeros(1, np.int32)
        kernel[1, 1](np.array([item]), out)
        assert out[0] == want


def test_equal_to_none_leaves_out_what_has_a_type():
    """As `is None` does: the other branch need not compile."""
    @njit
    def equal(x, y=None):
        if y == None:  # noqa: E711
            return x
        return x + y.size

    @njit
    def unequal(x, y=None):
        if None != y:  # noqa: E711
            return x + len(y)
        else:
            return x

    @njit
    def maybe(x):
        y = x if x > 2 else None
        if y == None:  # noqa: E711
            return -1
        return y

    for function in (equal, unequal):
        assert function(1) == function(1, None) == 1 and function(1, np.ones(3)) == 4
    assert [unequal(1, value) for value in ((1, 2), "abc", [5, 6], b"x")] == [3, 4, 3, 2]
    assert maybe(1) == -1 and maybe(5) == 5


# what CPython makes no code of, numba types nothing of
LITERALS = ["0", "1", "-1", "2.5", "0.0", "-0.0", "1j", "0j", "True", "False", "None", "''", "'a'", "b''", "b'a'", "...",
            "()", "(1, 2)", "not 0", "not 'a'", "not None", "~0", "+1", "-0", "not -1"]
DECIDED = {
    "or": "{0} or (lambda: 3)()", "and": "{0} and (lambda: 2)()",
    "three": "0 or {0} or 3", "conditional": "1 if {0} else 2.5", "negated": "1 if not {0} else 2.5",
    "arms": "1 if ({0} if p else {0}) else 2.5", "and in a condition": "1 if (p or {0}) and {0} else 2.5",
    "item": "[1 if {0} else 2][0]",
}


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("form", DECIDED)
def test_literals_decide(make, form):
    source = "\n".join(f"def f{i}(p):\n    return {DECIDED[form].format(text)}\n" for i, text in enumerate(LITERALS))
    for i, text in enumerate(LITERALS):
        plain = make(source, f"f{i}")
        got, want = njit(plain)(7), plain(7)
        assert type(got) is type(want) and got == want, (text, got, want)
