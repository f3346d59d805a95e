# SPDX-License-Identifier: MIT
"""Templates, which say of which types calls and attributes of a program's own are: a call's code is found by
lower_builtin, an attribute's by lower_getattr."""
import functools

from numba.core import overloads, types
from numba.core.decorators import always_jit as njit
from numba.core.errors import TypingError
from numba.core.extension import calls, registry
from numba.core.typing.context import Context


class FunctionTemplate:
    """Base of templates of calls; `key` is what is called, or the name that lower_builtin knows it by."""

    key = recvr = None
    prefer_literal = exact_match_required = False
    unsafe_casting = True
    metadata = {}

    def __init__(self, context):
        self.context = context

    def get_impl_key(self, sig):
        """What lower_builtin knows the calls of a signature by."""
        return self.key

    def get_call_type(self, args, kws):
        """The signature of a call, or None."""
        raise TypeError(f"{type(self).__name__} says nothing of calls: derive it from AbstractTemplate, ConcreteTemplate or "
                        "CallableTemplate")


class AbstractTemplate(FunctionTemplate):
    """Calls that generic(args, keywords) gives the signature of, or None."""

    def get_call_type(self, args, kws):
        return self.generic(tuple(args), kws)


class CallableTemplate(FunctionTemplate):
    """Calls that generic() gives a typer of, a function of the arguments' types."""

    def get_call_type(self, args, kws):
        return self.generic()(*args, **kws)


class ConcreteTemplate(FunctionTemplate):
    """Calls of one of the signatures in `cases`: the one that converts least."""

    def get_call_type(self, args, kws):
        fits = [(fit, number) for number, case in enumerate(self.cases) if (fit := self._fit(case, args)) is not None]
        return self.cases[min(fits)[1]] if fits and not kws else None

    @staticmethod
    def _fit(case, args):
        if len(case.args) != len(args):
            return None
        kinds = [Context().can_convert(types.unliteral(arg), wanted) for arg, wanted in zip(args, case.args)]
        return None if None in kinds else sorted(kinds, reverse=True)


class FunctionOf:
    """What types.Function(template) gives: the type of a function whose calls a class of templates types."""

    def __init__(self, template):
        if not (isinstance(template, type) and issubclass(template, FunctionTemplate)):
            raise TypeError(f"types.Function() takes a class of templates, not {template!r}")
        self.template, self.typing_key, self.templates = template, template.key, (template,)

    def get_call_type(self, context, args, kws):
        """The signature of a call, or None."""
        return self.template(context).get_call_type(args, kws)

    def __repr__(self):
        return f"Function({self.typing_key})"


types.Function.__new__ = lambda cls, template: FunctionOf(template)


def infer_global(val, typ=None, typing_key=None):
    """infer_global(function)

    Says of which type calls of a function are: the decorated class is a template. typ: the same without a decorator, by
    types.Function(template).

    Example:
        def larger(a, b):
            return max(a, b)

        @infer_global(larger)
        class Larger(AbstractTemplate):
            def generic(self, args, kws):
                return args[0](*args) if args[0] == args[1] else None

        @lower_builtin(larger, types.float64, types.float64)
        def lower_larger(context, builder, sig, args):
            return builder.select(builder.fcmp_ordered(">", *args), *args)

        assert njit(lambda a, b: larger(a, b))(1.0, 2.0) == 2.0
    """
    def register(template):
        if not (isinstance(template, type) and issubclass(template, FunctionTemplate)):
            raise TypeError(f"infer_global() takes a class of templates, not {template!r}")
        if template.key is None:
            template.key = val if typing_key is None else typing_key
        typer = functools.partial(_type_call, template)
        calls.add_typed(val, typer, functools.partial(calls.find_lowered, template.key), template)
        return template
    return register if typ is None else register(typ.template)


def _type_call(template, *args, **kws):
    return template(Context()).get_call_type(args, kws)


