# SPDX-License-Identifier: MIT
"""What implements calls and attributes of a program's own: typers (type_callable), and generators of code
(lower_builtin), which are found when a call is typed."""
import contextlib
import functools
import importlib
import inspect

from gridcell import _gridcell as _extension
from numba.core import overloads, types
from numba.core.decorators import always_jit as njit
from numba.core.errors import TypingError
from numba.core.extension import registry
from numba.core.typing.context import Context

_lowered = {}  # id of a function, or a name -> (function, [(types, generator)])


def _key(function):
    return function if isinstance(function, str) else id(function)


def _name(function):
    return function if isinstance(function, str) else getattr(function, "__name__", str(function))


# --- Code for calls

def lower_builtin(func, *argtypes, **kwargs):
    """lower_builtin(function, *types)

    Says what code a call of a function is: the decorated function is called with (context, builder,
    signature, args), writes it with llvmlite's builder, and gives the value. What the call's type is,
    type_callable says.

    func: the function. argtypes: types, classes of types, or types.Any for any.

    Example:
        def half(x):
            return x / 2

        @type_callable(half)
        def type_half(context):
            def typer(x):
                return types.float64 if x == types.float64 else None
            return typer

        @lower_builtin(half, types.float64)
        def lower_half(context, builder, sig, args):
            return builder.fmul(args[0], context.get_constant(types.float64, 0.5))

        assert njit(lambda x: half(x))(3.0) == 1.5
    """
    def register(generator):
        _lowered.setdefault(_key(func), (func, []))[1].insert(0, (argtypes, generator))
        if func == "iternext":  # loops over values of the type ask for it
            importlib.import_module("numba.core.extension.iteration")
        tell()
        return generator
    return register


_depth = 0  # of questions that are being answered


def tell():
    """Has what was answered before be asked again; what a typer registers is for its own answer."""
    if _depth == 0:
        _extension.overloads_changed()


@contextlib.contextmanager
def answering():
    """Within `with`, a question of the compiler is being answered."""
    global _depth
    _depth += 1
    try:
        yield
    finally:
        _depth -= 1


_EXACT, _KNOWN, _CLASS, _ANY = range(4)


def _distance(wanted, given):
    """How far a declared type is from one that is given; None: it does not take it."""
    if wanted == given:
        return _EXACT
    if wanted is types.Any:
        return _ANY
    plain = types.unliteral(given)
    if wanted == plain:
        return _KNOWN
    if not isinstance(wanted, type) or not isinstance(given, wanted) and not isinstance(plain, wanted):
        return None
    return _KNOWN if issubclass(wanted, types.Literal) else _CLASS


def _fit(declared, given):
    if declared and isinstance(declared[-1], types.VarArg):
        rest = len(given) - len(declared) + 1
        declared = declared[:-1] + (declared[-1].dtype,) * max(rest, 0)
    if len(declared) != len(given):
        return None
    distances = [_distance(*pair) for pair in zip(declared, given)]
    return None if None in distances else sum(distances)


def best_of(known, given):
    """Of pairs of declared types and generator the one that the types fit best; None: they fit none."""
    fits = [(fit, number) for number, (declared, _) in enumerate(known) if (fit := _fit(declared, given)) is not None]
    return known[min(fits)[1]][1] if fits else None


def lowered_or_none(function, given):
    """The generator for a call with arguments of the types, or None."""
    return best_of(_lowered.get(_key(function), (None, []))[1], given)


def find_lowered(function, given):
    """The same; TypingError where there is none."""
    found = lowered_or_none(function, given)
    if found is not None:
        return found
    _, known = _lowered.get(_key(function), (None, []))
    have = "; ".join(f"({', '.join(map(_shown, declared))})" for declared, _ in known) or "none"
    raise overloads.CodeError(f"a call of {_name(function)} with ({', '.join(map(str, given))}) has a type and no code: "
                              f"@lower_builtin({_name(function)}, ...) is for {have}")


def _shown(kind):
    return kind.__name__ if isinstance(kind, type) else str(kind)


# --- Types of calls

class KnownSignature:
    """A signature of types that the compiler knows nothing of: literals, and of arguments that were left out."""

    def __init__(self, return_type, args, recvr=None, pysig=None):
        self.return_type, self.args, self.recvr, self.pysig = return_type, args, recvr, pysig

    def replace(self, **changes):
        """A copy with another return_type, args, recvr or pysig."""
        return KnownSignature(**{**vars(self), **changes})

    def __getattr__(self, name):
        return getattr(self.return_type(*self.args), name)

    def __repr__(self):
        return f"({', '.join(map(str, self.args))}) -> {self.return_type}"


def with_literals(signature, given):
    """The signature, its arguments literals where those that are given are."""
    args = tuple(kind if isinstance(kind, types.Literal) and types.unliteral(kind) == arg else arg
                 for arg, kind in zip(signature.args, given))
    if len(args) != len(signature.args) or not any(isinstance(arg, types.Literal) for arg in args):
        return signature
    return KnownSignature(signature.return_type, args, signature.recvr)


