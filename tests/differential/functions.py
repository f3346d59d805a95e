"""The functions of a program: helpers, closures, generators, recursion, ufuncs, classes, and main."""
import arguments
import array_changes
import arrays
import containers
import kinds
import records
import scalars
import statements
from program import Callee, Expr, Scope

SIMPLE = ["i8", "f8", "b1", "i8", "f4", "u8", "str", "c16", "i4"]


def result_statement(p, s):
    value = containers.value(p, s, s.result, 2)
    s.emit(f"return {value.code}", f"return {value.ref}")


def converted_result(value, want):
    return scalars.converted(value.ref, value.kind, want)


def helper(p):
    """A function of numbers, strings or arrays that later ones call."""
    c = p.choices
    parameters = [(p.fresh("p"), c.one_of(SIMPLE)) for _ in range(1 + c.draw(3))]
    if c.chance(40):
        dims = c.one_of([(4,), (3, 2), (5,)])
        parameters.append((p.fresh("p"), kinds.array(c.one_of(["f8", "i8", "i4"]), *[p.fresh("n") for _ in dims])))
    s = Scope(p, parameters)
    s.result = c.one_of(["i8", "f8", "b1", "u8", "str", ("tuple", ("i8", "f8")), ("list", "i8")])
    statements.statements(p, s, 2, 5)
    result_statement(p, s)
    p.add_function(p.fresh("helper"), s, parameters)


def recursive(p):
    """f(n, x) that calls itself with a smaller n."""
    c = p.choices
    name, n, x = p.fresh("rec"), p.fresh("p"), p.fresh("p")
    kind = c.one_of(["i8", "f8"])
    s = Scope(p, [(n, "i8"), (x, kind)])
    s.result = kind
    s.fixed.add(n)
    with s.block(f"if {n} <= 0 or {n} > 6:"):
        result_statement(p, s)
    statements.statements(p, s, 1, 2)
    again = scalars.number(p, s, kind, 2)
    last = scalars.number(p, s, kind, 2)
    ref = f"{name}({n} - 1, {again.ref}) + {last.ref}"
    s.emit(f"return {name}({n} - 1, {again.code}) + {last.code}",
           f"return CUT['i8']({ref})" if kind == "i8" else f"return {ref}")
    s.cost = s.cost * 7 + 10
    p.add_function(name, s, [(n, "i8"), (x, kind)], "recursive")


def generator(p):
    c = p.choices
    parameters = [(p.fresh("p"), c.one_of(["i8", "f8", "i4"])) for _ in range(1 + c.draw(2))]
    s = Scope(p, parameters)
    s.result = s.yields = c.one_of(["i8", "f8", "i8"])
    for _ in range(1 + c.draw(2)):
        statements.statements(p, s, 1, 2)
        if c.chance(60):
            name, count = p.fresh("i"), 1 + c.draw(4)
            with s.loop(count), s.block(f"for {name} in range({count}):"):
                s.variables[name] = "i8"
                s.fixed.add(name)
                statements.statements(p, s, 1, 2)
                _yield(p, s)
        else:
            _yield(p, s)
    p.add_function(p.fresh("gen"), s, parameters, "generator")


def _yield(p, s):
    value = scalars.number(p, s, s.yields, 2)
    s.emit(f"yield {value.code}", f"yield {value.ref}")


def ufunc(p):
    """A @vectorize of given types."""
    c = p.choices
    kind = c.one_of(["f8", "i8"])
    parameters = [(p.fresh("p"), kind) for _ in range(1 + c.draw(2))]
    s = Scope(p, parameters)
    s.result, s.may_raise = kind, False
    numpy_errors, p.numpy_errors = p.numpy_errors, True
    statements.statements(p, s, 1, 3)
    value = scalars.number(p, s, kind, 2)
    p.numpy_errors = numpy_errors
    s.emit(f"return {value.code}", f"return {value.ref}")
    name = p.fresh("ufunc")
    word = {"f8": "float64", "i8": "int64"}[kind]
    signature = f"'{word}({', '.join([word] * len(parameters))})'"
    header = f"def {name}({', '.join(parameter for parameter, _ in parameters)}):"
    decorator = f"@vectorize([{signature}])"
    if any("raise" in line[1] or ".pop()" in line[1] for line in s.lines):
        return
    p.define(f"{decorator}\n{s.text(1, header)}",
             f"{s.text(2, header)}\n{name} = ufunc_of({name}, {len(parameters)}, {kinds.DTYPES[kind]})")
    p.callees.append(Callee(name, (kind,) * len(parameters), kind, s.cost * 4, "ufunc"))


