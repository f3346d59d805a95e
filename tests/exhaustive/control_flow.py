#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every nest of three statements that steer the program, with every way out of it, beside CPython.

usage: control_flow.py [--seed S] [--nests N] [--shard I/N] [--jobs J] [--kernels] [TEXT...]

A nest is three places for statements, one in another, and what is done in the innermost: "for/finally/if:
break". Which statements are run, in which order, what a variable holds in the end, and the error must be
CPython's. The innermost is done at another turn for each of four arguments, or never. --nests takes a
sample of as many; with TEXT, only nests whose name contains one of the texts.
"""
import itertools
import linecache
import pathlib
import random
import sys
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import interpreter  # noqa: F401, I001
import fork
import judge

judge.use_gridcell()

import numpy as np

import numba
from numba import cuda, njit
from numba.core.errors import NumbaError

# {0} is a place for statements, {n} the nest's level, {a} and {b} numbers of their own
PLACES = {
    "if": "if z % 2:\n{0}\nelse:\n    {a}",
    "else": "if z % 2:\n    {a}\nelse:\n{0}",
    "elif": "if z % 3 == 0:\n    {a}\nelif z % 3 == 1:\n{0}\nelse:\n    {b}",
    "for": "for i{n} in range(3):\n{0}",
    "for with else": "for i{n} in range(2):\n{0}\nelse:\n    {a}",
    "for-else": "for i{n} in range(z % 3):\n    {a}\n    if z % 5 == 0:\n        break\nelse:\n{0}",
    "while": "i{n} = 0\nwhile i{n} < 3:\n    i{n} += 1\n{0}",
    "while with else": "i{n} = 0\nwhile i{n} < 2:\n    i{n} += 1\n{0}\nelse:\n    {a}",
    "while-else": "i{n} = 0\nwhile i{n} < z % 3:\n    i{n} += 1\n    {a}\n    if z % 5 == 0:\n        break\nelse:\n{0}",
    "while true": "i{n} = 0\nwhile True:\n    i{n} += 1\n    if i{n} > 2:\n        break\n{0}",
    "try": "try:\n{0}\nexcept ValueError:\n    {a}",
    "except": "try:\n    {a}\n    raise ValueError('inner')\nexcept ValueError:\n{0}",
    "except all": "try:\n    {a}\n    if z % 2:\n        raise IndexError('inner')\nexcept Exception:\n{0}",
    "try with else": "try:\n{0}\nexcept ValueError:\n    {a}\nelse:\n    {b}",
    "try-else": "try:\n    {a}\n    if z % 3 == 0:\n        raise ValueError('inner')\nexcept ValueError:\n    {b}\nelse:\n{0}",
    "try with finally": "try:\n{0}\nfinally:\n    {a}",
    "finally": "try:\n    {a}\nfinally:\n{0}",
    "finally of failed": "try:\n    {a}\n    if z % 2:\n        raise ValueError('inner')\nfinally:\n{0}",
    "except and finally": "try:\n    {a}\n    raise ValueError('inner')\nexcept ValueError:\n{0}\nfinally:\n    {b}",
    "with": "with numba.parallel_chunksize(2):\n{0}",
    "case": "match z % 3:\n    case 0:\n        {a}\n    case 1 | 2:\n{1}",
    "case with guard": "match z:\n    case k if k % 2:\n{1}\n    case _:\n        {a}",
}
LOOPS = {"for", "for with else", "while", "while with else", "while true"}
LEAVES = {
    "break": "break", "continue": "continue", "return": "return z + 1000", "raise": "raise ValueError('leaf')",
    "raise other": "raise KeyError('leaf')", "fail": "z = z + out[z + 10**6]", "pass": "pass", "assign": "z = z + 7",
}


def nests():
    """(places, leaf) of all that Python takes."""
    for places in itertools.product(PLACES, repeat=3):
        for leaf in LEAVES:
            if leaf not in ("break", "continue") or LOOPS & set(places):
                yield places, leaf


def source_of(places, leaf):
    numbers = itertools.count(2)

    def mark():
        k = next(numbers)
        return f"out[0] += 1; out[out[0]] = {k}; z = z % 10007 * 3 + {k}"
    inner = f"{mark()}\nif out[0] % 4 == c:\n    {LEAVES[leaf]}\n{mark()}"
    for level, place in reversed(list(enumerate(places))):
        text = PLACES[place].replace("{n}", str(level)).replace("{a}", mark()).replace("{b}", mark())
        text = text.replace("{0}", textwrap.indent(inner, "    ")).replace("{1}", textwrap.indent(inner, "        "))
        inner = f"{mark()}\n{text}\n{mark()}"
    return f"def f(out, c):\n    z = 1\n{textwrap.indent(inner, '    ')}\n    return z\n"


def function_of(places, leaf, source=None):
    source = source or source_of(places, leaf)
    name = f"<nest {'/'.join(places)}: {leaf}>"
    linecache.cache[name] = len(source), None, source.splitlines(True), name
    namespace = {"numba": numba}
    exec(compile(source, name, "exec"), namespace)
    return namespace["f"]


def outcome(f, c):
    """(value or class of error, what was run)"""
    out = np.zeros(400, np.int64)
    try:
        result = f(out, c)
    except NumbaError as error:
        result = NumbaError, str(error)
    except Exception as error:  # whichever it is, the other must raise it too
        result = type(error)
    return result, out[1:int(out[0]) + 1].tolist()


def failures_of(nest):
    places, leaf = nest
    try:
        f = function_of(places, leaf)
    except SyntaxError:  # of a way out that the places do not have: a loop's else is not in the loop
        return [], 0, 0
    compiled, found = njit(boundscheck=True)(f), []
    for c in range(4):
        got, want = outcome(compiled, c), outcome(f, c)
        if isinstance(got[0], tuple):
            words = " ".join(got[0][1].split())
            return [f"{'/'.join(places)}: {leaf} :: {words:.300}"], 0, 1
        if got != want:
            found.append(f"{'/'.join(places)}: {leaf}, {c} :: {got} and not {want}")
    return found, 4, 0


def in_kernel(nest):
    """The same of an emulated kernel, whose way out is what it has written."""
    places, leaf = nest
    source = source_of(places, leaf).replace("return z + 1000", "out[399] = z; return").replace("    return z\n", "    out[398] = z\n")
    try:
        f = function_of(places, leaf, source)
    except SyntaxError:
        return [], 0, 0
    kernel, found = cuda.jit(f), []
    for c in range(4):
        want, got = np.zeros(400, np.int64), np.zeros(400, np.int64)
        f(want, c)
        try:
            kernel[1, 1](got, c)
        except NumbaError as error:
            words = " ".join(str(error).split())
            return [f"kernel {'/'.join(places)}: {leaf} :: {words:.300}"], 0, 1
        if got.tolist() != want.tolist():
            found.append(f"kernel {'/'.join(places)}: {leaf}, {c} :: {got[got != want]} and not {want[got != want]}")
    return found, 4, 0


def is_for_kernels(places, leaf):
    """Kernels have no try, and what they raise ends them."""
    return leaf not in ("raise", "raise other", "fail") and not any(
        word in place for place in places for word in ("try", "except", "finally", "with"))


def main():
    options = fork.options_of(__doc__, "nests", 0)
    chosen = [nest for nest in nests() if all(text in f"{'/'.join(nest[0])}: {nest[1]}" for text in options.texts)]
    if options.kernels:
        chosen = [nest for nest in chosen if is_for_kernels(*nest)]
    random.Random(options.seed).shuffle(chosen)
    chosen = chosen[:options.nests or None][options.first::options.step]
    wrong, compared, refused = fork.each(chosen, in_kernel if options.kernels else failures_of, options.jobs)
    print(f"{len(chosen)} nests, {compared} calls compared, {refused} refused, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
