"""Which loops of a GPU's kernel ask whether to stop: those that may not end, and no others, as asking costs time."""
import pytest

from common import cuda
from numba import float64, int32, int64, uint8

BYTES, WORDS, LONGS = uint8[::1], int32[::1], int64[::1]


def questions(kernel, *types):
    return next(iter(cuda.jit(types)(kernel).inspect_asm().values())).count("ld.volatile")


def find(pattern, text, out):
    first = cuda.grid(1)
    k = 0
    while k < pattern.size and first + k < text.size and text[first + k] == pattern[k]:
        k += 1
    out[first] = k


def merger(moves_both):
    """One that goes through two lists side by side; where their items are equal it may stand still."""
    def merge(text, starts, out):
        a, b = starts[0], starts[1]
        while a < starts[3] and b < starts[4]:
            if text[a] == text[b]:
                out[0] += 1
                if moves_both:
                    a += 1
                    b += 1
            elif text[a] < text[b]:
                a += 1
            else:
                b += 1
    return merge


merge, merge_that_waits = merger(True), merger(False)


def halves(out):
    s = cuda.blockDim.x // 2
    while s > 0:
        out[s] = 1
        s >>= 1


def halves_to_one(out, n):
    s = n
    while s >= 1:
        out[s] = 1
        s //= 2


def doubles(out):
    s = 1
    while s < out.size:
        out[s] = 1
        s *= 2


def strides(out):
    i = cuda.grid(1)
    while i < out.size:
        out[i] = 1
        i += cuda.gridsize(1)


def strides_by_product(out):
    x, y = cuda.grid(2)
    while y < out.size:
        out[y] = x
        y = y + cuda.blockDim.y * cuda.gridDim.y


def strides_in_for(out):
    for k in range(5):
        i = cuda.grid(1)
        while out.shape[0] > i:
            out[i] += k
            i += cuda.gridsize(1)


def few_turns(out):
    k = 0
    while k < 100:
        if out[k]:
            break
        k += 1
    out[0] = k


def few_turns_down(out):
    k = 9
    while not k < 0:
        out[k] = k
        k -= 2


def downwards(out):
    i = out.size - 1
    while i >= 0:
        out[i] = 3
        i -= 1


def tile(out):
    for i in range(cuda.threadIdx.y, 20, 16):
        for j in range(cuda.threadIdx.x, 20, 16):
            out[i] = j


def row_of_matrix(starts, values, out):
    total = 0
    for k in range(starts[0], starts[1], 32):
        total += values[k]
    out[0] = total


def search(a, out):
    left, right = 0, a.size
    while left < right:
        half = (left + right) // 2
        is_left = a[half] >= 3
        out[half] = is_left
        if is_left:
            right = half
        else:
            left = half + 1


def search_with_both_ends(a, out):
    low, high = 0, len(a) - 1
    while low <= high:
        middle = low + ((high - low) >> 1)
        if a[middle] == 3:
            break
        if a[middle] < 3:
            low = middle + 1
        else:
            high = middle - 1
    out[0] = low


ENDS = [(find, BYTES, BYTES, BYTES), (merge, BYTES, WORDS, BYTES), (halves, BYTES), (halves_to_one, BYTES, int64),
        (doubles, BYTES), (strides, BYTES), (strides_by_product, BYTES), (few_turns, BYTES), (few_turns_down, BYTES),
        (downwards, BYTES), (tile, BYTES), (row_of_matrix, WORDS, WORDS, WORDS),
        (search, WORDS, BYTES),
        (search_with_both_ends, WORDS, BYTES)]


def halves_to_zero(out):
    s = cuda.blockDim.x // 2
    while s >= 0:
        out[s] = 1
        s //= 2


def halves_beside_another(out):
    s = cuda.blockDim.x // 2
    while s + 1 > 0:
        out[s] = 1
        s //= 2


def doubles_what_may_be_none(out, n):
    s = n
    while s < out.size:
        out[s] = 1
        s *= 2


def strides_by_argument(out, n):
    i = cuda.grid(1)
    while i < out.size:
        out[i] = 1
        i += n


def from_argument(out, n):
    i = n
    while i < out.size:
        out[0] += 1
        i += 1


def to_argument(out, n):
    i = 0
    while i < n:
        out[i] = 1
        i += 1


def to_large_item(out, ends):
    i = 0
    while i < ends[0]:
        out[0] += 1
        i += 1


def to_large_constant(out):
    i = 0
    while i < 10 ** 10:
        out[0] += 1
        i += 1


def for_from_large_constant(out):
    for i in range(-10 ** 12, 0):
        if out[0] == i:
            break


def forever(out):
    while True:
        out[0] += 1


def back_and_on(out):
    i = 0
    while i < out.size:
        if out[i]:
            i -= 1
        else:
            i += 2


def untested_on_one_way(out):
    i = 0
    while True:
        if out[0] and i >= out.size:
            break
        i += 1


def product_of_extents(out):
    i = 0
    while i < out.size * out.size:
        out[0] += 1
        i += 1


def until_small(out, x):
    while x > 1e-300:
        x *= 0.5
    out[0] = 1


def search_that_stands_still(a, out):
    low, high = 0, a.size
    while low <= high:
        middle = (high + low) >> 1
        is_right = a[middle & 7] < 3
        low = middle + 1 if is_right else low
        high = high if is_right else middle
    out[0] = low


def search_by_argument(a, out, n):
    low, end = 0, n
    while end > low:
        half = (low + end) // 2
        if a[half & 7] > 3:
            end = half
        else:
            low = half + 1
    out[0] = end


def ends_that_run_apart(a, out):
    low, high = 0, a.size
    while low < high:
        low += 1
        high += 1
    out[0] = low


MAY_NOT_END = [(merge_that_waits, BYTES, WORDS, BYTES), (halves_to_zero, BYTES), (halves_beside_another, BYTES),
               (doubles_what_may_be_none, BYTES, int64), (strides_by_argument, BYTES, int64),
               (from_argument, BYTES, int64), (to_argument, BYTES, int64), (to_large_item, BYTES, LONGS),
               (to_large_constant, BYTES), (for_from_large_constant, LONGS), (forever, BYTES), (back_and_on, BYTES),
               (untested_on_one_way, BYTES), (product_of_extents, BYTES), (until_small, BYTES, float64),
               (search_that_stands_still, WORDS, BYTES), (search_by_argument, WORDS, BYTES, int64),
               (ends_that_run_apart, WORDS, BYTES)]


def named(cases):
    return pytest.mark.parametrize("kernel, types", [pytest.param(kernel, types, id=f"{kernel.__name__}{i}")
                                                     for i, (kernel, *types) in enumerate(cases)])


@named(ENDS)
def test_a_loop_that_ends_by_itself_does_not_ask(kernel, types):
    assert questions(kernel, *types) == 0


@named(MAY_NOT_END)
def test_a_loop_that_may_not_end_asks(kernel, types):
    assert questions(kernel, *types) > 0


def test_of_nested_loops_the_outer_one_asks():
    assert questions(strides_in_for, BYTES) == 1
