"""Loops over values that may be None, and what else goes through their items."""
import numpy as np
import pytest

from conftest import function_of
from numba import njit, typed

ITERATED = {
    "array": lambda: np.arange(1.0, 4),
    "tuple": lambda: (1.0, 2.0, 3.0),
    "list": lambda: typed.List([1.0, 2.0, 3.0]),
    "set": lambda: {1.0, 2.0, 3.0},
    "dict": lambda: typed.Dict({1.0: 2.0, 2.0: 2.0, 3.0: 1.0}),
}
LOOPS = {
    "for": ("    for v in p:\n        r += v\n", 6),
    "loop in a loop": ("    for v in p:\n        for w in p:\n            r += v * w\n", 36),
    "comprehension": ("    r = sum([v for v in p])\n", 6),
    "enumerate": ("    for k, v in enumerate(p):\n        r += k * v\n", 8),
    "zip": ("    for v, w in zip(p, p):\n        r += v * w\n", 14),
    "map": ("    for v in map(abs, p):\n        r += v\n", 6),
    "sum": ("    r = sum(p)\n", 6),
    "max": ("    r = max(p)\n", 3),
    "any": ("    r = 1.0 if any(p) else 0.0\n", 1),
    "sorted": ("    r = sorted(p)[2]\n", 3),
    "list": ("    r = list(p)[0] + len(list(p))\n", 4),
    "next": ("    r = next(iter(p))\n", 1),
    "unpacking": ("    a, b, c = p\n    r = a + b * c\n", 7),
    "unpacking of some": ("    a, *b = p\n    r = a + len(b)\n", 3),
}


@pytest.mark.parametrize("kind", ITERATED)
@pytest.mark.parametrize("loop", LOOPS)
def test_loops_over_what_may_be_none(kind, loop):
    body, total = LOOPS[loop]
    run = njit(function_of("def f(x, is_none):\n    p = None\n    if not is_none:\n        p = x\n    r = 0.0\n"
                           f"{body}    return r\n"))
    assert run(ITERATED[kind](), False) == total
    with pytest.raises(TypeError, match="got None"):
        run(ITERATED[kind](), True)
