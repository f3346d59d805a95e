# SPDX-License-Identifier: MIT
"""numba.core.errors: the classes of warnings and exceptions."""
__all__ = []


def _public(cls):
    __all__.append(cls.__name__)
    return cls


def _define(bases, *names):
    for name in names:
        cls = type(name, bases, {"__module__": __name__, "__doc__": None})
        globals()[name] = _public(cls)


@_public
class NumbaWarning(Warning):
    """Base of all warnings."""


_define((NumbaWarning,), "NumbaPerformanceWarning", "NumbaParallelSafetyWarning",
        "NumbaTypeSafetyWarning", "NumbaExperimentalFeatureWarning",
        "NumbaInvalidConfigWarning", "NumbaPedanticWarning", "NumbaDebugInfoWarning",
        "NumbaSystemWarning")
_define((NumbaWarning, DeprecationWarning), "NumbaDeprecationWarning")
_define((NumbaWarning, PendingDeprecationWarning), "NumbaPendingDeprecationWarning")
_define((NumbaPedanticWarning,), "NumbaIRAssumptionWarning")


@_public
class NumbaError(Exception):
    """Base of all errors; `msg` is the text, `loc` the place in the source or None."""

    def __init__(self, msg="", loc=None, highlighting=True):
        self.msg = msg
        self.loc = loc
        super().__init__(msg)

    @property
    def contexts(self):
        return []

    def add_context(self, msg):
        self.msg = f"{self.msg}\n{msg}"
        self.args = (self.msg,)
        return self

    def patch_message(self, new_message):
        """Says another text; `msg` stays what it was raised with."""
        self.args = (new_message, *self.args[1:])


@_public
class TypingError(NumbaError):
    """A function cannot be typed."""


_define((NumbaError,), "UnsupportedError", "IRError", "DeprecationError", "LoweringError",
        "UnsupportedParforsError", "ByteCodeSupportError", "CompilerError",
        "ConstantInferenceError", "InternalError", "NumbaRuntimeError")


@_public
class ForceLiteralArg(NumbaError):
    """What an overload's function of types raises to be asked again with literals.

    arg_indices: the numbers of the parameters. fold_arguments: taken for the sake of older
    programs; parameters are found by the function's own signature.
    """

    def __init__(self, arg_indices, fold_arguments=None, loc=None):
        self.requested_args = frozenset(arg_indices)
        self.fold_arguments = fold_arguments
        super().__init__("Pseudo-exception to force literal arguments in the dispatcher", loc)

    def combine(self, other):
        return ForceLiteralArg(self.requested_args | other.requested_args)

    __or__ = combine


_define((UnsupportedError,), "UnsupportedRewriteError")
_define((IRError,), "RedefinedError", "NotDefinedError", "VerificationError")
_define((LoweringError,), "ForbiddenConstruct")
_define((InternalError,), "InternalTargetMismatchError", "NonexistentTargetError")
_define((TypingError,), "UntypedAttributeError", "RequireLiteralValue", "LiteralTypingError",
        "NumbaValueError", "NumbaTypeError", "NumbaAttributeError", "NumbaAssertionError",
        "NumbaNotImplementedError", "NumbaKeyError", "NumbaIndexError")
_define((Exception,), "UnsupportedBytecodeError")


class _UnsupportedConstruct(UnsupportedError, UnsupportedBytecodeError):
    """What is raised: older programs catch the one, newer ones the other."""

    def __reduce__(self):
        return UnsupportedError, (self.msg,)


_UnsupportedConstruct.__name__ = _UnsupportedConstruct.__qualname__ = "UnsupportedError"


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
