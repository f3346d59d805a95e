# SPDX-License-Identifier: MIT
"""Functions, methods and attributes that a program implements for compiled code, by types."""
import inspect
import sys

from gridcell import _gridcell as _extension
from numba.core import types
from numba.core.decorators import always_jit as njit
from numba.core.errors import ForceLiteralArg, TypingError
from numba.core.made import make_function

_CALL, _METHOD, _ATTRIBUTE, _SETTER = range(4)


class CodeError(TypingError):
    """A call has a type, and the code that a program writes for it is missing or wrong: nothing else is tried."""


def _said_of_stars(signature):
    """What *args and **kwargs of one of two signatures that differ mean there, as lines."""
    lines = []
    for parameter in signature.parameters.values():
        if parameter.kind == parameter.VAR_KEYWORD:
            lines.append(f"use of VAR_KEYWORD (e.g. **kwargs) is unsupported. (offending argument name is '{parameter}')")
        elif parameter.kind == parameter.VAR_POSITIONAL:
            lines.append("VAR_POSITIONAL (e.g. *args) argument kind: the other signature has to have it in the same place. "
                         f"(offending argument name is '{parameter}')")
    return "".join("\n  " + line for line in lines)


class Candidate:
    """A function that is given types and gives the function to compile, or None."""

    def __init__(self, function, jit_options, strict, prefer_literal=False, target="generic", inline="never"):
        self.target = str(target).lower()  # whose code it is for: "cpu", "cuda" or "generic"
        self.is_part_of_callers = inline == "always"
        self.function = function
        self.jit_options = dict(jit_options)
        self.strict = strict
        self.prefer_literal = prefer_literal
        self._signature = inspect.signature(function)
        self.identity = function.__module__, function.__qualname__, *self._signature.parameters
        self._compiled = {}
        self._parallel = {}

    def _implementation(self, bound):
        implementation = self.function(*bound.args, **bound.kwargs)
        if implementation is None or isinstance(implementation, _extension.CPUDispatcher):
            return implementation
        if self.strict:
            want, have = self._signature, inspect.signature(implementation)
            if list(want.parameters) != list(have.parameters):
                raise TypingError(
                    "Typing and implementation arguments differ in argument names.\n"
                    f"  typing: {want}\n  implementation: {have}" + "".join(map(_said_of_stars, (want, have))))
        return njit(**self.jit_options)(implementation)

    def _try(self, args, key):
        if key not in self._compiled:
            self._compiled[key] = self._implementation(args)
        return self._compiled[key]

    def in_parallel(self, found):
        """For a caller with parallel=True, of which the implementation is a part: its loops are shared out, too."""
        if not self.is_part_of_callers or found.targetoptions.get("parallel"):
            return found
        if found not in self._parallel:
            self._parallel[found] = njit(**{**found.targetoptions, "parallel": True})(found.py_func)
        return self._parallel[found]

    def _arguments(self, parameters, args, keywords):
        """A number whose bits say which of the call's arguments the parameters have."""
        split = len(args) - len(keywords)
        names = list(self._signature.parameters)
        given = (number if number < split else split + keywords.index(names[number])
                 for number in parameters
                 if number < split or number < len(names) and names[number] in keywords)
        return sum(1 << number for number in set(given))

    def choose(self, args, literals, keywords, prefers_literals=False):
        """The jitted implementation for the types, None, or a number whose bits say
        which arguments have to be literals."""
        known = tuple(map(types._known, args, literals))
        args = tuple(of_value if types._is_mixed(plain) else plain for plain, of_value in zip(args, known))
        plain = self._bind(args, keywords)
        if plain is None:
            return None
        attempts = [(plain, (args, keywords))]
        if known != args:
            attempts.append((self._bind(known, keywords), (known, keywords)))
        if self.prefer_literal or prefers_literals:
            attempts.reverse()
        failure, wanted = None, 0
        for bound, key in attempts:
            try:
                found = self._try(bound, key)
            except ForceLiteralArg as request:
                wanted |= self._arguments(request.requested_args, args, keywords)
                continue
            except CodeError:
                raise
            except TypingError as error:
                if failure is None or bound is not plain:  # what is said of literals says more
                    failure = error
                continue
            if found is not None:
                return found
        if wanted:
            return wanted
        if failure is not None:
            raise failure
        return None

    def _bind(self, args, keywords):
        split = len(args) - len(keywords)
        try:
            return self._signature.bind(*args[:split], **dict(zip(keywords, args[split:])))
        except TypeError:
            return None


