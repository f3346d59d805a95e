"""pyts: images, words, shapelets and distances of series"""
import numpy as np
from pyts.approximation import SymbolicAggregateApproximation, SymbolicFourierApproximation
from pyts.classification import BOSSVS, KNeighborsClassifier
from pyts.image import GramianAngularField, MarkovTransitionField, RecurrencePlot
from pyts.metrics import boss, dtw
from pyts.transformation import ROCKET, ShapeletTransform

rng = np.random.default_rng(3)
labels = np.arange(40) % 2
series = np.sin(np.linspace(0, 6, 48) * (1 + labels[:, None])) + rng.normal(0, 0.2, (40, 48))
for kind in GramianAngularField(image_size=16), MarkovTransitionField(image_size=16), RecurrencePlot(threshold="point"):
    print(type(kind).__name__, "%.9g" % kind.fit_transform(series).sum())
print("words", "".join(SymbolicAggregateApproximation(n_bins=4, strategy="normal").fit_transform(series)[0][:9]))
print("fourier", "".join(map(str, SymbolicFourierApproximation(n_coefs=6).fit_transform(series)[3])))
for method in "classic", "sakoechiba", "itakura", "multiscale", "fast":
    print("dtw", method, "%.9g" % dtw(series[0], series[1], method=method))
print("boss", "%.9g" % boss(np.arange(9.0), np.arange(9.0)[::-1].copy()))
print("rocket", "%.9g" % ROCKET(n_kernels=50, random_state=1).fit_transform(series).sum())
print("shapelets", "%.9g" % ShapeletTransform(n_shapelets=4, window_sizes=[8], random_state=1).fit_transform(series, labels).sum())
print("neighbours", *KNeighborsClassifier(metric="dtw").fit(series[:30], labels[:30]).predict(series[30:]))
print("bossvs", *BOSSVS(window_size=16).fit(series[:30], labels[:30]).predict(series[30:]))
