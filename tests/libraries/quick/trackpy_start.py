"""trackpy>=0.6, matplotlib: particles found in pictures, and linked to trajectories, by its numba engine"""
import numpy as np
import pandas as pd
import trackpy as tp

tp.quiet()
random = np.random.default_rng(4)
rows, columns = np.mgrid[:128, :128]
places = random.random((12, 2)) * 100 + 14
frames = []
for _ in range(8):
    places = places + random.normal(0, 0.6, places.shape)
    picture = sum(200 * np.exp(-((rows - y) ** 2 + (columns - x) ** 2) / 8) for y, x in places)
    frames.append(np.clip(picture + random.random(picture.shape) * 4, 0, 255).astype(np.uint8))
found = tp.batch(frames, 11, minmass=500, engine="numba", processes=1)
print("found", len(found), *("%.10g" % found[name].sum() for name in ("x", "y", "mass", "size", "ecc", "signal")))
for strategy in ("numba", "hybrid"):
    linked = tp.link(found, 6, memory=2, link_strategy=strategy)
    print(strategy, linked.particle.nunique(), "%.10g" % (linked.particle * linked.x).sum())
scattered = pd.DataFrame({"x": random.random(600) * 60, "y": random.random(600) * 60, "frame": np.repeat(np.arange(12), 50)})
linked = tp.link(scattered, 3, link_strategy="numba", neighbor_strategy="KDTree")
# which number a particle gets is up to the addresses of trackpy's objects
lengths = linked.groupby("particle").size()
print("scattered", len(lengths), int((lengths ** 2).sum()), "%.8g" % (linked.groupby("particle").y.sum() ** 2).sum())
refined = tp.refine_leastsq(found[found.frame == 0], frames[0], 11)
print("refined", "%.6g" % refined.x.sum(), "%.6g" % refined.y.sum())
walks = tp.imsd(tp.filter_stubs(tp.link(found, 6), 8), 1, 24)
print("moved", walks.shape[1], *("%.10g" % value for value in walks.mean(axis=1)))
