# SPDX-License-Identifier: MIT
"""Loops over values of a program's own types: what "getiter" and "iternext" are for them, as the generator that the
compiler goes over (the attribute __iter__)."""
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
    made = getattr(kind, "iterator_type", None)
    return made(kind) if isinstance(made, types.Type) else None


def _item_of(kind):
    item = getattr(kind, "yield_type", None)
    return types.Pair(item, types.boolean)(kind) if isinstance(item, types.Type) else None


def _pass_on(context, builder, signature, args):
    context.nrt.incref(builder, signature.return_type, args[0])
    return args[0]


class _Iteration:
    """Answers for the attribute __iter__ of extension types."""

    def __init__(self):
        self._made = {}

    def attribute(self, kind, name):
        """The jitted generator that goes over a value; None: loops do not."""
        if name != "__iter__" or not registry.is_extension(kind):
            return None
        if kind not in self._made:
            signature = _signature("getiter", kind, _iterator_of)
            self._made[kind] = signature and _generator(kind, signature)
        return self._made[kind]

    def method(self, given, name, keywords):
        """There are no methods."""
        return None


def _generator(kind, signature):
    from numba.core.made import make_function
    namespace = {"getiter": _getiter(kind, signature), "iternext": _iternext(signature.return_type)}
    text = ("def items(value):\n    iterator = getiter(value)\n    while True:\n"
            "        iterator, item, is_there = iternext(iterator)\n        if not is_there:\n            return\n"
            "        yield item\n")
    return njit(make_function(text, "items", namespace, f"items of {kind}"))


def _getiter(kind, signature):
    from numba.extending import _call_of_written
    iterator = signature.return_type
    if isinstance(kind, types.IteratorType) and calls.lowered_or_none("getiter", (kind,)) is None:
        generator = _pass_on
    else:
        generator = calls.find_lowered("getiter", (kind,))
    return njit(_call_of_written("getiter", ["value"], iterator(kind), generator, f"the iterator of {kind}",
                                 is_passed=True))


def _iternext(iterator):
    """The function that gives what the iterator comes to, the item, and whether there is one."""
    from numba.extending import _call_of_written
    pair = _signature("iternext", iterator, _item_of)
    if pair is None:
        raise TypingError(f"the iterator type {iterator} says of no type of items: it needs a yield_type, or a template "
                          "with the key 'iternext'")
    generator = calls.find_lowered("iternext", (iterator,))
    item = pair.return_type[0]
    result = types.Tuple((iterator, item, types.boolean))

    def write(context, builder, signature, args):
        found = context.make_helper(builder, pair.return_type, generator(context, builder, pair, args))
        context.nrt.incref(builder, iterator, args[0])
        return context.make_tuple(builder, result, [args[0], found.first, found.second])
    write.__name__ = "iternext"
    return njit(_call_of_written("iternext", ["iterator"], result(iterator), write, f"the items of {iterator}",
                                 generator.__code__, is_passed=True))


overloads.add_resolver(_Iteration())
