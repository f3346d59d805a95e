"""The most memory that compiled functions hold at once, beyond their arguments and in arrays of the argument's size:
a line for each function. Runs with numba as well, whose figures are the bounds in test_lifetimes.py."""
import sys

if len(sys.argv) < 2:
    import gridcell
    gridcell.activate()

import numpy as np
from numba import njit, prange

N = 6_000_000  # more than the allocator keeps for itself


@njit
def h(a):
    out = np.empty_like(a)
    for i in range(len(a)):
        out[i] = a[i] * 1.5 + 1
    return out


def nested(a):
    return h(h(h(h(a))))


def one_name(a):
    a = h(a)
    a = h(a)
    a = h(a)
    return h(a)


def several_names(a):
    b = h(a)
    s = b.sum()
    c = h(a)
    s += c.sum()
    d = h(a)
    return s + d.sum()


def loop(a):
    for i in range(4):
        a = h(a)
    return a.sum()


def loop_of_new(a):
    s = 0.0
    for i in range(4):
        b = h(a)
        c = h(b)
        s += c[0]
    return s


def branches(a):
    b = h(a)
    if a[0] > 0:
        b = h(b)
    else:
        b = h(h(b))
    return h(b).sum()


def handlers(a):
    s = 0.0
    try:
        b = h(a)
        s += b.sum()
        b = h(a)
        s += b.sum()
        if s > 0:
            raise ValueError("x")
    except Exception:
        c = h(a)
        s += c.sum()
        d = h(a)
        s += d.sum()
    return s


def views(a):
    b = h(a)[10:]
    s = b[::2].sum()
    c = h(a).reshape(2, -1).T
    s += c[0, 0]
    return s + h(a)[1]


def tuples(a):
    t = (h(a), 1)
    s = t[0][0]
    u = (h(a), t[1])
    return s + u[0][1] + h(a)[0]


def products(a):
    m = a.reshape(2000, -1)
    x = np.ones(m.shape[1])
    return (2.0 * m) @ x + (3.0 * m) @ x + (6.0 * m) @ x + (5.0 * m) @ x + (4.0 * m) @ x


def expressions(a):
    b = a * 2 + 1
    c = np.sin(b) + b
    d = c * c - b
    return d.sum()


def sorts(a):
    b = np.sort(a)
    s = b[0]
    c = a[::-1].copy()
    s += c[1]
    d = np.cumsum(a)
    return s + d[-1]


def parts(a):
    s = 0.0
    b = h(a)
    for i in prange(len(b)):
        s += b[i]
    c = h(a)
    for i in prange(len(c)):
        s += c[i]
    return s + h(a)[0]


@njit
def each(a):
    b = h(a)
    yield b[0]
    c = h(a)
    yield c[0]
    d = h(a)
    yield d[0]


def generators(a):
    s = 0.0
    for x in each(a):
        s += x
    return s


FUNCTIONS = (nested, one_name, several_names, loop, loop_of_new, branches, handlers, views, tuples, products,
             expressions, sorts, parts, generators)


def status(field):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith(field))


def peak(function, a):
    jitted = njit(function, parallel=function is parts)
    for _ in range(2):
        jitted(np.ones(4000))
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # the peak starts anew
    before = status("VmRSS")
    jitted(a)
    return (status("VmHWM") - before) / a.nbytes


if __name__ == "__main__":
    values = np.ones(N)
    for each_function in FUNCTIONS:
        print(each_function.__name__, round(peak(each_function, values), 2))
