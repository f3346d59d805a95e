# SPDX-License-Identifier: MIT
"""Functions of bfloat16 that are made of others. They get float32 values; what they give is rounded
to bfloat16 by the caller, unless it says otherwise."""
import numpy as np
from numba import cuda

from gridcell.library import compiled


@compiled
def to_float32(a):
    return a


@compiled
def saturated(x):
    """Within [0, 1]; NaN is 0."""
    return np.float64(0) if not x > 0 else np.float64(1) if x > 1 else np.float64(x)


@compiled
def add_sat(a, b):
    return saturated(a + b)


@compiled
def sub_sat(a, b):
    return saturated(a - b)


@compiled
def mul_sat(a, b):
    return saturated(a * b)


@compiled
def fma(a, b, c):
    """a * b + c as a float64 that rounds to bfloat16 as the exact sum does: the product is exact,
    and where the sum is not, its last bit is set."""
    product, more = np.float64(a) * np.float64(b), np.float64(c)
    total = product + more
    part = total - product
    rest = (product - (total - part)) + (more - part)
    if rest != 0 and rest == rest:
        bits = cuda.libdevice.double_as_longlong(total)
        if (rest < 0) == (total > 0):
            bits -= 1
        total = cuda.libdevice.longlong_as_double(bits | 1)
    return total


@compiled
def fma_sat(a, b, c):
    return saturated(fma(a, b, c))


@compiled
def fma_relu(a, b, c):
    total = fma(a, b, c)
    return np.float64(0) if total <= 0 else total


@compiled
def not_equal(a, b):
    return a < b or a > b


@compiled
def equal_unordered(a, b):
    return not (a < b or a > b)


@compiled
def not_less(a, b):
    return not a < b


@compiled
def not_less_equal(a, b):
    return not a <= b


@compiled
def not_greater(a, b):
    return not a > b


@compiled
def not_greater_equal(a, b):
    return not a >= b


@compiled
def maximum(a, b):
    """NaN counts as missing; 0 is above -0."""
    if a == b:
        return b if np.signbit(a) else a
    return b if a != a or a < b else a


@compiled
def minimum(a, b):
    if a == b:
        return a if np.signbit(a) else b
    return b if a != a or a > b else a


@compiled
def maximum_nan(a, b):
    return a + b if a != a or b != b else maximum(a, b)


@compiled
def minimum_nan(a, b):
    return a + b if a != a or b != b else minimum(a, b)


@compiled
def is_infinite(a):
    """1 or -1 by the sign."""
    return 0 if not np.isinf(a) else 1 if a > 0 else -1


@compiled
def reciprocal(a):
    return np.float32(1) / a


@compiled
def inverse_root(a):
    return np.float32(1) / np.sqrt(a)


@compiled
def exp10(a):
    return np.float32(10) ** a


# --- Other roundings; these give bfloat16 values

@compiled
def sticky(n):
    """An integer that float64 holds, on the same side of all bfloat16 values as `n`."""
    if -(1 << 53) <= n <= 1 << 53:
        return n
    low = n & type(n)(0x7ff)
    return (n - low) | type(n)(0x800 if low else 0)


@compiled
def step(near, outward):
    """The next bfloat16 value: away from 0, or towards it."""
    bits = np.int32(cuda.bf16.bfloat16_as_uint16(near))
    return cuda.bf16.uint16_as_bfloat16(np.uint16(bits + 1 if outward else bits - 1))


@compiled
def toward_zero(x):
    real = np.float64(x)
    near = cuda.bf16.float64_to_bfloat16(real)
    found = np.float64(near)
    return step(near, False) if abs(found) > abs(real) else near


@compiled
def down(x):
    real = np.float64(x)
    near = cuda.bf16.float64_to_bfloat16(real)
    found = np.float64(near)
    if not found > real:
        return near
    if found == 0:
        return cuda.bf16.uint16_as_bfloat16(np.uint16(0x8001))
    return step(near, found < 0)


@compiled
def up(x):
    real = np.float64(x)
    near = cuda.bf16.float64_to_bfloat16(real)
    found = np.float64(near)
    if not found < real:
        return near
    if found == 0:
        return cuda.bf16.uint16_as_bfloat16(np.uint16(1))
    return step(near, found > 0)


@compiled
def whole_toward_zero(n):
    return toward_zero(np.float64(sticky(n)))


@compiled
def whole_down(n):
    return down(np.float64(sticky(n)))


@compiled
def whole_up(n):
    return up(np.float64(sticky(n)))
