# SPDX-License-Identifier: MIT
"""Reductions along axes in the order of memory, without copies (support/axes.c plans them).

A reduction is a function of a row (`row`), or, where what is reduced are lines that lie side by side, `step`, which
takes an item into a total; `start` makes a total of a first item, `combine` one of two. `center` is None, or an array
of one number for each result, which the functions are given with the item.
"""
import numpy as np

from gridcell.library import (
    A, C, F, compact, compiled, external, layout, readonly, result_dtype, small, strided, tuple_take, unbounded)
from gridcell.library.views import is_dense, order_of, permuted, product, with_ones

# Fields of struct plan
IS_LINE, COUNT, STEP, WIDTH, ACROSS, OFFSET, RESULT, IS_FIRST, RESULTS, IN_ORDER = range(10)
LENGTH = 400
BLOCK = 2048  # results whose totals stay in the first cache
PART = 1 << 15  # of a line whose items lie apart
LINES_BYTES = 1 << 18  # of lines that are taken out of an array at a time


@compiled
def is_last(a, axes):
    """Whether the axis is the one along which an array in C or Fortran order is dense; known while compiling."""
    if layout(a) == C:
        return len(axes) == 1 and (axes[0] == -1 or axes[0] == a.ndim - 1)
    elif layout(a) == F:
        return len(axes) == 1 and (axes[0] == 0 or axes[0] == -a.ndim)
    else:
        return False


@small
def plan_of(a, axes):
    plan = np.empty(LENGTH, np.int64)
    external("gridcell_plan", None, plan, a.shape, a.strides, a.ndim, axes, len(axes), 1 if is_last(a, axes) else 0)
    return plan


@compiled
def goes_on(plan):
    return external("gridcell_plan_next", np.int64, plan) != 0


@unbounded
def base_of(a):
    """The array's first item: where views of its memory begin, by bytes."""
    if layout(a) == A:
        return strided(a, a.dtype, A, 0, (1,), (a.itemsize,))
    else:
        return strided(a, a.dtype, C, 0, (1,), None)


@compiled
def dense(base, offset, n):
    return strided(base, base.dtype, C, offset, (n,), None)


@compiled
def beside(center, i):
    if center is None:
        return 0
    else:
        return center[i]


@compiled
def part_of(center, start, n):
    if center is None:
        return None
    else:
        return dense(center, start * center.itemsize, n)


@compiled
def reduce_lines(row, combine, base, plan, totals, center):
    """Each line to its total."""
    if layout(base) == A:
        reduce_parts(row, combine, base, plan, totals, center)
    else:
        is_first = plan[IS_FIRST] != 0
        at, offset = plan[RESULT], plan[OFFSET]
        for i in range(plan[WIDTH]):
            k = np.uint64(at + i)
            total = row(dense(base, offset, plan[COUNT]), beside(center, k))
            if combine is None or is_first:
                totals[k] = total
            else:
                totals[k] = combine(totals[k], total)
            offset += plan[ACROSS]


@compiled
def reduce_parts(row, combine, base, plan, totals, center):
    """Likewise, of lines whose items may lie apart."""
    is_first = plan[IS_FIRST] != 0
    held = held_of(base, plan[COUNT], plan[STEP], combine is not None)
    at, offset = plan[RESULT], plan[OFFSET]
    for i in range(plan[WIDTH]):
        k = np.uint64(at + i)
        for done in range(0, max(plan[COUNT], 1), held):
            items = part_of_line(base, offset + done * plan[STEP], min(held, plan[COUNT] - done), plan[STEP])
            total = row(items, beside(center, k))
            if is_first and done == 0:
                totals[k] = total
            elif combine is not None:
                totals[k] = combine(totals[k], total)
        offset += plan[ACROSS]


@small
def held_of(base, n, step, has_parts):
    """How many items of a line are reduced at a time: all, but for those that are first put together."""
    if layout(base) == A:
        if step != base.itemsize and has_parts:
            return min(max(n, 1), PART)
    return max(n, 1)


@small
def part_of_line(base, offset, n, step):
    if layout(base) == A:
        if step != base.itemsize:
            return strided(base, base.dtype, A, offset, (n,), (step,)).copy()
        else:
            return strided(base, base.dtype, C, offset, (n,), None)
    else:
        return dense(base, offset, n)


