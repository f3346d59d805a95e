# SPDX-License-Identifier: MIT
"""Texts of cases: calls of NumPy's functions with what they take."""


def calls(text):
    return tuple(line.strip() for line in text.strip().splitlines())


def each(names, call):
    return tuple(call.replace("f(", f"{name}(") for name in names.split())


OF_TIMES = calls("""
    np.isnat(a)
    np.sort(a)
    np.argsort(a)
    np.unique(a)
    np.min(a)
    np.max(a)
    np.argmin(a)
    np.argmax(a)
    np.absolute(a)
    np.negative(a)
    np.sign(a)
    a.astype('m8[s]')
    a.astype('M8[D]')
    a.astype('M8[s]')
    a.astype(np.int64)
    a.copy()
    a.ravel()
    np.where(np.isnat(a), a, a)
    np.median(a)
    np.diff(a)
    np.cumsum(a)
    np.sum(a)
    np.mean(a)
""")
OF_TWO_TIMES = calls("""
    np.maximum(a, b)
    np.minimum(a, b)
    np.fmax(a, b)
    np.fmin(a, b)
    np.add(a, b)
    np.subtract(a, b)
    np.divide(a, b)
    np.floor_divide(a, b)
    np.remainder(a, b)
    np.less(a, b)
    np.equal(a, b)
    np.concatenate((a, b))
    np.searchsorted(np.sort(a), b)
    np.isin(a, b)
""")
UFUNC_METHODS = calls("""
    reduce(a)
    reduce(a, axis=0)
    reduce(a, axis=1)
    reduce(a, axis=-1)
    reduce(a, axis=None)
    reduce(a, axis=())
    reduce(a, axis=(0, 1))
    reduce(a, axis=0, keepdims=True)
    reduce(a, initial=2)
    reduce(a, dtype=np.float64)
    reduce(a, dtype=np.int64)
    accumulate(a)
    accumulate(a, axis=-1)
    accumulate(a, dtype=np.float64)
    reduceat(a, [0, 2, 1])
    reduceat(a, [0, 2, 1], axis=-1)
""")
AXES = ("a", "a, axis=0", "a, axis=1", "a, axis=-1", "a, axis=None", "a, axis=(0, 1)", "a, axis=()", "a, axis=0, keepdims=True",
        "a, keepdims=True", "a, axis=2")


def with_axes(names, arguments=AXES):
    return tuple(f"np.{name}({text})" for name in names.split() for text in arguments)


