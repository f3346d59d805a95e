# SPDX-License-Identifier: MIT
"""What is enumerated: operators, ufuncs, and the functions of docs/numpy-support.md."""
import functools
import re

import bodies
from cases import Family
from operands import (ARRAY_FORMS, FLOATS, INTEGERS, LITERALS, NUMBERS, PYTHON, SCALAR_FORMS, TIMES, Operand, all_of)

ARRAYS = all_of(ARRAY_FORMS, NUMBERS)
SCALARS = [*all_of(["python"], PYTHON), *all_of(["scalar", "0d"], NUMBERS)]
LITERAL = [Operand("literal", text) for text in LITERALS]
ANY = (*ARRAYS, *SCALARS)
TIME_OPERANDS = [*all_of(("1d", "2d", "empty", "strided", "scalar", "0d"), TIMES)]
TIME_PARTNERS = [*TIME_OPERANDS, Operand("python", "int"), Operand("python", "float"),
                 *all_of(("1d", "scalar"), ("bool", "int8", "int64", "uint8", "float32", "float64"))]

BINARY = ("+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^", "==", "!=", "<", "<=", ">", ">=")
IN_PLACE = tuple(f"a {op}= b; return a" for op in BINARY[:12])
UNARY = ("+a", "-a", "~a", "abs(a)")
TRUTHS = ("not a", "bool(a)", "int(a)", "float(a)", "complex(a)", "round(a)", "round(a, 1)", "a and 3", "a or 3")
PAIRS = ("divmod(a, b)", "min(a, b)", "max(a, b)", "a and b", "a or b", "pow(a, b)")
EXACT = {"ulps": 0}
# NumPy's own vectorised functions are within 4 last places, the C library's within 1
ROUNDED = {"ulps": 8}


def of_operators(bodies_of):
    return tuple(f"a {op} b" for op in bodies_of)


def operators():
    both = of_operators(BINARY)
    exact, powers = tuple(b for b in both if "**" not in b and "/" not in b), ("a ** b", "a / b")
    for texts, options in ((exact, EXACT), (powers, ROUNDED), (("a // b",), EXACT)):
        yield Family("operators", texts, (ANY, ANY), options)
        yield Family("operators", texts, (ANY, LITERAL), options)
        yield Family("operators", texts, (LITERAL, ANY), options)
    yield Family("operators", PAIRS, (SCALARS, SCALARS), ROUNDED)


def in_place():
    yield Family("in-place", IN_PLACE, (ANY, ANY), ROUNDED)
    yield Family("in-place", IN_PLACE, (ANY, LITERAL), ROUNDED)


def unary():
    yield Family("unary", UNARY, (ANY,), ROUNDED)
    yield Family("unary", TRUTHS, (SCALARS,), EXACT)


def times():
    both = of_operators(BINARY)
    yield Family("times", both, (TIME_OPERANDS, TIME_PARTNERS))
    yield Family("times", both, (TIME_PARTNERS, TIME_OPERANDS))
    yield Family("times", (*UNARY, *bodies.OF_TIMES), (TIME_OPERANDS,))
    yield Family("times", bodies.OF_TWO_TIMES, (TIME_OPERANDS, TIME_OPERANDS))


@functools.lru_cache
def ufuncs():
    """Names of the ufuncs of the table, by their number of operands."""
    from pathlib import Path
    page = (Path(__file__).resolve().parents[2] / "docs/numpy-support.md").read_text()
    listed = re.search(r"## Ufuncs .*?\n\n(.*?)\n\n##", page, re.S)[1]
    found = {1: [], 2: []}
    for name, params in re.findall(r"`(\w+)\(([^)]*)\)`", listed):
        found[params.count(",")].append(name)
    return found


def calls_of(number, arguments):
    return tuple(f"np.{name}({arguments})" for name in ufuncs()[number] if name != "i0")


def ufuncs_of_one():
    yield Family("ufuncs of one", calls_of(1, "a"), (ANY,), ROUNDED)


def ufuncs_of_two():
    texts = calls_of(2, "a, b")
    yield Family("ufuncs of two", texts, (ANY, ANY), ROUNDED)
    yield Family("ufuncs of two", texts, (ANY, LITERAL), ROUNDED)


