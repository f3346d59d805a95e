"""Loops that choose by a number have vectors, whatever LLVM makes of the comparisons."""
import re

import numpy as np
import pytest
from numba import njit

FORMS = {
    "values": "if a[i] == 0:\n    out[i] = 5\nelif a[i] == 1:\n    out[i] = 7\nelif a[i] == 2:\n    out[i] = 9",
    "changes": "c = a[i]\nif c == 1:\n    out[i] = out[i] * 2\nelif c == 3:\n    out[i] = out[i] + 3\n"
               "elif c == 5:\n    out[i] = -out[i]",
    "either": "c = a[i]\nif c == 65 or c == 84:\n    out[i] = 1\nelif c == 67 or c == 71:\n    out[i] = 2\n"
              "else:\n    out[i] = 4",
    "neither": "c = a[i]\nif c != 3 and c != 5:\n    out[i] = 1",
    "and another": "c = a[i]\nout[i] = 1 if c == 3 or (c == 2 and b[i]) else 0",
    "membership": "if a[i] in (2, 3, 5, 71):\n    out[i] = 3",
    "match": "match a[i]:\n    case 0:\n        out[i] = 3\n    case 2 | 5:\n        out[i] = 2\n    case _:\n"
             "        out[i] = 1",
    "many": "\n".join(f"{'el' if k else ''}if a[i] == {k}:\n    out[i] += {k * k % 7}" for k in range(20)),
}


def loop(make, name):
    body = "\n".join(8 * " " + line for line in FORMS[name].splitlines())
    return njit(make(f"def f(a, b, out):\n    for i in range(len(a)):\n{body}\n"))


@pytest.mark.parametrize("name", FORMS)
def test_results(make, name, rng):
    f = loop(make, name)
    for dtype in (np.uint8, np.int8, np.int32, np.uint32, np.int64, np.uint64):
        for size in (0, 1, 7, 100):
            a = rng.choice([0, 1, 2, 3, 4, 5, 65, 67, 71, 84], size).astype(dtype)
            b = rng.integers(0, 2, size).astype(dtype)
            for kind in (np.float64, np.int64, np.int8):
                got, want = np.ones(size, kind), np.ones(size, kind)
                f(a, b, got)
                f.py_func(a, b, want)
                assert np.array_equal(got, want), (dtype, size, kind)


@pytest.mark.parametrize("name", ("values", "either", "neither", "and another", "match"))
@pytest.mark.parametrize("dtype", (np.uint8, np.int32, np.int64))
def test_vectors(make, name, dtype):
    f = loop(make, name)
    f(np.ones(9, dtype), np.ones(9, dtype), np.ones(9))
    code = f.inspect_llvm(f.signatures[0])
    assert re.search(r"store <\d+ x double>|masked.store", code)


def test_steps_of_vectors_are_equalities(make):
    """One comparison for each case, and not the search in halves that is right for single numbers."""
    chosen = "\n        el".join(f"if a[i] == {c}: out[i] = {k}" for k, c in ((84, 65), (71, 67), (67, 71), (65, 84)))
    f = njit(make(f"def f(a, out):\n    for i in range(len(a)):\n        {chosen}\n        else: out[i] = a[i]\n"))
    f(np.ones(9, np.uint8), np.ones(9, np.uint8))
    code, = f.inspect_llvm().values()
    assert re.search(r"icmp eq <\d+ x i8>", code) and not re.search(r"icmp s[lg]t <\d+ x i8>", code)
