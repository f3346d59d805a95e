"""Expressions of arrays, and the numbers that are taken from them.

Shapes are known as far as the program shows them: operands of one operation have the same dimensions, or
broadcast. Sums of floats are taken only where no order of adding can round (`exact`).
"""
import functools

import numpy as np

import kinds
import numpy_calls
import scalars
from program import Expr

WRAP = {kind: f"{name}" for kind, name in kinds.DTYPES.items()}


@functools.cache
def dtype_of(operation, *dtypes):
    """The dtype that NumPy's function gives for arrays of these; None where it refuses them."""
    try:
        with np.errstate(all="ignore"):
            made = getattr(np, operation)(*[np.ones(1, dtype) for dtype in dtypes])
    except TypeError:
        return None
    name = made.dtype.str[1:]
    return name if name in kinds.DTYPES else None


def scalar_operand(value):
    """A number beside an array: of numba's type in the reference, where NumPy would take Python's as weak."""
    return f"{WRAP[value.kind]}({value.ref})" if value.kind not in ("f4", "c8") else value.ref


def any_array(p, s, accept=lambda kind: True):
    names = s.names(lambda kind: kinds.is_array(kind) and accept(kind))
    if not names:
        return None
    name = p.choices.one_of(names)
    return Expr(s.variables[name], name, name)


def dims_unified(a, b):
    """The shape of an elementwise operation, or None where nobody knows that it works."""
    if len(a) < len(b):
        a, b = b, a
    padded = (1,) * (len(a) - len(b)) + b
    dims = []
    for one, other in zip(a, padded):
        if one != other and 1 not in (one, other):
            return None
        dims.append(other if one == 1 else one)
    return tuple(dims)


def operand_beside(p, s, a):
    """An array or a number to combine with the array a."""
    other = any_array(p, s, lambda kind: dims_unified(a.kind[2], kind[2]) is not None)
    if other is None or p.choices.chance(35):
        kind = p.choices.one_of(["i8", "f8", a.kind[1], "i4", "u1"])
        value = scalars.number(p, s, kind, 1)
        return Expr(("array", kind, ()), value.code, scalar_operand(value))
    return other


BINARY = [("add", "+"), ("subtract", "-"), ("multiply", "*"), ("true_divide", "/"), ("floor_divide", "//"),
          ("remainder", "%"), ("less", "<"), ("equal", "=="), ("greater_equal", ">="), ("bitwise_and", "&"),
          ("bitwise_or", "|"), ("bitwise_xor", "^"), ("minimum", None), ("maximum", None), ("not_equal", "!=")]


def beside(a, b):
    """In numba integers of any width take the float type of what they meet in an operation on arrays."""
    for one, other in ((a, b), (b, a)):
        if kinds.is_int(one.kind[1]) and other.kind[1] in ("f4", "c8"):
            dtype = kinds.DTYPES[other.kind[1]]
            text = f"{one.ref}.astype({dtype})" if one.kind[2] else f"{dtype}({one.ref})"
            narrow = Expr(kinds.array(other.kind[1], *one.kind[2]), one.code, text)
            return (narrow, b) if one is a else (a, narrow)
    return a, b


def elementwise(p, s, a, depth):
    b = operand_beside(p, s, a)
    if p.choices.chance(50):
        a, b = b, a
    a, b = beside(a, b)
    name, operator = p.choices.one_of(BINARY)
    dtype = dtype_of(name, a.kind[1], b.kind[1])
    dims = dims_unified(a.kind[2], b.kind[2])
    if dtype is None or dims == () or {a.kind[1], b.kind[1]} & set(kinds.COMPLEX) and name in UNORDERED:
        return None
    if "b1" in (a.kind[1], b.kind[1]) and name in ("floor_divide", "remainder", "true_divide"):
        return None
    if operator is None or p.choices.chance(20):
        zeros = dtype if operator is None else "b1"  # of 0.0 and -0.0 neither is the less
        return Expr(kinds.array(dtype, *dims), *(kinds.unsigned_zeros(f"(np.{name}({left}, {right})", zeros) + ")"
                                                 for left, right in ((a.code, b.code), (a.ref, b.ref))))
    return Expr(kinds.array(dtype, *dims), f"({a.code} {operator} {b.code})", f"({a.ref} {operator} {b.ref})")


UNORDERED = {"less", "greater_equal", "minimum", "maximum", "true_divide", "multiply"}  # complex: order, or roundings
UNARY = ["negative", "abs", "sqrt", "floor", "square", "sign", "ceil", "logical_not", "isnan", "invert", "trunc",
         "conj", "reciprocal"]


