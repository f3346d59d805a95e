"""Small windows, short rows, and choices by an item, in nests of loops."""
import numpy as np

from programs import SERIAL, program

ONE = (SERIAL,)


@program(lambda rng, n: (rng.uniform(0.0, 1.0, (30, 30)), n), 4, 400, "loops", modes=ONE)
def jacobi_of_short_rows(start, steps):
    a, b = start.copy(), start.copy()
    for _ in range(steps):
        for i in range(1, len(a) - 1):
            for j in range(1, len(a) - 1):
                b[i, j] = 0.2 * (a[i, j] + a[i, j - 1] + a[i, j + 1] + a[i - 1, j] + a[i + 1, j])
        a, b = b, a
    return a


@program(lambda rng, n: (rng.uniform(0.0, 1.0, (n, n)),), 8, 300, "loops", modes=ONE)
def mean_of_nine(a):
    out = np.zeros_like(a)
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            total = 0.0
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    total += a[i + di, j + dj]
            out[i, j] = total / 9
    return out


@program(lambda rng, n: ((rng.uniform(0, 1, (n, n)) < 0.4).astype(np.uint8), 4), 8, 300, "loops", modes=ONE)
def life_of_bytes(start, steps):
    a, b = start.copy(), np.zeros_like(start)
    for _ in range(steps):
        for i in range(1, a.shape[0] - 1):
            for j in range(1, a.shape[1] - 1):
                near = (a[i - 1, j - 1] + a[i - 1, j] + a[i - 1, j + 1] + a[i, j - 1] + a[i, j + 1]
                        + a[i + 1, j - 1] + a[i + 1, j] + a[i + 1, j + 1])
                b[i, j] = 1 if near == 3 or (near == 2 and a[i, j]) else 0
        a, b = b, a
    return a


@program(lambda rng, n: (rng.choice(np.frombuffer(b"ACGTN", np.uint8), n),), 50, 200_000, "loops", modes=ONE)
def weights_of_letters(letters):
    weights = np.empty(len(letters))
    for i in range(len(letters)):
        if letters[i] == 65:
            weights[i] = 331.2
        elif letters[i] == 67:
            weights[i] = 307.2
        elif letters[i] == 71:
            weights[i] = 347.2
        else:
            weights[i] = 322.2
    return weights


@program(lambda rng, n: (rng.normal(size=n), rng.normal(size=7)), 30, 50_000, "loops", modes=ONE)
def filter_of_seven_taps(x, taps):
    y = np.zeros(len(x) - len(taps) + 1)
    for i in range(len(y)):
        total = 0.0
        for k in range(len(taps)):
            total += x[i + k] * taps[k]
        y[i] = total
    return y


@program(lambda rng, n: (rng.uniform(0.0, 1.0, (n, n)),), 8, 300, "loops", modes=ONE)
def laplacian_from_the_end(a):
    out = np.zeros_like(a)
    for i in range(a.shape[0] - 1):
        for j in range(a.shape[1] - 1):
            out[i, j] = a[i + 1, j] + a[i - 1, j] + a[i, j + 1] + a[i, j - 1] - 4 * a[i, j]
    return out


@program(lambda rng, n: ((rng.uniform(0, 1, (n, n)), rng.uniform(0, 1, (n, n))),), 8, 300, "mixed", modes=ONE)
def pair_of_grids(grids):
    a, b = grids
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            b[i, j] = 0.2 * (a[i, j] + a[i, j - 1] + a[i, j + 1] + a[i - 1, j] + a[i + 1, j])
    return b.sum()


@program(lambda rng, n: ((rng.uniform(0, 1, (n, n)) < 0.3).astype(np.uint8), 4), 8, 300, "loops", modes=ONE)
def life_around_a_number(a, steps):
    out = np.zeros_like(a)
    for _ in range(steps):
        for i in range(1, a.shape[0] - 1):
            for j in range(1, a.shape[1] - 1):
                near = np.int64(0)
                for y in range(i - 1, i + 2):
                    for x in range(j - 1, j + 2):
                        near += a[y, x]
                near -= a[i, j]
                out[i, j] = 1 if near == 3 or (near == 2 and a[i, j]) else 0
        a, out = out, a
    return a


@program(lambda rng, n: (rng.uniform(0.0, 1.0, (n, n)), rng.normal(size=(5, 5))), 9, 150, "loops", modes=ONE)
def window_of_a_reach(a, weights):
    reach = len(weights) // 2
    out = np.zeros_like(a)
    for i in range(reach, a.shape[0] - reach):
        for j in range(reach, a.shape[1] - reach):
            total = 0.0
            for p in range(-reach, reach + 1):
                for q in range(-reach, reach + 1):
                    total += a[i + p, j + q] * weights[p + reach, q + reach]
            out[i, j] = total
    return out


@program(lambda rng, n: (rng.uniform(0.0, 1.0, (n, n)), rng.normal(size=(3, 3))), 8, 150, "loops", modes=ONE)
def window_that_goes_on_at_edges(a, weights):
    rows, columns = a.shape
    out = np.zeros_like(a)
    for i in range(rows):
        for j in range(columns):
            total = 0.0
            for p in range(-1, 2):
                for q in range(-1, 2):
                    y, x = i + p, j + q
                    if y < 0 or y >= rows or x < 0 or x >= columns:
                        continue
                    total += a[y, x] * weights[p + 1, q + 1]
            out[i, j] = total
    return out


@program(lambda rng, n: (rng.normal(size=n), rng.normal(size=9)), 30, 20_000, "loops", modes=ONE)
def filter_that_looks_back(x, taps):
    y = np.zeros(len(x))
    for i in range(len(x)):
        total = 0.0
        for k in range(len(taps)):
            if i - k >= 0:
                total += taps[k] * x[i - k]
        y[i] = total
    return y
