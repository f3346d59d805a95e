"""datashader: 50,000 points, lines and areas aggregated and shaded"""
import datashader as ds
import datashader.transfer_functions as tf
import numpy as np
import pandas as pd

rng = np.random.default_rng(7)
frame = pd.DataFrame({"x": rng.standard_normal(50000), "y": rng.standard_normal(50000), "v": rng.random(50000)})
frame["kind"] = pd.Categorical(np.array(["a", "b", "c"])[rng.integers(0, 3, 50000)])
canvas = ds.Canvas(plot_width=120, plot_height=90, x_range=(-3, 3), y_range=(-3, 3))


def show(name, values):
    values = np.asarray(values, dtype=float)
    print(name, values.size, "%.9g" % np.nansum(values), "%.9g" % np.nanmax(values))


for reduction in (ds.count(), ds.mean("v"), ds.max("v"), ds.std("v"), ds.count_cat("kind")):
    show(type(reduction).__name__, canvas.points(frame, "x", "y", agg=reduction))
show("line", canvas.line(frame[:500], "x", "y", agg=ds.count()))
show("area", canvas.area(frame[:100].sort_values("x"), "x", "y", agg=ds.count()))
points = canvas.points(frame, "x", "y", agg=ds.count())
show("shaded", tf.shade(points, how="eq_hist").values)
show("spread", tf.spread(tf.shade(points), px=1).values)
