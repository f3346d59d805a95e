# SPDX-License-Identifier: MIT
"""Conversions between types of which a program added one: its types say which there are (can_convert_to,
can_convert_from, unify), lower_cast registers their code."""
from numba.core import types
from numba.core.decorators import always_jit as njit
from numba.core.errors import TypingError
from numba.core.extension import calls, registry
from numba.core.typeconv import Conversion
from numba.core.typing.context import Context

_casts = []  # ((from, to), generator), the newest first
_casters = {}  # (from, to, generator) -> jitted function, whose source compiled code points to


def lower_cast(fromty, toty):
    """lower_cast(from type, to type)

    Says what code makes a value of one type one of another, where values of both meet: the decorated function is
    called with (context, builder, from type, to type, value), and gives the value. That there is such a conversion,
    the types' methods can_convert_to, can_convert_from or unify say.

    fromty, toty: types, classes of types, or types.Any.

    Example:
        class FeetType(types.Type):
            def __init__(self):
                super().__init__(name="Feet")

            def can_convert_to(self, typingctx, other):
                return Conversion.safe if other == types.float64 else None

        @lower_cast(FeetType, types.float64)
        def feet_to_metres(context, builder, fromty, toty, val):
            return builder.fmul(val, context.get_constant(toty, 0.3048))
    """
    def register(generator):
        _casts.insert(0, ((fromty, toty), generator))
        calls.tell()
        return generator
    return register


def generator_or_none(kind, wanted):
    """What lower_cast registered for the types, or None."""
    return calls.best_of(_casts, (kind, wanted))


def _asked(kind, method, other):
    """What a method of a program's own type says of the other."""
    function = getattr(kind, method, None)
    if function is None or not registry.is_extension(kind):
        return None
    origin = getattr(type(kind), method)
    return calls.ask(function, (Context(), other), {}, origin, f"conversions of {kind}")


def rank_of(kind, wanted):
    """The Conversion from one type to another, or None."""
    found = [rank for rank in (_asked(kind, "can_convert_to", wanted), _asked(wanted, "can_convert_from", kind))
             if rank is not None]
    for rank in found:
        if not isinstance(rank, Conversion):
            raise TypingError(f"conversions from {kind} to {wanted} are members of numba.core.typeconv.Conversion or None, "
                              f"not {rank!r}")
    return min(found, default=None)


def common_of(kind, other):
    """The type of what may be of either, or None."""
    for first, second in ((kind, other), (other, kind)):
        both = _asked(first, "unify", second)
        if both is not None and not isinstance(both, types.Type):
            raise TypingError(f"{type(first).__name__}.unify() gives a type or None, not {both!r}")
        if both is not None:
            return both
    for first, second in ((kind, other), (other, kind)):
        rank = rank_of(first, second)
        if rank is not None and rank <= Conversion.safe:
            return second
    return None


def tell(kind, wanted):
    """(what the rank from one type to the other is, or None; the type of what may be of either, or None; the jitted
    function that casts, or None)."""
    rank, generator = rank_of(kind, wanted), generator_or_none(kind, wanted)
    if generator is not None and (kind, wanted, generator) not in _casters:
        _casters[kind, wanted, generator] = _caster(kind, wanted, generator)
    cast = _casters.get((kind, wanted, generator))
    return None if rank is None else int(rank) - 1, common_of(kind, wanted), cast


def _caster(kind, wanted, generator):
    from numba.extending import _call_of_written

    def write(context, builder, signature, args):
        return generator(context, builder, kind, wanted, args[0])
    write.__name__ = f"cast.{generator.__name__}"
    return njit(_call_of_written("cast", ["value"], wanted(kind), write, f"@lower_cast from {kind} to {wanted}",
                                 generator.__code__, is_passed=True))