@compiled
def reduce_rows(start, step, base, plan, totals, center):
    """Rows into a row of totals."""
    width = plan[WIDTH]
    for at in range(0, width, BLOCK):
        n = min(BLOCK, width - at)
        place = (plan[RESULT] + at) * totals.itemsize
        reduce_block(start, step, base, plan, plan[OFFSET] + at * plan[ACROSS], dense(totals, place, n),
                     part_of(center, plan[RESULT] + at, n))


@compiled
def reduce_block(start, step, base, plan, offset, totals, center):
    if layout(base) == A:
        if plan[ACROSS] != base.itemsize:
            reduce_apart(start, step, base, plan, offset, totals, center)
            return
    n = len(totals)
    down = plan[STEP]
    k = 0
    if plan[IS_FIRST] != 0:
        begin(start, dense(base, offset, n), totals, center)
        k = 1
    while k < plan[COUNT]:
        a = dense(base, offset + k * down, n)
        for i in range(n):
            j = np.uint64(i)
            totals[j] = step(totals[j], a[j], beside(center, j))
        k += 1


@compact
def begin(start, a, totals, center):
    for i in range(len(totals)):
        j = np.uint64(i)
        totals[j] = start(a[j], beside(center, j))


@compact
def reduce_apart(start, step, base, plan, offset, totals, center):
    """Of rows whose items do not lie side by side."""
    n = len(totals)
    for k in range(plan[COUNT]):
        a = strided(base, base.dtype, A, offset + k * plan[STEP], (n,), (plan[ACROSS],))
        for i in range(n):
            j = np.uint64(i)
            if k == 0 and plan[IS_FIRST] != 0:
                totals[j] = start(a[j], beside(center, j))
            else:
                totals[j] = step(totals[j], a[j], beside(center, j))


@compiled
def reduce_by(row, start, step, combine, a, axes, plan, totals, center):
    """Fills the totals, one for each result in the plan's order."""
    if plan[RESULTS] > 0:
        base = base_of(a)
        while True:
            if is_last(a, axes):
                reduce_lines(row, combine, base, plan, totals, center)
            elif plan[IS_LINE] == 0:
                reduce_rows(start, step, base, plan, totals, center)
            elif len(axes) == 1 and layout(a) != A:
                reduce_short(row, combine, base, plan, totals, center)
            else:
                reduce_lines(row, combine, base, plan, totals, center)
            if not goes_on(plan):
                break


@compact
def reduce_short(row, combine, base, plan, totals, center):
    """Lines along another axis than the last, which are such as all axes behind it are short."""
    reduce_lines(row, combine, base, plan, totals, center)


@small
def kept_shape(a, order, axes):
    return tuple_take(a.shape, order[:a.ndim - len(axes)])


@small
def in_c_order(results, plan, shape):
    """The results, which lie in the plan's order, as an array."""
    if plan[IN_ORDER] != 0:
        return strided(results, results.dtype, C, 0, shape, None)
    else:
        out = np.empty(shape, results.dtype)
        external("gridcell_plan_order", "status", plan, out, results, shape, len(shape), out.itemsize)
        return out


@small
def shaped(results, plan, a, order, axes, keepdims):
    """What is returned of the results."""
    if keepdims is not None:
        kept = in_c_order(results, plan, kept_shape(a, order, axes))
        return strided(kept, kept.dtype, C, 0, with_ones(a.shape, axes), None)
    elif a.ndim == len(axes):
        return results[0]
    else:
        return in_c_order(results, plan, kept_shape(a, order, axes))


@small
def length_of_lines(a, order, axes):
    return product(a, tuple_take(a.shape, order[a.ndim - len(axes):]))


@compiled
def fold(row, start, step, combine, finish, a, axes, keepdims, dtype):
    """a without these axes, by totals of a dtype. finish(total, n, a) makes a result of a total of n items; None: totals
    are results."""
    order = order_of(a, axes)
    plan = plan_of(a, axes)
    totals = np.empty(plan[RESULTS], dtype)
    reduce_by(row, start, step, combine, a, axes, plan, totals, None)
    if finish is None:
        return shaped(totals, plan, a, order, axes, keepdims)
    else:
        results = finished(finish, totals, length_of_lines(a, order, axes), base_of(a))
        return shaped(results, plan, a, order, axes, keepdims)


