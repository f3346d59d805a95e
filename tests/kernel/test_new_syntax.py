# SPDX-License-Identifier: MIT
"""What versions of Python after 3.11 added to their syntax, in cells: run, shown, asked about, in tracebacks."""
import sys

import pytest

# since which version, the cell, what its result shows
CELLS = {
    "type alias": ((3, 12), "type A = list[int]\nA, A.__value__", "(A, list[int])"),
    "generic function": ((3, 12), "def f[T](x: T) -> T:\n    return x\nf, f.__type_params__", "(<function __main__.f(x: T) -> T>, (T,))"),
    "generic class": ((3, 12), "class C[T]:\n    pass\nC[int]", "__main__.C[int]"),
    "type parameter's default": ((3, 13), "def f[T = int](x: T):\n    return x\nf.__type_params__[0].__default__", "int"),
    "quotes in f-strings": ((3, 12), "f\"{'a' + f\"{1 + 1}\"} {'\\n'.join(['x'])}\"", "'a2 x'"),
    "lines in f-strings": ((3, 12), "f\"{\n  1 +  # one\n  2}\"", "'3'"),
    "what looks like a magic in f-strings": ((3, 12), "len(f'''\n%pwd\n!ls\n{f'''\n%{1}'''}''')", "13"),
    "except*": ((3, 11), "try:\n    raise ExceptionGroup('g', [ValueError('a')])\nexcept* ValueError as e:\n    r = e.exceptions\nr",
                "(ValueError('a'),)"),
    "except without brackets": ((3, 14), "try:\n    1 / 0\nexcept ValueError, ZeroDivisionError:\n    r = 'caught'\nr", "'caught'"),
    "template string": ((3, 14), "x = 5\nt = t'a {x + 1!r:>4}'\nt.strings, t.interpolations[0].value, t.interpolations[0].expression",
                        "(('a ', ''), 6, 'x + 1')"),
    "template string, shown": ((3, 14), "t'a {1}'", "Template(strings=('a ', ''), interpolations=(Interpolation(1, '1', None, ''),))"),
    "lazy import": ((3, 15), "lazy import colorsys\nlazy from wave import Error as E\nimport sys\nbefore = 'colorsys' in sys.modules\n"
                    "before, colorsys.rgb_to_hsv(0, 0, 1), E.__name__, 'colorsys' in sys.modules", "(False, (0.6666666666666666, 1.0, 1), 'Error', True)"),
    "unpacking in comprehensions": ((3, 15), "[*r for r in [[1], [2, 3]]], {**d for d in [{1: 2}]}", "([1, 2, 3], {1: 2})"),
    "annotations of names to come": ((3, 14), "def f(x: Later) -> Later:\n    return x\nLater = int\nf.__annotations__",
                                     "{'x': int, 'return': int}"),
    "shown before its names are there": ((3, 14), "def f(x: Never1) -> Never1:\n    return x\nf(1)", "1"),
}
COMPLETE = {
    (3, 12): [("type A = int", "complete"), ("def f[T](x: T):", "incomplete"), ("class A[T]:", "incomplete"), ("type A[", "incomplete"),
              ("f'{'a'}'", "complete"), ("f'{", "incomplete"), ("f'{x", "incomplete"), ("lambda[T]: 1", "invalid")],
    (3, 15): [("lazy import json", "complete"), ("lazy from json import (", "incomplete"), ("lazy import", "invalid"),
              ("[*r for r in a]", "complete"), ("{**d for d in", "incomplete")],
    (3, 14): [("t'{x}'", "complete"), ("t'{", "incomplete"), ("t'''{\n", "incomplete")],
}


@pytest.mark.parametrize("name", CELLS)
def test_cell(cells, name):
    version, cell, shown = CELLS[name]
    if sys.version_info < version:
        pytest.skip(f"Python {version[0]}.{version[1]} has it")
    assert cells.result(cell) == shown


@pytest.mark.parametrize("version", COMPLETE)
def test_is_complete(kernel, version):
    if sys.version_info < version:
        pytest.skip(f"Python {version[0]}.{version[1]} has it")
    for code, status in COMPLETE[version]:
        assert kernel.ask("is_complete_request", {"code": code}).content["status"] == status, code


def test_group_that_is_left(cells):
    text = cells.traceback("try:\n    raise ExceptionGroup('several', [ValueError('a'), TypeError('b')])\nexcept* ValueError:\n    pass")
    assert "ExceptionGroup: several (1 sub-exception)" in text and "TypeError: b" in text and "ValueError: a" not in text


@pytest.mark.skipif(sys.version_info < (3, 12), reason="Python 3.12 has it")
def test_traceback_of_a_generic_function(cells):
    text = cells.traceback("def h[T](x: T):\n    y = f\"{x!r} {'a' + f'{1 / 0}'}\"\n    return y\nh(1)")
    assert ", in h(x)\n" in text and "----> 4 h(1)" in text
    assert "----> 2     y = f\"{x!r} {'a' + f'{1 / 0}'}\"\n" + 34 * " " + "^^^^^\n" in text
    assert "type parameters" not in text  # the frame that Python makes for them
    shown = cells.traceback("class C[T: 1 / 0]:\n    pass\nC.__type_params__[0].__bound__")
    assert "ZeroDivisionError: division by zero" in shown
