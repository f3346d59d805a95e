"""Particle methods and random walks."""
import math

import numpy as np
from numba import prange

from programs import FAST, PARALLEL, PARALLEL_FAST, SERIAL, program

ALL = (SERIAL, PARALLEL, FAST, PARALLEL_FAST)
BOTH = (SERIAL, PARALLEL)


def cloud(rng, n):
    return rng.uniform(0.0, 1.0, (n, 3)), rng.normal(0.0, 0.1, (n, 3))


@program(lambda rng, n: (*cloud(rng, n), 2), 8, 200, "loops", modes=ALL, tolerance=1e-6)
def gravity(x, v, steps):
    n = len(x)
    for _ in range(steps):
        for i in prange(n):
            ax = ay = az = 0.0
            for j in range(n):
                dx, dy, dz = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
                r2 = dx * dx + dy * dy + dz * dz + 1e-4
                f = 1.0 / (r2 * math.sqrt(r2))
                ax += f * dx
                ay += f * dy
                az += f * dz
            v[i, 0] += 1e-4 * ax
            v[i, 1] += 1e-4 * ay
            v[i, 2] += 1e-4 * az
        x += 1e-2 * v
    return x


@program(lambda rng, n: cloud(rng, n), 6, 60, "arrays", modes=BOTH)
def gravity_of_arrays(x, v):
    n = len(x)
    for i in range(n):
        away = x - x[i]
        r2 = np.sum(away ** 2, axis=1) + 1e-3
        v[i] += 1e-4 * np.sum(away / (r2 ** 1.5).reshape(n, 1), axis=0)
    return x + v, 0.5 * np.sum(v ** 2)


@program(lambda rng, n: (rng.uniform(0, 5, (n, 3)), 5.0), 10, 250, "loops", modes=BOTH)
def lennard_jones(x, box):
    n = len(x)
    forces, energy = np.zeros((n, 3)), 0.0
    for i in prange(n):
        for j in range(n):
            if i == j:
                continue
            r2 = 0.0
            for k in range(3):
                d = x[i, k] - x[j, k]
                d -= box * round(d / box)
                r2 += d * d
            if r2 < 6.25:
                inverse = 1.0 / (r2 + 0.5)
                six = inverse ** 3
                energy += 2.0 * six * (six - 1.0)
                for k in range(3):
                    d = x[i, k] - x[j, k]
                    d -= box * round(d / box)
                    forces[i, k] += 48.0 * six * (six - 0.5) * inverse * d
    return forces, energy


@program(lambda rng, n: (rng.uniform(0, 1, n), rng.normal(0, 1, n), 64, 4), 50, 20_000, "mixed", modes=BOTH)
def particle_in_cell(x, v, cells, steps):
    for _ in range(steps):
        density = np.zeros(cells)
        for p in range(len(x)):
            at = x[p] * cells
            left = int(at) % cells
            density[left] += 1.0 - (at - int(at))
            density[(left + 1) % cells] += at - int(at)
        field = np.cumsum(density / len(x) * cells - 1.0) / cells
        field -= field.mean()
        for p in prange(len(x)):
            cell = int(x[p] * cells) % cells
            v[p] -= 0.05 * field[cell]
            x[p] = (x[p] + 0.01 * v[p]) % 1.0
    return density, np.sum(v ** 2)


@program(lambda rng, n: (rng.uniform(0, 1, (n, 2)), rng.uniform(0, 1, n), 0.1), 10, 300, "mixed", modes=BOTH)
def smoothed_density(x, mass, h):
    n = len(x)
    rho = np.zeros(n)
    for i in prange(n):
        d = np.sqrt((x[:, 0] - x[i, 0]) ** 2 + (x[:, 1] - x[i, 1]) ** 2) / h
        near = d[d < 2.0]
        rho[i] = mass[i] * np.sum(np.where(near < 1.0, 1 - 1.5 * near ** 2 + 0.75 * near ** 3, 0.25 * (2 - near) ** 3))
    return rho


@program(lambda rng, n: (n,), 40_000, 300_000, "loops", modes=BOTH, tolerance=0.05)
def pi_by_chance(n):
    np.random.seed(1)
    inside = 0
    for _ in prange(n):
        x, y = np.random.random(), np.random.random()
        if x * x + y * y < 1.0:
            inside += 1
    return 4.0 * inside / n


@program(lambda rng, n: (n,), 2000, 300_000, "loops", modes=ALL, tolerance=0.02)
def pi_by_places(n):
    inside = 0
    for i in prange(n):
        x, y = (i * 0.618033988749895) % 1.0, (i * 0.754877666246693) % 1.0
        if x * x + y * y < 1.0:
            inside += 1
    return 4.0 * inside / n


@program(lambda rng, n: (n, 200), 400, 3000, "mixed", modes=BOTH, tolerance=0.3)
def walkers(count, steps):
    np.random.seed(5)
    ends = np.zeros(count)
    for w in prange(count):
        at = 0.0
        for _ in range(steps):
            at += np.random.uniform(-1.0, 1.0)
        ends[w] = at
    return np.mean(ends ** 2) / steps, ends.std() / math.sqrt(steps)


@program(lambda rng, n: (n, np.random.default_rng(5)), 2000, 100_000, "loops", tolerance=0.1)
def metropolis(steps, generator):
    x, accepted, total = 0.0, 0, 0.0
    for _ in range(steps):
        trial = x + generator.uniform(-1.0, 1.0)
        if generator.random() < math.exp(min(0.0, 0.5 * (x * x - trial * trial))):
            x = trial
            accepted += 1
        total += x * x
    return accepted / steps
