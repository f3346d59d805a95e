# SPDX-License-Identifier: MIT
"""numba.core.compiler: compiling without a decorator. There are no pipelines of passes to change."""
from numba.core.decorators import njit

__all__ = ["Flags", "compile_isolated"]

_PASSES = ("CompilerBase", "Compiler", "DefaultPassBuilder", "PassManager", "run_frontend",
           "compile_extra", "compile_ir", "StateDict")


class Flags:
    """Options of jit, as attributes: nogil, fastmath, error_model, auto_parallel, boundscheck."""

    _options = {"nrt": None, "nogil": "nogil", "fastmath": "fastmath", "error_model": "error_model",
                "auto_parallel": "parallel", "boundscheck": "boundscheck"}

    def set(self, name, value=True):
        """Sets an option; NameError for those that there are not."""
        if name not in self._options:
            raise NameError(f"Invalid flag: {name}")
        setattr(self, name, value)

    def as_options(self):
        """The options for jit."""
        return {option: getattr(self, name) for name, option in self._options.items()
                if option and hasattr(self, name)}


def compile_isolated(func, args, return_type=None, flags=None, locals={}):
    """The result of compiling a function for argument types: .entry_point calls it."""
    options = flags.as_options() if isinstance(flags, Flags) else {}
    function = njit(locals=locals, **options)(func) if locals else njit(**options)(func)
    function.compile(return_type(*args) if return_type is not None else tuple(args))
    result = next(iter(function.overloads.values()))
    result.entry_point = function
    return result


def __getattr__(name):
    if name in _PASSES:
        raise ImportError(
            f"numba.core.compiler.{name} belongs to numba's passes over its own intermediate code, "
            "which gridcell does not have: overload and intrinsic implement functions in Python.")
    raise AttributeError(f"module 'numba.core.compiler' has no attribute {name!r}")
