"""The functions whose compile and run times `bench/run compiler` measures, by theme. A case is a plain
function that numba and gridcell both take, and a maker of its arguments from a random generator and a
size: small enough for the interpreter to check the result, and large enough to time."""
import dataclasses
import typing


@dataclasses.dataclass(frozen=True)
class Case:
    function: typing.Callable
    make: typing.Callable  # (numpy.random.Generator, size) -> tuple of arguments
    small: int
    large: int
    helpers: tuple = ()  # functions that the function calls, compiled with it


CASES = []


def case(make, small, large, *helpers):
    """Decorator: adds the function to the set."""
    def add(function):
        CASES.append(Case(function, make, small, large, helpers))
        return function
    return add


from functions import numeric, arrays, linear, sorting, simulation, containers, text  # noqa: E402, F401
