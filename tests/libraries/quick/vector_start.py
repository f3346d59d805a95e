"""vector: vectors of two, three and four dimensions in compiled functions"""
import numba as nb
import numpy as np
import vector


@nb.njit
def compute_mass(v1, v2):
    return (v1 + v2).mass


@nb.njit
def make_and_turn(angle):
    v = vector.obj(x=1.0, y=2.0, z=3.0)
    return v.rotateZ(angle), v.dot(v.scale(2.0)), v.cross(vector.obj(x=0.5, y=0.25, z=1.0))


@nb.njit
def planar(v, w):
    return v.deltaphi(w), v.rho, v.phi, (v - w).x, -v, abs(v)


@nb.njit
def boosted(v, beta):
    return v.boostZ(beta=beta), v.deltaR(v.rotateX(0.25)), v.to_xyz(), v.to_rhophietatau()


@nb.njit
def masses(px, py, pz, energy):
    total = vector.obj(px=0.0, py=0.0, pz=0.0, E=0.0)
    largest = 0.0
    for i in range(len(px)):
        v = vector.obj(px=px[i], py=py[i], pz=pz[i], E=energy[i])
        total = total + v
        largest = max(largest, v.pt)
    return total, largest


def show(name, *values):
    numbers = []
    for value in values:
        parts = value if isinstance(value, tuple) else (value,)
        for part in parts:
            if isinstance(part, vector.Vector):
                numbers += [type(part).__name__, *part.azimuthal.elements]
                numbers += part.longitudinal.elements if hasattr(part, "longitudinal") else ()
                numbers += part.temporal.elements if hasattr(part, "temporal") else ()
            else:
                numbers.append(part)
    print(name, *(n if isinstance(n, str) else repr(float(n)) for n in numbers))


show("mass", compute_mass(vector.obj(px=1.0, py=2.0, pz=3.0, E=9.0), vector.obj(px=-1.5, py=0.5, pz=2.0, E=8.0)))
show("turned", make_and_turn(0.5))
show("planar", planar(vector.obj(x=1.0, y=2.0), vector.obj(rho=2.0, phi=-0.5)))
show("boosted", boosted(vector.obj(pt=1.5, phi=0.25, eta=1.0, mass=0.5), 0.25))
numbers = np.random.default_rng(7).standard_normal((3, 10000))
show("total", masses(*numbers, np.sqrt((numbers**2).sum(axis=0)) + 1))
