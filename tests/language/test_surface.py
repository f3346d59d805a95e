"""The corners of numba's package that tutorials touch."""
import json

import pytest


def test_sysinfo(run_python):
    # sysinfo by itself, and as JSON
    code = ("import sys\nimport gridcell\ngridcell.activate()\nfrom numba.__main__ import main\n"
            "main(['-s'])\nmain(['--sys-json', 'info.json'])\nprint(open('info.json').read())\n")
    done = run_python(code=code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("System info:\n" + "-" * 80)
    assert "Numba Version" in done.stdout
    assert "NumPy Version" in json.loads(done.stdout[done.stdout.index("{\n    \"Machine"):])


def test_what_needs_llvmlite_says_so(run_python):
    import numba.core.extending
    import numba.extending
    assert numba.core.extending is numba.extending
    done = run_python(code="import sys\nsys.modules['llvmlite'] = None\nimport gridcell\ngridcell.activate()\n"
                           "from numba.core import cgutils\ncgutils.create_struct_proxy\n")
    assert "ImportError: numba.core.cgutils.create_struct_proxy writes code with llvmlite" in done.stderr
    from numba.pycc import CC
    with pytest.raises(NotImplementedError, match="ahead of time"):
        CC("module")


def test_class_methods_of_types(make):
    from numba import njit, types, typed
    from numba.extending import overload_classmethod

    @overload_classmethod(types.ListType, "thrice_of_test")
    def thrice(cls, x):
        return lambda cls, x: [x, x, x]

    @overload_classmethod(types.DictType, "scaled_of_test")
    def scaled(cls, n, k=3):
        return lambda cls, n, k=3: n * k

    @overload_classmethod(types.Array, "sevens_of_test")
    def sevens(cls, n):
        return lambda cls, n: [7] * n

    source = """
def f(x):
    return List.thrice_of_test(x), Dict.scaled_of_test(x), Dict.scaled_of_test(x, k=4), kind.sevens_of_test(x)
"""
    f = njit(make(source, List=typed.List, Dict=typed.Dict, kind=types.float64[::1]))
    assert f(2) == ([2, 2, 2], 6, 8, [7, 7])
    from numba.core.errors import TypingError
    with pytest.raises(TypingError, match="Unknown attribute 'thrice_of_test'"):
        njit(make("def f(x):\n    return Set.thrice_of_test(x)", Set=typed.Set))(2)

    class Derived(types.Array):
        pass

    class Other(Derived):
        pass

    @overload_classmethod(Derived, "range_of_test")
    def range_of_test(cls, n):
        return lambda cls, n: list(range(n))

    @overload_classmethod(Derived, "twice_of_test")
    def twice_of_test(cls, n):
        return lambda cls, n: 2 * n
    f = njit(make("def f(n):\n    return kind.range_of_test(n), kind.twice_of_test(n)", kind=Derived))
    assert f(3) == ([0, 1, 2], 6)
    for kind, name in (Derived, "nothing"), (Other, "range_of_test"):
        with pytest.raises(TypingError, match="Unknown attribute 'nothing' of type.*Derived|Untyped global name 'kind'"):
            njit(make(f"def f(n):\n    return kind.{name}(n)", kind=kind))(2)


def test_parts_of_numbas_compiler_say_what_they_are():
    import importlib
    for name in ("core.lowering", "core.ir_utils", "core.datamodel.packer", "np.npyimpl",
                 "typed.dictimpl", "cpython.hashing", "core.typing.builtins", "core.rewrites.registry"):
        with pytest.raises(ModuleNotFoundError, match="gridcell.*GRIDCELL_NUMBA=system"):
            importlib.import_module("numba." + name)
    for module, name in (("core.registry", "TargetRegistry"), ("core.dispatcher", "LiftedLoop"),
                         ("misc.special", "gdb"), ("core", "lowering"),
                         ("core.compiler", "compile_extra")):
        with pytest.raises(ImportError, match="gridcell"):
            getattr(importlib.import_module("numba." + module), name)
    with pytest.raises(ModuleNotFoundError, match="No module named"):
        importlib.import_module("numba.core.nothing_of_this_name")
    with pytest.raises(AttributeError):
        importlib.import_module("numba.core.typing.templates").nothing_of_this_name


def test_names_that_programs_import():
    import numpy as np
    import numba
    from numba.core import compiler_lock, config, types
    from numba.core.typing import cffi_utils, ctypes_utils
    from numba.core.typing.asnumbatype import as_numba_type
    from numba.cpython.unsafe.numbers import leading_zeros, trailing_zeros, viewer
    from numba.extending import overload_classmethod
    from numba.misc.numba_sysinfo import get_sysinfo
    from numba.np import numpy_support
    from numba.np.extensions import cross2d
    from numba.np.ufunc import get_num_threads
    assert get_sysinfo()["NumPy Version"] == np.__version__ and get_num_threads() == numba.get_num_threads()
    assert config.DEBUG_JIT == 0 and config.MACHINE_BITS == 64 and config.LOOP_VECTORIZE == 1
    assert types.np_int32 == types.int32 and types.py_float == types.float64
    assert numpy_support.map_layout(np.zeros((2, 2), order="F")) == "F"
    assert cffi_utils.make_function_type is ctypes_utils.make_function_type

    class Mine:
        pass
    as_numba_type.register(Mine, types.float32)
    assert as_numba_type(Mine) == types.float32 and as_numba_type(int) == types.int64

    @compiler_lock.global_compiler_lock
    def is_held():
        compiler_lock.require_global_compiler_lock()
        return compiler_lock.global_compiler_lock.is_locked()
    assert is_held() and not compiler_lock.global_compiler_lock.is_locked()
    assert cross2d([1, 2], [3, 5]) == -1

    kind = types.float64

    @numba.njit
    def f(a, b, x):
        total = 0
        for i, j in numba.pndindex(a.shape):
            total += i + j
        return cross2d(a, b)[1], cross2d((1, 2), (3, 5)), trailing_zeros(x), leading_zeros(x), viewer(1 << 62, kind), total
    assert f(np.array([[1.0, 0], [1, 2]]), np.array([3.0, 5]), np.uint8(8)) == (-1, -1, 3, 4, 2.0, 4)


def test_without_jit(run_python):
    # typed containers are plain ones, compiled classes Python's; ufuncs and stencils are compiled still
    code = """
import os
os.environ["NUMBA_DISABLE_JIT"] = "1"
import gridcell
gridcell.activate()
import numpy as np
import numba
from numba import typed, types
from numba.experimental import jitclass

@jitclass([("x", types.int64)])
class Box:
    def __init__(self, x):
        self.x = x

items = typed.List()
items.append(Box(3))
items.append("anything")
assert type(items) is list and items[0].x == 3 and typed.List((1, 2)) == [1, 2]
assert typed.List.empty_list(types.int64) == []
table = typed.Dict.empty(types.int64, types.int64)
table["key"] = items
assert type(table) is dict and type(typed.Dict()) is dict and type(typed.Set(types.int64)) is set
assert numba.vectorize(["f8(f8)"])(lambda x: x + 1)(3) == 4.0
assert numba.stencil(lambda a: a[-1] + a[1])(np.arange(4.0)).tolist() == [0, 2, 4, 0]
numba.config.DISABLE_JIT = 0
assert list(typed.List([5])) == [5] and numba.njit(lambda l: len(l))(typed.List([5])) == 1
"""
    done = run_python(code=code)
    assert done.returncode == 0, done.stderr


def test_what_values_are():
    import enum

    import numpy as np
    from numba import jit, njit, typed, types, vectorize

    @njit
    def kinds(x):
        return isinstance(x, typed.List), isinstance(x, typed.Dict), isinstance(x, list), isinstance(x, set)
    assert kinds(typed.List([1])) == (True, False, False, False)
    assert kinds([1]) == (False, False, True, False)
    assert kinds(typed.Dict.empty(types.int64, types.int64)) == (False, True, False, False)

    @njit
    def hashes(x):
        return hasattr(x, "__hash__"), x.__hash__() == hash(x), hasattr(x, "nothing")
    assert hashes(3) == hashes("text") == hashes((1, 2.5)) == (True, True, False)
    assert njit(lambda x: (hasattr(x, "__hash__"), hasattr(x, "__len_")))(np.zeros(1)) == (True, False)  # every object has it

    class Level(enum.IntEnum):
        LOW = 3
        HIGH = 5
    following = vectorize(lambda x: x + 1)
    assert following(Level.LOW) == 4 and following(np.array([Level.HIGH])).tolist() == [6]
    assert njit(lambda: np.empty((Level.LOW, Level.HIGH)).shape)() == (3, 5)
    with pytest.raises(OverflowError, match="negative"):
        jit("uint64(uint64)")(lambda x: x)(-5)
    with pytest.raises(IndexError):
        njit(lambda a, i: np.take(a, i))(np.arange(4), 9)
    with pytest.raises(IndexError):
        njit(lambda a, i: np.take(a, i, axis=1))(np.zeros((2, 3)), -4)
    assert types.Integer.from_bitwidth(16) == types.int16
    assert types.Integer.from_bitwidth(8, signed=False) == types.uint8
    assert sorted([types.int64, types.int8, types.int32]) == [types.int8, types.int32, types.int64]
    assert types.float32 < types.float64 and not types.complex128 <= types.complex64


def test_enums_of_any_values():
    import enum

    from numba import njit

    class Planet(enum.Enum):
        MERCURY = (3.303e23, 2.4397e6)
        EARTH = (5.976e24, 6.37814e6)
        ODD = "odd"

    @njit
    def f(a, b, first):
        table = {Planet.MERCURY: 1, Planet.ODD: 3}
        return a == b, a is Planet.EARTH, a.name, a if first else b, Planet.ODD, table[b], Planet.EARTH.value
    assert f(Planet.EARTH, Planet.ODD, False) == (
        False, True, "EARTH", Planet.ODD, Planet.ODD, 3, Planet.EARTH.value)
    assert njit(lambda a: str(a) + f"{a}")(Planet.EARTH) == "Planet.EARTHPlanet.EARTH"


def test_choice_among_signatures():
    from numba import jit

    def add(a, b):
        return a + b
    several = jit(["(float32,float64)", "(float64,float32)", "(int64,int64)"])(add)
    with pytest.raises(TypeError, match=r"Ambiguous overloading for <function .*add at .*> \(float64, float64\)"):
        several(1.0, 2.0)
    assert several(1, 2) == 3
    # an int of any size becomes a float
    assert jit("complex128(complex128)")(lambda x: x)(10 ** 36) == 1e36


def test_programs_say_where_code_is_kept(tmp_path, run_python):
    program = tmp_path / "kept.py"
    program.write_text(
        "import pathlib, sys\nfrom numba import njit\nfrom numba.core.bytecode import FunctionIdentity\n"
        "from numba.core.caching import CacheImpl, _CacheLocator\n"
        "class Locator(_CacheLocator):\n"
        "    def get_cache_path(self):\n        return pathlib.Path(sys.argv[1])\n"
        "    @classmethod\n    def from_function(cls, py_func, py_file):\n"
        "        return cls() if py_func.__name__ == 'here' else None\n"
        "CacheImpl._locator_classes.insert(0, Locator)\n"
        "@njit(cache=True)\ndef here(x):\n    return x + 1\n"
        "@njit(cache=True)\ndef there(x):\n    return x + 2\n"
        "print(here(1), there(1), sum(here.stats.cache_hits.values()), sum(there.stats.cache_hits.values()))\n"
        "print(FunctionIdentity.from_function(here).func_qualname)\n")
    kept = tmp_path / "kept"
    for hits in 0, 1:
        made = run_python("-m", "gridcell", str(program), str(kept))
        assert made.stdout.split() == ["2", "3", str(hits), str(hits), "here"], made.stderr
    assert len(list(kept.iterdir())) == 1
