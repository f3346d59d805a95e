"""Steps of kernels in which some threads of a warp take part, two-dimensional and dynamic shared memory, constant
arrays, atomics on matrices."""
import kernel_steps
import kernels
import kinds
import scalars
from kernel_steps import BARRIER, fit, fresh_variable, own_statements
from program import Expr


def branch_group(p, s, layout):
    """The threads that take a branch vote, shuffle or rank among themselves."""
    c = p.choices
    if not layout.whole_warps:
        return own_statements(p, s, layout)
    test, mask, result = scalars.test(p, s, 2), p.fresh("m"), p.fresh("v")
    form = c.one_of(["leader", "any", "all", "ballot", "rank"])
    kind = {"leader": c.one_of(["i4", "i8", "f4", "f8"]), "ballot": "u4", "rank": "i8"}.get(form, "b1")
    asked = fit(scalars.number(p, s, kind if form == "leader" else "b1", 1))
    start = scalars.literal(p, kind) if kind not in kinds.FLOATS else kernel_steps.exact_float(p, s, kind, 0)
    flag = fresh_variable(p, s, "b1", f"bool({test.code})", f"bool({test.ref})")
    s.emit(f"{result} = {start.code}", f"{result} = {start.ref}")
    s.emit(f"{mask} = cuda.ballot_sync(0xffffffff, {flag})", f'{mask} = yield "ballot", {flag}')
    code = {"leader": f"cuda.shfl_sync({mask}, {asked.code}, cuda.ffs({mask}) - 1)",
            "any": f"bool(cuda.any_sync({mask}, {asked.code}))", "all": f"bool(cuda.all_sync({mask}, {asked.code}))",
            "ballot": f"np.uint32(cuda.ballot_sync({mask}, {asked.code}))",
            "rank": f"np.int64(cuda.popc({mask} & cuda.lanemask_lt()))"}[form]
    with s.block(f"if {flag}:"):
        s.emit(f"{result} = {code}", f'{result} = yield "group", "{form}", {asked.ref}')
    # in the reference the others say that they take no part
    s.lines.append((s.indent, "", "else:"))
    s.lines.append((s.indent + 1, "", 'yield "group", None, None'))
    s.variables[result] = kind
    return None


def matrix(p, s, layout):
    """Shared memory of two dimensions, written along one and read along the other."""
    c = p.choices
    widths = [width for width in (2, 4, 8, 3, 5) if layout.threads % width == 0]
    if not widths:
        return own_statements(p, s, layout)
    width, dtype, name = c.one_of(widths), c.one_of(["i8", "f8", "i4", "f4", "u1"]), p.fresh("sh")
    height, padding = layout.threads // width, c.draw(2)
    shape = f"({height}, {width + padding})"
    s.emit(f"{name} = cuda.shared.array({shape}, dtype={kinds.DTYPES[dtype]})",
           f"{name} = cuda.shared_array('{name}', {shape}, {kinds.DTYPES[dtype]})")
    value = fit(scalars.number(p, s, dtype, 2))
    s.emit(f"{name}[tid // {width}, tid % {width}] = {value.code}",
           f"{name}[tid // {width}, tid % {width}] = {value.ref}")
    s.emit(*BARRIER)
    place = scalars.number(p, s, "i8", 1)
    fresh_variable(p, s, dtype, f"{name}[{place.code} % {height}, tid % {width}]",
                   f"plain({name}[{place.ref} % {height}, tid % {width}])")
    s.emit(*BARRIER)
    return None


def dynamic(p, s, layout):
    """An exchange through the memory that the launch gives."""
    if layout.dynamic:
        return matrix(p, s, layout)
    dtype, name = p.choices.one_of(["i8", "f8", "i4"]), p.fresh("sh")
    layout.dynamic = layout.threads * kinds.bits(dtype) // 8
    s.emit(f"{name} = cuda.shared.array(0, dtype={kinds.DTYPES[dtype]})",
           f"{name} = cuda.shared_array('{name}', {layout.threads}, {kinds.DTYPES[dtype]})")
    value = fit(scalars.number(p, s, dtype, 2))
    s.emit(f"{name}[tid] = {value.code}", f"{name}[tid] = {value.ref}")
    s.emit(*BARRIER)
    fresh_variable(p, s, dtype, f"{name}[{layout.threads - 1} - tid]", f"plain({name}[{layout.threads - 1} - tid])")
    s.emit(*BARRIER)
    return None


def constant_array(p, s, layout):
    c = p.choices
    dtype = c.one_of(["i8", "f8", "i4", "f4"])
    table, name = p.fresh("table"), p.fresh("c")
    value = kernels.array(p, dtype)()
    p.define(f"{table} = {value.code}")
    s.emit(f"{name} = cuda.const.array_like({table})", f"{name} = {table}")
    s.variables[name] = value.kind
    s.fixed.add(name)


def loop_with_barriers(p, s, layout):
    """A uniform loop whose turns exchange values."""
    c = p.choices
    name, total, turn = p.fresh("sh"), p.fresh("v"), p.fresh("i")
    turns = 1 + c.draw(3)
    s.emit(f"{name} = cuda.shared.array({layout.threads}, dtype=np.int64)",
           f"{name} = cuda.shared_array('{name}', {layout.threads}, np.int64)")
    s.emit(f"{total} = 0")
    s.variables[total] = "i8"
    with s.loop(turns, leaves=False), s.block(f"for {turn} in range({turns}):"):
        s.variables[turn] = "i8"
        s.fixed |= {turn}
        value = scalars.number(p, s, "i8", 2)
        s.emit(f"{name}[tid] = {value.code}", f"{name}[tid] = {value.ref}")
        s.emit(*BARRIER)
        place = scalars.number(p, s, "i8", 1)
        s.emit(f"{total} += {name}[{place.code} % {layout.threads}]",
               f"{total} = CUT['i8']({total} + plain({name}[{place.ref} % {layout.threads}]))")
        s.emit(*BARRIER)


def bit_count(p, s, want, depth):
    """Integer intrinsics."""
    if want != "i8":
        return None
    kind = p.choices.one_of(["i8", "i4", "u4", "u8"])
    value = scalars.number(p, s, kind, depth - 1)
    name = p.choices.one_of(["popc", "clz", "ffs"])
    width = kinds.bits(kind)
    ref = f"{name}({value.ref}, {width})"
    return Expr("i8", f"np.int64(cuda.{name}({value.code}))", ref)


def rounded(p, s, want, depth):
    if want != "i8":
        return None
    value = kernel_steps.exact_float(p, s, p.choices.one_of(["f8", "f4"]), 1)
    name = p.choices.one_of(["math.floor", "math.ceil", "int"])
    return Expr("i8", f"{name}({value.code})", f"{name}({value.ref})")


STEPS = [(3, branch_group), (2, matrix), (1, dynamic), (1, constant_array), (2, loop_with_barriers)]
scalars.DEVICE_PRODUCTIONS += [(1, bit_count), (1, rounded)]
