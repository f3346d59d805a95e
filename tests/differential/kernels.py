"""Random CUDA kernels without races: a thread writes what is its own, shared memory changes between barriers, and
counters are changed by one kind of atomic operation whose result nobody reads.

Floats are multiples of 1/8 below 32 and are combined so that nothing is ever rounded: whether a compiler fuses a
multiplication with an addition makes no difference.
"""
import kernel_groups
import kernel_steps
import kinds
import records
import scalars
import statements
from program import Expr, Scope

SHAPES = [((1,), (32,)), ((2,), (32,)), ((2,), (64,)), ((1,), (1,)), ((3,), (7,)), ((4,), (33,)), ((1, 2), (8, 4)),
          ((2, 2), (4, 8)), ((1, 1), (16, 8)), ((2, 1, 2), (4, 2, 4)), ((1, 2, 1), (2, 4, 8)), ((1,), (128,)),
          ((3, 2), (5, 3)), ((2,), (96,))]
INPUT_DTYPES = ["i8", "i4", "f8", "f4", "u1", "u4", "i2", "u8", "b1", "i1"]


class Layout:
    """The grid of a kernel, and what its threads may do."""

    def __init__(self, c):
        self.grid, self.block = c.one_of(SHAPES)
        self.threads = self.blocks = 1
        for extent in self.block:
            self.threads *= extent
        for extent in self.grid:
            self.blocks *= extent
        self.total = self.threads * self.blocks
        self.whole_warps = self.threads % 32 == 0
        self.uniform = True  # no thread has left
        self.outputs = []    # (name, dtype, index text, guard or None)
        self.dynamic = 0     # bytes of shared memory that the launch gives
        self.counters = []   # (name, dtype, extent, operation)


def generate(p):
    c = p.choices
    p.device = True
    p.calls = 2
    p.numpy_errors = True
    layout = Layout(c)
    for _ in c.several(3):
        c.weighted([(3, device_function), (1, records.record_type)])(p)
    parameters = inputs(p) + outputs(p, layout)
    s = Scope(p, [(name, kind) for name, kind in parameters if kind is not None])
    s.fixed |= set(s.variables)
    s.may_raise = s.returns = False
    places(p, s, layout)
    steps = kernel_steps.STEPS + kernel_groups.STEPS
    if c.chance(20):
        # some threads leave at once: what is left has no step that all of them take together
        s.emit(f"if gid >= {max(1, layout.total - c.draw(40))}:")
        s.lines.append((2, "return", "return"))
        steps = kernel_steps.OWN_STEPS
    for _ in c.several(7, 85):
        c.weighted(steps)(p, s, layout)
    for output in layout.outputs:
        kernel_steps.store(p, s, layout, output)
    add_kernel(p, s, [name for name, _ in parameters], layout)
    return p


def add_kernel(p, s, names, layout):
    decorator = p.choices.one_of(["@cuda.jit", "@cuda.jit", "@cuda.jit(opt=False)"])
    header = "def kernel({}):"
    p.define(f"{decorator}\n{s.text(1, header.format(', '.join(names)))}",
             s.text(2, header.format(", ".join(["cuda", *names]))) + "\n    yield from ()")
    dynamic = f", 0, {layout.dynamic}" if layout.dynamic else ""
    p.define(f"def main(*arguments):\n    kernel[{layout.grid}, {layout.block}{dynamic}](*arguments)\n    cuda.synchronize()",
             f"def main(*arguments):\n    launch(kernel, {layout.grid}, {layout.block}, *arguments)")


def device_function(p):
    c = p.choices
    parameters = [(p.fresh("p"), c.one_of(["i8", "i4", "f8", "f4", "b1", "u8"])) for _ in range(1 + c.draw(3))]
    s = Scope(p, parameters)
    s.may_raise = False
    s.result = c.one_of(["i8", "f8", "u8", "b1"])
    statements.statements(p, s, 2, 4)
    value = kernel_steps.fit(scalars.number(p, s, s.result, 2))
    s.emit(f"return {value.code}", f"return {value.ref}")
    decorator = c.one_of(["@cuda.jit(device=True)", "@cuda.jit", "@njit"])
    p.add_function(p.fresh("device"), s, parameters, "device", decorator)


def element_text(c, dtype):
    if dtype == "b1":
        return c.one_of(["False", "True"])
    if dtype in kinds.FLOATS:
        return str((c.draw(128) - 64) / 8)
    if c.chance(15):
        return str(c.one_of(scalars.INT_LITERALS[dtype]))
    return str(c.draw(20))


def inputs(p):
    c = p.choices
    parameters = []
    for _ in range(1 + c.draw(4)):
        name = p.fresh("p")
        form = c.one_of(["array", "array", "number", "records", "tuple"])
        parameters.append((name, p.add_argument(maker(p, form)).kind))
    return parameters


