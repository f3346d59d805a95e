"""numba-kdtree: neighbours of 20,000 points in space, in a tree that Python and compiled functions make and ask"""
import pickle

import numpy as np
from numba import njit
from numba_kdtree import KDTree

rng = np.random.default_rng(3)
data = rng.random((20000, 3))


def show(name, distances, indices, counts):
    print(name, repr(float(distances.sum())), int(indices.sum()), int(counts.sum()))


@njit
def nearest_of_each(tree, points):
    total, last = 0.0, 0
    for i in range(len(points)):
        distances, indices, _ = tree.query(points[i], k=5)
        total += distances.sum()
        last = indices[0, 4]
    return total, last


@njit
def made_within(points):
    tree = KDTree(points, leafsize=16)
    distances, _, _ = tree.query(points[:50], k=3)
    return distances[:, 2].sum(), len(tree.query_radius(points[0], 0.1)[0])


tree = KDTree(data, leafsize=10)
show("nearest", *tree.query(data[:500], k=30))
distances, _, counts = tree.query(data[:500] + 0.01, k=4, p=1.0, distance_upper_bound=0.05)
print("within", repr(float(distances[counts == 4].sum())), int(counts.sum()))
show("threads", *tree.query_parallel(data[:500], k=10))
around = tree.query_radius(data[:100], r=0.1, return_sorted=True)
print("around", len(around), sum(len(found) for found in around), int(around[7][:5].sum()))
print("compiled", *map(repr, map(float, nearest_of_each(tree, data[:200]))), *map(float, made_within(data[:1000])))
restored = pickle.loads(pickle.dumps(tree))
show("restored", *restored.query(data[:100], k=10))
print("tree", tree.size, tree.root_bbox.shape, restored.data.shape, int(restored.idx.sum()))
