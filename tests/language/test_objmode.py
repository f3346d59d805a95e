"""with objmode(...): blocks of compiled functions that run in the interpreter."""
import gc
import time
import traceback

import numpy as np
import pytest
from numba import njit, objmode, types
from numba.core.errors import TypingError, UnsupportedError

LOG = []


def test_outputs(make):
    f = njit(make("def f(n):\n    a = np.arange(n) * 1.5\n    with objmode(y='float64[:]', k='intp'):\n"
                  "        y = np.sort(a)[::-1].copy()\n        k = len({1, 2, n})\n    return y.sum() + k, y[0]\n",
                  objmode=objmode))
    assert f(5) == (15.0 + 3, 6.0) and f(2) == (1.5 + 2, 1.5)


def test_types_by_name_and_scalars(make):
    f = njit(make("def f(x):\n    with objmode(a=types.float64, b='unicode_type', c='boolean', d='complex128'):\n"
                  "        a = x\n        b = f'<{x:5.2f}>'\n        c = x > 1\n        d = x * 1j\n    return a + 1, b, c, d\n",
                  objmode=objmode, types=types))
    assert f(3) == (4.0, "< 3.00>", True, 3j)


def test_without_outputs(make):
    LOG.clear()
    f = njit(make("def f(n):\n    s = 0\n    for i in range(n):\n        s += i\n        if i % 4 == 0:\n"
                  "            with objmode():\n                LOG.append((i, s))\n    return s\n", objmode=objmode, LOG=LOG))
    assert f(10) == 45 and LOG == [(0, 0), (4, 10), (8, 36)]


def test_time(make):
    f = njit(make("def f():\n    with objmode(a='f8'):\n        a = time.time()\n    with objmode(b='f8'):\n"
                  "        b = time.time()\n    return a, b\n", objmode=objmode, time=time))
    a, b = f()
    assert 0 <= b - a < 1 and abs(a - time.time()) < 5


def test_a_variable_in_and_out(make):
    f = njit(make("def f(x):\n    with objmode(x='int64'):\n        x += 5\n    return x * 2\n", objmode=objmode))
    assert f(1) == 12


def test_python_closure(make):
    g = make("def g(k):\n    def f(x):\n        with objmode(y='int64'):\n            y = x * k\n        return y\n    return f\n",
             "g", objmode=objmode)
    assert njit(g(7))(3) == 21


def test_exceptions_pass_through(make):
    f = njit(make("def f(x):\n    with objmode(y='int64'):\n        y = {1: 2}[x]\n    return y\n", objmode=objmode))
    assert f(1) == 2
    with pytest.raises(KeyError) as got:
        f(5)
    assert got.value.args == (5,)
    assert [frame.lineno for frame in traceback.extract_tb(got.value.__traceback__)][-1] == 3
    g = njit(make("def f(x):\n    try:\n        with objmode(y='int64'):\n            y = {1: 2}[x]\n"
                  "    except LookupError:\n        return -1\n    return y\n", objmode=objmode))
    assert g(1) == 2 and g(5) == -1
    h = njit(make("def f(x):\n    try:\n        with objmode(y='int64'):\n            y = {1: 2}[x]\n"
                  "    except ValueError:\n        return -1\n    return y\n", objmode=objmode))
    with pytest.raises(KeyError):
        h(5)


def test_wrong_types(make):
    f = njit(make("def f(x):\n    with objmode(y='float64[:]'):\n        y = x\n    return y[0]\n", objmode=objmode))
    with pytest.raises(TypeError, match="declares a value of type array.float64, 1d, A., but the block gives int64"):
        f(5)
    with pytest.raises((TypeError, UnsupportedError)):
        njit(make("def f(x):\n    with objmode():\n        return x\n    return 1\n", objmode=objmode))(1)
    with pytest.raises(UnsupportedError, match="with .context manager. as .variable."):
        njit(make("def f(x):\n    with objmode() as y:\n        pass\n    return 1\n", objmode=objmode))(1)


def test_memory(make):
    f = njit(make("def f(n):\n    t = 0.0\n    for i in range(n):\n        with objmode(a='float64[::1]'):\n"
                  "            a = np.ones(100000)\n        t += a[i]\n    return t, a\n", objmode=objmode))
    total, last = f(3000)  # 2.4 GB if it stayed
    assert total == 3000.0 and last.shape == (100000,)
    gc.collect()
    assert last.sum() == 100000


