# SPDX-License-Identifier: MIT
"""A class of arrays of a program's own changes nothing for code that has none: compiled before and after, it is the same."""

SCRIPT = '''
import re
import numpy as np
from numba import njit, prange, types
from numba.core.datamodel import models
from numba.extending import register_model, typeof_impl

def lengths(a, t):
    if len(t) > 2:
        return t[2].sum()
    return len(a) + len(t) + sum(t) + abs(t[0]) + min(t) + max(t)

def reductions(a, t):
    most, total = 0.0, 0.0
    least = np.inf
    for i in prange(len(a)):
        most = max(most, a[i])
        least = min(least, a[i])
        total += a[i]
    return most, least, total

def fused(a, t):
    return np.sqrt(a * a + 1).sum() + np.maximum(a, t[0]).max() - abs(-a).min()

def functions(a, t):
    b = np.zeros_like(a)
    b[1:] = np.cumsum(a)[:-1]
    b += np.sort(a)
    return np.concatenate((a, b)), np.linalg.norm(b), np.where(a > 1, a, b), np.dot(a, b), 1.0 in a, a @ b

def loops(a, t):
    total = 0.0
    for place, value in enumerate(a):
        total += place * value
    for one, other in zip(a, a[::-1]):
        total += one * other
    return total, [abs(value) for value in a], np.array([len(t), 2.0])

def chosen(a, t):
    add = np.add if len(t) == 2 else np.subtract
    return add(a, 1), np.add.reduce(a), list(map(np.sin, a))

def dicts(a, t):
    d = {len(a): a}
    return d[len(a)], max(d), sorted(a), round(a[0]), divmod(t[0], t[1]), bool(t[0]), float(len(t))

def code_of(function):
    made = njit(parallel=function is reductions)(function)
    made(np.arange(5.0), (1, 2))
    (text,) = made.inspect_llvm().values()
    text, numbers = re.sub(" *;.*", "", text), {}
    return re.sub(r"\\b(gc_\\w*?_)\\d+\\b", lambda found: found[1] + str(numbers.setdefault(found[0], len(numbers))), text)

PROGRAMS = lengths, reductions, fused, functions, loops, chosen, dicts
first = [code_of(each) for each in PROGRAMS]
before = [code_of(each) for each in PROGRAMS]
assert first == before  # nothing else tells them apart

class Own(np.ndarray):
    pass

class OwnType(types.Array):
    def __init__(self, dtype, ndim, layout):
        super().__init__(dtype, ndim, layout, name=f"Own({dtype}, {ndim}, {layout})")

    def copy(self, dtype=None, ndim=None, layout=None, readonly=None):
        return OwnType(dtype or self.dtype, self.ndim if ndim is None else ndim, layout or self.layout)

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return OwnType

@typeof_impl.register(Own)
def typeof_own(val, c):
    return OwnType(types.float64, val.ndim, 'C')

@register_model(OwnType)
class OwnModel(models.StructModel):
    def __init__(self, dmm, kind):
        super().__init__(dmm, kind, [
            ("meminfo", types.MemInfoPointer(types.float64)), ("parent", types.pyobject), ("nitems", types.intp),
            ("itemsize", types.intp), ("data", types.CPointer(types.float64)), ("shape", types.UniTuple(types.intp, kind.ndim)),
            ("strides", types.UniTuple(types.intp, kind.ndim))])

def use(x):
    x[0] += 1
    return len(x), max(x), np.sum(x), np.sort(x), (x[1:] * 2).sum(), np.concatenate((x, x))

own = np.arange(5.0).view(Own)
made = njit(use)(own)
print([part.tolist() if isinstance(part, np.ndarray) else part for part in made])
print([each.__name__ for each, old in zip(PROGRAMS, before) if code_of(each) != old])
'''


def test_code_without_own_arrays_stays_as_it_is(prints):
    made = [5, 4.0, 11.0, [1.0, 1.0, 2.0, 3.0, 4.0], 20.0, [1.0, 1.0, 2.0, 3.0, 4.0] * 2]
    prints(f"{made}\n[]\n", "-m", "gridcell", code=SCRIPT)
