"""The threads of a kernel in plain Python: each is a generator, from meeting to meeting. What debug=True
should find out about shared memory and barriers is found here, from all accesses that there are."""
import inspect
import itertools
import re

import numpy as np

SHARED = 160  # items of each shared array, and the most threads of a block
LANES = 32


class View:
    """An array whose items are plain numbers, each index checked."""

    def __init__(self, array):
        self.array, self.size = array, array.size

    def index(self, at):
        for number, extent in zip(at if isinstance(at, tuple) else (at,), self.array.shape):
            if not -extent <= number < extent:
                raise IndexError(at)
        return at

    def __len__(self):
        return len(self.array)

    def __getitem__(self, at):
        item = self.array[self.index(at)]
        return Record(item) if isinstance(item, np.void) else item.item()

    def __setitem__(self, at, value):
        self.array[self.index(at)] = value

    def update(self, at, change):
        old = self[at]
        self.array[at] = change(old)
        return old


class Record:
    """One record of an array: its fields are attributes or items."""

    def __init__(self, record):
        self.__dict__["record"] = record

    def __getattr__(self, name):
        field = self.record[name]
        return View(field) if isinstance(field, np.ndarray) else field.item()

    def __setattr__(self, name, value):
        self.record[name] = value

    __getitem__, __setitem__ = __getattr__, __setattr__


class Item:
    """Who has used an item of shared memory since the last barrier of the block."""

    def __init__(self):
        self.is_written = self.is_atomic = False
        self.round, self.writers, self.readers = 0, {}, {}  # by thread: the meetings of its warp before


class SharedView(View):
    """An array in shared memory, whose accesses are noted."""

    def __init__(self, array, block):
        super().__init__(array)
        self.block = block
        self.items = {}

    def note(self, at, access, is_same=False):
        block, number = self.block, self.block.current
        item = self.items.setdefault(at, Item())
        if item.round != block.round:
            item.round, item.writers, item.readers = block.round, {}, {}
        if access != "store" and not item.is_written:
            block.findings.add("unwritten")
        is_harmless = is_same or (access == "atomic" and item.is_atomic)
        if not is_harmless and block.is_unordered(item.writers):
            block.findings.add("race")
        if access == "load":
            item.readers[number] = block.meetings[number]
            return
        if not is_same and block.is_unordered(item.readers):
            block.findings.add("race")
        if access == "store" or not item.is_atomic:
            item.writers = {}
        item.writers[number] = block.meetings[number]
        item.is_written, item.is_atomic = True, access == "atomic"

    def __getitem__(self, at):
        value = super().__getitem__(at)
        self.note(at, "load")
        return value

    def __setitem__(self, at, value):
        before = self.array[self.index(at)]
        self.array[at] = value
        self.note(at, "store", self.array[at] == before)

    def update(self, at, change):
        old = super().__getitem__(at)
        self.note(at, "atomic")
        self.array[at] = change(old)
        return old


class Atomics:
    add = staticmethod(lambda array, at, value: array.update(at, lambda old: old + value))
    sub = staticmethod(lambda array, at, value: array.update(at, lambda old: old - value))
    max = staticmethod(lambda array, at, value: array.update(at, lambda old: max(old, value)))
    min = staticmethod(lambda array, at, value: array.update(at, lambda old: min(old, value)))
    and_ = staticmethod(lambda array, at, value: array.update(at, lambda old: old & value))
    or_ = staticmethod(lambda array, at, value: array.update(at, lambda old: old | value))
    xor = staticmethod(lambda array, at, value: array.update(at, lambda old: old ^ value))
    exch = staticmethod(lambda array, at, value: array.update(at, lambda old: value))
    inc = staticmethod(lambda array, at, value: array.update(at, lambda old: 0 if old >= value else old + 1))
    dec = staticmethod(lambda array, at, value: array.update(
        at, lambda old: value if old == 0 or old > value else old - 1))
    cas = staticmethod(lambda array, at, asked, value: array.update(
        at, lambda old: value if old == asked else old))


class Axes:
    def __init__(self, x, y=1, z=1):
        self.x, self.y, self.z = x, y, z


class Allocations:
    """What cuda.shared, cuda.local and cuda.const are for one thread."""

    def __init__(self, block=None):
        self.block, self.count = block, 0

    def array(self, shape, kind):
        if not self.block:
            return View(np.zeros(shape, kind))
        self.count += 1
        if self.count > len(self.block.arrays):
            self.block.arrays.append(SharedView(np.zeros(shape or SHARED, kind), self.block))
        return self.block.arrays[self.count - 1]

    def array_like(self, array):
        return View(array)


class Thread:
    """What `cuda` is for one thread of the simulation."""

    def __init__(self, block, grid_dim, block_dim, block_idx, thread_idx):
        self.gridDim, self.blockDim = Axes(*grid_dim), Axes(*block_dim)
        self.blockIdx, self.threadIdx = Axes(*block_idx), Axes(*thread_idx)
        self.atomic, self.shared = Atomics, Allocations(block)
        self.local = self.const = Allocations()
        number = (self.threadIdx.z * self.blockDim.y + self.threadIdx.y) * self.blockDim.x + self.threadIdx.x
        self.laneid = number % LANES

    def grid(self, axes):
        places = tuple(getattr(self.blockIdx, axis) * getattr(self.blockDim, axis) + getattr(self.threadIdx, axis)
                       for axis in "xyz"[:axes])
        return places if axes > 1 else places[0]

    def gridsize(self, axes):
        sizes = tuple(getattr(self.gridDim, axis) * getattr(self.blockDim, axis) for axis in "xyz"[:axes])
        return sizes if axes > 1 else sizes[0]

    @staticmethod
    def popc(number):
        return bin(number & 0xFFFFFFFF).count("1")

    @staticmethod
    def selp(condition, a, b):
        return a if condition else b


