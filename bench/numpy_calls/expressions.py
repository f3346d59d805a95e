"""What is measured: calls of all functions, methods, operators and ufuncs of docs/numpy-support.md, by area.

In a text, `a` and `b` are arrays of the case's dtype and layout, `m` is a mask of their shape, `v` a row and `k` a
row of places as long as a's first axis, `s` a number of the dtype, `out` an array like a, `g` a random generator and
`n` how many items there are. `@` stands for one of the axes, or for none."""
import dataclasses

EVERY = ("float64", "float32", "int64", "int32", "int8", "complex128", "bool")
NUMBERS = EVERY[:-1]
REAL = EVERY[:-2]
FLOATS = EVERY[:2]
INEXACT = (*FLOATS, "complex128")
INTEGERS = EVERY[2:5]


@dataclasses.dataclass(frozen=True)
class Group:
    area: str
    texts: tuple
    dtypes: tuple = EVERY
    dimensions: tuple = (1, 2, 3)
    largest: int = 10**7  # items
    is_plain: bool = False  # whatever the operands' layout: nothing but C


def lines(text):
    return tuple(line.strip() for line in text.strip().splitlines())


def calls(names, arguments):
    return tuple(f"{name}({arguments})" for name in names.split())


def methods(names, prefix, arguments="n"):
    return tuple(f"{prefix}.{name}({arguments})" for name in names.split())


OPERATORS = tuple(f"a {op} b" for op in ("+", "-", "*", "/", "//", "%", "<", "<=", "==", "!=", ">", ">="))
IN_PLACE = ("a += b; return a", "a *= s; return a", "a -= b; return a", "a += v; return a")
POWERS = ("a ** 2", "a ** 3", "a ** 4", "a ** 5", "np.power(a, 3)", "np.power(a, 2)", "np.square(a)")
ROOTS = ("a ** 0.5", "a ** -0.5", "a ** 1.5", "a ** -1", "a ** -2", "np.float_power(a, 3)", "np.float_power(a, b)", "a ** b",
         "np.power(a, b)", "np.power(a, 0.5)", "np.power(a, 2.5)")
OF_ONE = "absolute negative positive square sign conjugate isfinite isinf isnan reciprocal iscomplex isreal logical_not"
TRANSCENDENTAL = "arccosh arcsinh arctan cos cosh exp exp2 expm1 log log10 log1p log2 sin sinh sqrt tan tanh sinc"
OF_FLOATS = ("cbrt ceil deg2rad degrees fabs floor rad2deg radians rint trunc signbit spacing isneginf isposinf arccos "
             "arcsin arctanh")
OF_TWO = "add subtract multiply divide maximum minimum fmax fmin equal not_equal less greater less_equal greater_equal"
OF_TWO_REAL = "arctan2 copysign fmod hypot logaddexp logaddexp2 nextafter remainder floor_divide heaviside float_power"
OF_INTEGERS = "bitwise_and bitwise_or bitwise_xor gcd lcm left_shift right_shift"
LOGICAL = "logical_and logical_or logical_xor"

