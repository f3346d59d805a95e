"""Random loops over arrays: an index out of bounds is an IndexError in compiled code where it is one in Python.

The loops are of the kinds that docs/decorators.md says are checked by default: they carry a float, or are not
innermost, and there are at most three of them in one another. The arrays are parts of larger ones, which are
results too: what is written beside a part is seen."""

SIZES = ("0", "1", "2", "3", "4", "5", "7", "9")
NUMBERS = ("0", "1", "2", "3", "-1", "-2", "5", "8", "-6", "-9")
HEAD = """def helper(n, y):
    return n

def first(v, at):
    return v[at] + v[-1 - at]

def total(v, start, stop):
    o = 0.0
    for q in range(start, stop):
        o += v[q] * 0.5
    return o

"""
# {i} is a whole number in scope, {c} a small constant, {X} the array that is indexed, {A} any array of one axis
NUMBER = ("{i}", "{i}", "{i}", "n", "k", "len({A})", "m.shape[0]", "m.shape[1]", "p", "{c}", "len(range({i}))")
INDEX = (
    "{i}", "{i}", "{i}", "{i} + {c}", "{i} - {c}", "{i} - {c}", "{c} - {i}", "-{i}", "-{i} - 1", "{n} - {i}", "{i} + {n}",
    "{i} - {n}", "{k} * {i}", "{k} * {i} + {c}", "{k} * {i} - {n}", "{n} - {k} * {i}", "len({X}) - 1 - {i}", "len({X}) - {i}",
    "{i} % len({X})", "({i} + {c}) % len({X})", "{n} % len({X})", "({i} * {i}) % len({X})", "{i} // 2", "{i} & 3", "{i} >> 1",
    "{i} * {i}", "abs({i} - {n})", "min({i}, len({X}) - 1)", "min({n}, len({A}) - 1)", "max({i} - 1, 0)", "max({n}, {c})", "x[{n}]",
    "x[{i}]", "x[{i} - {c}]", "{n} if {b} else {i}", "~{i}", "len({X}) - len({A}) + {i}", "p", "p + {c}", "p - 1",
    "2 * {i} + p", "({i} + {i}) - {i}", "{i} + {i} - {c}", "int({i} * 0.5)", "np.int32({i})", "np.uint8({i} & 15)", "np.uint64({i} & 7)",
    "np.int16({i} - {c})", "len({X}) - 1", "-len({X})", "{c}", "{n}", "({i} - {n}) // {k}", "-(-{i} // {k})", "{i} % {k}", "-({i} % {k})",
    "(len({X}) - {i}) % len({X})", "({i} - {c}) * 1", "{i} ^ 1", "bool({i})", "divmod({i}, {k})[0]", "len({X}) // 2 + {i}",
)
ROW = tuple(text.replace("len({X})", "m.shape[0]") for text in INDEX)
COLUMN = tuple(text.replace("len({X})", "m.shape[1]") for text in INDEX)
RANGE = (
    "range(len({A}))", "range(len({A}))", "range({A}.size)", "range({A}.shape[0])", "range(len({A}) - {c})", "range({c}, len({A}))",
    "range({c}, len({A}) - {c})", "range(len({A}) + {c})", "range(len({A}) - 1, -1, -1)", "range(len({A}), 0, -1)",
    "range(len({A}) - {c}, -{c}, -1)", "range(0, len({A}), {k})", "range({c}, len({A}) + {c}, {k})", "range(len({A}) - 1, {c}, -{k})",
    "range({n})", "range({n})", "range({n}, {n})", "range({n}, {n}, -1)", "range({n}, {n}, {k})", "range({n}, {n}, -{k})",
    "range(-{n}, {n})", "range({n}, len({A}))", "range({n} + 1, len({A}))", "range(m.shape[0])", "range(m.shape[1])",
    "range({c}, m.shape[0] - {c})", "range(m.shape[1] - 1, -1, -1)", "range(min(len({A}), len({A})))", "range(max({n}, {n}))",
    "range({n}, {n}, k or 1)", "reversed(range({n}))", "reversed(range(len({A})))", "range(len(x))", "range(-len({A}), len({A}))",
    "range(-1, -len({A}) - 1, -1)", "range({c}, {c} + 4)", "range(len({A}) // 2)", "range(len({A}) // {k}, {n})", "range({n} % 5)",
    "range(np.int32({n}))", "range(len({A}) * 2)", "range({n}, -len({A}) - {c}, -{k})", "range(7)", "range(len({A}) - len({A}))",
)
STATEMENTS = (
    "s += {a}", "s = s * 0.5 + {a} * {a}", "s += {a} - {a}", "s += 0.25 * {a} + {m}", "s += {m}", "s -= {m} * {a}", "{a} = s", "{a} += 1.0",
    "{m} = s * 0.5", "{m} -= {a}", "{a} = {a} + 1.0", "{a} = {m}", "p += 1", "p -= 1", "p = {n}", "p += {c}", "p = min(p, len({A}) - 1)",
    "p = p - 1 if p > 0 else len({A}) - 1", "s += m[{row}].sum()", "s += {A}[{n}:{n}].sum()", "s += m[{row}][{column}]",
    "m[{row}, :] += 1.0", "{A}[{n}:] = s", "s += first({A}, {n})", "s += total({A}, {n}, {n})", "s += {a}\ns += {a}\n{a} = s * 0.25",
    "t = {A}\ns += t[{n}]", "{A}[{n}], {A}[{n}] = {A}[{n}], {A}[{n}]",
)
BLOCKS = (
    "for {new} in {range}:\n{body}", "for {new} in {range}:\n{body}", "for {new} in {range}:\n{body}", "for {new} in {range}:\n{body}",
    "for {new} in {range}:\n    if {b}:\n{deep}\n{body}", "for {new} in {range}:\n    if {b}:\n        continue\n{body}",
    "for {new} in {range}:\n    if {b}:\n        break\n{body}", "for {new} in {range}:\n{body}\n    if {b}:\n        break\nelse:\n{body}",
    "for {new}, e in enumerate({A}):\n{body}", "for {new} in x:\n{body}", "for {new}, e in zip(x, {A}):\n{body}",
    "W = {n}\nwhile W < len({A}):\n    W += {k}\n{body}", "W = {n}\nwhile 0 <= W < 9:\n{body}\n    W -= {k}",
    "W = len({A}) - {c}\nwhile W > {c}:\n    W -= 1\n{body}", "W = 0\nwhile W < len({A}):\n{body}\n    W = W + 1 if W >= 0 else 0",
    "W = {n}\nwhile W > 0:\n    W >>= 1\n{body}", "if {b}:\n{body}\nelse:\n{body}", "try:\n{body}\nexcept IndexError:\n    s -= 100.0",
    "p = {n}\nfor {new} in {range}:\n    p -= 1\n{body}", "p = len({A})\nfor {new} in {range}:\n    p -= {k}\n{body}",
    "p = {n}\nfor {new} in {range}:\n    p = p + {k} if {b} else {new}\n{body}", "for {new} in {range}:\n    a = a[1:]\n{body}",
    "for {new} in {range}:\n    if {b}:\n        a = {A}\n{body}", "a = a[{n}:]\nb = b[::-1]\n{body0}", "m = m.T\n{body0}", "m = m[::-1, 1:]\n{body0}",
    "c = m[{row}]\nfor {new} in {range}:\n{body}", "a, b = b, a\n{body0}", "c = np.ones(len({A}) + {c})\n{body0}", "b = a[{n}:{n}]\n{body0}",
    "for e in range(len(a)):\n    a[e] = e\n{body0}", "c = np.zeros({n} & 7)\nfor {new} in {range}:\n{body}",
)
CONDITION = ("{i} < {n}", "{i} % 2 == 0", "s > 3.0", "{i} == {c}", "{i} > 0", "p < {n}", "{i} < len({A})", "{n} != {n}", "0 <= {n} < len({A})", "k > 0")
CONSTANTS = ("0", "1", "2", "3", "-1", "1", "1", "2", "4", "-2")
FACTORS = ("1", "2", "3", "2", "5")