@compact
def finished(finish, totals, n, a):
    out = np.empty(len(totals), result_dtype(finish, totals[0], n, a))
    for i in range(len(totals)):
        out[i] = finish(totals[i], n, a)
    return out


# --- Places of items


@compiled
def find_in_lines(find, base, plan, places):
    at, offset = plan[RESULT], plan[OFFSET]
    for i in range(plan[WIDTH]):
        if layout(base) == A:
            places[at + i] = find(strided(base, base.dtype, A, offset, (plan[COUNT],), (plan[STEP],)))
        else:
            places[at + i] = find(dense(base, offset, plan[COUNT]))
        offset += plan[ACROSS]


@compiled
def find_in_rows(wins, base, plan, places, best):
    """One axis is gone over: each result belongs to one turn."""
    width, across = plan[WIDTH], plan[ACROSS]
    for at in range(0, width, BLOCK):
        n = min(BLOCK, width - at)
        start = plan[RESULT] + at
        to, kept = dense(places, start * places.itemsize, n), dense(best, start * best.itemsize, n)
        for k in range(plan[COUNT]):
            offset = plan[OFFSET] + k * plan[STEP] + at * across
            if layout(base) == A:
                find_in_row(wins, strided(base, base.dtype, A, offset, (n,), (across,)), k, to, kept)
            else:
                find_in_row(wins, dense(base, offset, n), k, to, kept)


@compiled
def find_in_row(wins, row, k, places, best):
    if k == 0:
        for i in range(len(row)):
            places[i] = 0
            best[i] = row[i]
    else:
        for i in range(len(row)):
            j = np.uint64(i)
            x = row[j]
            is_won = wins(x, best[j])
            best[j] = x if is_won else best[j]
            places[j] = k if is_won else places[j]


@compiled
def find_along(find, wins, check, a, axes, keepdims):
    """find(line) of each line, or, of rows, where the item that wins against all others is."""
    order = order_of(a, axes)
    plan = plan_of(a, axes)
    places = np.empty(plan[RESULTS], np.int64)
    base = base_of(a)
    if plan[RESULTS] > 0:
        best = np.empty(0 if plan[IS_LINE] != 0 else plan[RESULTS], a.dtype)
        while True:
            if is_last(a, axes) or plan[IS_LINE] != 0:
                find_in_lines(find, base, plan, places)
            else:
                find_in_rows(wins, base, plan, places, best)
            if not goes_on(plan):
                break
        check(best)
    return shaped(places, plan, a, order, axes, keepdims)


# --- Functions that need each line in one place


@small
def are_lines(a, order):
    """Whether the lines lie one behind the other."""
    if readonly(a):
        return False
    else:
        return is_dense(permuted(a, order))


@small
def lines_at_once(a, n, count):
    """So many that cache lines are used whole, but no second array."""
    return max(1, min(count, LINES_BYTES // max(n * a.itemsize, 1)))


@small
def copy_lines(rows, a, order, axes, first, count, is_write):
    external("gridcell_copy_lines", "status", rows, a, a.shape, a.strides, order, a.ndim, len(axes), first, count,
             a.itemsize, is_write)


@small
def room_for(a, order, axes, count, n):
    """The lines as rows, where they lie or as many as are copied at once."""
    if are_lines(a, order):
        return strided(a, a.dtype, C, 0, (count, n), None)
    else:
        return np.empty((lines_at_once(a, n, count), n), a.dtype)


@compiled
def each_line(f, a, axes, keepdims, extra):
    """f(line, extra) of each line."""
    order = order_of(a, axes)
    n = length_of_lines(a, order, axes)
    kept = kept_shape(a, order, axes)
    out = np.empty(kept, result_dtype(f, dense(base_of(a), 0, 1), extra))
    results = strided(out, out.dtype, C, 0, (out.size,), None)
    rows = room_for(a, order, axes, out.size, n)
    for first in range(0, out.size, max(len(rows), 1)):
        held = min(len(rows), out.size - first)
        if not are_lines(a, order):
            copy_lines(rows, a, order, axes, first, held, 0)
        for i in range(held):
            results[first + i] = f(rows[i], extra)
    if keepdims is not None:
        return out.reshape(with_ones(a.shape, axes))
    elif len(kept) == 0:
        return out[()]
    else:
        return out
