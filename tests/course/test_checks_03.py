"""Wrong answers to the exercises of notebook 03, and what the checks say of them."""
from answers import cases_of

from gridcell.course import checks_03

PRELUDE = "import re\nfrom collections import Counter\n"
EARLY = """@njit
def contains(values, wanted):
    for i in range(len(values)):
        if values[i] == wanted:
            return True
    return False
"""
BY_COLUMNS = """@njit
def column_sums(matrix):
    sums = np.zeros(matrix.shape[1])
    for j in range(matrix.shape[1]):
        for i in range(matrix.shape[0]):
            sums[j] += matrix[i, j]
    return sums
"""
BY_POINTS = """@njit
def polynomial(coefficients, x):
    values = np.zeros(len(x))
    for i in range(len(x)):
        value = 0.0
        for k in range(len(coefficients) - 1, -1, -1):
            value = value * x[i] + coefficients[k]
        values[i] = value
    return values
"""
DOT, NJIT = '@njit(fastmath={"reassoc", "contract"})', "plain Python function"
WRONG = [
    (1, "instructions = {}", "it is a function of a text", "of type dict"),
    (1, (' and not words[0].startswith(".")', ""), "labels and directives do not count", "a wrong count of '.globl', "),
    (1, (' and not words[0].endswith(":")', ""), "labels and directives do not count", "'gc_f_1:'"),
    (1, ("return dict(names)", "return list(names)"), "labels and directives do not count", "a dict is asked for"),
    (1, ('line.split("#")[0].split()', "line.split()"), "comments do not count", "'#'"),
    (1, ("if words and not words[0]", "if words[0:1] > [''] and len(words) > 1 and not words[0]"), "labels and directives do not count",
     "'retq'"),
    (1, ('not words[0].endswith(":")', 'not line.endswith(":")'), "empty lines, instructions without operands, labels with comments",
     "'other:'"),
    (1, ("return dict(names)", "return dict(names) or None"), "no text", "gave None"),

    (2, "lanes = 4", "it is a function of a text", "of type int"),
    (2, ("(?:double|float|", "(?:double|"), "one type", "gave 1; 16 is right"),
    (2, ("max(map(int, numbers), default=1)", "int(numbers[-1]) if numbers else 1"), "the widest of several", "gave 2; 8 is right"),
    (2, ("max(map(int, numbers), default=1)", "int(max(numbers, default=1))"), "the widest of several", "gave 2; 16 is right"),
    (2, ("default=1", "default=0"), "no vectors", "gave 0; 1 is right"),
    (2, (('r"<(', 'r"[<[]('), (')>", llvm', ')", llvm')), "arrays are no vectors", "gave 32; 2 is right"),
    (2, ("(?!1>)", ""), "vectors of conditions do not count, those of i16 do", "gave 32; 4 is right"),
    (2, ("(?!1>)", "(?!1)"), "vectors of conditions do not count, those of i16 do", "gave 1; 8 is right"),

    (3, (DOT, ""), "it is a compiled function", NJIT),
    (3, ("a[i] * b[i]", "a[i]"), "a few numbers", "gave 6.0; 2.0 is right"),
    (3, ("range(len(a))", "range(len(a) // 8 * 8 if len(a) > 8 else len(a))"), "many, also what is left over of the last vector"),
    (3, ("total = 0.0", "total = a[0] * 0.0"), "one number, and none"),
    (3, ("if len(a) != len(b)", "if len(a) < len(b)"), "different lengths raise ValueError"),
    (3, (DOT, "@njit"), "it is a loop of its own, and vectorised", "there is no vector in its LLVM IR"),
    (3, "@njit\ndef dot(a, b):\n    if len(a) != len(b):\n        raise ValueError\n    return np.dot(a, b)\n",
     "it is a loop of its own, and vectorised", "somebody else's"),

    (4, ("@njit", ""), "it is a compiled function", NJIT),
    (4, ("found != 0", "found == 0"), "in the middle", "gave False; True is right"),
    (4, ("return found != 0", "return found"), "in the middle", "True or False is asked for"),
    (4, ("range(len(values))", "range(1, len(values))"), "at the beginning and at the end"),
    (4, ("range(len(values))", "range(len(values) - 1)"), "at the beginning and at the end"),
    (4, ("found != 0", "found != 0 or wanted < 10"), "not there", "gave True; False is right"),
    (4, ("found |= values[i]", "found ^= values[i]"), "more than once"),
    (4, ("found = 0", "found = 0 if len(values) else 1"), "not there", "gave True"),
    (4, EARLY, "the loop is vectorised", "one number at a time"),

    (5, ("@njit", ""), "it is a compiled function", NJIT),
    (5, ("sums[j] +=", "sums[j] ="), "a small matrix", "item 0"),
    (5, ("np.zeros(matrix.shape[1])", "np.zeros(min(matrix.shape[1], 40))"), "more columns, or more rows"),
    (5, ("sums[j] += matrix[i, j]", "sums[j] += matrix[i, j] + 0.0 * matrix[0, 1]"), "one row, one column, nothing"),
    (5, ("@njit", "@njit(fastmath=True)"), "the additions are in their order", "has fastmath"),
    (5, BY_COLUMNS, "the loop is vectorised", "one number at a time"),

    (6, ("@njit", ""), "it is a compiled function", NJIT),
    (6, ("range(len(coefficients) - 1, -1, -1)", "range(len(coefficients))"), "1 + 2 x + 3 x\u00b2"),
    (6, ("range(len(coefficients) - 1, -1, -1)", "range(min(len(coefficients) - 1, 4), -1, -1)"), "other degrees"),
    (6, ("np.zeros(len(x))", "np.ones(len(x)) if len(coefficients) == 1 else np.zeros(len(x))"), "a constant"),
    (6, ("np.zeros(len(x))", "np.zeros(len(x)) + 0 * coefficients[0]"), "no coefficients, no points"),
    (6, ("@njit", "@njit(fastmath=True)"), "without fastmath, and vectorised", "has fastmath"),
    (6, BY_POINTS, "without fastmath, and vectorised", "one number at a time"),
]
globals().update(cases_of(3, checks_03, WRONG, PRELUDE))
