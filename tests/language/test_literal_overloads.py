# SPDX-License-Identifier: MIT
"""Overloads that ask for literals: whichever way a value comes to them, the code is compiled for it."""
import operator

import numpy as np
import pytest
from conftest import function_of

import numba
from numba import literally, njit, types
from numba.core.errors import ForceLiteralArg, TypingError
from numba.extending import overload, overload_attribute, overload_method, register_jitable


def told(x, y=0):
    raise AssertionError("only compiled code calls this")


@overload(told)
def told_overload(x, y=0):
    if not isinstance(x, types.Literal):
        return lambda x, y=0: literally(x)
    text = repr(x.literal_value)
    if isinstance(y, types.Literal):
        text += "," + repr(y.literal_value)
        return lambda x, y=0: text
    if y == 0 or isinstance(y, types.Omitted):
        return lambda x, y=0: text + ",left out"
    return lambda x, y=0: literally(y)


def forced(x, y=0):
    raise AssertionError("only compiled code calls this")


@overload(forced)
def forced_overload(x, y=0):
    if isinstance(y, types.Literal):
        value = y.literal_value
        return lambda x, y=0: x * 1000 + value
    if y == 0 or isinstance(y, types.Omitted):
        return lambda x, y=0: -x
    raise ForceLiteralArg({1})


@overload_method(types.Integer, "literal_method")
def literal_method(self, y=0):
    if isinstance(self, types.Literal) and isinstance(y, types.Literal):
        value = self.literal_value * 1000 + y.literal_value
        return lambda self, y=0: value
    if isinstance(y, types.Literal):
        return lambda self, y=0: literally(self)
    return lambda self, y=0: literally(y)


@overload_attribute(types.Integer, "literal_attribute")
def literal_attribute(self):
    if isinstance(self, types.Literal):
        value = self.literal_value + 0.5
        return lambda self: value
    return lambda self: literally(self)




@overload(operator.matmul)
def times_overload(a, b):
    if isinstance(a, (types.UnicodeType, types.StringLiteral)) and isinstance(b, types.Integer):
        if isinstance(b, types.Literal):
            text = str(b.literal_value)
            return lambda a, b: a + text
        return lambda a, b: literally(b)


def jitted(source, **names):
    name = source.split("(")[0].removeprefix("def ")
    return njit(function_of(source, name, told=told, forced=forced, **names))


passed_on = register_jitable(function_of("def passed_on(x):\n    return told(x)\n", "passed_on", told=told))
nested = jitted("def nested(x):\n    return told(x)\n")


@pytest.mark.parametrize("body, parameters, result", [
    ("told(x)", "x", "{0!r},left out"),
    ("told(x=x)", "x", "{0!r},left out"),
    ("told(x, 4)", "x", "{0!r},4"),
    ("told(x, y=4)", "x", "{0!r},4"),
    ("told(y=4, x=x)", "x", "{0!r},4"),
    ("told(7, x)", "x", "7,{0!r}"),
    ("told(7, y=x)", "x", "7,{0!r}"),
    ("told(x, x)", "x", "{0!r},{0!r}"),
    ("passed_on(x)", "x", "{0!r},left out"),
    ("nested(x)", "x", "{0!r},left out"),
    ("(lambda z: told(z))(x)", "x", "{0!r},left out"),
    ("(lambda: told(x))()", "x", "{0!r},left out"),
    ("told(x) + told(x)", "x", "{0!r},left out{0!r},left out"),
    ("told(x, z)", "x, z=9", "{0!r},9"),
    ("told(x, z)", "x, *, z=9", "{0!r},9"),
])
@pytest.mark.parametrize("value", [3, -3, 2**40, True, "ab", "", "é\U0001f600"])
def test_ways_to_an_overload(body, parameters, result, value):
    f = jitted(f"def f({parameters}):\n    return {body}\n", passed_on=passed_on, nested=nested)
    assert f(value) == f(x=value) == result.format(value)
    other = "other" if isinstance(value, str) else value + 5
    assert f(other) == result.format(other)


@pytest.mark.parametrize("body, result", [
    ("forced(x, z)", 3005), ("forced(x, y=z)", 3005), ("forced(y=z, x=x)", 3005), ("forced(x)", -3),
    ("x.literal_method(z)", 3005), ("x.literal_method(y=z)", 3005), ("x.literal_method(5)", 3005),
    ("(3).literal_method(z)", 3005), ("x.literal_attribute + z", 8.5), ("(3).literal_attribute", 3.5),
    ("'a' @ z", "a5"), ("told(x, z)", "3,5"),
])
def test_kinds_of_overloads(body, result):
    f = jitted(f"def f(x, z):\n    return {body}\n")
    assert f(3, 5) == result


def test_statements_before_the_call():
    source = "def f(x, n):\n    text = ''\n    for i in range(n):\n        text += told(x)\n    return text\n"
    assert jitted(source)(3, 2) == "3,left out3,left out"
    assert jitted("def f(x):\n    y = x\n    return told(y)\n")(3) == "3,left out"
    assert jitted("def f(x):\n    def g():\n        return told(x)\n    return g()\n")(3) == "3,left out"


@pytest.mark.parametrize("body, value", [
    ("told(x + z)", 3), ("told(x)", 1.5), ("told(x)", None), ("told(x)", (1, 2)), ("forced(x, x + z)", 3),
])
def test_what_is_no_literal(body, value):
    f = jitted(f"def f(x, z):\n    return {body}\n")
    with pytest.raises(TypingError, match="Cannot request literal type"):
        f(value, 2)


