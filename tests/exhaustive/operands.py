# SPDX-License-Identifier: MIT
"""What cases are called with: edge values of each dtype, in every form that an operand can have.

An operand is written FORM:KIND, such as `strided:int8` or `literal:255`. Its values follow from the
text of the case and the seed alone, so that any process can make the same ones again.
"""
import dataclasses

import numpy as np

BOOL, INTEGERS = ("bool",), ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS, COMPLEXES, TIMES = ("float32", "float64"), ("complex64", "complex128"), ("M8[D]", "M8[s]", "m8[h]", "m8[s]")
NUMBERS = (*BOOL, *INTEGERS, *FLOATS, *COMPLEXES)
PYTHON = {"bool": bool, "int": int, "float": float, "complex": complex}
SCALAR_FORMS = ("python", "scalar", "0d")
ARRAY_FORMS = ("1d", "2d", "empty", "hollow", "strided", "F", "broadcast", "reversed")
LITERALS = ("True", "0", "1", "2", "-1", "7", "255", "2**31", "2**62", "0.0", "-0.0", "0.5", "2.0", "1e300", "2j",
            "(1.5-0.5j)")
# forms whose arrays have one type in compiled code
LAYOUTS = {"empty": "1d", "hollow": "2d", "broadcast": "2d", "reversed": "strided"}
WIDE = 12  # values of an operand; arrays of two operands hold all pairs of them


@dataclasses.dataclass(frozen=True)
class Operand:
    form: str
    kind: str

    def __str__(self):
        return f"{self.form}:{self.kind}"

    @property
    def is_array(self):
        return self.form in ARRAY_FORMS

    @property
    def type(self):
        """What code is compiled for: one for all operands that differ in values alone."""
        if self.form == "python":
            return "scalar", {"int": "int64", "float": "float64", "complex": "complex128"}.get(self.kind, self.kind)
        return LAYOUTS.get(self.form, self.form), self.kind

    @property
    def varies(self):
        """Whether one call sees one value: others need a call for each."""
        return self.form in SCALAR_FORMS


def parse(text):
    return Operand(*text.split(":", 1))


def all_of(forms, kinds):
    return [Operand(form, kind) for form in forms for kind in kinds]


def edges_of_floats(dtype):
    info = np.finfo(dtype)
    return [0.0, -0.0, np.nan, np.inf, -np.inf, info.smallest_subnormal, info.max, 1.0, -1.5]


def edges(kind):
    """The values of a dtype at which things go wrong."""
    dtype = np.dtype(kind)
    if dtype.kind == "b":
        return [False, True]
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return [0, 1, info.max, info.min, info.max - 1, 2, 7, 3 if info.min == 0 else -1]
    if dtype.kind == "f":
        return edges_of_floats(dtype)
    if dtype.kind == "c":
        return [0j, complex(-0.0, -0.0), complex(np.nan, 1), complex(np.inf, -2), complex(1, -np.inf), 1 + 0j, -1.5 + 2j,
                complex(0, -1)]
    return ["NaT", 0, 1, -1, 1000, -86401]


@np.errstate(all="ignore")
def fresh(kind, count, chance):
    """Random values of a dtype, of ordinary size and with the whole range in turn."""
    dtype = np.dtype(kind)
    if dtype.kind == "b":
        return chance.integers(0, 2, count).astype(bool)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        whole = chance.integers(info.min, info.max, count, dtype, endpoint=True)
        return np.where(chance.integers(0, 2, count) > 0, whole, chance.integers(0, 40, count).astype(dtype))
    if dtype.kind in "mM":
        return chance.integers(-10**6, 10**6, count).astype(dtype)
    real = chance.normal(0, 1, count) * 10.0 ** chance.integers(-4, 5, count)
    if dtype.kind == "f":
        return real.astype(dtype)
    return (real + 1j * chance.normal(0, 3, count)).astype(dtype)


def values(kind, chance, tame):
    """WIDE values of a dtype: edges and random ones, or, tame, only what arithmetic stays finite with."""
    dtype = np.dtype(kind)
    if tame:
        found = chance.integers(0, 2 if dtype.kind == "b" else 12, WIDE)
        if dtype.kind in "fc":
            found = found - 5.5 + (1j * found[::-1] if dtype.kind == "c" else 0)
        return found.astype(dtype)
    known = edges(kind)
    with np.errstate(invalid="ignore"):
        return np.concatenate([np.array(known).astype(dtype), fresh(kind, WIDE - len(known), chance)])


def shape_for(form, small):
    count = WIDE if small else WIDE * WIDE
    return {"empty": (0,), "hollow": (3, 0), "2d": (3, count // 3), "F": (3, count // 3), "broadcast": (3, 1)}.get(form, (count,))


def laid_out(items, form):
    """The items as an array of this form."""
    if form == "F":
        return np.asfortranarray(items)
    if form == "strided":
        wide = np.zeros(2 * len(items) + 1, items.dtype)
        wide[1::2] = items
        return wide[1::2]
    if form == "reversed":
        return items[::-1].copy()[::-1]
    return items


def items_of_array(operand, place, chance, small, tame):
    """Its items in order: of the operand at an even place the values run fast, of the other slowly."""
    items = values(operand.kind, chance, tame)
    shape = shape_for(operand.form, small)
    size = int(np.prod(shape))
    if operand.form == "broadcast":
        chosen = chance.choice(items, size)
    elif small:
        chosen = items[:size]
    elif place % 2:
        chosen = np.repeat(items, WIDE)[:size]
    else:
        chosen = np.tile(items, WIDE)[:size]
    return chosen.reshape(shape).copy()


def scalars(operand, chance, tame):
    """The values of an operand that varies, one for each call."""
    if operand.form == "python":
        dtype = {"bool": "bool", "int": "int64", "float": "float64", "complex": "complex128"}[operand.kind]
        return [PYTHON[operand.kind](value) for value in values(dtype, chance, tame)]
    return list(values(operand.kind, chance, tame))
