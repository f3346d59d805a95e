"""Wrong answers to the exercises of notebook 02, and what the checks say of them."""
from answers import cases_of

from gridcell.course import checks_02

COMPILED = "it is a compiled function"
PLAIN = "is a plain Python function"
LARGER = "larger ones, too, also where the lost bits happen to leave something plausible"
GUARD = '        if result > 9223372036854775807 // i:\n            raise OverflowError("n! does not fit in int64")\n'
BY_A_LIST = """@njit
def runs(values):
    kept, lengths = [values[0]], [1]
    for i in range(1, len(values)):
        if values[i] != values[i - 1]:
            kept.append(values[i])
            lengths.append(1)
        else:
            lengths[-1] += 1
    return np.array(kept), np.array(lengths)
"""
WRONG = [
    (1, "predicted = {}", "each has an answer", "Not answered yet"),
    (1, ('"add bool bool": "int64"', '"add bool bool": ...'), "each has an answer", "no answer for add bool bool"),
    (1, ('"add bool bool": "int64"', '"add bool bool": "integer"'), "each is the name of a type", "'integer' is none of"),
    (1, (('"add bool bool": "int64"', '"add bool bool": "bool"'), ("int32\": \"int64", "int32\": \"int32")),
     "each is what the compiler finds", "add int32 int32, add bool bool: something else"),

    (2, ("@njit", ""), COMPILED, PLAIN),
    (2, ("result *= i", "result += i"), "small numbers", "gave 3; 2 is right"),
    (2, ("    result = 1", "    if n == 0:\n        return 0\n    result = 1"), "0! is 1", "gave 0; 1 is right"),
    (2, ("> 9223372036854775807", "> 922337203685477580"), "the largest that fits", "OverflowError"),
    (2, (GUARD, ""), "the first that does not fit raises OverflowError", "gave -4249290049419214848"),
    (2, ((GUARD, ""), ("    return result", "    if result < 0:\n        raise OverflowError\n    return result")),
     LARGER, "it is to raise an OverflowError"),
    (2, ('        raise ValueError("n must not be negative")', "        return 0"), "negative numbers raise ValueError"),

    (3, ("@njit", ""), COMPILED, PLAIN),
    (3, ("clipped[i] = low", "clipped[i] = high"), "values below, within and above", "item 0 is 3.5; 0.0 is right"),
    (3, ("np.empty_like(values)", "values"), "values below, within and above", "changed its argument 1"),
    (3, ("i in range(len(values))", "i in range(len(values) + (len(values) == 0))"),
     "values on the limits, and an empty array", "IndexError"),
    (3, ("np.empty_like(values)", "np.empty(len(values))"), "integers stay integers, and float32 float32",
     "the dtype float64; int64 is right"),
    (3, ("@njit", '@njit(["f8[:](f8[::1], f8, f8)", "i8[:](i8[::1], i8, i8)", "f4[:](f4[::1], f8, f8)"])'),
     "every second element of an array", "TypeError"),
    (3, ("elif value > high:", "elif not value <= high:"), "NaN stays NaN", "item 0 is 1.0; nan is right"),

    (4, ("@njit", ""), COMPILED, PLAIN),
    (4, ("/ columns", "/ rows"), "a matrix with more columns than rows"),
    (4, ("@njit", '@njit("f8[:](f8[:, ::1])")'), "other layouts: a transposed matrix, and parts of one", "TypeError"),
    (4, ("np.empty(rows)", "np.empty(rows, matrix.dtype)"), "integers: the means are float64", "the dtype int64"),
    (4, ("total = 0.0", "total = matrix[i, 0] - matrix[i, 0]"), "float32 is added up in float64"),
    (4, ("columns == 0", "matrix.size == 0"), "a matrix without rows", "ValueError"),
    (4, ('raise ValueError("rows without elements have no mean")', "return np.zeros(rows)"),
     "rows without elements raise ValueError", "it is to raise a ValueError"),

    (5, ("@njit", ""), COMPILED, PLAIN),
    (5, ("range(len(values))", "range(len(values) - 1, -1, -1)"), "the first of several", "4; 1 is right"),
    (5, ("range(len(values))", "range(1, len(values))"), "the very first, and the last", "gave 1; 0 is right"),
    (5, ("values[i] > limit", "values[i] >= limit"), "equal to the limit is not above it", "gave 3; 4 is right"),
    (5, ("return -1", "return len(values)"), "none", "gave 5; -1 is right"),
    (5, ("    return -1", "    return -1 if values[0] <= limit else 0"), "an empty array", "IndexError"),

    (6, ("@njit", ""), COMPILED, PLAIN),
    (6, ("b[k, j]", "b[j, k]"), "square matrices"),
    (6, ("columns = b.shape[1]", "columns = b.shape[0]"), "other shapes"),
    (6, ("np.zeros((rows, columns))", "np.zeros((rows, columns), a.dtype)"), "transposed matrices, and integers",
     "the dtype int64; float64 is right"),
    (6, ("    columns =", "    if inner == 0:\n        raise ValueError\n    columns ="),
     "a row times a column without elements: zero", "ValueError"),
    (6, ('raise ValueError("the columns of a must be as many as the rows of b")', "return np.zeros((0, 0))"),
     "shapes that do not fit raise ValueError"),
    (6, "@njit\ndef product(a, b):\n    if a.shape[1] != b.shape[0]:\n        raise ValueError\n"
     "    return a.astype(np.float64) @ b.astype(np.float64)\n", "without NumPy's own product"),

    (7, ("@njit", ""), COMPILED, PLAIN),
    (7, ("kept[:count].copy()", "kept"), "runs of several lengths", "has the shape (4,); (3,) is right"),
    (7, ("return kept[:count].copy(), lengths[:count].copy()", "return kept[:count].copy()"), "runs of several lengths",
     "a tuple of 2 values is asked for"),
    (7, ("    return kept", "    if count == 1:\n        count = 0\n    return kept"), "one run, and a single value"),
    (7, ("        lengths[count - 1] += 1", "        lengths[count - 1] = min(2, lengths[count - 1] + 1)"),
     "one run, and a single value", "item 0 is 2; 3 is right"),
    (7, ("    return kept", "    if len(values) > 3 and count == 2:\n        lengths[1] = 1\n    return kept"),
     "a last run that is longer than one", "item 1 is 1; 3 is right"),
    (7, ("    return kept", "    if count == len(values) and count > 1:\n        count -= 1\n    return kept"),
     "no two alike"),
    (7, (("i == 0 or values[i] != values[i - 1]", "values[i] != last"), ("    count = 0", "    count, last = 0, 0"),
         ("            count += 1", "            count += 1\n            last = values[i]")), "zeros, also in front"),
    (7, ("dtype=values.dtype", "dtype=np.int64"), "the type of the values stays", "the dtype int64; float32 is right"),
    (7, BY_A_LIST, "an empty array", "IndexError"),
]
globals().update(cases_of(2, checks_02, WRONG))
