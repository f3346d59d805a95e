"""Tuples, lists, dicts, sets and strings: making them, asking them, changing them."""
import arrays
import kinds
import scalars
from program import Expr

ELEMENTS = ["i8", "f8", "i8", "str", "f4", "u1", "b1", ("tuple", ("i8", "f8")), ("list", "i8"), ("tuple", ("str", "i4"))]
WORDS = ["", "a", "abc", "Hello", "x y z", "héllo", "ÄÖ", "12", " pad ", "a,b,c", "日本", "tab\\there"]


def value(p, s, kind, depth=1):
    """An expression of any kind that containers hold."""
    if kind == "str":
        return text(p, s, depth)
    if isinstance(kind, str):
        return scalars.number(p, s, kind, depth)
    if kind[0] == "tuple":
        parts = [value(p, s, part, depth - 1) for part in kind[1]]
        return Expr(kind, f"({', '.join(part.code for part in parts)},)", f"({', '.join(part.ref for part in parts)},)")
    return kind_variable(p, s, kind) or fresh_container(p, s, kind)


def kind_variable(p, s, kind):
    names = s.names(lambda have: have == kind)
    return Expr(kind, *[p.choices.one_of(names)] * 2) if names else None


def fresh_container(p, s, kind):
    """A list, a dict or a set with one element at least, so that its type is known."""
    c = p.choices
    count = 1 + c.draw(4)
    if kind[0] == "list":
        if c.chance(25):
            return comprehension(p, s, kind)
        parts = [value(p, s, kind[1]) for _ in range(count)]
        return Expr(kind, f"[{', '.join(x.code for x in parts)}]", f"[{', '.join(x.ref for x in parts)}]")
    if kind[0] == "set":
        parts = [value(p, s, kind[1]) for _ in range(count)]
        return Expr(kind, f"{{{', '.join(x.code for x in parts)}}}", f"{{{', '.join(x.ref for x in parts)}}}")
    assert kind[0] == "dict", kind
    parts = [(value(p, s, kind[1]), value(p, s, kind[2])) for _ in range(count)]
    return Expr(kind, f"{{{', '.join(f'{k.code}: {v.code}' for k, v in parts)}}}",
                f"{{{', '.join(f'{k.ref}: {v.ref}' for k, v in parts)}}}")


def comprehension(p, s, kind):
    c = p.choices
    name = p.fresh("c")
    saved = dict(s.variables)
    s.variables[name] = "i8"
    item = value(p, s, kind[1], 2)
    test = scalars.test(p, s, 1) if c.chance(30) else None
    s.variables = saved
    count = 1 + c.draw(6)
    tail = [f" if {test.code}", f" if {test.ref}"] if test else ["", ""]
    return Expr(kind, f"[{item.code} for {name} in range({count}){tail[0]}]",
                f"[{item.ref} for {name} in range({count}){tail[1]}]")


def text(p, s, depth=1):
    """A string."""
    c = p.choices
    with c.span():
        names = s.names(lambda kind: kind == "str")
        if depth <= 0 or not c.chance(60):
            if names and c.chance(70):
                return Expr("str", *[c.one_of(names)] * 2)
            return Expr("str", *[f"'{c.one_of(WORDS)}'"] * 2)
        return c.weighted([(3, joined), (3, method), (2, formatted), (2, cut), (1, repeated), (1, chosen)])(p, s, depth)


def joined(p, s, depth):
    a, b = text(p, s, depth - 1), text(p, s, depth - 1)
    if p.choices.chance(25):
        return Expr("str", f"{a.code}.join([{b.code}, {a.code}, 'q'])", f"{a.ref}.join([{b.ref}, {a.ref}, 'q'])")
    return Expr("str", f"({a.code} + {b.code})", f"({a.ref} + {b.ref})")


def method(p, s, depth):
    a = text(p, s, depth - 1)
    call = p.choices.one_of(["upper()", "lower()", "strip()", "title()", "replace('a', 'bb')", "zfill(8)", "center(9)",
                             "ljust(7, '.')", "rjust(6)", "capitalize()", "swapcase()", "lstrip('a')", "rstrip()",
                             "replace('l', '')", "expandtabs(4)"])
    return Expr("str", f"{a.code}.{call}", f"{a.ref}.{call}")


def formatted(p, s, depth):
    """f-strings and str() of what prints alike everywhere."""
    c = p.choices
    kind = c.one_of(["i8", "f8", "str", "b1", "u8", "i4"])
    part = value(p, s, kind, depth - 1)
    form = c.one_of(["", "", ":>12", ":<8"] if kind == "str" else ["", "", ""] if kind == "b1" else
                    ["", "", ":.3f", ":10.2e", ":+.1f", ":g"] if kind == "f8" else ["", ":5d", ":x", ":08b", ":,"])
    if kind != "str" and not form and c.chance(40):
        return Expr("str", f"str({part.code})", f"str({part.ref})")
    quote = '"' if "'" in part.code else "'"
    if quote in part.code or "\\" in part.code or "{" in part.code:
        return text(p, s, 0)
    return Expr("str", f"f{quote}<{{{part.code}{form}}}>{quote}", f"f{quote}<{{{part.ref}{form}}}>{quote}"
                if "'" not in part.ref or quote == '"' else f'f"<{{{part.ref}{form}}}>"')


