"""pynndescent: neighbours of 2,000 points by five metrics, and a query"""
import numpy as np
from pynndescent import NNDescent

random = np.random.RandomState(1)
points = random.rand(2000, 20).astype(np.float32)
index = NNDescent(points, random_state=3)
print("euclidean", index.neighbor_graph[0].sum(), index.neighbor_graph[1].sum())
index.prepare()
places, distances = index.query(random.rand(10, 20).astype(np.float32), k=5)
print("query", *places[:, 0], distances.sum())
for metric in ("cosine", "manhattan", "hellinger", "correlation"):
    print(metric, NNDescent(points, random_state=3, metric=metric).neighbor_graph[1].sum())
