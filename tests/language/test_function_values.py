# SPDX-License-Identifier: MIT
"""Functions as values: in variables, tuples, lists and dicts, chosen when the code runs."""
import ctypes

import numpy as np
import pytest

from numba import cfunc, njit, typed, typeof, types
from numba.core import errors

REAL = types.FunctionType(types.float64(types.float64))




@pytest.fixture(scope="module")
def space():
    from conftest import function_of

    def make(decorator, body):
        return function_of(f"@{decorator}\ndef f(x):\n    {body}\n", njit=njit, cfunc=cfunc)
    return dict(
        njit=njit, double=make("njit('f8(f8)')", "return 2 * x"),
        above=make("njit('f8(f8)')", "assert x >= 0, 'below'\n    return x + 1"),
        plus=make("njit", "return x + 5"), times=make("njit", "return x * 7"),
        ten=make("cfunc('f8(f8)')", "return x * 10"), whole=make("njit('i8(i8)')", "return x"))


def test_the_type():
    assert str(REAL) == "FunctionType[float64(float64)]"
    assert str(REAL.signature) == "(float64,) -> float64"
    assert REAL == types.FunctionType(types.float64(types.float64))
    import pickle
    assert pickle.loads(pickle.dumps(REAL)) == REAL
    with pytest.raises(TypeError):
        types.FunctionType(types.float64)


def test_a_declared_parameter(make, space):
    f = njit(types.float64(REAL, types.float64))(make("def f(g, x):\n    return g(x) + 1\n"))
    for name in ("double", "above", "plus", "times", "ten"):
        assert f(space[name], 2) == space[name](2.0) + 1
    assert len(f.signatures) == 1
    with pytest.raises(AssertionError, match="below") as caught:
        f(space["above"], -1.0)
    assert caught.traceback[-1].name == "f"
    with pytest.raises(TypeError, match="No matching definition"):
        f(lambda x: x, 2.0)
    with pytest.raises(TypeError, match="No matching definition"):
        f(space["whole"], 2.0)
    g = njit(types.float64(types.FunctionType(types.float64(types.int64)), types.int64))(
        make("def f(g, x):\n    return g(x)\n"))
    fresh = njit(make("def f(x):\n    return x + 1\n"))
    assert g(fresh, 2) == 3.0 and type(g(fresh, 2)) is float  # compiled for the result that is wanted
    had = njit(make("def f(x):\n    return x + 1\n"))
    assert had(2) == 3
    with pytest.raises(TypeError, match="returns int64"):
        g(had, 2)


def test_tuples_and_lists(make, space):
    double, above, plus, times, ten = (
        space[name] for name in ("double", "above", "plus", "times", "ten"))
    each = njit(make("def f(fs, x):\n    s = 0.0\n    for g in fs:\n        s = s * 3 + g(x)\n"
                     "    return s\n"))
    pick = njit(make("def f(fs, i, x):\n    return fs[i](x)\n"))
    for functions in ((double, above), (plus, times), (ten, ten), (plus, double, times, above),
                      (ten, double, above)):
        for given in (functions, list(functions)):
            if ten in functions and len(set(functions)) > 1:
                given = tuple(functions)  # a list of both is declared: below
                assert pick(given[:1], 0, 2.0) == given[0](2.0)
            assert each(given, 2.0) == each.py_func(given, 2.0)
            for i in range(len(given)):
                assert pick(given, i, 2.0) == given[i](2.0)
    with pytest.raises(IndexError):
        pick((plus, times), 2, 1.0)


def test_in_variables(make, space):
    source = ("@njit\ndef f(c, x):\n    if c == 0:\n        g = plus\n    elif c == 1:\n"
              "        g = double\n    elif c == 2:\n        g = math.sqrt\n    else:\n"
              "        g = times\n    return g(x)\n")
    f = make(source, **space)
    for c in range(4):
        assert f(c, 16.0) == f.py_func(c, 16.0)
    f = make("@njit\ndef f(x):\n    fs = [plus, times]\n    fs.append(double)\n    s = 0.0\n"
             "    for g in fs:\n        s += g(x)\n    h = fs[1]\n    return s, h(x), len(fs)\n",
             **space)
    assert f(3.0) == f.py_func(3.0)
    f = make("@njit\ndef f(c):\n    if c:\n        return double\n    return plus\n", **space)
    assert f(True) is space["double"] and f(False) is space["plus"]
    f = njit(REAL(types.int64))(make(
        "def f(c):\n    return double if c else times\n", **space))
    assert f(1) is space["double"] and f(0) is space["times"]
    f = make("@njit\ndef f(g, x):\n    if g is None:\n        return x\n    return g(x)\n", **space)
    assert f(None, 2.0) == 2.0 and f(space["double"], 2.0) == 4.0


