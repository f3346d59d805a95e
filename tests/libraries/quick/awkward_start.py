"""awkward: jagged arrays, records, strings and builders in compiled functions"""
import awkward as ak
import numba as nb
import numpy as np

rng = np.random.default_rng(3)
counts = rng.integers(0, 9, 20000)
particles = ak.zip({"pt": ak.unflatten(rng.exponential(10, counts.sum()), counts),
                    "phi": ak.unflatten(rng.uniform(-np.pi, np.pi, counts.sum()), counts)})


@nb.njit
def sums(events):
    out = np.zeros(len(events))
    for i, event in enumerate(events):
        for particle in event:
            out[i] += particle.pt
    return out


@nb.njit
def pairs(events, builder):
    for event in events[:2000]:
        builder.begin_list()
        for i in range(len(event)):
            for j in range(i + 1, len(event)):
                if np.cos(event[i].phi - event[j].phi) < -0.5:
                    builder.begin_tuple(2)
                    builder.index(0).real(event[i]["pt"])
                    builder.index(1).integer(j)
                    builder.end_tuple()
        builder.end_list()
    return builder


@nb.njit
def longest(words):
    best = ""
    for word in words:
        if word is not None and len(word) > len(best):
            best = word
    return best


@nb.njit
def columns(events):
    total = 0.0
    pt = events.pt
    for i in range(len(pt)):
        for x in pt[i][1:]:
            total += x
    return total, len(pt[3])


constant = ak.Array([[1.5, 2.5], [], [4.0]])


@nb.njit
def of_constant(i):
    return constant[i], np.asarray(constant[0]).sum()


found = sums(particles)
print("sums", repr(float(found.sum())), repr(float(found.max())))
made = pairs(particles, ak.ArrayBuilder()).snapshot()
print("pairs", len(made), int(ak.sum(ak.num(made))), repr(float(ak.sum(made["0"]))), int(ak.sum(made["1"])))
print("longest", longest(ak.Array(["one", "two", None, "fourteen", "naïveté", "x"])))
print("columns", *map(repr, map(float, columns(particles))))
print("constant", of_constant(2)[0].to_list()[0], *map(repr, map(float, of_constant(0)[1:])))
try:
    of_constant(3)
except ValueError as error:
    print("error", str(error).replace(" ", "_"))
