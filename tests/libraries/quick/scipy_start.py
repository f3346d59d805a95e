"""scipy: integrals, filters and optimisers that call compiled functions by LowLevelCallable and ctypes"""
import ctypes

import numpy as np
from numba import carray, cfunc, njit, types
from numba.extending import get_cython_function_address
from scipy import LowLevelCallable, integrate, ndimage, optimize


@cfunc("float64(float64)")
def bell(x):
    return np.exp(-x * x)


@cfunc(types.float64(types.intc, types.CPointer(types.float64)))
def many(n, args):
    x = carray(args, n)
    return x[0] * np.sin(x[1]) + x[2]


@cfunc(types.intc(types.CPointer(types.float64), types.intp, types.CPointer(types.float64), types.voidptr))
def widest(values, size, result, data):
    window = carray(values, size)
    result[0] = window.max() - window.min()
    return 1


@cfunc(types.intc(types.CPointer(types.intp), types.CPointer(types.float64), types.intc, types.intc, types.voidptr))
def bend(out, into, rank, to, data):
    into[0] = out[0] + 0.3 * np.sin(out[1])
    into[1] = out[1] * 0.9
    return 1


j0 = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(get_cython_function_address("scipy.special.cython_special", "j0"))


@njit
def bessels(x):
    return np.array([j0(value) for value in x])


@njit
def valley(x):
    return (100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


print("bell", "%.12g" % integrate.quad(LowLevelCallable(bell.ctypes), -3, 3)[0])
print("many", "%.12g" % integrate.nquad(LowLevelCallable(many.ctypes), [[0, 1], [0, 2], [0, 1]])[0])
image = np.random.default_rng(12).random((60, 60))
print("filter", "%.12g" % ndimage.generic_filter(image, LowLevelCallable(widest.ctypes), size=5).sum())
print("bend", "%.12g" % ndimage.geometric_transform(image, LowLevelCallable(bend.ctypes), order=1).sum())
print("bessels", "%.12g" % bessels(np.linspace(0, 9, 50)).sum())
print("valley", *("%.6f" % value for value in optimize.minimize(valley, np.zeros(4), method="BFGS").x))
print("steps", "%.9g" % integrate.solve_ivp(njit(lambda t, y: np.array([y[1], -y[0]])), (0, 5), [1.0, 0.0]).y.sum())