def test_typed_containers(make, space):
    functions = typed.List.empty_list(REAL)
    for name in ("double", "ten", "plus"):
        functions.append(space[name])
    assert functions[1] is space["ten"] and list(functions)[2] is space["plus"]
    f = njit(make("def f(fs, x):\n    s = 0.0\n    for i in range(len(fs)):\n"
                  "        s = s * 2 + fs[i](x)\n    fs.append(above)\n    return s\n", **space))
    assert f(functions, 3.0) == (6.0 * 2 + 30.0) * 2 + 8.0
    assert len(functions) == 4 and functions[3] is space["above"]
    with pytest.raises(errors.TypingError, match="append"):
        functions.append(space["whole"])
    table = typed.Dict.empty(types.unicode_type, REAL)
    table["a"] = space["double"]
    table["b"] = space["ten"]
    g = njit(make("def f(d, k, x):\n    return d[k](x)\n"))
    assert g(table, "a", 3.0) == 6.0 and g(table, "b", 3.0) == 30.0
    mixed = njit(types.float64(types.List(REAL), types.float64))(make(
        "def f(fs, x):\n    return fs[0](x) + fs[1](x)\n"))
    assert mixed([space["ten"], space["plus"]], 1.0) == 16.0


def test_arrays_and_containers_pass(make):
    kind = types.FunctionType(types.float64[::1](types.float64[::1], types.int64))
    grow = njit(make("def f(a, k):\n    return a * k\n"))
    shift = njit(make("def f(a, k):\n    if k > 5:\n        raise ValueError(f'{k}')\n"
                      "    return a + k\n"))
    f = njit(types.float64[::1](types.ListType(kind), types.float64[::1]))(make(
        "def f(fs, a):\n    for k in range(len(fs)):\n        a = fs[k](a, k + 1)\n    return a\n"))
    functions = typed.List.empty_list(kind)
    for g in (grow, shift, shift, grow):
        functions.append(g)
    a = np.arange(3.0)
    assert np.array_equal(f(functions, a), ((a * 1 + 2) + 3) * 4)
    caught = njit(types.int64(kind, types.float64[::1]))(make(
        "def f(g, a):\n    try:\n        return g(a, 9).size\n    except ValueError:\n"
        "        return -1\n"))
    assert caught(shift, a) == -1 and caught(grow, a) == 3


def test_the_wrong_result_is_found_when_compiling(make, space):
    kind = types.FunctionType(types.float64(types.int64))
    with pytest.raises(errors.TypingError, match="No conversion from unicode_type to float64"):
        njit(kind())(make("def f():\n    return text\n", text=njit(make("def f(x):\n    return 'a'\n"))))
    with pytest.raises(errors.TypingError, match="takes as many arguments"):
        njit(types.float64(REAL))(make("def f(g):\n    return g(1.0, 2.0)\n"))


def test_an_address_with_a_signature(make, space):
    libm = ctypes.CDLL("libm.so.6")

    class AtAddress(types.WrapperAddressProtocol):
        def __init__(self, name):
            self.name = name

        def __wrapper_address__(self):
            return ctypes.cast(getattr(libm, self.name), ctypes.c_void_p).value

        def signature(self):
            return types.float64(types.float64)

    sine = AtAddress("sin")
    assert typeof(sine) == REAL
    f = njit(make("def f(g, x):\n    return g(x)\n"))
    assert f(sine, 0.5) == np.sin(0.5) and f(AtAddress("cos"), 0.5) == np.cos(0.5)
    assert len(f.signatures) == 1
    g = njit(make("def f(x):\n    return sine(x)\n", sine=sine))
    assert g(0.5) == np.sin(0.5)
    h = njit(make("def f(fs, x):\n    s = 0.0\n    for g in fs:\n        s += g(x)\n    return s\n"))
    assert h((sine, space["double"]), 0.5) == np.sin(0.5) + 1


