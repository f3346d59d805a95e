"""Made-up CUDA kernels without races: what they leave behind does not depend on the order that threads run in.

They have guards, loops that stride by the block or the grid, loops with barriers, ways on which only some
threads end, shared memory of several types and shapes, meetings of blocks, warps and parts of warps, records,
and numbers of all kinds.
"""
from kernel_threads import SHARED

COUNTERS = 8
PARAMETERS = "n, k, a, f, m, out, outf, counts, most, h, c, r, bits, sums"


KINDS = ("int64", "int64", "int32", "int32", "uint32", "int16", "float32", "float64", "float16", "complex64",
         "complex128")
ATOMIC_KINDS = ("int64", "int32", "uint32", "float32", "float64")
FORMS = ("flat", "flat", "flat", "square", "dynamic")

# `meet_...` are where threads meet. Narrow and unsigned numbers become int64 (+ 0): shuffles refuse int16, and
# uint64 and int64 have only float64 in common.
HELPERS = """def helper(p, r):
    p, r = p + 0, r + 0
    if p > r:
        return p - r
    for _ in range(2):
        p += r % 5
    return p % 1009


def meet_reversed(s, t, T, v):
    cuda.syncthreads()
    s[t] = v
    cuda.syncthreads()
    v = s[T - 1 - t] + 0
    cuda.syncthreads()
    return v


def meet_sum(v):
    d = 16
    while d > 0:
        w = cuda.shfl_xor_sync(-1, v, d)
        v = (v + w) % 1009
        d //= 2
    return v
"""


class SharedArray:
    """How an array in shared memory is made and used."""

    def __init__(self, name, kind, form):
        self.name, self.kind, self.form = name, kind, form

    def declaration(self):
        shape = {"flat": SHARED, "square": f"({SHARED // 20}, 20)", "dynamic": 0}[self.form]
        return f"{self.name} = cuda.shared.array({shape}, {self.kind})"

    def index(self, place):
        return f"(({place}) // 20, ({place}) % 20)" if self.form == "square" else place

    def at(self, place):
        index = self.index(place)
        return f"{self.name}[{index[1:-1] if self.form == 'square' else index}]"

    def read(self, place):
        """The item as a whole number."""
        item = self.at(place) + (".real" if self.kind.startswith("complex") else "")
        return item if "int" in self.kind else f"int({item})"

    def write(self, place, value):
        return f"{self.at(place)} = {f'complex({value}, 1)' if self.kind.startswith('complex') else value}"


