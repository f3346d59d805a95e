"""Generated CUDA kernels on the emulated device, beside a plain simulation of their threads.

Kernels have guards, loops that stride by the block or the grid, shared memory, barriers, shuffles and
counters, and no races: what they leave behind does not depend on the order that threads run in. The
simulation runs each thread of a block as a generator, from meeting to meeting.

usage: kernels.py [--seed N] [--time SECONDS] [--count KERNELS] [--keep-going] [--show]
"""
import argparse
import faulthandler
import linecache
import os
import pathlib
import random
import re
import sys
import time
import warnings

SHARED = 160  # items of each shared array, and the most threads of a block
COUNTERS = 8
PARAMETERS = "n, k, a, f, m, out, outf, counts, most"


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
        self.axes = chance.choice((1, 1, 1, 2))
        self.has_local = chance.random() < 0.2

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
                return f"{name}[t]"
            if written is None:
                self.shared[name][1] = True
                return f"{name}[{self.pick('(t + 1) % T', 'T - 1 - t', '0', 't ^ t % 2', f'({self.expression(2)}) % T')}]"
            if written != "mixed" and written != "atomic":
                return f"{name}[{written}]"
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
        if choice < 0.72:
            own = self.own()
            return f"out[{own}]" if own else "x"
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
        return self.pick("k > 1", "n > 64", "cuda.blockIdx.x % 2 == 0", "k == 2", "T > 32", "u < 3", "cuda.gridDim.x > 1")

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
        self.put(f"for {item} in range({self.pick('k', '3', 'u % 3', 'k + 1', '1, 4', '3, 0, -1')}):")
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
        states = self.shared
        self.shared = {name: state for name, state in states.items() if self.frozen[name] != "none"}
        frozen, self.frozen = self.frozen, {name: self.frozen[name] for name in self.shared}
        self.block(self.chance.randrange(1, 4), False, item=item if is_own else None)
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
        self.lone_loop(f"for {item} in range({self.pick('x % 5', '3', 't % 4, 6', 'a[t] % 3, a[t + 1] % 7', 'k')}):",
                       item, False)

    def assign(self):
        name = self.pick("x", "y", "x", "y", "z")
        value = self.expression()
        if name == "z":
            self.put(f"z = {self.pick(f'z * 0.5 + {value} % 100', f'f[{self.place()}] - z', f'z + f[{self.place()}]')}")
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
        self.put(f"{name}[{place}] = ({self.expression()}) % 1009")

    def store(self):
        place = self.own()
        if place is None:
            return self.branch(False)
        self.put(self.pick(f"out[{place}] = {self.pick('x', 'y')}", f"out[{place}] = ({self.expression()}) % 1009",
                           f"out[{place}] += {self.pick('x', 'y', 't', '1')} % 64", f"outf[{place}] = z",
                           f"outf[{place}] = f[{place}] * 0.5 + {self.pick('x', 'z', 'y')}"))

    def count(self):
        place = f"({self.expression()}) % {COUNTERS - 2}"
        self.put(self.pick(
            f"cuda.atomic.add(counts, {place}, 1)", f"cuda.atomic.add(counts, {place}, ({self.expression()}) % 9)",
            f"cuda.atomic.sub(counts, {place}, {self.pick('1', 'x % 5')})",
            f"cuda.atomic.max(most, {place}, ({self.expression()}) % 1009)",
            f"cuda.atomic.min(most, {COUNTERS - 1}, ({self.expression()}) % 1009)",
            *([] if self.chance.random() < 0.8 else [f"y = cuda.atomic.add(most, {COUNTERS - 2}, 1) * 0"])))

    def count_shared(self):
        if not self.shared or self.frozen:
            return self.count()
        name = self.pick(*sorted(self.shared))
        state = self.shared[name]
        if state[0] not in (None, "atomic") or state[1]:
            return self.sync() if self.barrier else self.count()
        value, place = self.expression(), self.expression()
        if self.shared[name][1]:  # the expressions read it
            return self.assign()
        state[0] = "atomic"
        self.put(f"cuda.atomic.{self.pick('add', 'add', 'max')}({name}, ({place}) % T, ({value}) % 9)")

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
            self.put(f"w = cuda.shfl_{way}_sync(-1, {name}, {self.pick(1, 2, 5, 16)})")
            self.put(f"{name} = ({name} * 3 + w) % 1009")

    def meet(self):
        if not self.barrier:
            return self.assign()
        self.put(f"{self.pick('x', 'y')} = cuda.syncthreads_{self.pick('count', 'and', 'or')}({self.condition(1)})")
        self.clear()

    def reduce(self):
        if not self.barrier or not self.shared:
            return self.assign()
        name = self.pick(*sorted(self.shared))
        self.sync()
        self.put(f"{name}[t] = x % 1009")
        self.put(f"u = {SHARED // 2}")
        self.put("while u > 0:")
        self.put("    cuda.syncthreads()")
        self.put(f"    if t < u and t + u < {self.pick('T', SHARED)}:")
        self.put(f"        {name}[t] = ({name}[t] + {name}[t + u]) % 1009")
        self.put("    u //= 2")
        self.sync()

    def leave(self):
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
            self.sync if self.barrier else self.store)
        if self.depth > 4:
            action = self.assign
        action()

    def source(self):
        if self.axes == 1:
            self.put(self.pick("i = cuda.grid(1)",
                               "i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x"))
            self.put("t, T, size = cuda.threadIdx.x, cuda.blockDim.x, cuda.gridsize(1)")
        else:
            self.put("column, row = cuda.grid(2)")
            self.put("width, height = cuda.gridsize(2)")
            self.put("i, size = row * width + column, width * height")
            self.put("T = cuda.blockDim.x * cuda.blockDim.y")
            self.put("t = cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x")
        self.put(f"x, y, z, u = {self.pick('t', 'i', '0', 'k')}, {self.pick('i', '1')}, 0.5, k")
        if self.has_local:
            self.put("local = cuda.local.array(4, int64)")
            self.put("for j in range(4):")
            self.put("    local[j] = t + j")
        for name in self.shared:
            self.put(f"{name} = cuda.shared.array({SHARED}, {self.pick('int64', 'int32', 'int64')})")
            self.put(f"for j in range(t, {SHARED}, T):")
            self.put(f"    {name}[j] = {self.pick('0', 'j', 'x % 7 + j')}")
        if self.shared:
            self.put("cuda.syncthreads()")
        for _ in range(self.chance.randrange(3, 9)):
            self.statement()
        self.put("if i < n:")
        self.put("    out[i] += x % 1009 + y % 1009")
        self.put("    outf[i] += z")
        return f"def kernel({PARAMETERS}):\n" + "\n".join(self.lines) + "\n"


