"""Loops that count: bits of numbers, turns of `while`, and sums in rows of a few items."""
import numpy as np

from programs import SERIAL, program

ONE = (SERIAL,)


def ones(word):
    count = 0
    while word != 0:
        count += 1
        word = word & (word - 1)
    return count


@program(lambda rng, n: (rng.integers(0, 2**62, n),), 50, 4000, "loops", ones, modes=ONE)
def ones_of_words(words):
    total = 0
    for i in range(len(words)):
        total += ones(words[i])
    return total


@program(lambda rng, n: (rng.integers(0, 2**62, n).astype(np.uint64), np.uint64(1)), 50, 4000, "loops", modes=ONE)
def lengths_of_words(words, one):
    total = 0
    for x in words:
        n = 0
        while x > 0:
            x >>= one
            n += 1
        total += n
    return total


@program(lambda rng, n: (rng.integers(0, 1000, n),), 50, 4000, "loops", modes=ONE)
def sums_of_whiles(a):
    total = i = 0
    while i < len(a):
        total += a[i]
        i += 1
    return total


@program(lambda rng, n: (rng.integers(0, 1000, n),), 50, 4000, "loops", modes=ONE)
def triangles_of_whiles(a):
    total = 0
    for x in a:
        k = 0
        while k < x & 255:
            total += k
            k += 1
    return total


@program(lambda rng, n: (rng.random((4, n)), rng.random((n, 4)), np.zeros((4, 4))), 20, 2000, "loops", modes=ONE)
def products_of_four_columns(a, b, c):
    for i in range(4):
        for k in range(a.shape[1]):
            for j in range(4):
                c[i, j] += a[i, k] * b[k, j]
    return c