def maker(p, form):
    """What makes values of one type, for each launch."""
    c = p.choices
    if form == "records" and p.classes:
        name, count = c.one_of(list(p.classes)), 1 + c.draw(4)
        return lambda: p.classes[name].instance(p, count)
    if form == "tuple":
        count = 2 + c.draw(2)
        return lambda: Expr(("tuple", ("i8",) * count), *[str(tuple(c.draw(12) - 2 for _ in range(count)))] * 2)
    if form == "number":
        kind = c.one_of(["i8", "i4", "f8", "b1", "u8"])
        return lambda: Expr("f8", *[str((c.draw(128) - 64) / 8)] * 2) if kind == "f8" else scalars.literal(p, kind)
    return array(p)


def array(p, dtype=None):
    c = p.choices
    dtype = dtype or c.one_of(INPUT_DTYPES)
    dims, layout = c.one_of([(8,), (5,), (3, 4), (16,), (2, 3, 2)]), "np.asfortranarray({})" if c.chance(20) else "{}"
    size = 1
    for extent in dims:
        size *= extent

    def make():
        items = ", ".join(element_text(c, dtype) for _ in range(size))
        text = layout.format(f"np.array([{items}], dtype={kinds.DTYPES[dtype]}).reshape({dims})")
        return Expr(kinds.array(dtype, *dims), text, text)

    return make


def outputs(p, layout):
    """Arrays that threads write their own elements of, and counters. They are no variables of expressions."""
    c = p.choices
    parameters = []
    for _ in range(1 + c.draw(2)):
        name, dtype = p.fresh("out"), c.one_of(["i8", "f8", "i4", "f4", "u8", "u1", "b1"])
        shape, index, guard = f"({layout.total},)", "gid", None
        if c.chance(25):
            less = max(1, layout.total - c.draw(9))
            shape, guard = f"({less},)", c.one_of([f"gid < {less}", f"gid < {name}.size", f"gid < {name}.shape[0]"])
        elif len(layout.grid) == 2 and c.chance(60):
            width, height = (layout.grid[axis] * layout.block[axis] for axis in (0, 1))
            shape, index = f"({height}, {width})", "y, x"
        text = f"np.zeros({shape}, dtype={kinds.DTYPES[dtype]})"
        given(p, text)
        parameters.append((name, None))
        layout.outputs.append((name, dtype, index, guard))
    records_out(p, layout, parameters)
    for _ in c.several(2, 50):
        name, dtype = p.fresh("count"), c.one_of(["i4", "i8", "u4", "u8"])
        extent = c.one_of([1, 4, 10])
        operation = c.one_of(["add", "max", "min", "sub", "and_", "or_", "xor"])
        text = f"np.full({extent}, {c.draw(8)}, dtype={kinds.DTYPES[dtype]})"
        given(p, text)
        parameters.append((name, None))
        layout.counters.append((name, dtype, extent, operation))
    return parameters


def given(p, text):
    """The same for each launch."""
    p.add_argument(lambda: Expr(None, text, text))


def records_out(p, layout, parameters):
    """Records of which each thread writes the fields of its own."""
    names = [name for name, cls in p.classes.items() if cls.form == "record"]
    if not names or not p.choices.chance(50):
        return
    cls = p.classes[p.choices.one_of(names)]
    name, text = p.fresh("rows"), f"np.zeros({layout.total}, dtype={cls.name})"
    given(p, text)
    parameters.append((name, None))
    for field, kind in cls.fields:
        layout.outputs.append((name, kind, f"gid]['{field}'", None))


def places(p, s, layout):
    """Where the thread is: gid is its number in the grid, tid in its block."""
    dims = len(layout.grid)
    if dims == 1:
        s.emit(p.choices.one_of(["gid = cuda.grid(1)", "gid = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x"]))
        s.emit("tid = cuda.threadIdx.x")
    elif dims == 2:
        s.emit("x, y = cuda.grid(2)")
        s.emit("gid = y * cuda.blockDim.x * cuda.gridDim.x + x")
        s.emit("tid = cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x")
        s.variables.update(x="i8", y="i8")
    else:
        s.emit("x, y, z = cuda.grid(3)")
        s.emit("gid = (z * cuda.blockDim.y * cuda.gridDim.y + y) * cuda.blockDim.x * cuda.gridDim.x + x")
        s.emit("tid = (cuda.threadIdx.z * cuda.blockDim.y + cuda.threadIdx.y) * cuda.blockDim.x + cuda.threadIdx.x")
        s.variables.update(x="i8", y="i8", z="i8")
    s.variables.update(gid="i8", tid="i4" if dims == 1 else "i8")
    s.fixed |= {"x", "y", "z", "gid", "tid"}
