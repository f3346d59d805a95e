# SPDX-License-Identifier: MIT
"""numba.config: settings read from NUMBA_* variables and .numba_config.yaml; all may be assigned."""
import os
import sys
import warnings

_config_fname = ".numba_config.yaml"


def _read_file():
    """{variable: value} of the file of settings in the current folder."""
    if not os.path.isfile(_config_fname):
        return {}
    try:
        import yaml
    except ImportError:
        warnings.warn(f"{os.path.abspath(_config_fname)} is not read: its settings need PyYAML, which is not installed "
                      "(pip install pyyaml)")
        return {}
    with open(_config_fname) as file:
        try:
            settings = yaml.safe_load(file)
        except yaml.YAMLError as error:
            raise ValueError(f"{os.path.abspath(_config_fname)} is no YAML: {error}") from None
    if settings is not None and not isinstance(settings, dict):
        raise ValueError(f"{os.path.abspath(_config_fname)} holds a {type(settings).__name__}, where settings are wanted, "
                         "one a line: OPT: 3")
    return {"NUMBA_" + str(name).upper(): str(int(value) if isinstance(value, bool) else value)
            for name, value in (settings or {}).items() if value is not None}


def _take_file(taken):
    """Gives the environment what the file says and the environment does not, since the compiler reads variables, too.

    `taken` is what an earlier reading gave, which goes first."""
    for name, value in taken.items():
        if os.environ.get(name) == value:
            del os.environ[name]
    given = {name: value for name, value in _read_file().items() if name not in os.environ}
    os.environ.update(given)
    return given


_taken = _take_file(globals().get("_taken", {}))


def _flag(name, default=0):
    value = os.environ.get("NUMBA_" + name)
    try:
        return default if value is None else int(value)
    except ValueError:
        return default


class _OptLevel(int):
    """A level of optimisation, 0 to 3; "max" is 3, too."""

    def __new__(cls, value):
        level = super().__new__(cls, 3 if value == "max" else int(value))
        level.is_opt_max = value == "max"
        return level


if "_Default" not in globals():  # one class, however often this module is read again
    class _Default(int):
        """A setting that no program assigned: the variable's present value counts, or what the device needs."""


DISABLE_JIT = _flag("DISABLE_JIT")
ENABLE_CUDASIM = _flag("ENABLE_CUDASIM")
ENABLE_SYS_MONITORING = _flag("ENABLE_SYS_MONITORING")  # sys.monitoring sees calls of what is jitted from now on
BOUNDSCHECK = _flag("BOUNDSCHECK", None)
CHECK_OVERFLOW = os.environ.get("GRIDCELL_CHECK_OVERFLOW", "0") not in ("", "0")
DEBUGINFO_DEFAULT = _flag("DEBUGINFO")
CUDA_DEBUGINFO_DEFAULT = _flag("CUDA_DEBUGINFO")
CUDA_ENABLE_NRT = _flag("CUDA_ENABLE_NRT", 1)  # kernels may make arrays, also where it is 0
CUDA_ENABLE_PYNVJITLINK = _flag("CUDA_ENABLE_PYNVJITLINK")
CUDA_LOW_OCCUPANCY_WARNINGS = _Default(_flag("CUDA_LOW_OCCUPANCY_WARNINGS", 1))
CUDA_WARN_ON_IMPLICIT_COPY = _Default(_flag("CUDA_WARN_ON_IMPLICIT_COPY", 1))
DISABLE_ERROR_MESSAGE_HIGHLIGHTING = _flag("DISABLE_ERROR_MESSAGE_HIGHLIGHTING")
DISABLE_PERFORMANCE_WARNINGS = _flag("DISABLE_PERFORMANCE_WARNINGS")
FULL_TRACEBACKS = _flag("FULL_TRACEBACKS")
OPT = _OptLevel("max" if os.environ.get("NUMBA_OPT") == "max" else _flag("OPT", 3))
NRT_STATS = _flag("NRT_STATS")
SHOW_HELP = _flag("SHOW_HELP")
CACHE_DIR = os.environ.get("NUMBA_CACHE_DIR", "")
CACHE_LOCATOR_CLASSES = os.environ.get("NUMBA_CACHE_LOCATOR_CLASSES", "")
DEBUG_CACHE = _flag("DEBUG_CACHE")
THREADING_LAYER = os.environ.get("NUMBA_THREADING_LAYER", "default")
NUMBA_DEFAULT_NUM_THREADS = os.cpu_count() or 1
NUMBA_NUM_THREADS = _flag("NUM_THREADS", NUMBA_DEFAULT_NUM_THREADS)

# CUDA
DISABLE_CUDA = _flag("DISABLE_CUDA")
CUDA_DRIVER = os.environ.get("NUMBA_CUDA_DRIVER", "")
CUDA_LOG_LEVEL = os.environ.get("NUMBA_CUDA_LOG_LEVEL", "")
CUDA_LOG_API_ARGS = _flag("CUDA_LOG_API_ARGS")
CUDA_LOG_SIZE = _flag("CUDA_LOG_SIZE", 1024)
CUDA_VERBOSE_JIT_LOG = _flag("CUDA_VERBOSE_JIT_LOG", 1)
CUDA_PER_THREAD_DEFAULT_STREAM = _flag("CUDA_PER_THREAD_DEFAULT_STREAM")
CUDA_ARRAY_INTERFACE_SYNC = _flag("CUDA_ARRAY_INTERFACE_SYNC", 1)
CUDA_USE_NVIDIA_BINDING = _flag("CUDA_USE_NVIDIA_BINDING")
CUDA_INCLUDE_PATH = os.environ.get("NUMBA_CUDA_INCLUDE_PATH", "/usr/local/cuda/include")
CUDA_NVRTC_EXTRA_SEARCH_PATHS = os.environ.get("NUMBA_CUDA_NVRTC_EXTRA_SEARCH_PATHS", "")
CUDA_DEALLOCS_COUNT = _flag("CUDA_MAX_PENDING_DEALLOCS_COUNT", 10)
CUDA_DEALLOCS_RATIO = float(os.environ.get("NUMBA_CUDA_MAX_PENDING_DEALLOCS_RATIO") or 0.2)
CUDA_MEMORY_MANAGER = os.environ.get("NUMBA_CUDA_MEMORY_MANAGER", "default")


