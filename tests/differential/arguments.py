"""What main is called with: numbers of every dtype, arrays in several layouts, containers, objects."""
import containers
import kinds
import scalars
from program import Expr

ARRAY_DTYPES = ["f8", "i8", "i4", "f4", "u1", "b1", "c16", "i2", "u8", "c8", "i1", "u4", "u2"]
DIMS = [(5,), (4,), (3, 4), (1,), (2, 3), (8,), (2, 3, 2), (2, 2), (0,), (1, 4), (12,)]


def argument(p):
    """A maker of values of one type, for several calls, and whether they are arrays of floats to be summed and
    only read."""
    makers = [(6, array), (4, number), (1, text), (2, container), (1, typed), (1, instance)]
    return p.choices.weighted(makers)(p)


def number(p):
    kind = p.choices.one_of(kinds.NUMBERS)
    return lambda: scalars.literal(p, kind), False


def text(p):
    return lambda: word(p), False


def word(p):
    return Expr("str", *[f"'{p.choices.one_of(containers.WORDS)}'"] * 2)


def element_text(c, dtype, exact):
    if dtype == "b1":
        return c.one_of(["False", "True"])
    if kinds.is_int(dtype):
        if c.chance(15):
            return str(c.one_of(scalars.INT_LITERALS[dtype]))
        return str(c.draw(10))
    if dtype in kinds.FLOATS:
        if not exact and c.chance(10):
            return c.one_of(scalars.SPECIAL_FLOATS + ["1e30", "-0.0", "1e-30"])
        return str((c.draw(64) - 16) / 8)
    return f"({c.draw(8) - 3}+{c.draw(5)}j)"


def array(p):
    c = p.choices
    dtype, dims = c.one_of(ARRAY_DTYPES), c.one_of(DIMS)
    exact = dtype == "f8" and c.chance(60)
    form = c.one_of(["C", "C", "C", "F", "strided", "reversed", "transposed", "field"])
    size = 1
    for extent in dims:
        size *= extent
    kind = kinds.array(dtype, *(dims[::-1] if form == "transposed" and len(dims) == 2 else dims))

    def make():
        flat = f"[{', '.join(element_text(c, dtype, exact) for _ in range(size))}]"
        made = laid_out(f"np.array({flat}, dtype={kinds.DTYPES[dtype]}).reshape({dims})", form, len(dims))
        return Expr(kind, made, made)

    return make, exact


def laid_out(made, form, count):
    """The text of an array of that many dimensions in one of several layouts."""
    if form == "F":
        return f"np.asfortranarray({made})"
    if form == "strided":
        for axis in range(count):
            made = f"np.repeat({made}, 2, axis={axis})"
        return f"{made}[{', '.join(['::2'] * count)}]"
    if form == "reversed":
        return f"{made}[::-1]"
    if form == "transposed" and count == 2:
        return f"{made}.T"
    return f"in_record({made})" if form == "field" else made


def container(p):
    kind = p.choices.one_of([("tuple", ("i8", "f8")), ("tuple", ("i8", "i8", "i8")), ("list", "i8"), ("list", "f8"),
                             ("set", "i8"), ("tuple", ("f4", "str")), ("list", "str")])
    if kind[0] == "tuple":
        return lambda: literal_tuple(p, kind), False
    left, right = ("{", "}") if kind[0] == "set" else ("[", "]")

    def make():
        parts = [constant(p, kind[1]) for _ in range(1 + p.choices.draw(4))]
        return Expr(kind, *[left + ", ".join(part[side] for part in parts) + right for side in (1, 2)])

    return make, False


def constant(p, kind):
    return word(p) if kind == "str" else scalars.literal(p, kind)


def literal_tuple(p, kind):
    parts = [constant(p, part) for part in kind[1]]
    return Expr(kind, *[f"({', '.join(part[side] for part in parts)},)" for side in (1, 2)])


def typed(p):
    """numba.typed.List and Dict, which the reference has as Python's."""
    c = p.choices

    def make_dict():
        keys = sorted({c.draw(9) for _ in range(1 + c.draw(4))})
        items = ", ".join(f"{key}: {c.draw(9)}.5" for key in keys)
        return Expr(("dict", "i8", "f8"), f"typed_dict({{{items}}})", f"{{{items}}}")

    def make_list():
        items = ", ".join(str(c.draw(100)) for _ in range(1 + c.draw(5)))
        return Expr(("list", "i8"), f"typed_list([{items}])", f"[{items}]")

    return make_dict if c.chance(50) else make_list, False


def instance(p):
    """An instance of a class that the program defines, if it does."""
    if not p.classes:
        return number(p)
    name, count = p.choices.one_of(list(p.classes)), 1 + p.choices.draw(4)
    return lambda: p.classes[name].instance(p, count), False