class Overloaded:
    """What compiled code calls for a function with overloads."""

    def __init__(self, function):
        self.function = function  # kept alive: it is known by its identity
        self.name = getattr(function, "__name__", str(function))
        self.candidates = []
        self.is_operator = False
        self._capsule = _extension.overloaded_source(self, self.name)

    def is_lenient(self, name):
        """Whether code has an implementation of its own where candidates fail."""
        return self.is_operator

    def candidates_for(self, name, args):
        """Those that are asked for arguments of the types; `name`: of the function, where this stands for many."""
        return [*self.candidates, *_of_arrays.candidates_for(self.function, args)] if _of_arrays else self.candidates

    @property
    def __gridcell_source__(self):
        return self._capsule


_functions = {}   # id -> Overloaded
_of_arrays = None  # what implements functions for arrays of a program's own
_methods = []     # (class of types or a type, name, Candidate), the newest first
_attributes = []
_module_members = {}  # (name of a module's type, name) -> what gives the member


class _OfAll(Overloaded):
    """What compiled code calls for any function or operator of its own with such an array."""

    def is_lenient(self, name):
        return "." not in name  # operators have none

    def candidates_for(self, name, args):
        return _of_arrays.candidates_named(name, args)


def _place_among(candidates, candidate):
    """They are asked in the order in which they were added; but one that is defined anew, as by a cell that runs again,
    before what it was."""
    same = [place for place, other in enumerate(candidates) if other.identity == candidate.identity]
    return same[0] if same else len(candidates)


def add_overload(function, candidate):
    overloaded = _functions.get(id(function))
    if overloaded is None:
        overloaded = _functions[id(function)] = Overloaded(function)
        _extension.overload_register(function, overloaded)
        overloaded.is_operator = getattr(function, "__module__", "") == "_operator"
        if overloaded.is_operator or function is hash:  # what the library's code asks, too
            _extension.overload_operator(overloaded.name, overloaded.__gridcell_source__)
    overloaded.candidates.insert(_place_among(overloaded.candidates, candidate), candidate)
    _extension.overloads_changed()


def add_own_arrays(implementing):
    """Has compiled code ask where an argument is an array of a class of the program's own: candidates_for(function, types)
    gives the candidates of a function, candidates_named(name, types) those of what compiled code knows by a name."""
    global _of_arrays
    _of_arrays, all_of_them = implementing, _OfAll("functions of arrays")
    _answers[id(all_of_them)] = all_of_them
    _extension.overload_arrays(all_of_them.__gridcell_source__)


def add_member(table, kind, name, candidate):
    table.insert(0, (kind, name, candidate))
    _extension.overloads_changed()


def add_method(kind, name, candidate):
    add_member(_methods, kind, name, candidate)


def add_attribute(kind, name, candidate):
    add_member(_attributes, kind, name, candidate)


# The containers' classes, as the types of functions that make them
_CLASSES = {getattr(_extension, name + "Type"): f"Function(<built-in function {name}>)"
            for name in ("List", "Dict", "Set")}


class _ClassOf:
    """What stands for a class in the table of methods: the values' type, or class of types."""

    def __init__(self, kind):
        self.kind = kind

    def fits(self, type_):
        if isinstance(type_, _extension.Function):
            return str(type_) == _CLASSES.get(self.kind)
        return isinstance(type_, _extension.NumberClass) and _fits(type_.dtype, self.kind)


class _ClassName:
    """What a class of types that a program derived is to compiled code: a name, whose class methods are known."""

    def __init__(self, kind):
        self.kind, self.name = kind, f"{kind.__name__}#{len(_CLASSES)}"

    def __get__(self, instance, owner):
        if instance is None and owner is self.kind:
            return f"types.{self.name}"
        raise AttributeError("__gridcell_builtin__")


def add_classmethod(kind, name, candidate):
    if kind is types.Array and name == "_allocate":
        raise TypingError("the memory of arrays is the compiler's own: derive a class from types.Array, which allocates by its "
                          "_allocate, or run the numba of the environment, GRIDCELL_NUMBA=system")
    is_derived = isinstance(kind, type) and issubclass(kind, _extension.Type) and kind not in types._own
    if is_derived and kind not in _CLASSES:
        kind.__gridcell_builtin__ = _ClassName(kind)
        _CLASSES[kind] = f"Function(<built-in function {kind.__dict__['__gridcell_builtin__'].name}>)"
    add_method(_ClassOf(kind), name, candidate)


def classes_with(name):
    """The classes of types that have a class method of the name."""
    return {kind.kind for kind, known, _ in _methods if known == name and isinstance(kind, _ClassOf)}


def _fits(type_, kind):
    if isinstance(kind, _ClassOf):
        return kind.fits(type_)
    return isinstance(type_, kind) if isinstance(kind, type) else type_ == kind