GROUPS = [
    Group("operators", (*OPERATORS[:3], "a == b", "a != b", "a * b + s", "a + v", "-a", "a * s"), NUMBERS),
    Group("operators", (*OPERATORS[3:], *IN_PLACE), REAL),
    Group("operators", ("a & b", "a | b", "a ^ b", "~a"), (*INTEGERS, "bool")),
    Group("operators", ("a[m]", "a[k]", "a[::-1].copy()", "a[1:-1] + a[:-2]", "a[m] = s; return a", "a[k] = s; return a",
                        "a[..., 0].copy()", "a[None].sum()")),
    Group("operators", ("1 + 2 * a - 3 * a ** 2 + 4 * a ** 3 - 5 * a ** 4 + 6 * a ** 5",
                        "((((6 * a - 5) * a + 4) * a - 3) * a + 2) * a + 1"), FLOATS),
    Group("operators", ("a - a[..., :1]", "a[..., :1] * a", "a += a[..., :1] * 2; return a", "a -= v[:1]; return a",
                        "v[:, None] - v[:9]", "v[:9, None] - v"), FLOATS, (2,), 10**5),
    Group("powers", POWERS, NUMBERS),
    Group("powers", ROOTS, INEXACT),
    Group("ufuncs", calls(" ".join(f"np.{f}" for f in OF_ONE.split()), "a"), NUMBERS),
    Group("ufuncs", calls(" ".join(f"np.{f}" for f in TRANSCENDENTAL.split()), "a"), INEXACT, largest=10**6),
    Group("ufuncs", calls(" ".join(f"np.{f}" for f in OF_FLOATS.split()), "a"), FLOATS, largest=10**6),
    Group("ufuncs", ("np.i0(a)", "np.ldexp(a, 3)", "np.modf(a)", "np.frexp(a)"), FLOATS, largest=10**6),
    Group("ufuncs", calls(" ".join(f"np.{f}" for f in OF_TWO.split()), "a, b"), NUMBERS),
    Group("ufuncs", calls(" ".join(f"np.{f}" for f in OF_TWO_REAL.split()), "a, b"), FLOATS, largest=10**6),
    Group("ufuncs", (*calls(" ".join(f"np.{f}" for f in OF_INTEGERS.split()), "a, b"), "np.invert(a)", "np.bitwise_count(a)",
                     "np.divmod(a, b)", "np.remainder(a, b)", "np.floor_divide(a, b)"), INTEGERS, largest=10**6),
    Group("ufuncs", calls(" ".join(f"np.{f}" for f in LOGICAL.split()), "a, b")),
    Group("ufuncs", ("np.add(a, b, out); return out", "np.multiply(a, s, out); return out", "np.negative(a, out); return out",
                     "np.maximum(a, b, out); return out"), NUMBERS),
    Group("ufuncs", ("np.sqrt(a, out); return out", "np.exp(a, out); return out"), FLOATS, largest=10**6),
    Group("ufuncs", ("np.isnat(a.view('M8[s]'))",), ("int64",), is_plain=True),
    Group("methods of ufuncs", ("np.add.reduce(a@)", "np.multiply.reduce(a@)", "np.add.accumulate(a)",
                                "np.subtract.reduce(a)", "np.add.accumulate(a, axis=-1)", "np.add.reduceat(a, [0, 2, 1])"), NUMBERS),
    Group("methods of ufuncs", ("np.maximum.reduce(a@)", "np.minimum.accumulate(a)"), REAL),
    Group("methods of ufuncs", ("np.add.at(v, k, s); return v",), NUMBERS),
    Group("methods of ufuncs", ("np.multiply.outer(a, b)",), NUMBERS, (1,), 10**3),
    Group("reductions", ("np.sum(a@)", "np.prod(a@)", "np.mean(a@)", "np.nansum(a@)", "np.nanmean(a@)", "a.sum(@)", "a.mean(@)",
                         "a.prod(@)", "np.nanprod(a@)", "np.average(a@)", "np.trace(a)[()] if a.ndim < 2 else np.trace(a)"), NUMBERS),
    Group("reductions", ("np.var(a@)", "np.std(a@)", "a.var(@)", "a.std(@)", "np.nanvar(a@)", "np.nanstd(a@)"), (*REAL[:4], "complex128")),
    Group("reductions", ("np.min(a@)", "np.max(a@)", "a.min(@)", "a.max(@)", "np.ptp(a@)", "np.amin(a@)", "np.amax(a@)"), REAL),
    Group("reductions", ("np.any(a@)", "np.all(a@)", "np.count_nonzero(a@)", "a.any(@)", "a.all(@)")),
    Group("reductions", ("np.argmin(a@)", "np.argmax(a@)", "a.argmin(@)", "a.argmax(@)"), REAL),
    Group("reductions", ("np.nanmin(a@)", "np.nanmax(a@)", "np.nanargmin(a@)", "np.nanargmax(a@)"), FLOATS),
    Group("reductions", ("np.sum(a, keepdims=True)", "np.sum(a, axis=0, keepdims=True)", "np.sum(a, axis=0, dtype=np.float64)",
                         "(a * b).sum()", "(a * b).sum(axis=0)", "(a - b).max()", "(a > 0).sum()", "(a > 0).sum(axis=0)"), REAL),
    Group("running", ("np.cumsum(a@)", "np.cumprod(a@)", "np.nancumsum(a@)", "np.nancumprod(a@)", "a.cumsum()", "a.cumprod()"), NUMBERS),
    Group("running", ("np.cumulative_sum(a, axis=0)", "np.cumulative_prod(a, axis=-1)", "np.diff(a)", "np.diff(a, axis=0)",
                      "np.ediff1d(a)"), NUMBERS),
    Group("running", ("np.gradient(a)", "np.trapezoid(a)", "np.trapz(v)", "np.unwrap(a)"), FLOATS, (1, 2)),
    Group("order", ("np.sort(a)", "np.sort(a, axis=0)", "np.sort(a, axis=None)", "np.argsort(a)", "np.argsort(a, axis=0)",
                    "np.partition(a, 4)", "np.argpartition(a, 4)", "a.sort(); return a", "a.argsort()", "np.unique(a)",
                    "a.partition(3); return a", "a.argpartition(3)"), REAL, largest=10**6),
    Group("order", ("np.median(a@)", "np.percentile(a, 30@)", "np.quantile(a, 0.3@)", "np.nanmedian(a@)", "np.nanpercentile(a, 30@)",
                    "np.nanquantile(a, 0.3@)"), (*FLOATS, "int64"), largest=10**6),
    Group("order", ("np.sort(np.sort(v))", "np.sort(np.sort(v)[::-1])", "np.sort(np.concatenate((np.sort(v), np.sort(v)[::-1])))",
                    "np.sort(np.floor_divide(v, 50))", "np.argsort(np.sort(v))", "np.argsort(np.sort(v)[::-1])",
                    "np.median(np.sort(v)[::-1])", "np.unique(np.sort(v))", "np.partition(np.sort(v)[::-1], 5)"), REAL, (1,), 10**6),
    Group("order", ("np.searchsorted(np.sort(v), a)", "np.digitize(a, np.sort(v[:10]))", "np.isin(a, v[:50])", "np.in1d(v, v[:50])",
                    "np.lexsort((v, v))", "np.intersect1d(v, v[::2])", "np.setdiff1d(v, v[::2])", "np.union1d(v, v)",
                    "np.setxor1d(v, v[::3])", "np.unique_counts(v)", "np.unique_inverse(v)", "np.unique_values(v)", "np.unique_all(v)",
                    "a.searchsorted(s) if a.ndim < 2 else a.size"), REAL, largest=10**6),
    Group("counting", ("np.histogram(a, 20)", "np.histogram_bin_edges(a, 20)", "np.interp(a, v, v)", "np.cov(a)", "np.corrcoef(a)",
                       "np.histogram2d(v, v, 10)"), FLOATS, (1, 2), 10**5),
    Group("counting", ("np.bincount(np.abs(v) % 1000)", "np.bincount(k)"), ("int64", "int32"), (1,)),
    Group("products", ("np.dot(a, b.T)", "a @ b.T", "np.inner(a, b)", "np.cov(a)", "np.corrcoef(a)", "np.vdot(a, b)",
                       "np.tensordot(a, b.T, 1)", "np.einsum('ij,kj->ik', a, b)", "a.dot(b.T)", "np.matmul(a, b.T)"), NUMBERS, (2,), 10**5),
    Group("products", ("np.dot(a, b)", "np.vdot(a, b)", "np.inner(a, b)", "a @ b", "np.dot(a[::-1], b)", "np.vecdot(a, b)"), NUMBERS, (1,)),
    Group("products", ("v @ a", "np.dot(v, a)", "v[::-1] @ a", "a.T @ v", "np.vecmat(v, a)", "np.matvec(a.T, v)"), NUMBERS, (2,)),
    Group("products", ("a @ np.swapaxes(b, 1, 2)", "np.linalg.matmul(a, np.swapaxes(b, 1, 2))", "np.matrix_transpose(a) @ b"), NUMBERS, (3,), 10**5),
    Group("products", ("np.outer(a, b)", "np.kron(a, b)"), NUMBERS, (1,), 10**3),
    Group("products", ("np.kron(a, b)",), NUMBERS, (2,), 10**3),
    Group("products", ("np.convolve(v, v[:20])", "np.correlate(v, v[:20])"), REAL, (1,), 10**6),
    Group("products", ("np.cross(v[:n // 3 * 3].reshape(-1, 3), v[:n // 3 * 3].reshape(-1, 3))",
                       "np.linalg.cross(v[:n // 3 * 3].reshape(-1, 3), v[:n // 3 * 3].reshape(-1, 3))"), FLOATS, (1,), 10**6),
    Group("matrices", ("np.linalg.det(q)", "np.linalg.inv(q)", "np.linalg.solve(q, q)", "np.linalg.eigvalsh(h)", "np.linalg.eigh(h)",
                       "np.linalg.svd(q)", "np.linalg.svdvals(q)", "np.linalg.qr(q)", "np.linalg.cholesky(h)", "np.linalg.slogdet(q)",
                       "np.linalg.pinv(q)", "np.linalg.matrix_rank(q)", "np.linalg.cond(q)", "np.linalg.matrix_power(q, 3)",
                       "np.linalg.lstsq(q, q[0])", "np.linalg.norm(q)", "np.linalg.matrix_norm(q)", "np.linalg.vector_norm(q)",
                       "np.linalg.multi_dot((q, q, q))", "np.linalg.norm(v)", "np.linalg.norm(q, axis=0)", "np.linalg.eig(h)",
                       "np.linalg.eigvals(h)", "np.linalg.trace(q)", "np.linalg.diagonal(q)", "np.linalg.matrix_transpose(q)",
                       "np.linalg.outer(v, v)", "np.linalg.tensordot(q, q, 1)", "np.linalg.vecdot(q, q)",
                       "np.linalg.tensorinv(q, 1)", "np.linalg.tensorsolve(q, q[0])"), FLOATS, (2,), 10**4),
    Group("shapes", ("np.copy(a)", "np.ascontiguousarray(a)", "np.asfortranarray(a)", "np.ravel(a)", "a.flatten()", "a.T.copy()",
                     "np.concatenate((a, b))", "np.concatenate((a, b), axis=-1)", "np.stack((a, b))", "np.hstack((a, b))",
                     "np.vstack((a, b))", "np.dstack((a, b))", "np.column_stack((a, b))", "np.append(a, b)", "np.append(a, b, axis=0)",
                     "np.repeat(a, 2)", "np.repeat(a, 2, axis=0)", "np.tile(a, 2)", "np.roll(a, 3)", "np.roll(a, 1, axis=0)",
                     "np.flip(a)", "np.flip(a, 0).copy()", "np.array(a)", "np.atleast_3d(a)", "np.transpose(a).copy()",
                     "np.resize(a, (n,))", "np.insert(a, 1, s)", "np.delete(a, 1)", "np.delete(a, 1, axis=0)", "np.pad(a, 1)",
                     "np.pad(a, 1, mode='edge')", "np.broadcast_to(v, (2, v.size)).copy()", "np.moveaxis(a, 0, -1).copy()",
                     "a.reshape(a.size)", "a.swapaxes(0, -1).copy()", "np.array_split(a, 3)", "np.squeeze(a[None], 0).copy()",
                     "np.rollaxis(a, 0).copy()", "np.expand_dims(a, 0).copy()", "np.block([a, b])", "a.copy()", "a.ravel()", "a.tobytes()")),
    Group("shapes", ("a.astype(np.float64)", "a.astype(np.int32)", "np.astype(a, np.float32)", "a.fill(s); return a",
                     "np.real(a).copy()", "np.imag(a)", "a.conj()"), NUMBERS),
    Group("shapes", ("np.rot90(a).copy()", "np.fliplr(a).copy()", "np.flipud(a).copy()", "np.tril(a)", "np.triu(a, 1)", "np.diagonal(a).copy()",
                     "np.diag(a)", "np.vsplit(a, [1])", "np.hsplit(a, [1])", "a.diagonal().copy()", "np.matrix_transpose(a).copy()",
                     "np.row_stack((a, b))", "np.fill_diagonal(a, s); return a", "np.tril_indices_from(q)", "np.triu_indices_from(q)",
                     "np.diag_indices_from(q)", "np.unstack(a)[0] if False else a[0].copy()"), dimensions=(2,)),
    Group("shapes", ("np.vander(v[:50])", "np.diag(v[:50])", "np.diagflat(v[:50])", "np.meshgrid(v[:100], v[:100])", "np.ix_(k[:3], k[:3])",
                     "np.trim_zeros(v)", "np.atleast_2d(v)"), NUMBERS, (1,)),
    Group("creation", ("np.zeros(n)", "np.ones(n)", "np.full(n, s)", "np.empty_like(a).size", "np.zeros_like(a)", "np.ones_like(a)",
                       "np.full_like(a, s)", "np.arange(n)", "np.linspace(0.0, 1.0, n)", "np.logspace(0.0, 1.0, n)",
                       "np.geomspace(1.0, 9.0, n)", "np.hamming(n)", "np.hanning(n)", "np.bartlett(n)", "np.blackman(n)",
                       "np.kaiser(n, 14.0)", "np.identity(30)", "np.eye(30)", "np.tri(30)", "np.indices((30, 40))",
                       "np.tril_indices(30)", "np.triu_indices(30)", "np.diag_indices(30)"), NUMBERS, (1,), 10**6),
    Group("choosing", ("np.where(m, a, b)", "np.where(m, a, s)", "np.where(m)", "np.nonzero(a)", "np.argwhere(m)", "np.flatnonzero(a)",
                       "np.extract(m, a)", "np.compress(m.ravel(), a)", "np.take(a, k)", "np.take(a, k, axis=0)", "np.choose(k % 2, (v, v))",
                       "np.select([m], [a], 0)", "np.put(a, k, s); return a", "np.place(a, m, v); return a", "np.putmask(a, m, v); return a",
                       "np.copyto(a, b); return a", "a.take(k)", "a.nonzero()", "a.repeat(2)", "np.take_along_axis(v, k, 0)",
                       "np.put_along_axis(v, k, v, 0); return v", "a.compress(m.ravel())", "a.put(k, s); return a", "np.piecewise(a, [m], [s, s])",
                       "np.ravel_multi_index((k, k), (n, n))", "np.unravel_index(k, (n, 1))")),
    Group("choosing", ("np.clip(a, 1, 7)", "np.clip(a, b, b)", "a.clip(1, 7)", "np.nan_to_num(a)", "np.round(a, 1)", "np.around(a, 2)",
                       "np.fix(a)", "np.isclose(a, b)", "np.allclose(a, a)", "np.array_equal(a, a)", "np.array_equiv(a, a)", "a.round(1)",
                       "np.fabs(a)", "np.round_(a, 1)", "np.asarray_chkfinite(a)"), FLOATS),
    Group("choosing", ("np.angle(a)", "np.real(a)", "np.conj(a)", "np.absolute(a)"), ("complex128",)),
    Group("choosing", ("np.packbits(m)", "np.unpackbits(np.packbits(m))", "np.packbits(m, axis=0)"), ("bool",)),
    Group("iterating", ("sum([x for x in v])", "sum([x for x in a.flat])", "len(a.tolist())"), ("float64", "int64"), largest=10**5),
    Group("polynomials", ("np.polyval(v[:8], a)", "np.polyfit(v, v, 2)", "np.roots(v[:8])", "np.poly(v[:8])", "np.polyadd(v, v)",
                          "np.polysub(v, v)", "np.polymul(v[:99], v[:99])", "np.polydiv(v[:30], v[:9])", "np.polyder(v)", "np.polyint(v)",
                          "np.polynomial.polynomial.polyval(a, v[:8])", "np.polynomial.polynomial.polymul(v[:99], v[:99])",
                          "np.polynomial.polynomial.polyadd(v, v)", "np.polynomial.polynomial.polysub(v, v)",
                          "np.polynomial.polynomial.polyder(v)", "np.polynomial.polynomial.polyint(v)",
                          "np.polynomial.polynomial.polydiv(v[:30], v[:9])", "np.polynomial.polyutils.trimseq(v)"), FLOATS, (1,), 10**5),
    Group("spectra", ("np.fft.fft(v)", "np.fft.rfft(v.real)", "np.fft.ifft(v)", "np.fft.fft(a, axis=0)"), ("complex128", "float64"), (1, 2), 10**5),
    Group("random", methods("rand randn random random_sample ranf sample standard_cauchy standard_exponential standard_normal", "np.random")
          + ("np.random.beta(2.0, 3.0, n)", "np.random.binomial(20, 0.3, n)", "np.random.chisquare(3.0, n)", "np.random.exponential(2.0, n)",
             "np.random.f(3.0, 4.0, n)", "np.random.gamma(2.0, 3.0, n)", "np.random.geometric(0.3, n)", "np.random.gumbel(0.0, 1.0, n)",
             "np.random.hypergeometric(9, 8, 7, n)", "np.random.laplace(0.0, 1.0, n)", "np.random.logistic(0.0, 1.0, n)",
             "np.random.lognormal(0.0, 1.0, n)", "np.random.logseries(0.3, n)", "np.random.multinomial(9, [0.3, 0.7], n)",
             "np.random.negative_binomial(9, 0.4, n)", "np.random.normal(0.0, 1.0, n)", "np.random.pareto(2.0, n)", "np.random.poisson(4.0, n)",
             "np.random.power(2.0, n)", "np.random.randint(0, 99, n)", "np.random.rayleigh(2.0, n)", "np.random.standard_gamma(2.0, n)",
             "np.random.standard_t(3.0, n)", "np.random.triangular(0.0, 1.0, 3.0, n)", "np.random.uniform(0.0, 3.0, n)",
             "np.random.vonmises(0.0, 1.0, n)", "np.random.wald(1.0, 2.0, n)", "np.random.weibull(2.0, n)", "np.random.zipf(3.0, n)",
             "np.random.permutation(v)", "np.random.shuffle(v); return v", "np.random.choice(v, 50)", "np.random.dirichlet((1.0, 2.0), n)"),
          ("float64",), (1,), 10**5),
    Group("random", methods("random standard_exponential standard_normal standard_cauchy", "g", "size=n")
          + ("g.beta(2.0, 3.0, n)", "g.chisquare(3.0, n)", "g.exponential(2.0, n)", "g.f(3.0, 4.0, n)", "g.gamma(2.0, 3.0, n)",
             "g.geometric(0.3, n)", "g.integers(0, 99, n)", "g.laplace(0.0, 1.0, n)", "g.logistic(0.0, 1.0, n)", "g.lognormal(0.0, 1.0, n)",
             "g.normal(0.0, 1.0, n)", "g.pareto(2.0, n)", "g.poisson(4.0, n)", "g.power(2.0, n)", "g.rayleigh(2.0, n)",
             "g.standard_gamma(2.0, n)", "g.standard_t(3.0, n)", "g.triangular(0.0, 1.0, 3.0, n)", "g.uniform(0.0, 3.0, n)",
             "g.wald(1.0, 2.0, n)", "g.weibull(2.0, n)", "g.zipf(3.0, n)", "g.permutation(v)", "g.shuffle(v); return v",
             "g.binomial(20, 0.3, n)", "g.negative_binomial(9, 0.4, n)", "g.vonmises(0.0, 1.0, n)", "g.gumbel(0.0, 1.0, n)"),
          ("float64",), (1,), 10**5),
]
