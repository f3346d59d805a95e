# SPDX-License-Identifier: MIT
"""Options of the decorators, and what dispatchers have, as numba words and does it."""
import importlib
import typing

import numpy as np
import pytest

from numba import jit, njit, types
from numba.core import errors
from numba import extending


def test_wrong_options(make):
    f = make("def f(a, b=2):\n    return a + b\n")
    for options, kind, text in (
            ({"fastmath": {"foo"}}, ValueError, "Unrecognized fastmath flags: {'foo'}"),
            ({"fastmath": "nnan"}, ValueError, "either a bool, dict or set"),
            ({"fastmath": 3}, ValueError, "either a bool, dict or set"),
            ({"parallel": {"foo": 1}}, NameError,
             r"Unrecognized parallel options: dict_keys\(\['foo'\]\)"),
            ({"inline": "foo"}, ValueError, "must be one of the strings 'always' or 'never'.*foo"),
            ({"inline": 3}, ValueError, "Found value 3"),
            ({"error_model": "foo"}, ValueError, "must be 'python' or 'numpy'"),
            ({"forceobj": True, "nopython": True}, ValueError, "Only one of 'nopython'")):
        with pytest.raises(kind, match=text):
            jit(**options)(f)
    g = jit(foo=True)(f)
    with pytest.raises(KeyError, match="Unrecognized options: {'foo'}. Known options are dict_keys"):
        g(1)
    with pytest.warns(errors.NumbaDeprecationWarning, match="'nopython=False' was supplied"):
        assert jit(nopython=False)(f)(1) == 3


def test_options_that_change_nothing_here(make):
    f = make("def f(a, b=2):\n    return a / b\n")
    for options in ({"inline": "always"}, {"inline": "never"}, {"inline": lambda *a: True},
                    {"forceinline": True}, {"nogil": True}, {"no_cpython_wrapper": True},
                    {"no_cfunc_wrapper": True}, {"no_rewrites": True}, {"_nrt": True},
                    {"fastmath": {"nnan": True}}, {"fastmath": {"nnan", "nsz"}}, {"locals": {}},
                    {"parallel": {"prange": False}}, {"boundscheck": False}):
        assert njit(**options)(f)(3) == 1.5, options
    assert jit(forceobj=True, looplift=True)(f)(3) == 1.5


def test_the_division_models(make):
    messages = {"/": "division by zero", "//": "integer division by zero",
                "%": "integer modulo by zero"}
    for operator, text in messages.items():
        f = make(f"def f(a, b):\n    return a {operator} b\n")
        with pytest.raises(ZeroDivisionError, match=text):
            njit(f)(1, 0)
        with pytest.raises(ZeroDivisionError):
            njit(f)(1.0, 0.0)
        got = njit(error_model="numpy")(f)(1.0, 0.0)
        assert np.isinf(got) if operator != "%" else np.isnan(got)


def test_methods_of_dispatchers(make):
    f = make("def f(a, b=2):\n    'doc'\n    return a + b\n")
    g = njit(f)
    assert g.compile("f8(f8, f8)")(1.0, 2.0) == 3.0
    assert g.compile((types.int64, types.int64))(1) == 3
    assert [str(s) for s in g.nopython_signatures] == [
        "(float64, float64) -> float64", "(int64, int64) -> int64", "(int64, omitted(default=2)) -> int64"]
    assert g.get_function_type() is None and g.doc == "doc"
    one = njit("f8(f8)")(make("def f(x):\n    return x\n"))
    assert one.get_function_type() == types.FunctionType(types.float64(types.float64))
    signature, kinds = g.fold_argument_types((types.int64,), {})
    assert str(signature) == "(a, b=2)" and str(kinds) == "(int64, omitted(default=2))"
    for name in ("typingctx", "targetctx", "get_call_template", "add_overload"):
        assert not hasattr(g, name)
        with pytest.raises(AttributeError, match="gridcell's dispatchers have no"):
            getattr(g, name)


def test_dump(make, capsys):
    g = njit(make("def f(a):\n    return a\n"))
    g(1)
    g.dump()
    assert capsys.readouterr().out.splitlines()[1] == "  (int64,) -> int64"


def test_as_numba_type():
    wanted = {int: types.int64, float: types.float64, bool: types.boolean, str: types.unicode_type,
              complex: types.complex128, type(None): types.none,
              list[int]: types.ListType(types.int64), typing.List[float]: types.ListType(types.float64),
              dict[str, int]: types.DictType(types.unicode_type, types.int64),
              typing.Optional[int]: types.optional(types.int64),
              tuple[int, float]: types.Tuple((types.int64, types.float64))}
    for given, kind in wanted.items():
        assert extending.as_numba_type(given) == kind
    with pytest.raises(errors.TypingError, match="Cannot infer numba type of python type"):
        extending.as_numba_type(object)


def test_what_needs_numba_s_compiler_says_what_to_use():
    for name in ("core.lowering", "core.generators", "core.funcdesc"):
        with pytest.raises(ImportError, match=f"{name} works on numba's own compiler.*overload.*GRIDCELL_NUMBA=system"):
            importlib.import_module(f"numba.{name}")
    with pytest.raises(AttributeError):
        extending.no_such_name


