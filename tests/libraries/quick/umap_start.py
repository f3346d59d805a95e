"""umap-learn: the neighbours of 1,797 digits as a graph, and its picture in a plane"""
import warnings

from sklearn.datasets import load_digits
from sklearn.manifold import trustworthiness

warnings.filterwarnings("ignore")
import umap

digits = load_digits().data
model = umap.UMAP(random_state=42).fit(digits)
print("graph", model.graph_.nnz, model.graph_.indices.sum(), "%.2f" % model.graph_.sum())
# Which way a point goes depends on the last bits of the graph's weights, and then on each point before it: after two
# epochs half of the points lie elsewhere, in a picture that is as good
print("trustworthy", *("%.2f" % trustworthiness(digits, model.embedding_, n_neighbors=count) for count in (5, 15, 30)))
