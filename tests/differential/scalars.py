"""Expressions of numbers and booleans."""
import re

import kernel_steps
import kinds
from program import Expr

INT_LITERALS = {"i1": [0, 1, 2, 3, 5, 7, -1, -2, 127, -128], "u1": [0, 1, 2, 3, 5, 7, 200, 255],
                "i2": [0, 1, 2, 3, -1, 100, 32767, -32768], "u2": [0, 1, 2, 3, 100, 65535],
                "i4": [0, 1, 2, 3, -1, 1000, 2147483647, -2147483648], "u4": [0, 1, 2, 3, 4294967295, 77],
                "i8": [0, 1, 2, 3, 5, -1, -3, 10, 64, 1000003, 2147483648, 9223372036854775807, -9223372036854775807],
                "u8": [0, 1, 2, 3, 5, 10, 9223372036854775808, 18446744073709551615]}
FLOAT_LITERALS = ["0.0", "1.0", "0.5", "2.0", "-1.5", "3.25", "-0.0", "1e10", "1e-3", "100.0", "1e300", "1e-310"]
PLACE = re.compile(r"{([^}]+)}")
WORD = re.compile(r"[A-Za-z_]\w*")
REAL_OR_BOOL = set(kinds.REAL) | {"b1"}
SPECIAL_FLOATS = ["np.inf", "-np.inf", "np.nan"]


def literal(p, kind):
    c = p.choices
    if kind == "b1":
        text = c.one_of(["False", "True"])
        return Expr(kind, text, text)
    if kinds.is_int(kind):
        text = str(c.one_of(INT_LITERALS[kind]))
        if kind == "i8" and len(text) < 4:
            return Expr(kind, f"({text})" if text[0] == "-" else text, f"({text})")
        # larger ones have a type: CPython computes with literals before anything is compiled, in unbounded integers
        return Expr(kind, f"{kinds.DTYPES[kind]}({text})", f"({text})")
    if kind in kinds.FLOATS:
        text = c.one_of(FLOAT_LITERALS if kind == "f8" else FLOAT_LITERALS[:10])
        if c.chance(4):
            text = c.one_of(SPECIAL_FLOATS)
        if kind == "f8":
            return Expr(kind, f"({text})" if text[0] == "-" else text, f"({text})")
        return Expr(kind, f"np.float32({text})", f"F4({text})")
    text = c.one_of(["1j", "(1+2j)", "(0.5-1j)", "0j"])
    return Expr(kind, text, text) if kind == "c16" else Expr(kind, f"np.complex64({text})", f"C8({text})")


def converted(ref, have, want):
    """The reference's text of a value in another type, as numba casts it."""
    if have == want:
        return ref
    if kinds.is_int(want):
        if have == "b1":
            return f"int({ref})"
        if kinds.is_int(have) and have[0] == want[0] and kinds.bits(have) <= kinds.bits(want):
            return ref
        return f"CUT['{want}']({ref})"
    return {"f8": f"float({ref})", "f4": f"F4({ref})", "c16": f"complex({ref})", "c8": f"C8({ref})",
            "b1": f"bool({ref})"}[want]


def cast(p, value, want):
    """An expression that converts by the name of the type, as in np.int32(x)."""
    name = kinds.DTYPES[want]
    if want == "f8" and value.kind != "b1" and p.choices.chance(50) and value.kind != "f4":
        name = "float"
    return Expr(want, f"{name}({value.code})", converted(value.ref, value.kind, want))


def tame(value, low=-100.0, high=100.0, other="0.5"):
    """A float that is known to be finite and small; `value` is a name or cheap."""
    ternary = f"({{0}} if {low} < {{0}} < {high} else {{1}})"
    if value.kind == "f8":
        return Expr("f8", ternary.format(value.code, other), ternary.format(value.ref, other))
    return Expr("f4", ternary.format(value.code, f"np.float32({other})"), ternary.format(value.ref, f"F4({other})"))


def _operation(p, s, want, depth, pick):
    """Two operands whose `pick`ed result type is `want`; None if the drawn types do not give it."""
    c = p.choices
    every = DEVICE_KINDS if p.device else kinds.NUMBERS
    left = c.one_of([want] * 4 + every)
    right = c.one_of([want] * 4 + every)
    if pick(left, right) != want:
        left = right = want
        if pick(left, right) != want:
            return None
    return number(p, s, left, depth - 1), number(p, s, right, depth - 1)


def arithmetic(p, s, want, depth):
    operands = _operation(p, s, want, depth, kinds.arithmetic)
    if not operands:
        return None
    a, b = operands
    operator = p.choices.one_of(["+", "-", "*"])
    ref = f"({converted(a.ref, a.kind, want)} {operator} {converted(b.ref, b.kind, want)})"
    if kinds.is_int(want):
        ref = f"CUT['{want}']{ref}"
    return Expr(want, f"({a.code} {operator} {b.code})", ref)


