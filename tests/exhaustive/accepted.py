#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What typing accepts, code generation compiles: programs whose operands are of every type.

usage: accepted.py [--seed S] [--programs N] [--shard I/N] [--jobs J] [--kernels] [TEXT...]

A program is one to three operations on parameters, each an operator, a method, a statement, or a function of
compiler/typing/*.def with as many arguments as its row allows. Typing takes a program or refuses it, in
words for the user. It is compiled, not run: an internal error, an error of another class, or the end of
the process is a failure. With TEXT, only programs that contain one of the texts.
"""
import collections
import enum
import itertools
import linecache
import pathlib
import random
import re
import sys
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import interpreter  # noqa: F401, I001
import fork
import judge

judge.use_gridcell()

import cmath
import functools
import math
import operator

import numpy as np

import numba
from numba import cuda, njit, types
from numba.core.errors import NumbaError
from numba.experimental import jitclass

Point = collections.namedtuple("Point", "x y")
MODULES = {"np": np, "numba": numba, "math": math, "cmath": cmath, "operator": operator, "functools": functools, "cuda": cuda,
           "random": random, "Point": Point, "types": types}


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


@jitclass([("v", types.int64), ("a", types.float64[:])])
class Holder:
    def __init__(self, v):
        self.v = v
        self.a = np.zeros(v)

    def get(self):
        return self.v


@njit
def jitted(v):
    return v


RECORD = np.dtype([("a", "i4"), ("b", "f8"), ("s", "U3"), ("t", "S2"), ("n", "i2", (2, 3))])
SCALARS = [types.boolean, types.int8, types.int16, types.int32, types.int64, types.uint8, types.uint16, types.uint32, types.uint64,
           types.float16, types.float32, types.float64, types.complex64, types.complex128, types.NPDatetime("D"), types.NPDatetime("s"),
           types.NPTimedelta("s"), types.NPTimedelta("D")]
EXAMPLES = [Point(1, 2.5), Point(Point(1, "a"), None), Colour.RED, Level.LOW, np.zeros(2, RECORD), np.zeros((2, 2), RECORD), np.zeros(2, RECORD)[0],
            np.zeros(2, "U3"), np.zeros((2, 2), "S3"), np.array("ab"), b"ab", jitted, Holder, slice(1, 2), slice(1, 2, 3), np.dtype("f4"),
            bytearray(b"ab"), [1, 2], [1.5], ["a"], [(1, "a")], [[1], [2]], {1, 2}, {"a"}, {(1, 2.5)}, [np.zeros(2)], [None], [True], [1j]]


def all_types():
    arrays = [types.Array(item, ndim, layout) for item in SCALARS for ndim, layout in ((0, "C"), (1, "C"), (1, "A"), (2, "C"), (2, "F"), (3, "A"))]
    arrays += [types.Array(types.int64, 1, "C", readonly=True), types.Array(types.float64, 2, "C", readonly=True)]
    tuples = [types.Tuple(items) for items in (
        (), (types.int64,), (types.int64, types.int64), (types.float64, types.int8, types.unicode_type), (types.float64[:], types.int64[:]),
        (types.Tuple((types.int64, types.int64)), types.float64), (types.none, types.int64), (types.int64[:, ::1],) * 3, (types.boolean,) * 2,
        (types.unicode_type,) * 2, (types.ListType(types.int64), types.int64))]
    containers = [types.ListType(types.int64), types.ListType(types.unicode_type), types.ListType(types.float64[:]),
                  types.DictType(types.int64, types.float64), types.DictType(types.unicode_type, types.ListType(types.int64)),
                  types.SetType(types.int64), types.ListType(types.ListType(types.int8))]
    optional = [types.optional(item) for item in (types.int64, types.float32, types.unicode_type, types.float64[:], types.boolean,
                                                  types.complex128, types.Tuple((types.int64, types.int64)), types.ListType(types.int64))]
    functions = [types.FunctionType(types.int64(types.int64)), types.FunctionType(types.float64(types.float64, types.float64))]
    examples = []
    for example in EXAMPLES:
        examples.append(Holder.class_type.instance_type if example is Holder else numba.typeof(example))
    # common types come often
    return SCALARS * 3 + arrays + tuples * 2 + containers * 2 + optional + functions + examples * 2 + [types.unicode_type, types.none] * 6


CONSTANTS = ["0", "1", "-1", "2", "1.5", "True", "None", "'ab'", "''", "b'ab'", "1j", "()", "(1, 2)", "(1, 'a', 2.5)", "[1, 2]", "[]", "{}", "{1: 2.5}",
             "{1, 2}", "np.int8(3)", "np.float32(1)", "np.nan", "np.arange(3)", "np.zeros((2, 3))", "np.float32", "'float32'", "range(3)", "int", "float",
             "Point(1, 2)", "[[1, 2], [3, 4]]", "['a', 'b']", "((1, 2), (3, 4))", "np.newaxis", "...", "slice(1, 3)", "lambda v: v", "jitted", "Colour.RED",
             "np.uint64(2**63)", "2**62", "1e400", "(np.arange(3), 1)", "'axis'", "np.array([True, False])", "[None, 1]", "{'a': 1, 'b': 'c'}", "[1, 'a']"]

OPERATORS = [f"({{}} {op} {{}})" for op in (
    "+ - * / // % ** @ << >> & | ^ == != < <= > >= and or in".split() + ["not in", "is", "is not"])] + [
    "(-{})", "(+{})", "(~{})", "(not {})", "({} if {} else {})", "({} < {} < {})", "{}[{}]", "{}[{}, {}]", "{}[{}:{}]", "{}[{}:{}:{}]", "{}[:, {}]",
    "{}[..., {}]", "{}[{}][{}]", "({}, {})", "[{}, {}]", "{{{}, {}}}", "{{{}: {}}}", "f'{{{}}}'", "f'{{{}!r:>9}}'", "[v for v in {}]", "[v + {} for v in {}]",
    "{{v: {} for v in {}}}", "{{v for v in {}}}", "(lambda v: v)({})", "(lambda v: v + {})({})", "list(v * 2 for v in {})", "({}, *{})", "[*{}, {}]",
    "'%s %d' % ({}, {})", "'{{}} {{}}'.format({}, {})", "type({})({})", "isinstance({}, int)", "isinstance({}, (list, tuple))", "jitted({})", "Holder({})",
    "Holder({}).get()", "Point({}, {})", "Point(x={}, y={}).y", "{}({})", "{}.{member}", "{}.{member}({})", "{}.{member}({}, {})", "{}.{member}({}, {}, {})",
    "np.array({})", "np.array({}, {})", "np.asarray({}).astype({})", "np.full({}, {})", "np.zeros({}, {})", "int({})", "float({})", "complex({}, {})",
    "bool({})", "str({})", "list({})", "tuple({})", "set({})", "dict({})", "bytes({})", "range({})", "len({})", "np.float32({})", "np.uint8({})", "np.bool_({})"]
STATEMENTS = ["{}[{}] = {}", "{}[{}, {}] = {}", "{}[{}:{}] = {}", "{}[{}] += {}", "{}[:] *= {}", "del {}[{}]", "del {}[{}:{}]", "{}.{member} = {}", "a, b = {}", "a, *b = {}",
              "(a, b), c = {}", "for v in {}:\n        r = v", "for a, b in {}:\n        r = a", "for v in {}:\n        r = v + {}", "while {}:\n        r = {}\n        break",
              "r = {}\n    if {}:\n        r = {}", "r = {}\n    for v in {}:\n        r = v", "r = {}\n    r += {}", "r = {}\n    r *= {}\n    r -= {}", "r = {}\n    r |= {}",
              "assert {}, {}", "if {}:\n        raise ValueError({})", "print({}, {})", "if {}:\n        return {}", "try:\n        r = {}\n    except Exception:\n        r = {}",
              "try:\n        r = {}\n    finally:\n        q = {}", "match {}:\n        case 0:\n            r = {}\n        case [a, b]:\n            r = a\n        case _:\n            r = {}",
              "match {}:\n        case Point(x, y):\n            r = x\n        case str() | int():\n            r = {}", "with numba.parallel_chunksize({}):\n        r = {}",
              "def g(v):\n        return v, {}\n    r = g({})", "q = {}\n    def g():\n        return q\n    r = g()", "def g(v={}):\n        return v\n    r = g(), g({})",
              "yield {}", "r = [{}]\n    r.append({})", "r = []\n    r.append({})", "r = {{}}\n    r[{}] = {}", "r = set()\n    r.add({})", "for v in numba.prange({}):\n        r = {}",
              "r = sorted({}, key=lambda v: {})", "r = {}\n    s = {}\n    r, s = s, r", "while True:\n        r = {}\n        if {}:\n            break", "global_ = {}"]
MEMBERS = """real imag conjugate shape size ndim dtype T flat itemsize nbytes strides sum mean std var min max argmin argmax prod any all cumsum cumprod
astype view copy reshape ravel flatten transpose sort argsort fill item tolist take repeat nonzero searchsorted clip round dot diagonal trace put partition swapaxes squeeze
append extend insert pop remove index count clear reverse get setdefault update keys values items popitem add discard union intersection difference
symmetric_difference isdisjoint issubset issuperset upper lower strip split rsplit join replace find rfind startswith endswith isdigit isalpha center ljust zfill format encode
decode hex splitlines partition expandtabs title x y _replace _asdict name value a b s t n v get bit_length is_integer year start stop step indices start""".split()


def functions():
    """(template, fewest, most) of the rows that a program can name."""
    rows = []
    for path in sorted((HERE.parents[1] / "compiler/typing").glob("builtins*.def")):
        for name, rest in re.findall(r'^[A-Z_]+\("((?:numpy|builtins|math|cmath|operator|functools|random)\.[\w.]+)"(.*)\)$', path.read_text(), re.M):
            numbers = [int(number) for number in re.findall(r"(?<=, )-?\d+(?=, |$)", rest)]
            words = re.findall(r'"([^"]*)"', rest)
            names = words[-1].split() if words and words[-1] not in ("", "*") else []
            most = len(names) or max([*numbers[-1:], 1])
            fewest = numbers[-2] if len(numbers) > 1 and 0 <= numbers[-2] <= most else min(1, most)
            rows.append((name.replace("numpy.", "np.", 1).removeprefix("builtins."), fewest, max(fewest, min(most if most > 0 else 3, 4)), names))
    return rows


FUNCTIONS = functions()


def call_of(chance):
    name, fewest, most, names = chance.choice(FUNCTIONS)
    count = chance.randint(fewest, max(most, fewest))
    parts = ["{}"] * count
    if len(names) > count and chance.random() < 0.3:
        parts.append(chance.choice(names[count:]) + "={}")
    return f"{name}({', '.join(parts)})"


class Program:
    """Text and the types of its parameters."""

    def __init__(self, seed, all_types):
        chance = random.Random(seed)
        self.types, lines, known = [], [], []

        def operand():
            roll = chance.random()
            if known and roll < 0.3:
                return chance.choice(known)
            if roll < 0.45:
                return chance.choice(CONSTANTS)
            if self.types and roll < 0.6:
                return f"p{chance.randrange(len(self.types))}"
            self.types.append(chance.choice(all_types))
            return f"p{len(self.types) - 1}"

        def filled(template):
            while "{member}" in template:
                template = template.replace("{member}", chance.choice(MEMBERS), 1)
            text = template.replace("{{", "\0").replace("}}", "\1")
            while "{}" in text:
                text = text.replace("{}", operand(), 1)
            return text.replace("\0", "{").replace("\1", "}")
        for number in range(chance.choice((1, 1, 1, 2, 2, 3))):
            roll = chance.random()
            if roll < 0.25:
                lines.append(filled(chance.choice(STATEMENTS)))
                if re.search(r"^\s*r ", lines[-1], re.M):
                    known.append("r")
                continue
            lines.append(f"r{number} = " + filled(call_of(chance) if roll < 0.65 else chance.choice(OPERATORS)))
            known.append(f"r{number}")
        if known and chance.random() < 0.8:
            lines.append(f"return {known[-1]}")
        parameters = ", ".join(f"p{number}" for number in range(len(self.types)))
        self.source = f"def f({parameters}):\n" + "".join(f"    {line}\n" for line in lines)

    def function(self, is_kernel=False):
        source = re.sub(r"^( {4,8})return ", r"\1_ = ", self.source, flags=re.M) if is_kernel else self.source
        name = f"<program {hash(source)}>"
        linecache.cache[name] = len(source), None, source.splitlines(True), name
        namespace = {**MODULES, "jitted": jitted, "Holder": Holder, "Colour": Colour, "Level": Level}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what no program would say, such as 1.5()
            exec(compile(source, name, "exec"), namespace)
        return namespace["f"]

    def __str__(self):
        return f"{self.source!r} {tuple(map(str, self.types))}"


def verdict(program, is_kernel):
    """None: compiled; "refused"; else what is wrong."""
    try:
        f = program.function(is_kernel)
    except SyntaxError:
        return "refused"
    try:
        (cuda.jit if is_kernel else njit)(f).compile(tuple(program.types))
    except NumbaError as error:
        return " ".join(str(error).split()) if "internal" in str(error) or "LLVM" in str(error) else "refused"
    except Exception as error:  # typing says no otherwise, but of an extent that is known to be negative
        if is_kernel and isinstance(error, ValueError) and "negative dimensions" in str(error):
            return "refused"
        return f"{type(error).__name__}: {' '.join(str(error).split())}"
    return None


def failures_of(seeds, known, texts, is_kernel):
    found, compiled, refused = [], 0, 0
    for seed in seeds:
        program = Program(seed, known)
        if texts and not any(text in program.source for text in texts):
            continue
        fork.note(f"{seed}: {program}")
        answer = verdict(program, is_kernel)
        compiled += answer is None
        refused += answer == "refused"
        if answer not in (None, "refused"):
            found.append(f"{seed}: {program} :: {answer:.260}")
    return found, compiled, refused


PIECE = 25


def main():
    options = fork.options_of(__doc__, "programs", 100_000)
    known = all_types()
    first = options.seed * 10**7
    pieces = [range(at, at + PIECE) for at in range(first, first + options.programs, PIECE)][options.first::options.step]
    wrong, compiled, refused = fork.each(pieces, lambda seeds: failures_of(seeds, known, options.texts, options.kernels), options.jobs)
    print(f"{len(pieces) * PIECE} programs, {compiled} compiled, {refused} refused, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
