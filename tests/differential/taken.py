"""Numbers that are taken from arrays: elements, extents, reductions."""
import arrays
import kinds
import scalars
from program import Expr


def element(p, s, want, depth):
    a = arrays.any_array(p, s, lambda kind: kind[1] == want)
    if a is None:
        return None
    codes, refs, guards = [], [], []
    for axis, extent in enumerate(a.kind[2]):
        if extent == 0:
            return None
        if isinstance(extent, int):
            code, ref = arrays.one_index(p, s, extent)
        else:
            value = scalars.name_or_literal(p, s, p.choices.one_of(["i8", "i4"]))
            code = ref = f"{value.code} % {a.code}.shape[{axis}]"
            ref = f"{value.ref} % {a.ref}.shape[{axis}]"
            guards.append(f"{a.code}.shape[{axis}] > 0")
        codes.append(code)
        refs.append(ref)
    if len(codes) > 1 and p.choices.chance(20) and not guards:
        code, ref = "][".join(codes), "][".join(refs)
    else:
        code, ref = ", ".join(codes), ", ".join(refs)
    code, ref = f"{a.code}[{code}]", f"plain({a.ref}[{ref}])"
    if guards:
        other = scalars.literal(p, want)
        test = " and ".join(guards)
        return Expr(want, f"({code} if {test} else {other.code})", f"({ref} if {test} else {other.ref})")
    return Expr(want, code, ref)


def extent(p, s, want, depth):
    if want != "i8":
        return None
    a = arrays.any_array(p, s)
    if a is None:
        return None
    text = p.choices.one_of(["len({})", "{}.size", "{}.ndim", "{}.shape[0]", "{}.shape[-1]", "{}.itemsize",
                             "{}.nbytes"])
    return Expr("i8", text.format(a.code), text.format(a.ref))


def exact_array(p, s, want):
    a = arrays.any_array(p, s, lambda kind: kind[1] == want)
    return a if a is not None and a.code in s.exact else None


def reduction(p, s, want, depth):
    c = p.choices
    if want in ("i8", "u8"):
        kind_list = kinds.SIGNED if want == "i8" else kinds.UNSIGNED
        a = arrays.any_array(p, s, lambda kind: kind[1] in kind_list)
        text = c.one_of(["np.sum({})", "{}.sum()", "np.prod({})", "{}.prod()"])
        return a and Expr(want, text.format(a.code), f"plain({text.format(a.ref)})")
    if want == "b1":
        a = arrays.any_array(p, s, lambda kind: kind[1] not in kinds.COMPLEX)
        text = c.one_of(["np.any({})", "{}.all()", "np.all({})", "{}.any()"])
        return a and Expr(want, text.format(a.code), f"plain({text.format(a.ref)})")
    if want == "f8":
        return float_reduction(p, s)
    return ordered(p, s, want, depth)


def float_reduction(p, s):
    c = p.choices
    a = exact_array(p, s, "f8")
    if a is not None:
        text = c.one_of(["np.sum({})", "{}.sum()", "np.mean({})", "{}.mean()"])
        if "mean" in text and not all(isinstance(extent, int) and extent for extent in a.kind[2]):
            return None
        if len(a.kind[2]) == 1 and c.chance(30):
            text = "np.dot({0}, {0})"
        return Expr("f8", text.format(a.code), f"plain({text.format(a.ref)})")
    a = arrays.any_array(p, s, lambda kind: kind[1] == "f8")
    if a is None:
        return None
    text = "np.sum(np.floor({} % 64.0))"
    return Expr("f8", text.format(a.code), f"plain({text.format(a.ref)})")


def ordered(p, s, want, depth):
    """Smallest and largest elements, of arrays that may be empty: both sides raise ValueError then."""
    if want in kinds.COMPLEX:
        return None
    a = arrays.any_array(p, s, lambda kind: kind[1] == want)
    text = p.choices.one_of(["np.max({})", "{}.min()", "{}.max()", "np.min({})"])
    return a and Expr(want, text.format(a.code), f"plain({text.format(a.ref)})")


def position(p, s, want, depth):
    if want != "i8":
        return None
    a = arrays.any_array(p, s, lambda kind: kinds.is_int(kind[1]) or kind[1] == "f8")
    text = p.choices.one_of(["np.argmax({})", "{}.argmin()", "np.count_nonzero({})"])
    return a and Expr("i8", text.format(a.code), f"int({text.format(a.ref)})")


scalars.DEVICE_PRODUCTIONS += [(5, element), (1, extent)]
scalars.MORE += [(7, element), (2, extent), (2, reduction), (1, ordered), (1, position)]
