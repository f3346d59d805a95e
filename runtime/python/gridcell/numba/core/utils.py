# SPDX-License-Identifier: MIT
"""numba.core.utils: names that user code takes from there."""
import inspect
import operator
import sys
import timeit

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


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
