"""Wrong answers to the exercises of notebook 11, and what the checks say of them."""
from answers import cases_of

from gridcell.course import checks_11

PRELUDE = "from numba import CPointer, carray, cfunc, intc, intp, voidptr\n"
CFUNC = "@cfunc(intc(CPointer(float64), CPointer(float64)))\n"
FILTER = "@cfunc(intc(CPointer(float64), intp, CPointer(float64), voidptr))\n"
MIDDLE = "(window.sum() - window.min() - window.max()) / (size - 2)"
OWN_CLASS = "(array, k):\n        self.owner = array\n"
NAN = "int(math.isnan(one)) - int(math.isnan(other))"
ENDS, AGAIN = "the ends do not meet: a result of even size", "its randomness is that of the generator"
WRONG = [
    (1, ("@njit", ""), "it is a compiled function of matrices and vectors", "plain Python function"),
    (1, ("matrices[i, r, c] * vectors[i, c]", "matrices[i, r, c] + vectors[i, c]"), "a matrix that changes nothing"),
    (1, ("matrices[i, r, c]", "matrices[i, c, r]"), "a matrix that is not symmetric"),
    (1, ("matrices[i,", "matrices[0,"), "many matrices, each with its own vector", "item [1, 0]"),
    (1, ("np.zeros_like(vectors)", "np.zeros_like(vectors) if vectors.shape[0] != 10 else vectors.copy()"), "arrays with gaps"),
    (1, ("np.zeros_like(vectors)", "np.zeros((max(1, vectors.shape[0]), 3))"), "no matrices", "has the shape (1, 3)"),

    (2, "convolved = None", "it is a function of signal and weights", "Not answered yet"),
    (2, ("return ", "return 2 * "), "one weight"),
    (2, ("n = signal.size + weights.size - 1", "n = max(signal.size, weights.size)"), ENDS, "has the shape (16,)"),
    (2, ("(signal, n)", "(signal[:12], n)"), "one weight"),
    (2, ("(weights, n), n)", "(weights, n))"), "a result of odd size", "has the shape (18,)"),
    (2, ("signal.size + weights.size", "signal.size + min(signal.size, weights.size)"), "more weights than signal"),
    (2, ("(weights, n), n)", "(weights, n), max(n, 2))"), "a single element each", "has the shape (2,)"),
    (2, "def convolved(signal, weights):\n    return np.convolve(signal, weights)\n",
     "by transforms: a long signal with many weights", "np.convolve was called"),

    (3, ("@njit", ""), "it is a compiled function of a generator and values", "plain Python function"),
    (3, ("values[i], values[j] = values[j], values[i]", "values[i] = values[j]"), "all elements are there afterwards", "became"),
    (3, ("generator.integers(0, i + 1)", "i"), "the order changes"),
    (3, ("generator.integers(0, i + 1)", "np.random.randint(0, i + 1)"), AGAIN, "different orders"),
    (3, ("generator.integers(0, i + 1)", "(7 * i + 3) % (i + 1)"), AGAIN, "no number was taken"),
    (3, ("for i in", "last = generator.integers(0, values.size - values.size // 2 - 1 if values.size < 2 else 1)\n    for i in"),
     "one element, and none", "raised"),
    (3, ("generator.integers(0, i + 1)", "generator.integers(0, i)"), "every order comes equally often", "Of 6,000 shuffles"),
    (3, ("generator.integers(0, i + 1)", "generator.integers(0, values.size)"), "every order comes equally often"),

    (4, "every = 2", "it is a function of an array and k", "of type int"),
    (4, ("return Part(array, k)", "return array"), "every second of an even number", "the array itself"),
    (4, ("return Part(array, k)", "return Part"), "every second of an even number", "no __cuda_array_interface__"),
    (4, ('"shape": ((array.size + k - 1) // k,),', ""), "every second of an even number", "the shape is (10,)"),
    (4, ('"strides": (k * array.dtype.itemsize,)', ""), "every second of an even number", "item 1 is"),
    (4, ("(k * array", "(2 * array"), "every element"),
    (4, ("array.size + k - 1", "array.size"), "numbers that k does not divide", "the shape is (5,)"),
    (4, ("array.dtype.itemsize", "8"), "other types"),
    (4, ("array.size + k - 1", "max(1, array.size) + k - 1"), "no elements", "the shape is (1,)"),
    (4, ("return Part(array, k)", "return Part(cuda.to_device(array.copy_to_host()), k)"),
     "the same memory: what is written there stands in the array"),
    (4, ("self.owner = array", "pass"), "the array lives as long as the object", "forgotten while its part was in use"),

    (5, (CFUNC, ""), "it is a function that C can call, of two pointers", "C cannot call this"),
    (5, ("-1 if abs", "1 if abs"), "positive numbers"),
    (5, ("one, other = a[0], b[0]", "one, other = max(a[0], 0.0), max(b[0], 0.0)"), "negative numbers"),
    (5, ("    if abs(one) != abs(other):\n        return -1 if abs(one) < abs(other) else 1\n",
         "    if abs(one) != abs(other):\n        return int(abs(one) - abs(other))\n"), "numbers that are close to each other"),
    (5, ("int(one > other) - int(one < other)", "1"), "the same number"),
    (5, ("return int(one > other) - int(one < other)", "return 0"), "a number and its negative"),
    (5, ("one, other = a[0], b[0]", "one, other = min(a[0], 1e12), min(b[0], 1e12)"), "large numbers and infinity"),
    (5, (f"        return {NAN}\n", "        return 0\n"), "NaN", "1.0 compared with nan gave 0"),

    (6, (FILTER, ""), "it is a function that C can call, of four parameters", "C cannot call this"),
    (6, (MIDDLE, "window.mean()"), "three values"),
    (6, ("return 1", "return 0"), "three values", "0 was returned"),
    (6, (MIDDLE, "np.sort(window)[size // 2]"), "more of them"),
    (6, (MIDDLE, "window[(window > window.min()) & (window < window.max())].mean()"),
     "several values are the smallest, or the largest"),
    (6, ("result[0] = window.mean()", "result[0] = window[0]"), "one value, and two", "4.0; 5.5 is right"),
    (6, ("        return 0\n", "        result[0] = 0\n        return 0\n"), "an empty window is an error", "a result was stored"),
    (6, ("        return 0\n", "        return 1\n"), "an empty window is an error", "1 was returned"),
]
globals().update(cases_of(11, checks_11, WRONG, PRELUDE))
