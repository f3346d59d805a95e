"""Cells that run compiled code: interrupts reach it, and everything goes on afterwards."""
import pathlib

import pytest

pytest.importorskip("numpy")

FUNCTIONS = """
from numba import cuda, njit
import numpy as np

@njit
def forever(x):
    while True:
        x += 1
    return x

@njit
def roots(n):
    total = 0.0
    for i in range(n):
        total += i ** 0.5
    return total

@cuda.jit
def spin(flag):
    while flag[0] == 0:
        cuda.atomic.add(flag, 1, 1)

roots(3)
"""


@pytest.mark.parametrize("call", ["forever(1)", "roots(10**13)",
                                  "spin[2, 32](np.zeros(2, np.int64)); cuda.synchronize()"])
def test_interrupts_reach_compiled_code(kernel, call):
    assert kernel.run(FUNCTIONS).content["status"] == "ok"
    for _ in range(2):  # the second time nothing is compiled
        message = kernel.client.execute(f"print('go', flush=True)\n{call}")
        kernel.wait_for_text("go")
        kernel.manager.interrupt_kernel()
        assert kernel.receive_reply(message)["content"]["ename"] == "KeyboardInterrupt"
    assert kernel.run("assert roots(5) > 5").content["status"] == "ok"


def test_the_first_compiled_cell_imports_little(kernel):
    """A cell's source comes from the kernel: linecache would bring tokenize and re."""
    code = ("import sys\nfrom numba import njit\nsys.modules.pop('linecache', None)\n@njit\ndef add(x):\n    return x + 1\n"
            "print(add(2), 'linecache' in sys.modules)")
    assert kernel.run(code).text() == "3 False\n"


def test_no_interrupt_of_the_compiler_is_lost(cells):
    """In a cell, sources are known also of functions that are made of text."""
    works = pathlib.Path(__file__).resolve().parent.parent / "language"
    cells.ok(f"import sys; sys.path.insert(0, {str(works)!r}); from interrupted_calls import WORKS, lost")
    cells.ok("found = {name: lost(name) for name in WORKS}", timeout=120)
    assert cells.result("{name: calls for name, calls in found.items() if calls}") == "{}"
