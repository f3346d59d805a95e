"""Bodies that act on each other, clusters and rays."""
import math

import numpy as np
from numba import cuda, float32

from gpu_kernels import case, line

THREADS = 128
SOFT = np.float32(1e-3)


def counted(*arguments):
    return *arguments, np.int32(arguments[0].shape[0])


def bodies(rng, n):
    return rng.random((n, 4), np.float32), np.zeros((n, 3), np.float32)


def pulls(bodies, out):
    places, masses = bodies[:, :3].astype(np.float64), bodies[:, 3].astype(np.float64)
    away = places[None] - places[:, None]
    squared = (away ** 2).sum(2) + SOFT
    return ((away * (masses[None] / squared ** 1.5)[:, :, None]).sum(1),)


@case(make=bodies, launch=line(THREADS), expected=pulls, native=counted, large=16384, small=256, tolerance=1e-3)
def n_body_shared(bodies, out):
    own = cuda.shared.array((THREADS, 4), float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    n = bodies.shape[0]
    x, y, z = bodies[i, 0], bodies[i, 1], bodies[i, 2]
    ax, ay, az = float32(0), float32(0), float32(0)
    for tile in range(n // THREADS):
        for k in range(4):
            own[t, k] = bodies[tile * THREADS + t, k]
        cuda.syncthreads()
        for j in range(THREADS):
            dx, dy, dz = own[j, 0] - x, own[j, 1] - y, own[j, 2] - z
            inverse = float32(1) / math.sqrt(dx * dx + dy * dy + dz * dz + SOFT)
            pull = own[j, 3] * inverse * inverse * inverse
            ax += dx * pull
            ay += dy * pull
            az += dz * pull
        cuda.syncthreads()
    out[i, 0], out[i, 1], out[i, 2] = ax, ay, az


def bodies_of_doubles(rng, n):
    return rng.random((n, 3)), rng.random(n), np.zeros((n, 3))


def double_pulls(places, masses, out):
    away = places[None] - places[:, None]
    squared = (away ** 2).sum(2) + 1e-3
    return ((away * (masses[None] / (squared * np.sqrt(squared)))[:, :, None]).sum(1),)


@case(make=bodies_of_doubles, launch=line(128), expected=double_pulls, native=counted, large=4096, small=200)
def n_body_naive(places, masses, out):
    i = cuda.grid(1)
    if i >= places.shape[0]:
        return
    force = cuda.local.array(3, np.float64)
    for k in range(3):
        force[k] = 0.0
    for j in range(places.shape[0]):
        squared = 1e-3
        for k in range(3):
            squared += (places[j, k] - places[i, k]) ** 2
        pull = masses[j] / (squared * math.sqrt(squared))
        for k in range(3):
            force[k] += pull * (places[j, k] - places[i, k])
    for k in range(3):
        out[i, k] = force[k]


def clustered(rng, n):
    return rng.random((n, 8), np.float32), rng.random((20, 8), np.float32), np.zeros(n, np.int32)


@case(make=clustered, launch=line(256), native=lambda points, centres, out: (
          points, centres, out, np.int32(points.shape[0]), np.int32(centres.shape[0])),
      expected=lambda points, centres, out: (((points[:, None] - centres) ** 2).sum(2).argmin(1),),
      large=1 << 20, small=500)
def k_means_assign(points, centres, out):
    i = cuda.grid(1)
    if i < points.shape[0]:
        best, least = -1, float32(math.inf)
        for c in range(centres.shape[0]):
            distance = float32(0)
            for k in range(8):
                change = points[i, k] - centres[c, k]
                distance += change * change
            if distance < least:
                best, least = c, distance
        out[i] = best


SPHERES = 24


def scene(rng, n):
    directions = rng.random((n, 3), np.float32) - np.float32(0.5)
    directions /= np.sqrt((directions ** 2).sum(1, keepdims=True))
    spheres = np.column_stack([4 * rng.random((SPHERES, 3)) - 2, rng.random(SPHERES)]).astype(np.float32)
    return directions, spheres, np.zeros(n, np.float32)


@cuda.jit(device=True)
def hit(dx, dy, dz, cx, cy, cz, radius):
    """Distance along the ray from the origin, or -1."""
    along = dx * cx + dy * cy + dz * cz
    inside = along * along - (cx * cx + cy * cy + cz * cz - radius * radius)
    if inside < float32(0):
        return float32(-1)
    root = math.sqrt(inside)
    if along - root > float32(0):
        return along - root
    if along + root > float32(0):
        return along + root
    return float32(-1)


def nearest_hits(directions, spheres, out):
    d, c, r = directions.astype(np.float64), spheres[:, :3].astype(np.float64), spheres[:, 3].astype(np.float64)
    along = d @ c.T
    inside = along ** 2 - ((c ** 2).sum(1) - r * r)
    root = np.sqrt(np.maximum(inside, 0))
    first = np.where(along - root > 0, along - root, np.where(along + root > 0, along + root, np.inf))
    nearest = np.where(inside < 0, np.inf, first).min(1)
    return (np.where(np.isinf(nearest), -1, nearest),)


@case(make=scene, launch=line(256), expected=nearest_hits, native=counted, large=1 << 21, small=500, tolerance=1e-3)
def ray_spheres(directions, spheres, out):
    i = cuda.grid(1)
    if i < directions.shape[0]:
        dx, dy, dz = directions[i, 0], directions[i, 1], directions[i, 2]
        nearest = float32(-1)
        for s in range(spheres.shape[0]):
            distance = hit(dx, dy, dz, spheres[s, 0], spheres[s, 1], spheres[s, 2], spheres[s, 3])
            if distance > float32(0) and (nearest < float32(0) or distance < nearest):
                nearest = distance
        out[i] = nearest


NEIGHBOURS = 32


def atoms(rng, n):
    return rng.random((3, n)) * 10, rng.integers(0, n, (NEIGHBOURS, n), np.int32), np.zeros(n)


def energies(places, neighbours, out):
    squared = ((places[:, None] - places[:, neighbours]) ** 2).sum(0) + 0.5
    inverse = 1 / squared ** 3
    return (np.where(squared < 25.0, 4 * (inverse * inverse - inverse), 0).sum(0),)


@case(make=atoms, launch=line(128), expected=energies,
      native=lambda places, neighbours, out: (places, neighbours, out, np.int32(out.size)), large=1 << 18, small=300)
def lennard_jones(places, neighbours, out):
    i = cuda.grid(1)
    if i < out.size:
        x, y, z = places[0, i], places[1, i], places[2, i]
        energy = 0.0
        for k in range(neighbours.shape[0]):
            j = neighbours[k, i]
            squared = (x - places[0, j]) ** 2 + (y - places[1, j]) ** 2 + (z - places[2, j]) ** 2 + 0.5
            if squared < 25.0:
                inverse = 1.0 / (squared * squared * squared)
                energy += 4.0 * (inverse * inverse - inverse)
        out[i] = energy