# What is printed of each compilation: numba.core.dumps
DEBUG = _flag("DEBUG")
DEBUG_FRONTEND = _flag("DEBUG_FRONTEND", DEBUG)
DUMP_BYTECODE, DUMP_IR = (_flag(_name, DEBUG_FRONTEND) for _name in ("DUMP_BYTECODE", "DUMP_IR"))
DUMP_LLVM, DUMP_FUNC_OPT, DUMP_OPTIMIZED, DUMP_ASSEMBLY = (
    _flag(_name, DEBUG) for _name in ("DUMP_LLVM", "DUMP_FUNC_OPT", "DUMP_OPTIMIZED", "DUMP_ASSEMBLY"))
DUMP_CFG = _flag("DUMP_CFG")
DUMP_SSA = _flag("DUMP_SSA")
PARALLEL_DIAGNOSTICS = _flag("PARALLEL_DIAGNOSTICS")

# The processor that code is made for, which the JIT reads of the environment when it starts
CPU_NAME = os.environ.get("NUMBA_CPU_NAME")
CPU_FEATURES = os.environ.get("NUMBA_CPU_FEATURES", "" if str(CPU_NAME).lower() == "generic" else None)

# What is about numba's own compiler: read, and without effect here
for _name, _default in dict(
        ALWAYS_WARN_UNINIT_VAR=0, ANNOTATE=0, CACHE_LOCATOR_CLASSES="", CHROME_TRACE="", COLOR_SCHEME="no_color",
        CUDA_ENABLE_MINOR_VERSION_COMPATIBILITY=0, DEBUG_ARRAY_OPT=0,
        DEBUG_ARRAY_OPT_RUNTIME=0, DEBUG_ARRAY_OPT_STATS=0, DEBUG_INLINE_CLOSURE=0, DEBUG_JIT=0, DEBUG_NRT=0,
        DEBUG_NRT_STACK_LIMIT=0, DEBUG_PRINT_AFTER="none", DEBUG_PRINT_BEFORE="none", DEBUG_PRINT_WRAP="none",
        DEBUG_TYPEINFER=0, DEVELOPER_MODE=0, DIFF_IR=0, DISABLE_INTEL_SVML=0, DISABLE_TYPEINFER_FAIL_CACHE=0,
        ENABLE_AVX=1, ENABLE_PROFILING=0,
        EXTEND_VARIABLE_LIFETIMES=0, FUNCTION_CACHE_SIZE=128, GDB_BINARY="gdb", HIGHLIGHT_DUMPS=0, HTML=None,
        JIT_COVERAGE=0, LLVM_PASS_TIMINGS=0, LLVM_REFPRUNE_FLAGS="all", LLVM_REFPRUNE_PASS=1, LOOP_VECTORIZE=1,
        PARFOR_MAX_TUPLE_SIZE=100, SLP_VECTORIZE=0, TRACE=0, USE_LEGACY_TYPE_SYSTEM=1,
        USE_LLVMLITE_MEMORY_MANAGER=None, CAPTURED_ERRORS="new_style").items():
    globals()[_name] = _flag(_name, _default) if isinstance(_default, int) \
        else os.environ.get("NUMBA_" + _name, _default)
RUNNING_UNDER_PROFILER = USING_SVML = False
THREADING_LAYER_PRIORITY = os.environ.get("NUMBA_THREADING_LAYER_PRIORITY", "tbb omp workqueue").split()
PYVERSION = sys.version_info[:2]
MACHINE_BITS = sys.maxsize.bit_length() + 1
IS_32BITS = MACHINE_BITS == 32
IS_WIN32 = sys.platform.startswith("win32")
IS_OSX = sys.platform.startswith("darwin")


def reload_config():
    """Reads the variables of the environment again."""
    import importlib
    importlib.reload(sys.modules[__name__])


def _given():
    """What the environment says, as bytes where that is faster."""
    environment = getattr(os.environ, "_data", os.environ)
    start = b"NUMBA_" if environment is not os.environ else "NUMBA_"
    return [item for item in environment.items() if item[0][:6] == start]


_read = _given()


def refresh():
    """Reads the variables again if some have changed: a cell may have set them after the import.

    What a program assigned meanwhile stays."""
    if _given() == _read:
        return
    assigned = {name: globals()[name] for name, value in _as_read.items() if globals().get(name, value) is not value}
    reload_config()
    globals().update(assigned)


def _capability(name):
    parts = os.environ.get("NUMBA_" + name, "").split(".")
    return tuple(map(int, parts)) if all(map(str.isdigit, parts)) else None


FORCE_CUDA_CC = _capability("FORCE_CUDA_CC")
CUDA_DEFAULT_PTX_CC = _capability("CUDA_DEFAULT_PTX_CC") or (7, 5)

_as_read = {name: value for name, value in globals().items() if name.isupper()}
