"""Programs of language shoot-outs: searches, sieves, containers."""
import collections
import math

import numpy as np
from numba import prange

from programs import PARALLEL, SERIAL, program

Body = collections.namedtuple("Body", "x y vx vy mass")


@program(lambda rng, n: (n,), 5, 8, "loops")
def fannkuch(n):
    p, q, s = np.arange(n), np.zeros(n, np.int64), np.arange(n)
    sign, most, total = 1, 0, 0
    while True:
        if p[0] != 0:
            q[1:] = p[1:]
            first, flips = p[0], 1
            while q[first] != 0:
                last = q[first]
                q[first] = first
                if first >= 3:
                    i, j = 1, first - 1
                    while i < j:
                        q[i], q[j] = q[j], q[i]
                        i += 1
                        j -= 1
                first = last
                flips += 1
            most = max(most, flips)
            total += sign * flips
        if sign == 1:
            p[0], p[1] = p[1], p[0]
            sign = -1
        else:
            p[1], p[2] = p[2], p[1]
            sign = 1
            for i in range(2, n):
                if s[i] != 0:
                    s[i] -= 1
                    break
                if i == n - 1:
                    return total, most
                s[i] = i
                first = p[0]
                p[:i + 1] = p[1:i + 2]
                p[i + 1] = first


def entry(i, j):
    return 1.0 / ((i + j) * (i + j + 1) // 2 + i + 1)


@program(lambda rng, n: (n,), 8, 120, "mixed", entry, modes=(SERIAL, PARALLEL))
def spectral_norm(n):
    u, v, w = np.ones(n), np.zeros(n), np.zeros(n)
    for _ in range(4):
        for i in prange(n):
            total = 0.0
            for j in range(n):
                total += entry(i, j) * u[j]
            w[i] = total
        for i in prange(n):
            total = 0.0
            for j in range(n):
                total += entry(j, i) * w[j]
            v[i] = total
        u = v / np.sqrt(v @ v)
    return math.sqrt(np.dot(u, v) / np.dot(u, u)), u


def place(queens, row, n):
    if row == n:
        return 1
    count = 0
    for column in range(n):
        free = True
        for before in range(row):
            if queens[before] == column or abs(queens[before] - column) == row - before:
                free = False
                break
        if free:
            queens[row] = column
            count += place(queens, row + 1, n)
    return count


@program(lambda rng, n: (n,), 5, 8, "loops", place)
def queens(n):
    return place(np.zeros(n, np.int64), 0, n)


@program(lambda rng, n: (n,), 100, 200_000, "arrays")
def sieve_of_slices(n):
    is_prime = np.ones(n + 1, np.bool_)
    is_prime[:2] = False
    for i in range(2, int(n ** 0.5) + 1):
        if is_prime[i]:
            is_prime[i * i::i] = False
    primes = np.flatnonzero(is_prime)
    return len(primes), primes[-1], np.max(np.diff(primes))


@program(lambda rng, n: (rng.integers(0, n // 2, n), rng.integers(0, n, n)), 20, 10_000, "mixed")
def set_algebra(a, b):
    left, right = set(a), set(b)
    both, either, only, one = left & right, left | right, left - right, left ^ right
    total = 0
    for item in both:
        total += item
    return len(both), len(either), len(only), len(one), total, left <= either, both.issubset(right)


@program(lambda rng, n: (rng.integers(0, 500, n),), 20, 20_000, "mixed")
def first_seen_in_order(items):
    seen, order = set(), []
    for item in items:
        if item not in seen:
            seen.add(item)
            order.append(item)
    while len(order) > 10 and order[-1] > order[0]:
        seen.discard(order.pop())
    return len(seen), order


@program(lambda rng, n: (n,), 30, 3000, "mixed")
def collatz_with_memory(limit):
    known = {1: 1}
    best, longest = 1, 1
    for start in range(2, limit):
        path = [start]
        while path[-1] not in known:
            n = path[-1]
            path.append(n // 2 if n % 2 == 0 else 3 * n + 1)
        steps = known[path.pop()]
        while len(path) > 0:
            steps += 1
            known[path.pop()] = steps
        if known[start] > longest:
            best, longest = start, known[start]
    return best, longest, len(known)


@program(lambda rng, n: (n, 0.01), 20, 100_000, "mixed")
def orbit_of_tuples(steps, dt):
    body = Body(1.0, 0.0, 0.0, 1.0, 2.0)
    energy = 0.0
    for _ in range(steps):
        r3 = (body.x ** 2 + body.y ** 2) ** 1.5
        vx, vy = body.vx - dt * body.x / r3, body.vy - dt * body.y / r3
        body = Body(body.x + dt * vx, body.y + dt * vy, vx, vy, body.mass)
        energy = 0.5 * body.mass * (vx * vx + vy * vy) - body.mass / math.sqrt(body.x ** 2 + body.y ** 2)
    return energy, body.x, body.y


@program(lambda rng, n: (rng.integers(0, 2, (n, n)).astype(np.uint8), 4), 8, 200, "arrays", modes=(SERIAL, PARALLEL))
def life_of_slices(board, turns):
    for _ in range(turns):
        n = np.zeros_like(board)
        n[1:-1, 1:-1] = (board[:-2, :-2] + board[:-2, 1:-1] + board[:-2, 2:] + board[1:-1, :-2] + board[1:-1, 2:]
                         + board[2:, :-2] + board[2:, 1:-1] + board[2:, 2:])
        board = ((n == 3) | ((board == 1) & (n == 2))).astype(np.uint8)
    return board, board.sum()


@program(lambda rng, n: (rng.integers(1, 60, n), rng.integers(1, 100, n), 500), 6, 100, "arrays", modes=(SERIAL, PARALLEL))
def knapsack_of_slices(weights, values, room):
    best = np.zeros(room + 1, np.int64)
    for i in range(len(weights)):
        w = weights[i]
        best[w:] = np.maximum(best[w:], best[:-w] + values[i])
    return best


@program(lambda rng, n: (rng.uniform(0, 1, (n, n)),), 6, 150, "mixed")
def walk_of_every_item(a):
    total = 0.0
    for i, value in enumerate(a.flat):
        total += value * (i % 3)
    for (i, j), value in np.ndenumerate(a):
        if i < j:
            total -= value
    for x, y in np.nditer((a, a.T)):
        total += x.item() * y.item()
    fortran = np.asfortranarray(a)
    for i in range(0, fortran.size, 7):
        total += fortran.flat[i]
    return total


@program(lambda rng, n: (n,), 10, 12, "loops")
def binary_trees(depth):
    nodes = 2 ** (depth + 1)
    left, right, free = np.full(nodes, -1), np.full(nodes, -1), 1
    total = 0
    for turn in range(4):
        left[:], right[:], free = -1, -1, 1
        stack = [(0, depth)]
        while stack:
            node, below = stack.pop()
            total += 1
            if below > 0:
                left[node], right[node] = free, free + 1
                free += 2
                stack.append((left[node], below - 1))
                stack.append((right[node], below - 1 - turn % 2))
    return total, free
