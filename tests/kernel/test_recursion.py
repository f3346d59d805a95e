"""Endless recursion under any limit is a RecursionError."""
import sys

import pytest

SET = "import sys\nsys.setrecursionlimit(10**9)\n"


@pytest.fixture(autouse=True)
def usual_limit(cells):
    yield
    cells.ok("import sys\nsys.setrecursionlimit(3000)")


def test_the_limit_stays_below_what_memory_allows(cells):
    outcome = cells.ok(SET + "print(sys.getrecursionlimit())")
    assert 50_000 <= int(outcome.text()) < 10**9
    assert "more than memory allows" in outcome.text("stderr")
    assert cells.text("sys.setrecursionlimit(40_000); print(sys.getrecursionlimit())") == "40000\n"


@pytest.mark.parametrize("code", [
    "class A:\n    def __repr__(self): return repr(self)\nrepr(A())",
    "class B:\n    def __add__(self, other): return self + other\nB() + 1",
    "class C:\n    def __getattr__(self, name): return getattr(self, name + 'x')\nC().y",
    "x = []\nfor _ in range(200_000): x = [x]\nrepr(x)",
])
def test_recursion_through_c(cells, code):
    outcome = cells.run(SET + code)
    assert outcome.content["ename"] == "RecursionError"
    if sys.version_info < (3, 12):  # later ones count calls through C themselves
        assert "stack of C code" in outcome.text("stderr")
    assert cells.text("print('on')") == "on\n"
    assert cells.run(code).content["ename"] == "RecursionError"  # the second time, too


def test_it_can_be_caught(cells):
    assert cells.text(SET + "class A:\n    def __repr__(self): return repr(self)\n"
                      "for _ in range(3):\n    try: repr(A())\n"
                      "    except RecursionError: print('caught')") == "caught\n" * 3


def test_in_a_thread(cells):
    outcome = cells.ok(SET + "import threading\nclass A:\n    def __repr__(self): return repr(self)\n"
                       "for _ in range(3):\n"
                       "    thread = threading.Thread(target=lambda: repr(A()))\n"
                       "    thread.start(); thread.join()\nprint('on')")
    assert outcome.text() == "on\n"
    assert outcome.text("stderr").count("RecursionError") == 3


def test_deep_python_needs_no_stack(cells):
    assert cells.text(SET + "def f(n): return n and 1 + f(n - 1)\nprint(f(200_000))") == "200000\n"


def test_endless_python(cells):
    outcome = cells.run("import sys\nsys.setrecursionlimit(100_000)\ndef g(n): return g(n + 1)\ng(0)")
    assert outcome.content["ename"] == "RecursionError"
    assert len("".join(outcome.contents("error")[0]["traceback"])) < 20_000


def test_beside_faulthandler(cells):
    cells.ok("import faulthandler, sys\nfaulthandler.enable(sys.__stderr__)")
    outcome = cells.run(SET + "class A:\n    def __repr__(self): return repr(self)\nrepr(A())")
    assert outcome.content["ename"] == "RecursionError"
    assert cells.text("faulthandler.disable(); print('on')") == "on\n"


def test_in_the_cell_that_enables_faulthandler(cells):
    code = (SET + "import faulthandler\nclass A:\n    def __repr__(self): return repr(self)\n"
            "faulthandler.enable(sys.__stderr__)\ntry: repr(A())\n"
            "except RecursionError: print('caught', faulthandler.is_enabled())\n"
            "faulthandler.disable()\ntry: repr(A())\nexcept RecursionError: print('again')")
    assert cells.text(code) == "caught True\nagain\n"
