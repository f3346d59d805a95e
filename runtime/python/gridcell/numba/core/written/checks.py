# SPDX-License-Identifier: MIT
"""What programs that write code ask of numbers, addresses and types, and how they end where it is not so."""
from llvmlite import ir

from numba.core.written.helpers import false_bit, if_unlikely, is_null, is_pointer

_FLOATS = ir.HalfType, ir.FloatType, ir.DoubleType


def _compare(builder, sign, value, floats):
    """A comparison with zero; `floats`: the builder's comparison of floats."""
    if is_pointer(value.type):
        return builder.icmp_unsigned(sign, value, value.type(None))
    if isinstance(value.type, _FLOATS):
        return floats(sign, value, value.type(0.0))
    return builder.icmp_signed(sign, value, value.type(0))


def is_scalar_zero(builder, value):
    return _compare(builder, "==", value, builder.fcmp_ordered)


def is_not_scalar_zero(builder, value):
    """Whether a value is not zero; NaN is not."""
    return _compare(builder, "!=", value, builder.fcmp_unordered)


def is_scalar_zero_or_nan(builder, value):
    return _compare(builder, "==", value, builder.fcmp_unordered)


def is_scalar_neg(builder, value):
    """Whether a value, whose type has a sign, is below zero."""
    return _compare(builder, "<", value, builder.fcmp_ordered)


def is_neg_int(builder, val):
    return builder.icmp_signed("<", val, val.type(0))


def guard_zero(context, builder, value, exc_tuple):
    """Raises (class, *arguments) where a value is zero, or an address null."""
    with if_unlikely(builder, is_scalar_zero(builder, value)):
        exc, *exc_args = exc_tuple
        context.call_conv.return_user_exc(builder, exc, tuple(exc_args))


guard_null = guard_zero


def guard_memory_error(context, builder, pointer, msg=None):
    """Raises MemoryError where an address is null."""
    guard_null(context, builder, pointer, (MemoryError, *([msg] if msg else ())))


def do_boundscheck(context, builder, ind, dimlen, axis=None):
    """Raises IndexError where an index is below 0 or not below the axis' length."""
    where = "" if axis is None else f" for axis {axis}" if isinstance(axis, int) else " for an axis"
    is_outside = builder.or_(builder.icmp_signed(">=", ind, dimlen), builder.icmp_signed("<", ind, ind.type(0)))
    with if_unlikely(builder, is_outside):
        context.call_conv.return_user_exc(builder, IndexError, (f"index is out of bounds{where}",))


def divmod_by_constant(builder, val, divisor):
    """The quotient, rounded down, and the remainder, which is not below zero, by a constant above zero."""
    if divisor <= 0:
        raise ValueError(f"the divisor is {divisor}, and has to be above zero")
    by = val.type(divisor)
    rest = builder.srem(val, by)
    is_below = builder.icmp_signed("<", rest, val.type(0))
    quotient = builder.sub(builder.sdiv(val, by), builder.zext(is_below, val.type))
    return quotient, builder.select(is_below, builder.add(rest, by), rest)


def muladd_with_overflow(builder, a, b, c):
    """a * b + c of integers with a sign, and whether that is outside the type."""
    product = builder.smul_with_overflow(a, b)
    total = builder.sadd_with_overflow(builder.extract_value(product, 0), c)
    return builder.extract_value(total, 0), builder.or_(*(builder.extract_value(each, 1) for each in (product, total)))


def is_nonelike(ty):
    """Whether a type of numba's is None's."""
    from numba.core import types
    return ty is None or isinstance(ty, (types.NoneType, types.Omitted))


def is_empty_tuple(ty):
    """Whether a type of numba's is that of ()."""
    from numba.core import types
    return isinstance(ty, types._TUPLES) and len(ty) == 0
