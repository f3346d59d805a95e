"""Statements, and the blocks that they make up."""
import arrays
import containers
import kernel_steps
import kinds
import scalars
from program import Expr

DEVICE_KINDS = ["i8", "f8", "i8", "b1", "i4", "f4", "u8", "u1", "i2", "u4"]
PLAIN_KINDS = ["i8", "f8", "i8", "b1", "i4", "f4", "u8", "u1", "c16", "i2", "u4", "c8"]
MESSAGES = ["one", "bad value", "", "x: 3"]
RAISED = ["ValueError", "RuntimeError", "IndexError", "KeyError", "TypeError", "ZeroDivisionError"]


def number_variable(p, s, depth):
    c = p.choices
    kind = c.one_of(DEVICE_KINDS if p.device else PLAIN_KINDS)
    names = s.names(lambda have: have == kind)
    names = [name for name in names if name not in s.fixed and s.parameters != [name]]
    value = scalars.number(p, s, kind, depth)
    if p.device:
        value = kernel_steps.fit(value)
    name = c.one_of(names) if names and c.chance(45) else p.fresh("v")
    s.assign(name, value)
    s.variables[name] = kind


def augmented(p, s, depth):
    """x += e, where the type of x stays."""
    c = p.choices
    those = ("i8", "u8") if p.device else ("i8", "f8", "u8", "f4", "c16")
    names = [name for name in s.names(lambda kind: kind in those) if name not in s.fixed]
    if not names:
        return number_variable(p, s, depth)
    name = c.one_of(names)
    kind = s.variables[name]
    other = c.one_of(["i4", "u1", "i8"]) if kind == "i8" else "f4" if kind == "f4" else c.one_of([kind, "u1"])
    value = scalars.number(p, s, other, depth)
    operator = c.one_of(["+", "-", "*"] + (["&", "|", "^"] if kind in ("i8", "u8") else []))
    ref = f"{name} {operator} {scalars.converted(value.ref, other, kind)}"
    if kinds.is_int(kind):
        ref = f"CUT['{kind}']({ref})"
    s.emit(f"{name} {operator}= {value.code}", f"{name} = {ref}")


def array_variable(p, s, depth):
    made = arrays.array(p, s)
    if made is not None:
        name = p.fresh("a")
        s.assign(name, made)
        s.variables[name] = made.kind


def writable(p, s):
    names = [name for name in s.names(kinds.is_array) if name not in s.exact and name not in s.fixed]
    return p.choices.one_of(names) if names else None


def array_store(p, s, depth):
    """a[i] = x, a[i, j] += x, of arrays whose extents are known."""
    c = p.choices
    name = writable(p, s)
    if name is None:
        return number_variable(p, s, depth) if p.device else array_variable(p, s, depth)
    _, dtype, dims = s.variables[name]
    if not all(isinstance(extent, int) and extent for extent in dims):
        return slice_store(p, s, name, dtype, dims)
    places = [arrays.one_index(p, s, extent) for extent in dims]
    code, ref = (", ".join(place[side] for place in places) for side in (0, 1))
    value = scalars.number(p, s, dtype, depth)
    if p.device:
        value = kernel_steps.fit(value)
    if c.chance(30) and dtype not in kinds.COMPLEX + ["b1"] + kinds.FLOATS * p.device:
        operator = c.one_of(["+", "-", "*"])
        wide = kinds.arithmetic(dtype, dtype)
        parts = "plain(old)", value.ref
        if kinds.is_int(dtype):
            parts = tuple(scalars.converted(part, dtype, wide) for part in parts)
            new = f"CUT['{wide}']({parts[0]} {operator} {parts[1]})"
        else:
            new = f"{parts[0]} {operator} {parts[1]}"
        s.emit(f"{name}[{code}] {operator}= {value.code}",
               f"update({name}, ({ref},), lambda old: {scalars.converted(new, wide, dtype)})")
    elif kinds.is_int(dtype) and c.chance(40):
        value = scalars.number(p, s, c.one_of(kinds.INTEGERS), depth)
        s.emit(f"{name}[{code}] = {value.code}", f"{name}[{ref}] = {scalars.converted(value.ref, value.kind, dtype)}")
    else:
        s.emit(f"{name}[{code}] = {value.code}", f"{name}[{ref}] = {value.ref}")