HELPER = """def helper(p, r):
    if p > r:
        return p - r
    for _ in range(2):
        p += r % 5
    return p % 1009
"""


def make_source(chance):
    return Writer(chance).source()


# --- The simulation


class View:
    """An array whose items are plain numbers, each index checked."""

    def __init__(self, array):
        self.array = array

    def index(self, at):
        for number, extent in zip(at if isinstance(at, tuple) else (at,), self.array.shape):
            if not -extent <= number < extent:
                raise IndexError(at)
        return at

    def __getitem__(self, at):
        return self.array[self.index(at)].item()

    def __setitem__(self, at, value):
        self.array[self.index(at)] = value


class Atomics:
    def add(self, array, at, value):
        old = array[at]
        array[at] = old + value
        return old

    def sub(self, array, at, value):
        return self.add(array, at, -value)

    def max(self, array, at, value):
        old = array[at]
        array[at] = max(old, value)
        return old

    def min(self, array, at, value):
        old = array[at]
        array[at] = min(old, value)
        return old


class Axes:
    def __init__(self, x, y):
        self.x, self.y = x, y


class Thread:
    """What `cuda` is for one thread of the simulation."""

    def __init__(self, grid, block, block_idx, thread_idx, shared):
        self.gridDim, self.blockDim = Axes(*grid), Axes(*block)
        self.blockIdx, self.threadIdx = Axes(*block_idx), Axes(*thread_idx)
        self.atomic, self.shared, self.local = Atomics(), self, self
        self.arrays, self.number = shared, 0

    def grid(self, axes):
        x = self.blockIdx.x * self.blockDim.x + self.threadIdx.x
        return x if axes == 1 else (x, self.blockIdx.y * self.blockDim.y + self.threadIdx.y)

    def gridsize(self, axes):
        x = self.gridDim.x * self.blockDim.x
        return x if axes == 1 else (x, self.gridDim.y * self.blockDim.y)

    def array(self, size, kind):
        import numpy as np
        if size != SHARED:  # local
            return View(np.zeros(size, kind))
        self.number += 1
        if self.number > len(self.arrays):
            self.arrays.append(View(np.zeros(size, kind)))
        return self.arrays[self.number - 1]