def test_lists_and_sets_change(make):
    """What a block does to a list, compiled code goes on with, and its caller, too."""
    f = njit(make("def f(x, s, nested):\n    own = [1.5]\n    x.append(7)\n    with objmode():\n        x[0] = 9\n"
                  "        x.extend([4, 5])\n        s.add(8)\n        own.append(2.5)\n        nested[0].append(3)\n"
                  "        nested.append([6])\n    x.append(x[0])\n    return x, len(s), own, nested, sum(own), len(nested[0])\n",
                  objmode=objmode))
    x, s, nested = [1, 2], {1}, [[1], [2]]
    inner = nested[0]
    result = f(x, s, nested)
    assert result == ([9, 2, 7, 4, 5, 9], 2, [1.5, 2.5], [[1, 3], [2], [6]], 4.0, 2)
    assert result[0] is x and s == {1, 8} and nested[0] is inner == [1, 3]


def test_a_list_of_other_items(make):
    f = njit(make("def f(x):\n    try:\n        with objmode():\n            x[0] = 'a'\n    except Exception:\n"
                  "        return -1\n    return len(x)\n", objmode=objmode))
    assert f([1, 2]) == -1


def test_arrays_within_what_comes_out(make):
    """They live on when the objects that they came in are gone: in tuples in any depth, and where None may be."""
    from collections import namedtuple
    Pair = namedtuple("Pair", "left right")
    array = types.Array(types.int64, 1, "A")
    pair = types.Tuple([array, array])
    views = {"pair": (pair, lambda a: (np.arange(3), np.arange(8)[::2])), "twice": (pair, lambda a: (a * 2,) * 2),
             "given": (pair, lambda a: (a, a[1:])), "deep": (types.Tuple([types.int64, pair]), lambda a: (7, (a + 1, a[::2]))),
             "named": (types.NamedTuple([array, types.float64], Pair), lambda a: Pair(a - 1, 0.5)),
             "maybe": (types.Optional(array), lambda a: a * 3), "none": (types.Optional(array), lambda a: None)}
    for name, (kind, give) in views.items():
        f = njit(make("def f(a):\n    with objmode(r=kind):\n        r = give(a)\n    b = np.arange(1000)\n    b[:] = -1\n"
                      "    return r\n", objmode=objmode, kind=kind, give=give))
        for _ in range(3):
            assert repr(f(np.arange(6))) == repr(give(np.arange(6))), name


def test_generators_come_out(make):
    generator = types.NumPyRandomGeneratorType("any")
    assert isinstance(generator, types.NumPyRandomGeneratorType)
    f = njit(make("def f():\n    with objmode(g=kind):\n        g = np.random.default_rng(3)\n    return g.random()\n",
                  objmode=objmode, kind=generator))
    assert f() == np.random.default_rng(3).random()


class Held:
    def __init__(self, data):
        self.data = data


class HeldType(types.Type):
    def __init__(self, array):
        self.array = array
        super().__init__(f"Held({array})")


def test_types_of_programs_come_out(make):
    """What the program unboxes itself is checked there alone: it may be of a wider type than typeof() says."""
    pytest.importorskip("llvmlite")
    from numba.core import cgutils
    from numba.extending import NativeValue, make_attribute_wrapper, models, register_model, typeof_impl, unbox

    @register_model(HeldType)
    class HeldModel(models.StructModel):
        def __init__(self, manager, kind):
            super().__init__(manager, kind, [("data", kind.array)])

    @typeof_impl.register(Held)
    def typeof_held(value, c):
        return HeldType(typeof_impl(value.data, c))

    @unbox(HeldType)
    def unbox_held(kind, value, c):
        data = c.pyapi.object_getattr_string(value, "data")
        native, held = c.unbox(kind.array, data), cgutils.create_struct_proxy(kind)(c.context, c.builder)
        held.data = native.value
        c.pyapi.decref(data)
        return NativeValue(held._getvalue(), is_error=native.is_error)

    make_attribute_wrapper(HeldType, "data", "data")
    wide = HeldType(types.Array(types.float64, 1, "A"))
    for kind, part in ((wide, "r"), (types.Tuple([wide, types.int64]), "r[0]")):
        f = njit(make(f"def f():\n    with objmode(r=kind):\n        r = give()\n    return {part}.data.sum()\n",
                      objmode=objmode, kind=kind,
                      give=lambda part=part: Held(np.arange(4.0)) if part == "r" else (Held(np.arange(4.0)), 1)))
        assert f() == 6.0
