"""aeon: distances of series by eight measures, their clusters, kernels and classes"""
import numpy as np
from aeon.classification.distance_based import KNeighborsTimeSeriesClassifier
from aeon.clustering import TimeSeriesKMeans
from aeon.distances import (ddtw_distance, dtw_alignment_path, dtw_distance, edr_distance, erp_distance, lcss_distance, msm_distance,
                            pairwise_distance, twe_distance, wdtw_distance)
from aeon.transformations.collection.convolution_based import Rocket

rng = np.random.default_rng(9)
labels = np.arange(24) % 3
series = (np.sin(np.linspace(0, 5, 40) * (1 + labels[:, None])) + rng.normal(0, 0.1, (24, 40)))[:, None]
for measure in (ddtw_distance, dtw_distance, edr_distance, erp_distance, lcss_distance, msm_distance, twe_distance, wdtw_distance):
    print(measure.__name__, "%.9g" % measure(series[0], series[1]))
path, cost = dtw_alignment_path(series[0], series[1], window=0.2)
print("path", len(path), "%.9g" % cost)
print("pairs", "%.9g" % pairwise_distance(series[:8], method="msm").sum())
print("rocket", "%.6g" % Rocket(n_kernels=40, random_state=2).fit_transform(series).sum())
nearest = KNeighborsTimeSeriesClassifier(distance="dtw").fit(series[:18], labels[:18])
print("classes", *nearest.predict(series[18:]))
print("clusters", *TimeSeriesKMeans(n_clusters=3, averaging_method="mean", random_state=1, n_init=1).fit_predict(series))