def cut(p, s, depth):
    a = text(p, s, depth - 1)
    code, ref, _ = arrays.one_slice(p, s, p.fresh("n"))
    return Expr("str", f"{a.code}[{code}]", f"{a.ref}[{ref}]")


def repeated(p, s, depth):
    a, count = text(p, s, depth - 1), p.choices.draw(4)
    return Expr("str", f"({a.code} * {count})", f"({a.ref} * {count})")


def chosen(p, s, depth):
    a, b = text(p, s, depth - 1), text(p, s, depth - 1)
    test = scalars.test(p, s, 1)
    return Expr("str", f"({a.code} if {test.code} else {b.code})", f"({a.ref} if {test.ref} else {b.ref})")


def asked_of_text(p, s, want, depth):
    c = p.choices
    a = text(p, s, 1)
    if want == "i8":
        b = text(p, s, 0)
        form = c.one_of(["len({0})", "{0}.find({1})", "{0}.count({1})", "len({0}.split())", "ord(({0} + 'k')[0])",
                         "{0}.rfind({1})", "len({0}.split(','))", "{0}.index({1})"])
    elif want == "b1":
        b = text(p, s, 0)
        form = c.one_of(["({0} == {1})", "({0} < {1})", "({0} in {1})", "{0}.startswith({1})", "{0}.isdigit()",
                         "{0}.endswith({1})", "{0}.isupper()", "({0} != {1})", "{0}.isalpha()", "{0}.isspace()"])
    else:
        return None
    return Expr(want, form.format(a.code, b.code), form.format(a.ref, b.ref))


def asked_of_container(p, s, want, depth):
    """A number out of a tuple, a list, a dict or a set."""
    c = p.choices
    names = s.names(lambda kind: isinstance(kind, tuple) and kind[0] in ("tuple", "list", "dict", "set"))
    if not names:
        return None
    name = c.one_of(names)
    kind = s.variables[name]
    if kind[0] == "tuple":
        places = [place for place, part in enumerate(kind[1]) if part == want]
        if not places:
            return Expr("i8", f"len({name})", f"len({name})") if want == "i8" else None
        place = c.one_of(places)
        if len(set(kind[1])) == 1 and c.chance(40):
            index = scalars.number(p, s, "i8", 1)
            return Expr(want, f"{name}[{index.code} % {len(kind[1])}]", f"{name}[{index.ref} % {len(kind[1])}]")
        return Expr(want, *[f"{name}[{place}]"] * 2)
    if kind[0] == "dict":
        return of_dict(p, s, name, kind, want)
    if kind[0] == "list" and kind[1] == want:
        return of_list(p, s, name, kind)
    if want == "i8":
        return Expr("i8", f"len({name})", f"len({name})")
    if want == "b1" and kind[1] in ("i8", "str"):
        item = value(p, s, kind[1], 1)
        return Expr("b1", f"({item.code} in {name})", f"({item.ref} in {name})")
    return None


def of_list(p, s, name, kind):
    c = p.choices
    form = c.draw(6)
    if form == 0 or not s.may_raise:
        text = f"{name}[0] if len({name}) > 0 else "
        other = scalars.literal(p, kind[1]) if kind[1] != "str" else Expr("str", "''", "''")
        return Expr(kind[1], f"({text}{other.code})", f"({text}{other.ref})")
    if form < 3:
        index = scalars.number(p, s, "i8", 1)
        # a list that the index pops from may be empty by then
        guard = f" % len({name})" if c.chance(70) and ".pop()" not in index.code else ""
        test = f"len({name}) > 0" if guard else "True"
        other = scalars.literal(p, kind[1]) if kind[1] != "str" else Expr("str", "''", "''")
        return Expr(kind[1], f"({name}[({index.code}){guard}] if {test} else {other.code})",
                    f"({name}[({index.ref}){guard}] if {test} else {other.ref})")
    if form == 3:
        return Expr(kind[1], f"{name}.pop()", f"{name}.pop()")
    if kind[1] == "i8":
        if form == 4:
            return Expr("i8", f"sum({name})", f"CUT['i8'](sum({name}))")
        text = c.one_of(["max({})", "min({})"]).format(f"{name} + [3]")
        return Expr("i8", text, text)
    return None


def of_dict(p, s, name, kind, want):
    c = p.choices
    key = value(p, s, kind[1], 1)
    if want == "b1":
        return Expr("b1", f"({key.code} in {name})", f"({key.ref} in {name})")
    if want == kind[2]:
        if s.may_raise and c.chance(30):
            return Expr(want, f"{name}[{key.code}]", f"{name}[{key.ref}]")
        other = scalars.literal(p, want)
        if name not in s.fixed and c.chance(20):
            return Expr(want, f"{name}.pop({key.code}, {other.code})", f"{name}.pop({key.ref}, {other.ref})")
        return Expr(want, f"{name}.get({key.code}, {other.code})", f"{name}.get({key.ref}, {other.ref})")
    return Expr("i8", f"len({name})", f"len({name})") if want == "i8" else None


scalars.MORE += [(2, asked_of_text), (4, asked_of_container)]
