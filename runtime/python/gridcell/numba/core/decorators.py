# SPDX-License-Identifier: MIT
"""jit, njit and jit_module: options and signatures, checked and handed to the dispatcher."""
import sys
import types as python_types

from gridcell import _gridcell as _extension
from gridcell.warning import warn
from numba.core import caching, config
from numba.core.errors import DeprecationError, NumbaDeprecationWarning

# what an option may be, and whether the compiler is told
KNOWN_OPTIONS = (
    "_dbg_extend_lifetimes", "_dbg_optnone", "_nrt", "boundscheck", "debug", "error_model",
    "fastmath", "forceinline", "forceobj", "inline", "looplift", "no_cfunc_wrapper",
    "no_cpython_wrapper", "no_rewrites", "nogil", "nopython", "overflow_check", "parallel")
PARALLEL_OPTIONS = (
    "comprehension", "reduction", "inplace_binop", "setitem", "numpy", "stencil", "fusion",
    "prange")
# LLVM's fast-math flags and their bits in LLVMFastMathFlags
FASTMATH_BITS = {"reassoc": 1, "nnan": 2, "ninf": 4, "nsz": 8, "arcp": 16, "contract": 32,
                 "afn": 64, "fast": 127}

_DEPRECATED = ("Deprecated keyword argument `{0}`. Signatures should be passed as the first "
               "positional argument.")
_NOPYTHON_FALSE = (
    "The keyword argument 'nopython=False' was supplied. From Numba 0.59.0 the default is True "
    "and supplying this argument has no effect.")
_ALREADY_JITTED = (
    "A jit decorator was called on an already jitted function {0}.  If trying to access the "
    "original python function, use the {0}.py_func attribute.")


def fastmath_flags(value):
    """The bits of a fastmath option: a bool, a set or a dict of flag names."""
    if value is True:
        return FASTMATH_BITS["fast"]
    if not value:
        return 0
    if not isinstance(value, (dict, set, frozenset)):
        raise ValueError("Expected fastmath option(s) to be either a bool, dict or set")
    names = {name for name, wanted in value.items() if wanted} \
        if isinstance(value, dict) else set(value)
    unknown = set(value) - set(FASTMATH_BITS)
    if unknown:
        raise ValueError(f"Unrecognized fastmath flags: {unknown}")
    bits = 0
    for name in names:
        bits |= FASTMATH_BITS[name]
    return bits


def check_parallel(value):
    if isinstance(value, dict):
        unknown = {name: None for name in value if name not in PARALLEL_OPTIONS}
        if unknown:
            raise NameError(f"Unrecognized parallel options: {unknown.keys()}")


def check_inline(value):
    if not (callable(value) or value in ("always", "never")):
        raise ValueError(
            "kwarg 'inline' must be one of the strings 'always' or 'never', or it can be a "
            f"callable that returns True/False. Found value {value}")


# As enum bounds_checks of compiler/types/source.h.
_BOUNDS = {False: 0, None: 1, True: 2}


def wants_prange(value):
    return value.get("prange", True) if isinstance(value, dict) else bool(value)


def opt_level():
    """NUMBA_OPT: 0 to 3, or "max"."""
    return min(max(config.OPT, 0), 3) if isinstance(config.OPT, int) else 3


def compiler_options(options):
    """What the dispatcher needs to know of the decorator's options."""
    config.refresh()
    error_model = options.get("error_model", "python")
    if error_model not in ("python", "numpy"):
        raise ValueError(f"error_model must be 'python' or 'numpy', not {error_model!r}")
    check_parallel(options.get("parallel"))
    check_inline(options.get("inline", "never"))
    flags = fastmath_flags(options.get("fastmath"))
    debug = bool(options.get("debug", config.DEBUGINFO_DEFAULT))
    boundscheck = options.get("boundscheck")
    if config.BOUNDSCHECK is not None:
        boundscheck = bool(config.BOUNDSCHECK)
    elif boundscheck is None and debug:
        boundscheck = True
    told = {
        "nopython": bool(options.get("nopython")),
        "forceobj": bool(options.get("forceobj")),
        "nogil": bool(options.get("nogil")),
        "opt_level": opt_level(),
        "fastmath": flags == FASTMATH_BITS["fast"],
        "fastmath_flags": flags,
        "boundscheck": _BOUNDS[boundscheck if boundscheck is None else bool(boundscheck)],
        "overflow_check": bool(options.get("overflow_check", config.CHECK_OVERFLOW)),
        "numpy_errors": error_model == "numpy",
        "is_part_of_callers": options.get("inline") == "always",
        "debug": debug,
        "locals": options.get("locals") or {},
        "parallel": wants_prange(options.get("parallel")),
    }
    unknown = set(options) - {*KNOWN_OPTIONS, "locals"}
    if unknown:  # reported when it is compiled
        told["invalid"] = (f"Unrecognized options: {unknown}. "
                           f"Known options are {dict.fromkeys(KNOWN_OPTIONS).keys()}")
    return told


def check_mode(options):
    """Whether the interpreter is to run the function, by the decorator's options."""
    if options.get("nopython") and options.get("forceobj"):
        raise ValueError("Only one of 'nopython' or 'forceobj' can be True.")
    if options.get("nopython") is False:
        warn(_NOPYTHON_FALSE, NumbaDeprecationWarning, "numba.core.decorators")
    return bool(options.get("forceobj"))


def _is_signature(value):
    return isinstance(value, (str, tuple, _extension.Signature))


