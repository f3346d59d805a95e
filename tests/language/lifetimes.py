"""What compiled functions own: every kind of counted value in every place, left by every way out.

Prints a line for each program whose result differs from Python's, or after which memory is left or was
released twice. Run with MALLOC_PERTURB_ set, so that what was released too soon does not look as it did.
`lifetimes.py 1 0` runs all, `lifetimes.py SHARE SEED [KIND...]` a part of them."""
import collections
import gc
import linecache
import random
import sys
import textwrap

import gridcell
gridcell.activate()

import numpy as np
from numba import njit, typed, types
from numba.core.errors import NumbaError
from numba.core.runtime import _nrt_python as nrt, rtsys
from numba.experimental import jitclass

Pair = collections.namedtuple("Pair", "first second")
record = np.dtype([("x", np.float64), ("y", np.int64)])


@jitclass([("x", types.float64[:]), ("n", types.int64)])
class Holder:
    def __init__(self, n):
        self.x = np.full(n + 3, 1.5)
        self.n = n


# By kind: what makes a value of n, and what makes a number of it.
KINDS = {
    "array": ("np.full(n + 3, n + 0.5)", "v[1] + len(v)"),
    "matrix": ("np.full((n + 3, 2), n + 0.5)", "v[1, 1] + v.sum()"),
    "view": ("np.full(n + 9, n + 0.5)[1:5]", "v[1] + v.sum()"),
    "transposed": ("np.full((n + 3, 2), n + 0.5).T", "v[1, 1] + v.sum()"),
    "flat": ("np.full((n + 3, 2), n + 0.5).reshape(-1)", "v[1] + v.sum()"),
    "records": ("np.zeros(n + 2, record)", "v[1]['x'] + v['x'].sum() + len(v)"),
    "str": ("'ab' * (n + 2) + str(n)", "len(v) + (v[0] == 'a')"),
    "list": ("[n + 0.5, n * 2.0]", "v[1] + len(v)"),
    "arrays": ("[np.full(3, n + 0.5), np.full(2, 1.0)]", "v[0][1] + v[-1].sum()"),
    "texts": ("[str(n), 'x' * n]", "len(v[0]) + len(v[1])"),
    "typed list": ("typed.List([np.full(3, n + 0.5)])", "v[0][1] + len(v)"),
    "dict": ("{n: np.full(3, n + 0.5)}", "v[n][1] + len(v)"),
    "set": ("{n, n + 1, 7}", "len(v) + (n in v)"),
    "tuple": ("(np.full(3, n + 0.5), str(n))", "v[0][1] + len(v[1])"),
    "tuples": ("((np.full(3, n + 0.5), 1), [np.ones(2)])", "v[0][0][1] + v[1][0].sum()"),
    "named": ("Pair(np.full(3, n + 0.5), str(n))", "v.first[1] + len(v.second)"),
    "optional": ("maybe(n)", "0.0 if v is None else v[1]"),
    "object": ("Holder(n)", "v.x[1] + v.n"),
    "generator": ("numbers(n)", "total(v)"),
    "closure": ("adder(n)", "v(2.0)"),
    "enumerate": ("enumerate([str(n), 'x' * n])", "walked(v)"),
    "zip": ("zip([n + 0.5, 2.0], [str(n), 'x' * n])", "walked(v)"),
}
HELPERS = """
@njit
def maybe(n):
    return np.full(3, n + 0.5) if n % 3 else None
@njit
def numbers(n):
    a = np.full(4, n + 0.5)
    for i in range(3):
        yield a[i]
@njit
def total(v):
    s = 0.0
    for x in v:
        s += x
    return s
@njit
def walked(v):
    return sum([x + len(text) for x, text in v])
@njit
def fail_if(bad):
    if bad:
        raise ValueError("bad")
    return 0.5
"""
ADDER = "a = np.full(3, n + 0.5)\nv = lambda x: x + a[1]"
# By place: a function of n and bad, where MAKE and USE stand for the kind's. `bad`: 0 nothing fails,
# 1 in the middle, 2 at the end.
PLACES = {
    "local": """
        MAKE
        r = USE
        fail_if(bad == 1)
        return r + fail_if(bad == 2)""",
    "unused": """
        MAKE
        fail_if(bad == 1)
        return 1.0 + fail_if(bad == 2)""",
    "late": """
        MAKE
        fail_if(bad == 1)
        r = USE
        return r + fail_if(bad == 2)""",
    "twice": """
        MAKE
        r = USE
        MAKE
        fail_if(bad == 1)
        r += USE
        return r + fail_if(bad == 2)""",
    "alias": """
        MAKE
        w = v
        MAKE
        r = USE
        v = w
        fail_if(bad == 1)
        return r + USE + fail_if(bad == 2)""",
    "branch": """
        MAKE
        if n % 2:
            m = n
            n += 1
            MAKE
            n = m + 1
        r = USE
        fail_if(bad == 1)
        return r + fail_if(bad == 2)""",
    "one way": """
        r = 0.0
        MAKE
        if n % 2:
            r += USE
        else:
            fail_if(bad == 1)
        fail_if(bad == 2)
        return r""",
    "loop": """
        r = 0.0
        for i in range(3):
            MAKE
            r += USE
            fail_if(bad == 1 and i == 1)
        return r + fail_if(bad == 2)""",
    "carried": """
        MAKE
        r = 0.0
        for i in range(3):
            r += USE
            MAKE
            fail_if(bad == 1 and i == 1)
        return r + USE + fail_if(bad == 2)""",
    "replaced": """
        MAKE
        r = 0.0
        for i in range(3):
            MAKE
            fail_if(bad == 1 and i == 1)
        return r + USE + fail_if(bad == 2)""",
    "swapped": """
        MAKE
        w = v
        MAKE
        r = 0.0
        for i in range(5):
            v, w = w, v
            r += USE
            fail_if(bad == 1 and i == 1)
        return r + fail_if(bad == 2)""",
    "left early": """
        r = 0.0
        for i in range(4):
            MAKE
            r += USE
            if i == n:
                return r + fail_if(bad == 1)
            if i == 2:
                break
        return r + USE + fail_if(bad == 2)""",
    "skipped": """
        r = 0.0
        MAKE
        for i in range(4):
            if i == 1:
                MAKE
                continue
            r += USE
            fail_if(bad == 1 and i == 2)
        return r + fail_if(bad == 2)""",
    "while": """
        r = 0.0
        i = 0
        MAKE
        while r < 40 and i < 5:
            r += USE
            MAKE
            i += 1
            fail_if(bad == 1)
        return r + USE""",
    "caught": """
        r = 0.0
        try:
            MAKE
            r += USE
            fail_if(bad == 1)
            MAKE
            r += USE
        except Exception:
            r += 100
        return r + fail_if(bad == 2)""",
    "seen by handler": """
        r = 0.0
        MAKE
        try:
            fail_if(bad == 1)
            MAKE
            fail_if(bad == 2)
        except Exception:
            r += USE
        return r + USE""",
    "caught in loop": """
        r = 0.0
        MAKE
        for i in range(3):
            try:
                MAKE
                fail_if(bad == 1 and i == 1)
                r += USE
            except Exception:
                r += USE
                MAKE
        return r + USE + fail_if(bad == 2)""",
    "raised again": """
        r = 0.0
        try:
            MAKE
            fail_if(bad == 1)
            r += USE
        except Exception:
            MAKE
            if USE > -1:
                raise ValueError('again')
        return r + fail_if(bad == 2)""",
    "deleted": """
        MAKE
        r = USE
        del v
        fail_if(bad == 1)
        MAKE
        r += USE
        del v
        return r + fail_if(bad == 2)""",
    "captured": """
        MAKE
        f = lambda k: USE + k
        fail_if(bad == 1)
        r = f(1.0)
        return r + f(2.0) + fail_if(bad == 2)""",
    "stored": """
        MAKE
        l = [v]
        MAKE
        l.append(v)
        fail_if(bad == 1)
        v = l[0]
        r = USE
        l[0] = l[1]
        v = l.pop()
        return r + USE + fail_if(bad == 2)""",
    "in tuple": """
        MAKE
        t = (v, n)
        MAKE
        fail_if(bad == 1)
        r = USE
        v = t[0]
        return r + USE + fail_if(bad == 2)""",
    "given": """
        MAKE
        return g(v, n, bad) + g(v, n, 0) + fail_if(bad == 2)""",
    "given and returned": """
        MAKE
        v = g(v, bad)
        r = USE
        v = g(g(v, 0), 0)
        return r + USE + fail_if(bad == 2)""",
    "returned": """
        MAKE
        fail_if(bad == 1)
        r = USE
        fail_if(bad == 2)
        return v""",
    "returned twice": """
        MAKE
        fail_if(bad == 1)
        r = USE
        fail_if(bad == 2)
        return v, v""",
    "returned early": """
        MAKE
        for i in range(3):
            fail_if(bad == 1 and i == 1)
            if i == n - 2:
                return v
            MAKE
        fail_if(bad == 2)
        return v""",
    "yielded": """
        MAKE
        yield v
        fail_if(bad == 1)
        MAKE
        r = USE
        yield v
        fail_if(bad == 2)
        yield v""",
    "kept by generator": """
        MAKE
        yield 1.0
        r = USE
        fail_if(bad == 1)
        MAKE
        yield r
        yield USE + fail_if(bad == 2)""",
    "raised": """
        MAKE
        r = USE
        if bad:
            raise ValueError(r, str(n))
        return r""",
    "of parts": """
        r = 0.0
        for i in prange(4):
            MAKE
            r += USE
        fail_if(bad == 1)
        MAKE
        return r + USE + fail_if(bad == 2)""",
}
GIVEN_TO = {
    "given": "@njit\ndef g(v, n, bad):\n    fail_if(bad == 1)\n    return USE\n",
    "given and returned": "@njit\ndef g(v, bad):\n    fail_if(bad == 1)\n    return v\n",
}


