# SPDX-License-Identifier: MIT
"""What versions of Python after 3.11 added to their syntax, in compiled functions; each row where it can be read."""
import inspect
import sys

import numpy as np
import pytest
from conftest import function_of

from numba import cuda, float64, guvectorize, njit, types, vectorize
from numba.core.errors import TypingError, UnsupportedError
from numba.experimental import jitclass

# since which version, the body of f(x), what f(3) gives
BODIES = {
    "generic": ((3, 12), "def g[T](a: T) -> T:\n    return a * 2\nreturn g(x), g(1.5)", (6, 3.0)),
    "bounds": ((3, 12), "def g[T: (int, float), *Ts, **P](a: T) -> T:\n    return a\nreturn g(x)", 3),
    "defaults of type parameters": ((3, 13), "def g[T = int](a: T) -> T:\n    return a\nreturn g(x)", 3),
    "quotes in f-strings": ((3, 12), "return f'{'a' + f'{x}'} {'\\n'.join(['b', 'c'])} {x=} {x!r:>{x}}'", "a3 b\nc x=3   3"),
    "lines in f-strings": ((3, 12), "return f'{\n        x  # what it is\n        + 1:>4}'", "   4"),
    "except without brackets": ((3, 14), "try:\n    if x > 2:\n        raise ValueError('much')\nexcept ValueError, TypeError:\n"
                                "    return 7\nreturn x", 7),
    "unpacking in lists and sets": ((3, 15), "rows = [[1, 2], [3, x]]\nreturn [*r for r in rows if x for _ in r], "
                                   "[*range(i) for i in (x, 2)], {*r for r in rows}",
                                   ([1, 2, 1, 2, 3, 3, 3, 3], [0, 1, 2, 0, 1], {1, 2, 3})),
    "unpacking in dicts": ((3, 15), "return {**d for d in [{1: 2}, {x: 4, 1: 5}] if d}", {1: 5, 3: 4}),
    "unpacking in generators": ((3, 15), "return sum(*r for r in [(1, x)]), list((*r for r in [[x], [x, 1]] for _ in range(2)))",
                                (4, [3, 3, 3, 1, 3, 1])),
    "annotations of names to come": ((3, 11), "y: Later[x] = x\nreturn y", 3),
}
# what is refused, in which words
REFUSED = {
    "type alias": ((3, 12), "type A = int\nreturn x", "a type alias is not supported in a compiled function: define it outside"),
    "except*": ((3, 11), "try:\n    x += 1\nexcept* ValueError:\n    x = 2\nreturn x", "try/except\\* .compiled code raises no groups of exceptions. is not supported"),
    "template string": ((3, 14), "return t'{x}'", "a template string is not supported"),
    "except* in a loop": ((3, 11), "for i in range(x):\n    try:\n        x += 1\n    except* (ValueError, KeyError) as e:\n"
                          "        x = 2\nreturn x", "try/except\\* .compiled code raises no groups of exceptions. is not supported"),
}
needs = {version: pytest.mark.skipif(sys.version_info < version, reason=f"Python {version[0]}.{version[1]} has it")
         for version in ((3, 11), (3, 12), (3, 13), (3, 14), (3, 15))}


def rows(table):
    return [pytest.param(*row[1:], id=name, marks=needs[row[0]]) for name, row in table.items()]


def from_body(body):
    return function_of("def f(x):\n    " + body.replace("\n", "\n    ") + "\n")


@pytest.mark.parametrize("body,want", rows(BODIES))
def test_function(body, want):
    f = from_body(body)
    assert njit(f)(3) == f(3) == want


@pytest.mark.parametrize("body,words", rows(REFUSED))
def test_refused(body, words):
    with pytest.raises(UnsupportedError, match=words):
        njit(from_body(body))(3)


def defined(source, **names):
    """The functions and classes of a text, by name."""
    source = inspect.cleandoc(source) + "\n"
    return function_of(source + "\ndef everything():\n    return globals()\n", "everything", njit=njit, cuda=cuda,
                       vectorize=vectorize, guvectorize=guvectorize, jitclass=jitclass, float64=float64, **names)()