class Loops:
    """Fills the holes of the templates above; what it may name in them is in scope."""

    def __init__(self, random):
        self.random = random
        self.numbers = ["n", "k"]
        self.serial = 0
        self.depth = 0

    def fill(self, text, array="a"):
        while "{" in text:
            start = text.index("{")
            end = text.index("}", start)
            text = text[:start] + self.hole(text[start + 1:end], array) + text[end + 1:]
        return text

    def hole(self, word, array):
        pick = self.random.choice
        if word in ("body", "deep", "body0"):
            by = {"body": 4, "deep": 8, "body0": 0}[word]
            return "\n".join(" " * by + line for line in self.block().split("\n"))
        if word == "new":
            self.serial += 1
            self.numbers.append(f"i{self.serial}")
            return self.numbers[-1]
        if word == "a":
            array = pick("abc")
            return f"{array}[{self.fill(pick(INDEX), array)}]"
        if word == "m":
            return f"m[{self.fill(pick(ROW))}, {self.fill(pick(COLUMN))}]"
        choices = {"i": self.numbers[-3:], "n": NUMBER, "c": CONSTANTS, "k": FACTORS, "A": "abc", "X": (array,), "b": CONDITION,
                   "range": RANGE, "row": ROW, "column": COLUMN}
        return self.fill(pick(choices[word]), array)

    def block(self):
        known = list(self.numbers)
        self.depth += 1
        # each loop carries a float: LLVM leaves its turns in order
        lines = [f"s = s * 0.5 + {self.random.choice(('1.0', 'a[0]', '0.25', 'n'))}"] if self.depth > 1 else []
        for _ in range(self.random.randint(1, 3)):
            nests = self.depth < 4 and self.random.random() < 0.9 / self.depth
            text = self.random.choice(BLOCKS if nests else STATEMENTS)
            if "W" in text:  # a variable of its own: the loop ends
                self.serial += 1
                self.numbers.append(f"w{self.serial}")
                text = text.replace("W", self.numbers[-1])
            lines.append(self.fill(text))
        self.depth -= 1
        self.numbers = known
        return "\n".join(lines)

    def function(self):
        body = "s = 0.0\np = 1\na = z[4:4 + n]\nb = y[3:-3]\nc = z[-5:-3]\nm = g[1:-1, 2:-2]\n"
        body += self.block() + "\nreturn (s, p, z, y, g)"
        option = self.random.choice(("", "", "", "", "boundscheck=True"))
        return f"# plain: {option}\n{HEAD}def f(z, y, g, x, n, k):\n    " + body.replace("\n", "\n    ") + "\n"


def program(random):
    """A (source, calls) as generate.program gives."""
    source = Loops(random).function()
    compile(source, "<generated>", "exec")
    pick = random.choice
    calls, order = [], pick(("", "", ", order='F'"))
    for _ in range(4):
        size, length = pick(SIZES), random.randint(0, 5)
        numbers = [random.choice((0, 1, 2, 3, 4, -1, -2)) for _ in range(length)]
        rows, columns = random.randint(2, 6), random.randint(4, 9)
        calls.append(f"(np.arange(24.0), np.ones({size} + 6), np.full(({rows}, {columns}), 0.5{order}), "
                     f"np.array({numbers}, np.int64), {pick(NUMBERS)}, {pick(NUMBERS)})")
    return source, calls
