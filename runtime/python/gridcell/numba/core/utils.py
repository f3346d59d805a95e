# SPDX-License-Identifier: MIT
"""numba.core.utils: names that user code takes from there."""
import collections.abc
import functools
import inspect
import operator
import pprint
import sys
import timeit

from numba.core.registry import UniqueDict

pySignature, pyParameter = inspect.Signature, inspect.Parameter
PYVERSION = sys.version_info[:2]
MACHINE_BITS = sys.maxsize.bit_length() + 1
IS_32BITS = MACHINE_BITS == 32

# symbol -> what Python's module operator has for it
BINOPS_TO_OPERATORS = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv,
    "/": operator.truediv, "%": operator.mod, "**": operator.pow, "&": operator.and_,
    "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge, "is": operator.is_, "is not": operator.is_not,
    "in": operator.contains, "@": operator.matmul,
}
INPLACE_BINOPS_TO_OPERATORS = {
    "+=": operator.iadd, "-=": operator.isub, "*=": operator.imul, "//=": operator.ifloordiv,
    "/=": operator.itruediv, "%=": operator.imod, "**=": operator.ipow, "&=": operator.iand,
    "|=": operator.ior, "^=": operator.ixor, "<<=": operator.ilshift, ">>=": operator.irshift,
    "@=": operator.imatmul,
}
UNARY_BUITINS_TO_OPERATORS = {"+": operator.pos, "-": operator.neg, "~": operator.invert,
                              "not": operator.not_, "is_true": operator.truth}
ALL_BINOPS_TO_OPERATORS = {**BINOPS_TO_OPERATORS, **INPLACE_BINOPS_TO_OPERATORS}
OPERATORS_TO_BUILTINS = {function: symbol for table in (
    BINOPS_TO_OPERATORS, INPLACE_BINOPS_TO_OPERATORS, UNARY_BUITINS_TO_OPERATORS)
    for symbol, function in table.items()}


def pysignature(function):
    """The signature of a function of Python; of a jitted one that of its function."""
    return inspect.signature(getattr(function, "py_func", function))


def benchmark(func, maxsec=1):
    """How long calls of a function take: text, after calling it for about `maxsec` seconds."""
    timer, number = timeit.Timer(func), 1
    while timer.timeit(number) < maxsec / 10 and number < 1 << 30:
        number *= 2
    best = min(timer.repeat(3, number)) / number
    return f"{number} loops, best of 3: {best:.3g} s"


def format_time(tm):
    """Seconds as text, in the largest unit that they are one of: 1.5ms."""
    exponent = next((number for number in range(4) if tm >= 1000.0 ** -number), 4)
    return f"{tm * 1000.0 ** exponent:.1f}{('s', 'ms', 'us', 'ns', 'ps')[exponent]}"


class _lazy_pformat:
    """What pprint makes of a value, once it is asked for as text."""

    def __init__(self, value, *args, **kwargs):
        self._value, self._args, self._kwargs = value, args, kwargs

    def __str__(self):
        return pprint.pformat(self._value, *self._args, **self._kwargs)


def get_nargs_range(pyfunc):
    """How many positional arguments a function takes at least, and at most."""
    params = pysignature(pyfunc).parameters.values()
    return sum(param.default is param.empty for param in params), len(params)


def bit_length(intval):
    """How many bits an integer takes, without its sign."""
    return max(1, (intval if intval >= 0 else ~intval).bit_length())


def runonce(fn):
    """A function that computes what `fn` gives at its first call, and gives it at each."""
    return functools.lru_cache(maxsize=None)(fn)


class OrderedSet(collections.abc.MutableSet):
    """A set whose items come in the order in which they were added."""

    def __init__(self, iterable=()):
        self._items = dict.fromkeys(iterable)

    def __contains__(self, key):
        return key in self._items

    def __iter__(self):
        return iter(self._items)

    def __len__(self):
        return len(self._items)

    def __repr__(self):
        return f"OrderedSet({list(self._items)})"

    def add(self, item):
        """Adds an item, at the end where it is new."""
        self._items[item] = None

    def discard(self, item):
        """Removes an item, if it is there."""
        self._items.pop(item, None)


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
