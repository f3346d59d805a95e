"""Wrong answers to the exercises of notebook 01, and what the checks say of them."""
from answers import cases_of

from gridcell.course import checks_01

STEPS = """
def steps(start):
    n, count = start, 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count
"""
NARROW_STEPS = """@njit(locals={"n": int32})
def fast_steps(start):
    n, count = start, 0
    while n != 1 and count < 400:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count
"""
ONE_TURN = """@vectorize(["float32(float32)", "float64(float64)"])
def wrap_angle(x):
    if x > math.pi:
        return x - 2 * math.pi
    return x + 2 * math.pi if x <= -math.pi else x
"""
CONTIGUOUS = '@njit(["float64[:](float64[::1], int64)", "float64[:](int64[::1], int64)"])'
WRONG = [
    (1, ("@njit", ""), "it is a compiled function", "plain Python function"),
    (1, ("@njit", "@cuda.jit"), "it is a compiled function", "not made for the CPU"),
    (1, ("points, radius", "points"), "it is a compiled function", "has 1 parameter; it is called with 2"),
    (1, "count_inside = 5", "it is a compiled function", "of type int"),
    (1, ("radius * radius", "2.0"), "a few points", "gave 3; 2 is right"),
    (1, ("return count", "points[0, 0] = 5\n    return count"), "a few points", "changed its argument 1"),
    (1, ("return count", "count"), "a few points", "gave None"),
    (1, ("return count", "return points"), "a few points", "one number is asked for"),
    (1, ("points[i]", "points.row(i)"), "a few points", "TypingError", "Unknown attribute 'row'"),
    (1, ("<=", "<"), "points on the circle itself", "gave 0; 2 is right"),
    (1, (("x * x + y * y", "math.hypot(max(x, 0), max(y, 0))"), ("radius * radius", "radius")),
     "points in all four quarters"),
    (1, ("count = 0", "count = 0 * int(points[0, 0])"), "no points at all", "IndexError"),
    (1, ("@njit", '@njit("int64(float64[:, :], float64)")'), "integers, and every second row of an array", "TypeError"),

    (2, "break_even = 5", "it is a function of three times", "of type int"),
    (2, ("    return max", "    max"), "a slow function: it pays after a few calls", "gave None"),
    (2, ("python_call - compiled_call", "python_call"), "a slow function: it pays after a few calls",
     "gave 2; 4 is right"),
    (2, ("math.ceil", "math.floor"), "between two whole numbers of calls, the next one", "gave 2; 3 is right"),
    (2, ("max(1, math.ceil(compiling / won_by_a_call))", "round(compiling / won_by_a_call)"),
     "where one call takes longer than compiling, the first pays", "gave 0; 1 is right"),
    (2, ("max(1, ", "("), "compiling that costs nothing: at once", "gave 0; 1 is right"),
    (2, ("<= 0", "< -1"), "compiled code that is not faster never pays", "inf is right"),
    (2, ("<= 0", "< 0"), "compiled code that is not faster never pays", "ZeroDivisionError"),

    (3, ("@njit", ""), "it is a compiled function", "What compiles it?"),
    (3, ("means[i] = total / width", "means[i] = total"), "windows of three", "item 1 is 12.0; 4.0 is right"),
    (3, ("len(values) - width + 1", "len(values) - width"), "windows of three", "the shape (2,); (3,) is right"),
    (3, ("return means\n    total", "return 0.0 * values\n    total"), "a window that is wider than the array: an "
     "empty result", "the shape (5,); (0,)"),
    (3, ("    total = 0.0", "    if windows == 1:\n        return np.zeros(1)\n    total = 0.0"),
     "windows of one, and one window of all", "item 0 is 0.0; 3.6 is right"),
    (3, ("max(0, len(values) - width + 1)", "len(values) - width + 1"),
     "a window that is wider than the array: an empty result", "raised"),
    (3, ("dtype=np.float64", "dtype=values.dtype"), "integers: the means are float64", "the dtype int64; float64"),
    (3, ("@njit", CONTIGUOUS), "every second value of an array", "TypeError"),
    (3, ('raise ValueError("a window has at least one value")', "return np.empty(0)"),
     "a width of zero raises ValueError", "it is to raise a ValueError"),
    (3, ("ValueError", "TypeError"), "a width of zero raises ValueError", "TypeError", "It is to be a ValueError"),

    (4, ("@njit", ""), "it is a compiled function", "What compiles it?"),
    (4, ("best, most = 1, 0", "best, most = 0, 0"), "the smallest limit", "item 0 of what", "gave 0; 1 is right"),
    (4, ("return best, most", "return best"), "the smallest limit", "a tuple of 2 values"),
    (4, ("limit + 1", "limit"), "limits up to a thousand", "gave 1; 2 is right"),
    (4, ("count > most", "count >= most"), "of equally long ones the smallest start", "gave 19; 18 is right"),
    (4, ("fast_steps = njit(steps)\n", NARROW_STEPS),
     "paths that leave the range of int32: 113383 is within the limit"),

    (5, ("@njit", ""), "it is a compiled function", "What compiles it?"),
    (5, ("total / len(values), largest", "largest, total / len(values)"), "the mean, and where the largest value is"),
    (5, ("total / len(values), largest", 'str(total / len(values)), largest'),
     "the mean, and where the largest value is", "one number is asked for"),
    (5, ("len(values), largest", "len(values), float(largest)"),
     "the place is a whole number", "came as float"),
    (5, ("values[i] > values[largest]", "values[i] > max(0, values[largest])"), "negative values only",
     "gave 0; 1 is right"),
    (5, ("values[i] > values[largest]", "values[i] >= values[largest]"), "negative values only", "gave 3; 1 is right"),
    (5, ("len(values) == 0", "len(values) < 2"), "one value", "ValueError"),
    (5, ("total / len", "total // len"), "integers: the mean keeps its fraction", "gave 1.0; 1.5 is right"),
    (5, ('raise ValueError("no values")', "return 0.0, 0"), "an empty array raises ValueError", "gave (0.0, 0)"),

    (6, ('@vectorize(["float32(float32)", "float64(float64)"])', "@njit"), "it is a ufunc of one argument",
     "wrap_angle() is no ufunc"),
    (6, ("return rest - 2 * math.pi if rest > math.pi else rest", "return rest"), "angles within the range stay",
     "and 1 more differs"),
    (6, ONE_TURN, "a turn more, a turn less, many turns; in a matrix, too"),
    (6, ("rest > math.pi", "rest >= math.pi"), "pi itself belongs to the range, and -pi becomes pi"),
    (6, ('"float32(float32)", ', ""), "float32 stays float32", "the dtype float64; float32 is right"),
    (6, ("    rest = ", "    if x != x:\n        return 0.0\n    rest = "),
     "NaN stays NaN", "item 0 is 0.0; nan is right"),
]
globals().update(cases_of(1, checks_01, WRONG, STEPS))