# results are some of the items, places, or shapes: exact for every value
CHOOSING = (*with_axes("min max amin amax all any nanmin nanmax count_nonzero"), *with_axes(
    "argmin argmax nanargmin nanargmax", ("a", "a, axis=0", "a, axis=1", "a, axis=-1", "a, axis=0, keepdims=True", "a, axis=None")),
    *with_axes("sort", ("a", "a, axis=0", "a, axis=-1", "a, axis=None", "a, kind='stable'")),
    *with_axes("unique", ("a", "a, return_index=True", "a, return_inverse=True", "a, return_counts=True", "a, axis=0",
                          "a, equal_nan=False")),
    *with_axes("flip roll", ("a", "a, axis=0", "a, 1", "a, -2", "a, 2, axis=-1", "a, 1, axis=0")), *calls("""
    np.take_along_axis(a, np.argsort(a), axis=-1)
    np.take_along_axis(a, np.argsort(a, axis=0), axis=0)
    np.ravel(a)[np.argsort(a, axis=None)]
    np.argsort(a, kind='stable')
    np.min(a, initial=3)
    np.max(a, initial=3, where=a > 0)
    np.min(a, out=np.empty(4, a.dtype), axis=0)
    np.any(a, where=a > 0)
    np.copy(a)
    np.asarray(a)
    np.ascontiguousarray(a)
    np.asfortranarray(a)
    np.array(a)
    np.array([a, a])
    np.atleast_1d(a)
    np.atleast_2d(a)
    np.atleast_3d(a)
    np.append(a, a)
    np.append(a, 2)
    np.append(a, a, axis=0)
    np.insert(a, 1, 5)
    np.insert(a, 1, a)
    np.insert(a, [2], [98, 99])
    np.insert(a, [0, 2], [98, 99])
    np.insert(a, 1, 7, axis=0)
    np.insert(a, 2, 7, axis=-1)
    np.delete(a, 1)
    np.delete(a, [0, 2])
    np.delete(a, -1, axis=0)
    np.delete(a, slice(0, 2))
    np.argwhere(a)
    np.flatnonzero(a)
    np.nonzero(a)
    np.array_split(a, 3)
    np.split(a, 3)
    np.hsplit(a, 2)
    np.vsplit(a, 3)
    np.broadcast_to(a, (3, 12))
    np.broadcast_to(a, (2, 3, 4))
    np.choose([0, 1, 0], (a, a))
    np.clip(a, 1, 7)
    np.clip(a, a, 7)
    np.clip(a, None, 7)
    np.clip(a, 1, None)
    np.clip(a, 1.5, 7)
    np.column_stack((a, a))
    np.compress([True, False, True], a)
    np.compress([True, False, True], a, axis=0)
    np.concatenate((a, a))
    np.concatenate((a, a), axis=-1)
    np.concatenate((a, a), axis=None)
    np.diag(a)
    np.diag(a, 1)
    np.diagflat(a)
    np.diagonal(a)
    np.diff(a)
    np.diff(a, 2)
    np.diff(a, axis=0)
    np.digitize(a, [0, 2, 5])
    np.digitize(a, [5, 2, 0], right=True)
    np.dstack((a, a))
    np.hstack((a, a))
    np.vstack((a, a))
    np.stack((a, a))
    np.stack((a, a), axis=-1)
    np.dsplit(a, 1)
    np.ediff1d(a)
    np.ediff1d(a, 1, 2)
    np.empty_like(a).shape
    np.zeros_like(a)
    np.ones_like(a)
    np.full_like(a, 3)
    np.full_like(a, 3.7)
    np.full(3, a)
    np.expand_dims(a, 0)
    np.expand_dims(a, -1)
    np.expand_dims(a, (0, 1))
    np.extract(a > 0, a)
    np.fill_diagonal(a, 3); return a
    np.fix(a)
    np.fliplr(a)
    np.flipud(a)
    np.imag(a)
    np.real(a)
    np.isclose(a, a)
    np.isclose(a, 1)
    np.allclose(a, a)
    np.array_equal(a, a)
    np.array_equal(a, a, equal_nan=True)
    np.array_equiv(a, a)
    np.iscomplexobj(a)
    np.isrealobj(a)
    np.isin(a, [0, 1, 7])
    np.isin(a, [0, 1, 7], invert=True)
    np.intersect1d(a, a)
    np.setdiff1d(a, [0, 1])
    np.setxor1d(a, [0, 1])
    np.union1d(a, a)
    np.union1d(a, [0, 1])
    np.iinfo(np.int8).max
    np.indices((2, 3))
    np.ix_(np.array([0, 1]), np.array([0, 2]))
    np.lexsort((a, a))
    np.meshgrid(a, a)
    np.moveaxis(a, 0, -1)
    np.swapaxes(a, 0, -1)
    np.transpose(a)
    np.rollaxis(a, 0)
    np.nan_to_num(a)
    np.nan_to_num(a, nan=1, posinf=2, neginf=3)
    np.ndim(a)
    np.shape(a)
    np.size(a)
    np.size(a, 0)
    np.packbits(a)
    np.packbits(a, axis=-1)
    np.unpackbits(a)
    np.unpackbits(a, axis=0)
    np.pad(a, 1)
    np.pad(a, 1, mode='edge')
    np.pad(a, (1, 2), mode='constant', constant_values=3)
    np.pad(a, 1, mode='reflect')
    np.pad(a, 1, mode='wrap')
    p = np.partition(a, 2); return p[..., 2], np.sort(p[..., :2]), np.sort(p[..., 3:])
    np.partition(a, 2)[2]
    np.argpartition(a, 2).shape
    np.piecewise(a, [a > 0, a < 0], [1, -1])
    np.piecewise(a, [a > 0], [1, 2])
    np.place(a, a > 0, [1, 2]); return a
    np.put(a, [0, 2], [7, 8]); return a
    np.put(a, [0, -1], 5); return a
    np.putmask(a, a > 0, [7, 8]); return a
    np.copyto(a, 3); return a
    np.copyto(a, a); return a
    np.copyto(a, 2.5); return a
    np.copyto(a, 2.5, casting='unsafe'); return a
    np.ravel(a)
    np.ravel(a, order='F')
    np.repeat(a, 2)
    np.repeat(a, 2, axis=0)
    np.repeat(a, [1, 0, 2], axis=0)
    np.reshape(a, -1)
    np.reshape(a, (4, 3))
    np.reshape(a, (2, -1), order='F')
    np.resize(a, 5)
    np.resize(a, (2, 10))
    np.rot90(a)
    np.rot90(a, 2)
    np.round(a)
    np.round(a, 1)
    np.round(a, -1)
    np.searchsorted(np.arange(5), a)
    np.searchsorted(np.arange(5), a, side='right')
    np.select([a > 0, a < 0], [a, a])
    np.select([a > 0, a < 0], [a, a], 3)
    np.squeeze(a)
    np.take(a, 1)
    np.take(a, [0, 2, -1])
    np.take(a, [0, 2], axis=0)
    np.take(a, [0, 2], axis=-1)
    np.take(a, [0, 99], mode='clip')
    np.take(a, [0, 99], mode='wrap')
    np.take(a, [0, 99])
    np.take_along_axis(a, np.argsort(a, axis=0), axis=0)
    np.tile(a, 2)
    np.tile(a, (2, 1))
    np.tri(3)
    np.tril(a)
    np.tril(a, 1)
    np.triu(a)
    np.triu(a, -1)
    np.trim_zeros(a)
    np.unstack(a)
    np.where(a)
    np.where(a > 0, a, 2)
    np.where(a > 0, a, 2.5)
    np.where(a, 1, 0)
    np.where(True, a, 1)
    [(i, x) for i, x in np.ndenumerate(a)]
    np.histogram(a)
    np.histogram(a, 3)
    np.histogram(a, [0, 1, 5])
    np.ptp(a)
    np.ptp(a, axis=0)
    np.median(a)
    np.nanmedian(a)
    np.median(a, axis=0)
    np.percentile(a, 50)
    np.percentile(a, [10, 50])
    np.quantile(a, 0.3)
    np.quantile(a, 0.5, axis=0)
    np.nanpercentile(a, 50)
    np.nanquantile(a, 0.3)
    np.linspace(0, 1, 3) + a
    np.matrix_transpose(a)
    np.permute_dims(a)
    np.broadcast_arrays(a, a)
    np.unravel_index([1, 2], (2, 3))
    np.unwrap(a)
    np.interp(a, [0, 1, 2], [1, 2, 4])
    np.result_type(a, np.int8)
"""))