def unary(p, s, a, depth):
    name = p.choices.one_of(UNARY)
    dtype = dtype_of(name, a.kind[1])
    if dtype is None or dtype == "f2":
        return None
    if a.kind[1] in kinds.COMPLEX and name not in ("negative", "conj"):
        return None
    if kinds.is_int(a.kind[1]) and name in ("reciprocal", "isnan", "floor", "ceil", "trunc", "conj"):
        return None
    if name in ("isnan", "floor", "ceil", "trunc", "sqrt", "reciprocal", "conj") and a.kind[1] == "b1":
        return None
    if name == "sqrt" and dtype != "f8" and a.kind[1] != "f4":
        return None
    if name == "negative" and p.choices.chance(60):
        return Expr(kinds.array(dtype, *a.kind[2]), f"(-{a.code})", f"(-{a.ref})")
    ref = "sign" if name == "sign" and dtype in kinds.FLOATS else f"np.{name}"
    return Expr(kinds.array(dtype, *a.kind[2]), f"np.{name}({a.code})", f"{ref}({a.ref})")


def selection(p, s, a, depth):
    """np.where of a comparison."""
    b = any_array(p, s, lambda kind: kind[1:] == a.kind[1:])
    test = comparison_with(p, s, a)
    if b is None or test is None:
        return None
    return Expr(a.kind, f"np.where({test.code}, {a.code}, {b.code})", f"np.where({test.ref}, {a.ref}, {b.ref})")


def comparison_with(p, s, a):
    if a.kind[1] in kinds.COMPLEX or a.kind[1] == "b1":
        return None
    value = scalars.number(p, s, a.kind[1], 1)
    operator = p.choices.one_of([">", "<", "<=", "!="])
    return Expr(kinds.array("b1", *a.kind[2]), f"({a.code} {operator} {value.code})",
                f"({a.ref} {operator} {scalar_operand(value)})")


def converted(p, s, a, depth):
    have = a.kind[1]
    choices = {"b1": ["i8", "u1", "f8"], "f8": ["f4"], "f4": ["f8"], "c8": ["c16"], "c16": ["c8"]}.get(
        have, kinds.INTEGERS + kinds.FLOATS)
    want = p.choices.one_of(choices)
    text = f"{{}}.astype({kinds.DTYPES[want]})"
    return Expr(kinds.array(want, *a.kind[2]), text.format(a.code), text.format(a.ref))


def bound(p, s, extent):
    """The text of one bound of a slice; any integer will do."""
    c = p.choices
    if c.chance(40):
        return "", ""
    if c.chance(60):
        most = extent if isinstance(extent, int) else 5
        text = str(c.draw(2 * most + 3) - most - 1)
        return text, text
    value = scalars.number(p, s, c.one_of(["i8", "i4"]), 1)
    return value.code, value.ref


def one_slice(p, s, extent):
    """The two texts of a slice, and the extent of what it takes."""
    low, high = bound(p, s, extent), bound(p, s, extent)
    step = p.choices.one_of(["", "", "2", "-1", "3", "-2"])
    step = ":" + step if step else ""
    if not low[0] and not high[0] and step in ("", ":-1"):
        taken = extent
    else:
        taken = p.fresh("n")
    return f"{low[0]}:{high[0]}{step}", f"{low[1]}:{high[1]}{step}", taken


def one_index(p, s, extent):
    """The two texts of an index within an extent that is known."""
    c = p.choices
    if c.chance(50):
        text = str(c.draw(2 * extent) - extent)
        return text, text
    value = scalars.number(p, s, c.one_of(["i8", "i4", "u1", "u8"]), 1)
    ref = scalars.converted(value.ref, value.kind, "i8")
    return f"{value.code} % {extent}", f"{ref} % {extent}"


def sliced(p, s, a, depth):
    dims, codes, refs = [], [], []
    for extent in a.kind[2]:
        if isinstance(extent, int) and extent and len(a.kind[2]) > 1 and p.choices.chance(35):
            code, ref = one_index(p, s, extent)
        else:
            code, ref, taken = one_slice(p, s, extent)
            dims.append(taken)
        codes.append(code)
        refs.append(ref)
    if not dims:
        return None
    return Expr(kinds.array(a.kind[1], *dims), f"{a.code}[{', '.join(codes)}]", f"{a.ref}[{', '.join(refs)}]")


