# SPDX-License-Identifier: MIT
"""The exercises of notebook 11: libraries and neighbours."""
import ctypes
import gc
import math
import weakref

import numpy as np

from gridcell.course.checking import NotRight, call_text, called, exercise, need_compiled, need_function, reason, same, short


def _need_products(transformed, matrices, vectors):
    what = f"{len(matrices)} matri{'x' if len(matrices) == 1 else 'ces'}"
    same(called(transformed, matrices, vectors), np.einsum("irc,ic->ir", matrices, vectors), what, tolerance=1e-12)


@exercise
def exercise_1(transformed):
    """Each of many matrices of 3 x 3, times a vector."""
    yield "it is a compiled function of matrices and vectors"
    need_compiled(transformed, 2)
    matrices, vectors = np.random.default_rng(1).random((20, 3, 3)), np.random.default_rng(2).random((20, 3))
    yield "a matrix that changes nothing"
    _need_products(transformed, np.eye(3)[None], vectors[:1])
    yield "a matrix that is not symmetric"
    _need_products(transformed, matrices[:1], vectors[:1])
    yield "many matrices, each with its own vector"
    _need_products(transformed, matrices, vectors)
    yield "arrays with gaps"
    _need_products(transformed, matrices[::2], vectors[::2])
    yield "no matrices"
    _need_products(transformed, matrices[:0], vectors[:0])


def _need_convolution(convolved, n, m):
    signal, weights = np.random.default_rng(n).normal(size=n), np.random.default_rng(m).normal(size=m)
    what = f"a signal of {n} with {m} weight{'s' * (m > 1)}"
    same(called(convolved, signal, weights), np.convolve(signal, weights), what, tolerance=1e-9)


@exercise
def exercise_2(convolved):
    """A convolution by Fourier transforms."""
    yield "it is a function of signal and weights"
    need_function(convolved, 2)
    yield "one weight"
    _need_convolution(convolved, 16, 1)
    yield "the ends do not meet: a result of even size"
    _need_convolution(convolved, 16, 5)
    yield "a result of odd size"
    _need_convolution(convolved, 16, 4)
    yield "more weights than signal"
    _need_convolution(convolved, 3, 12)
    yield "a single element each"
    _need_convolution(convolved, 1, 1)
    yield "by transforms: a long signal with many weights"
    _need_transforms(convolved)


def _need_transforms(convolved):
    """np.convolve, which may not be used, is not there meanwhile."""
    def absent(*_arguments, **_options):
        raise NotRight("np.convolve was called; the exercise is about doing without it.")
    signal, weights, kept = np.ones(64), np.ones(9), np.convolve
    np.convolve = absent
    try:
        convolved(signal, weights)
    finally:
        np.convolve = kept


@exercise
def exercise_3(shuffle):
    """Every order is equally probable."""
    yield "it is a compiled function of a generator and values"
    need_compiled(shuffle, 2)

    def shuffled(values, seed):
        generator = np.random.default_rng(seed)
        mine = values.copy()
        try:
            shuffle(generator, mine)
        except Exception as error:
            raise NotRight(f"{call_text(shuffle, (seed, values))} raised {reason(error)}") from None
        return mine, generator
    yield "all elements are there afterwards"
    for n in (2, 5, 50):
        values = 10 * np.arange(n) + 3
        result, _ = shuffled(values, n)
        if not np.array_equal(np.sort(result), values):
            raise NotRight(f"{short(values)} became {short(result)}.")
    yield "the order changes"
    values = np.arange(40)
    result, _ = shuffled(values, 1)
    if np.array_equal(result, values):
        raise NotRight("40 elements are in the same order as before.")
    yield "its randomness is that of the generator"
    again, generator = shuffled(values, 1)
    if not np.array_equal(result, again):
        raise NotRight("Two generators of the same seed gave different orders.")
    if generator.bit_generator.state == np.random.default_rng(1).bit_generator.state:
        raise NotRight("40 elements were shuffled, and no number was taken from the generator.")
    yield "one element, and none"
    for n in (1, 0):
        shuffled(np.arange(n), 3)
    yield "every order comes equally often"
    n, generator, counts = 6000, np.random.default_rng(4), {}
    for _ in range(n):
        values = np.arange(3)
        shuffle(generator, values)
        order = tuple(values.tolist())
        counts[order] = counts.get(order, 0) + 1
    expected = n / 6
    farthest = max((counts.get(order, 0) for order in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))),
                   key=lambda count: abs(count - expected))
    if abs(farthest - expected) > 5 * math.sqrt(expected):
        order = next((order for order, count in counts.items() if count == farthest), "one of them")
        raise NotRight(f"Of {n:,} shuffles of three elements, {farthest} ended with {order}; about {expected:.0f} should.")