def _as_signature(function, typer, given, found):
    if getattr(found, "pysig", None) is not None:
        return found
    if isinstance(found, (types.Signature, KnownSignature)):
        return with_literals(found, given)
    if isinstance(found, types.Type):
        return with_literals(found(*given), given)
    raise TypingError(f"{typer.__name__} ({registry.place_of(typer)}), which types calls of {_name(function)}, has to give "
                      f"a type, a signature or None, not {found!r}")


def ask(typer, args, keywords, origin, what):
    """What a program's own code says of types; `what`: of which calls or attributes, for messages."""
    try:
        with answering():
            return typer(*args, **keywords)
    except TypingError:
        raise
    except Exception as error:  # whatever is wrong with a program's own code
        given = ", ".join([*map(str, args), *(f"{name}={kind}" for name, kind in keywords.items())])
        raise overloads.CodeError(f"{origin.__name__} ({registry.place_of(origin)}), which types {what}, raises "
                                  f"{type(error).__name__} for ({given}): {error}") from error


def add_typed(function, typer, find_code=None, origin=None):
    """Has calls of a function typed by a typer, a function of the arguments' types; origin: what messages name."""
    from numba.extending import _call_of_written
    find_code = find_code or functools.partial(find_lowered, function)

    def choose(*args, **keywords):
        found = ask(typer, args, keywords, origin or typer, f"calls of {_name(function)}")
        if found is None:
            return None
        given = [*args, *keywords.values()]
        signature = _as_signature(function, origin or typer, given, found)
        names = _names(typer, len(args), keywords)
        generator = find_code(tuple(signature.args))
        what, code = f"the code of {_name(function)}", generator.__code__
        if getattr(signature, "pysig", None) is not None:
            signature, generator = _folded(signature, len(args), list(keywords), generator)
        return _call_of_written("lowered", names, signature, generator, what, code, is_passed=True)
    choose.__signature__ = inspect.signature(typer)
    overloads.add_overload(function, overloads.Candidate(choose, {}, False))


def _folded(whole, count, keywords, generator):
    """Of a signature of all parameters of a Python function, that of a call with so many positional arguments and these
    keywords, and its generator: it calls the one of all parameters, which knows by their types what was left out."""
    given = {name: count + number for number, name in enumerate(keywords)}
    try:
        bound = whole.pysig.bind(*range(count), **given).arguments
    except TypeError as error:
        raise TypingError(f"a call with {count} positional arguments{' and ' * bool(given)}{', '.join(given)} is none of "
                          f"{whole.pysig}: {error}") from None
    places = [bound.get(name) for name in whole.pysig.parameters]  # in the call; None: left out
    by_place = dict(zip(places, whole.args))

    def write(context, builder, signature, args):
        values = [context.get_dummy_value() if place is None else args[place] for place in places]
        return generator(context, builder, whole, values)
    write.__name__ = generator.__name__
    return whole.return_type(*(by_place[place] for place in range(count + len(keywords)))), write


def _names(typer, count, keywords):
    names = [param.name for param in inspect.signature(typer).parameters.values()
             if param.kind in (param.POSITIONAL_ONLY, param.POSITIONAL_OR_KEYWORD)]
    names += [f"item{number}" for number in range(count - len(names))]
    return names[:count] + list(keywords)


def type_callable(func):
    """type_callable(function)

    Says of which type calls of a function are: the decorated function is called with a context, and gives
    a function of the arguments' types, which gives the type, a signature, or None where it does not take them.
    What code the calls are, lower_builtin says.

    func: what compiled code calls, such as a class.

    Example:
        class Pair:
            pass

        @type_callable(Pair)
        def type_pair(context):
            def typer(a, b):
                return types.Tuple((a, b))
            return typer

        @lower_builtin(Pair, types.Any, types.Any)
        def lower_pair(context, builder, sig, args):
            return context.make_tuple(builder, sig.return_type, args)

        assert njit(lambda: Pair(1, 2.5))() == (1, 2.5)
    """
    def register(typing_factory):
        typer = typing_factory(Context())
        if not callable(typer):
            raise TypeError(f"{typing_factory.__name__}, which types calls of {_name(func)}, has to give a function of "
                            f"the arguments' types, not {typer!r}")
        add_typed(func, typer)
        return typing_factory
    return register


# --- Attributes and methods that templates type

_readers = {}  # (type or class of types, name, or None for any) -> generator


def lower_getattr(ty, attr):
    """Says what code reads an attribute: the decorated function is called with (context, builder, type, value). What the
    attribute's type is, an AttributeTemplate says."""
    def register(generator):
        _readers[ty, attr] = generator
        tell()
        return generator
    return register


def lower_getattr_generic(ty):
    """The same for all attributes of a type: the decorated function is also given the name."""
    return lower_getattr(ty, None)


