"""Small arrays and containers that are made in each turn, results put into arrays that there are, rows that are closed
to rings, and what the library does with lists, columns and vectors of three."""
import numpy as np

from programs import SERIAL, program

ONE = (SERIAL,)


def lorenz(state):
    x, y, z = state
    return np.array([10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z])


@program(lambda rng, n: (np.array([1.0, 1.0, 1.0]), 0.01, n), 5, 3000, "arrays", lorenz, modes=ONE)
def runge_kutta_of_new_arrays(state, step, turns):
    out = np.empty((turns + 1, 3))
    out[0] = state
    for i in range(turns):
        k1 = lorenz(state)
        k2 = lorenz(state + step / 2 * k1)
        k3 = lorenz(state + step / 2 * k2)
        k4 = lorenz(state + step * k3)
        state = state + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        out[i + 1] = state
    return out


@program(lambda rng, n: (rng.uniform(size=n), rng.uniform(size=n), np.empty(n), 40), 8, 1000, "arrays", modes=ONE)
def results_put_into_an_array(a, b, out, turns):
    for _ in range(turns):
        np.multiply(a, b, out)
        np.add(out, a, out)
        np.sqrt(out, out)
    return out


@program(lambda rng, n: (n,), 20, 2000, "loops", modes=ONE)
def sets_of_three(n):
    count = 0
    for i in range(n):
        met = {i, i + 1, 2 * i}
        if 2 in met:
            count += 1
        count += len(met)
    return count


@program(lambda rng, n: (rng.integers(0, 50, n),), 20, 3000, "loops", modes=ONE)
def dicts_of_a_few(numbers):
    total = 0
    for i in range(0, len(numbers) - 5, 5):
        counts = {numbers[i]: 1}
        for k in range(i + 1, i + 5):
            counts[numbers[k]] = counts.get(numbers[k], 0) + 1
        total += len(counts)
    return total


@program(lambda rng, n: (rng.uniform(size=n), 20), 9, 20_000, "loops", modes=ONE)
def heat_in_a_ring(start, steps):
    n = len(start)
    a, b = start.copy(), np.empty(n)
    for _ in range(steps):
        for i in range(n):
            b[i] = a[i] + 0.1 * (a[(i + 1) % n] - 2 * a[i] + a[(i - 1) % n])
        a, b = b, a
    return a


@program(lambda rng, n: (rng.integers(0, 2, n).astype(np.uint8), 20), 9, 20_000, "loops", modes=ONE)
def rule_110(start, steps):
    n = len(start)
    a, b = start.copy(), np.empty(n, np.uint8)
    for _ in range(steps):
        for i in range(n):
            b[i] = (110 >> (4 * a[(i - 1) % n] + 2 * a[i] + a[(i + 1) % n])) & 1
        a, b = b, a
    return a


@program(lambda rng, n: (rng.uniform(size=(n, n)),), 5, 200, "loops", modes=ONE)
def laplacian_on_a_torus(u):
    n, m = u.shape
    out = np.empty((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = (u[(i + 1) % n, j] + u[(i - 1 + n) % n, j] + u[i, (j + 1) % m] + u[i, (j + m - 1) % m]
                         - 4 * u[i, j])
    return out


@program(lambda rng, n: (rng.choice(np.frombuffer(b"ACGTN", np.uint8), n),), 50, 200_000, "loops", modes=ONE)
def complement_of_letters(letters):
    out = np.empty(len(letters), np.uint8)
    for i in range(len(letters)):
        c = letters[i]
        if c == 65:
            out[i] = 84
        elif c == 67:
            out[i] = 71
        elif c == 71:
            out[i] = 67
        elif c == 84:
            out[i] = 65
        else:
            out[i] = c
    return out


@program(lambda rng, n: (n,), 10, 3000, "mixed")
def arrays_of_lists(n):
    items = [0.5 * i for i in range(n)]
    total = 0.0
    for _ in range(10):
        items.reverse()
        total += np.array(items)[0] + max(items)
    return total


@program(lambda rng, n: (rng.normal(size=(n, 3)), rng.normal(size=(n, 3))), 10, 1000, "mixed")
def products_across_rows(a, b):
    out = np.empty_like(a)
    for i in range(len(a)):
        out[i] = np.cross(a[i], b[i])
    return out


@program(lambda rng, n: (rng.uniform(0.0, 1.0, (n, n)),), 10, 200, "arrays")
def copies_of_columns(a):
    return np.ascontiguousarray(a.T)[0] + np.asfortranarray(a)[1] + a.T.flatten()[:len(a)]


@program(lambda rng, n: (rng.normal(size=n),), 30, 3000, "arrays")
def bins_from_the_least(x):
    counts, edges = np.histogram(x, 30)
    return counts, edges[0], edges[30]