class Block:
    """The threads of a block, resumed in the order of their numbers."""

    def __init__(self):
        self.arrays, self.findings = [], set()
        self.round, self.current, self.meetings = 1, 0, []
        self.threads, self.asked, self.answers = {}, {}, {}

    def is_unordered(self, users):
        """Whether nothing makes the current thread wait for one of these."""
        me = self.current
        return any(other != me and (other // LANES != me // LANES or met == self.meetings[me])
                   for other, met in users.items())

    def resume(self, numbers):
        for number in numbers:
            self.current = number
            try:
                self.asked[number] = self.threads[number].send(self.answers.pop(number, None))
            except StopIteration:
                del self.threads[number]
                self.asked.pop(number, None)

    def settle_warps(self):
        """The threads whose warp has met, having been told the outcome."""
        ready = []
        for warp, numbers in itertools.groupby(sorted(self.threads), lambda number: number // LANES):
            groups = {}
            for number in numbers:
                if not is_for_block(self.asked[number]):
                    kind, mask = self.asked[number][0], self.asked[number][1] & 0xFFFFFFFF
                    groups.setdefault((kind, mask), {})[number] = self.asked[number]
            waiting = {number for group in groups.values() for number in group}
            for (_, mask), group in groups.items():
                named = {number for number in waiting if mask >> number % LANES & 1}
                if named <= set(group):
                    self.answers.update(outcome(group))
                    ready += group
        for number in ready:
            self.meetings[number] += self.asked[number][0] == "syncwarp"
        return sorted(ready)

    def settle_block(self):
        self.round += 1
        lines = {line_of(self.threads[number]) for number in self.asked}
        if len(lines) > 1 or len(self.asked) < len(self.meetings):
            self.findings.add("divergent")
        for kind in {asked[0] for asked in self.asked.values()} - {"sync"}:
            votes = {number: bool(asked[1]) for number, asked in self.asked.items() if asked[0] == kind}
            answer = {"count": sum, "and": all, "or": any}[kind.split("_")[1]](votes.values())
            self.answers.update(dict.fromkeys(votes, int(answer)))
        return sorted(self.asked)

    def run(self, threads):
        self.threads, self.meetings = dict(enumerate(threads)), [0] * len(threads)
        ready = list(self.threads)
        while ready:
            self.resume(ready)
            ready = self.settle_warps() or (self.threads and self.settle_block())


def is_for_block(asked):
    return asked[0] == "sync" or asked[0].startswith("syncthreads")


def line_of(thread):
    """Where a generator waits, or one that it waits for."""
    while inspect.isgenerator(thread.gi_yieldfrom):
        thread = thread.gi_yieldfrom
    return thread.gi_frame.f_lineno


def outcome(group):
    """What each thread of those that meet in a warp is told."""
    kind = next(iter(group.values()))[0]
    items = {number: asked[2] for number, asked in group.items() if len(asked) > 2}
    masks = {value: sum(1 << number % LANES for number, item in items.items() if item == value)
             for value in set(items.values())}
    ballot = sum(1 << number % LANES for number, item in items.items() if item)
    if kind == "syncwarp":
        return {}
    if kind.startswith("shfl"):
        return {number: shuffled(items, number, kind.split("_")[1], asked[3]) for number, asked in group.items()}
    answers = {"all_sync": all(items.values()), "any_sync": any(items.values()),
               "eq_sync": len({bool(item) for item in items.values()}) == 1, "ballot_sync": ballot}
    return {number: masks[item] if kind == "match_any_sync" else answers[kind] for number, item in items.items()}


def shuffled(items, number, way, by):
    lane = number % LANES
    source = {"down": lane + by, "up": lane - by, "xor": lane ^ by, "sync": by % LANES}[way]
    other = number - lane + source
    return items[other] if 0 <= source < LANES and other in items else items[number]


def simulated(source):
    """The functions as generators: meetings are yields. `meet_...` are device functions with meetings."""
    source = re.sub(r"cuda\.syncthreads\(\)", "yield ('sync',)", source)
    source = re.sub(r"cuda\.syncwarp\(\)", "yield ('syncwarp', -1)", source)
    source = re.sub(r"= cuda\.(syncthreads_\w+|shfl_\w+|\w+_sync)\((.*)\)$", r"= yield ('\1', \2)", source,
                    flags=re.M)
    source = re.sub(r"\b(meet_\w+)\(", r"\1(cuda, ", source)
    source = re.sub(r"= (meet_\w+\()", r"= yield from \1", source)
    return re.sub(r"def kernel\((.*)\):\n", r"def kernel(cuda, \1):\n    if False:\n        yield\n", source)


def simulate(source, grid, block, arguments, constants, findings):
    """Runs the kernel; adds to `findings` what is wrong with it, as debug=True would find out."""
    names = {name: getattr(np, name) for name in (
        "int16", "int32", "int64", "uint32", "uint64", "float16", "float32", "float64", "complex64", "complex128")}
    names |= {name: np.array(items) for name, items in constants.items()}
    exec(compile(simulated(source), "<simulation>", "exec"), names)
    views = [View(item) if isinstance(item, np.ndarray) else item for item in arguments]
    for place in itertools.product(*map(range, reversed(grid))):
        here = Block()
        here.findings = findings
        here.run([names["kernel"](Thread(here, grid, block, place[::-1], thread[::-1]), *views)
                  for thread in itertools.product(*map(range, reversed(block)))])
