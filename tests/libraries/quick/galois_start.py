"""galois: arithmetic, polynomials and codes over GF(2**8)"""
import galois
import numpy as np

field = galois.GF(2**8)
a, b = field.Random((3, 3), seed=1), field.Random((3, 3), seed=2)
print("arithmetic", *(made.view(np.ndarray).sum() for made in (a * b, a @ b, a / field(7))))
print("matrix", np.linalg.det(a + field.Identity(3)), np.linalg.matrix_rank(a))
code = galois.ReedSolomon(15, 9)
word = code.encode(code.field(list(range(9))))
word[2] = 5
print("code", *code.decode(word))
