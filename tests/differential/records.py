"""Classes of generated programs: records of structured arrays, named tuples, jitclasses."""
import containers
import kinds
import scalars
import statements
from program import Expr, Scope

FIELD_KINDS = ["i8", "f8", "i4", "f4", "u1", "b1"]
WORDS = {"i8": "int64", "f8": "float64", "i4": "int32", "f4": "float32", "u1": "uint8", "b1": "boolean"}


class Fields:
    """A class with fields; `form` is record, namedtuple or jitclass."""

    def __init__(self, name, form, fields):
        self.name, self.form, self.fields = name, form, fields
        self.methods = []  # (name, parameter kinds, result)

    def instance(self, p, count):
        if self.form == "record":
            rows = [tuple(_constant(p, kind) for _, kind in self.fields) for _ in range(count)]
            text = f"np.array([{', '.join('(' + ', '.join(row) + ',)' for row in rows)}], dtype={self.name})"
            return Expr(("records", self.name, count), text, text)
        parts = [scalars.literal(p, kind) for _, kind in self.fields]
        return Expr((self.form, self.name), f"{self.name}({', '.join(x.code for x in parts)})",
                    f"{self.name}({', '.join(x.ref for x in parts)})")


def _constant(p, kind):
    return str(p.choices.draw(9)) if kind in ("f4", "u1") else scalars.literal(p, kind).ref


def some_fields(p, allowed):
    return [(f"{word}{p.serial}", p.choices.one_of(allowed)) for word in ("a", "b", "c")[:1 + p.choices.draw(3)]]


def record_type(p):
    name = p.fresh("record")
    fields = some_fields(p, FIELD_KINDS)
    rows = ", ".join(f"('{field}', {kinds.DTYPES[kind]})" for field, kind in fields)
    align = ", align=True" if p.choices.chance(50) else ""
    p.define(f"{name} = np.dtype([{rows}]{align})")
    p.classes[name] = Fields(name, "record", fields)


def named_tuple(p):
    name = p.fresh("Named")
    fields = some_fields(p, FIELD_KINDS)
    p.define(f"{name} = collections.namedtuple('{name}', {[field for field, _ in fields]})")
    p.classes[name] = Fields(name, "namedtuple", fields)


def jitted_class(p):
    """A class with a constructor, and methods that read and change its fields."""
    c = p.choices
    name = p.fresh("Class")
    cls = Fields(name, "jitclass", [(field, kind) for field, kind in some_fields(p, ["i8", "f8", "i4", "f4"])])
    spec = ", ".join(f"('{field}', {WORDS[kind]})" for field, kind in cls.fields)
    names = ", ".join(field for field, _ in cls.fields)
    lines = [f"class {name}:", f"    def __init__(self, {names}):"]
    lines += [f"        self.{field} = {field}" for field, _ in cls.fields]
    refs = list(lines)
    numpy_errors, p.numpy_errors = p.numpy_errors, False  # methods have no options
    for number in range(c.draw(3)):
        method(p, cls, f"m{number}", lines, refs)
    p.numpy_errors = numpy_errors
    p.define(f"@jitclass([{spec}])\n" + "\n".join(lines), "\n".join(refs))
    p.classes[name] = cls


def method(p, cls, name, lines, refs):
    c = p.choices
    parameter, kind = p.fresh("p"), c.one_of(["i8", "f8"])
    s = Scope(p, [(parameter, kind)])
    for field, field_kind in cls.fields:
        s.variables[f"self.{field}"] = field_kind
        s.fixed.add(f"self.{field}")
    s.result = c.one_of(["i8", "f8"])
    statements.statements(p, s, 1, 2)
    field, field_kind = c.one_of(cls.fields)
    value = scalars.number(p, s, field_kind, 2)
    s.emit(f"self.{field} = {value.code}", f"self.{field} = {value.ref}")
    value = containers.value(p, s, s.result, 2)
    s.emit(f"return {value.code}", f"return {value.ref}")
    s.indent = 2
    for side, text in ((1, lines), (2, refs)):
        text.append(f"    def {name}(self, {parameter}):")
        text += ["        " + "    " * (line[0] - 1) + line[side] for line in s.lines]
    cls.methods.append((name, (kind,), s.result, s.cost))


def holders(p, s):
    return s.names(lambda kind: isinstance(kind, tuple) and kind[0] in ("records", "namedtuple", "jitclass"))


def field(p, s, want, depth):
    """A field of some object, or what one of its methods gives."""
    c = p.choices
    names = holders(p, s)
    if not names:
        return None
    name = c.one_of(names)
    kind = s.variables[name]
    cls = p.classes[kind[1]]
    methods = [m for m in cls.methods if m[2] == want]
    if methods and not s.yields and c.chance(40):
        method_name, (parameter,), _, cost = c.one_of(methods)
        value = scalars.number(p, s, parameter, 1)
        s.cost += cost * s.weight
        return Expr(want, f"{name}.{method_name}({value.code})", f"{name}.{method_name}({value.ref})")
    fields = [field for field, have in cls.fields if have == want]
    if not fields:
        return None
    chosen = c.one_of(fields)
    if kind[0] != "records":
        return Expr(want, *[f"{name}.{chosen}"] * 2)
    place = c.draw(kind[2])
    form = c.one_of([f"{name}[{place}].{chosen}", f"{name}[{place}]['{chosen}']", f"{name}.{chosen}[{place}]",
                     f"{name}['{chosen}'][{place}]"])
    return Expr(want, form, f"plain({name}['{chosen}'][{place}])")


def store(p, s, depth):
    c = p.choices
    names = [name for name in holders(p, s) if s.variables[name][0] != "namedtuple"]
    if not names:
        return statements.number_variable(p, s, depth)
    name = c.one_of(names)
    kind = s.variables[name]
    chosen, field_kind = c.one_of(p.classes[kind[1]].fields)
    value = scalars.number(p, s, field_kind, 2)
    if kind[0] == "records":
        place = c.draw(kind[2])
        code = c.one_of([f"{name}[{place}].{chosen}", f"{name}[{place}]['{chosen}']", f"{name}['{chosen}'][{place}]"])
        s.emit(f"{code} = {value.code}", f"{name}['{chosen}'][{place}] = {value.ref}")
    else:
        s.emit(f"{name}.{chosen} = {value.code}", f"{name}.{chosen} = {value.ref}")
    return None


def construct(p, s, depth):
    """A new object in compiled code."""
    names = [name for name, cls in p.classes.items() if cls.form != "record"]
    if not names:
        return statements.number_variable(p, s, depth)
    cls = p.classes[p.choices.one_of(names)]
    parts = [scalars.number(p, s, kind, 1) for _, kind in cls.fields]
    name = p.fresh("o")
    s.assign(name, Expr(None, f"{cls.name}({', '.join(x.code for x in parts)})",
                        f"{cls.name}({', '.join(x.ref for x in parts)})"))
    s.variables[name] = (cls.form, cls.name)
    return None


scalars.DEVICE_PRODUCTIONS += [(3, field)]
scalars.MORE += [(4, field)]
statements.MORE += [(3, store), (2, construct)]