def infer(template):
    """Registers a class of templates; its key is the function, or "getiter" or "iternext", whose calls it types."""
    if not (isinstance(template, type) and issubclass(template, FunctionTemplate)) or template.key is None:
        raise TypeError(f"infer() takes a class of templates with a key, not {template!r}")
    if issubclass(template, _OverloadTemplate):
        from numba import extending
        extending.overload(template.key, **template._options)(template._overload_func)
        return template
    if not isinstance(template.key, str):
        return infer_global(template.key)(template)
    from numba.core.extension import iteration
    iteration.add_template(template)
    return template


# --- Attributes

class AttributeTemplate:
    """Attributes of values of the types of `key`: resolve_NAME(type) gives the type of one, generic_resolve(type,
    name) that of any; None: there is none."""

    key = None

    def __init__(self, context):
        self.context = context

    def resolve(self, value, attr):
        """The type of an attribute of values of a type, or None."""
        named = getattr(self, f"resolve_{attr}", None)
        return named(value) if named is not None else self.generic_resolve(value, attr)

    def generic_resolve(self, value, attr):
        """The type of an attribute that no method of its own resolves, or None."""
        return None


def bound_function(template_key):
    """Marks resolve_NAME(type, args, keywords) as what types calls of a method: it gives their signature. Their code
    is that of lower_builtin(template_key, the type, *types)."""
    def mark(resolve):
        resolve.template_key = template_key
        return resolve
    return mark


class _OverloadAttributeTemplate(AttributeTemplate):
    """Base of what make_overload_attribute_template() makes: an attribute that a function of types implements."""

    is_method = False
    _attr = _overload_func = None
    _options = {}


class _OverloadMethodTemplate(_OverloadAttributeTemplate):
    """The same for a method."""

    is_method = True


def make_overload_attribute_template(ty, attr, overload_func, inline="never", prefer_literal=False,
                                     base=_OverloadAttributeTemplate, **options):
    """A class of templates for infer_getattr: the attribute `attr` of types of a class, as overload_attribute has it, or,
    where the base says so, the method, as overload_method has it; "__call__" is what calls of a value are."""
    return type(f"OverloadTemplate_{attr}", (base,),
                {"key": ty, "_attr": attr, "_overload_func": staticmethod(overload_func), "_inline": inline,
                 "_options": {"inline": inline, "prefer_literal": prefer_literal, **options}})


def make_overload_method_template(ty, attr, overload_func, inline="never", prefer_literal=False, **options):
    """The same for a method."""
    return make_overload_attribute_template(ty, attr, overload_func, inline, prefer_literal, _OverloadMethodTemplate,
                                            **options)


def make_overload_template(func, overload_func, jit_options, strict, inline, prefer_literal=False, **options):
    """A class of templates for infer: calls of a function, as overload has it."""
    return type(f"OverloadTemplate_{getattr(func, '__name__', func)}", (_OverloadTemplate,),
                {"key": func, "_overload_func": staticmethod(overload_func),
                 "_options": {"jit_options": jit_options, "strict": strict, "inline": inline,
                              "prefer_literal": prefer_literal, **options}})


class _OverloadTemplate(FunctionTemplate):
    """Base of what make_overload_template() makes."""


def make_concrete_template(name, key, signatures):
    """A class of templates of calls of one of the signatures."""
    return type(name, (ConcreteTemplate,), {"key": key, "cases": list(signatures)})


def make_callable_template(key, typer, recvr=None):
    """A class of templates of calls that a typer types, a function of the arguments' types."""
    return type(f"{getattr(key, '__name__', key)}_CallableTemplate", (CallableTemplate,),
                {"key": key, "recvr": recvr, "generic": lambda self: typer})


class Registry:
    """Templates; they are known at once, whoever asks."""

    def register(self, item):
        """What infer does."""
        return infer(item)

    def register_attr(self, item):
        """What infer_getattr does."""
        return infer_getattr(item)

    def register_global(self, val=None, typ=None, **kwargs):
        """What infer_global does, as a decorator, or with a type."""
        return infer_global(val, typ, **kwargs)