def parse_signature(value):
    """A Signature (return type None: to be inferred) from a string, a tuple or a Signature."""
    parsed = value
    if isinstance(value, str):
        from numba.core import types
        parsed = eval(value, {}, vars(types))
    if isinstance(parsed, _extension.Signature):
        return parsed
    if isinstance(parsed, tuple):
        return _extension.Signature(None, parsed)
    raise TypeError(
        f"invalid signature: {value!r} (type: {type(value).__name__!r}) evaluates to "
        f"{type(parsed).__name__!r} instead of tuple or Signature")


def parse_signatures(value):
    """The list of signatures that a decorator was given; None for a function or nothing."""
    if value is None:
        return []
    if isinstance(value, list):
        return [parse_signature(item) for item in value]
    return [parse_signature(value)]


def check_function(function):
    if isinstance(function, _extension.CPUDispatcher):
        raise TypeError(_ALREADY_JITTED.format(function))
    if not isinstance(function, python_types.FunctionType):
        raise TypeError(
            f"The decorated object is not a function (got type {type(function)}).")


def always_jit(function=None, **options):
    """njit for functions of the package's own: it compiles under NUMBA_DISABLE_JIT, too."""
    if function is None:
        return lambda function: always_jit(function, **options)
    options = {"nopython": True, **options}
    return _extension.CPUDispatcher(function, compiler_options(options), options)


def check_counts(function, signatures):
    """Refuses signatures of a function for the interpreter that it cannot be called by; () stands for any arguments."""
    code = function.__code__
    takes = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4)  # 4: CO_VARARGS
    for signature in signatures:
        given = len(signature.args)
        if given and given != takes:
            raise TypeError(f"Signature mismatch: {given} argument types given, but function takes {takes} arguments")


def make_dispatcher(function, options, signatures, cache=False):
    check_function(function)
    if config.DISABLE_JIT:
        return function
    dispatcher = _extension.CPUDispatcher(function, compiler_options(options), options)
    if cache or caching.wants_all():
        caching.attach(dispatcher)
    if options.get("forceobj"):  # the interpreter runs it, whatever the arguments are
        check_counts(function, signatures)
        return dispatcher
    for signature in signatures:
        dispatcher.compile(signature)
    if signatures:
        dispatcher.disable_compile()
    return dispatcher


def jit(signature_or_function=None, locals={}, cache=False, pipeline_class=None,
        boundscheck=None, **options):
    """Compile a function to machine code, for each combination of argument types.

    @jit alone compiles at the first call; a signature, or a list of them, compiles at once. A
    function that cannot be compiled runs in the interpreter, with a warning; nopython=True
    (and njit) raises instead.
    """
    for name in ("argtypes", "restype"):
        if name in options:
            raise DeprecationError(_DEPRECATED.format(name))
    check_mode(options)
    if options.pop("target", options.pop("_target", None)) in ("gpu", "cuda"):
        from numba import cuda  # as programs for numbapro have it
        options.pop("nopython", None)
        return cuda.jit(signature_or_function, **options)
    options["boundscheck"] = boundscheck
    if options.get("forceobj"):
        options["nopython"] = False
    if locals:
        options["locals"] = locals
    given = signature_or_function
    if given is None or isinstance(given, list) or _is_signature(given):
        signatures = parse_signatures(given)
        return lambda function: make_dispatcher(function, options, signatures, cache)
    if isinstance(given, python_types.FunctionType):
        return make_dispatcher(given, options, [], cache)
    check_function(given)


def njit(*args, **kws):
    """jit with nopython=True."""
    for name in ("nopython", "forceobj"):
        if name in kws:
            warn(f"{name} is set for njit and is ignored", RuntimeWarning, "numba.core.decorators")
            del kws[name]
    return jit(*args, nopython=True, **kws)


def jit_module(**kws):
    """Apply jit to every function that the calling module defines."""
    namespace = sys._getframe(1).f_globals
    for name, value in list(namespace.items()):
        if isinstance(value, python_types.FunctionType) \
                and value.__module__ == namespace.get("__name__"):
            namespace[name] = jit(value, **kws)


class GeneratedFunction:
    """A function that is given its arguments' types, and gives the function to compile."""

    def __init__(self, function, options):
        import functools
        import inspect
        functools.update_wrapper(self, function)
        self.py_func = function
        self._signature = inspect.signature(function)
        self._options = options
        self._compiled = {}
        self._capsule = _extension.overloaded_source(self, function.__name__)

    @property
    def __gridcell_source__(self):
        return self._capsule

    def __reduce__(self):
        return GeneratedFunction, (self.py_func, self._options)

    def __dask_tokenize__(self):
        from numba.core import tokens
        return tokens.token(self, self.py_func, self._options)

    def _version(self, kinds, keywords):
        bound = self._signature.bind(*kinds, **keywords)
        bound.apply_defaults()
        known = tuple(bound.args)
        if known not in self._compiled:
            self._compiled[known] = jit(self.py_func(*known), **self._options)
        return self._compiled[known]

    def choose_call(self, kinds, keywords, is_parallel=False):
        """The jitted function for a call of compiled code: types, the last ones of keywords."""
        split = len(kinds) - len(keywords)
        return self._version(kinds[:split], dict(zip(keywords, kinds[split:])))

    def __call__(self, *args, **kws):
        typeof = _extension.typeof
        return self._version([typeof(value) for value in args],
                             {name: typeof(value) for name, value in kws.items()})(*args, **kws)


def generated_jit(function=None, cache=False, pipeline_class=None, **options):
    """Compile what a function of the arguments' types gives, for each combination of types.

    Deprecated in numba; numba.extending.overload does the same."""
    if function is None:
        return lambda function: GeneratedFunction(function, {**options, "cache": cache})
    return GeneratedFunction(function, {**options, "cache": cache})


def __getattr__(name):
    import numba
    if name in ("cfunc", "stencil"):
        return getattr(numba, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
