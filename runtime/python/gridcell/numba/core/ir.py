# SPDX-License-Identifier: MIT
"""numba.core.ir: numba's intermediate code, which gridcell does not have."""
from gridcell.absent import refuse_all


class UndefinedType:
    """The value of a variable before it has one."""

    def __repr__(self):
        return "Undefined"


UNDEFINED = UndefinedType()


class Loc:
    """A place in a source file."""

    def __init__(self, filename, line, col=None, maybe_decorator=False):
        self.filename = filename
        self.line = line
        self.col = col

    def __repr__(self):
        return f"Loc(filename={self.filename}, line={self.line}, col={self.col})"

    def __str__(self):
        return f"{self.filename} ({self.line}{f':{self.col}' if self.col is not None else ''})"

    def __eq__(self, other):
        return isinstance(other, Loc) and (self.filename, self.line, self.col) == \
            (other.filename, other.line, other.col)

    def __hash__(self):
        return hash((self.filename, self.line, self.col))


unknown_loc = Loc("unknown location", 0, 0)


__getattr__ = refuse_all(
    "numba.core.ir", "is part of numba's intermediate code, which gridcell does not have: "
    "GRIDCELL_DUMP=ir prints what its own compiler works on.")