def slice_store(p, s, name, dtype, dims):
    """a[l:h] = x, a[:] = b, a[a > x] = y, a += b."""
    c = p.choices
    form = c.draw(4)
    if form == 0:
        value = scalars.number(p, s, dtype, 1)
        parts = [arrays.one_slice(p, s, extent) for extent in dims]
        code, ref = (", ".join(part[side] for part in parts) for side in (0, 1))
        s.emit(f"{name}[{code}] = {value.code}", f"{name}[{ref}] = {value.ref}")
    elif form == 1 and dtype not in kinds.COMPLEX + ["b1"] and len(dims) == 1:
        test = arrays.comparison_with(p, s, Expr(s.variables[name], name, name))
        value = scalars.number(p, s, dtype, 1)
        s.emit(f"{name}[{test.code}] = {value.code}", f"{name}[{test.ref}] = {value.ref}")
    else:
        other = arrays.any_array(p, s, lambda kind: kind == s.variables[name])
        if form == 2:
            s.emit(f"{name}[:] = {other.code}")
        elif dtype in ("i8", "f8", "u8", "f4"):
            operator = c.one_of(["+", "-", "*"])
            s.emit(f"{name} {operator}= {other.code}")


def container_variable(p, s, depth):
    c = p.choices
    element = c.one_of(containers.ELEMENTS)
    form = c.one_of(["tuple", "list", "str", "dict", "set"])
    if form == "str":
        kind = "str"
    elif form == "tuple":
        parts = tuple(c.one_of(containers.ELEMENTS) for _ in range(1 + c.draw(3)))
        kind = ("tuple", parts)
    elif form == "dict":
        kind = ("dict", c.one_of(["i8", "str", ("tuple", ("i8", "i8"))]), c.one_of(["i8", "f8"]))
    elif form == "set":
        kind = ("set", c.one_of(["i8", "str", "i4"]))
    else:
        kind = ("list", element)
    name = p.fresh("s" if form == "str" else "k")
    s.assign(name, containers.fresh_container(p, s, kind) if form in ("list", "dict", "set")
             else containers.value(p, s, kind, depth))
    s.variables[name] = kind


def container_change(p, s, depth):
    c = p.choices
    names = [name for name in s.names(lambda kind: isinstance(kind, tuple) and kind[0] in ("list", "dict", "set"))
             if name not in s.fixed]
    if not names:
        return container_variable(p, s, depth)
    name = c.one_of(names)
    kind = s.variables[name]
    item = containers.value(p, s, kind[-1], depth)
    if kind[0] == "dict":
        key = containers.value(p, s, kind[1], 1)
        s.emit(f"{name}[{key.code}] = {item.code}", f"{name}[{key.ref}] = {item.ref}")
    elif kind[0] == "set":
        form = c.one_of([".add({})", ".discard({})"])
        s.emit(name + form.format(item.code), name + form.format(item.ref))
    else:
        list_change(p, s, name, kind, item)


def list_change(p, s, name, kind, item):
    c = p.choices
    form = c.draw(7)
    if form == 0:
        s.emit(f"{name}.append({item.code})", f"{name}.append({item.ref})")
    elif form == 1:
        place = c.draw(5) - 2
        s.emit(f"{name}.insert({place}, {item.code})", f"{name}.insert({place}, {item.ref})")
    elif form == 2:
        s.emit(f"{name}.extend([{item.code}, {item.code}])", f"{name}.extend([{item.ref}, {item.ref}])")
    elif form == 3:
        s.emit(f"{name}.reverse()")
    elif form == 4 and kind[1] in ("i8", "f8", "str", "u1"):
        s.emit(f"{name}.sort()") if kind[1] != "f8" else s.emit(f"{name}.reverse()")
    elif form == 5 and s.may_raise:
        place = c.draw(7) - 3
        s.emit(f"{name}[{place}] = {item.code}", f"{name}[{place}] = {item.ref}")
    else:
        code, ref, _ = arrays.one_slice(p, s, 4)
        fresh = p.fresh("k")
        s.emit(f"{fresh} = {name}[{code}]", f"{fresh} = {name}[{ref}]")
        s.variables[fresh] = kind


def conditional(p, s, depth):
    test = scalars.test(p, s, depth)
    with s.block(f"if {test.code}:", f"if {test.ref}:"):
        statements(p, s, depth - 1, 3)
    if p.choices.chance(30):
        test = scalars.test(p, s, depth)
        with s.block(f"elif {test.code}:", f"elif {test.ref}:"):
            statements(p, s, depth - 1, 2)
    if p.choices.chance(45):
        with s.block("else:"):
            statements(p, s, depth - 1, 2)


def two_types(p, s, depth):
    """A variable that two branches set to values of two types."""
    c = p.choices
    left, right = c.one_of(kinds.NUMBERS[:10]), c.one_of(kinds.NUMBERS[:10])
    kind = kinds.unified(left, right)
    if p.device and (left in kinds.FLOATS or right in kinds.FLOATS or kind in kinds.FLOATS):
        return
    test = scalars.test(p, s, depth)
    if scalars.may_be_known(s, test):
        return
    name = p.fresh("u")
    a, b = scalars.number(p, s, left, 1), scalars.number(p, s, right, 1)
    for head, value in ((f"if {{}}:", a), ("else:", b)):
        s.emit(head.format(test.code), head.format(test.ref))
        s.indent += 1
        s.emit(f"{name} = {value.code}", f"{name} = {scalars.converted(value.ref, value.kind, kind)}")
        s.indent -= 1
    s.variables[name] = kind