def test_functions_of_cython(make):
    pytest.importorskip("scipy.special")
    import ctypes
    address = extending.get_cython_function_address("scipy.special.cython_special", "j1")
    j1 = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(address)
    from scipy import special
    f = njit(make("def f(x):\n    return j1(x) * 2\n", j1=j1))
    assert f(0.5) == special.j1(0.5) * 2
    with pytest.raises(ValueError, match="No function 'nothing' found"):
        extending.get_cython_function_address("scipy.special.cython_special", "nothing")


def test_locals_of_parameters(make):
    f = njit(locals={"a": types.float32})(make("def f(a, b):\n    return a + b\n"))
    assert isinstance(f(1, 2), float)
    f = njit(locals={"a": types.int8, "c": types.float32})(make(
        "def f(a, b):\n    c = b\n    return a, c\n"))
    assert f(300, 0.1) == (44, float(np.float32(0.1)))


def test_dtypes_as_arguments(make):
    f = njit(make("def f(n, kind):\n    return np.ones(n, kind)\n"))
    for kind in (np.float32, np.int8, np.dtype("f4"), np.complex128, types.uint16):
        want = np.dtype(str(kind)) if isinstance(kind, types.Type) else np.dtype(kind)
        assert f(3, kind).dtype == want


def test_what_types_tell():
    from numba.core import sigutils
    assert types.int8.maxval == 127 and types.int64.minval == -2 ** 63 and types.uint8.minval == 0
    assert types.Tuple((types.int32, types.float64))[1] == types.float64
    assert str(types.float64[::2]) == "array(float64, 1d, A)"
    assert types.FunctionType(types.float64(types.float64, types.int8)).nargs == 2
    assert types.IntegerLiteral(3).literal_value == 3
    assert str(types.StringLiteral("a")) == "Literal[str](a)"
    assert types.float32.cast_python_value(0.1) == np.float32(0.1)
    record = types.Record.make_c_struct([("a", types.int8), ("b", types.float64)])
    assert record.dtype.fields["b"][1] == 8 and record.size == 16
    assert sigutils.normalize_signature("f8(i4, i4)") == ((types.int32,) * 2, types.float64)
    assert sigutils.is_signature("f8") and not sigutils.is_signature([])


def test_the_target_of_old_programs(make):
    f = make("def f(a):\n    a[0] = 1\n")
    for target in ("gpu", "cuda"):
        kernel = jit("void(f8[:])", target=target)(f)
        assert type(kernel).__name__ == "CUDADispatcher" and hasattr(kernel, "__getitem__")
    assert type(jit(target="cpu")(f)).__name__ == "CPUDispatcher"


def test_levels_of_optimisation(monkeypatch):
    """numba.config.OPT, which NUMBA_OPT sets: what is not optimised gives the same."""
    from numba import cfunc, config, guvectorize, vectorize

    def total(values):
        found = 0.0
        for value in values:
            found += value * 2
        return found

    def doubled(value):
        return value * 2

    def into(values, out):
        for i in range(len(values)):
            out[i] = values[i] * 2
    lines = {}
    for level in (0, 1, 3, "max", 7, -1):
        monkeypatch.setattr(config, "OPT", level)
        compiled = njit(total)
        assert compiled(np.arange(5.0)) == 20
        lines[level] = len(compiled.inspect_asm(compiled.signatures[0]).splitlines())
        assert vectorize(doubled)(np.arange(3)).tolist() == [0, 2, 4]
        out = np.zeros(3)
        guvectorize(["void(float64[:], float64[:])"], "(n)->(n)")(into)(np.arange(3.0), out)
        assert out.tolist() == [0, 2, 4]
        assert cfunc("float64(float64)")(doubled).ctypes(1.5) == 3
    assert lines["max"] == lines[7] == lines[3] != lines[0] == lines[-1]


