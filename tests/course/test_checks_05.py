"""Wrong answers to the exercises of notebook 05, and what the checks say of them."""
from answers import cases_of

from gridcell.course import checks_05

PARALLEL, MANY = "the loop runs in parallel", "many, with any number of threads"
SERIAL = ("@njit(parallel=True)", "@njit")
ONE_THREAD = "is compiled for one thread"
PRELUDE = """from numba import get_num_threads, prange
@njit
def number_of(k):
    z = np.uint64(k) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return (z >> np.uint64(11)) * 2.0 ** -53
"""
ONE_HISTOGRAM = """@njit(parallel=True)
def histogram(values, bins):
    counts = np.zeros(bins, np.int64)
    for i in prange(len(values)):
        counts[values[i]] += 1
    return counts
"""
ONE_SUM = """@njit(parallel=True)
def running_sums(values):
    result = np.empty_like(values)
    total = values.dtype.type(0)
    for i in range(len(values)):
        total += values[i]
        result[i] = total
    return result
"""
IN_PLACE = """@njit(parallel=True)
def life_step(board):
    rows, columns = board.shape
    board = board.copy()
    for i in prange(rows):
        for j in range(columns):
            around = -board[i, j]
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    around += board[(i + di) % rows, (j + dj) % columns]
            board[i, j] = around == 3 or (around == 2 and board[i, j] == 1)
    return board
"""
WRONG = [
    (1, ("@njit(parallel=True)", ""), "it is a compiled function", "plain Python function"),
    (1, ("math.sqrt(total)", "total"), "a few vectors", "item 0"),
    (1, ("range(vectors.shape[1])", "range(min(vectors.shape[1], 4))"), "many vectors, with any number of threads"),
    (1, ("np.empty(vectors.shape[0])", "np.empty(vectors.shape[0], vectors.dtype)"), "integers", "has the dtype int64"),
    (1, ("total = 0.0", "total = 0.0 * vectors[i, 0]"), "vectors without elements, and no vectors", "IndexError"),
    (1, SERIAL, "the rows run in parallel", ONE_THREAD),
    (1, ("prange", "range"), "the rows run in parallel", "no loop runs in parallel; the exercise asks for 1"),

    (2, ("@njit(parallel=True)", ""), "it is a compiled function", "plain Python function"),
    (2, ("return low, high", "return high, low"), "positive and negative numbers", "item 0 of what"),
    (2, ("prange(len(values))", "prange(min(len(values), 100))"), MANY),
    (2, ("low = high = values[0]", "low = high = 0.0"), "negative ones only, positive ones only"),
    (2, ("values[0]", "values[1]"), "one element", "IndexError"),
    (2, ("    if len(values) == 0:\n        raise ValueError(\"an empty array has no extent\")\n    low = high = values[0]",
         "    low = np.inf\n    high = -np.inf"), "an empty array raises ValueError", "it is to raise a ValueError"),
    (2, SERIAL, PARALLEL, ONE_THREAD),
    (2, ("low = min(low, values[i])", "if values[i] < low:\n            low = values[i]"), PARALLEL, "an earlier turn wrote"),

    (3, ("@njit(parallel=True)", ""), "it is a compiled function", "plain Python function"),
    (3, ("around = -board[i, j]", "around = 0"), "a blinker in the middle of the board", "item [1, 3]"),
    (3, IN_PLACE, "a blinker in the middle of the board"),
    (3, ("around == 3 or", "around >= 3 or"), "too many neighbours, and too few"),
    (3, ("(i + di) % rows, (j + dj) % columns", "min(max(i + di, 0), rows - 1), min(max(j + dj, 0), columns - 1)"),
     "edges and corners"),
    (3, ("rows, columns = board.shape", "rows = columns = board.shape[0]"), "boards that are not square"),
    (3, ("prange(rows)", "prange(min(rows, 50))"), "large boards, with any number of threads"),
    (3, SERIAL, PARALLEL, ONE_THREAD),

    (4, "cut = (0, 4)", "it is a function of n and parts", "of type tuple"),
    (4, ("(p + 1) * n // parts", "(p + 1) * n // parts - 1"), "parts that come out even", "begin where the one before it ended"),
    (4, "def cut(n, parts):\n    return [[p * n // parts, (p + 1) * n // parts] for p in range(parts)]\n", "parts that come out even",
     "a list of tuples of two"),
    (4, "def cut(n, parts):\n    size = n // parts\n    return [(p * size, (p + 1) * size) for p in range(max(parts, 2))]\n", "one part",
     "gave 2 parts"),
    (4, "def cut(n, parts):\n    size = n // parts\n    return [(p * size, (p + 1) * size if p + 1 < parts else n) for p in range(parts)]\n",
     "parts that do not come out even", "cut(11, 3) gave parts of [3, 3, 5] numbers"),
    (4, ("for p in range(parts)", "for p in range(min(n, parts))"), "more parts than numbers", "cut(2, 5) gave 2 parts"),

    (5, ("@njit(parallel=True)", ""), "it is a compiled function", "plain Python function"),
    (5, ("counts.sum(axis=0)", "counts[0]"), "a few values"),
    (5, ("(p + 1) * n // parts", "p * n // parts + min(n // parts, 80) + 1"), "a few values"),
    (5, ("(p + 1) * n // parts", "min((p + 1) * n // parts, p * n // parts + 100)"), MANY),
    (5, ("n = len(values)", "n = len(values)\n    bins = min(bins, 30)"), "numbers that do not occur", "has the shape (30,)"),
    (5, ("parts = 4 * get_num_threads()", "parts = min(4 * get_num_threads(), n)\n    first = values[0]"),
     "fewer values than threads, and none", "IndexError"),
    (5, SERIAL, PARALLEL, ONE_THREAD),
    (5, ONE_HISTOGRAM, PARALLEL, "several turns may write to 'counts'"),

    (6, ("@njit(parallel=True)", ""), "it is a compiled function", "plain Python function"),
    (6, ("total = starts[p]", "total = sums[p]"), "a few values"),
    (6, ("parts = 4 * get_num_threads()", "parts = min(4 * get_num_threads(), n)\n    n = n if n < 100 else n // parts * parts"), MANY),
    (6, (("np.zeros(parts, values.dtype)", "np.zeros(parts, np.int64)"), ("total = starts[p]", "total = values.dtype.type(starts[p])")),
     "floats stay floats"),
    (6, ("parts = 4 * get_num_threads()", "parts = min(4 * get_num_threads(), n)\n    first = values[0]"),
     "fewer values than parts, and none", "IndexError"),
    (6, ONE_SUM, "two loops run in parallel", "no loop runs in parallel; the exercise asks for 2"),
    (6, SERIAL, "two loops run in parallel", ONE_THREAD),

    (7, ("@njit(parallel=True)", ""), "it is a compiled function", "plain Python function"),
    (7, ("4.0 *", "2.0 *"), "it is near \u03c0"),
    (7, ("number_of(k + 1), number_of(k + 2)", "np.random.random(), np.random.random()"), "the same again"),
    (7, ("inside / n", "inside / n + 1e-9 * get_num_threads()"), "the same with any number of threads and size of chunks"),
    (7, ("seed * n + i", "i"), "other points for another seed", "came 1 different result"),
    (7, ("2 * (seed * n + i)", "2 * (seed * 97 + i)"), "points of different seeds have nothing in common"),
    (7, ("2 * (seed * n + i)", "seed * n + i"), "no two coordinates of points are the same number", "spread 1.2"),
    (7, ("4.0 * inside / n", "(4.0 * inside + 1.0) / (n + 1.0)"), "one point", "neither 0 nor 4"),
    (7, SERIAL, PARALLEL, ONE_THREAD),
]
globals().update(cases_of(5, checks_05, WRONG, PRELUDE))
