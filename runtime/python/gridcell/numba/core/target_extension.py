# SPDX-License-Identifier: MIT
"""numba.core.target_extension: the targets that functions are compiled for, by name.

There are the CPU and CUDA; a program may register names and decorators of its own for jit(target=...)-like dispatch, but a
target's compiler is gridcell's own.
"""
import abc
import threading

from numba.core.decorators import jit
from numba.core.errors import NonexistentTargetError
from numba.core.registry import CPUDispatcher, DelayedRegistry

_active = threading.local()


class Target(abc.ABC):
    """A target; classes below it say what it is like."""

    @classmethod
    def inherits_from(cls, other):
        """Whether code for the other target is for this one, too."""
        return issubclass(cls, other)


class Generic(Target):
    """Any target."""


class CPU(Generic):
    """The CPU."""


class GPU(Generic):
    """A GPU of any make."""


class CUDA(GPU):
    """A GPU of NVIDIA's, or the emulated device."""


class NPyUfunc(Target):
    """Functions of NumPy's."""


class JitDecorator(abc.ABC):
    """A decorator that compiles for a target."""

    @abc.abstractmethod
    def __call__(self):
        """Decorates a function."""


class _TargetRegistry(DelayedRegistry):
    def __getitem__(self, item):
        try:
            return super().__getitem__(item)
        except KeyError:
            known = "\n".join(f"{name: <10} -> {target}" for name, target in self.items())
            raise NonexistentTargetError(f"No target is registered against '{item}', known targets:\n{known}") from None


def _cuda_jit():
    from numba import cuda
    return cuda.jit


def _cuda_dispatcher():
    from numba.cuda.dispatcher import CUDADispatcher
    return CUDADispatcher


target_registry = _TargetRegistry({"generic": Generic, "CPU": CPU, "cpu": CPU, "GPU": GPU, "gpu": GPU, "CUDA": CUDA,
                                   "cuda": CUDA, "npyufunc": NPyUfunc})
jit_registry = DelayedRegistry({CPU: jit})  # target -> decorator
jit_registry.ondemand[CUDA] = _cuda_jit
dispatcher_registry = DelayedRegistry({CPU: CPUDispatcher}, key_type=Target)  # target -> class of what decorators make
dispatcher_registry.ondemand[CUDA] = _cuda_dispatcher
cpu_target = target_registry["cpu"]


class target_override:
    """A target to be the current one within `with`, by name."""

    def __init__(self, name):
        self.target, self._before = name, current_target()

    def __enter__(self):
        _active.target = self.target

    def __exit__(self, kind, value, traceback):
        _active.target = self._before


def current_target():
    """The name of the current target: "cpu", but within target_override."""
    return getattr(_active, "target", "cpu")


def get_local_target(context):
    """The current Target; ValueError where there is none of the name."""
    target = target_registry.get(current_target())
    if target is None:
        raise ValueError(f"The target found is not registered. Given target was {current_target()}.")
    return target


def resolve_target_str(target_str):
    """The Target of a name; NonexistentTargetError where there is none."""
    return target_registry[target_str]


def resolve_dispatcher_from_str(target_str):
    """The class of functions that are compiled for the target of a name."""
    return dispatcher_registry[resolve_target_str(target_str)]