def gufunc(p):
    """A @guvectorize over the last axis."""
    c = p.choices
    kind = c.one_of(["i8", "f8"])
    word = {"f8": "float64", "i8": "int64"}[kind]
    s = Scope(p, [("x", kinds.array(kind, "n")), ("y", kind), ("out", kinds.array(kind, "n"))])
    s.fixed |= {"x", "y", "out"}
    s.result, s.may_raise, s.returns = None, False, False
    errors, p.numpy_errors = p.numpy_errors, True
    with s.loop(4), s.block("for i in range(x.shape[0]):"):
        s.variables["i"], s.variables["item"] = "i8", kind
        s.fixed |= {"i", "item"}
        s.emit("item = x[i]", "item = plain(x[i])")
        del s.variables["out"], s.variables["x"]
        statements.statements(p, s, 1, 2)
        value = scalars.number(p, s, kind, 2)
        s.emit(f"out[i] = {value.code}", f"out[i] = {value.ref}")
    p.numpy_errors = errors
    if any(".pop()" in line[1] for line in s.lines):
        return
    name = p.fresh("gufunc")
    p.define(f"@guvectorize(['void({word}[:], {word}, {word}[:])'], '(n),()->(n)')\n"
             + s.text(1, f"def {name}(x, y, out):"),
             s.text(2, f"def {name}(x, y, out):") + f"\n{name} = gufunc_of({name})")
    p.callees.append(Callee(name, (kind, kind), kind, s.cost * 4, "gufunc"))


def call_gufunc(p, s, depth):
    callees = fitting(p, s, ("gufunc",))
    a = None
    if callees and not p.parallel:
        f = p.choices.one_of(callees)
        a = arrays.any_array(p, s, lambda kind: kind[1] == f.result)
    if a is None:
        return statements.number_variable(p, s, depth)
    name, out, y = p.fresh("v"), p.fresh("a"), scalars.number(p, s, f.result, 1)
    s.emit(f"{name} = {y.code}", f"{name} = {y.ref}")
    s.variables[name] = f.result
    s.emit(f"{out} = np.zeros_like({a.code})")
    s.emit(f"{f.name}({a.code}, {name}, {out})")
    s.variables[out] = a.kind
    return None


def constants(p):
    """Numbers, strings and arrays of the module, which functions read."""
    c = p.choices
    kind = c.one_of(["i8", "f8", "str", "array", ("tuple", ("i8", "f8"))])
    name = p.fresh("G")
    if kind == "array":
        value = arguments.array(p)[0]()
        p.define(f"{name} = {value.code}", f"{name} = {value.ref}")
        p.tables[name] = value.kind
        return
    if isinstance(kind, tuple):
        value = arguments.literal_tuple(p, kind)
    else:
        value = arguments.constant(p, kind)
    p.define(f"{name} = {value.code}", f"{name} = {value.ref}")
    p.constants[name] = value.kind


def table(p, s, depth):
    """A copy of an array of the module, which compiled code may only read."""
    if not p.tables:
        return statements.number_variable(p, s, depth)
    read = p.choices.one_of(list(p.tables))
    name = p.fresh("a")
    s.emit(f"{name} = {read}.copy()")
    s.variables[name] = p.tables[read]
    return None


def mutual(p):
    """Two functions that call each other, a smaller number each time."""
    c = p.choices
    one, other, kind = p.fresh("even"), p.fresh("odd"), c.one_of(["i8", "f8"])
    for name, called in ((one, other), (other, one)):
        n, x = p.fresh("p"), p.fresh("p")
        s = Scope(p, [(n, "i8"), (x, kind)])
        s.result = kind
        s.fixed.add(n)
        with s.block(f"if {n} <= 0 or {n} > 5:"):
            s.emit(f"return {x}")
        statements.statements(p, s, 1, 2)
        again = scalars.number(p, s, kind, 2)
        s.emit(f"return {called}({n} - 1, {again.code})", f"return {called}({n} - 1, {again.ref})")
        s.cost = s.cost * 6 + 10
        p.add_function(name, s, [(n, "i8"), (x, kind)], "recursive" if name == other else "half")


