# SPDX-License-Identifier: MIT
"""Arguments that have to be known when code is compiled: SentryLiteralArgs."""
import collections
import inspect

from numba.core import types
from numba.core.errors import ForceLiteralArg


class SentryLiteralArgs(collections.namedtuple("_SentryLiteralArgs", ["literal_args"])):
    """SentryLiteralArgs(names)

    Has the parameters of these names be literals: what for_function(function).bind(*types, **types) gives are the
    bound arguments, and where one of them is none, it raises ForceLiteralArg, which has the overload be asked again.

    literal_args: the names.

    Example:
        def scaled(x, power):
            return x

        @overload(scaled)
        def ol_scaled(x, power):
            SentryLiteralArgs(["power"]).for_function(scaled).bind(x, power)
            factor = 10 ** power.literal_value
            return lambda x, power: x * factor

        assert njit(lambda x: scaled(x, 2))(3) == 300
    """

    def for_function(self, func):
        """The same for a function's parameters."""
        return self.for_pysig(inspect.signature(func))

    def for_pysig(self, pysig):
        """The same for the parameters of a signature of inspect's."""
        return BoundLiteralArgs(pysig=pysig, literal_args=self.literal_args)


class BoundLiteralArgs(collections.namedtuple("BoundLiteralArgs", ["pysig", "literal_args"])):
    """What for_function() and for_pysig() give."""

    def bind(self, *args, **kwargs):
        """The arguments by parameters, as inspect's signatures give them."""
        return sentry_literal_args(self.pysig, self.literal_args, args, kwargs)


def sentry_literal_args(pysig, literal_args, args, kwargs):
    """sentry_literal_args(signature, names, args, keywords)

    Binds types to parameters; raises ForceLiteralArg where one of the names is not a literal.

    pysig: a signature of inspect's. literal_args: the names. args, kwargs: types. Gives inspect's BoundArguments.
    """
    bound = pysig.bind(*args, **kwargs)
    wanted = [number for number, name in enumerate(pysig.parameters) if name in literal_args and name in bound.arguments]
    given = list(bound.arguments.values())
    names = list(bound.arguments)
    if any(not isinstance(given[names.index(name)], types.Literal) for name in literal_args if name in names):
        raise ForceLiteralArg(wanted)
    return bound
