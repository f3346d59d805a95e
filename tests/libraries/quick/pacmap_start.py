"""pacmap: 500 points of ten dimensions in a plane, by PaCMAP and LocalMAP"""
import numpy as np
import pacmap

points = np.concatenate([np.random.default_rng(k).normal(4 * k, 1, (100, 10)) for k in range(5)]).astype(np.float32)
for kind in pacmap.PaCMAP, pacmap.LocalMAP:
    plane = kind(n_components=2, n_neighbors=10, random_state=7, num_iters=(20, 20, 20)).fit_transform(points, init="pca")
    centres = plane.reshape(5, 100, 2).mean(1)
    order = np.argsort(np.linalg.norm(centres - centres[0], axis=1))
    print(kind.__name__, *plane.shape, np.isfinite(plane).all(), *order)
