"""CUDA kernels as people write them, each in Python and in CUDA C (`THEME.cu` beside `THEME.py`, the same name, types
and geometry), for `bench/gpu kernels`. Outputs are the last arguments. Importing this needs no GPU."""
import dataclasses
import importlib
import typing

import numpy as np


@dataclasses.dataclass(frozen=True)
class Case:
    kernel: typing.Callable  # a plain function, for cuda.jit; or, with `build`, any function of the case's name
    make: typing.Callable[[np.random.Generator, int], tuple]  # the arguments of a size
    launch: typing.Callable  # size -> (grid, block) or (grid, block, bytes of dynamic shared memory)
    expected: typing.Callable  # (*arguments) -> tuple of the last arguments as they should be afterwards
    large: int  # the size that is timed
    small: int  # the size whose results are checked
    native: typing.Callable  # (*arguments) -> those of the function in CUDA C
    tolerance: float = 1e-5
    is_in_place: bool = False  # the arguments are written anew before each launch
    is_cooperative: bool = False  # waits for its whole grid
    options: dict = dataclasses.field(default_factory=dict)  # of cuda.jit
    build: typing.Callable = None  # () -> what takes the arguments, where that is no kernel

    @property
    def name(self):
        return self.kernel.__name__

    @property
    def theme(self):
        return self.kernel.__module__.rpartition(".")[2]

    def arguments(self, size):
        return self.make(np.random.default_rng(11), size)

    def geometry(self, size):
        """Grid, block and bytes of dynamic shared memory; the first two of three extents each."""
        grid, block, shared = (*self.launch(size), 0)[:3]
        return tuple((*extent, 1, 1)[:3] if isinstance(extent, tuple) else (extent, 1, 1)
                     for extent in (grid, block)) + (shared,)


THEMES = ("memory", "stencils", "linear_algebra", "rows", "reductions", "sorting_graphs", "particles", "images",
          "finance_random", "strings_bytes")


CASES = []


def case(**parts):
    """Decorator of the kernel: adds it to the set."""
    return lambda kernel: CASES.append(Case(kernel=kernel, **parts))


def line(threads):
    """Launches with a thread for each of `size` items."""
    return lambda size: (-(-size // threads), threads)


def square(width, height):
    """Launches with a thread for each of `size` times `size` items."""
    return lambda size: ((-(-size // width), -(-size // height)), (width, height))


def sized(*arguments):
    """The arguments as they are, and the first one's extents as C's ints."""
    return arguments + tuple(np.int32(extent) for extent in arguments[0].shape)


for theme in THEMES:
    importlib.import_module(f"gpu_kernels.{theme}")
