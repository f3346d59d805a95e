"""More of NumPy's functions, as a table: the call, the arrays that it takes, the array that it gives."""
import kinds
import scalars
from program import Expr

ORDERED = [kind for kind in kinds.NUMBERS if kind not in kinds.COMPLEX]
WHOLE = kinds.INTEGERS
FEW = ["i8", "f8", "i4", "f4"]


def same(dims):
    return dims


def fresh_vector(dims):
    return ("fresh",)


def flat(dims):
    size = 1
    for extent in dims:
        size = size * extent if isinstance(extent, int) and isinstance(size, int) else "fresh"
    return (size,)


def times(count):
    return lambda dims: (dims[0] * count if isinstance(dims[0], int) else "fresh",)


# call, dtypes, numbers of dimensions, the result's dtype (None: the same), its dimensions
CALLS = [
    ("np.cumprod({})", ["i8", "u8"], (1,), None, same),
    ("np.diag({})", FEW, (1,), None, lambda dims: dims * 2),
    ("np.tril({})", FEW, (2,), None, same),
    ("np.triu({}, 1)", FEW, (2,), None, same),
    ("np.diag({}).copy()", FEW, (2,), None, fresh_vector),
    ("np.fliplr({})", ORDERED, (2, 3), None, same),
    ("np.rot90({})", FEW, (2,), None, lambda dims: dims[::-1]),
    ("np.swapaxes({}, 0, 1)", ORDERED, (2, 3), None, lambda dims: (dims[1], dims[0], *dims[2:])),
    ("np.expand_dims({}, 0)", ORDERED, (1, 2), None, lambda dims: (1, *dims)),
    ("np.expand_dims({}, 1)", ORDERED, (1, 2), None, lambda dims: (dims[0], 1, *dims[1:])),
    ("np.atleast_2d({})", FEW, (1,), None, lambda dims: (1, *dims)),
    ("np.hstack(({0}, {0}))", ORDERED, (1,), None, times(2)),
    ("np.concatenate(({0}, {0}), axis=0)", FEW, (2,), None, lambda dims: ("fresh", dims[1])),
    ("np.concatenate(({0}, {0}), axis=1)", FEW, (2,), None, lambda dims: (dims[0], "fresh")),
    ("np.stack(({0}, {0}), axis=1)", FEW, (1,), None, lambda dims: (*dims, 2)),
    ("np.column_stack(({0}, {0}))", FEW, (1,), None, lambda dims: (*dims, 2)),
    ("np.tile({}, 2)", FEW, (1,), None, times(2)),
    ("np.take({}, np.array([0, -1, 0]))", ORDERED, (1, 2), None, lambda dims: (3,)),
    ("np.delete({}, 0)", FEW, (1,), None, fresh_vector),
    ("np.insert({}, 0, 3)", FEW, (1,), None, fresh_vector),
    ("np.union1d({0}, {0})", WHOLE, (1,), None, fresh_vector),
    ("np.intersect1d({0}, {0})", WHOLE, (1,), None, fresh_vector),
    ("np.isin({0}, {0}[1:])", WHOLE, (1,), "b1", same),
    ("np.ravel({})", ORDERED, (1, 2, 3), None, flat),
    ("np.nan_to_num({})", kinds.FLOATS, (1, 2), None, same),
    ("np.trim_zeros({})", FEW, (1,), None, fresh_vector),
    ("np.bincount({} & 7)", ["u1", "i8"], (1,), "i8", fresh_vector),
    ("np.digitize({}, np.array([1, 3, 5]))", ["i8", "i4"], (1,), "i8", same),
    ("np.array_split({}, 2)[0]", FEW, (1,), None, fresh_vector),
    ("np.flatnonzero({})", ORDERED, (1, 2), "i8", fresh_vector),
    *((f"({kinds.unsigned_zeros('np.sort({})[::-1]', dtype)})", [dtype], (1,), None, same) for dtype in ORDERED),
    ("np.copysign({}, -1.0)", ["f8"], (1, 2), None, same),
    ("np.fmax({0}, {0})", ORDERED, (1, 2), None, same),
    ("np.left_shift({}, 3)", ["i8"], (1, 2), None, same),
    ("np.right_shift({}, 1)", ["i8"], (1, 2), None, same),
    ("np.logical_and({0}, {0})", ORDERED, (1, 2), "b1", same),
    ("np.logical_xor({0}, {0})", ["i8", "u1", "b1"], (1, 2), "b1", same),
    ("np.round({})", ["f8"], (1, 2), None, same),
    ("np.select([{0} > 2, {0} < 0], [{0}, -{0}], 1)", ["i8"], (1,), None, same),
    ("np.broadcast_to({}, (2, 4)) + 1", ["i8"], (1,), None, None),
    ("({0} & 15) @ ({0} & 15).T", ["i8"], (2,), None, lambda dims: (dims[0], dims[0])),
    ("np.kron({0} & 7, {0} & 7)", ["i8"], (1,), None, fresh_vector),
    ("np.vstack(({0}, {0}))", FEW, (2,), None, lambda dims: ("fresh", dims[1])),
    ("np.add.accumulate({})", ["i8"], (1,), None, same),
    ("np.fabs({})", ["f8"], (1, 2), None, same),
    ("np.searchsorted(np.sort({0}), {0})", ["i8", "f8"], (1,), "i8", same),
    ("np.floor_divide({}, 3)", ["i8", "f8"], (1, 2), None, same),
]