def applier(p):
    """A function that calls the function that it is given."""
    c = p.choices
    name, f, x, kind = p.fresh("apply"), p.fresh("f"), p.fresh("p"), c.one_of(["i8", "f8"])
    s = Scope(p, [(x, kind)])
    s.result = kind
    statements.statements(p, s, 1, 2)
    value = scalars.number(p, s, kind, 1)
    operator = c.one_of(["+", "-", "*"])
    ref = f"{f}({value.ref}) {operator} {f}({x})"
    s.emit(f"return {f}({value.code}) {operator} {f}({x})", f"return CUT['i8']({ref})" if kind == "i8" else f"return {ref}")
    s.cost += 200
    p.add_function(name, s, [(f, ("function", kind)), (x, kind)], "applier")


def call_applier(p, s, depth):
    callees = fitting(p, s, ("applier",))
    given = []
    if callees:
        f = p.choices.one_of(callees)
        given = [g for g in fitting(p, s, ("function", "recursive"), f.result) if g.parameters == (f.result,)
                 and g.cost < 100]
    if not given or s.yields:
        return statements.number_variable(p, s, depth)
    value, name = scalars.number(p, s, f.result, 1), p.fresh("v")
    g = p.choices.one_of(given)
    s.cost += (f.cost + 2 * g.cost) * s.weight
    s.emit(f"{name} = {f.name}({g.name}, {value.code})", f"{name} = {f.name}({g.name}, {value.ref})")
    s.variables[name] = f.result
    return None


def stepped(p, s, depth):
    """A generator asked by hand."""
    callees = fitting(p, s, ("generator",))
    if not callees or not s.may_raise:
        return statements.number_variable(p, s, depth)
    f = p.choices.one_of(callees)
    parts = [containers.value(p, s, kind, 1) for kind in f.parameters]
    s.cost += f.cost * s.weight
    made = p.fresh("g")
    code, ref = (f"{f.name}({', '.join(x[side] for x in parts)})" for side in (1, 2))
    s.emit(f"{made} = {code}", f"{made} = {ref}")
    for _ in range(1 + p.choices.draw(3)):
        name = p.fresh("v")
        s.emit(f"{name} = next({made})")
        s.variables[name] = f.result
    return None


def assertion(p, s, depth):
    if not s.may_raise:
        return statements.number_variable(p, s, depth)
    test = scalars.test(p, s, 2)
    message = p.choices.one_of(["", ", 'no'"])
    s.emit(f"assert {test.code}{message}", f"assert {test.ref}{message}")
    return None


def fitting(p, s, forms, result=None):
    return [f for f in p.callees if f.form in forms and (result is None or f.result == result)
            and f.cost * s.weight + s.cost < p.MOST_COST]


def call(p, s, want, depth):
    """A call of an earlier function by a number's expression."""
    c = p.choices
    callees = fitting(p, s, ("device",) if p.device else ("function", "recursive"), want)
    if not callees or s.yields:
        return None
    f = c.one_of(callees)
    parts = [argument(p, s, kind, depth) for kind in f.parameters]
    if None in parts:
        return None
    s.cost += f.cost * s.weight
    if f.names and c.chance(25):
        texts = [", ".join(f"{name}={x[side]}" for name, x in zip(f.names, parts)) for side in (1, 2)]
        return Expr(want, f"{f.name}({texts[0]})", f"{f.name}({texts[1]})")
    return Expr(want, f"{f.name}({', '.join(x.code for x in parts)})", f"{f.name}({', '.join(x.ref for x in parts)})")


def argument(p, s, kind, depth):
    if kinds.is_array(kind):
        return arrays.any_array(p, s, lambda have: have[1] == kind[1] and len(have[2]) == len(kind[2])
                                and True) if not _exact_only(s, kind) else None
    if not isinstance(kind, str) and kind[0] not in ("list", "tuple"):
        return containers.kind_variable(p, s, kind)
    return containers.value(p, s, kind, depth - 1)


