"""Steps of computational fluid dynamics."""
import numpy as np
from numba import prange

from programs import PARALLEL, SERIAL, program

BOTH = (SERIAL, PARALLEL)


def fields(rng, n, count):
    return tuple(rng.uniform(0.5, 1.5, (n, n)) for _ in range(count))


@program(lambda rng, n: (*fields(rng, n, 3), 3, 10), 8, 100, "arrays", modes=BOTH)
def cavity_of_arrays(u, v, p, steps, sweeps):
    dx = dy = 2.0 / (u.shape[0] - 1)
    dt, rho, nu = 0.0005, 1.0, 0.1
    for _ in range(steps):
        b = np.zeros_like(p)
        b[1:-1, 1:-1] = rho * (1 / dt * ((u[1:-1, 2:] - u[1:-1, :-2]) / (2 * dx) + (v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * dy))
                               - ((u[1:-1, 2:] - u[1:-1, :-2]) / (2 * dx)) ** 2
                               - 2 * ((u[2:, 1:-1] - u[:-2, 1:-1]) / (2 * dy) * (v[1:-1, 2:] - v[1:-1, :-2]) / (2 * dx))
                               - ((v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * dy)) ** 2)
        for _ in range(sweeps):
            old = p.copy()
            p[1:-1, 1:-1] = ((old[1:-1, 2:] + old[1:-1, :-2]) * dy ** 2 + (old[2:, 1:-1] + old[:-2, 1:-1]) * dx ** 2
                             - dx ** 2 * dy ** 2 * b[1:-1, 1:-1]) / (2 * (dx ** 2 + dy ** 2))
            p[:, -1] = p[:, -2]
            p[0, :] = p[1, :]
            p[:, 0] = p[:, 1]
            p[-1, :] = 0
        un, vn = u.copy(), v.copy()
        u[1:-1, 1:-1] = (un[1:-1, 1:-1] - un[1:-1, 1:-1] * dt / dx * (un[1:-1, 1:-1] - un[1:-1, :-2])
                         - vn[1:-1, 1:-1] * dt / dy * (un[1:-1, 1:-1] - un[:-2, 1:-1])
                         - dt / (2 * rho * dx) * (p[1:-1, 2:] - p[1:-1, :-2])
                         + nu * (dt / dx ** 2 * (un[1:-1, 2:] - 2 * un[1:-1, 1:-1] + un[1:-1, :-2])
                                 + dt / dy ** 2 * (un[2:, 1:-1] - 2 * un[1:-1, 1:-1] + un[:-2, 1:-1])))
        u[0, :] = 0
        u[-1, :] = 1
    return u, p


@program(lambda rng, n: (rng.uniform(0.5, 1.5, n), rng.uniform(-0.1, 0.1, n), 20), 16, 20_000, "arrays", modes=BOTH)
def shallow_water_1d(height, momentum, steps):
    h, m = height.copy(), momentum.copy()
    for _ in range(steps):
        flux = m * m / h + 4.905 * h * h
        h_half = 0.5 * (h[1:] + h[:-1]) - 0.05 * (m[1:] - m[:-1])
        m_half = 0.5 * (m[1:] + m[:-1]) - 0.05 * (flux[1:] - flux[:-1])
        flux_half = m_half ** 2 / h_half + 4.905 * h_half ** 2
        h[1:-1] -= 0.01 * (m_half[1:] - m_half[:-1])
        m[1:-1] -= 0.01 * (flux_half[1:] - flux_half[:-1])
    return h, m


@program(lambda rng, n: (*fields(rng, n, 3), 4), 8, 160, "loops", modes=BOTH)
def shallow_water_2d(h, u, v, steps):
    rows, columns = h.shape
    for _ in range(steps):
        du, dv, dh = np.zeros_like(u), np.zeros_like(v), np.zeros_like(h)
        for i in prange(1, rows - 1):
            for j in range(1, columns - 1):
                du[i, j] = -u[i, j] * (u[i, j + 1] - u[i, j - 1]) - 9.81 * (h[i, j + 1] - h[i, j - 1]) + 0.1 * v[i, j]
                dv[i, j] = -v[i, j] * (v[i + 1, j] - v[i - 1, j]) - 9.81 * (h[i + 1, j] - h[i - 1, j]) - 0.1 * u[i, j]
                dh[i, j] = -h[i, j] * (u[i, j + 1] - u[i, j - 1] + v[i + 1, j] - v[i - 1, j])
        u += 0.001 * du
        v += 0.001 * dv
        h += 0.001 * dh
    return h