def for_loop(p, s, depth):
    c = p.choices
    if s.loops >= 3 or s.weight > 200:
        return number_variable(p, s, depth)
    name = p.fresh("i")
    code, ref, items, turns = iterated(p, s, name)
    saved = dict(s.variables)
    with s.loop(turns), s.block(f"for {code}:", f"for {ref}:"):
        s.variables.update(items)
        s.fixed.update(items)
        statements(p, s, depth - 1, 4)
    s.variables = saved
    if c.chance(12):
        with s.block("else:"):
            statements(p, s, depth - 1, 2)


def iterated(p, s, name):
    """The head of a for loop in both renderings, the variables that it sets, its turns."""
    c = p.choices
    form = c.one_of(["range", "steps"] if p.device else ["range", "range", "range", "array", "enumerate", "zip", "list", "ndindex", "steps", "ndenumerate",
                     "text", "items", "flat", "shape"])
    vectors = s.names(lambda kind: kinds.is_array(kind) and len(kind[2]) == 1)
    every = s.names(kinds.is_array)
    if form in ("array", "enumerate", "zip", "flat", "ndenumerate", "ndindex", "shape"):
        loop = over_arrays(p, s, name, form, vectors, every)
        if loop is not None:
            return loop
    if form in ("list", "items", "text"):
        loop = over_containers(p, s, name, form)
        if loop is not None:
            return loop
    if form == "steps":
        low, high, step = c.draw(9) - 4, c.draw(20) - 6, c.one_of([1, 2, -1, 3, -2])
        return (*[f"{name} in range({low}, {high}, {step})"] * 2, {name: "i8"}, 8)
    count = 1 + c.draw(7)
    if c.chance(40):
        value = scalars.number(p, s, "i8", 1)
        return (f"{name} in range({value.code} % {count})", f"{name} in range({value.ref} % {count})", {name: "i8"},
                count)
    return (*[f"{name} in range({count})"] * 2, {name: "i8"}, count)


def over_arrays(p, s, name, form, vectors, every):
    c, other = p.choices, p.fresh("e")
    if form in ("array", "enumerate", "zip"):
        if not vectors:
            return None
        a = c.one_of(vectors)
        s.fixed.add(a)
        kind = s.variables[a][1]
        if form == "array":
            return f"{name} in {a}", f"{name} in map(plain, {a})", {name: kind}, 6
        if form == "enumerate":
            return (f"{name}, {other} in enumerate({a})", f"{name}, {other} in enumerate(map(plain, {a}))",
                    {name: "i8", other: kind}, 6)
        b = c.one_of(vectors)
        s.fixed.add(b)
        return (f"{name}, {other} in zip({a}, {b})", f"{name}, {other} in zip(map(plain, {a}), map(plain, {b}))",
                {name: kind, other: s.variables[b][1]}, 6)
    if not every:
        return None
    a = c.one_of(every)
    dims = s.variables[a][2]
    if form == "shape":
        return (*[f"{name} in range({a}.shape[{c.draw(len(dims))}])"] * 2, {name: "i8"}, 6)
    s.fixed.add(a)
    if form == "flat":
        return f"{name} in {a}.flat", f"{name} in map(plain, {a}.flat)", {name: s.variables[a][1]}, 12
    if form == "ndindex":
        return (*[f"{name} in np.ndindex({a}.shape)"] * 2, {name: ("tuple", ("i8",) * len(dims))}, 12)
    return (f"{name}, {other} in np.ndenumerate({a})",
            f"{name}, {other} in ((place, plain(item)) for place, item in np.ndenumerate({a}))",
            {name: ("tuple", ("i8",) * len(dims)), other: s.variables[a][1]}, 12)


def over_containers(p, s, name, form):
    c = p.choices
    if form == "text":
        names = s.names(lambda kind: kind == "str")
        if not names:
            return None
        return (*[f"{name} in {c.one_of(names)}[:9]"] * 2, {name: "str"}, 6)
    word = "list" if form == "list" else "dict"
    names = s.names(lambda kind: isinstance(kind, tuple) and kind[0] == word)
    if not names:
        return None
    a = c.one_of(names)
    kind = s.variables[a]
    s.fixed.add(a)
    if word == "list":
        return (*[f"{name} in {a}[:9]"] * 2, {name: kind[1]}, 5)
    if c.chance(30):
        return (*[f"{name} in {a}"] * 2, {name: kind[1]}, 5)
    other = p.fresh("e")
    return (*[f"{name}, {other} in {a}.items()"] * 2, {name: kind[1], other: kind[2]}, 5)


