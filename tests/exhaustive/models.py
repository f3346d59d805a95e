# SPDX-License-Identifier: MIT
"""numba's own rules, written down: what is right where it differs from NumPy.

- A ufunc, and an operator with an array, takes the first loop of the ufunc that its operands can be cast to;
  numbers of Python are int64, float64 and complex128, and next to a float or complex operand integers of any
  width can be cast to any float (NumPy: numbers of Python take the array's dtype, int64 beside float32 is float64).
- An operator on scalars computes integers in 64 bits, as Python computes without bounds, and as int64 unless both
  are unsigned (of a shift: the number that is shifted); negative powers are 0, but those of 1 and -1.
- An array of no dimensions stays an array.
"""
import math
import operator
import re

import numpy as np

from outcomes import OfLargest, outcomes

UFUNC_OF = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "//": np.floor_divide, "%": np.remainder,
            "**": np.power, "<<": np.left_shift, ">>": np.right_shift, "&": np.bitwise_and, "|": np.bitwise_or,
            "^": np.bitwise_xor, "==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal,
            ">": np.greater, ">=": np.greater_equal}
OPERATOR_OF = {"+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "%": operator.mod,
               "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": lambda a, b: a << b if 0 <= b < 64 else 0,
               ">>": lambda a, b: a >> (b if 0 <= b < 64 else 64)}
UFUNC_OF_ONE = {"+": np.positive, "-": np.negative, "~": np.invert}


def can_cast(source, target, mixed, casting):
    return mixed and source.kind in "iu" and target.kind in "fc" or np.can_cast(source, target, casting)


def loop(ufunc, inputs, outputs=()):
    """The types of the loop that numba takes, as a text of letters, or None."""
    mixed = any(t.kind in "iu" for t in inputs) and any(t.kind in "fc" for t in inputs)
    for types in ufunc.types:
        takes, gives = types.split("->")
        if set(takes) & set("eOgG"):
            continue
        if any(t.char != c if t.kind in "mM" or c in "mM" else not can_cast(t, np.dtype(c), mixed, "safe")
               for t, c in zip(inputs, takes)):
            continue
        if all(can_cast(np.dtype(c), t, mixed, "same_kind") for c, t in zip(gives, outputs) if t.kind not in "mM"):
            return types
    return None


def call(ufunc, operands, out=None):
    """What the ufunc gives by numba's choice of a loop."""
    items = [np.asarray(item) for item in operands]
    chosen = loop(ufunc, [item.dtype for item in items], [out.dtype] if out is not None else [])
    if chosen is None:
        raise TypeError(f"no loop of {ufunc.__name__} for {[item.dtype for item in items]}")
    if any(item.dtype.kind in "mM" for item in items):
        result = ufunc(*items)
    elif ufunc is np.power and np.dtype(chosen[-1]).kind in "iu":
        result = whole_power(*(item.astype(c) for item, c in zip(items, chosen)))
    else:
        result = ufunc(*(item.astype(c) for item, c in zip(items, chosen)), dtype=np.dtype(chosen[-1])
                       if chosen[-1] != "?" else None)
    if out is not None:
        out[...] = np.asarray(result).astype(out.dtype)
        return out
    return still_arrays(result) if any(isinstance(item, np.ndarray) for item in operands) else result


def whole_power(a, b):
    """Of integers, also to negative exponents: 1 for 1, 1 or -1 for -1, else 0."""
    inverse = np.where(a == 1, 1, np.where(a == -1, 1 - 2 * (b & 1).astype(int), 0))
    return np.where(b < 0, inverse, np.power(a, np.maximum(b, 0))).astype(a.dtype)[()]


def widened(value):
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, (bool, np.bool_)):
        return np.int64(value)
    if isinstance(value, np.unsignedinteger):
        return np.uint64(value)
    return np.int64(value) if isinstance(value, (int, np.signedinteger)) else value


def still_arrays(value):
    if isinstance(value, tuple):
        return tuple(map(still_arrays, value))
    return np.asarray(value) if isinstance(value, np.generic) else value


def in_float64(value):
    """As numba takes what quantiles are of."""
    return value.astype(np.float64) if getattr(value, "dtype", None) == np.float32 else value


def as_python(value):
    return value.item() if isinstance(value, np.generic) else value


def in_64_bits(value, unsigned):
    value %= 2**64
    return value if unsigned or value < 2**63 else value - 2**64


def power_of_numbers(base, exponent):
    if exponent >= 0:
        return pow(base, exponent, 2**64)
    if base == 0:
        raise ZeroDivisionError
    return {1: 1, -1: -1 if exponent % 2 else 1}.get(base, 0)


def number_model(body):
    """A function of two integers for bodies that are one operator: unsigned where both are, else of int64's bits."""
    match = re.fullmatch(r"a (\S+) b|a (\S+)= b; return a|(pow)\(a, b\)", body)
    name = match and next(filter(None, match.groups()))
    compute = power_of_numbers if name in ("**", "pow") else OPERATOR_OF.get(name)

    def called(a, b):
        if not all(isinstance(value, (bool, int, np.bool_, np.integer)) for value in (a, b)):
            raise TypeError("no integers")
        unsigned = all(isinstance(value, np.unsignedinteger) for value in ((a,) if name in ("<<", ">>") else (a, b)))
        return in_64_bits(compute(in_64_bits(int(a), unsigned), in_64_bits(int(b), unsigned)), unsigned)
    return called if compute else None


