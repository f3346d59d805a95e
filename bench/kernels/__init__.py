"""The CUDA kernels whose times `bench/gpu` and `bench/run emulator` measure, by theme. A case is a
kernel, the same computation as an `@njit(parallel=True)` function of the same arguments, and what it
takes to launch and check it. Outputs are the last arguments."""
import dataclasses
import typing


@dataclasses.dataclass(frozen=True)
class Case:
    kernel: typing.Callable  # a plain function, for cuda.jit
    loops: typing.Callable  # jitted, with prange
    make: typing.Callable  # (numpy.random.Generator, size) -> tuple of arguments
    launch: typing.Callable  # size -> (grid, block)
    expected: typing.Callable  # (*arguments) -> tuple of outputs, by NumPy; before the launch
    gpu: int  # sizes, of which a multiple of the block's extent is asked
    emulator: int
    small: int  # to check results, and for numba's simulator
    work: typing.Callable = lambda size: size  # how many elementary steps there are
    moved: typing.Callable = None  # (*arguments) -> bytes read and written, if it streams
    tolerance: float = 1e-5
    is_by_warps: bool = False  # uses what numba's simulator has not

    @property
    def name(self):
        return self.kernel.__name__

    def arguments(self, size):
        import numpy as np
        return self.make(np.random.default_rng(7), size)


CASES = []


def case(**parts):
    """Decorator of the kernel: adds it to the set."""
    def add(kernel):
        CASES.append(Case(kernel=kernel, **parts))
        return kernel
    return add


def line(threads):
    """Launches with a thread for each of `size` items."""
    return lambda size: ((size + threads - 1) // threads, threads)


def square(width, height):
    """Launches with a thread for each of `size` times `size` items."""
    return lambda size: (((size + width - 1) // width, (size + height - 1) // height), (width, height))


def squared(size):
    return size * size


def cubed(size):
    return size ** 3


def bytes_of(*arguments):
    return sum(argument.nbytes for argument in arguments if hasattr(argument, "nbytes"))


from kernels import streaming, matrices, reductions, stencils, simulation, sorting  # noqa: E402, F401