def equilibrium(density, ux, uy, weights, ex, ey):
    square = 1.5 * (ux * ux + uy * uy)
    found = np.empty(9)
    for k in range(9):
        along = 3.0 * (ex[k] * ux + ey[k] * uy)
        found[k] = weights[k] * density * (1.0 + along + 0.5 * along * along - square)
    return found


@program(lambda rng, n: (rng.uniform(0.9, 1.1, (9, n, n)), 3), 6, 60, "mixed", equilibrium, modes=BOTH)
def lattice_boltzmann(start, steps):
    weights = np.array([4 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 36, 1 / 36, 1 / 36, 1 / 36])
    ex = np.array([0, 1, 0, -1, 0, 1, -1, -1, 1])
    ey = np.array([0, 0, 1, 0, -1, 1, 1, -1, -1])
    f, after = start.copy(), np.empty_like(start)
    n, m = f.shape[1], f.shape[2]
    for _ in range(steps):
        for i in prange(n):
            for j in range(m):
                density = ux = uy = 0.0
                for k in range(9):
                    density += f[k, i, j]
                    ux += ex[k] * f[k, i, j]
                    uy += ey[k] * f[k, i, j]
                even = equilibrium(density, ux / density, uy / density, weights, ex, ey)
                for k in range(9):
                    after[k, (i + ex[k]) % n, (j + ey[k]) % m] = f[k, i, j] + 0.6 * (even[k] - f[k, i, j])
        f, after = after, f
    return f.sum(axis=0)


@program(lambda rng, n: (rng.uniform(0.5, 1.5, (3, n)), 10), 16, 4000, "mixed", modes=BOTH)
def euler_by_rusanov(start, steps):
    q = start.copy()
    n = q.shape[1]
    q[2] += 2.0
    for _ in range(steps):
        speed = q[1] / q[0]
        pressure = 0.4 * (q[2] - 0.5 * q[0] * speed ** 2)
        largest = np.max(np.abs(speed) + np.sqrt(1.4 * pressure / q[0]))
        flux = np.empty((3, n))
        flux[0] = q[1]
        flux[1] = q[1] * speed + pressure
        flux[2] = (q[2] + pressure) * speed
        between = np.empty((3, n - 1))
        for k in range(3):
            for i in range(n - 1):
                between[k, i] = 0.5 * (flux[k, i] + flux[k, i + 1]) - 0.5 * largest * (q[k, i + 1] - q[k, i])
        q[:, 1:-1] -= 0.1 / largest * (between[:, 1:] - between[:, :-1])
    return q


@program(lambda rng, n: (rng.uniform(-1, 1, (n, n)), 4), 8, 128, "loops", modes=(SERIAL,))
def poisson_red_black(source, sweeps):
    n = len(source)
    p = np.zeros((n, n))
    change = 0.0
    for _ in range(sweeps):
        change = 0.0
        for colour in range(2):
            for i in range(1, n - 1):
                for j in range(1 + (i + colour) % 2, n - 1, 2):
                    new = 0.25 * (p[i - 1, j] + p[i + 1, j] + p[i, j - 1] + p[i, j + 1] - source[i, j])
                    change = max(change, abs(new - p[i, j]))
                    p[i, j] = new
    return p, change


@program(lambda rng, n: (*fields(rng, n, 2), 3), 8, 200, "arrays", modes=BOTH)
def vorticity(u, v, steps):
    w = np.zeros_like(u)
    energy = 0.0
    for _ in range(steps):
        w[1:-1, 1:-1] = (v[1:-1, 2:] - v[1:-1, :-2]) - (u[2:, 1:-1] - u[:-2, 1:-1])
        w *= 0.99
        u[1:-1, 1:-1] += 0.01 * w[1:-1, 1:-1]
        energy = 0.5 * np.sum(u * u + v * v) + np.mean(w ** 2)
    return w, energy, np.abs(w).max()