fits = _fits
_resolvers = []  # what else knows attributes and methods: templates of a program's own


def add_resolver(resolver):
    _resolvers.insert(0, resolver)
    _extension.overloads_changed()


def _resolved(ask):
    return next((found for resolver in _resolvers if (found := ask(resolver)) is not None), None)


def _resolved_method(args, name, keywords, literals):
    """What templates know of a call of a method; where they do not of the types alone, of constants."""
    try:
        failure, found = None, _resolved(lambda each: each.method(args, name, keywords))
    except TypingError as error:
        failure, found = error, None
    if found is None and any(value is not NotImplemented for value in literals):
        known = tuple(map(types._known, args, literals))
        found = _resolved(lambda each: each.method(known, name, keywords))
    if found is None and failure is not None:
        raise failure
    return found


def _members(table, type_, name):
    return [candidate for kind, known, candidate in table
            if known == name and _fits(type_, kind)]


def _first(candidates, question, is_lenient=False, is_parallel=False):
    """What the first candidate gives that gives something; where none does, the failures of those that fail."""
    failures = []
    for candidate in candidates:
        try:
            found = candidate.choose(*question)
        except TypingError as error:
            if isinstance(error, CodeError):
                raise
            failures.append(error)
            continue
        if found is not None:
            return candidate.in_parallel(found) if is_parallel and not isinstance(found, int) else found
    if len(failures) > 1 and not is_lenient:
        raise TypingError("\n".join(dict.fromkeys(map(str, failures))))
    if failures and not is_lenient:
        raise failures[0]
    return None


def _for_target(candidates, is_device):
    """Those for the target, before those for all."""
    target = "cuda" if is_device else "cpu"
    return ([candidate for candidate in candidates if candidate.target == target]
            + [candidate for candidate in candidates if candidate.target not in ("cpu", "cuda")])


def _of_module(kind, name):
    """A function that gives what a module has under a name, for those that are arguments; None: nothing."""
    key = str(kind), name
    if key not in _module_members:
        module = sys.modules.get(str(kind)[len("Module("):-1])
        if not hasattr(module, name):
            return None
        _module_members[key] = njit(make_function("def get(module):\n    return value\n", "get",
                                                  {"value": getattr(module, name)}, f"member {name}"))
    return _module_members[key]


def shown(kind):
    """The type that programs are told: a record is an array of no dimensions to the compiler."""
    is_array = type(kind) is _extension.Array and kind.ndim == 0
    return kind.dtype if is_array and isinstance(kind.dtype, _extension.Record) else kind


_answers = {}  # id -> dispatcher: types and compiled code point to the sources of all that was ever an answer


def answer(kind, overloaded, name, args, literals, keywords, is_parallel=False, is_device=False,
           prefers_literals=False):
    """The dispatcher for a question of the compiler; True: a method; None: nothing; a
    number whose bits say which arguments have to be literals."""
    args = tuple(map(shown, args))
    if kind == _CALL and hasattr(overloaded, "choose_call"):
        return overloaded.choose_call(args, keywords, is_parallel)  # the function's own; it keeps them
    found = _chosen(kind, overloaded, name, (args, literals, keywords, prefers_literals), is_device, is_parallel)
    if found is not None and not isinstance(found, int):
        _answers[id(found)] = found
    return found


def type_of_attribute(kind, name):
    """The type of an attribute that the program implements, or None."""
    found = _chosen(_ATTRIBUTE, None, name, ((kind,), (NotImplemented,), ()), False)
    if not isinstance(found, _extension.CPUDispatcher):
        return None
    return signature_of(found, (kind,)).return_type


def signature_of(jitted, kinds):
    """The signature of a jitted function for arguments of the types."""
    jitted.compile(kinds)
    return jitted.overloads[kinds].signature


def _chosen(kind, overloaded, name, question, is_device, is_parallel=False):
    args, literals, keywords = question[:3]
    if kind == _CALL:
        candidates = overloaded.candidates_for(name, args)
        return _first(_for_target(candidates, is_device), question, overloaded.is_lenient(name), is_parallel)
    if isinstance(args[0], _extension.Module):
        return _of_module(args[0], name)
    if kind == _SETTER:
        return _resolved(lambda each: each.setter(args[0], name) if hasattr(each, "setter") else None)
    methods = _for_target(_members(_methods, args[0], name), is_device)
    if kind == _METHOD:
        found = _first(methods, question)
        return _resolved_method(args, name, keywords, literals) if found is None else found
    attributes = _for_target(_members(_attributes, args[0], name), is_device)
    found = _first(attributes, question)
    if found is None and methods:
        return True
    return _resolved(lambda each: each.attribute(args[0], name)) if found is None else found
