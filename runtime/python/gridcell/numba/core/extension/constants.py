# SPDX-License-Identifier: MIT
"""Values of a program's own types as constants: what lower_constant registers."""
from numba.core import types
from numba.core.decorators import always_jit as njit
from numba.core.errors import TypingError
from numba.core.extension import registry

_generators = {}  # class of types, or a type -> generator


def lower_constant(*kinds):
    """lower_constant(class of types)

    Says what code gives a value of a program's own type that compiled code finds as a global or in a closure: the
    decorated function is called with (context, builder, type, value), and gives the value.

    kinds: classes of types, or types.

    Example:
        class LimitType(types.Type):
            def __init__(self):
                super().__init__(name="Limit")

        @lower_constant(LimitType)
        def constant_limit(context, builder, ty, pyval):
            made = context.make_helper(builder, ty)
            made.most = context.get_constant(types.float64, pyval.most)
            return made._getvalue()
    """
    def register(generator):
        _generators.update(dict.fromkeys(kinds, generator))
        return generator
    return register


def _nothing(context, builder, kind, value):
    """The value of a type whose values show nothing of themselves."""
    return context.get_dummy_value()


def generator_of(kind):
    """The generator for constants of a type; TypingError where there is none."""
    for known in (kind, *type(kind).__mro__):
        if known in _generators:
            return _generators[known]
    if isinstance(kind, (types.Opaque, types.Dummy)):
        return _nothing
    raise TypingError(f"a value of the extension type {kind} is used as a constant, for which it has no code: write it "
                      f"with @lower_constant({type(kind).__name__}), or pass the value as an argument")


def reader(kind, value):
    """A jitted function without parameters that gives the value."""
    from numba.extending import _call_of_written
    generator = generator_of(kind)
    registry.layout_of(kind)  # says what is wrong with its model

    def write(context, builder, signature, args):
        return generator(context, builder, kind, value)
    write.__name__ = f"constant.{generator.__name__}"
    return njit(_call_of_written("constant", [], kind(), write, f"@lower_constant of the extension type {kind}",
                                 generator.__code__, is_passed=True))