def while_loop(p, s, depth):
    c = p.choices
    if s.loops >= 3 or s.weight > 200:
        return number_variable(p, s, depth)
    name, turns = p.fresh("w"), 1 + c.draw(8)
    test = scalars.test(p, s, depth)
    s.emit(f"{name} = 0")
    s.variables[name] = "i8"
    s.fixed.add(name)
    with s.loop(turns), s.block(f"while {name} < {turns} and {test.code}:", f"while {name} < {turns} and {test.ref}:"):
        s.emit(f"{name} += 1")
        statements(p, s, depth - 1, 4)
    if c.chance(20):
        with s.block("else:"):
            statements(p, s, depth - 1, 2)


def leave(p, s, depth):
    """break, continue, return or raise under a condition."""
    c = p.choices
    ways = [way for way, there in (("continue", s.loops and s.leaves), ("break", s.loops and s.leaves),
                                   ("return", s.returns and s.result is not None and s.yields is None),
                                   ("raise", s.may_raise)) if there]
    if not ways:
        return number_variable(p, s, depth)
    way = c.one_of(ways)
    test = scalars.test(p, s, depth)
    with s.block(f"if {test.code}:", f"if {test.ref}:"):
        if way == "return":
            value = containers.value(p, s, s.result, 1)
            value = kernel_steps.fit(value) if p.device else value
            s.emit(f"return {value.code}", f"return {value.ref}")
        elif way == "raise":
            s.emit(f"raise {c.one_of(RAISED)}('{c.one_of(MESSAGES)}')")
        else:
            s.emit(way)


def attempt(p, s, depth):
    """try with handlers, else and finally."""
    c = p.choices
    handlers = c.one_of([["Exception"], ["ValueError", "Exception"], ["ZeroDivisionError"], ["(ValueError, KeyError)"],
                         ["ArithmeticError", "LookupError"], [""], []])
    with s.block("try:"):
        statements(p, s, depth - 1, 4)
    for handler in handlers:
        bound = p.fresh("x") if handler and c.chance(20) else None
        with s.block(f"except {handler}{' as ' + bound if bound else ''}:".replace(" :", ":")):
            statements(p, s, depth - 1, 2)
            if c.chance(15):
                s.emit("raise")
    if handlers and c.chance(25):
        with s.block("else:"):
            statements(p, s, depth - 1, 2)
    if not handlers or c.chance(30):
        leaves, returns, s.leaves, s.returns = s.leaves, s.returns, False, False
        with s.block("finally:"):
            statements(p, s, depth - 1, 2)
        s.leaves, s.returns = leaves, returns


def unpacked(p, s, depth):
    """a, b = x, y with what they were before."""
    c = p.choices
    kind = c.one_of(["i8", "u8"] if p.device else ["i8", "f8", "u8"])
    names = [name for name in s.names(lambda have: have == kind) if name not in s.fixed]
    if len(names) < 2:
        return number_variable(p, s, depth)
    a, b = c.one_of(names), c.one_of(names)
    if a == b:
        return number_variable(p, s, depth)
    one, two = scalars.number(p, s, kind, 1), scalars.number(p, s, kind, 1)
    s.emit(f"{a}, {b} = {one.code}, {two.code}", f"{a}, {b} = {one.ref}, {two.ref}")


def matched(p, s, depth):
    c = p.choices
    value = scalars.number(p, s, "i8", 1)
    s.emit(f"match {value.code} % 5:", f"match {value.ref} % 5:")
    s.indent += 1
    for pattern in c.one_of([["0", "_"], ["1 | 2", "3", "_"], ["0", "1 | 4"]]):
        with s.block(f"case {pattern}:"):
            statements(p, s, depth - 1, 2)
    s.indent -= 1


STATEMENTS = [(8, number_variable), (4, augmented), (6, array_variable), (5, array_store), (4, container_variable),
              (4, container_change), (5, conditional), (2, two_types), (5, for_loop), (3, while_loop), (4, leave),
              (3, attempt), (1, unpacked), (1, matched)]
DEVICE_STATEMENTS = [(8, number_variable), (4, augmented), (2, array_store), (5, conditional), (2, two_types), (4, for_loop),
                     (3, while_loop), (2, leave), (1, unpacked), (1, matched)]
MORE = []


def statements(p, s, depth, most, percent=70):
    for _ in p.choices.several(most, percent):
        if s.cost + s.weight > p.MOST_COST:
            return
        pool = STATEMENTS + MORE if depth > 0 else STATEMENTS[:6]
        if p.device:
            pool = DEVICE_STATEMENTS if depth > 0 else DEVICE_STATEMENTS[:3]
        p.choices.weighted(pool)(p, s, max(depth, 1))