def simulated(source):
    """The kernel as a generator: meetings are yields."""
    source = re.sub(r"cuda\.syncthreads\(\)", "yield ('sync',)", source)
    source = re.sub(r"= cuda\.(syncthreads_\w+|shfl_\w+)\((.*)\)$", r"= yield ('\1', \2)", source, flags=re.M)
    return source.replace(f"def kernel({PARAMETERS})", f"def kernel(cuda, {PARAMETERS})").replace(
        ":\n", ":\n    if False:\n        yield\n", 1)


def meet(asked):
    """What each thread is told, from what all that live ask for: by thread number."""
    kind = next(iter(asked.values()))[0]
    assert all(item[0] == kind for item in asked.values()), "the threads of a block part"
    if kind == "sync":
        return {}
    if kind.startswith("syncthreads"):
        votes = [bool(item[1]) for item in asked.values()]
        answer = {"count": sum(votes), "and": int(all(votes)), "or": int(any(votes))}[kind.split("_")[1]]
        return dict.fromkeys(asked, answer)
    way, answers = kind.split("_")[1], {}
    for number, (_, _, value, by) in asked.items():
        lane = number % 32
        source = {"down": lane + by, "up": lane - by, "xor": lane ^ by}[way]
        other = number - lane + source
        answers[number] = asked[other][2] if 0 <= source < 32 and other in asked else value
    return answers


def run_block(threads):
    alive, answers = dict(enumerate(threads)), {}
    while alive:
        asked = {}
        for number, thread in list(alive.items()):
            try:
                asked[number] = thread.send(answers.get(number))
            except StopIteration:
                del alive[number]
        if asked:
            answers = meet(asked)


def simulate(source, grid, block, arguments):
    import numpy as np
    names = {"int64": np.int64, "int32": np.int32}
    exec(compile(HELPER + simulated(source), "<simulation>", "exec"), names)
    views = [View(item) if isinstance(item, np.ndarray) else item for item in arguments]
    for by in range(grid[1]):
        for bx in range(grid[0]):
            shared = []
            run_block([names["kernel"](Thread(grid, block, (bx, by), (tx, ty), shared), *views)
                       for ty in range(block[1]) for tx in range(block[0])])


# --- The comparison


