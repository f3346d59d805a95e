# SPDX-License-Identifier: MIT
"""numba.core.typing.templates: signatures."""
from gridcell import _gridcell as _extension

Signature = _extension.Signature


def signature(return_type, *args, recvr=None):
    """The Signature of a return type and argument types; recvr: the type that it is a method of."""
    from numba.core.types import Omitted
    if any(isinstance(arg, Omitted) for arg in args):
        from numba.core.extension.calls import KnownSignature
        return KnownSignature(return_type, args, recvr)
    return Signature(return_type, args, recvr)


def fold_arguments(pysig, args, kws, normal_handler, default_handler, stararg_handler):
    """What handlers give for the arguments of a call, by the parameters of a signature of Python's: (number, parameter,
    argument) of one that is given, (number, parameter, default) of one that is not, (number, parameter, arguments) of
    *args. Arguments of parameters that are keywords alone may come last. TypingError where the call has no such form."""
    from numba.core.errors import TypingError
    params = pysig.parameters.values()
    named = [param.name for param in params if param.kind is param.KEYWORD_ONLY]
    has_star = any(param.kind is param.VAR_POSITIONAL for param in params)
    plain = args[:len(args) - len(named) if has_star else len(params) - len(named)]
    try:
        bound = pysig.bind(*plain, **{**dict(kws), **dict(zip(named, args[len(plain):]))}).arguments
    except TypeError as error:
        raise TypingError(f"Cannot bind 'args={plain} kws={dict(kws)}' to signature '{pysig}' due to "
                          f"\"{type(error).__name__}: {error}\".") from None
    found = []
    for number, (name, param) in enumerate(pysig.parameters.items()):
        if param.kind is param.VAR_POSITIONAL:
            found.append(stararg_handler(number, param, bound.get(name, ())))
        elif name in bound:
            found.append(normal_handler(number, param, bound[name]))
        else:
            found.append(default_handler(number, param, param.default))
    return tuple(found)


_OF_TEMPLATES = ("FunctionTemplate", "AbstractTemplate", "ConcreteTemplate", "CallableTemplate", "AttributeTemplate",
                 "infer", "infer_global", "infer_getattr", "bound_function", "Registry", "builtin_registry",
                 "make_concrete_template", "make_callable_template", "make_overload_template",
                 "make_overload_attribute_template", "make_overload_method_template", "_OverloadAttributeTemplate",
                 "_OverloadMethodTemplate")


def __getattr__(name):
    if name in _OF_TEMPLATES:
        from numba.core.extension import templates
        return getattr(templates, name)
    from gridcell import absent
    absent.refuse_name(__name__, name)