SETTINGS_OF_NUMBA = """
    ALWAYS_WARN_UNINIT_VAR ANNOTATE BOUNDSCHECK CACHE_DIR CACHE_LOCATOR_CLASSES CHROME_TRACE COLOR_SCHEME
    CPU_FEATURES CPU_NAME CUDA_ARRAY_INTERFACE_SYNC CUDA_DEALLOCS_COUNT CUDA_DEALLOCS_RATIO CUDA_DEBUGINFO_DEFAULT
    CUDA_DEFAULT_PTX_CC CUDA_DRIVER CUDA_ENABLE_MINOR_VERSION_COMPATIBILITY CUDA_INCLUDE_PATH CUDA_LOG_API_ARGS
    CUDA_LOG_LEVEL CUDA_LOG_SIZE CUDA_LOW_OCCUPANCY_WARNINGS CUDA_MEMORY_MANAGER CUDA_PER_THREAD_DEFAULT_STREAM
    CUDA_USE_NVIDIA_BINDING CUDA_VERBOSE_JIT_LOG CUDA_WARN_ON_IMPLICIT_COPY DEBUG DEBUGINFO_DEFAULT DEBUG_ARRAY_OPT
    DEBUG_ARRAY_OPT_RUNTIME DEBUG_ARRAY_OPT_STATS DEBUG_CACHE DEBUG_FRONTEND DEBUG_INLINE_CLOSURE DEBUG_JIT
    DEBUG_NRT DEBUG_NRT_STACK_LIMIT DEBUG_PRINT_AFTER DEBUG_PRINT_BEFORE DEBUG_PRINT_WRAP DEBUG_TYPEINFER
    DEVELOPER_MODE DIFF_IR DISABLE_CUDA DISABLE_INTEL_SVML DISABLE_JIT DISABLE_PERFORMANCE_WARNINGS
    DISABLE_TYPEINFER_FAIL_CACHE DUMP_ASSEMBLY DUMP_BYTECODE DUMP_CFG DUMP_FUNC_OPT DUMP_IR DUMP_LLVM DUMP_OPTIMIZED
    DUMP_SSA ENABLE_AVX ENABLE_CUDASIM ENABLE_PROFILING ENABLE_SYS_MONITORING EXTEND_VARIABLE_LIFETIMES
    FORCE_CUDA_CC FULL_TRACEBACKS FUNCTION_CACHE_SIZE GDB_BINARY HIGHLIGHT_DUMPS HTML IS_32BITS IS_OSX IS_WIN32
    JIT_COVERAGE LLVM_PASS_TIMINGS LLVM_REFPRUNE_FLAGS LLVM_REFPRUNE_PASS LOOP_VECTORIZE MACHINE_BITS NRT_STATS
    NUMBA_DEFAULT_NUM_THREADS NUMBA_NUM_THREADS OPT PARALLEL_DIAGNOSTICS PARFOR_MAX_TUPLE_SIZE PYVERSION
    RUNNING_UNDER_PROFILER SHOW_HELP SLP_VECTORIZE THREADING_LAYER THREADING_LAYER_PRIORITY TRACE
    USE_LLVMLITE_MEMORY_MANAGER USING_SVML
"""


def test_every_setting_of_numba_can_be_read_and_assigned(monkeypatch):
    from numba import config
    for name in SETTINGS_OF_NUMBA.split():
        monkeypatch.setattr(config, name, getattr(config, name))
    assert config.CUDA_ENABLE_NRT


def test_inlined_functions_are_typed_by_their_callers():
    @njit([types.float64(types.float64[::1], types.int64)], inline="always")
    def first(a, i):
        return a[i] * 2

    @njit([types.float64(types.float64[::1], types.int64)])
    def declared(a, i):
        return a[i] * 2
    assert njit(lambda a: first(a, np.int32(1)))(np.array([3, 4], np.int32)) == 8
    assert njit(lambda a: first(a[::-1], 0))(np.array([3.0, 4.0])) == 8.0
    with pytest.raises(errors.TypingError, match="declared signatures"):
        njit(lambda a: declared(a, 1))(np.array([3, 4], np.int32))
    with pytest.raises(TypeError, match="No matching definition"):
        first(np.array([3, 4], np.int32), 1)


def test_functions_for_the_interpreter():
    def add(a, b):
        return a + b
    f = jit("()", forceobj=True)(add)
    assert f("a", "b") == "ab" and f.targetoptions == {"forceobj": True, "nopython": False, "boundscheck": None}
    assert jit("(intc, intc)", forceobj=True)(add)(1, 2) == 3
    for signature, count in (("(intc,)", 1), ("(intc, intc, intc)", 3), (["()", "int64(int64)"], 1)):
        with pytest.raises(TypeError, match=f"Signature mismatch: {count} argument types given, but function takes 2"):
            jit(signature, forceobj=True)(add)
    assert jit("(intc, intc)", forceobj=True)(lambda a, *rest: rest)(1, 2) == (2,)


def test_settings_of_a_file(run_python, tmp_path):
    pytest.importorskip("yaml")
    code = ("from numba import config\nimport os\n"
            "print(config.OPT, config.BOUNDSCHECK, config.COLOR_SCHEME)\nos.remove('.numba_config.yaml')\n"
            "config.reload_config()\nprint(config.OPT, config.BOUNDSCHECK, config.COLOR_SCHEME)\n")
    path = tmp_path / ".numba_config.yaml"
    path.write_text("opt: 1\nBOUNDSCHECK: true\ncolor_scheme: light_bg\n")
    done = run_python("-m", "gridcell", code=code, env={"NUMBA_COLOR_SCHEME": "dark_bg"})
    assert done.stdout.split("\n")[:2] == ["1 1 dark_bg", "3 None dark_bg"], done.stderr
    for text, message in (("- a\n- b\n", "holds a list, where settings are wanted"), ("a: [", "is no YAML")):
        path.write_text(text)
        done = run_python("-m", "gridcell", code="import numba.core.config")
        assert f"{path} {message}" in done.stderr