def options():
    outs = all_of(("1d", "2d", "strided", "F", "reversed", "empty"), NUMBERS)
    some = all_of(("1d", "2d", "strided", "scalar"), NUMBERS)
    same = all_of(("1d", "2d"), NUMBERS)
    extra = ("b", "b, casting='unsafe'", "b, casting='no'", "b, casting='same_kind'", "b, where=a > 0")
    yield Family("options", tuple(f"r = np.{name}(a, out={more}); return r" for name in ufuncs()[1] if name != "i0"
                                  for more in extra), (some, outs), ROUNDED)
    yield Family("options", tuple(f"r = np.{name}(a, b, out=c); return r" for name in ufuncs()[2]),
                 (all_of(("1d",), NUMBERS), same[:13], all_of(("1d", "strided", "2d"), NUMBERS)), ROUNDED)
    dtyped = tuple(f"dtype=np.{name}" for name in ("int8", "int64", "uint8", "float32", "float64", "complex128"))
    yield Family("options", tuple(f"np.{name}(a, {more})" for name in ufuncs()[1] if name != "i0" for more in dtyped),
                 (some,), ROUNDED)
    yield Family("options", tuple(f"np.{name}(a, b, {more})" for name in ufuncs()[2] for more in dtyped),
                 (some, same), ROUNDED)


def methods_of_ufuncs():
    arrays = all_of(("1d", "2d", "strided", "F", "empty"), NUMBERS)
    some = ("add", "multiply", "subtract", "maximum", "minimum", "bitwise_and", "bitwise_or", "logical_and", "logical_or",
            "divide", "power", "fmax", "hypot", "arctan2", "gcd", "floor_divide", "less", "left_shift")
    yield Family("methods of ufuncs", tuple(f"np.{name}.{call}" for name in some for call in bodies.UFUNC_METHODS),
                 (arrays,), {"small": True, "tame": True, "ulps": 64})
    yield Family("methods of ufuncs", tuple(f"np.{name}.outer(a, b)" for name in some), (arrays, arrays),
                 {"small": True, "ulps": 8})
    yield Family("methods of ufuncs", tuple(f"np.{name}.at(a, {index}, 2); return a" for name in some
                                            for index in ("[0, 0, 2]", "(0,)", "()", "a > 0", "slice(1, None)", "-1", "1")),
                 (arrays,), {"small": True, "ulps": 8})


def functions():
    small = {"small": True}
    arrays = [*ARRAYS, *SCALARS]
    yield Family("functions", bodies.CHOOSING, (arrays,), small)
    yield Family("functions", bodies.OF_TWO, (ARRAYS, ARRAYS), small)
    yield Family("functions", bodies.WRAPPED, (ARRAYS, ARRAYS), {"small": True, "tame": True})
    yield Family("functions", bodies.NEAR, (arrays,), {"small": True, "ulps": 8})
    yield Family("functions", bodies.COUNTED, (arrays,), {"small": True, "tame": True})
    yield Family("sums", bodies.SUMS, (arrays,), {"small": True, "tame": True, "ulps": 256})
    yield Family("sums", bodies.SUMS_OF_TWO, (ARRAYS, ARRAYS), {"small": True, "tame": True, "ulps": 256})
    yield Family("methods", bodies.METHODS, (ARRAYS,), small)
    yield Family("methods", bodies.SUM_METHODS, (ARRAYS,), {"small": True, "tame": True, "ulps": 256})
    yield Family("scalar functions", bodies.MATH, (SCALARS,), ROUNDED)
    yield Family("scalar functions", bodies.COUNTS, (SCALARS,), {"tame": True})
    yield Family("scalar functions", bodies.COUNTS_OF_TWO, (SCALARS, SCALARS), {"tame": True})
    yield Family("scalar functions", bodies.MATH_OF_TWO, (SCALARS, SCALARS), ROUNDED)
    yield Family("casts", tuple(f"np.{kind}(a)" for kind in (*NUMBERS,)), (SCALARS,))
    yield Family("casts", tuple(f"a.astype(np.{kind})" for kind in NUMBERS if kind != "bool"), (ARRAYS,))


def vectorized():
    """As @vectorize: the items are scalars of the array's dtype."""
    numbers = all_of(("1d", "2d", "strided", "empty", "python", "scalar"), NUMBERS[:-2] + NUMBERS[-2:])
    numbers = [o for o in numbers if o.form != "python"]
    yield Family("vectorized", of_operators(BINARY), (numbers, numbers), {"ulps": 8, "compiled_as": "vectorize"})
    yield Family("vectorized", (*UNARY, *calls_of(1, "a")), (numbers,), {"ulps": 8, "compiled_as": "vectorize"})
    yield Family("vectorized", calls_of(2, "a, b"), (numbers, numbers), {"ulps": 8, "compiled_as": "vectorize"})


MAKERS = (operators, in_place, unary, times, ufuncs_of_one, ufuncs_of_two, options, methods_of_ufuncs, functions, vectorized)


@functools.lru_cache
def areas():
    """The families of each area, by its name."""
    found = {}
    for maker in MAKERS:
        for family in maker():
            found.setdefault(family.area, []).append(family)
    return found