def source(kind, place):
    make, use = KINDS[kind]
    make = ADDER if kind == "closure" else "v = " + make
    lines = []
    for line in textwrap.dedent(PLACES[place]).strip().split("\n"):
        indent = line[:len(line) - len(line.lstrip())]
        lines.append(textwrap.indent(make, indent) if line.strip() == "MAKE" else line.replace("USE", f"({use})"))
    inner = GIVEN_TO.get(place, "").replace("USE", f"({use})")
    return inner + "def f(n, bad):\n" + textwrap.indent("\n".join(lines), "    ")


def flat(value):
    """What can be compared, and holds nothing."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, dict) or type(value).__name__ == "Dict":
        return [(k, flat(v)) for k, v in value.items()]
    if isinstance(value, (tuple, list)) or type(value).__name__ == "List":
        return [flat(v) for v in value]
    if type(value).__name__ in ("generator", "enumerate", "zip"):
        return [flat(v) for v in value]
    if isinstance(value, set):
        return sorted(value)
    if hasattr(value, "x"):
        return value.x.tolist()
    return value(2.0) if callable(value) else value


def outcome(function, n, bad, is_generator, asked):
    try:
        result = function(n, bad)
        if not is_generator:
            return flat(result)
        items = []
        for item in result:
            items.append(flat(item))
            if len(items) == asked:
                break
        return items
    except Exception as error:
        return [type(error).__name__, flat(error.args)]


def held():
    gc.collect()
    stats = rtsys.get_allocation_stats()
    return stats.alloc - stats.free, stats.mi_alloc - stats.mi_free


def run(text, space):
    name = f"<program {len(linecache.cache)}>"
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    exec(compile(text, name, "exec"), space)


def namespace(is_plain):
    from numba import prange
    space = {"np": np, "prange": range if is_plain else prange, "record": record, "Holder": Holder, "Pair": Pair,
             "typed": typed, "njit": (lambda f: f) if is_plain else njit, "Exception": Exception}
    run(HELPERS, space)
    return space


PLAIN, JITTED = namespace(True), namespace(False)


def compiled(kind, place):
    """The function as Python has it and compiled."""
    text = source(kind, place)
    plain, jitted = dict(PLAIN), dict(JITTED)
    run(text, plain)
    run(text, jitted)
    return plain["f"], njit(jitted["f"], parallel=place == "of parts")


def check(kind, place):
    """The number of calls; -1 where the program is refused."""
    plain, jitted = compiled(kind, place)
    is_generator = "yield" in PLACES[place]
    try:
        jitted.compile((types.int64, types.int64))
    except NumbaError:
        return -1
    before, calls = held(), 0
    for n in (2, 3):
        for bad in (0, 1, 2):
            for asked in ((1, 2, 9) if is_generator else (0,)):
                wanted = outcome(plain, n, bad, is_generator, asked)
                got = outcome(jitted, n, bad, is_generator, asked)
                calls += 1
                if got != wanted:
                    print(f"{kind}, {place}, {n}, {bad}, {asked}: {got}, not {wanted}")
    after = held()
    if after != before:
        print(f"{kind}, {place}: {after[0] - before[0]} blocks and {after[1] - before[1]} values are left")
    return calls


def main(kinds, share, seed):
    nrt.memsys_enable_stats()
    chance = random.Random(seed)
    refused = programs = 0
    for kind in kinds or KINDS:
        for place in PLACES:
            if chance.random() >= share or (kind, place) == ("optional", "stored"):  # no list holds None
                continue
            calls = check(kind, place)
            programs += calls > 0
            refused += calls < 0
    print(f"programs: {programs}, refused: {refused}")


if __name__ == "__main__":
    main(sys.argv[3:], float(sys.argv[1]), int(sys.argv[2]))