class Bounded(int):
    """An integer of Python whose powers and shifts have an end: others fill the memory, or last for hours."""
    DIGITS = 4096

    def __pow__(self, exponent):
        if abs(self) > 1 and exponent > 0 and self.bit_length() * exponent > self.DIGITS:
            raise OverflowError("more digits than are compared")
        return int(self) ** int(exponent)

    def __lshift__(self, places):
        if places > self.DIGITS:
            raise OverflowError("more digits than are compared")
        return int(self) << int(places)

    def __rpow__(self, base):
        return Bounded(base) ** self

    def __rlshift__(self, value):
        return Bounded(value) << self


def bounded(case, function):
    """The function, with an end where Python raises or shifts integers."""
    def called(*given):
        return function(*map(Bounded, given)) if all(isinstance(value, int) for value in given) else function(*given)
    return called if re.search(r"\*\*|pow|<<", case.body) else function


def ufunc_model(body, operands):
    """A function of the operands for bodies that are one ufunc or operator."""
    ufunc = None
    if match := re.fullmatch(r"a (\S+) b", body):
        ufunc = UFUNC_OF.get(match[1])
    elif match := re.fullmatch(r"np\.(\w+)\(a(?:, b)?\)", body):
        ufunc = getattr(np, match[1])
    elif match := re.fullmatch(r"a (\S+)= b; return a", body):
        ufunc = UFUNC_OF[match[1]]
        return lambda a, b: call(ufunc, (a, b), a if isinstance(a, np.ndarray) else None)
    elif body == "pow(a, b)":
        ufunc = np.power
    elif body == "divmod(a, b)" and any(operand.is_array or operand.form == "0d" for operand in operands):
        ufunc = np.divmod
    elif match := re.fullmatch(r"([-+~])a", body):
        ufunc = UFUNC_OF_ONE[match[1]]
    elif match := re.fullmatch(r"np\.(\w+)\.outer\(a, b\)", body):
        name = match[1]
        return lambda a, b: call(getattr(np, name), (np.reshape(a, a.shape + (1,) * b.ndim), b))
    elif body == "abs(a)":
        ufunc = np.absolute
    return (lambda *args: call(ufunc, args)) if isinstance(ufunc, np.ufunc) else None


POWERS = re.compile(r"a \*\* b|a \*\*= b; return a|pow\(a, b\)|np\.(float_)?power(\.outer)?\(a, b\)")


def with_literals(case, function, change=lambda value: value):
    """The function of all operands, called without those that are literals."""
    literals = {place: eval(operand.kind) for place, operand in enumerate(case.operands) if operand.form == "literal"}

    def called(*given):
        given = iter(given)
        return function(*(change(literals[place] if place in literals else next(given))
                          for place in range(len(case.operands))))
    return called


@np.errstate(all="ignore")
def last_places_of_power(a, b):
    """How far a complex power may be off, item by item: 16 last places, and 4 |b| (1 + |log a|) more.

    NumPy has it as exp(b log a), compiled code as CPython: of b log a, or of its imaginary part alone, half a last
    place or more is lost, and as many times that of the power as this product is large. Products, of whole
    exponents, are rounded |b| times. Each of the two may be off, to either side, by 1 or 2 of these.
    """
    a, b = np.asarray(a).astype(complex), np.asarray(b).astype(complex)
    try:
        return np.nan_to_num(16 + 4 * np.abs(b) * (1 + np.abs(np.log(a))), nan=0, posinf=0)
    except ValueError:  # shapes that do not fit
        return 0


def last_places_of_lgamma(x, places):
    """So many of the result, or 2 to 4 of what it is the difference of: near its zeros that is far larger.

    By Lanczos' sum, as CPython: (|x| - 1/2) (log(|x| + 5.52) - 1) and 6.02; of negative numbers log(pi / |x sin(pi x)|), too.
    """
    try:
        result = math.lgamma(x)
    except (ValueError, OverflowError, TypeError):
        return places
    if result == 0 or not math.isfinite(result):
        return places
    size = abs(float(x))
    terms = 6.02 + size * (1 + math.log(size + 6))
    return max(places, 4 * terms / abs(result))


def tolerances(case, seed):
    """For each round how many last places floats may be off, for all items or for each."""
    rounds = list(case.rounds(seed))
    is_complex = any("complex" in operand.kind or "j" in operand.kind for operand in case.operands)
    if re.match(r"np\.(cov|corrcoef)\(", case.body):
        return [OfLargest(case.tolerance)] * len(rounds)
    if case.body == "math.lgamma(a)":
        return [last_places_of_lgamma(*make(), case.tolerance) for make in rounds]
    if not is_complex or not POWERS.fullmatch(case.body):
        return [case.tolerance] * len(rounds)
    places = with_literals(case, last_places_of_power)
    if "outer" in case.body:
        return [last_places_of_power(np.reshape(a, a.shape + (1,) * b.ndim), b) for make in rounds for a, b in [make()]]
    return [places(*make()) for make in rounds]


def alternatives(case, seed):
    """The outcomes by each of the rules that apply."""
    plain = bounded(case, case.plain())
    modelled = ufunc_model(case.body, case.operands)
    if modelled:
        yield outcomes(with_literals(case, modelled), case, seed)
    if re.match(r"np\.(nan)?(quantile|percentile)\(", case.body):
        yield outcomes(lambda *given: case.function()(*map(in_float64, given)), case, seed)
    if any(operand.form == "0d" for operand in case.operands):
        yield outcomes(lambda *given: still_arrays(case.function()(*given)), case, seed)
    if not any(operand.is_array for operand in case.operands):
        if numbers := number_model(case.body):
            yield outcomes(with_literals(case, numbers), case, seed)
        for change in (widened, as_python):
            yield outcomes(with_literals(case, plain, change), case, seed)
            if modelled:
                yield outcomes(with_literals(case, modelled, change), case, seed)
