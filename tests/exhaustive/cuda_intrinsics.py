#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CUDA intrinsics by operand type and by pattern of lanes, beside models written from the PTX manual.

usage: cuda_intrinsics.py [--rounds N] [--seed S] [--case TEXT]

Runs on the device that GRIDCELL_DEVICE names, so that the emulated device and a GPU are held against
the same models. A round draws anew which lanes of a warp take part, what each brings and whom it asks.
Results that the manual leaves undefined (a lane that takes no part is asked) are not looked at.
"""
import argparse
import fractions
import itertools
import linecache
import math
import os
import pathlib
import sys

BUILD = pathlib.Path(os.environ.get("GRIDCELL_BUILD", pathlib.Path(__file__).resolve().parents[2] / "build"))
sys.path.insert(0, str(BUILD / "python"))
os.environ.setdefault("GRIDCELL_DEVICE", "emulator")

import gridcell

gridcell.activate()

import numpy as np
from numba import cuda

INTS = tuple(np.dtype(c + n) for n in ("1", "2", "4", "8") for c in "iu")
WIDE = tuple(np.dtype(name) for name in ("i4", "u4", "i8", "u8"))
FLOATS = tuple(np.dtype(name) for name in ("f4", "f8"))
FULL = 0xFFFFFFFF
BLOCKS = (32, 96, 40)
_serial = itertools.count()


def kernel(*lines, params):
    """A kernel of the lines, over its parameters; `i` is the thread and `lane` its lane."""
    file = f"<intrinsics {next(_serial)}>"
    source = "\n".join([f"def kernel({params}):", "    i = cuda.grid(1)", "    lane = cuda.laneid",
                        *("    " + line for line in lines)]) + "\n"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    space = {"cuda": cuda, "np": np}
    exec(compile(source, file, "exec"), space)
    return cuda.jit(space["kernel"])


def each_item(line, params):
    """A kernel that does the line for each of the threads that `out` has items for; how it is launched."""
    f = kernel("if i < out.size:", "    " + line, params=params)
    return lambda count, *args: f[(count + 63) // 64, 64](*args)


def items(dtype, count, rng):
    """Items of a type, edges among them; few enough values that some are equal."""
    if dtype == np.bool_:
        return rng.random(count) < 0.5
    if dtype.kind == "f":
        edges = [0.0, -0.0, 1.5, -2.25, np.inf, -np.inf, 1e30, float(np.finfo(dtype).tiny)]
        with np.errstate(over="ignore"):
            return rng.choice(np.array(edges + list(rng.normal(size=4) * 1e3)).astype(dtype), count)
    info = np.iinfo(dtype)
    edges = [info.min, info.max, 0, 1, info.max - 1, info.max // 2 + 1]
    return rng.choice(np.array(edges + [int(n) for n in rng.integers(0, 100, 4)], dtype), count)


def members(count, rng):
    """For each thread of a block the mask of the lanes of its warp that take part."""
    masks = np.zeros(count, np.uint32)
    for start in range(0, count, 32):
        size = min(32, count - start)
        there = (1 << size) - 1
        pattern = rng.choice(["all", "half", "odd", "one", "random", "gaps"])
        mask = {"all": FULL, "half": 0xFFFF, "odd": 0xAAAAAAAA, "one": 1 << int(rng.integers(size)),
                "random": int(rng.integers(1, 1 << 32)), "gaps": 0xF00FF00F}[pattern] & there
        masks[start:start + size] = mask or there
    return masks


def takes_part(masks):
    lanes = np.arange(len(masks), dtype=np.uint32) % 32
    return (masks >> lanes) & 1 == 1


def of_mask(masks, i):
    """The threads that take part with thread i."""
    start = i // 32 * 32
    return [start + k for k in range(32) if masks[i] >> k & 1]


def agree(name, got, want, where=None):
    got, want = np.asarray(got), np.asarray(want)
    if where is not None:
        got, want = got[where], want[where]
    same = (got == want) | ((got != got) & (want != want))
    if not np.all(same):
        at = int(np.flatnonzero(~np.ravel(same))[0])
        raise AssertionError(f"{name}: item {at} is {np.ravel(got)[at]!r} where {np.ravel(want)[at]!r} should be")


# --- Warps

# what lane `n` reads when it brings the operand `b`; itself where that is outside of the warp
SOURCES = {
    "shfl_sync": lambda n, b: b & 31,
    "shfl_up_sync": lambda n, b: n - (b & 31) if n >= (b & 31) else n,
    "shfl_down_sync": lambda n, b: n + (b & 31) if n + (b & 31) < 32 else n,
    "shfl_xor_sync": lambda n, b: n ^ (b & 31),
}


def shuffle(name, dtype, rng, rounds):
    f = kernel("if masks[i] >> lane & 1:", f"    out[i] = cuda.{name}(masks[i], values[i], asked[i])",
               params="masks, values, asked, out")
    for size in BLOCKS * rounds:
        masks, values = members(size, rng), items(dtype, size, rng)
        asked = rng.integers(0, 32, size).astype(np.int32) if rng.random() < 0.7 else \
            np.full(size, rng.integers(0, 32), np.int32)
        out = np.zeros(size, dtype)
        f[1, size](masks, values, asked, out)
        want, is_defined = out.copy(), np.zeros(size, bool)
        for i in np.flatnonzero(takes_part(masks)):
            source = i // 32 * 32 + SOURCES[name](i % 32, int(asked[i]))
            if source in of_mask(masks, i):
                want[i], is_defined[i] = values[source], True
        agree(name, out.view(f"u{dtype.itemsize}"), want.view(f"u{dtype.itemsize}"), is_defined)


VOTES = {
    "all_sync": all, "any_sync": any, "eq_sync": lambda truths: len(set(truths)) == 1,
}


def vote(name, dtype, rng, rounds):
    f = kernel("if masks[i] >> lane & 1:", f"    out[i] = cuda.{name}(masks[i], values[i])",
               params="masks, values, out")
    for size in BLOCKS * rounds:
        masks = members(size, rng)
        values = items(dtype, size, rng) * (rng.random(size) < rng.choice([0, 0.1, 0.5, 1])).astype(dtype)
        values[np.isnan(values)] = 1
        out, want = np.full(size, -7, np.int64), np.full(size, -7, np.int64)
        f[1, size](masks, values, out)
        for i in np.flatnonzero(takes_part(masks)):
            truths = [bool(values[k]) for k in of_mask(masks, i)]
            if name == "ballot_sync":
                ballot = sum(1 << k % 32 for k in of_mask(masks, i) if values[k])
                want[i] = np.uint32(ballot).view(np.int32)
            else:
                want[i] = VOTES[name](truths)
        agree(name, out, want)


def match(name, dtype, rng, rounds):
    is_any = name == "match_any_sync"
    f = kernel("if masks[i] >> lane & 1:", *(
        [f"    out[i, 0] = cuda.{name}(masks[i], values[i])"] if is_any else
        [f"    found, is_all = cuda.{name}(masks[i], values[i])", "    out[i, 0] = found", "    out[i, 1] = is_all"]),
               params="masks, values, out")
    for size in BLOCKS * rounds:
        masks, values = members(size, rng), items(dtype, size, rng)
        if rng.random() < 0.4:
            values[:] = values[0]
        out, want = np.zeros((size, 2), np.int64), np.zeros((size, 2), np.int64)
        f[1, size](masks, values, out)
        raw = values.view(f"u{dtype.itemsize}")  # bits are compared, as PTX does it
        for i in np.flatnonzero(takes_part(masks)):
            peers = of_mask(masks, i)
            if is_any:
                want[i, 0] = np.uint32(sum(1 << k % 32 for k in peers if raw[k] == raw[i])).view(np.int32)
            elif len({int(raw[k]) for k in peers}) == 1:
                want[i] = np.uint32(masks[i]).view(np.int32), 1
        agree(name, out, want)


def active(rng, rounds):
    f = kernel("if masks[i] >> lane & 1:", "    out[i] = cuda.activemask()", "else:", "    out[i] = cuda.activemask()",
               params="masks, out")
    for size in BLOCKS * rounds:
        masks, out = members(size, rng), np.zeros(size, np.uint32)
        f[1, size](masks, out)
        there = np.array([(1 << min(32, size - i // 32 * 32)) - 1 for i in range(size)], np.uint32)
        # a GPU may let a branch's lanes run apart: they are some of the branch's, with this one
        branch = np.where(takes_part(masks), masks, ~masks & there)
        lanes = np.uint32(1) << (np.arange(size, dtype=np.uint32) % 32)
        agree("activemask", out & ~branch, np.zeros(size, np.uint32))
        agree("activemask", out & lanes, lanes)
        if cuda.get_current_device().is_emulated:
            agree("activemask", out, branch)


BARRIERS = {"syncthreads_count": sum, "syncthreads_and": all, "syncthreads_or": any}


def barrier(name, dtype, rng, rounds):
    f = kernel(f"out[i] = cuda.{name}(values[i])", params="values, out")
    for size in BLOCKS * rounds:
        values = items(dtype, size * 2, rng) * (rng.random(size * 2) < rng.choice([0, 0.02, 1])).astype(dtype)
        values[np.isnan(values)] = 1
        out = np.zeros(size * 2, np.int64)
        f[2, size](values, out)
        blocks = [int(BARRIERS[name]([bool(v) for v in part])) for part in values.reshape(2, size)]
        if name != "syncthreads_count":
            out = (out != 0).astype(np.int64)
        agree(name, out, np.repeat(blocks, size))


# --- One thread: bits, choices, float16, loads and stores

def widened(value, dtype):
    bits = max(32, dtype.itemsize * 8)
    return int(value) & ((1 << bits) - 1), bits


BITS = {
    "popc": lambda n, bits: n.bit_count(), "clz": lambda n, bits: bits - n.bit_length(),
    "ffs": lambda n, bits: (n & -n).bit_length(), "brev": lambda n, bits: int(f"{n:0{bits}b}"[::-1], 2),
}


def bit(name, dtype, rng, rounds):
    f = each_item(f"out[i] = cuda.{name}(values[i])", "values, out")
    values = np.concatenate([items(dtype, 64 * rounds, rng),
                             np.array([1 << k for k in range(dtype.itemsize * 8)], "u8").astype(dtype)])
    out = np.zeros(len(values), np.uint64)
    f(len(values), values, out)
    want = [BITS[name](*widened(v, dtype)) for v in values]
    mask = np.uint64((1 << max(32, dtype.itemsize * 8)) - 1)
    agree(name, out & mask, np.array(want, np.uint64))


def select(dtype, rng, rounds):
    f = each_item("out[i] = cuda.selp(truths[i], a[i], b[i])", "truths, a, b, out")
    count = 64 * rounds
    a, b, truths = items(dtype, count, rng), items(dtype, count, rng), rng.random(count) < 0.5
    out = np.zeros(count, dtype)
    f(count, truths, a, b, out)
    agree("selp", out, np.where(truths, a, b))


def nearest(exact, dtype):
    """The float of the type that is nearest to a fraction, ties to even."""
    if not exact:
        return dtype.type(0)
    info = np.finfo(dtype)
    exponent = max(exact.numerator.bit_length() - exact.denominator.bit_length() - info.nmant - 2,
                   info.minexp - info.nmant)
    scaled = abs(exact) / fractions.Fraction(2) ** exponent
    while scaled >= 2 ** (info.nmant + 1):
        scaled, exponent = scaled / 2, exponent + 1
    return dtype.type(math.copysign(math.ldexp(round(scaled), exponent), exact))


def fused(name, dtype, rng, rounds):
    f = each_item(f"out[i] = cuda.{name}(a[i], b[i], c[i])", "a, b, c, out")
    count = 64 * rounds
    a, b, c = ((rng.normal(size=count) * 2.0 ** rng.integers(-6, 7, count)).astype(dtype) for _ in range(3))
    c[::2] = -(a * b)[::2]  # what cancels shows whether the product was rounded
    out = np.zeros(count, dtype)
    f(count, a, b, c, out)
    agree(name, out, [nearest(fractions.Fraction(float(x)) * fractions.Fraction(float(y)) + fractions.Fraction(float(z)),
                              dtype) for x, y, z in zip(a, b, c)])


HALVES = {  # what float64 gives; how many ULP of float16 are allowed
    "hadd": (np.add, 2, 0), "hsub": (np.subtract, 2, 0), "hmul": (np.multiply, 2, 0), "hdiv": (np.divide, 2, 1),
    "heq": (np.equal, 2, 0), "hne": (np.not_equal, 2, 0), "hgt": (np.greater, 2, 0), "hge": (np.greater_equal, 2, 0),
    "hlt": (np.less, 2, 0), "hle": (np.less_equal, 2, 0), "hmax": (np.fmax, 2, 0), "hmin": (np.fmin, 2, 0),
    "habs": (np.abs, 1, 0), "hneg": (np.negative, 1, 0), "hfloor": (np.floor, 1, 0), "hceil": (np.ceil, 1, 0),
    "hrint": (np.rint, 1, 0), "htrunc": (np.trunc, 1, 0), "hsin": (np.sin, 1, 2), "hcos": (np.cos, 1, 2),
    "hexp": (np.exp, 1, 2), "hexp2": (np.exp2, 1, 2), "hexp10": (lambda x: 10.0 ** x, 1, 2), "hlog": (np.log, 1, 2),
    "hlog2": (np.log2, 1, 2), "hlog10": (np.log10, 1, 2), "hsqrt": (np.sqrt, 1, 1), "hrsqrt": (lambda x: 1 / np.sqrt(x), 1, 2),
    "hrcp": (lambda x: 1 / x, 1, 1),
}


def half(name, rng, rounds):
    compute, count, ulps = HALVES[name]
    f = each_item(f"out[i] = cuda.fp16.{name}({', '.join(['a[i]', 'b[i]'][:count])})", "a, b, out")
    size = 128 * rounds
    a, b = (np.concatenate([items(np.dtype("f2"), size // 2, rng), rng.normal(size=size // 2).astype("f2") * 4])
            for _ in "ab")
    if name in ("hlog", "hlog2", "hlog10", "hsqrt", "hrsqrt"):
        a = np.abs(a)
    if name in ("hsin", "hcos"):
        a[~np.isfinite(a)] = 1
        a = np.clip(a, -20, 20)  # a GPU's are fast ones, which lose the period of larger numbers
    with np.errstate(all="ignore"):
        exact = compute(*(x.astype("f8") for x in (a, b)[:count]))
        want = exact if exact.dtype == np.bool_ else exact.astype("f2")
    out = np.zeros(size, want.dtype)
    f(size, a, b, out)
    if ulps:
        with np.errstate(all="ignore"):
            near = np.abs(out.astype("f8") - exact) <= ulps * np.maximum(
                np.abs(np.spacing(want)).astype("f8"), 2.0 ** -24)
        out = np.where(near, want, out)
    agree(name, out, want)


def hint(load, store, dtype, rng, rounds):
    f = each_item(f"cuda.{store}(out, i, cuda.{load}(values, i))", "values, out")
    values = items(dtype, 64 * rounds, rng)
    out = np.zeros_like(values)
    f(len(values), values, out)
    agree(f"{load} {store}", out.view(f"u{dtype.itemsize}"), values.view(f"u{dtype.itemsize}"))


def vector(base, size, rng, rounds):
    """Vector types: made of items and of vectors, read by name."""
    letters = "xyzw"[:size]
    made = f"cuda.{base}x{size}({', '.join(f'values[{size} * i + {k}]' for k in range(size))})"
    f = kernel(f"v = {made}", *(f"out[{size} * i + {k}] = v.{c}" for k, c in enumerate(letters)), params="values, out")
    values = items(np.dtype(base), 32 * size * rounds, rng)
    out = np.zeros_like(values)
    f[rounds, 32](values, out)
    agree(f"{base}x{size}", out, values)


# --- Atomics

def wrapped(number, dtype):
    bits = dtype.itemsize * 8
    number &= (1 << bits) - 1
    return number - (1 << bits) if dtype.kind == "i" and number >> (bits - 1) else number


def plus(old, new, dtype):
    return dtype.type(old + new) if dtype.kind == "f" else wrapped(int(old) + int(new), dtype)


def minus(old, new, dtype):
    return dtype.type(old - new) if dtype.kind == "f" else wrapped(int(old) - int(new), dtype)


ADDED = INTS + FLOATS + (np.dtype("f2"),)
ATOMICS = {  # by name: the types, what is stored
    "add": (ADDED, plus),
    "sub": (ADDED, minus),
    "max": (ADDED, lambda old, new, dtype: old if new != new or old != old else max(old, new)),
    "min": (ADDED, lambda old, new, dtype: old if new != new or old != old else min(old, new)),
    "nanmax": (ADDED, lambda old, new, dtype: old if new != new else new if old != old else max(old, new)),
    "nanmin": (ADDED, lambda old, new, dtype: old if new != new else new if old != old else min(old, new)),
    "and_": (INTS, lambda old, new, dtype: old & new),
    "or_": (INTS, lambda old, new, dtype: old | new),
    "xor": (INTS, lambda old, new, dtype: old ^ new),
    "exch": (WIDE + FLOATS, lambda old, new, dtype: new),
    "inc": ((np.dtype("u4"), np.dtype("u8")), lambda old, new, dtype: 0 if old >= new else old + 1),
    "dec": ((np.dtype("u4"), np.dtype("u8")), lambda old, new, dtype: new if old == 0 or old > new else old - 1),
}


def atomic(name, dtype, place, rng, rounds):
    model = ATOMICS[name][1]
    if place == "shared":
        lines = [f"s = cuda.shared.array(64, np.{dtype.name})", "s[cuda.threadIdx.x] = values[i]",
                 f"olds[i] = cuda.atomic.{name}(s, cuda.threadIdx.x, news[i])", "values[i] = s[cuda.threadIdx.x]"]
    else:
        index = {"global": "i", "two axes": "(i // 8, i % 8)"}[place]
        lines = [f"olds[i] = cuda.atomic.{name}(values, {index}, news[i])"]
    f = kernel(*lines, params="values, news, olds")
    for _ in range(rounds):
        values, news = items(dtype, 64, rng), items(dtype, 64, rng)
        if dtype.kind == "f" and name != "exch":
            values[:8] = news[4:12] = np.nan
        before, olds = values.copy(), np.zeros_like(values)
        f[1, 64](values.reshape(8, 8) if place == "two axes" else values, news, olds)
        agree(f"{name}: old", olds, before)
        with np.errstate(all="ignore"):
            want = np.array([model(old, new, dtype) for old, new in zip(before, news)], dtype)
        agree(name, values, want)


def contended(name, dtype, rng, rounds):
    """All threads at one item: what they saw is a chain from the first value to the last."""
    model = ATOMICS[name][1]
    f = kernel(f"olds[i] = cuda.atomic.{name}(values, 0, news[i])", params="values, news, olds")
    for _ in range(rounds):
        news = rng.integers(0, 100, 256).astype(dtype)  # sums of these are exact in any order
        values, olds = rng.integers(0, 100, 1).astype(dtype), np.zeros(256, dtype)
        before = values[0]
        f[4, 64](values, news, olds)
        seen = [(before, 0)] + [(model(old, new, dtype), 1) for old, new in zip(olds, news)]
        left = sorted([float(v) for v, _ in seen])
        read = sorted([float(v) for v in olds] + [float(values[0])])
        agree(f"{name} by all", read, left)


def swap(name, dtype, rng, rounds):
    call = "cuda.atomic.cas(values, i, wanted[i], news[i])" if name == "cas" else \
        "cuda.atomic.compare_and_swap(values[i:], wanted[i], news[i])"
    f = kernel(f"olds[i] = {call}", params="values, wanted, news, olds")
    for _ in range(rounds):
        values, wanted, news = (items(dtype, 64, rng) for _ in range(3))
        wanted[::2] = values[::2]
        before, olds = values.copy(), np.zeros_like(values)
        f[1, 64](values, wanted, news, olds)
        agree(f"{name}: old", olds, before)
        agree(name, values, np.where(before == wanted, news, before))


# --- All of them

def cases():
    """(name, function of a random generator and a number of rounds)"""
    def each(family, *choices):
        for choice in itertools.product(*choices):
            words = [family.__name__, *(getattr(c, "name", str(c)) for c in choice)]
            yield " ".join(words), lambda rng, rounds, choice=choice: family(*choice, rng, rounds)

    truths = (np.dtype(bool),) + INTS
    yield from each(shuffle, SOURCES, WIDE + FLOATS)
    yield from each(vote, [*VOTES, "ballot_sync"], truths)
    yield from each(match, ("match_any_sync", "match_all_sync"), WIDE + FLOATS)
    yield from each(active)
    yield from each(barrier, BARRIERS, truths)
    yield from each(bit, BITS, INTS)
    yield from each(select, INTS + FLOATS + (np.dtype(bool),))
    yield from each(fused, ("fma",), FLOATS)
    yield from each(fused, ("fp16.hfma",), (np.dtype("f2"),))
    yield from each(half, HALVES)
    yield from each(hint, ("ldca", "ldcg", "ldcs", "ldlu", "ldcv"), ("stwb", "stcg", "stcs", "stwt"), INTS + FLOATS)
    yield from each(vector, ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64"),
                    (1, 2, 3, 4))
    for name, (dtypes, _) in ATOMICS.items():
        yield from each(atomic, (name,), dtypes, ("global", "shared", "two axes"))
        if name not in ("nanmax", "nanmin"):
            yield from each(contended, (name,), dtypes)
    yield from each(swap, ("cas", "compare_and_swap"), WIDE)


def failure(check, seed, rounds):
    """None, or what is wrong."""
    try:
        check(np.random.default_rng(seed), rounds)
    except Exception as error:  # also of the compiler: a case that does not compile is one
        return f"{type(error).__name__}: {str(error)[:300]}"


def main():
    options = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0])
    options.add_argument("--rounds", type=int, default=20)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--case", default="")
    options = options.parse_args()
    chosen = [(name, check) for name, check in cases() if options.case in name]
    failed = 0
    for name, check in chosen:
        wrong = failure(check, options.seed, options.rounds)
        if wrong:
            failed += 1
            print(f"{name}: {wrong}", flush=True)
    print(f"{len(chosen)} cases of {options.rounds} rounds, {failed} differ")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
