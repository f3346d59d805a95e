# SPDX-License-Identifier: MIT
"""numba.core.typing.context: what an intrinsic may ask of types and calls."""
import functools


class Context:
    """The typing context that intrinsics are called with: which types go together.

    What numba's context offers beyond that works on numba's own compiler, and raises AttributeError.
    """

    def unify_pairs(self, first, second):
        """The type that holds values of both, or None."""
        from numba.core.extension import conversions, registry
        if first != second and (registry.is_extension(first) or registry.is_extension(second)):
            return conversions.common_of(first, second)
        return first if first == second else first.unify(self, second)

    def unify_types(self, *typelist):
        """The type that holds values of all, or None; narrow numbers first, so that the order is no matter."""
        ordered = sorted(typelist, key=lambda kind: getattr(kind, "bitwidth", 0))
        return functools.reduce(lambda one, two: None if one is None else self.unify_pairs(one, two), ordered)

    def can_convert(self, fromty, toty):
        """How values of a type become those of another; None: not at all."""
        from numba.core.extension import conversions, registry
        if fromty != toty and (registry.is_extension(fromty) or registry.is_extension(toty)):
            return conversions.rank_of(fromty, toty)
        return fromty.can_convert_to(self, toty)

    def resolve_value_type(self, val):
        """The type of a value."""
        from numba import typeof
        return typeof(val)

    def resolve_function_type(self, func, args, kws):
        """The signature of a call in compiled code; TypingError where it takes no such arguments.

        func: what is called, or its type, as intrinsics are given it."""
        from numba.core import overloads, types
        from numba.core.decorators import always_jit
        from numba.core.made import make_function
        from numba.core.typing import signature
        plain = [f"item{number}" for number in range(len(args))]
        given = ", ".join([*plain, *(f"{name}={name}" for name in kws)])
        by_type = isinstance(func, types.Type)
        parameters = ["function"] * by_type + [*plain, *kws]
        made = make_function(f"def call({', '.join(parameters)}):\n    return function({given})\n", "call",
                             {} if by_type else {"function": func}, f"a call of {getattr(func, '__name__', func)}")
        kinds = tuple(map(types.unliteral, (*args, *kws.values())))
        if not by_type:
            return overloads.signature_of(always_jit(made), kinds)
        return signature(overloads.signature_of(always_jit(made), (func, *kinds)).return_type, *kinds)

    def resolve_getattr(self, typ, attr):
        """The type of an attribute of values of a type, or None."""
        from numba.core import overloads
        from numba.core.decorators import always_jit
        from numba.core.errors import TypingError
        from numba.core.made import make_function
        made = make_function(f"def get(value):\n    return value.{attr}\n", "get", {}, f"the attribute {attr}")
        try:
            return overloads.signature_of(always_jit(made), (typ,)).return_type
        except TypingError:
            return None

    def resolve_value_type_prefer_literal(self, val):
        """The literal type of a value, or its type where it has none."""
        from numba.core.type_families import maybe_literal
        return maybe_literal(val) or self.resolve_value_type(val)

    def resolve_setattr(self, target, attr, value):
        """The signature of setting an attribute of values of a type to one of another; TypingError where there is none."""
        return self._statement(f"target.{attr} = value", target, value)

    def resolve_setitem(self, target, index, value):
        """The signature of setting an item; the arguments are types."""
        return self._statement("target[index] = value", target, value, index)

    def resolve_delitem(self, target, index):
        """The signature of deleting an item; the arguments are types."""
        return self._statement("del target[index]", target, None, index)

    def resolve_getitem(self, value, index):
        """The signature of reading an item; the arguments are types."""
        import operator
        return self.resolve_function_type(operator.getitem, (value, index), {})

    def _statement(self, line, target, value, index=None):
        from numba.core import overloads, types
        from numba.core.decorators import always_jit
        from numba.core.made import make_function
        from numba.core.typing import signature
        given = {"target": target, "index": index, "value": value}
        given = {name: kind for name, kind in given.items() if kind is not None}
        made = make_function(f"def change({', '.join(given)}):\n    {line}\n", "change", {}, line)
        overloads.signature_of(always_jit(made), tuple(given.values()))
        return signature(types.none, *given.values())

    def install_registry(self, registry):
        """Nothing is to be done: what registries are told is known at once."""

    def refresh(self):
        """Nothing is to be done: what programs register is known at once."""

    def __getattr__(self, name):
        raise AttributeError(f"typingctx.{name} is of numba's own compiler, which gridcell does not have")


BaseContext = Context