class Writer:
    """Makes up the source of a kernel: `barrier` is where all threads come by the same way."""

    def __init__(self, chance):
        self.chance = chance
        self.lines = []
        self.depth = 1
        self.barrier = True  # whether all threads of the block are here
        self.returned = False  # whether some threads may have ended
        self.guarded = False  # whether i < n here
        self.items = []  # loop variables below n, of which no other thread has the same
        self.loops = 0
        self.in_loop = 0
        self.frozen = None  # in loops of single threads: what each shared array may be used for
        # of each shared array: how it was written since the last barrier, whether others' items were read
        self.shared = {name: [None, False] for name in ("s", "q")[:chance.choice((0, 1, 1, 2, 2))]}
        self.arrays = {"s": SharedArray("s", self.pick(*KINDS), self.pick(*FORMS)),
                       "q": SharedArray("q", self.pick(*KINDS), self.pick(*FORMS[:-1]))}
        self.axes = chance.choice((1, 1, 1, 2, 3))
        self.has_local = chance.random() < 0.2
        self.has_table = chance.random() < 0.1
        self.parted = chance.random() < 0.3  # single threads may end anywhere

    def pick(self, *choices):
        return self.chance.choice(choices)

    def put(self, text):
        self.lines.append("    " * self.depth + text)

    # --- Expressions

    def shared_item(self):
        """An item of shared memory that may be read here, or None."""
        for name in self.chance.sample(sorted(self.shared), len(self.shared)):
            written, _ = self.shared[name]
            if self.frozen and self.frozen[name] == "own":
                return self.arrays[name].read("t")
            if written is None:
                self.shared[name][1] = True
                return self.arrays[name].read(self.pick(
                    "(t + 1) % T", "T - 1 - t", "0", "t ^ t % 2", f"({self.expression(2)}) % T"))
            if written != "mixed" and written != "atomic":
                return self.arrays[name].read(written)
        return None

    def place(self):
        """An index of the global arrays that is in range here."""
        places = [f"({self.expression(2)}) % n", "t", "(i + 1) % n", "k"]
        if self.guarded:
            places += ["i"] * 6 + ["n - 1 - i", "i - 1", "i - i % 2"]
        places += self.items * 4
        return self.pick(*places)

    def expression(self, level=0):
        choice = self.chance.random()
        if level > 2 or choice < 0.35:
            return self.pick("t", "i", "x", "y", "x", "y", "n", "k", "cuda.blockIdx.x", str(self.chance.randrange(-3, 9)))
        if choice < 0.5:
            return f"a[{self.place()}]"
        if choice < 0.6:
            return self.shared_item() or "x"
        if choice < 0.63:
            return f"m[t, {self.pick('k', 'x % 4', '0', '-1')}]"
        if choice < 0.66:
            return f"helper({self.expression(level + 1)}, {self.expression(level + 1)})"
        if choice < 0.69 and self.has_local:
            return "local[x & 3]"
        if choice < 0.70 and self.has_table:
            return f"table[{self.expression(level + 1)} % 7]"
        if choice < 0.73:
            own = self.own()
            return self.pick(f"out[{own}]", f"r[{own}].a", f"r[{own}].c[{self.pick(0, 1, 'k % 2')}]", f"int(h[{own}])",
                             f"int(c[{own}].real)") if own else "x"
        if choice < 0.75:
            return self.pick("cuda.popc(x & 255)", "cuda.selp(x > y, x, y)", "cuda.laneid", "len(f)", "f.size")
        left, right = self.expression(level + 1), self.expression(level + 1)
        return self.pick(
            f"({left} + {right})", f"({left} - {right})", f"({left} + {right})", f"({left} - {right})",
            f"({left} * {self.chance.randrange(1, 6)})", f"({left} // {self.pick(2, 3, 7)})",
            f"({left} % {self.pick(2, 5, 32)})", f"({left} & {self.pick(1, 7, 31)})", f"({left} ^ {right})",
            f"min({left}, {right})", f"max({left}, {right})", f"({left} if {self.condition(level + 1)} else {right})",
            f"abs({left})", f"({left} >> 1)")

    def own(self):
        """An index of `out` that no other thread uses and that is in range, or None."""
        own = self.items + (["i"] if self.guarded else [])
        return self.pick(*own) if own else None

    def condition(self, level=0):
        edge = self.chance.randrange(0, 40)
        return self.pick(
            "i < n", "i < n - 1", "i > 0", f"i >= {self.pick(1, 3, 40)}", "0 < i < n - 1", f"t < {edge}", f"t >= {edge}",
            f"t % {self.pick(2, 3, 32)} == 0", "x < y", "x % 2 == 0", f"i <= n - {self.pick(1, 2, 5)}", "t + 1 < T",
            f"{self.expression(level + 1)} > {self.pick(0, 3, 50)}", "n > i", "i != 5", "not i >= n",
            "t == 0", "t < 32", "i >= n // 2", "cuda.threadIdx.x < cuda.blockDim.x - 1")

    def uniform_condition(self):
        return self.pick("k > 1", "n > 64", "cuda.blockIdx.x % 2 == 0", "k == 2", "T > 32", "u < 3",
                         "cuda.gridDim.x > 1", "a[0] > 40", "f[k] > 0", "(t ^ t) == 0", "m[0, k] % 2 == 1 and k > 0")

    def warp_condition(self):
        return self.pick("t < 32", "t // 32 % 2 == 0", "t >= 32", "a[t // 32] > 40")

    # --- Statements

    def block(self, statements, barrier=False, guarded=False, item=None):
        before = self.barrier, self.guarded
        self.barrier, self.guarded = barrier and self.barrier, guarded or self.guarded
        self.items += [item] if item else []
        self.depth += 1
        for _ in range(statements):
            self.statement()
        self.depth -= 1
        del self.items[len(self.items) - (1 if item else 0):]
        self.barrier, self.guarded = before

    def branch(self, barrier):
        condition = self.uniform_condition() if barrier else self.condition()
        before = {name: list(state) for name, state in self.shared.items()}
        self.put(f"if {condition}:")
        self.block(self.chance.randrange(1, 4), barrier, condition in ("i < n", "0 < i < n - 1", "i < n - 1", "n > i"))
        after, self.shared = self.shared, before
        if self.chance.random() < 0.4:
            self.put("else:")
            self.block(self.chance.randrange(1, 3), barrier)
        for name, (written, read) in after.items():
            mine = self.shared[name]
            mine[0] = mine[0] if mine[0] == written else "mixed"
            mine[1] |= read
        if barrier:
            self.sync()  # what one way left behind is not what the other did

    def sync(self):
        self.put("cuda.syncthreads()")
        self.clear()

    def clear(self):
        for state in self.shared.values():
            state[:] = [None, False]

    def enter(self):
        self.loops += 1
        self.in_loop += 1
        return f"j{self.loops}"

    def uniform_loop(self):
        if self.in_loop > 1:
            return self.assign()
        item = self.enter()
        self.put(f"for {item} in range({self.pick('k', '3', 'u % 3', 'k + 1', '1, 4', '3, 0, -1', 'a[0] % 3', 'm[k, 1] % 4')}):")
        self.depth += 1
        self.sync()
        self.depth -= 1
        self.block(self.chance.randrange(1, 4), True)
        self.depth += 1
        if self.chance.random() < 0.15:
            self.put(f"if {item} == {self.pick('1', 'k - 1')}:")
            self.put(f"    {self.pick('break', 'continue')}")
        if self.chance.random() < 0.3:
            self.put(f"u = u + {item}")
        self.depth -= 1
        self.in_loop -= 1
        if self.shared:
            self.sync()

    def lone_loop(self, head, item, is_own):
        """A loop of each thread for itself."""
        before, self.frozen = self.frozen, self.frozen or {
            name: "own" if state[0] == "t" or (state[0] is None and not state[1] and self.chance.random() < 0.5)
            else "read" if state[0] is None else "none" for name, state in self.shared.items()}
        self.put(head)
        if head.startswith("while"):
            self.put(f"    {item} -= 1")
        states = self.shared
        self.shared = {name: state for name, state in states.items() if self.frozen[name] != "none"}
        frozen, self.frozen = self.frozen, {name: self.frozen[name] for name in self.shared}
        self.block(self.chance.randrange(1, 4), False, item=item if is_own else None)
        if self.chance.random() < 0.2:
            self.put(f"    if {self.condition(2)}:")
            self.put(f"        {self.pick('break', 'continue')}")
            self.block(1, False, item=item if is_own else None)
        for name, use in self.frozen.items():
            states[name][:] = ["t", states[name][1]] if use == "own" else [None, True]
        self.frozen = before
        self.shared = states
        self.in_loop -= 1

    def stride_loop(self):
        if self.in_loop > 1:
            return self.assign()
        item = self.enter()
        head, is_own = self.pick(
            ("i, n, size", True), ("i, n, size", True), ("i, n, size", True), ("i, n - 1, size", True),
            ("t, n, T", False), (f"t, {SHARED}, T", False), ("t, n, 32", False), ("i, n, 64", False),
            ("n - 1 - i, -1, -size", False), ("i + 1, n, size", False), ("t, n, size", False))
        self.lone_loop(f"for {item} in range({head}):", item, is_own)

    def short_loop(self):
        if self.in_loop > 1:
            return self.assign()
        item = self.enter()
        if self.chance.random() < 0.3:
            self.put(f"{item} = {self.pick('x % 5', 't % 4', 'a[t] % 6', '3')}")
            return self.lone_loop(f"while {item} > {self.pick('0', '1', 'k % 2')}:", item, False)
        return self.lone_loop(
            f"for {item} in range({self.pick('x % 5', '3', 't % 4, 6', 'a[t] % 3, a[t + 1] % 7', 'k')}):", item, False)

    def assign(self):
        name = self.pick("x", "y", "x", "y", "z")
        value = self.expression()
        if name == "z":
            own = self.own()
            self.put(f"z = {self.pick(f'z * 0.5 + {value} % 100', f'f[{self.place()}] - z', f'z + f[{self.place()}]')}"
                     if not own or self.chance.random() < 0.5 else "z = " + self.pick(
                         f"abs(c[{own}]) % 100", f"c[{own}].imag % 10 + z * 0.5", f"r[{own}].b * 0.5 + 1",
                         f"float(h[{own}]) + z * 0.25", f"min(z, f[{own}])", f"-z if {self.condition(2)} else z"))
        elif self.in_loop:
            self.put(f"{name} = {self.pick(f'({value}) % 1009', f'({name} + {value}) % 9973', f'({name} * 3 + {value}) % 1009')}")
        else:
            self.put(self.pick(f"{name} = ({value}) % 1009", f"{name} = {value}", f"{name} += ({value}) % 97",
                               f"{name} -= {value} & 63"))
            if "= " + value == self.lines[-1].strip()[2:]:
                self.put(f"{name} = {name} % 100003")

    def share(self):
        if not self.shared:
            return self.assign()
        name = self.pick(*sorted(self.shared))
        state = self.shared[name]
        place = self.pick("t", "t", "T - 1 - t", "(t + 3) % T") if not self.in_loop or self.barrier else "t"
        if state[0] not in (None, place):
            place = "t" if state[0] == "t" else None
        if self.frozen and self.frozen[name] == "read":
            return self.assign()
        if place is None or (state[1] and not self.frozen) or (self.frozen and place != "t"):
            return self.sync() if self.barrier else self.assign()
        # the value is made up while others' items may not be read
        state[0] = place
        self.put(self.arrays[name].write(place, f"({self.expression()}) % 1009"))

    def store(self):
        place = self.own()
        if place is None:
            return self.branch(False)
        self.put(self.pick(f"out[{place}] = {self.pick('x', 'y')}", f"out[{place}] = ({self.expression()}) % 1009",
                           f"out[{place}] += {self.pick('x', 'y', 't', '1')} % 64", f"outf[{place}] = z",
                           f"outf[{place}] = f[{place}] * 0.5 + {self.pick('x', 'z', 'y')}",
                           f"h[{place}] = h[{place}] * 0.5 + {self.pick('x', 'y', 't')} % 32",
                           f"c[{place}] = c[{place}] * complex(0.5, 0.25) + complex({self.pick('x', 'y')} % 9, k)",
                           f"r[{place}].a = {self.pick('x', 'y', 't')} % 1009", f"r[{place}].b = z",
                           f"r[{place}].c[{self.pick(0, 1, 'k % 2')}] = {self.pick('x', 'y')} % 99"))

    def count(self):
        place = f"({self.expression()}) % {COUNTERS - 2}"
        self.put(self.pick(
            f"cuda.atomic.add(counts, {place}, 1)", f"cuda.atomic.add(counts, {place}, ({self.expression()}) % 9)",
            f"cuda.atomic.sub(counts, {place}, {self.pick('1', 'x % 5')})",
            f"cuda.atomic.max(most, {place}, ({self.expression()}) % 1009)",
            f"cuda.atomic.min(most, {COUNTERS - 1}, ({self.expression()}) % 1009)",
            f"cuda.atomic.or_(bits, {self.pick(0, 'k % 2')}, ({self.expression(1)}) & 1023)",
            f"cuda.atomic.and_(bits, 2, ({self.expression(1)}) & 1023 | 7)",
            f"cuda.atomic.xor(bits, 3 + x % 2, ({self.expression(1)}) & 1023)",
            "cuda.atomic.inc(bits, 5, 12)", "cuda.atomic.dec(bits, 6, 12)", "cuda.atomic.exch(bits, 7, 5)",
            "cuda.atomic.cas(bits, 8, 9, 4)",
            f"cuda.atomic.add(sums, {place}, {self.pick('0.25', 'f[t]', 'x % 5')})",
            *([] if self.chance.random() < 0.8 else [f"y = cuda.atomic.add(most, {COUNTERS - 2}, 1) * 0"])))

    def count_shared(self):
        if not self.shared or self.frozen:
            return self.count()
        name = self.pick(*sorted(self.shared))
        state = self.shared[name]
        array = self.arrays[name]
        if array.kind not in ATOMIC_KINDS:
            return self.share()
        if state[0] not in (None, "atomic") or state[1]:
            return self.sync() if self.barrier else self.count()
        value, place = self.expression(), self.expression()
        if self.shared[name][1]:  # the expressions read it
            return self.assign()
        state[0] = "atomic"
        self.put(f"cuda.atomic.{self.pick('add', 'add', 'max')}({name}, {array.index(f'({place}) % T')}, ({value}) % 9)")

    def shuffle(self):
        if not self.barrier or self.returned:
            return self.assign()
        name = self.pick("x", "y")
        way = self.pick("down", "up", "xor")
        if self.chance.random() < 0.4:
            self.put("d = 16")
            self.put("while d > 0:")
            self.put(f"    w = cuda.shfl_{way}_sync(-1, {name}, d)")
            self.put(f"    {name} = ({name} + w) % 1009")
            self.put("    d //= 2")
        else:
            self.put("w = " + self.pick(
                f"cuda.shfl_{way}_sync(-1, {name}, {self.pick(1, 2, 5, 16)})",
                f"cuda.shfl_sync(0xffffffff, {name}, {self.pick(0, 3, 'k', 't % 8', '31 - cuda.laneid')})"))
            self.put(f"{name} = ({name} * 3 + w) % 1009")

    def vote(self):
        if not self.barrier or self.returned:
            return self.assign()
        kind = self.pick("all", "any", "eq", "ballot", "match_any")
        asked = f"({self.expression(1)}) % 3" if kind == "match_any" else self.condition(1)
        self.put(f"w = cuda.{kind}_sync(-1, {asked})")
        self.put(f"{self.pick('x', 'y')} += {'cuda.popc(w)' if kind in ('ballot', 'match_any') else 'int(w)'}")

    def meet_in_some_warps(self):
        """Warps, or halves of them, that meet while others do something else."""
        if not self.barrier or self.returned:
            return self.assign()
        name = self.pick("x", "y")
        if self.chance.random() < 0.5:
            self.put(f"if {self.warp_condition()}:")
            self.depth += 1
            self.shared, kept = {}, self.shared
            self.pick(self.shuffle, self.vote)()
            self.shared = kept
            self.depth -= 1
            return None
        self.put("if cuda.laneid < 16:")
        self.put(f"    w = cuda.shfl_{self.pick('down', 'xor', 'up')}_sync(0xffff, {name}, {self.pick(1, 2, 8)})")
        self.put(f"    {name} = ({name} + w) % 1009")
        if self.chance.random() < 0.6:
            self.put("else:")
            self.put(f"    w = cuda.ballot_sync(0xffff0000, {self.pick('x > y', 't % 3 == 0')})")
            self.put(f"    {name} = ({name} + cuda.popc(w)) % 1009")
        return None

    def exchange(self):
        """Items that pass from thread to thread of a warp."""
        name = self.pick(*sorted(self.shared)) if self.shared else None
        if not name or not self.barrier or self.returned or self.frozen or self.shared[name] not in (
                [None, False], ["t", False]):
            return self.sync() if self.barrier else self.assign()
        array = self.arrays[name]
        for _ in range(self.pick(1, 1, 2)):
            self.put(array.write("t", f"({self.pick('x', 'y')} + t) % 1009"))
            self.put("cuda.syncwarp()")
            place = self.pick("t ^ 1", "t - t % 32", "t // 32 * 32 + (t + 5) % 32")
            self.put(f"if {place} < T:")
            self.put(f"    x = (x + {array.read(place)}) % 1009")
            self.put("cuda.syncwarp()")
        self.shared[name] = ["t", False]
        return None

    def poll(self):
        """A loop that goes on while some thread asks for it."""
        if not self.barrier or self.in_loop > 1:
            return self.assign()
        item = self.enter()
        self.put(f"{item} = {self.pick('x % 4', 't % 3', 'a[t] % 5', 'k')}")
        self.put("while True:")
        self.put(f"    w = cuda.syncthreads_{self.pick('or', 'count')}({item} > 0)")
        self.put("    if w == 0:")
        self.put("        break")
        self.put(f"    {item} -= 1")
        self.clear()
        self.block(self.chance.randrange(1, 3), True)
        self.in_loop -= 1
        self.sync()
        return None

    def call(self):
        """A device function in which threads meet."""
        usable = [name for name in sorted(self.shared) if self.arrays[name].form != "square"
                  and self.arrays[name].kind in ("int64", "int32", "uint32", "int16")]
        if not self.barrier or self.frozen:
            return self.assign()
        if not usable or self.chance.random() < 0.4:
            if self.returned:
                return self.assign()
            self.put(f"{self.pick('x', 'y')} = meet_sum({self.pick('x', 'y')} % 1009)")
            return None
        self.put(f"x = meet_reversed({self.pick(*usable)}, t, T, ({self.expression()}) % 1009)")
        self.clear()
        return None

    def meet(self):
        if not self.barrier:
            return self.assign()
        self.put(f"{self.pick('x', 'y')} = cuda.syncthreads_{self.pick('count', 'and', 'or')}({self.condition(1)})")
        self.clear()

    def reduce(self):
        if not self.barrier or not self.shared:
            return self.assign()
        array = self.arrays[self.pick(*sorted(self.shared))]
        self.sync()
        self.put(array.write("t", "x % 1009"))
        self.put(f"u = {SHARED // 2}")
        self.put("while u > 0:")
        self.put("    cuda.syncthreads()")
        self.put(f"    if t < u and t + u < {self.pick('T', SHARED)}:")
        self.put("        " + array.write("t", f"({array.read('t')} + {array.read('t + u')}) % 1009"))
        self.put("    u //= 2")
        self.sync()

    def leave(self):
        if self.parted and (self.in_loop or self.depth > 1) and self.chance.random() < 0.3:
            self.put(f"if {self.condition(2)}:")
            self.put("    return")
            self.returned = True
            return None
        if self.depth > 1 or self.guarded or self.chance.random() < 0.5:
            return self.assign()
        self.put("if i >= n:")
        self.put("    return")
        self.returned = self.guarded = True

    def statement(self):
        action = self.pick(
            self.assign, self.assign, self.assign, self.store, self.store, self.share, self.share, self.share,
            lambda: self.branch(False), lambda: self.branch(self.barrier), self.stride_loop, self.stride_loop,
            self.short_loop, self.uniform_loop if self.barrier else self.assign, self.count, self.count_shared,
            self.shuffle, self.meet if self.chance.random() < 0.3 else self.shuffle, self.reduce, self.leave,
            self.vote, self.meet_in_some_warps, self.exchange, self.poll, self.call,
            self.sync if self.barrier else self.store)
        if self.depth > 4:
            action = self.assign
        action()

    def source(self):
        if self.axes == 1:
            self.put(self.pick("i = cuda.grid(1)",
                               "i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x"))
            self.put("t, T, size = cuda.threadIdx.x, cuda.blockDim.x, cuda.gridsize(1)")
        elif self.axes == 3:
            self.put("column, row, layer = cuda.grid(3)")
            self.put("width, height, depth = cuda.gridsize(3)")
            self.put("i, size = (layer * height + row) * width + column, width * height * depth")
            self.put("T = cuda.blockDim.x * cuda.blockDim.y * cuda.blockDim.z")
            self.put("t = (cuda.threadIdx.z * cuda.blockDim.y + cuda.threadIdx.y) * cuda.blockDim.x + cuda.threadIdx.x")
        else:
            self.put("column, row = cuda.grid(2)")
            self.put("width, height = cuda.gridsize(2)")
            self.put("i, size = row * width + column, width * height")
            self.put("T = cuda.blockDim.x * cuda.blockDim.y")
            self.put("t = cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x")
        self.put(f"x, y, z, u = {self.pick('t', 'i', '0', 'k')}, {self.pick('i', '1')}, 0.5, k")
        if self.has_table:
            self.put("table = cuda.const.array_like(TABLE)")
        if self.has_local:
            self.put(f"local = cuda.local.array(4, {self.pick('int64', 'int32', 'int64')})")
            self.put("for j in range(4):")
            self.put("    local[j] = t + j")
        for name in self.shared:
            self.put(self.arrays[name].declaration())
            self.put(f"for j in range(t, {SHARED}, T):")
            self.put("    " + self.arrays[name].write("j", self.pick("0", "j", "x % 7 + j")))
        if self.shared:
            self.put("cuda.syncthreads()")
        for _ in range(self.chance.randrange(3, 9)):
            self.statement()
        self.put("if i < n:")
        self.put("    out[i] += x % 1009 + y % 1009")
        self.put("    outf[i] += z")
        return f"def kernel({PARAMETERS}):\n" + "\n".join(self.lines) + "\n"
