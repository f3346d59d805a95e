# SPDX-License-Identifier: MIT
"""numba.core.typing.templates: signatures."""
from gridcell import _gridcell as _extension

Signature = _extension.Signature


def signature(return_type, *args, recvr=None):
    """The Signature of a return type and argument types; recvr: the type that it is a method of."""
    return Signature(return_type, args, recvr)


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