def true_division(p, s, want, depth):
    operands = _operation(p, s, want, depth, kinds.division)
    if not operands:
        return None
    a, b = operands
    name = "divide_numpy" if p.numpy_errors else "divide"
    if p.choices.chance(60):
        b = nonzero(p, b)
        if kinds.division(a.kind, b.kind) != want:
            return None
    return Expr(want, f"({a.code} / {b.code})",
                f"{name}({converted(a.ref, a.kind, want)}, {converted(b.ref, b.kind, want)})")


def nonzero(p, value):
    if kinds.is_int(value.kind):
        wide = kinds.arithmetic(value.kind, "i8")
        ref = f"({converted(value.ref, value.kind, wide)} & 15 | 1)"
        return Expr(wide, f"({value.code} & 15 | 1)", ref)
    return literal_of(p, value.kind, "2.0" if value.kind in kinds.FLOATS else None)


def literal_of(p, kind, text):
    if text is None:
        return literal(p, kind)
    return Expr(kind, text, text) if kind == "f8" else Expr(kind, f"np.float32({text})", f"F4({text})")


def floor_or_mod(p, s, want, depth):
    operands = _operation(p, s, want, depth, kinds.arithmetic)
    if not operands or want in kinds.COMPLEX or "b1" in (operands[0].kind, operands[1].kind):
        return None
    a, b = operands
    if p.choices.chance(70) or p.device:
        b = nonzero(p, b)
        if kinds.arithmetic(a.kind, b.kind) != want:
            return None
    operator, word = p.choices.one_of([("//", "floor"), ("%", "mod")])
    name = ("int_" if kinds.is_int(want) else "float_") + word + ("_numpy" if p.numpy_errors else "")
    ref = f"{name}({converted(a.ref, a.kind, want)}, {converted(b.ref, b.kind, want)})"
    return Expr(want, f"({a.code} {operator} {b.code})", f"CUT['{want}']({ref})" if want == "i8" else ref)


def bitwise(p, s, want, depth):
    if want not in ("i8", "u8", "b1"):
        return None
    if want == "b1":
        a, b = number(p, s, "b1", depth - 1), number(p, s, "b1", depth - 1)
    else:
        operands = _operation(p, s, want, depth, lambda a, b: kinds.arithmetic(a, b)
                              if kinds.is_int(a) and kinds.is_int(b) else None)
        if not operands:
            return None
        a, b = operands
    operator = p.choices.one_of(["&", "|", "^"])
    return Expr(want, f"({a.code} {operator} {b.code})",
                f"({converted(a.ref, a.kind, want)} {operator} {converted(b.ref, b.kind, want)})")


def shifted(p, s, want, depth):
    if want not in ("i8", "u8"):
        return None
    a = number(p, s, p.choices.one_of(kinds.SIGNED if want == "i8" else kinds.UNSIGNED), depth - 1)
    if not reads(s, a.code):
        a = Expr(a.kind, f"{kinds.DTYPES[a.kind]}({a.code})", a.ref)
    amount = number(p, s, "i8", depth - 2)
    operator = p.choices.one_of(["<<", ">>"])
    ref = f"({converted(a.ref, a.kind, want)} {operator} ({amount.ref} & 63))"
    return Expr(want, f"({a.code} {operator} ({amount.code} & 63))", f"CUT['{want}']({ref})")


def unary(p, s, want, depth):
    if want == "b1":
        a = number(p, s, "b1", depth - 1)
        return Expr("b1", f"(not {a.code})", f"(not {a.ref})")
    if want in ("i8", "u8"):
        kind = p.choices.one_of(kinds.SIGNED if want == "i8" else kinds.UNSIGNED)
        operator = p.choices.one_of(["-", "~", "+"])
        a = number(p, s, kind, depth - 1)
        # numba computes it in the operand's width, and widens what came of it
        return Expr(want, f"({operator}{a.code})", f"CUT['{kind}']({operator}({a.ref}))")
    if want in kinds.FLOATS + kinds.COMPLEX:
        a = number(p, s, want, depth - 1)
        return Expr(want, f"(-{a.code})", f"(-({a.ref}))")
    return None


def absolute(p, s, want, depth):
    if want == "b1":
        return None
    if want in kinds.COMPLEX:
        a = number(p, s, want, depth - 1)
        return Expr(want, f"np.conj({a.code})" if p.choices.chance(50) else f"{as_name(a.code)}.conjugate()",
                    f"({a.ref}).conjugate()")
    a = number(p, s, want, depth - 1)
    ref = f"abs({a.ref})"
    return Expr(want, f"abs({a.code})", f"CUT['{want}']({ref})" if kinds.is_int(want) else ref)


