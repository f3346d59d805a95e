"""What cuda.xray is to count, by another way: random kernels, and each access of them thread by thread in Python, of
whose addresses sectors, banks and lanes are told one by one.

usage: xray_model.py FIRST LAST tries the kernels of these seeds.
"""
import linecache
import random
import sys
from collections import defaultdict

from common import cuda, np

BYTES = {"int8": 1, "float16": 2, "float32": 4, "int64": 8, "float64": 8, "complex64": 8, "complex128": 16}
COUNTS = {"global": ("requests", "sectors", "sectors_ideal", "wavefronts"), "local": ("requests", "sectors", "sectors_ideal"),
          "shared": ("requests", "wavefronts", "conflicts"), "constant": ("requests", "wavefronts", "conflicts")}
BLOCK_ITEMS = 131  # how far the numbers of threads of neighbouring blocks are apart: blocks of up to 131 threads


# --- what a warp's addresses cost ---------------------------------------------------------------

def sectors_of(bytes_touched):
    return {"sectors": len({byte // 32 for byte in bytes_touched}), "sectors_ideal": -(-len(bytes_touched) // 32),
            "wavefronts": len({byte // 128 for byte in bytes_touched})}


def global_cost(size, lanes):
    return sectors_of({byte for address in lanes.values() for byte in range(address, address + size)})


def local_cost(size, lanes):
    """A word of all lanes lies side by side."""
    words = {(address // 4 + word) * 128 + lane * 4 + address % 4 for lane, address in lanes.items()
             for word in range(-(-size // 4))}
    return sectors_of({byte for word in words for byte in range(word, word + min(size, 4))})


def shared_cost(size, lanes):
    """Wide items by halves and quarters of the warp; a bank gives a word to all that want it."""
    groups, found = {8: 2, 16: 4}.get(size, 1), {"wavefronts": 0, "conflicts": 0}
    for group in range(groups):
        banks = defaultdict(set)
        for lane, address in lanes.items():
            if lane // (32 // groups) == group:
                for word in range(address // 4, (address + size - 1) // 4 + 1):
                    banks[word % 32].add(word)
        if banks:
            most = max(map(len, banks.values()))
            found["wavefronts"] += most
            found["conflicts"] += most - 1
    return found


def constant_cost(size, lanes):
    different = len(set(lanes.values()))
    return {"wavefronts": different, "conflicts": different - 1}


COSTS = {"global": global_cost, "local": local_cost, "shared": shared_cost, "constant": constant_cost}


def counted(space, size, requests):
    """Sums over the requests: dicts of addresses by lane."""
    sums = dict.fromkeys(("requests", *COUNTS[space], "lanes"), 0)
    for lanes in requests:
        cost = {**COSTS[space](size, lanes), "requests": 1, "lanes": len(lanes)}
        for name in sums:
            sums[name] += cost[name]
    return sums


# --- a kernel, and what its threads do ------------------------------------------------------------

class Writer:
    """A kernel's source, and the tree of what it does: accesses, branches and loops."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        draw = self.random.randint
        self.block = self.random.choice([(draw(1, 130), 1, 1), (draw(1, 14), draw(1, 9), 1),
                                         (draw(1, 6), draw(1, 5), draw(1, 4)), (32, draw(1, 4), 1), (64, 1, 1)])
        self.grid = self.random.choice([(draw(1, 5), 1, 1), (draw(1, 3), draw(1, 3), 1), (2, 1, 2)])
        self.arrays = [self._array(number) for number in range(draw(2, 4))]
        self.number, self.lines = 0, []
        self.tree = self._statements(0, ["t", "i", "x"])

    def _array(self, number):
        space = self.random.choice(["global", "global", "shared", "local", "constant"])
        size = self.random.randint(3, 24) if space == "local" else self.random.randint(20, 400)
        return f"v{number}", space, self.random.choice(list(BYTES)), size

    def _index(self, names):
        one, other = self.random.choice(names), self.random.choice(names)
        draw = self.random.randint
        return self.random.choice([one, f"{one} * {draw(1, 9)} + {draw(0, 40)}", f"{one} + {other} * {draw(1, 35)}",
                                   f"({one} ^ {draw(1, 31)})", f"{one} // {draw(2, 5)} + {other}",
                                   f"({one} * {one} + {other}) * {draw(1, 4)}"])

    def _statements(self, depth, names):
        return [self._statement(depth, names) for _ in range(self.random.randint(1, 3))]

    def _say(self, depth, text):
        self.lines.append("    " * (depth + 1) + text)

    def _statement(self, depth, names):
        choice = 0 if depth >= 3 else self.random.random()
        return (self._access if choice < 0.55 else self._branch if choice < 0.72 else self._loop)(depth, names)

    def _access(self, depth, names):
        array = self.random.choice(self.arrays)
        self.number += 1
        index = f"({self._index(names)} + {self.number}) % {array[3]}"
        op = "load" if array[1] == "constant" or self.random.random() < 0.5 else "store"
        access = f"{array[0]}[{index}]"
        self._say(depth, f"total += {access}.real" if op == "load" else f"{access} = {self.number}")
        return "access", array, op, access, compile(index, "index", "eval")

    def _condition(self, names, most):
        return f"({self._index(names)}) % {self.random.randint(2, most)} {self.random.choice(['==', '!=', '<'])} 1"

    def _branch(self, depth, names):
        condition = self._condition(names, 5)
        self._say(depth, f"if {condition}:")
        ways = [self._statements(depth + 1, names), []]
        if self.random.random() < 0.5:
            self._say(depth, "else:")
            ways[1] = self._statements(depth + 1, names)
        return "branch", compile(condition, "condition", "eval"), ways

    def _loop(self, depth, names):
        name, draw = f"j{depth}", self.random.randint
        turns = self.random.choice([f"0, {draw(1, 5)}", f"t % {draw(2, 5)}, {draw(3, 8)}, {draw(1, 2)}",
                                    f"({self._index(names)}) % {draw(2, 6)}"])
        self._say(depth, f"for {name} in range({turns}):")
        way_out = self.random.choice(["break", "continue", None, None])
        condition = self._condition([*names, name], 6) if way_out else "False"
        if way_out:
            self._say(depth + 1, f"if {condition}:")
            self._say(depth + 2, way_out)
        return ("loop", name, compile(f"range({turns})", "turns", "eval"), way_out, compile(condition, "condition", "eval"),
                self._statements(depth + 1, [*names, name]))

    def source(self):
        parameters = "".join(f"{name}, " for name, space, _, _ in self.arrays if space == "global")
        made = [f"{name} = cuda.const.array_like(C_{name})" if space == "constant"
                else f"{name} = cuda.{space}.array({size}, np.{dtype})"
                for name, space, dtype, size in self.arrays if space != "global"]
        head = ["x = cuda.threadIdx.x", "t = x + cuda.blockDim.x * (cuda.threadIdx.y + cuda.blockDim.y * cuda.threadIdx.z)",
                "b = cuda.blockIdx.x + cuda.gridDim.x * (cuda.blockIdx.y + cuda.gridDim.y * cuda.blockIdx.z)",
                f"i = t + b * {BLOCK_ITEMS}", "total = 0.0", *made]
        return "\n".join(["@cuda.jit", f"def kernel({parameters}out):", *("    " + line for line in head), *self.lines,
                          "    out[i] = total", ""])

    def threads(self):
        """(warp of the grid, lane, variables) of each."""
        size, grid = np.prod(self.block), self.grid
        for block in range(int(np.prod(grid))):
            for t in range(int(size)):
                yield block * -(-int(size) // 32) + t // 32, t % 32, {
                    "t": t, "x": t % self.block[0], "i": t + block * BLOCK_ITEMS}

    def nodes(self, tree=None):
        """The accesses."""
        for node in self.tree if tree is None else tree:
            if node[0] == "access":
                yield node
            for inner in node[2] if node[0] == "branch" else [node[5]] if node[0] == "loop" else []:
                yield from self.nodes(inner)


def follow(tree, variables, turns, found):
    """Adds to `found`, by access and turns of the loops around it, the index that a thread has."""
    for number, node in enumerate(tree):
        if node[0] == "access":
            found[id(node), turns] = eval(node[4], {}, variables)
        elif node[0] == "branch":
            follow(node[2][not eval(node[1], {}, variables)], variables, turns, found)
        else:
            _, name, made, way_out, condition, inner = node
            for turn, variables[name] in enumerate(eval(made, {}, variables)):
                if eval(condition, {}, variables):
                    if way_out == "break":
                        break
                    continue
                follow(inner, variables, (*turns, id(node), turn), found)


def launched(writer, seed):
    """The kernel's XRay."""
    source, file = writer.source(), f"<random kernel {seed}>"
    linecache.cache[file] = len(source), None, source.splitlines(True), file
    names = {"cuda": cuda, "np": np,
             **{f"C_{name}": np.arange(size).astype(dtype) for name, _, dtype, size in writer.arrays}}
    exec(compile(source, file, "exec"), names)
    arrays = [cuda.to_device(np.ones(size, dtype)) for _, space, dtype, size in writer.arrays if space == "global"]
    blocks = int(np.prod(writer.grid))
    return cuda.xray(names["kernel"], writer.grid, writer.block, *arrays, cuda.device_array(BLOCK_ITEMS * blocks))


def differences(seed):
    """(how many accesses there are, texts of those of which the counts are not the model's, or near to them where
    the launch is large enough to be sampled)."""
    writer = Writer(seed)
    result = launched(writer, seed)
    rows = {(row["access"], row["op"]): row for row in result.lines}
    requests = defaultdict(lambda: defaultdict(dict))
    for warp, lane, variables in writer.threads():
        found = {}
        follow(writer.tree, variables, (), found)
        for (access, turns), index in found.items():
            requests[access][warp, turns][lane] = index
    nodes, wrong = list(writer.nodes()), []
    for node in nodes:
        _, (_, space, dtype, _), op, access, _ = node
        size = BYTES[dtype]
        wanted = counted(space, size, ({lane: index * size for lane, index in lanes.items()}
                                       for lanes in requests[id(node)].values()))
        row = rows.get((access, op))
        told = {name: row[name] for name in COUNTS[space]} if row else dict.fromkeys(COUNTS[space], 0)
        told["lanes"] = round(row["active_lanes"] * row["requests"]) if row else 0
        slack = 0.1 if result.is_sampled else 0
        if any(abs(told[name] - wanted[name]) > slack * wanted[name] for name in told) or row and row["space"] != space:
            wrong.append(f"seed {seed}: {op} {access} of {space} {dtype}: {told}, where the model has {wanted}")
    return len(nodes), wrong


if __name__ == "__main__":
    total = [differences(seed) for seed in range(int(sys.argv[1]), int(sys.argv[2]))]
    print("\n".join(text for _, wrong in total for text in wrong))
    print(f"{sum(count for count, _ in total)} accesses of {len(total)} kernels, {sum(bool(wrong) for _, wrong in total)} "
          "kernels with differences")
