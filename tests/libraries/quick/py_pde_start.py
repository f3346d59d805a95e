"""py-pde: diffusion, waves and a reaction on grids, by the compiled backend"""
import numpy as np
import pde

grid = pde.CartesianGrid([[0, 10], [0, 10]], [24, 24], periodic=[True, False])
x, y = grid.cell_coords[..., 0], grid.cell_coords[..., 1]
state = pde.ScalarField(grid, np.exp(-((x - 5) ** 2 + (y - 4) ** 2)))


def show(name, field):
    print(name, *("%.9g" % value for value in (field.data.sum(), np.abs(field.data).max())))


show("diffusion", pde.DiffusionPDE(0.5).solve(state, t_range=0.5, dt=1e-3, backend="numba", tracker=None))
show("cahn", pde.CahnHilliardPDE().solve(state, t_range=0.01, dt=1e-4, backend="numba", tracker=None))
show("own", pde.PDE({"c": "laplace(c) - c**3 + c"}, bc="auto_periodic_neumann").solve(
    state, t_range=0.2, dt=1e-3, backend="numba", tracker=None))
show("gradient", state.gradient("auto_periodic_neumann", backend="numba"))