ONE_FUNCTION = [
    "fs = [{0}]; return fs[0](x)", "fs = [{0}] * 3; return fs[2](x)", "a, = [{0}]; return a(x)",
    "fs = [{0}, {0}]; return fs[1](x)", "fs = [{0}]; fs.append({0}); return fs[1](x)",
    "fs = []; fs.append({0}); return fs[0](x)", "fs = [[{0}]]; return fs[0][0](x)",
    "fs = [({0}, 1)]; return fs[0][0](x)", "fs = [h for h in [{0}]]; return fs[0](x)",
    "fs = list(({0},)); return fs[0](x)", "fs = {{1: {0}}}; return fs[1](x)", "fs = ({0},); return fs[0](x)",
    "return [h(x) for h in [{0}]][0]", "s = 0.0\n    for h in [{0}]:\n        s += h(x)\n    return s",
    "s = 0.0\n    for i, h in enumerate([{0}]):\n        s += h(x)\n    return s",
    "return np.piecewise(np.full(3, x), [np.full(3, True)], [{0}])[1]",
    "return np.piecewise(np.full(3, x), [np.full(3, False)], [{0}, {0}])[1]"]


@pytest.mark.parametrize("function", ["plus", "double", "math.sqrt", "np.cos", "(lambda y: y * 2)", "ten"])
def test_containers_of_one_function(make, space, function):
    """A container's items are a choice of functions, also where there is but one to choose."""
    for body in ONE_FUNCTION:
        f = njit(make("def f(x):\n    " + body.format(function) + "\n", **space))
        if "piecewise" in body and function in ("np.cos", "math.sqrt", "ten", "double"):
            continue  # NumPy's piecewise calls with arrays
        assert f(4.0) == f.py_func(4.0), body


# a method is called where it is taken from its object; it is no value that goes elsewhere
METHODS_AS_VALUES = ["[1].count if p else [2].count", "np.array(p, [1].count)", "np.array(p, [[1, 2], [3, 4]].count)",
                     "(lambda g: g(1))([1].count)", "([1].count,)[0](1)", "sorted([1], key=[1].count)", "list(map([1].count, [1, 2]))",
                     "max([1], key=[1].index)", "np.apply_along_axis(np.zeros(3).dot, 0, np.ones((3, 3)))", "jitted('a'.count)",
                     "np.arange(3).view([1].count)", "{1: {2: 3}.get}", "[np.zeros(3).sum]"]


@pytest.mark.parametrize("text", METHODS_AS_VALUES)
def test_methods_are_no_values(make, text):
    f = make(f"import numpy as np\ndef f(p):\n    return {text}\n", jitted=njit(lambda g: g("a")))
    with pytest.raises(errors.TypingError, match=r"A method \(BoundFunction\(.*\)\) can be called, but not be used as a value"):
        njit(f)(1)


@njit
def add_one(x):
    return x + 1


@njit("float64(float64)")
def halve(x):
    return x / 2


OVER_FUNCTIONS = ["for f in GIVEN: r.append(f(x))", "for f in GIVEN[::-1]: r.append(f(x))", "r = [f(x) for f in GIVEN]",
                  "for i, f in enumerate(GIVEN): r.append(f(x) + i)", "for y, f in zip((1.5, 2.5), GIVEN): r.append(f(x) * y)"]


@pytest.mark.parametrize("body", OVER_FUNCTIONS)
def test_loops_over_tuples_of_functions(make, body):
    """The functions of a tuple, wherever it comes from, are a choice that a loop goes through."""
    shift = cfunc("float64(float64)")(lambda x: x - 7)
    space = {"functions": (add_one, halve), "add_one": add_one, "halve": halve}
    for given, more, args in (("functions", "", ()), ("(add_one, halve)", "", ()), ("(g, h)", ", g, h", (shift, halve)),
                              ("t", ", t", ((halve, add_one),))):
        f = make(f"def f(x{more}):\n    r = [x]\n    {body.replace('GIVEN', given)}\n    return r\n", **space)
        assert njit(f)(4.0, *args) == f(4.0, *args), given


def test_an_address_that_is_none(make):
    class Nowhere(types.WrapperAddressProtocol):
        def __wrapper_address__(self):
            return 0

        def signature(self):
            return types.int64()

    nowhere = Nowhere()
    message = "wrapper address of .*Nowhere object.* must be a positive integer but got 0"
    with pytest.raises(ValueError, match=message):
        njit(types.int64(types.FunctionType(types.int64())))(make("def f(g):\n    return g()\n"))(nowhere)
    with pytest.raises(ValueError, match=message):
        njit(make("def f():\n    return g()\n", g=nowhere))()
