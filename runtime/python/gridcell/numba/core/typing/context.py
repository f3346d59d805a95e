# SPDX-License-Identifier: MIT
"""numba.core.typing.context: what an intrinsic may ask of types."""
import functools


class Context:
    """The typing context that intrinsics are called with: which types go together.

    What numba's context offers beyond that works on numba's own compiler, and raises AttributeError.
    """

    def unify_pairs(self, first, second):
        """The type that holds values of both, or None."""
        return first if first == second else first.unify(self, second)

    def unify_types(self, *typelist):
        """The type that holds values of all, or None."""
        return functools.reduce(lambda one, two: one and self.unify_pairs(one, two), typelist)

    def can_convert(self, fromty, toty):
        """How values of a type become those of another; None: not at all."""
        return fromty.can_convert_to(self, toty)

    def resolve_value_type(self, val):
        """The type of a value."""
        from numba import typeof
        return typeof(val)

    def refresh(self):
        """Nothing is to be done: what programs register is known at once."""

    def __getattr__(self, name):
        raise AttributeError(f"typingctx.{name} is of numba's own compiler, which gridcell does not have")


BaseContext = Context
