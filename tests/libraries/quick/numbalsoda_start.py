"""numbalsoda: differential equations whose right side is a callback, solved by Python and within compiled functions"""
import numpy as np
from numba import cfunc, njit, prange
from numbalsoda import dop853, lsoda, lsoda_sig


@cfunc(lsoda_sig)
def predators(t, u, du, p):
    du[0] = u[0] - u[0] * u[1]
    du[1] = u[0] * u[1] - u[1] * p[0]


address, begin, times = predators.address, np.array([5.0, 0.8]), np.linspace(0.0, 50.0, 1000)


@njit(parallel=True)
def many(count):
    ends = np.empty((count, 2))
    for number in prange(count):
        start = np.array([5.0 + number / count, 0.8])
        found, _ = lsoda(address, start, times, data=np.array([1.0]))
        ends[number] = found[-1]
    return ends


for name, solver in (("lsoda", lsoda), ("dop853", dop853)):
    found, is_done = solver(address, begin, times, data=np.array([1.0]))
    print(name, is_done, "%.7f %.7f" % tuple(found[-1]), "%.6f" % found.sum())
print("many", "%.6f" % many(200).sum())