def reshaped(p, s, a, depth):
    dims, code, ref = a.kind[2], scalars.as_name(a.code), a.ref
    form = p.choices.one_of(["copy", "T", "ravel", "flatten", "reshape", "newaxis", "ascontiguousarray"])
    if form == "copy":
        return Expr(a.kind, f"{code}.copy()", f"{ref}.copy()")
    if form == "T":
        return Expr(kinds.array(a.kind[1], *dims[::-1]), f"{code}.T", f"{ref}.T")
    if form == "ascontiguousarray":
        return Expr(a.kind, f"np.ascontiguousarray({a.code})", f"np.ascontiguousarray({ref})")
    if form == "newaxis":
        if len(dims) > 2:
            return None
        return Expr(kinds.array(a.kind[1], 1, *dims), f"{code}[np.newaxis]", f"{ref}[np.newaxis]")
    known = all(isinstance(extent, int) for extent in dims)
    size = int(np.prod(dims)) if known else p.fresh("n")
    if form != "reshape":
        return Expr(kinds.array(a.kind[1], size), f"{code}.{form}()", f"{ref}.{form}()")
    if not known or size % 2 or not size:
        return None
    shape = p.choices.one_of([(2, size // 2), (size // 2, 2), (size,), (1, 2, size // 2)])
    text = f".copy().reshape({shape})" if p.choices.chance(50) else f".flatten().reshape({', '.join(map(str, shape))})"
    return Expr(kinds.array(a.kind[1], *shape), code + text, ref + text)


def constructed(p, s, a, depth):
    c = p.choices
    dims = tuple(c.one_of([3, 4, 2, 5, 1]) for _ in range(c.one_of([1, 1, 2, 3])))
    dtype = c.one_of(kinds.NUMBERS)
    form = c.one_of(["zeros", "ones", "full", "arange", "array", "zeros_like", "eye", "nested"])
    if form in ("zeros", "ones"):
        text = f"np.{form}({dims if len(dims) > 1 else dims[0]}, dtype={kinds.DTYPES[dtype]})"
    elif form == "full":
        value = scalars.number(p, s, dtype, 1)
        return Expr(kinds.array(dtype, *dims), f"np.full({dims}, {value.code})",
                    f"np.full({dims}, {scalar_operand(value)})")
    elif form == "arange":
        dtype, dims = "i8", (dims[0] * 2,)
        text = f"np.arange({dims[0]})"
    elif form == "eye":
        dtype, dims = "f8", (dims[0], dims[0])
        text = f"np.eye({dims[0]})"
    elif form == "zeros_like" and a is not None:
        name = c.one_of(["zeros_like", "ones_like"])
        return Expr(a.kind, f"np.{name}({a.code})", f"np.{name}({a.ref})")
    else:
        return of_values(p, s, dtype, dims[0], form == "nested")
    return Expr(kinds.array(dtype, *dims), text, text)


def of_values(p, s, dtype, count, nested):
    values = [scalars.number(p, s, dtype, 1) for _ in range(count)]
    code = ", ".join(value.code for value in values)
    ref = ", ".join(value.ref for value in values)
    rows = "[[{0}], [{0}]]" if nested else "[{0}]"
    dims = (2, count) if nested else (count,)
    return Expr(kinds.array(dtype, *dims), f"np.array({rows.format(code)})",
                f"np.array({rows.format(ref)}, dtype={kinds.DTYPES[dtype]})")


def of_one_dimension(p, s, a, depth):
    """Functions of vectors."""
    if len(a.kind[2]) != 1 or a.kind[1] in kinds.COMPLEX:
        return None
    dtype, (extent,) = a.kind[1], a.kind[2]
    form = p.choices.one_of(["sort", "cumsum", "diff", "flip", "roll", "repeat", "concatenate", "unique", "mask",
                             "argsort", "nonzero", "fancy", "stack", "clip", "append", "outer", "searchsorted"])
    fresh = kinds.array(dtype, p.fresh("n"))
    summed = {"b1": "i8", "f4": "f4", "f8": "f8"}.get(dtype, "i8" if dtype in kinds.SIGNED else "u8")

    def made(kind, text):
        return Expr(kind, text.format(a.code), text.format(a.ref))

    if form == "sort":
        return made(a.kind, "(" + kinds.unsigned_zeros("np.sort({})", dtype) + ")")
    if form == "cumsum" and dtype != "b1":
        return made(kinds.array(summed, extent), p.choices.one_of(["np.cumsum({})", "{}.cumsum()"]))
    if form == "diff" and dtype in ("i8", "f8", "f4", "i4"):
        return made(fresh, "np.diff({})")
    if form == "flip":
        return made(a.kind, p.choices.one_of(["np.flip({})", "np.flipud({})"]))
    if form == "roll":
        return made(a.kind, f"np.roll({{}}, {p.choices.draw(9) - 4})")
    if form == "repeat":
        count = p.choices.draw(3) + 1
        return made(kinds.array(dtype, extent * count) if isinstance(extent, int) else fresh,
                    f"np.repeat({{}}, {count})")
    if form == "unique" and dtype not in kinds.FLOATS:
        return made(fresh, "np.unique({})")
    if form == "argsort":
        return made(kinds.array("i8", extent), "np.argsort({}, kind='mergesort')")
    if form == "nonzero":
        return made(kinds.array("i8", p.fresh("n")), p.choices.one_of(["np.nonzero({})[0]", "np.where({})[0]"]))
    if form == "mask":
        test = comparison_with(p, s, a)
        return test and Expr(fresh, f"{a.code}[{test.code}]", f"{a.ref}[{test.ref}]")
    return of_two_vectors(p, s, a, form, fresh)


def of_two_vectors(p, s, a, form, fresh):
    dtype, (extent,) = a.kind[1], a.kind[2]
    if form == "fancy" and isinstance(extent, int) and extent:
        count = p.choices.draw(4) + 1
        text = str([p.choices.draw(2 * extent) - extent for _ in range(count)])
        return Expr(kinds.array(dtype, count), f"{a.code}[np.array({text})]", f"{a.ref}[np.array({text})]")
    if form == "clip" and dtype in ("i8", "f8"):
        text = "np.clip({}, -2, 3)" if dtype == "i8" else "np.clip({}, -2.0, 3.5)"
        return Expr(a.kind, text.format(a.code), text.format(a.ref))
    if form == "searchsorted" and dtype in ("i8", "f8"):
        value = scalars.number(p, s, dtype, 1)
        return Expr(kinds.array("i8", 1), f"np.array([np.searchsorted(np.sort({a.code}), {value.code})])",
                    f"np.array([np.searchsorted(np.sort({a.ref}), {value.ref})])")
    b = any_array(p, s, lambda kind: kind[1] == dtype and len(kind[2]) == 1)
    if form in ("concatenate", "append"):
        text = "np.concatenate(({}, {}))" if form == "concatenate" else "np.append({}, {})"
        return Expr(fresh, text.format(a.code, b.code), text.format(a.ref, b.ref))
    if form == "stack" and b.kind == a.kind:
        text = p.choices.one_of(["np.stack(({}, {}))", "np.vstack(({}, {}))"])
        return Expr(kinds.array(dtype, 2, extent), text.format(a.code, b.code), text.format(a.ref, b.ref))
    if form == "outer" and dtype in ("f8", "i8"):
        return Expr(kinds.array(dtype, extent, b.kind[2][0]), f"np.outer({a.code}, {b.code})",
                    f"np.outer({a.ref}, {b.ref})")
    return None


def along_axis(p, s, a, depth):
    """Reductions of some dimensions; those of floats only in any order."""
    dims, dtype = a.kind[2], a.kind[1]
    if len(dims) < 2 or dtype in kinds.COMPLEX:
        return None
    axis = p.choices.draw(len(dims))
    left = dims[:axis] + dims[axis + 1:]
    if not isinstance(dims[axis], int) or not dims[axis]:
        return None
    form = p.choices.one_of(["sum", "max", "min", "argmax", "any", "prod", "cumsum"])
    if form in ("sum", "prod", "cumsum"):
        if dtype in kinds.FLOATS or dtype == "b1":
            return None
        dtype = "i8" if dtype in kinds.SIGNED else "u8"
    if form in ("argmax", "any"):
        if dtype in kinds.FLOATS or form == "argmax" and dtype == "b1":
            return None
        dtype = "i8" if form == "argmax" else "b1"
    if form in ("max", "min") and dtype == "b1":
        return None
    axis = axis - len(dims) if p.choices.chance(30) else axis
    text = f"np.{form}({{}}, axis={axis})" if p.choices.chance(50) else f"{{}}.{form}(axis={axis})"
    return Expr(kinds.array(dtype, *(dims if form == "cumsum" else left)), text.format(scalars.as_name(a.code)),
                text.format(a.ref))


PRODUCTIONS = [(2, reshaped), (6, elementwise), (2, unary), (4, sliced), (3, constructed), (2, converted),
               (4, of_one_dimension), (2, selection), (2, along_axis), (5, numpy_calls.call)]


def array(p, s, depth=2):
    """Some array, or None where there is none to begin with."""
    with p.choices.span():
        made = None
        for _ in range(3):  # what does not fit the array that was drawn may fit another
            a = any_array(p, s)
            if a is None:
                return constructed(p, s, None, depth)
            made = made or p.choices.weighted(PRODUCTIONS)(p, s, a, depth)
        if made is None or len(made.kind[2]) > 3:
            return None
        if depth > 1 and p.choices.chance(25):
            name = p.fresh("t")
            s.assign(name, made)
            s.variables[name] = made.kind
            return array(p, s, depth - 1) or made
        return made
