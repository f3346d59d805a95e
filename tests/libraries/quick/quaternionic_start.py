"""quaternionic: products, powers, rotations and interpolations of 1,000 quaternions"""
import numpy as np
import quaternionic

rng = np.random.default_rng(5)
a = quaternionic.array(rng.standard_normal((1000, 4)))
b = quaternionic.array(rng.standard_normal((1000, 4)))


def show(name, values):
    values = np.asarray(values, dtype=float)
    print(name, values.size, repr(float(values.sum())), repr(float(np.abs(values).max())))


show("product", (a * b).ndarray)
show("quotient", (a / b).ndarray)
show("power", (a.normalized ** 2.5).ndarray)
show("exp", np.exp(a / 4).ndarray)
show("log", np.log(a).ndarray)
show("sqrt", np.sqrt(a).ndarray)
show("norm", a.norm)
show("rotated", a[:50].rotate(rng.standard_normal((20, 3))))
show("matrix", a.to_rotation_matrix)
show("angle", quaternionic.distance.rotation.intrinsic(a, b))
times = np.linspace(0, 1, 1000)
show("slerp", quaternionic.slerp(a[0].normalized, a[1].normalized, times[:200]).ndarray)
show("unflipped", quaternionic.unflip_rotors(a.normalized).ndarray)
