"""pandas: DataFrame.apply(engine="numba") of functions of rows and columns as Series"""
import numpy as np
import pandas as pd

numbers = np.random.default_rng(3).standard_normal((2000, 4))
frame = pd.DataFrame(numbers, columns=list("abcd"))


def show(name, result):
    values = np.asarray(result.to_numpy())
    print(name, type(result).__name__, *values.shape, repr(float(values.sum())), repr(float(values.ravel()[-1])))


show("labels", frame.apply(lambda row: row["a"] + row["b"] * row["d"], axis=1, engine="numba"))
show("sum", frame.apply(lambda column: column.sum(), axis=0, engine="numba"))
show("spread", frame.apply(lambda row: row.max() - row.min(), axis=1, engine="numba"))
show("mean", frame.apply(lambda row: row.mean(), axis=1, engine="numba"))
show("scaled", frame.apply(lambda row: row / 2, axis=1, engine="numba"))
show("moved", frame.apply(lambda column: column - 1, axis=0, engine="numba"))
show("places", frame.apply(lambda row: row.iloc[2] * 3, axis=1, engine="numba"))
show("numbered", pd.DataFrame(numbers).apply(lambda row: row[3] - row[0], axis=1, engine="numba"))
