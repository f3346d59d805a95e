# SPDX-License-Identifier: MIT
"""A case is a function's text with operands; an area is a product of texts and operands.

Every case has a text of its own, `AREA :: BODY :: OPERAND, OPERAND`, by which it can be run again.
"""
import dataclasses
import functools
import itertools
import linecache
import math
import re
import zlib

import numpy as np

import operands

_serial = itertools.count()
NAMES = "abcd"


@dataclasses.dataclass(frozen=True)
class Case:
    area: str
    body: str
    operands: tuple
    small: bool = False     # a dozen values an array, for functions that take more than time in proportion
    tame: bool = False      # values with which sums stay exact or nearly
    ulps: float = 0         # how far floats may be off
    compiled_as: str = "njit"

    def __str__(self):
        return f"{self.area} :: {self.body} :: {', '.join(map(str, self.operands))}"

    @property
    def tolerance(self):
        """How far floats may be off here.

        NumPy multiplies complex numbers with fused operations, where the processor has them. Compiled code multiplies
        for whole exponents, which doubles the error with each square; complex powers are exponentials of products of
        logarithms, whose last digits count as often as the result is large. The loop of a narrow operand is as exact
        as its type, however wide the array for the result.
        """
        is_complex = any("complex" in operand.kind or "j" in operand.kind for operand in self.operands) or "complex" in self.body
        ulps = self.ulps
        if re.search(r"\*\*|pow|exp2", self.body) and (is_complex or "exp2" not in self.body):
            ulps = max(ulps, 2048 if is_complex else whole_power_ulps(self.operands[-1].kind))
        elif is_complex and "*" in self.body:
            ulps = max(ulps, 2)
        is_narrow = any(operand.kind in ("bool", "int8", "int16", "uint8", "uint16", "float32", "complex64")
                        for operand in self.operands[:-1])
        return ulps * 2**29 if is_narrow and "out=" in self.body else ulps

    @property
    def params(self):
        return [NAMES[place] for place, operand in enumerate(self.operands) if operand.form != "literal"]

    def source(self, with_literals=True):
        lines = [line.strip() for line in self.body.split(";")]
        if not lines[-1].startswith("return "):
            lines[-1] = "return " + lines[-1]
        text = "\n".join("    " + line for line in lines)
        for place, operand in enumerate(self.operands):
            if operand.form == "literal" and with_literals:
                text = substituted(text, NAMES[place], f"({operand.kind})")
        params = self.params if with_literals else NAMES[:len(self.operands)]
        return f"def f({', '.join(params)}):\n{text}\n"

    def plain(self):
        """The function for Python, with a parameter for each operand, literals too."""
        namespace = {"np": np, "math": math}
        exec(self.source(with_literals=False), namespace)
        return namespace["f"]

    def function(self):
        """The function, with its text where a compiler looks for it."""
        source, file = self.source(), f"<case {next(_serial)}>"
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        namespace = {"np": np, "math": math}
        exec(compile(source, file, "exec"), namespace)
        return namespace["f"]

    def rounds(self, seed):
        """The calls, each as a function that makes its arguments anew."""
        given = [(place, operand) for place, operand in enumerate(self.operands) if operand.form != "literal"]
        varying = [place for place, operand in given if operand.varies]
        for chosen in itertools.product(range(operands.WIDE), repeat=len(varying)):
            yield lambda chosen=dict(zip(varying, chosen)): [
                self.argument(place, operand, seed, chosen.get(place)) for place, operand in given]

    def argument(self, place, operand, seed, which):
        """Made anew where it can be written to."""
        known = values_of(self, place, operand, seed)
        if which is None:
            return operands.laid_out(known.copy(), operand.form)
        return np.array(known[which]) if operand.form == "0d" else known[which]


@functools.lru_cache(maxsize=4)
def values_of(case, place, operand, seed):
    """The items of an array, or the values of what varies."""
    chance = np.random.default_rng([seed, place, zlib.crc32(str(case).encode())])
    if operand.varies:
        return operands.scalars(operand, chance, case.tame)
    return operands.items_of_array(operand, place, chance, case.small, case.tame)


def whole_power_ulps(kind):
    """By the exponent's kind: a power of x to n is off by some n last places, if it is one of products."""
    return 256 if kind in ("bool", "int8", "uint8") or kind.isdigit() else 4096 if "int" in kind else 8


def substituted(text, name, value):
    return re.sub(rf"\b{name}\b", value, text)


@dataclasses.dataclass(frozen=True)
class Family:
    """Bodies x operands: each body with each choice of one operand from every slot."""
    area: str
    bodies: tuple
    slots: tuple
    options: dict = dataclasses.field(default_factory=dict)

    def __len__(self):
        return len(self.bodies) * math.prod(map(len, self.slots))

    def __getitem__(self, number):
        number, place = divmod(number, len(self.bodies))
        chosen = []
        for slot in self.slots:
            number, which = divmod(number, len(slot))
            chosen.append(slot[which])
        return Case(self.area, self.bodies[place], tuple(chosen), **self.options)


class Units:
    """The cases of a family, together where code for one is code for all."""

    def __init__(self, family):
        self.family = family
        self.slots = [[tuple(group) for _, group in itertools.groupby(sorted(slot, key=kind), kind)]
                      for slot in family.slots for kind in (lambda operand: operand.type,)]

    def __len__(self):
        return len(self.family.bodies) * math.prod(map(len, self.slots))

    def __getitem__(self, number):
        number, place = divmod(number, len(self.family.bodies))
        chosen = []
        for slot in self.slots:
            number, which = divmod(number, len(slot))
            chosen.append(slot[which])
        return [Case(self.family.area, self.family.bodies[place], together, **self.family.options)
                for together in itertools.product(*chosen)]


def shuffled(families, seed):
    """Every item of them once, neighbours far apart: a part of it is a sample of the whole."""
    size = sum(map(len, families))
    if not size:
        return
    step = max(1, int(size * 0.6180339887))
    while math.gcd(step, size) != 1:
        step += 1
    at = seed * 7919 % size
    for _ in range(size):
        number = at
        for family in families:
            if number < len(family):
                yield family[number]
                break
            number -= len(family)
        at = (at + step) % size


def find(families, text):
    """The case of this text."""
    area, body, names = (part.strip() for part in text.split(" :: "))
    chosen = tuple(operands.parse(name.strip()) for name in names.split(", "))
    for family in families:
        if family.area == area and body in family.bodies and len(family.slots) == len(chosen) and all(
                operand in slot for operand, slot in zip(chosen, family.slots)):
            return Case(area, body, chosen, **family.options)
    raise KeyError(text)
