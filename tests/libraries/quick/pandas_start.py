"""pandas: engine="numba" in rolling, expanding, ewm, groupby and apply(raw=True)"""
import numpy as np
import pandas as pd

series = pd.Series(np.arange(1000.0) ** 1.1)
frame = pd.DataFrame({"a": np.arange(1000.0), "b": np.arange(1000.0) ** 2, "k": np.arange(1000) % 7})
for name in ("mean", "sum", "std", "var", "min", "max"):
    print("rolling", getattr(series.rolling(5), name)(engine="numba").sum())
    print("groupby", *getattr(frame.groupby("k"), name)(engine="numba").sum())
print("apply", series.rolling(5).apply(lambda x: x.sum() + 1, raw=True, engine="numba").sum())
print("table", *frame.rolling(3, method="table", min_periods=0).apply(
    lambda x: np.ones((1, x.shape[1])) * x.sum(), raw=True, engine="numba").sum())
print("parallel", series.rolling(5).mean(engine="numba", engine_kwargs={"parallel": True}).sum())
print("expanding", series.expanding().apply(lambda x: x[-1] - x[0], raw=True, engine="numba").sum())
print("ewm", series.ewm(com=0.5).mean(engine="numba").sum(), series.ewm(com=0.5).sum(engine="numba").sum())


def spread(values, index):
    return values.max() - values.min()


def centred(values, index):
    return values - values.mean()


print("agg", *frame.groupby("k").agg(spread, engine="numba").sum())
print("transform", *frame.groupby("k").transform(centred, engine="numba").abs().sum())
print("raw", *frame.apply(lambda x: x * 2, raw=True, engine="numba").sum())