def as_name(code):
    return code if code.isidentifier() else f"({code})"


def extreme(p, s, want, depth):
    if want in kinds.COMPLEX + ["b1"]:
        return None
    operands = _operation(p, s, want, depth, kinds.unified)
    if not operands or "b1" in (operands[0].kind, operands[1].kind):
        return None
    a, b = operands
    name = p.choices.one_of(["min", "max"])
    return Expr(want, f"{name}({a.code}, {b.code})",
                f"{name}({converted(a.ref, a.kind, want)}, {converted(b.ref, b.kind, want)})")


def ternary(p, s, want, depth):
    operands = _operation(p, s, want, depth, kinds.unified)
    if not operands:
        return None
    a, b = operands
    condition = test(p, s, depth - 1)
    if a.kind != b.kind and may_be_known(s, condition):
        return None
    return Expr(want, f"({a.code} if {condition.code} else {b.code})",
                f"({converted(a.ref, a.kind, want)} if {condition.ref} else {converted(b.ref, b.kind, want)})")


def conversion(p, s, want, depth):
    c = p.choices
    if want == "b1":
        a = number(p, s, c.one_of(["i8", "u1", "i4", "u8"] + ["f8"] * (not p.device)), depth - 1)
        return Expr("b1", f"bool({a.code})", f"bool({a.ref})")
    if want in kinds.COMPLEX:
        part = "f8" if want == "c16" else "f4"
        a, b = number(p, s, part, depth - 1), number(p, s, part, depth - 1)
        name = "complex" if want == "c16" else "np.complex64"
        if want == "c8":
            return None
        return Expr(want, f"{name}({a.code}, {b.code})", f"complex({a.ref}, {b.ref})")
    if kinds.is_int(want):
        if c.chance(30) and not p.device:
            value = name_or_literal(p, s, "f8")
            a = tame(value, -1e9, 1e9, "3.5") if want == "i8" else tame(value, 0.0, 100.0, "3.5")
            name = "int" if want == "i8" else kinds.DTYPES[want]
            return Expr(want, f"{name}({a.code})", f"int({a.ref})")
        return cast(p, number(p, s, c.one_of(kinds.INTEGERS), depth - 1), want)
    source = c.one_of(["i8", "i4", "f4", "f8", "u8", "u1"])
    return cast(p, number(p, s, source, depth - 1), want)


def comparison(p, s, want, depth):
    if want != "b1":
        return None
    c = p.choices
    every = kinds.INTEGERS + ["f8", "f4"] * (not p.device)
    left, right = c.one_of(every), c.one_of(every)
    if c.chance(70):
        right = left
    a, b = number(p, s, left, depth - 1), number(p, s, right, depth - 1)
    operator = c.one_of(["<", "==", ">=", "!=", ">", "<="])
    wide = common_for_comparison(left, right)
    refs = [converted(x.ref, x.kind, wide) if wide else x.ref for x in (a, b)]
    if c.chance(10) and left == right:
        middle = number(p, s, left, depth - 2)
        other = c.one_of(["<", "<="])
        return Expr("b1", f"({a.code} {other} {middle.code} {operator} {b.code})",
                    f"({a.ref} {other} {middle.ref} {operator} {b.ref})")
    return Expr("b1", f"({a.code} {operator} {b.code})", f"({refs[0]} {operator} {refs[1]})")


def common_for_comparison(left, right):
    """The type that two numbers are compared in; integers by their values."""
    if kinds.is_int(left) and kinds.is_int(right):
        return None
    return kinds.arithmetic(left, right)


def logic(p, s, want, depth):
    if want != "b1":
        return None
    a, b = number(p, s, "b1", depth - 1), number(p, s, "b1", depth - 1)
    operator = p.choices.one_of(["and", "or"])
    return Expr("b1", f"({a.code} {operator} {b.code})", f"({a.ref} {operator} {b.ref})")