@needs[3, 12]
def test_generic_functions_of_every_decorator():
    found = defined("""
        @njit
        def plain[T](x: T, *rest: T, k: T = 3) -> T:
            return x + len(rest) + k

        @njit(["int64(int64)", "float64(float64)"])
        def eager[T](x: T) -> T:
            return x + 1

        @vectorize
        def ufunc[T](x: T) -> T:
            return x + 1

        @guvectorize("(n)->(n)")
        def gufunc[T](x: T, out: T):
            out[:] = x * 2

        @cuda.jit
        def kernel[T](out: T):
            i = cuda.grid(1)
            if i < out.size:
                out[i] = i

        class Holder[T]:
            @staticmethod
            @njit
            def method[S](x: S) -> S:
                return x

        @jitclass
        class Box[T]:
            value: float64

            def __init__(self, value):
                self.value = value

            def get[S](self: "Box[S]") -> S:
                return self.value
    """)
    out = np.zeros(4)
    found["kernel"][1, 4](out)
    doubled = np.zeros(3)
    found["gufunc"](np.arange(3.0), doubled)
    assert found["plain"](1, 2, 3, k=4) == 7 and found["eager"](2) == 3 and found["Holder"].method(4) == 4
    assert (found["ufunc"](np.arange(3)) == [1, 2, 3]).all() and (out == range(4)).all()
    assert (doubled == [0, 2, 4]).all() and found["Box"](2.5).get() == 2.5
    for name in ("plain", "kernel"):
        assert found[name].__type_params__ == found[name].py_func.__type_params__
        assert str(inspect.signature(found[name])) == str(inspect.signature(found[name].py_func))


DEFERRED = """
    @njit
    def f(x: Later) -> Later:
        return x + 1

    @cuda.jit
    def kernel(out: Later):
        out[0] = 1

    @vectorize
    def ufunc(x: Later) -> Later:
        return x + 1

    @njit
    def outer(x: Later):
        def inner(y: Later) -> Later:
            return y * 2
        return inner(x)
"""


@needs[3, 14]
def test_annotations_are_read_when_asked_for():
    found = defined(DEFERRED)
    f, out = found["f"], np.zeros(1)
    found["kernel"][1, 1](out)
    assert f(1) == 2 and out[0] == 1 and found["ufunc"](2) == 3 and found["outer"](2) == 4
    for one in (f, found["kernel"]):
        with pytest.raises(NameError):
            one.__annotations__
    found["Later"] = int
    assert f.__annotations__ == {"x": int, "return": int} and found["kernel"].__annotations__ == {"out": int}
    import annotationlib
    assert annotationlib.get_annotations(f, format=annotationlib.Format.STRING) == {"x": "Later", "return": "Later"}


def test_annotations_are_the_functions_own():
    @njit
    def f(x: int) -> float:
        return x + 1.0

    assert f.__annotations__ == {"x": int, "return": float} and f.__annotations__ is f.py_func.__annotations__
    f.__annotations__ = {"x": float}
    assert f.py_func.__annotations__ == {"x": float} and f(1) == 2.0


def test_fields_of_classes_by_annotations():
    @jitclass
    class Base:
        x: types.int64

        def __init__(self, x):
            self.x = x

        def twice(self) -> "Unknown":  # noqa: F821
            return 2 * self.x

    assert Base(4).twice() == 8


@needs[3, 15]
def test_lazy_imports():
    """Come when a function is compiled, and stay: the cell that has them may run again."""
    imports = "lazy import math\nlazy from cmath import phase\nlazy import no_such_module"
    functions = inspect.cleandoc("""
        @njit
        def f(x):
            return math.sqrt(x) + phase(1j)

        @cuda.jit
        def kernel(out):
            out[0] = math.hypot(3.0, 4.0)

        @njit
        def missing():
            return 1 + no_such_module.x
    """)
    names = defined(f"{imports}\n{functions}")
    f = names["f"]
    assert f(4.0) == 2 + np.pi / 2 and names["math"] is sys.modules["math"]
    exec(imports, names)
    assert f(4.0) == 2 + np.pi / 2 and len(f.overloads) == 1
    out = np.zeros(1)
    names["kernel"][1, 1](out)
    assert out[0] == 5
    with pytest.raises(TypingError, match="ImportError: No module named 'no_such_module'"):
        names["missing"]()
