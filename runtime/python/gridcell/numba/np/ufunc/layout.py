# SPDX-License-Identifier: MIT
"""The layouts of gufuncs, in NumPy's grammar: names, fixed sizes, optional dimensions ("n?")."""
import re

_SIDE = re.compile(r"\(([^()]*)\)(,|$)")
_DIMENSION = re.compile(r"([A-Za-z_]\w*|\d+)\??$")


def _parse_side(text, layout):
    operands, at = [], 0
    while at < len(text):
        found = _SIDE.match(text, at)
        if not found or (found[2] and found.end() == len(text)):
            raise ValueError(f"bad layout {layout!r}: expected (names) at {text[at:]!r}")
        dims = found[1].split(",") if found[1] else []
        for dim in dims:
            if not _DIMENSION.match(dim):
                raise ValueError(f"bad layout {layout!r}: {dim!r} is neither a name nor a size")
        operands.append(tuple(dims))
        at = found.end()
    return operands


def parse_layout(layout):
    """The dimensions of "(n,m),(3)->(n)" as two lists of tuples of names."""
    if not isinstance(layout, str):
        raise TypeError(f"the layout is a text such as '(n),()->(n)', not {layout!r}")
    inputs, _, outputs = re.sub(r"\s", "", layout).partition("->")
    inputs, outputs = _parse_side(inputs, layout), _parse_side(outputs, layout)
    known = {dim for dims in inputs for dim in dims}
    missing = sorted({dim for dims in outputs for dim in dims
                      if dim not in known and not dim.isdigit()})
    if missing:
        raise NameError(f"undefined output symbols: {','.join(missing)}")
    return inputs, outputs


def dimension_numbers(operands):
    """For each operand the numbers of its dimensions, by first appearance."""
    numbers = {}
    return tuple(tuple(numbers.setdefault(dim.rstrip("?"), len(numbers)) for dim in dims)
                 for dims in operands)
