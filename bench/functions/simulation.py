"""Simulations step by step."""
import math

import numpy as np

from functions import case


@case(lambda rng, n: (rng.integers(0, 2, (n, n)).astype(np.uint8), 3), 8, 200)
def game_of_life(board, steps):
    height, width = board.shape
    for _ in range(steps):
        following = np.zeros_like(board)
        for i in range(height):
            for j in range(width):
                count = 0
                for di in (-1, 0, 1):
                    for dj in (-1, 0, 1):
                        if di != 0 or dj != 0:
                            count += board[(i + di) % height, (j + dj) % width]
                if count == 3 or (count == 2 and board[i, j]):
                    following[i, j] = 1
        board = following
    return board


@case(lambda rng, n: (rng.uniform(-1, 1, (n, 3)), np.zeros((n, 3)), 3), 5, 150)
def n_bodies(positions, velocities, steps):
    positions, velocities = positions.copy(), velocities.copy()
    count = len(positions)
    for _ in range(steps):
        for i in range(count):
            fx = fy = fz = 0.0
            for j in range(count):
                dx = positions[j, 0] - positions[i, 0]
                dy = positions[j, 1] - positions[i, 1]
                dz = positions[j, 2] - positions[i, 2]
                inverse = 1.0 / math.sqrt(dx * dx + dy * dy + dz * dz + 1e-3) ** 3
                fx += dx * inverse
                fy += dy * inverse
                fz += dz * inverse
            velocities[i, 0] += 0.01 * fx
            velocities[i, 1] += 0.01 * fy
            velocities[i, 2] += 0.01 * fz
        positions += 0.01 * velocities
    return positions


@case(lambda rng, n: (rng.uniform(0, 1, (n, 2)), rng.uniform(0, 1, (4, 2)), 3), 20, 20_000)
def k_means(points, centres, rounds):
    centres = centres.copy()
    labels = np.zeros(len(points), np.int64)
    for _ in range(rounds):
        for i in range(len(points)):
            best = math.inf
            for c in range(len(centres)):
                distance = ((points[i] - centres[c]) ** 2).sum()
                if distance < best:
                    best = distance
                    labels[i] = c
        for c in range(len(centres)):
            count = 0
            total = np.zeros(2)
            for i in range(len(points)):
                if labels[i] == c:
                    total += points[i]
                    count += 1
            if count:
                centres[c] = total / count
    return centres


@case(lambda rng, n: (0.1, 0.0, 0.0, n), 20, 300_000)
def lorenz_attractor(x, y, z, steps):
    path = np.empty((steps, 3))
    for i in range(steps):
        dx, dy, dz = 10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z
        x, y, z = x + 0.005 * dx, y + 0.005 * dy, z + 0.005 * dz
        path[i, 0], path[i, 1], path[i, 2] = x, y, z
    return path


@case(lambda rng, n: (rng.uniform(0, 1, n), 20), 20, 20_000)
def heat_equation(rod, steps):
    u = rod.copy()
    for _ in range(steps):
        u[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
    return u


@case(lambda rng, n: (7, n), 20, 300_000)
def random_walk(seed, steps):
    np.random.seed(seed)
    position = furthest = 0
    for _ in range(steps):
        position += 1 if np.random.random() < 0.5 else -1
        furthest = max(furthest, abs(position))
    return furthest


@case(lambda rng, n: (rng.choice(np.array([-1, 1]), (n, n)), rng.uniform(0, 1, (n, n)), 0.44), 8, 300)
def ising_sweep(spins, draws, coupling):
    spins = spins.copy()
    n = len(spins)
    for i in range(n):
        for j in range(n):
            around = spins[i - 1, j] + spins[(i + 1) % n, j] + spins[i, j - 1] + spins[i, (j + 1) % n]
            if draws[i, j] < math.exp(-2 * coupling * spins[i, j] * around):
                spins[i, j] = -spins[i, j]
    return spins
