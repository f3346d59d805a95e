"""What Dask knows our functions again by (numba.core.tokens): code, variables and options, and nothing of the process."""
import pathlib
import pickle
import subprocess
import sys

import numpy as np
import pytest

from conftest import BUILD, function_of
from numba import cfunc, cuda, extending, generated_jit, guvectorize, jit, njit, stencil, vectorize

tokenize = pytest.importorskip("dask.tokenize")
pytest.importorskip("cloudpickle")
KINDS = {
    "jit": njit,
    "jit of a signature": njit("f8(f8)"),
    "jit of another signature": njit("f4(f4)"),
    "jit with an option": njit(fastmath=True),
    "jit without nopython": jit(forceobj=True),
    "ufunc": vectorize,
    "ufunc of a signature": vectorize(["f8(f8)"]),
    "ufunc of two signatures": vectorize(["f4(f4)", "f8(f8)"]),
    "ufunc in parallel": vectorize(["f8(f8)"], target="parallel"),
    "stencil": stencil,
    "stencil with an option": stencil(cval=1.0),
    "callback": cfunc("f8(f8)"),
    "intrinsic": extending.intrinsic,
    "generated": generated_jit,
    "function of a device": cuda.jit(device=True),
    "kernel of a signature": cuda.jit("(f8[:],)"),
    "ufunc of a device": vectorize(["f8(f8)"], target="cuda"),
    "gufunc": lambda f: guvectorize("(n)->(n)")(gufunc_of(f)),
    "gufunc of a signature": lambda f: guvectorize(["f8[:], f8[:]"], "(n)->(n)")(gufunc_of(f)),
    "gufunc in parallel": lambda f: guvectorize(["f8[:], f8[:]"], "(n)->(n)", target="parallel")(gufunc_of(f)),
    "gufunc of a device": lambda f: guvectorize(["f8[:], f8[:]"], "(n)->(n)", target="cuda")(gufunc_of(f)),
}
PLAIN = {"stencil": "a[0]", "stencil with an option": "a[0]", "kernel of a signature": "None"}


def gufunc_of(function):
    """The same function as one that fills an array; it names the other for its variables."""
    return function_of("def fills(a, out):\n    for i in range(a.size):\n        out[i] = a[i] + step\n", "fills",
                       step=function.__globals__["step"])


def make(kind, step=1):
    text = PLAIN.get(kind, "a + step")
    return KINDS[kind](function_of(f"def f(a):\n    return {text}\n", step=step))


def token(value):
    return tokenize.tokenize(value, ensure_deterministic=True)


@pytest.mark.parametrize("kind", KINDS)
def test_equal_functions_have_one_token(kind):
    first = make(kind)
    assert token(first) == token(first) == token(make(kind))
    parts = tokenize.normalize_token(first)
    assert isinstance(parts, tuple) and isinstance(parts[1], tuple)
    if kind not in PLAIN:
        assert token(make(kind, step=2)) != token(first)


@pytest.mark.parametrize("kind", KINDS)
def test_a_copy_has_the_token_too(kind):
    import cloudpickle
    first = make(kind)
    once = pickle.loads(cloudpickle.dumps(first))
    assert token(once) == token(first) == token(pickle.loads(cloudpickle.dumps(once)))


def test_kinds_and_options_differ():
    assert len({token(make(kind)) for kind in KINDS}) == len(KINDS)


def test_a_call_does_not_change_it():
    ones = np.ones(3)
    for kind, values in (("jit", [1.0]), ("ufunc", [2]), ("gufunc", [ones, ones.copy()]), ("stencil", [ones])):
        function = make(kind)
        before = token(function)
        function(*values)
        assert token(function) == before, kind


def test_code_and_defaults_count_and_lines_do_not():
    def of(text):
        return token(njit(function_of(text)))
    first = of("def f(a, b=1):\n    return a + b\n")
    assert of("\n\n# a comment\ndef f(a, b=1):\n\n    return a + b\n") == first
    others = ["def f(a, b=2):\n    return a + b\n", "def f(a, b=1.0):\n    return a + b\n", "def f(a, b=1):\n    return a - b\n",
              "def f(a, *, b=1):\n    return a + b\n", "def f(a, b=1):\n    return (lambda c: c + 1)(a)\n",
              "def f(a, b=1):\n    return (lambda c: c + 2)(a)\n", "def f(a, b=1):\n    return a in {1, 2}\n",
              "def f(a, b=1):\n    return a in {1, 3}\n"]
    assert len({first, *map(of, others)}) == 1 + len(others)


def test_captured_variables_count():
    def add(step):
        @njit
        def f(a):
            return a + step
        return f
    assert token(add(1)) == token(add(1)) != token(add(2))
    assert token(add(np.arange(3))) == token(add(np.arange(3))) != token(add(np.arange(1, 4)))


def test_functions_that_call_each_other():
    text = ("@njit\ndef even(n):\n    return n == 0 or odd(n - 1)\n\n\n"
            "@njit\ndef odd(n):\n    return n != 0 and even(n - {})\n")
    even, again, other = (function_of(text.format(step), "even", njit=njit) for step in (1, 1, 3))
    assert token(even) == token(again) != token(other)
    fib = function_of("@njit\ndef fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\n", "fib", njit=njit)
    assert token(fib) == token(fib) and fib(10) == 55


def test_what_many_functions_call_is_told_once():
    below = njit(function_of("def f(a):\n    return a\n"))
    for _ in range(80):
        below = njit(function_of("def f(a):\n    return left(a) + right(a)\n", left=below, right=below))
    assert token(below) == token(below)


def test_launches_of_kernels():
    kernel = make("kernel of a signature")
    assert token(kernel[1, 32]) == token(kernel[1, 32])
    assert len({token(kernel), token(kernel[1, 32]), token(kernel[2, 32]), token(kernel[1, 64])}) == 4


def test_ufuncs_of_numpy_are_as_before():
    assert token(np.add) == token(np.add) != token(np.subtract)


def test_another_process_has_the_same():
    program = ("import sys\nsys.path[:0] = sys.argv[1:]\nimport test_tokens as t\n"
               "print([t.token(t.make(kind)) for kind in t.KINDS])\n")
    printed = subprocess.run([sys.executable, "-c", program, str(pathlib.Path(__file__).parent), str(BUILD / "python")],
                             check=True, capture_output=True, text=True).stdout
    assert printed.strip() == str([token(make(kind)) for kind in KINDS])
