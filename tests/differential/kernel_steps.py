"""The steps of a kernel that all threads take together: exchanges through shared memory, warps, atomics, and
statements of each thread's own between them."""
import kinds
import scalars
import statements
from program import Expr


def fit(value):
    """A float that is a multiple of 1/8 again and below 32; what is no float as it is."""
    if value.kind == "f8":
        text = "((int({} * 8.0) % 512 - 256) / 8.0)"
        return Expr("f8", text.format(value.code), text.format(value.ref))
    if value.kind == "f4":
        text = "((int({} * {}(8.0)) % 512 - 256) / 8.0)"
        return Expr("f4", f"np.float32({text.format(value.code, 'np.float32')})",
                    f"F4({text.format(value.ref, 'F4')})")
    return value


def exact_leaf(p, s, kind):
    known = scalars.variable(p, s, kind, 30)
    if known:
        return known
    text = p.choices.one_of(["0.0", "1.0", "0.5", "2.0", "-1.5", "3.25"])
    return Expr(kind, f"({text})", f"({text})") if kind == "f8" else Expr(kind, f"np.float32({text})", f"F4({text})")


def exact_float(p, s, kind, depth):
    """One product and a sum at most, of values that fit: exact with and without a fused multiply-add."""
    c = p.choices
    form = c.draw(7) if depth > 0 else 0
    a = exact_leaf(p, s, kind)
    if form in (0, 1):
        return a
    if form == 2:
        name = "float" if kind == "f8" else "np.float32"
        number = scalars.number(p, s, "i8", depth - 1)
        return Expr(kind, f"{name}({number.code} % 32)", f"{'float' if kind == 'f8' else 'F4'}({number.ref} % 32)")
    b = exact_leaf(p, s, kind)
    if form == 3:
        operator = c.one_of(["+", "-", "*"])
        return Expr(kind, f"({a.code} {operator} {b.code})", f"({a.ref} {operator} {b.ref})")
    if form == 4:
        last, operator = exact_leaf(p, s, kind), c.one_of(["+", "-"])
        return Expr(kind, f"({a.code} * {b.code} {operator} {last.code})", f"({a.ref} * {b.ref} {operator} {last.ref})")
    if form == 5:
        name = c.one_of(["min", "max"])
        return Expr(kind, f"{name}({a.code}, {b.code})", f"{name}({a.ref}, {b.ref})")
    test = scalars.test(p, s, depth - 1)
    return Expr(kind, f"({a.code} if {test.code} else {b.code})", f"({a.ref} if {test.ref} else {b.ref})")


def fresh_variable(p, s, kind, code, ref):
    name = p.fresh("v")
    s.emit(f"{name} = {code}", f"{name} = {ref}")
    s.variables[name] = kind
    return name


def own_statements(p, s, layout):
    statements.statements(p, s, 2, 4)


def store(p, s, layout, output):
    """The thread's own element of an output."""
    name, dtype, index, guard = output
    value = fit(scalars.number(p, s, dtype, 2))
    code, ref = f"{name}[{index}] = {value.code}", f"{name}[{index}] = {value.ref}"
    if guard is None:
        return s.emit(code, ref)
    with s.block(f"if {guard}:"):
        s.emit(code, ref)
    return None


def store_some(p, s, layout):
    output = p.choices.one_of(layout.outputs)
    store(p, s, layout, output)
    name, dtype, index, guard = output
    if guard is None and dtype in ("i8", "u8") and p.choices.chance(50):
        value = scalars.number(p, s, dtype, 1)
        operator = p.choices.one_of(["+", "-", "*", "^"])
        s.emit(f"{name}[{index}] {operator}= {value.code}",
               f"{name}[{index}] = CUT['{dtype}'](plain({name}[{index}]) {operator} {value.ref})")


BARRIER = ("cuda.syncthreads()", 'yield "barrier", None')


def shared(p, s, dtype, extent):
    name = p.fresh("sh")
    s.emit(f"{name} = cuda.shared.array({extent}, dtype={kinds.DTYPES[dtype]})",
           f"{name} = cuda.shared_array('{name}', {extent}, {kinds.DTYPES[dtype]})")
    return name


