# SPDX-License-Identifier: MIT
"""Loops over values of a program's own types: what "getiter" and "iternext" are for them."""
from numba.core import overloads, types
from numba.core.decorators import always_jit as njit
from numba.core.errors import TypingError
from numba.core.extension import calls, registry
from numba.core.typing.context import Context

_templates = {"getiter": [], "iternext": []}


def add_template(template):
    """Registers a template with one of these keys."""
    if template.key not in _templates:
        raise TypeError(f"infer() knows the keys 'getiter' and 'iternext' by name, and no {template.key!r}")
    _templates[template.key].insert(0, template)
    calls.tell()


def _signature(key, kind, by_itself):
    """The signature of a call with a value of the type, by a template or what the type says by itself; or None."""
    for template in _templates[key]:
        with calls.answering():
            found = template(Context()).get_call_type((kind,), {})
        if found is not None:
            return found
    return by_itself(kind)


def _iterator_of(kind):
    if isinstance(kind, types.IteratorType):
        return kind(kind)
    if isinstance(kind, types.Array):
        from numba.core.extension.array_loops import OwnArrayIterator
        return OwnArrayIterator(kind)(kind) if kind.ndim else None
    made = getattr(kind, "iterator_type", None)
    return made(kind) if isinstance(made, types.Type) else None


def _item_of(kind):
    item = getattr(kind, "yield_type", None)
    return types.Pair(item, types.boolean)(kind) if isinstance(item, types.Type) else None


def _pass_on(context, builder, signature, args):
    context.nrt.incref(builder, signature.return_type, args[0])
    return args[0]


class _Iteration:
    """Answers for what the compiler asks for as attributes: of an extension type __getiter__, its iterator, and
    __iter__, a generator of its items; of a pair of an address and an iterator __iternext__."""

    def __init__(self):
        self._made = {}

    def attribute(self, kind, name):
        """The jitted function of a value that gives it; None: loops do not go over the value."""
        make = _ANSWERS.get(name)
        if make is None or name != "__iternext__" and not registry.is_extension(kind):
            return None
        if (kind, name) not in self._made:
            self._made[kind, name] = make(kind)
        return self._made[kind, name]

    def method(self, given, name, keywords):
        """There are no methods."""
        return None


def _getiter_of(kind):
    return _signature("getiter", kind, _iterator_of) and _getiter(kind)


def _generator_of(kind):
    from numba.core.made import make_function
    signature = _signature("getiter", kind, _iterator_of)
    if signature is None:
        return None
    text = ("def items(value):\n    for item in value:\n        yield item\n")
    return njit(make_function(text, "items", {}, f"items of {kind}"))


def _iternext_of(pair):
    return _iternext(pair[1])


_ANSWERS = {"__getiter__": _getiter_of, "__iter__": _generator_of, "__iternext__": _iternext_of}


def getiter_of(kind):
    """The signature of "getiter" for values of a type, and its generator; TypingError where there is none."""
    signature = _signature("getiter", kind, _iterator_of)
    if signature is None:
        raise TypingError(f"values of {kind} have no iterator: it needs an iterator_type, or a template with the key 'getiter'")
    if isinstance(kind, types.IteratorType) and calls.lowered_or_none("getiter", (kind,)) is None:
        return signature, _pass_on
    return signature, calls.find_lowered("getiter", (kind,))


def iternext_of(iterator):
    """The signature of "iternext" for iterators of a type, which gives a pair, and its generator; TypingError where there is
    none."""
    signature = _signature("iternext", iterator, _item_of)
    if signature is None:
        raise TypingError(f"the iterator type {iterator} says of no type of items: it needs a yield_type, or a template "
                          "with the key 'iternext'")
    return signature, calls.find_lowered("iternext", (iterator,))


def _getiter(kind):
    from numba.extending import _call_of_written
    signature, generator = getiter_of(kind)
    return njit(_call_of_written("getiter", ["value"], signature.return_type(kind), generator, f"the iterator of {kind}",
                                 is_passed=True))


def _iternext(iterator):
    """The function of an iterator's copy in memory, by its address, and the iterator, which gives the item that comes
    next, and whether there is one."""
    from numba.core.written import text
    from numba.extending import _call_of_written
    pair, generator = iternext_of(iterator)

    def write(context, builder, signature, args):
        place, value = (builder.extract_value(args[0], number) for number in range(2))
        return generator(context, builder, pair, [text.changeable(builder, iterator, value, place)])
    write.__name__ = "iternext"
    return njit(_call_of_written("iternext", ["state"], pair.return_type(types.Tuple((types.voidptr, iterator))), write,
                                 f"the items of {iterator}", generator.__code__, is_passed=True))


overloads.add_resolver(_Iteration())
