# SPDX-License-Identifier: MIT
"""numba.core.typeconv.rules: how numbers of one type become those of another."""
from numba.core.typing.context import Context


class TypeManager:
    """The rules of numba's own types, and those that programs add."""

    def check_compatible(self, fromty, toty):
        """A member of Conversion; None: not at all."""
        return Context().can_convert(fromty, toty)

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