def exchange(p, s, layout):
    """Each thread puts a value down and takes another's."""
    c = p.choices
    dtype = c.one_of(["i8", "f8", "i4", "f4", "u1", "u8", "b1"])
    name = shared(p, s, dtype, layout.threads)
    for _ in range(1 + c.draw(2)):
        value = fit(scalars.number(p, s, dtype, 2))
        s.emit(f"{name}[tid] = {value.code}", f"{name}[tid] = {value.ref}")
        s.emit(*BARRIER)
        place = scalars.number(p, s, "i8", 2)
        fresh_variable(p, s, dtype, f"{name}[{place.code} % {layout.threads}]",
                       f"plain({name}[{place.ref} % {layout.threads}])")
        s.emit(*BARRIER)


def tree(p, s, layout):
    """The sum, the largest ... of a block's integers, by halves."""
    c = p.choices
    if layout.threads & (layout.threads - 1):
        return exchange(p, s, layout)
    name, half = shared(p, s, "i8", layout.threads), p.fresh("w")
    value = scalars.number(p, s, "i8", 2)
    s.emit(f"{name}[tid] = {value.code}", f"{name}[tid] = {value.ref}")
    s.emit(f"{half} = {layout.threads // 2}")
    operator = c.one_of(["{0} + {1}", "max({0}, {1})", "{0} ^ {1}", "min({0}, {1})"])
    with s.block(f"while {half} > 0:"):
        s.emit(*BARRIER)
        with s.block(f"if tid < {half}:"):
            parts = f"{name}[tid]", f"{name}[tid + {half}]"
            s.emit(f"{name}[tid] = {operator.format(*parts)}",
                   f"{name}[tid] = CUT['i8']({operator.format(*(f'plain({part})' for part in parts))})")
        s.emit(f"{half} //= 2")
    s.emit(*BARRIER)
    fresh_variable(p, s, "i8", f"{name}[0]", f"plain({name}[0])")
    s.emit(*BARRIER)
    return None


def shared_counter(p, s, layout):
    """Counts in shared memory, by atomics."""
    c = p.choices
    extent, dtype = c.one_of([4, 1, 9]), c.one_of(["i4", "i8", "u4", "u8"])
    name = shared(p, s, dtype, extent)
    with s.block("if tid == 0:"):
        s.emit(f"for i in range({extent}):")
        s.lines.append((s.indent + 1, f"{name}[i] = 0", f"{name}[i] = 0"))
    s.emit(*BARRIER)
    atomic(p, s, name, dtype, extent, c.one_of(["add", "max", "or_", "xor"]))
    s.emit(*BARRIER)
    place = scalars.number(p, s, "i8", 1)
    fresh_variable(p, s, dtype, f"{name}[{place.code} % {extent}]", f"plain({name}[{place.ref} % {extent}])")
    s.emit(*BARRIER)


def atomic(p, s, name, dtype, extent, operation):
    place, value = scalars.number(p, s, "i8", 2), scalars.number(p, s, dtype, 2)
    code = f"cuda.atomic.{operation}({name}, {place.code} % {extent}, {value.code})"
    ref = f"atomic('{operation}', {name}, {place.ref} % {extent}, {value.ref}, CUT['{dtype}'])"
    if p.choices.chance(35):
        test = scalars.test(p, s, 1)
        with s.block(f"if {test.code}:", f"if {test.ref}:"):
            s.emit(code, ref)
    else:
        s.emit(code, ref)


def counted(p, s, layout):
    if not layout.counters:
        return own_statements(p, s, layout)
    return atomic(p, s, *p.choices.one_of(layout.counters))


def shuffle(p, s, layout):
    c = p.choices
    if not layout.whole_warps:
        return own_statements(p, s, layout)
    kind = c.one_of(["i4", "i8", "f4", "f8"])
    name = c.one_of(["shfl", "shfl_up", "shfl_down", "shfl_xor"])
    value, by = fit(scalars.number(p, s, kind, 2)), scalars.number(p, s, "i8", 1)
    if c.chance(60) or name != "shfl":
        text = str(c.one_of([1, 0, 2, 16, 31, 5]))
        by = Expr("i8", text, text)
    fresh_variable(p, s, kind, f"cuda.{name}_sync(0xffffffff, {value.code}, {by.code} & 31)",
                   f'yield "{name}", {value.ref}, {by.ref} & 31')
    return None


