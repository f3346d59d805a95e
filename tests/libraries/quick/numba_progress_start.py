"""numba-progress: bars that compiled loops move, of one thread and several"""
import io
import numpy as np
from numba import njit, prange
from numba_progress import ProgressBar


@njit(nogil=True)
def walk(count, bar):
    total = 0.0
    for i in range(count):
        total += np.sqrt(i)
        if i % 100 == 0:
            bar.update(100)
    return total


@njit(nogil=True, parallel=True)
def spread(count, bar):
    total = 0.0
    for i in prange(count):
        total += i * 0.5
        bar.update(1)
    return total


out = io.StringIO()
with ProgressBar(total=10000, file=out, update_interval=0.01) as bar:
    print("walk", "%.9g" % walk(10000, bar))
print("moved", bar.n)
with ProgressBar(total=5000, file=out, update_interval=0.01) as bar:
    print("spread", "%.9g" % spread(5000, bar))
    bar.update(7)
print("moved", bar.n)