def test_an_overload_that_never_has_enough():
    def greedy(x):
        pass

    @overload(greedy)
    def greedy_overload(x):
        raise ForceLiteralArg({0}) | ForceLiteralArg({0})
    with pytest.raises(TypingError, match="asks for literals that it has already"):
        njit(function_of("def f(x):\n    return greedy(x)\n", "f", greedy=greedy))(3)
    assert numba.errors.ForceLiteralArg is ForceLiteralArg


def parts_of(x):
    raise AssertionError("only compiled code calls this")


def shown(part):
    return str(part) if isinstance(part, types.Type) else repr(part)


@overload(parts_of)
def parts_of_overload(x):
    if isinstance(x, types.InitialValue) and x.initial_value is None:
        return lambda x: literally(x)
    value = getattr(x, "literal_value", None) or x.initial_value
    text = (f"[{', '.join(map(shown, value))}]" if isinstance(value, list) else
            f"{{{', '.join(f'{shown(key)}: {shown(part)}' for key, part in value.items())}}}")

    def impl(x):
        literally(x)
        return text
    return impl if isinstance(x, types.InitialValue) else lambda x: text


def test_displays_tell_what_they_began_as():
    def lists(n):
        changed, table = [1, 2, 3], {"a": True, "b": False}
        changed.append(n)
        table["c"] = True
        return parts_of(changed), parts_of(table)

    assert njit(lists)(4) == ("[1, 2, 3]", "{'a': True, 'b': False}")
    for text in ("[n, 2]", "[1j, 2]", "{1: n}"):
        with pytest.raises(TypingError, match="literal"):
            njit(function_of(f"def f(n):\n    x = {text}\n    return parts_of(x)\n", "f", parts_of=parts_of))(1)


def test_displays_of_several_types_tell_their_items():
    def several(n):
        return parts_of([1, "a", n, [2, 3], ["x", n]]), parts_of({"k": [1j], "m": {"p": 1}, "q": "r"})

    assert njit(several)(2.5) == (
        "[Literal[int](1), Literal[str](a), float64, list(int64)<iv=[2, 3]>, LiteralList((Literal[str](x), float64))]",
        "{Literal[str](k): reflected list(complex128)<iv=None>, Literal[str](m): DictType[unicode_type,int64]<iv={'p': 1}>, "
        "Literal[str](q): Literal[str](r)}")


def test_types_of_displays():
    begun = types.List(types.intp, reflected=False, initial_value=[1, 2])
    assert begun.initial_value == [1, 2] and types.unliteral(begun) == types.List(types.intp) and isinstance(begun, types.List)
    assert begun == types.List(types.intp, initial_value=[1, 2]) != types.List(types.intp, initial_value=[1])
    assert types.DictType(types.intp, types.intp).initial_value is None
    mixed = types.LiteralList([types.literal(1), types.int8])
    assert mixed.types == (types.literal(1), types.int8) and not isinstance(mixed, types.BaseTuple) and len(mixed) == 2
    table = types.LiteralStrKeyDict({types.literal("a"): types.int8})
    assert table.literal_value == {types.literal("a"): types.int8} and table.fields == ("a",)


def test_signatures_have_literal_types():
    @njit
    def f(x):
        return literally(x)

    for value, kind in ((3, types.IntegerLiteral), (True, types.BooleanLiteral), ("a", types.StringLiteral)):
        assert f(value) == value
        last = f.signatures[-1][0]
        assert isinstance(last, kind) and isinstance(last, types.Literal) and last == types.literal(value)
        assert last.literal_value is value or last.literal_value == value
        assert last.literal_type == numba.typeof(value)


def test_displays_of_values_without_literal_types():
    """A complex number in a display is told by its type."""
    def kinds_of(x):
        pass

    @overload(kinds_of)
    def kinds(x):
        text = str(x.literal_value) if isinstance(x, types.LiteralStrKeyDict) else str(x)
        return lambda x: text
    assert "complex128" in njit(lambda: kinds_of({"a": 1j, "b": "c"}))()
    assert types.int64(types.float64).as_type() == types.FunctionType(types.int64(types.float64))


def test_values_that_helpers_are_given():
    """An overload that takes literals alone, in functions that are called with one, and with what they left out."""
    def chosen(a):
        pass

    @overload(chosen)
    def ol_chosen(a):
        value = getattr(a, "literal_value", None)
        if isinstance(a, types.Float):
            return lambda a: a * 2
        return None if value is None else lambda a: value

    inner = njit(lambda a="left out": chosen(a))
    middle = njit(lambda a: inner(a))
    outer = njit(lambda b, a: (middle(a), b))

    @njit
    def f(x):
        return inner(), inner("b"), middle("c"), outer(1, "d"), middle(7), middle(True), middle(x), inner(2.5)
    assert f(1.5) == ("left out", "b", "c", ("d", 1), 7, True, 3.0, 5.0)
    assert njit(lambda x: middle(x))(1.5) == 3.0 and middle(4.5) == 9.0
    for wrong in (lambda: njit(lambda x: middle(x))(3), lambda: inner("x"), lambda: njit(lambda: inner((1,)))()):
        with pytest.raises(TypingError, match="No overload of it takes arguments of these types"):
            wrong()


def test_values_that_helpers_are_given_for_methods():
    @overload_method(types.Array, "named_of_test")
    def ol_named(a, name):
        if isinstance(name, types.StringLiteral):
            value = name.literal_value * 2
            return lambda a, name: value
    helper = njit(lambda a, name: a.named_of_test(name))
    assert njit(lambda a: helper(a, "x") + helper(a, "y"))(np.zeros(1)) == "xxyy"
