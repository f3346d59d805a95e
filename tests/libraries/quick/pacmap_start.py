"""pacmap: 500 points of ten dimensions in a plane, by PaCMAP and LocalMAP"""
import numpy as np
import pacmap

points = np.concatenate([np.random.default_rng(k).normal(4 * k, 1, (100, 10)) for k in range(5)]).astype(np.float32)
for kind in pacmap.PaCMAP, pacmap.LocalMAP:
    map = kind(n_components=2, n_neighbors=10, random_state=7, num_iters=(20, 20, 20))
    plane = map.fit_transform(points, init="pca")
    print(kind.__name__, "pairs", map.pair_neighbors.astype(float).sum(), map.pair_MN.astype(float).sum())
    # rounded steps go apart, of threads and of compilers: what stays is which points lie together
    apart = np.linalg.norm(plane[:, None] - plane[None], axis=2) + np.diag(np.full(len(plane), np.inf))
    print(kind.__name__, *plane.shape, (apart.argmin(1) // 100 == np.arange(500) // 100).sum())
