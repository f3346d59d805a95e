"""umap-learn: the neighbours of 1,797 digits as a graph, and its picture in a plane"""
import warnings

from sklearn.datasets import load_digits
from sklearn.manifold import trustworthiness

warnings.filterwarnings("ignore")
import umap

digits = load_digits().data
model = umap.UMAP(random_state=42).fit(digits)
print("graph", model.graph_.nnz, model.graph_.indices.sum(), "%.2f" % model.graph_.sum())
# Of the same weights both make the same picture, bit for bit. But weights that differ by 2e-6 of their size move 1,684 of the
# points within two epochs (numba, beside itself), to a picture that is as good.
print("trustworthy", *("%.2f" % trustworthiness(digits, model.embedding_, n_neighbors=count) for count in (5, 15, 30)))