def warp_sum(p, s, layout):
    """A butterfly over a warp."""
    if not layout.whole_warps:
        return tree(p, s, layout)
    value = scalars.number(p, s, "i8", 2)
    name, step, other = fresh_variable(p, s, "i8", value.code, value.ref), p.fresh("w"), p.fresh("v")
    shuffled = p.choices.one_of(["shfl_xor", "shfl_down"])
    s.emit(f"{step} = 16")
    with s.block(f"while {step} > 0:"):
        s.emit(f"{other} = cuda.{shuffled}_sync(0xffffffff, {name}, {step})",
               f'{other} = yield "{shuffled}", {name}, {step}')
        s.emit(f"{name} += {other}", f"{name} = CUT['i8']({name} + {other})")
        s.emit(f"{step} >>= 1")
    return None


def vote(p, s, layout):
    c = p.choices
    test = scalars.test(p, s, 2)
    if not layout.whole_warps or c.chance(30):
        form = c.one_of(["count", "and", "or"])
        fresh = fresh_variable(p, s, "i8", f"np.int64(cuda.syncthreads_{form}({test.code}))",
                               f'yield "barrier", "{form}", {test.ref}')
        if form != "count":
            s.emit(f"{fresh} = np.int64({fresh} != 0)", f"{fresh} = int({fresh} != 0)")
        return
    form = c.one_of(["ballot", "any", "all", "eq", "match_any"])
    if form == "match_any":
        value = scalars.number(p, s, c.one_of(["i4", "i8"]), 1)
        fresh_variable(p, s, "u4", f"np.uint32(cuda.match_any_sync(0xffffffff, {value.code}))",
                       f'yield "match_any", {value.ref}')
    elif form == "ballot":
        fresh_variable(p, s, "u4", f"np.uint32(cuda.ballot_sync(0xffffffff, {test.code}))",
                       f'yield "ballot", {test.ref}')
    else:
        fresh_variable(p, s, "b1", f"bool(cuda.{form}_sync(0xffffffff, {test.code}))", f'yield "{form}", {test.ref}')


def local_array(p, s, layout):
    c = p.choices
    dtype, extent, name = c.one_of(["i8", "f8", "i4", "f4", "u1"]), c.one_of([4, 2, 7]), p.fresh("l")
    s.emit(f"{name} = cuda.local.array({extent}, dtype={kinds.DTYPES[dtype]})",
           f"{name} = np.zeros({extent}, dtype={kinds.DTYPES[dtype]})")
    loop = p.fresh("i")
    with s.block(f"for {loop} in range({extent}):"):
        s.variables[loop] = "i8"
        s.fixed.add(loop)
        value = fit(scalars.number(p, s, dtype, 2))
        s.emit(f"{name}[{loop}] = {value.code}", f"{name}[{loop}] = {value.ref}")
    s.variables[name] = kinds.array(dtype, extent)


def stride_loop(p, s, layout):
    """A grid-stride loop over an output that is the thread's own at each turn: sums what it reads."""
    name, loop, arrays = p.fresh("v"), p.fresh("i"), s.names(kinds.is_array)
    dims = 1 if len(layout.grid) == 1 else None
    if dims is None or not arrays:
        return own_statements(p, s, layout)
    s.emit(f"{name} = 0")
    s.variables[name] = "i8"
    with s.loop(3), s.block(f"for {loop} in range(gid, {layout.total * 2 + 3}, cuda.gridsize(1)):"):
        s.variables[loop] = "i8"
        s.fixed.add(loop)
        value = scalars.number(p, s, "i8", 2)
        s.emit(f"{name} += {value.code}", f"{name} = CUT['i8']({name} + {value.ref})")
    return None


OWN_STEPS = [(6, own_statements), (3, store_some), (3, counted), (2, local_array), (1, stride_loop)]
STEPS = [(6, own_statements), (3, store_some), (3, exchange), (2, tree), (2, shared_counter), (3, counted),
         (3, shuffle), (2, warp_sum), (3, vote), (2, local_array), (1, stride_loop)]