@exercise
def exercise_4(every):
    """Every k-th element of a device array, without a copy."""
    from numba import cuda
    yield "it is a function of an array and k"
    need_function(every, 2)

    def borrowed(array, k):
        what = f"every {k}. of {array.size} elements of {array.dtype}"
        try:
            part = every(array, k)
        except Exception as error:
            raise NotRight(f"{what} raised {reason(error)}") from None
        if part is None or part is array:
            raise NotRight(f"{what} gave {'None' if part is None else 'the array itself'}.")
        if not isinstance(getattr(part, "__cuda_array_interface__", None), dict):
            raise NotRight(f"{what} gave {short(part)}, which has no __cuda_array_interface__.")
        return part, what

    def one(n, k, dtype=np.float64):
        values = np.arange(n).astype(dtype)
        array = cuda.to_device(values)
        part, what = borrowed(array, k)
        interface = part.__cuda_array_interface__
        shape = tuple(interface.get("shape", ()))
        if shape != values[::k].shape:
            raise NotRight(f"{what}: the shape is {shape}; {values[::k].shape} is right.")
        try:
            view = cuda.as_cuda_array(part)
            result = view.copy_to_host()
        except Exception as error:
            raise NotRight(f"{what}: nobody can make an array of it: {reason(error)}") from None
        same(result, values[::k], what)
        return array, part, what
    yield "every second of an even number"
    one(10, 2)
    yield "every element"
    one(7, 1)
    yield "numbers that k does not divide"
    one(11, 2)
    one(10, 4)
    one(3, 5)
    yield "other types"
    one(9, 3, np.float32)
    one(9, 2, np.int16)
    one(9, 2, np.complex128)
    yield "no elements"
    one(0, 3)
    yield "the same memory: what is written there stands in the array"
    array, part, what = one(10, 3)
    view = cuda.as_cuda_array(part)
    view[:] = -1
    expected = np.arange(10.0)
    expected[::3] = -1
    same(array.copy_to_host(), expected, f"{what}, set to -1: the whole array")
    yield "the array lives as long as the object"
    array = cuda.to_device(np.arange(4.0))
    seen = weakref.ref(array)
    part, what = borrowed(array, 2)
    del array
    gc.collect()
    if seen() is None:
        raise NotRight(f"{what}: the array was forgotten while its part was in use. Its memory may be another array's by now.")


def need_callback(answer, parameters):
    """The answer is what cfunc makes of a function of so many parameters."""
    need_function(answer, parameters)
    if not hasattr(answer, "address"):
        raise NotRight("C cannot call this. What compiles a function for C?")


@exercise
def exercise_5(by_size):
    """Compares two numbers by their distance from zero."""
    yield "it is a function that C can call, of two pointers"
    need_callback(by_size, 2)
    pointer = ctypes.POINTER(ctypes.c_double)
    function = ctypes.CFUNCTYPE(ctypes.c_int, pointer, pointer)(by_size.address)

    def one(a, b, expected):
        for first, second, right in ((a, b, expected), (b, a, -expected)):
            result = function(ctypes.c_double(first), ctypes.c_double(second))
            if (result > 0) - (result < 0) != right:
                words = {-1: "negative", 0: "0", 1: "positive"}
                raise NotRight(f"{first!r} compared with {second!r} gave {result}; {words[right]} is right.")
    yield "positive numbers"
    one(1.0, 2.0, -1)
    one(4.5, 3.25, 1)
    yield "negative numbers"
    one(-1.0, -2.0, -1)
    one(-3.0, 2.0, 1)
    yield "numbers that are close to each other"
    one(0.25, 0.5, -1)
    one(1e-300, 2e-300, -1)
    yield "the same number"
    for value in (0.0, 2.5, -2.5):
        one(value, value, 0)
    yield "a number and its negative"
    one(-2.0, 2.0, -1)
    yield "large numbers and infinity"
    one(1e12, -4e12, -1)
    one(1e300, math.inf, -1)
    one(-math.inf, math.inf, -1)
    yield "NaN"
    one(1.0, math.nan, -1)
    one(math.inf, math.nan, -1)
    one(math.nan, math.nan, 0)


@exercise
def exercise_6(trimmed):
    """The mean of a window without its smallest and its largest value."""
    yield "it is a function that C can call, of four parameters"
    need_callback(trimmed, 4)
    pointer = ctypes.POINTER(ctypes.c_double)
    function = ctypes.CFUNCTYPE(ctypes.c_int, pointer, ctypes.c_ssize_t, pointer, ctypes.c_void_p)(trimmed.address)

    def answered(values):
        window, result = np.array(values, np.float64), ctypes.c_double(-77.0)
        before = window.copy()
        status = function(window.ctypes.data_as(pointer), window.size, ctypes.byref(result), None)
        if not np.array_equal(window, before):
            raise NotRight(f"the window {values} was changed: it belongs to the caller.")
        return status, result.value

    def one(values):
        status, result = answered(values)
        if status != 1:
            raise NotRight(f"the window {values}: {status} was returned; 1 says that all is well.")
        rest = sorted(values)[1:-1] if len(values) > 2 else values
        same(result, sum(rest) / len(rest), f"the window {values}", tolerance=1e-12)
    yield "three values"
    one([6.0, 1.0, 3.0])
    yield "more of them"
    one([4.0, 9.0, -2.0, 7.0, 1.0])
    one([-3.0, -8.0, -1.0, -4.0])
    yield "several values are the smallest, or the largest"
    one([2.0, 2.0, 5.0, 9.0, 9.0])
    one([6.0, 6.0, 6.0])
    yield "one value, and two"
    one([4.0])
    one([4.0, 7.0])
    yield "an empty window is an error"
    status, result = answered([])
    if status != 0 or result != -77.0:
        raise NotRight(f"no values: {status} was returned" + (", and a result was stored." if result != -77.0 else "."))