def mathematics(p, s, want, depth):
    c = p.choices
    if p.device:
        return None
    if want == "b1":
        name = c.one_of(["math.isnan", "math.isinf", "np.isnan", "np.isfinite", "math.isfinite"])
        a = number(p, s, c.one_of(kinds.FLOATS), depth - 1)
        return Expr("b1", f"{name}({a.code})", f"bool({name}({a.ref}))")
    if want == "i8":
        name = c.one_of(["math.floor", "math.ceil", "math.trunc", "round"])
        a = tame(name_or_literal(p, s, "f8"))
        return Expr("i8", f"{name}({a.code})", f"{name}({a.ref})")
    if want == "f8":
        if c.chance(40):
            return transcendental(p, s)
        name = c.one_of(["math.fabs", "np.sqrt", "np.floor", "np.ceil", "np.trunc", "np.abs", "np.rint"])
        a = number(p, s, "f8", depth - 1)
        return Expr("f8", f"{name}({a.code})", f"float({name}({a.ref}))")
    if want == "f4":
        name = c.one_of(["np.sqrt", "np.floor", "np.abs", "np.ceil"])
        a = number(p, s, "f4", depth - 1)
        return Expr("f4", f"{name}({a.code})", f"{name}({a.ref})")
    return None


def transcendental(p, s):
    """Cut to sixteen bits behind the point, off the values that libraries may round to either side."""
    name = p.choices.one_of(["sin", "cos", "exp", "log", "tanh", "atan", "log1p", "expm1", "sinh", "cbrt"])
    low, high = (0.01, 90.0) if name.startswith("log") else (-20.0, 20.0)
    module = "np" if name != "atan" and p.choices.chance(50) or name == "cbrt" else "math"
    a = tame(name_or_literal(p, s, "f8"), low, high)
    text = "np.floor({0}.{1}({2}) * 65536.0 + 0.37)"
    if s.program.numpy_errors and name == "cbrt":
        name = "exp"
    return Expr("f8", text.format(module, name, a.code), f"float({text.format(module, name, a.ref)})")


def complex_part(p, s, want, depth):
    if want == "f8":
        a = number(p, s, "c16", depth - 1)
        part = p.choices.one_of(["real", "imag"])
        return Expr("f8", f"{as_name(a.code)}.{part}", f"({a.ref}).{part}")
    return None


def walrus(p, s, want, depth):
    """A named expression; the name counts as set only behind the statement that it is in."""
    return None


def reads(s, code):
    return any(word in s.variables for word in WORD.findall(code))


def test(p, s, depth):
    """A condition that reads a parameter. CPython and numba drop what stands behind constant ones, and a variable
    of the branches that are left may have another type then."""
    made = number(p, s, "b1", depth)
    words = set(WORD.findall(made.code))
    if words.intersection(s.parameters) and not words & {"True", "False"}:
        return made
    for name in s.parameters:
        kind = s.variables.get(name)
        if kind in REAL_OR_BOOL:
            return Expr("b1", f"({name} < 3)", f"({name} < 3)")
        if kinds.is_array(kind) or kind == "str" or kind and kind[0] in ("list", "dict", "set", "records"):
            return Expr("b1", f"(len({name}) < 3)", f"(len({name}) < 3)")
        if kind and kind[0] == "tuple" and kind[1][0] in REAL_OR_BOOL:
            return Expr("b1", f"({name}[0] < 3)", f"({name}[0] < 3)")
    return made


def may_be_known(s, condition):
    """Whether it reads no parameter, where there is none to read, or whichever way it goes something that may be known:
    the type of what it chooses is that of one branch then, as in numba."""
    words = set(WORD.findall(condition.code))
    return not words.intersection(s.parameters) or not words.isdisjoint(("if", "and", "or"))


def name_or_literal(p, s, kind):
    return variable(p, s, kind, 15) or literal(p, kind)


def variable(p, s, kind, others):
    """A variable of the kind, if there is one; in so many of a hundred cases none."""
    names = s.names(lambda have: have == kind)
    if not names or p.choices.chance(others):
        return None
    name = p.choices.one_of(names)
    return Expr(kind, name, name)


PRODUCTIONS = [(6, arithmetic), (2, unary), (2, comparison), (2, true_division), (2, floor_or_mod), (2, bitwise),
               (2, shifted), (1, absolute), (2, extreme), (2, ternary), (3, conversion), (1, logic),
               (2, mathematics), (1, complex_part)]
MORE = []  # (weight, production) that other modules add: elements, calls, lengths


DEVICE_KINDS = kinds.INTEGERS + ["b1"]
DEVICE_PRODUCTIONS = PRODUCTIONS[:2] + PRODUCTIONS[2:3] + PRODUCTIONS[4:12]


def number(p, s, kind, depth):
    with p.choices.span():
        if p.device and kind in kinds.FLOATS:
            return kernel_steps.exact_float(p, s, kind, depth)
        if depth <= 0 or not p.choices.chance(80):
            return name_or_literal(p, s, kind)
        made = p.choices.weighted(DEVICE_PRODUCTIONS if p.device else PRODUCTIONS + MORE)(p, s, kind, depth)
        return made if made is not None else name_or_literal(p, s, kind)
