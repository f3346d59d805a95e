"""tsfresh: features of forty series, among them those that stand on compiled profiles of distances"""
import warnings

import numpy as np
import pandas as pd

warnings.filterwarnings("ignore")
import tsfresh

random = np.random.default_rng(6)
table = pd.DataFrame({"id": np.repeat(np.arange(20), 120), "time": np.tile(np.arange(120), 20),
                      "x": random.normal(size=2400).cumsum(), "y": np.sin(np.arange(2400) / 7) + random.normal(size=2400) / 5})
settings = {
    "sample_entropy": None, "approximate_entropy": [{"m": 2, "r": 0.3}], "mean": None, "autocorrelation": [{"lag": 3}],
    "query_similarity_count": [{"query": np.sin(np.arange(12) / 7), "threshold": 2.0}],
}
found = tsfresh.extract_features(table, column_id="id", column_sort="time", default_fc_parameters=settings, n_jobs=0,
                                 disable_progressbar=True)
for name in found:
    print(name.replace(" ", "_"), "%.10g" % found[name].sum())