# results are rounded
NEAR = calls("""
    np.angle(a)
    np.kron(a, a)
    np.sinc(a)
    np.vander(a)
    np.vander(a, 3)
""")
SUMS = (*with_axes("sum prod mean nansum nanprod nanmean"), *with_axes("sum prod mean std var", (
    "a, dtype=np.float32", "a, dtype=np.float64", "a, dtype=np.int64", "a, axis=0, dtype=np.float64", "a, dtype=np.complex128",
    "a, where=a > 0", "a, axis=-1, where=a > 0")), *with_axes("std var nanstd nanvar", (*AXES, "a, ddof=1", "a, axis=0, ddof=1")),
    *with_axes("cumsum cumprod nancumsum nancumprod", ("a", "a, axis=0", "a, axis=1", "a, axis=-1", "a, axis=None",
                                                       "a, dtype=np.float64")), *calls("""
    np.sum(a, initial=2)
    np.prod(a, initial=2)
    np.sum(a, out=np.zeros(4), axis=0)
    np.average(a)
    np.average(a, axis=0)
    np.average(a, weights=a)
    np.cov(a)
    np.cov(a, ddof=0)
    np.cov(a, rowvar=False)
    np.corrcoef(a)
    np.trace(a)
    np.trace(a, 1)
    np.trapezoid(a)
    np.trapezoid(a, dx=0.5)
    np.gradient(a)
    np.gradient(a, 2)
    np.gradient(a, axis=0)
    np.linalg.norm(a)
    np.linalg.norm(a, 1)
    np.linalg.norm(a, axis=0)
    np.linalg.norm(a, np.inf)
    np.poly(a)
    np.polyval([1, 2, 3], a)
    np.polyval(a, 2)
    np.polyder(a)
    np.polyint(a)
    np.polyadd(a, a)
    np.polymul(a, a)
    np.polysub(a, [1])
    np.bartlett(5)
    np.hamming(5)
    np.bincount(np.arange(12), a)
    np.einsum('i->', a)
    np.einsum('ij->j', a)
    np.einsum('i,i', a, a)
"""))
SUMS_OF_TWO = calls("""
    np.dot(a, b)
    np.dot(a, b.T)
    np.dot(a.T, b)
    a @ b
    a @ b.T
    a.T @ b
    np.matmul(a, b)
    np.inner(a, b)
    np.outer(a, b)
    np.vdot(a, b)
    np.tensordot(a, b, axes=1)
    np.tensordot(a, b, axes=2)
    np.convolve(a, b)
    np.convolve(a, b, 'same')
    np.correlate(a, b)
    np.correlate(a, b, 'full')
    np.cross(a, b)
    np.interp(a, b, b)
    np.average(a, weights=b)
    np.trapezoid(a, b)
    np.polyadd(a, b)
    np.polymul(a, b)
    np.polyval(a, b)
    np.kron(a, b)
    np.cov(a, b)
    np.einsum('i,i->i', a, b)
    np.vecdot(a, b)
    np.maximum(a, b).sum()
""")
OF_TWO = calls("""
    np.append(a, b)
    np.append(a, b, axis=0)
    np.concatenate((a, b))
    np.concatenate((a, b), axis=None)
    np.hstack((a, b))
    np.vstack((a, b))
    np.stack((a, b))
    np.column_stack((a, b))
    np.dstack((a, b))
    np.where(a > 0, a, b)
    np.where(a, b, a)
    np.searchsorted(np.sort(a), b)
    np.searchsorted(np.sort(a), b, side='right')
    np.digitize(a, b)
    np.isin(a, b)
    np.intersect1d(a, b)
    np.setdiff1d(a, b)
    np.setxor1d(a, b)
    np.union1d(a, b)
    np.isclose(a, b)
    np.allclose(a, b)
    np.array_equal(a, b)
    np.array_equiv(a, b)
    np.clip(a, b, b)
    np.clip(a, 0, b)
    np.copyto(a, b); return a
    np.copyto(a, b, casting='unsafe'); return a
    np.copyto(a, b, where=a > 0); return a
    np.place(a, a > 0, b); return a
    np.put(a, [0, 1, 2], b); return a
    np.putmask(a, a > 0, b); return a
    np.insert(a, 1, b)
    np.insert(a, [0, 2], b)
    np.take(a, b)
    np.take(a, b, mode='clip')
    np.delete(a, b)
    np.select([a > 0], [b], 0)
    np.select([a > 0, b > 0], [a, b], 1)
    np.choose(a, (b, b))
    np.extract(a > 0, b)
    np.compress(a > 0, b)
    np.lexsort((a, b))
    np.broadcast_arrays(a, b)
    np.meshgrid(a, b)
    np.full_like(a, b)
    np.result_type(a, b)
    a[b]
    a[0] = b[0]; return a
    a[:] = b; return a
    a[a > 0] = b; return a
    a[b] = 3; return a
    a[0:2] = b[0:2]; return a
    a.flat[1] = b.flat[0]; return a
    np.fill_diagonal(a, b); return a
    np.array([a, b])
    np.array([a[0], b[0]])
""")
# NumPy adds the length until an index is inside, which lasts for large ones; counts fill the memory
WRAPPED = ("np.take(a, b, mode='wrap')", "np.repeat(a, b)", "np.bincount(a, b)")
COUNTED = ("np.bincount(a)", "np.bincount(a, minlength=5)")
METHODS = (*(f"a.{name}({text})" for name in ("min", "max", "all", "any") for text in
             ("", "axis=0", "axis=1", "axis=-1", "0", "axis=None", "axis=0, keepdims=True")),
           *(f"a.{name}({text})" for name in ("argmin", "argmax") for text in ("", "axis=0", "axis=-1")), *calls("""
    np.take_along_axis(a, a.argsort(), axis=-1)
    np.take_along_axis(a, a.argsort(axis=0), axis=0)
    np.take_along_axis(a, a.argsort(axis=-1), axis=-1)
    a.T
    a.copy()
    a.copy(order='F')
    a.ravel()
    a.flatten()
    a.flatten(order='F')
    a.reshape(-1)
    a.reshape(4, 3)
    a.reshape((2, 6))
    a.reshape(-1)[...] = 1; return a
    a.ravel()[...] = 1; return a
    a.reshape(-1).fill(2); return a
    a.fill(3); return a
    a.fill(2.5); return a
    a.item()
    a.item(0)
    a.item(-1)
    a.item(99)
    a.itemset(0, 3); return a
    a.itemsize
    a.nbytes
    a.ndim
    a.size
    a.shape
    a.strides
    a.real
    a.imag
    a.conj()
    a.conjugate()
    a.nonzero()
    a.sort(); return a
    a.sort(axis=0); return a
    c = a.copy(); c.partition(2); return c[2]
    a.clip(1, 7)
    a.clip(1)
    a.round()
    a.round(1)
    a.repeat(2)
    a.repeat(2, axis=0)
    a.take([0, 2])
    a.take([0, 2], axis=0)
    a.take([0, -1], mode='wrap')
    a.put([0, 1], 7); return a
    np.sort(a).searchsorted(3)
    a.squeeze()
    a.swapaxes(0, -1)
    a.transpose()
    a.diagonal()
    a.diagonal(1)
    a.compress([True, False, True])
    a.tobytes()
    a.tolist()
    a.view(np.uint8)
    a.view(np.int64)
    a.view(np.float32)
    a.ptp()
    a.flat[2]
    a.flat[-1]
    a[0]
    a[-1]
    a[99]
    a[::-1]
    a[1::2]
    a[..., 0]
    a[None]
    a[[0, 2]]
    a[[0, -1, 0]]
    a[a > 0]
    a[a == a]
    a[-99:99]
    a[5:2]
    a[::-2]
    a[0] = 7; return a
    a[...] = 7; return a
    a[1:] = a[:-1]; return a
    a[::-1] = a; return a
    a[:] = 2.5; return a
    a[0] = 2.5; return a
    a[0] += 1; return a
    a[[0, 0, 1]] += 1; return a
    a[a > 0] *= 2; return a
    len(a)
    list(a.flat)
    bool(a)
    a in a
    3 in a
    a.astype('f4')
    a.dtype.itemsize
    min(a)
    max(a)
    sum(a)
    sorted(a)
    sorted(a.flat)
    any(a)
    all(a)
    list(a)
    tuple(a.shape)
    [x for x in a]
"""))
SUM_METHODS = (*(f"a.{name}({text})" for name in ("sum", "prod", "mean", "std", "var", "cumsum", "cumprod") for text in
                 ("", "axis=0", "axis=1", "axis=-1", "0", "dtype=np.float64", "axis=0, dtype=np.float32")),
               *calls("""
    a.trace()
    a.dot(a)
    a.sum(axis=0, keepdims=True)
    a.var(ddof=1)
    a.std(axis=0, ddof=1)
"""))
MATH = each("sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp expm1 log log1p log2 log10 sqrt fabs floor ceil "
            "trunc isnan isinf isfinite degrees radians gamma lgamma erf erfc exp2 cbrt ulp frexp modf isqrt", "math.f(a)")
MATH_OF_TWO = each("atan2 pow fmod hypot copysign ldexp remainder gcd lcm log nextafter isclose", "math.f(a, b)")
# whose results have more digits than memory for what is not small
COUNTS = ("math.factorial(a)",)
COUNTS_OF_TWO = ("math.comb(a, b)", "math.perm(a, b)")
