"""hdbscan: the clusters of 1,500 points in a plane"""
import hdbscan
import numpy as np

rng = np.random.default_rng(1)
points = np.vstack([rng.normal(center, 0.3, (500, 2)) for center in ((0, 0), (3, 0), (0, 3))])
clusters = hdbscan.HDBSCAN(min_cluster_size=20, prediction_data=True).fit(points)
print("labels", *np.bincount(clusters.labels_ + 1))
print("probabilities", "%.9f" % clusters.probabilities_.sum())
labels, strengths = hdbscan.approximate_predict(clusters, points[::7] + 0.05)
print("predicted", *np.bincount(labels + 1), "%.9f" % strengths.sum())