def call(p, s, a, depth):
    rows = [row for row in CALLS if a.kind[1] in row[1] and len(a.kind[2]) in row[2]]
    if not rows:
        return None
    text, _, _, dtype, shape = p.choices.one_of(rows)
    if shape is None:
        return None if a.kind[2] != (4,) else _made(a, text, kinds.array(a.kind[1], 2, 4))
    dims = tuple(p.fresh("n") if extent == "fresh" else extent for extent in shape(a.kind[2]))
    if "take" in text and not all(isinstance(extent, int) and extent for extent in a.kind[2]):
        return None
    if "delete" in text and not all(isinstance(extent, int) and extent for extent in a.kind[2]):
        return None
    return _made(a, text, kinds.array(dtype or a.kind[1], *dims))


def _made(a, text, kind):
    if a.code.isidentifier():
        return Expr(kind, text.format(a.code), text.format(a.ref))
    return None


NUMBERS = {
    "i8": ["np.ptp({i8})", "int(np.median({i8} & 255))", "np.trace({i8:2})", "{i8}.sum(dtype=np.int64)",
           "np.count_nonzero({f8})", "np.max({i8} & 7)", "np.searchsorted(np.sort({i8:1}), 3)", "{i8:1}.argmax()",
           "np.sum({i8} * {i8})", "np.add.reduce({i8:1})", "np.bitwise_or.reduce({i8:1})"],
    "f8": ["np.nanmax({f8})", "np.median({f8})", "np.nanmin({f8})", "np.interp(1.5, np.arange(3), np.arange(3))"],
    "b1": ["np.array_equal({i8}, {i8})", "np.allclose({f8}, {f8})", "np.all({i8} == {i8})", "np.isscalar(3)",
           "np.any(np.isnan({f8}))", "({i8} > 2).any()"],
}


def asked(p, s, want, depth):
    """A number that a function of NumPy gives for a whole array."""
    if want not in NUMBERS:
        return None
    text = p.choices.one_of(NUMBERS[want])
    names = {}
    for word in set(scalars.PLACE.findall(text)):
        dtype, _, dims = word.partition(":")
        fitting = s.names(lambda kind: kinds.is_array(kind) and kind[1] == dtype
                          and (not dims or len(kind[2]) == int(dims))
                          and all(isinstance(extent, int) and extent for extent in kind[2]))
        if not fitting:
            return None
        names["{" + word + "}"] = p.choices.one_of(fitting)
    for place, name in names.items():
        text = text.replace(place, name)
    return Expr(want, text, f"plain({text})")


scalars.MORE += [(2, asked)]
