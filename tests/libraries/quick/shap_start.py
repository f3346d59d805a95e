"""shap: what each of six columns adds to the predictions of a model"""
import numpy as np
import shap

rng = np.random.default_rng(3)
table = rng.standard_normal((120, 6))


def model(rows):
    return rows[:, 0] * 2 + np.sin(rows[:, 1]) * rows[:, 2] - rows[:, 5] ** 2


def show(name, found):
    print(name, found.values.size, "%.7f" % found.values.sum(), "%.7f" % np.abs(found.values).max(), "%.7f" % found.base_values.sum())


show("exact", shap.explainers.Exact(model, table[:40])(table[40:60]))
show("permutation", shap.explainers.Permutation(model, table[:40], seed=1)(table[40:60]))
show("partition", shap.explainers.Partition(model, shap.maskers.Partition(table[:40]))(table[40:60]))
