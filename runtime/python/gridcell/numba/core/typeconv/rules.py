# SPDX-License-Identifier: MIT
"""numba.core.typeconv.rules: how numbers of one type become those of another."""
from numba.core.typeconv import Conversion
from numba.core.typing.context import Context


class TypeManager:
    """The rules of numba's own types, and those that programs add."""

    def check_compatible(self, fromty, toty):
        """A member of Conversion; None: not at all."""
        return Context().can_convert(fromty, toty)

    def select_overload(self, sig, overloads, allow_unsafe, exact_match_required):
        """The number of the overload, of tuples of types, that takes values of other types best: the fewest unsafe conversions,
        then safe ones, then promotions. None: none takes them. TypeError where two are as good."""
        limit = Conversion.exact if exact_match_required else Conversion.unsafe if allow_unsafe else Conversion.safe
        ranks = {}
        for number, wanted in enumerate(overloads):
            kinds = [self.check_compatible(*pair) for pair in zip(sig, wanted)]
            if len(sig) == len(wanted) and None not in kinds and max(kinds, default=Conversion.exact) <= limit:
                ranks[number] = tuple(kinds.count(kind) for kind in (Conversion.unsafe, Conversion.safe, Conversion.promote))
        best = [number for number, rank in ranks.items() if rank == min(ranks.values())]
        if len(best) > 1:
            raise TypeError(f"Ambiguous overloading for {sig}: {', '.join(str(overloads[number]) for number in best)}")
        return best[0] if best else None

    def unify(self, *kinds):
        """The type that holds values of all, or None."""
        return Context().unify_types(*kinds)


default_type_manager = TypeManager()


def dump_number_rules():
    """Prints how each type of numbers becomes each other one."""
    from numba.core import types
    for first in sorted(types.number_domain, key=str):
        for second in sorted(types.number_domain, key=str):
            print(first, "->", second, default_type_manager.check_compatible(first, second))


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
