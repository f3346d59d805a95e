"""Statements that change whole arrays, rows and columns in place."""
import arrays
import containers
import kinds
import scalars
import statements

OUT_CALLS = ["np.add", "np.subtract", "np.multiply", "np.maximum"]


def filled(p, s, name, dtype, dims):
    value = scalars.number(p, s, dtype, 1)
    return f"{name}.fill({value.code})", f"{name}.fill({value.ref})"


def sorted_in_place(p, s, name, dtype, dims):
    if len(dims) != 1 or dtype in kinds.COMPLEX:
        return None
    return (kinds.unsigned_zeros(f"{name}.sort()", dtype, f"; {name} +="),) * 2


def row(p, s, name, dtype, dims):
    """One row or column from a vector of its length, or from a number."""
    if len(dims) != 2 or not all(isinstance(extent, int) and extent for extent in dims):
        return None
    c = p.choices
    axis = c.draw(2)
    code, ref = arrays.one_index(p, s, dims[axis])
    place = ["{}", ":, {}"][axis]
    vector = arrays.any_array(p, s, lambda kind: kind == ("array", dtype, (dims[1 - axis],)))
    if vector is None or c.chance(30):
        vector = scalars.number(p, s, dtype, 1)
    return f"{name}[{place.format(code)}] = {vector.code}", f"{name}[{place.format(ref)}] = {vector.ref}"


def row_swap(p, s, name, dtype, dims):
    if len(dims) != 2 or not isinstance(dims[0], int) or not dims[0]:
        return None
    one, other = p.choices.draw(dims[0]), p.choices.draw(dims[0])
    text = f"{name}[{one}], {name}[{other}] = {name}[{other}].copy(), {name}[{one}].copy()"
    return (text,) * 2


def element_swap(p, s, name, dtype, dims):
    if len(dims) != 1 or not isinstance(dims[0], int) or not dims[0]:
        return None
    one, other = p.choices.draw(dims[0]), p.choices.draw(dims[0])
    return (f"{name}[{one}], {name}[{other}] = {name}[{other}], {name}[{one}]",) * 2


def into(p, s, name, dtype, dims):
    """A ufunc with an output."""
    if dtype not in ("i8", "f8", "f4"):
        return None
    other = arrays.any_array(p, s, lambda kind: kind == ("array", dtype, dims))
    return (f"{p.choices.one_of(OUT_CALLS)}({other.code}, {other.code}, {name})",) * 2


def column_change(p, s, name, dtype, dims):
    if len(dims) < 2 or dtype not in ("i8", "f8", "u8") or not isinstance(dims[-1], int) or not dims[-1]:
        return None
    value, operator = scalars.number(p, s, dtype, 1), p.choices.one_of(["+", "*", "-"])
    place = f"..., {p.choices.draw(dims[-1])}" if p.choices.chance(50) else ", ".join([":"] * (len(dims) - 1) + ["0"])
    return (f"{name}[{place}] {operator}= {value.code}",
            f"{name}[{place}] {operator}= {arrays.scalar_operand(value)}")


def diagonal(p, s, name, dtype, dims):
    if len(dims) != 2 or not all(isinstance(extent, int) and extent for extent in dims) or dtype in kinds.COMPLEX:
        return None
    value = scalars.literal(p, dtype)
    return f"np.fill_diagonal({name}, {value.code})", f"np.fill_diagonal({name}, {value.ref})"


FORMS = [filled, sorted_in_place, row, row_swap, element_swap, into, column_change, diagonal]


def change(p, s, depth):
    name = statements.writable(p, s)
    made = p.choices.one_of(FORMS)(p, s, name, *s.variables[name][1:]) if name else None
    if made is None:
        return statements.array_variable(p, s, depth)
    return s.emit(*made)


def words(p, s, depth):
    """The parts of a string, put together again."""
    a, name, text = containers.text(p, s, 1), p.fresh("k"), p.fresh("s")
    call = p.choices.one_of(["split()", "split(',')", "split('a')"])
    s.emit(f"{name} = {a.code}.{call}", f"{name} = {a.ref}.{call}")
    s.variables[name] = ("list", "str")
    if p.choices.chance(50):
        s.emit(f"{text} = {p.choices.one_of(['+', ', ', ''])!r}.join({name})")
        s.variables[text] = "str"

