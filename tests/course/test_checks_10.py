"""Wrong answers to the exercises of notebook 10, and what the checks say of them."""
from answers import cases_of, cells

from gridcell.course import checks_10

NO_KERNEL = "cannot be launched: it is no kernel"
EDGES, SMALL = "pictures, with their edges", "one row, one column, one pixel"
RANDOM = "xoroshiro128p_normal_float64(states, thread)"
LOOP = "for i in range(thread, payoffs.size, cuda.gridsize(1)):"
TILE = "tile[0, t], tile[1, t], tile[2, t], tile[3, t] = position[0, j], position[1, j], position[2, j], mass[j]"
NETWORK, = ("".join(cell["source"]).split("\nsome = ")[0] for cell in cells(10) if cell["id"] == "network-code")
FROM_MEMORY = """@cuda.jit
def pull_tiled(position, mass, out):
    i = cuda.grid(1)
    if i < mass.size:
        ax = ay = az = float32(0)
        for j in range(mass.size):
            dx, dy, dz = position[0, j] - position[0, i], position[1, j] - position[1, i], position[2, j] - position[2, i]
            square = dx * dx + dy * dy + dz * dz + float32(0.01)
            pull = mass[j] / (square * math.sqrt(square))
            ax, ay, az = ax + pull * dx, ay + pull * dy, az + pull * dz
        out[0, i], out[1, i], out[2, i] = ax, ay, az
"""
WRONG = [
    (1, "speedup = 2", "it is a function of shares and factors", "of type int"),
    (1, "def speedup(shares, factors):\n    return 1 / sum(factors)\n", "all parts become as fast as each other", "4.0 is right"),
    (1, "def speedup(shares, factors):\n    return sum(s * f for s, f in zip(shares, factors))\n", "one part of several"),
    (1, ("share / factor for", "share / max(factor, 1) for"), "a part that becomes slower"),
    (1, ("share / factor for", "share / min(factor, 1000) for"), "a part that takes no time any more"),
    (1, (" if left else math.inf", ""), "nothing is left", "ZeroDivisionError"),

    (2, ("@njit", ""), "it is a compiled function of a picture", "plain Python function"),
    (2, ("np.empty_like(image)", "image"), "a single grey, with one pixel that is stuck"),
    (2, ("median9", "max"), "a single grey, with one pixel that is stuck"),
    (2, ("np.empty_like(image)", "np.empty((rows, columns))"), "a single grey, with one pixel that is stuck", "float64"),
    (2, ("image[u, l], image[u, x]", "image[u, x], image[u, x]"), "pictures, without their edges"),
    (2, ("max(y - 1, 0)", "y - 1"), EDGES, "item [0,"),
    (2, ("image.shape", "image.shape\n    if rows < 3 or columns < 3:\n        return image.copy()"), SMALL),

    (3, ("@cuda.jit", "@njit"), "it is a kernel of source, table and target", NO_KERNEL),
    (3, ("value = 5 *", "value = 4 *"), "a single grey stays as it is"),
    (3, ("5 * np.int64(table[source[y, x]])", "5 * np.int64(source[y, x])"), "a table"),
    (3, ("y, max(x - 1, 0)", "y, x"), "a picture without strong edges"),
    (3, ("min(max(value, 0), 255)", "value"), "strong edges: what is below 0 and above 255"),
    (3, ("x < columns and y < rows", "y < rows"), "pictures that the blocks do not fill", "beyond the end"),
    (3, ("max(y - 1, 0)", "y - 1"), "a picture without strong edges"),
    (3, ("min(max(value, 0), 255)", "min(max(value, 0), 255)\n        target[0, 0] += 0"),
     "each element is written by one thread alone", "a race: "),

    (4, ("@njit", ""), "it is a compiled function of position, velocity and mass", "plain Python function"),
    (4, ("** 2 / 2", "** 2"), "one body: what moves has energy"),
    (4, ("total -= m", "total += m"), "two bodies that do not move"),
    (4, ("range(i + 1, mass.size)", "range(i + 1, min(i + 2, mass.size))"), "many bodies: each pair once, none with itself"),
    (4, ("total -= m * mass[j] / math.sqrt(square)",
         "if square > 0.01:\n                total -= m * mass[j] / math.sqrt(square)"), "bodies in one place"),
    (4, ("total = 0.0", "total = 0.0 * mass[0]"), "no bodies", "raised"),
    (4, ("np.float64(position[k, i]) - np.float64(position[k, j])", "position[k, i] - position[k, j]"),
     "in float64: the last digits are right"),

    (5, ("@cuda.jit(fastmath=True)", ""), "it is a kernel of position, mass and out", NO_KERNEL),
    (5, ("tile[0, k] - x", "x - tile[0, k]"), "one tile", "out[0, 0] is"),
    (5, ("range(0, n, 128)", "range(0, 128, 128)"), "several tiles"),
    (5, ("j = first + t", "j = t"), "several tiles"),
    (5, ("range(min(128, n - first))", "range(128)"), "a last tile that is not full"),
    (5, ("if j < n:", "if True:"), "a last tile that is not full"),
    (5, ("    if i < n:\n        out", "    if i < n or n < 20:\n        out"), "fewer bodies than threads"),
    (5, ("        cuda.syncthreads()                   # nobody loads the next tile while somebody reads this one\n", ""),
     "barriers are where they are needed", "race on shared memory"),
    (5, (f"        if j < n:\n            {TILE}\n        cuda.syncthreads()\n", f"        if j < n:\n            {TILE}\n"),
     "barriers are where they are needed"),
    (5, FROM_MEMORY, "a block loads each body once", "2 blocks of 128 threads, 256 bodies"),

    (6, ("@cuda.jit", ""), "it is a kernel of seven parameters", NO_KERNEL),
    (6, ("total += price\n        payoffs[i] = max(total / steps", "total = price\n        payoffs[i] = max(total"),
     "no spread: all paths are the same"),
    (6, ("            price *=", "            total += price\n            price *="), "no spread: all paths are the same"),
    (6, ("        for _ in range(steps):\n            price *= math.exp(drift + spread * " + RANDOM + ")",
         "        z = " + RANDOM + "\n        for _ in range(steps):\n            price *= math.exp(drift + spread * z)"),
     "a spread: each step has a random number of its own"),
    (6, ("(states, thread)", "(states, 0)"), "a spread: each step has a random number of its own"),
    (6, ("max(total / steps - strike, 0.0)", "total / steps - strike"), "paths that pay nothing"),
    (6, (LOOP, "i = thread\n    if i < payoffs.size:"), "more paths than threads", "is nan"),
    (6, ("payoffs.size, cuda", "max(payoffs.size, cuda.gridsize(1)), cuda"), "fewer paths than threads", "beyond the end"),
    (6, ("range(steps)", "range(max(steps, 2))"), "one step"),

    (7, "with_control = 1", "it is a function of values, controls and known", "of type int"),
    (7, ("slope = ", "slope = 1 if square > 0 else "), "controls that have nothing to do with the values", "item 1"),
    (7, ("ddof=1", "ddof=0"), "controls that have nothing to do with the values"),
    (7, ("slope = (deviations * (values - values.mean())).sum() / square", "slope = 0.0"), "controls that go with the values"),
    (7, ("corrected.mean(), ", "values.mean(), "), "controls that are off, on average", "item 0"),
    (7, ("slope * (controls", "abs(slope) * (controls"), "values that go the other way, or go farther"),
    (7, (" if square > 0 else 0.0", ""), "controls that are all the same", "nan"),
]
globals().update(cases_of(10, checks_10, WRONG, f"{NETWORK}\n"))
