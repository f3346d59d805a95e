"""Wrong answers to the exercises of notebook 04, and what the checks say of them."""
from answers import cases_of

from gridcell.course import checks_04

PRELUDE = "from numba import guvectorize, stencil\n"
RUNNING = """@guvectorize(["(float64[:], int64, float64[:])"], "(n),()->(n)")
def moving_average(values, width, means):
    total = 0.0
    for i in range(len(values)):
        total += values[i] - (values[i - width] if i >= width else 0.0)
        means[i] = total / min(i + 1, width)
"""
ONE_PASS = """@guvectorize(["(float64[:], float64[:], float64[:])"], "(n)->(),()")
def mean_and_spread(values, mean, spread):
    n = len(values)
    total, squares = 0.0, 0.0
    for x in values:
        total += x
        squares += x * x
    mean[0] = total / n if n else np.nan
    spread[0] = math.sqrt(max(squares / n - (total / n) ** 2, 0.0)) if n else np.nan
"""
DOUBLE = '@vectorize(["float64(float64, float64)"], identity=0)'
FLAT = """
class Flat:
    nin = nout = 1
    __name__ = "flat"

    def __call__(self, x):
        y = np.clip(np.asarray(x, float), 0, 1)
        y = y * y * (3 - 2 * y)
        return y.ravel() if y.ndim else float(y)


smoothstep = Flat()
"""
WRONG = [
    (1, ("@vectorize", ""), "it is a ufunc of one number", "is no ufunc of numbers"),
    (1, ("@vectorize\ndef smoothstep(x)", "@vectorize\ndef smoothstep(x, y)"), "it is a ufunc of one number", "has 2 inputs; 1 are"),
    (1, "smoothstep = 7", "it is a ufunc of one number", "is no ufunc"),
    (1, ("3.0 - 2.0", "3.0 - 1.0"), "numbers in between", "smoothstep(0.5) gave 0.625; 0.5 is right"),
    (1, ("if x > 1:", "if x > 10:"), "numbers below and above, and the ends", "smoothstep(7.5)"),
    (1, "smoothstep = np.frompyfunc(lambda x: min(max(x, 0), 1) ** 2 * (3.0 - 2.0 * min(max(x, 0), 1)), 1, 1)", "integers give floats",
     "has the dtype object"),
    (1, FLAT, "arrays of any shape", "shape"),
    (1, (("return 0.0", "return 0"), ("return 1.0", "return 1"), ("x * x * (3.0 - 2.0 * x)", "x * x * (3 - 2 * x)")),
     "integers give floats", "has the dtype int64"),
    (1, (("x < 0", "not x >= 0"),), "NaN stays NaN"),

    (2, ('@vectorize(["int64(int64, int64)"], identity=0)', ""), "it is a ufunc of two numbers", "is no ufunc"),
    (2, ("while b", "if b"), "two numbers", "gcd(12, 18) gave 18; 6 is right"),
    (2, ("    while b:", "    if a == 0 or b == 0:\n        return 0\n    while b:"), "zeros", "gcd(0, 5) gave 0; 5 is right"),
    (2, ("a, b = b, a % b", "a, b = b, a % b if a < 500 or b < 500 else 0"), "arrays, broadcast"),
    (2, ('@vectorize(["int64(int64, int64)"], identity=0)', DOUBLE), "the result is an integer", "gives float64"),
    (2, ("abs(a)", "a"), "negative numbers", "gcd(12, -18) gave -6; 6 is right"),
    (2, (", identity=0", ""), "reduce: of many, and of none", "gcd.reduce([]) raised ValueError"),
    (2, ("identity=0", "identity=1"), "reduce: of many, and of none", "gcd.reduce([12, 18, 30]) gave 1"),

    (3, ('@guvectorize(["(float64[:], float64[:], float64[:])"], "(n)->(),()")', ""), "it is a generalised ufunc (n)->(),()",
     "is no generalised ufunc"),
    (3, ("(n)->(),()", "(n)->(),(n)"), "it is a generalised ufunc (n)->(),()", "has the signature (n)->(),(n)"),
    (3, ("squares / n)", "squares / (n - 1))"), "a row", "item 1 of what mean_and_spread"),
    (3, ("if n == 0:", "if n < 2:"), "one element: no spread", "nan"),
    (3, ("n = len(values)", "n = len(values)\n    if values[0] < -1.5:\n        return"), "stacks of rows"),
    (3, ONE_PASS, "large numbers that differ little"),
    (3, ("np.nan", "0.0"), "rows without elements"),

    (4, ('@guvectorize(["(float64[:], int64, float64[:])"], "(n),()->(n)")', ""), "it is a generalised ufunc (n),()->(n)",
     "is no generalised ufunc"),
    (4, ("i + 1 - width", "i - width"), "a row", "item 3"),
    (4, ("total / (i + 1 - first)", "(total if width > 1 else 0.0) / (i + 1 - first)"), "a width of one changes nothing"),
    (4, ("means[i] = total / (i + 1 - first)", "means[i] = total / (i + 1 - first) if i or width < 5 or width == 7 else 0.0"),
     "the beginning of a row"),
    (4, ("for i in range(len(values))", "for i in range(min(len(values), 40 if width < 6 or width > 6 else 39))"),
     "stacks of rows, and a width for each"),
    (4, ("for i in range(len(values)):", "means[0] = values[0]\n    for i in range(1, len(values)):"), "a row without elements",
     "IndexError"),
    (4, RUNNING, "a NaN spoils the means that it belongs to, and no others", "item 14 is nan"),

    (5, ("@stencil", ""), "it is a stencil", "is no stencil"),
    (5, "edges = 5", "it is a stencil", "is no stencil"),
    (5, ("image[-1, 1] + 2 * image[0, 1]", "image[-1, 1] + 3 * image[0, 1]"), "an image of one grey has no edges"),
    (5, ("math.sqrt(gx * gx + gy * gy)", "abs(gy)"), "an upright edge"),
    (5, ("math.sqrt(gx * gx + gy * gy)", "abs(gx)"), "a level edge"),
    (5, ("math.sqrt(gx * gx + gy * gy)", "abs(gx) + abs(gy)"), "pictures, and the border"),
    (5, ("@stencil", "@stencil(cval=1.0)"), "an image of one grey has no edges"),

    (6, ("@stencil(neighborhood=((-5, 5),))", ""), "it is a stencil", "is no stencil"),
    (6, ("return 1", "return 0"), "a single peak"),
    (6, ("range(-5, 6)", "range(-3, 4)"), "two that are near each other: the lower one is none"),
    (6, ("range(-5, 6)", "range(-5, 5)"), "two that are five apart, and six"),
    (6, (">=", ">"), "a level top is no peak"),
    (6, ("if math.isnan(values[0])", "if values[0] <= 0"), "negative values"),
    (6, ("neighborhood=((-5, 5),)", "neighborhood=((-5, 5),), cval=1"), "a single peak"),
    (6, "@stencil\ndef peaks(values):\n    for k in range(1, 6):\n        if values[k] >= values[0]:\n            return 0\n    return 1\n",
     "two that are near each other: the lower one is none"),
    (6, ("neighborhood=((-5, 5),)", "neighborhood=((-6, 6),)"), "the ends"),
    (6, ("values[k] >= values[0]", "not values[k] < values[0]"), "NaN"),

    (7, ('@guvectorize(["(float64[:], float64[:, :], int64[:])"], "(d),(n,d)->()")', ""), "it is a generalised ufunc (d),(n,d)->()",
     "is no generalised ufunc"),
    (7, ("square < least or", "square > least or"), "one point"),
    (7, ("range(len(point))", "range(min(len(point), 2))"), "in one dimension, and in seven"),
    (7, ("range(others.shape[0])", "range(others.shape[0] // (1 + (others.shape[0] == 20)))"), "many points"),
    (7, ("square < least or", "square <= least or"), "of several that are equally near the first"),
    (7, ("least = np.inf", "least = 1e300"), "far away"),
    (7, ("square < least or", "not square >= least or"), "a NaN among the others"),
    (7, ("place[0] = -1", "place[0] = 0"), "no others"),
]
globals().update(cases_of(4, checks_04, WRONG, PRELUDE))
