"""interpolation: splines and multilinear interpolation on grids of one to three dimensions"""
import numpy as np
from interpolation import interp, mlinterp
from interpolation.splines import CGrid, eval_cubic, eval_linear, filter_cubic

rng = np.random.default_rng(2)
x = np.linspace(0, 1, 50)
points = rng.random((2000, 2))


def show(name, values):
    values = np.asarray(values, dtype=float)
    print(name, values.size, repr(float(values.sum())), repr(float(np.abs(values).max())))


show("interp", interp(x, np.sin(5 * x), points[:, 0]))
table = np.sin(5 * x)[:, None] * np.cos(3 * x)
show("mlinterp", mlinterp((x, x), table, points))
grid = CGrid((0.0, 1.0, 50), (0.0, 1.0, 50))
show("linear", eval_linear(grid, table, points))
coefficients = filter_cubic(grid, table)
show("cubic", eval_cubic(grid, coefficients, points))
