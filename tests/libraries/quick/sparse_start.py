"""sparse: sums, products and slices of COO arrays"""
import numpy as np
import sparse

a = sparse.random((50, 60, 70), density=0.05, random_state=1)
b = sparse.random((70, 40), density=0.1, random_state=2)


def total(array):
    return array.todense().sum()


print("sum", total(a.sum()), total(a.sum(axis=(0, 2))))
print("product", total(sparse.tensordot(a, b, axes=1)), total(a * 2 + a.T.transpose((2, 1, 0))))
print("slice", total(a[3:10, ::2, 5]), a[7].nnz, a.reshape((3000, 70)).nnz)
print("matrix", (sparse.GCXS.from_coo(b).T @ np.ones(70)).sum())
