"""scanpy: counts of 300 cells normalised, scored, reduced, and told apart"""
import warnings

import numpy as np

warnings.filterwarnings("ignore")
import anndata
import scanpy as sc
import scipy.sparse

random = np.random.default_rng(8)
groups = np.repeat(np.arange(3), 100)
rates = random.gamma(0.6, 1.0, (3, 400))[groups]
cells = anndata.AnnData(scipy.sparse.csr_matrix(random.poisson(rates).astype(np.float32)))
cells.obs["group"] = [f"g{group}" for group in groups]
cells.obs["group"] = cells.obs["group"].astype("category")
cells.var_names = [f"gene{i}" for i in range(400)]
cells.var["mt"] = np.arange(400) < 20
sc.pp.calculate_qc_metrics(cells, qc_vars=["mt"], percent_top=(20, 50), inplace=True)
for name in ("total_counts", "n_genes_by_counts", "pct_counts_mt", "pct_counts_in_top_20_genes"):
    print(name, "%.8g" % cells.obs[name].sum())
down = sc.pp.downsample_counts(cells, counts_per_cell=100, copy=True, random_state=1)
print("down", int(down.X.sum()))
sc.pp.normalize_total(cells, target_sum=1e4)
sc.pp.log1p(cells)
sc.pp.highly_variable_genes(cells, n_top_genes=150)
print("variable", int(cells.var.highly_variable.sum()), "%.7g" % cells.var.dispersions_norm.sum())
print("moran", "%.7g" % np.nansum(sc.metrics.morans_i(scipy.sparse.csr_matrix(np.eye(300, k=1) + np.eye(300, k=-1)), cells.X.T[:40].toarray())))
sc.pp.scale(cells, max_value=10)
sc.pp.pca(cells, n_comps=10, random_state=0)
print("pca", "%.6g" % cells.uns["pca"]["variance"].sum())
sc.pp.neighbors(cells, n_neighbors=10, random_state=0)
print("neighbours", cells.obsp["distances"].nnz, "%.5g" % cells.obsp["distances"].sum())
sc.tl.rank_genes_groups(cells, "group", method="wilcoxon")
print("ranked", *("%.6g" % cells.uns["rank_genes_groups"]["scores"][name][:20].sum() for name in ("g0", "g1", "g2")))
