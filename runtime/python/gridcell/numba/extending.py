# SPDX-License-Identifier: MIT
"""numba.extending: what code outside may add."""
from gridcell import _gridcell as _extension
from numba.core.decorators import njit


def is_jitted(function):
    """Whether the object was made by jit."""
    return isinstance(function, _extension.CPUDispatcher)


def register_jitable(*args, **kwargs):
    """Mark a function as callable from compiled code; it stays callable as it is."""
    def mark(function):
        jitted = njit(**kwargs)(function)

        def call(*call_args, **call_kwargs):
            return function(*call_args, **call_kwargs)
        call.__gridcell_scalar__ = jitted
        call.__wrapped__ = function
        call.__name__ = function.__name__
        call.__doc__ = function.__doc__
        return call
    return mark(args[0]) if args else mark