builtin_registry = Registry()


def _register_overload(template):
    from numba import extending
    register = extending.overload_method if template.is_method else extending.overload_attribute
    register(template.key, template._attr, **template._options)(template._overload_func)


def infer_getattr(template):
    """Registers a class below AttributeTemplate; its key is a type, or a class of types."""
    if not (isinstance(template, type) and issubclass(template, AttributeTemplate)) or template.key is None:
        raise TypeError(f"infer_getattr() takes a class below AttributeTemplate with a key, not {template!r}")
    if issubclass(template, _OverloadAttributeTemplate):
        _register_overload(template)
        return template
    overloads.add_resolver(_Attributes(template))
    return template


class _Attributes:
    """What a template says of attributes and methods, as functions to compile."""

    def __init__(self, template):
        self._template, self._found = template, {}  # the compiler keeps no function that it is given

    def _resolve(self, name):
        return getattr(self._template(Context()), f"resolve_{name}", None)

    def attribute(self, kind, name):
        """The jitted function that reads an attribute; True: it is a method; None: it is none of the template's."""
        if not overloads.fits(kind, self._template.key):
            return None
        resolve = self._resolve(name)
        if resolve and hasattr(resolve, "template_key") or self._bound(kind, name):
            return True
        if (kind, name) not in self._found:
            self._found[kind, name] = self._reader(kind, name, resolve)
        return self._found[kind, name]

    def _found_of(self, kind, name):
        """What the template says of an attribute: a type, a BoundFunction, or None."""
        resolve = self._resolve(name)
        what = f"the attribute {name!r} of {kind}"
        if resolve:
            return calls.ask(resolve, (kind,), {}, self._template, what)
        return calls.ask(self._template(Context()).generic_resolve, (kind, name), {}, self._template, what)

    def _bound(self, kind, name):
        """The template of a method that generic_resolve, or resolve_NAME without bound_function, gives; or None."""
        found = self._found_of(kind, name)
        return found.template if isinstance(found, _Bound) else None

    def _reader(self, kind, name, resolve):
        found = self._found_of(kind, name)
        if found is None:
            return None
        if not isinstance(found, types.Type):
            raise TypingError(f"{self._template.__name__} ({registry.place_of(self._template)}), which resolves the attribute "
                              f"{name!r} of {kind}, has to give a type, not {found!r}")
        return njit(calls.reader_of(kind, name, found))

    def method(self, given, name, keywords):
        """The jitted function for a call of a method, whose receiver's type is the first; None: it is none."""
        key = given, name, keywords
        if key not in self._found:
            self._found[key] = self._caller(given, name, keywords)
        return self._found[key]

    def _caller(self, given, name, keywords):
        kind = given[0]
        if not overloads.fits(kind, self._template.key):
            return None
        resolve = self._resolve(name)
        split = len(given) - len(keywords)
        args, kws = tuple(given[1:split]), dict(zip(keywords, given[split:]))
        if hasattr(resolve, "template_key"):
            key, typer = resolve.template_key, functools.partial(resolve, kind)
        else:
            template = self._bound(kind, name)
            if template is None:
                return None
            key, typer = template.key, template(Context()).get_call_type
        signature = calls.ask(typer, (args, kws), {}, self._template, f"the method {name!r} of {kind}")
        if signature is None:
            return None
        if isinstance(signature, types.Type):
            signature = signature(*args)
        signature = calls.with_literals(signature, args)
        generator = calls.find_lowered(key, (kind, *signature.args))
        return njit(calls.method_of(name, kind, signature, generator, keywords))


class _Bound:
    """What types.BoundFunction(template, receiver's type) gives."""

    def __init__(self, template, this):
        self.template, self.this = template, this

    def __repr__(self):
        return f"BoundFunction({self.template.key} for {self.this})"