def make_launches(chance, axes):
    for _ in range(3):
        if axes == 1:
            block, grid = (chance.choice((1, 7, 31, 32, 33, 64, 96, 128, SHARED)), 1), (chance.choice((1, 2, 3, 5)), 1)
        else:
            block, grid = chance.choice(((8, 4), (3, 5), (32, 4), (16, 8), (1, 40), (33, 2))), \
                (chance.choice((1, 2, 3)), chance.choice((1, 2)))
        threads = grid[0] * grid[1] * block[0] * block[1]
        n = max(1, chance.choice((threads, threads - 1, threads // 2, threads + 9, 3 * threads + 1, 1, threads - 33)))
        yield grid, block, n, chance.randrange(0, 4), chance.randrange(10**6), chance.random() < 0.04


def make_arguments(n, k, seed, is_short, layout):
    import numpy as np
    rng = np.random.default_rng(seed)
    extent = max(n, SHARED + 1)
    a = rng.integers(-9, 100, 2 * extent, np.int32)[::layout][:extent]
    m = rng.integers(0, 50, (SHARED, 4))
    counts = np.zeros(COUNTERS, np.int32 if seed % 2 else np.int64)
    most = np.full(COUNTERS, 5, np.int64)
    most[COUNTERS - 1] = 2000
    own = n - 1 if is_short and n > 1 else n
    return [n, k, a, rng.integers(-40, 40, extent) * 0.25, np.asfortranarray(m) if layout > 1 else m,
            np.zeros(own, np.int64), np.zeros(own), counts, most]


def execute(source, file, names):
    """With the source where `inspect` finds it."""
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    exec(compile(source, file, "exec"), names)


def check(seed, number):
    """None, or what is wrong with the kernel of this number."""
    import numpy as np
    from numba import cuda, int32, int64
    chance = random.Random(f"{seed} {number}")
    writer = Writer(chance)
    source = writer.source()
    names = {"cuda": cuda, "int32": int32, "int64": int64}
    execute(HELPER, "<helper>", names)
    names["helper"] = cuda.jit(device=True)(names["helper"])
    execute(source, f"<kernel {seed} {number}>", names)
    kernel, layout = cuda.jit(names["kernel"]), chance.choice((1, 1, 1, 2))
    for grid, block, n, k, data, is_short in make_launches(chance, writer.axes):
        expected = make_arguments(n, k, data, is_short, layout)
        got = make_arguments(n, k, data, is_short, layout)
        said = f"seed {seed}, kernel {number}, grid {grid}, block {block}, n {n}, k {k}"
        failure = None
        try:
            simulate(source, grid, block, expected)
        except IndexError as error:
            failure = error
        try:
            kernel[grid, block](*got)
            if failure:
                return f"{said}: no IndexError ({failure})\n{source}"
        except IndexError as error:
            if not failure:
                return f"{said}: {error!r}\n{source}"
        except Exception as error:
            return f"{said}: {type(error).__name__}: {error}\n{source}"
        for name, left, right in zip(PARAMETERS.split(", "), got, expected):
            if not failure and isinstance(left, np.ndarray) and not np.allclose(left, right, 1e-9, 1e-9):
                wrong = np.flatnonzero(~np.isclose(left, right, 1e-9, 1e-9))
                return (f"{said}: {name}{wrong[:8].tolist()} is {left.ravel()[wrong[:8]].tolist()}, not "
                        f"{right.ravel()[wrong[:8]].tolist()}\n{source}")
    return None


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--first", type=int, default=0, help="the number of the first kernel")
    parser.add_argument("--time", type=float, default=1e9)
    parser.add_argument("--count", type=int, default=10**9)
    parser.add_argument("--keep-going", action="store_true", help="report more than the first failure")
    parser.add_argument("--show", action="store_true", help="print the sources and run nothing")
    options = parser.parse_args(arguments)
    faulthandler.enable()
    warnings.simplefilter("ignore")
    if options.show:
        for number in range(options.first, options.first + min(options.count, 10)):
            print(Writer(random.Random(f"{options.seed} {number}")).source())
        return 0
    build = pathlib.Path(os.environ.get("GRIDCELL_BUILD", pathlib.Path(__file__).resolve().parents[2] / "build"))
    sys.path.insert(0, str(build / "python"))
    os.environ["GRIDCELL_DEVICE"] = "emulator"
    import gridcell
    gridcell.activate()
    found, done, until = 0, 0, time.monotonic() + options.time
    for number in range(options.first, options.first + options.count):
        if time.monotonic() > until or (found and not options.keep_going):
            break
        print(f"\r{number} ", end="", file=sys.stderr, flush=True)  # what it was if the process ends
        report = check(options.seed, number)
        done += 1
        if report:
            found += 1
            print(report, flush=True)
    print(f"seed {options.seed}: {done} kernels, {found} failures")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