def _exact_only(s, kind):
    """Whether the only arrays that fit are those that nobody may write to."""
    return any(name in s.exact for name in s.names(lambda have: kinds.is_array(have) and have[1] == kind[1]
                                                   and len(have[2]) == len(kind[2])))


def over_generator(p, s, depth):
    c = p.choices
    callees = fitting(p, s, ("generator",))
    if not callees or s.loops >= 2:
        return statements.number_variable(p, s, depth)
    f = c.one_of(callees)
    parts = [containers.value(p, s, kind, 1) for kind in f.parameters]
    s.cost += f.cost * s.weight
    name = p.fresh("i")
    code, ref = (f"{f.name}({', '.join(x[side] for x in parts)})" for side in (1, 2))
    if c.chance(25):
        s.emit(f"{name} = [y for y in {code}]", f"{name} = [y for y in {ref}]")
        s.variables[name] = ("list", f.result)
        return None
    saved = dict(s.variables)
    with s.loop(6), s.block(f"for {name} in {code}:", f"for {name} in {ref}:"):
        s.variables[name] = f.result
        s.fixed.add(name)
        statements.statements(p, s, depth - 1, 3)
    s.variables = saved
    return None


def call_ufunc(p, s, depth):
    callees = fitting(p, s, ("ufunc",))
    a = None
    if callees:
        f = p.choices.one_of(callees)
        a = arrays.any_array(p, s, lambda kind: kind[1] == f.result)
    if a is None:
        return statements.number_variable(p, s, depth)
    name = p.fresh("a")
    parts = [a] + [arrays.any_array(p, s, lambda kind: kind == a.kind) for _ in f.parameters[1:]]
    s.assign(name, Expr(a.kind, f"{f.name}({', '.join(x.code for x in parts)})",
                        f"{f.name}({', '.join(x.ref for x in parts)})"))
    s.variables[name] = a.kind
    return None


def closure(p, s, depth):
    """A function inside a function, which reads the outer one's variables; or a lambda."""
    c = p.choices
    if s.loops or s.indent > 1 or s.yields:
        return statements.number_variable(p, s, depth)
    name, parameter = p.fresh("inner"), p.fresh("p")
    kind = c.one_of(["i8", "f8"])
    seen = {n: k for n, k in s.variables.items() if k in kinds.NUMBERS or k == "str"}
    inner = Scope(p, [])
    inner.variables = {**seen, parameter: kind}
    inner.parameters = [parameter]
    inner.fixed = set(seen)
    inner.result = kind
    if c.chance(40):
        value = scalars.number(p, inner, kind, 2)
        s.emit(f"{name} = lambda {parameter}: {value.code}", f"{name} = lambda {parameter}: {value.ref}")
    else:
        inner.indent = 0
        statements.statements(p, inner, 1, 3)
        result_statement(p, inner)
        s.emit(f"def {name}({parameter}):")
        s.lines += [(s.indent + 1 + indent, code, ref) for indent, code, ref in inner.lines]
    # what the closure reads must not change its type or value behind its back
    s.fixed |= set(seen)
    text = scalars.number(p, s, kind, 2)
    result = p.fresh("v")
    s.emit(f"{result} = {name}({text.code})", f"{result} = {name}({text.ref})")
    s.variables[result] = kind
    return None


def prange_loop(p, s, depth):
    """A parallel loop: each turn writes its own element, or adds to an integer."""
    c = p.choices
    if not p.parallel or s.loops or s.indent > 1:
        return statements.number_variable(p, s, depth)
    name, out, total, count = p.fresh("i"), p.fresh("a"), p.fresh("r"), 1 + c.draw(12)
    dtype = c.one_of(["i8", "f8", "i4"])
    s.emit(f"{out} = np.zeros({count}, dtype={kinds.DTYPES[dtype]})")
    s.emit(f"{total} = 0")
    outer = set(s.variables)
    saved, fixed, raising, returning = dict(s.variables), set(s.fixed), s.may_raise, s.returns
    dividing = p.numpy_errors
    s.fixed |= outer
    s.may_raise = s.returns = False
    p.numpy_errors = True  # as all turns divide
    with s.loop(count, leaves=False), s.block(f"for {name} in prange({count}):", f"for {name} in range({count}):"):
        s.variables[name] = "i8"
        s.fixed.add(name)
        for _ in c.several(3):
            c.one_of([statements.number_variable, statements.array_variable, statements.two_types])(p, s, 1)
        value = scalars.number(p, s, dtype, 2)
        s.emit(f"{out}[{name}] = {value.code}", f"{out}[{name}] = {value.ref}")
        value = scalars.number(p, s, "i8", 2)
        s.emit(f"{total} += {value.code}", f"{total} = CUT['i8']({total} + {value.ref})")
    s.variables, s.fixed, s.may_raise, s.returns = saved, fixed, raising, returning
    p.numpy_errors = dividing
    s.variables[out] = kinds.array(dtype, count)
    s.variables[total] = "i8"
    return None


