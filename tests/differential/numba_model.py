"""What the reference rendering of a program calls: numba's numbers in plain Python.

Integers are Python's, cut to their width after each operation; float64 and complex128 are Python's float and
complex; float32 and complex64 are NumPy's scalars. Errors have numba's texts.
"""
import math

import numpy as np

F4, C8 = np.float32, np.complex64


def _cutter(width, signed):
    mask, half = (1 << width) - 1, 1 << (width - 1)
    if signed:
        return lambda value: ((int(value) + half) & mask) - half
    return lambda value: int(value) & mask


CUT = {f"{letter}{size}": _cutter(size * 8, letter == "i") for letter in "iu" for size in (1, 2, 4, 8)}


def plain(value):
    """An element of an array as the reference holds it."""
    if isinstance(value, (F4, C8)) or not isinstance(value, np.generic) or isinstance(value, np.void):
        return value
    return value.item()


def zero_division(text):
    raise ZeroDivisionError(text)


def divide(a, b):
    if b == 0:
        zero_division("complex division by zero" if isinstance(b, (complex, C8)) else "division by zero")
    return _quotient(a, b) if isinstance(b, C8) else a / b


def _quotient(a, b):
    """CPython's way of dividing complex numbers, each step in float32; NumPy's own multiplies by an inverse."""
    if abs(b.real) >= abs(b.imag):
        ratio = b.imag / b.real
        scale = b.real + b.imag * ratio
        return C8(complex((a.real + a.imag * ratio) / scale, (a.imag - a.real * ratio) / scale))
    if not abs(b.imag) >= abs(b.real):
        return C8(complex(math.nan, math.nan))
    ratio = b.real / b.imag
    scale = b.real * ratio + b.imag
    return C8(complex((a.real * ratio + a.imag) / scale, (a.imag * ratio - a.real) / scale))


def divide_numpy(a, b):
    if isinstance(b, C8) and b != 0:
        return _quotient(a, b)
    if isinstance(b, complex) and b == 0:  # NumPy's result; numba raises under either error model
        return complex(np.complex128(a) / np.complex128(b))
    if isinstance(a, float) and not isinstance(a, F4):
        return float(np.float64(a) / np.float64(b))
    return a / b


def int_floor(a, b):
    return a // b if b else zero_division("integer division by zero")


def int_mod(a, b):
    return a % b if b else zero_division("integer modulo by zero")


def int_floor_numpy(a, b):
    return a // b if b else 0


def int_mod_numpy(a, b):
    return a % b if b else 0


def float_floor(a, b):
    return a // b if b else zero_division("division by zero")


def float_mod(a, b):
    return a % b if b else zero_division("modulo by zero")


def _ieee(operation, a, b):
    value = operation(np.float64(a), np.float64(b)) if isinstance(a, float) and not isinstance(a, F4) else operation(a, b)
    return value if isinstance(a, F4) else float(value)


def float_floor_numpy(a, b):
    return _ieee(np.floor_divide, a, b)


def float_mod_numpy(a, b):
    return _ieee(np.remainder, a, b)


def square_root(x):
    """math.sqrt of compiled code, which knows no domain errors."""
    return math.sqrt(x) if x >= 0 else math.nan


def sign(array):
    """np.sign of compiled code, which keeps the sign of a zero."""
    return np.where(array == 0, array, np.sign(array))


def floor_of(x):
    return math.floor(x)


def update(array, place, change):
    """array[place] op= x, which looks at the place once, and then computes x."""
    array[place] = change(array[place])