def reader_of(kind, name, found):
    """The function that reads an attribute of type `found`; TypingError where its code is missing."""
    from numba.extending import _call_of_written
    for wanted in (name, None):
        for (declared, attr), generator in _readers.items():
            if attr == wanted and overloads.fits(kind, declared):
                def write(context, builder, signature, args, generator=generator, rest=() if wanted else (name,)):
                    return generator(context, builder, kind, args[0], *rest)
                write.__name__ = f"get.{name}"
                return _call_of_written("get", ["value"], found(kind), write, f"the code of the attribute {name!r} of {kind}",
                                        generator.__code__, is_passed=True)
    raise TypingError(f"the attribute {name!r} of {kind} has a type and no code: write it with @lower_getattr("
                      f"{type(kind).__name__}, {name!r}) or @lower_getattr_generic({type(kind).__name__})")


_writers = {}  # (type or class of types, name, or None for any) -> generator


def lower_setattr(ty, attr):
    """Says what code sets an attribute: the decorated function is called with (context, builder, signature, args), where
    args are the object and the value, of the attribute's type. What that is, an AttributeTemplate says."""
    def register(generator):
        if not _writers:
            overloads.add_resolver(_Setters())
        _writers[ty, attr] = generator
        tell()
        return generator
    return register


def lower_setattr_generic(ty):
    """The same for all attributes of a type: the decorated function is also given the name."""
    return lower_setattr(ty, None)


class _Setters:
    """What lower_setattr registers, as functions to compile."""

    def __init__(self):
        self._made = {}

    def attribute(self, kind, name):
        """None: what reads attributes is found elsewhere."""
        return None

    def method(self, given, name, keywords):
        """None: there are no methods."""
        return None

    def setter(self, kind, name):
        """The jitted function of an object and a value that sets an attribute; None: there is none."""
        if (kind, name) not in self._made:
            self._made[kind, name] = self._make(kind, name)
        return self._made[kind, name]

    @staticmethod
    def _make(kind, name):
        from numba.extending import _call_of_written
        for (declared, attr), generator in sorted(_writers.items(), key=lambda row: row[0][1] is None):
            if attr in (name, None) and overloads.fits(kind, declared):
                wanted = overloads.type_of_attribute(kind, name)
                if wanted is None:
                    raise TypingError(f"the attribute {name!r} of {kind} has code that sets it and no type: say which with an "
                                      "AttributeTemplate, or make_attribute_wrapper()")

                def write(context, builder, signature, args, generator=generator, rest=() if attr else (name,)):
                    generator(context, builder, signature, args, *rest)
                    return context.get_dummy_value()
                write.__name__ = f"set.{name}"
                made = _call_of_written("set", ["target", "value"], types.none(kind, wanted), write,
                                        f"the code that sets the attribute {name!r} of {kind}", generator.__code__,
                                        is_passed=True)
                return njit(made)
        return None


def method_of(name, kind, signature, generator, keywords):
    """The function for a call of a method with the arguments of a signature."""
    from numba.extending import _call_of_written
    whole = with_literals(signature.return_type(kind, *signature.args), (kind, *signature.args))
    plain = [f"item{number}" for number in range(len(signature.args) - len(keywords))]
    return _call_of_written("method", ["receiver", *plain, *keywords], whole, generator,
                            f"the code of the method {name!r} of {kind}", is_passed=True)


# --- Members

def _member(value, name):
    raise TypeError("members of a model are read by compiled code alone")


_member.__gridcell_builtin__ = "library.extension_member"


def make_attribute_wrapper(typeclass, struct_attr, python_attr):
    """make_attribute_wrapper(class of types, "member", "name")

    Has compiled code read a member of a StructModel as an attribute.

    typeclass: the class of types. struct_attr: the member's name in the model. python_attr: the attribute's.
    Raises TypeError for what is no class of types.

    Example:
        class DepthType(types.Type):
            def __init__(self):
                super().__init__(name="Depth")

        @register_model(DepthType)
        class DepthModel(models.StructModel):
            def __init__(self, dmm, fe_type):
                super().__init__(dmm, fe_type, [("metres", types.float64)])

        make_attribute_wrapper(DepthType, "metres", "m")
    """
    from numba.core.made import make_function
    if not isinstance(typeclass, type) or not issubclass(typeclass, types.Type):
        raise TypeError(f"make_attribute_wrapper() takes a class of types, not {typeclass}")

    def choose(value):
        names = registry.layout_of(value).names
        if struct_attr not in names:
            raise TypingError(f"the model of {value} has the members {', '.join(names)}, and no {struct_attr!r}, which "
                              f"make_attribute_wrapper() names for the attribute {python_attr!r}")
        return make_function(f"def get(value):\n    return member(value, {struct_attr!r})\n", "get",
                             {"member": _member}, f"attribute {python_attr}")
    overloads.add_attribute(typeclass, python_attr, overloads.Candidate(choose, {}, True))
