"""fast_hdbscan: the clusters of 2,000 points in a plane, by both ways of selection"""
import fast_hdbscan
import numpy as np

rng = np.random.default_rng(6)
points = np.concatenate([rng.normal(5 * k, 0.6 + 0.2 * k, (400, 2)) for k in range(4)] + [rng.uniform(-5, 20, (400, 2))])
for method in "eom", "leaf":
    clusters = fast_hdbscan.HDBSCAN(min_cluster_size=20, cluster_selection_method=method).fit(points)
    sizes = np.unique(clusters.labels_, return_counts=True)
    print(method, *sizes[0], *sizes[1], "%.9g" % clusters.probabilities_.sum())
labels, chances = fast_hdbscan.fast_hdbscan(points, min_cluster_size=30, min_samples=5)[:2]
print("function", labels.sum(), "%.9g" % chances.sum())