def optional(p):
    """A function that gives None for some arguments."""
    c = p.choices
    parameter, kind = p.fresh("p"), c.one_of(["i8", "f8"])
    s = Scope(p, [(parameter, "i8")])
    s.result = kind
    s.returns = False
    test = scalars.test(p, s, 2)
    with s.block(f"if {test.code}:", f"if {test.ref}:"):
        s.emit("return None")
    statements.statements(p, s, 1, 2)
    result_statement(p, s)
    s.result = ("optional", kind)
    p.add_function(p.fresh("maybe"), s, [(parameter, "i8")], "optional")


def use_optional(p, s, depth):
    callees = fitting(p, s, ("optional",))
    if not callees:
        return statements.number_variable(p, s, depth)
    f = p.choices.one_of(callees)
    value, name, fresh = scalars.number(p, s, "i8", 2), p.fresh("o"), p.fresh("v")
    kind = f.result[1]
    s.cost += f.cost * s.weight
    s.emit(f"{name} = {f.name}({value.code})", f"{name} = {f.name}({value.ref})")
    other = scalars.number(p, s, kind, 1)
    s.emit(f"{fresh} = {other.code}", f"{fresh} = {other.ref}")
    with s.block(f"if {name} is not None:"):
        # an operation takes the value out of the optional one
        s.emit(f"{fresh} = {name} {'+ 0' if kind == 'i8' else '* 1.0'}")
    s.variables[fresh] = kind
    return None


def main(p):
    c = p.choices
    parameters = []
    exact = set()
    for _ in range(2 + c.draw(4)):
        name = p.fresh("p")
        make, is_exact = arguments.argument(p)
        value = p.add_argument(make)
        parameters.append((name, value.kind))
        if is_exact:
            exact.add(name)
    s = Scope(p, parameters)
    s.exact = exact
    s.result = c.one_of(["i8", "f8", ("tuple", ("i8", "f8", "str")), "u8", "str", ("list", "f8"), "c16"])
    statements.statements(p, s, 3, 12, 92)
    if p.parallel and c.chance(60):
        prange_loop(p, s, 1)
    finish(p, s)
    p.add_function("main", s, parameters)


def finish(p, s):
    """main returns as many of its variables as make a tuple, beside what earlier returns gave."""
    if any(line[1].startswith("return ") for line in s.lines):
        return result_statement(p, s)
    names = [name for name, kind in s.variables.items() if name[0] != "p" and kind != ("never",)]
    kept = names[-8:]
    s.emit(f"return ({', '.join(kept)},)" if kept else "return 0")
    return None


def generate(p):
    """The whole program, by the choices of p."""
    c = p.choices
    p.numpy_errors = c.chance(25)
    p.parallel = c.chance(14)
    makers = [(4, helper), (2, records.record_type), (2, recursive), (2, generator), (2, ufunc), (2, optional),
              (2, records.named_tuple), (2, records.jitted_class), (2, gufunc), (2, constants), (1, mutual),
              (1, applier)]
    for _ in c.several(5, 80):
        c.weighted(makers)(p)
    main(p)
    return p


scalars.DEVICE_PRODUCTIONS += [(4, call)]
scalars.MORE += [(4, call)]
statements.MORE += [(2, over_generator), (2, call_ufunc), (2, closure), (2, prange_loop), (2, use_optional), (1, call_gufunc), (1, call_applier),
                    (1, stepped), (1, assertion), (1, table), (4, array_changes.change),
                    (1, array_changes.words)]
