"""Whole programs as people write them, by area, for `bench/run programs`. A program is a plain function that numba and
gridcell both take, and a maker of its arguments from a random generator and a size: small enough for the interpreter to
check the result, and large enough to time."""
import importlib
import typing

AREAS = ("stencils", "algebra", "flow", "neural", "finance", "graphs", "text", "particles", "kernels", "puzzles",
         "windows", "small", "counting")
STYLES = ("loops", "arrays", "mixed")
SERIAL, PARALLEL = "serial", "parallel"
FAST, PARALLEL_FAST = "fastmath", "parallel fastmath"


class Program(typing.NamedTuple):
    function: typing.Callable
    helpers: tuple  # functions that the function calls, compiled with it
    make: typing.Callable  # (numpy.random.Generator, size) -> tuple of arguments
    small: int
    large: int
    style: str
    modes: tuple  # options of njit, as words
    tolerance: float  # of results, relative

    name = property(lambda self: self.function.__name__)
    area = property(lambda self: self.function.__module__.rpartition(".")[2])


PROGRAMS = []


def program(make, small, large, style, *helpers, modes=(SERIAL,), tolerance=1e-7):
    """Decorator: adds the function to the set."""
    assert style in STYLES

    def add(function):
        PROGRAMS.append(Program(function, helpers, make, small, large, style, modes, tolerance))
        return function
    return add


def load():
    """Every program, from the module of each area."""
    for area in AREAS:
        importlib.import_module(f"{__name__}.{area}")
    return PROGRAMS
