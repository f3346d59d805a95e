# SPDX-License-Identifier: MIT
"""Random numbers for host and device arrays, as pyculib had them from cuRAND.

PRNG has pseudo-random numbers, QRNG points that fill a space evenly (Sobol's). Equal seeds give
equal numbers here on every device; they are not cuRAND's.
"""
import numpy as np

from gridcell import cuda

from .arguments import put
from .sobol import sobol


def _setting(name, doc=None):
    """A property of whole numbers; setting it starts the sequence anew."""
    def change(self, value):
        setattr(self, name, int(value))
        self._start()
    return property(lambda self: getattr(self, name), change, doc=doc)


class _Generator:
    offset = _setting("_offset", "How many numbers of the sequence are left out at its start.")

    def __init__(self, rndtype, seed, offset, stream):
        self._type, self._seed, self._offset, self.stream = rndtype, seed, offset or 0, stream or 0
        self._start()

    @property
    def rndtype(self):
        return self._type

    def _fill(self, array, size, values):
        count = array.size if size is None else size
        if array.ndim != 1:
            raise TypeError("Only accept 1-D array")
        if array.strides[0] != array.dtype.itemsize:
            raise TypeError("Only accept unit strided array")
        if not 0 <= count <= array.size:
            raise ValueError(f"an array of {array.size} items takes no {count} numbers")
        put(array[:count], values(count), self.stream)


class PRNG(_Generator):
    """Pseudo-random numbers; `rndtype` names cuRAND's generator, each with a sequence of its own."""

    TEST, DEFAULT, XORWOW, MRG32K3A, MTGP32 = 0, 100, 101, 121, 141
    seed = _setting("_seed")

    def __init__(self, rndtype=DEFAULT, seed=None, offset=None, stream=None):
        if rndtype not in (self.TEST, self.DEFAULT, self.XORWOW, self.MRG32K3A, self.MTGP32):
            raise ValueError(f"no generator of pseudo-random numbers is {rndtype!r}")
        super().__init__(rndtype, 0 if seed is None else seed, offset, stream)

    def _start(self):
        bits = np.random.Philox(key=(self._seed & (1 << 64) - 1) | self._type << 64)
        self._numbers = np.random.Generator(bits.advance(self._offset // 4))
        self._numbers.integers(0, 1 << 64, self._offset % 4, np.uint64)

    def uniform(self, ary, size=None):
        """Fills with floats from above 0 up to 1, or with integers of all values."""
        self._fill(ary, size, lambda count: _uniform(self._numbers, count, ary.dtype))

    def normal(self, ary, mean, sigma, size=None):
        """Fills with normally distributed floats."""
        self._fill(ary, size, lambda count: self._numbers.normal(mean, sigma, count))

    def lognormal(self, ary, mean, sigma, size=None):
        """Fills with floats whose logarithms are normally distributed."""
        self._fill(ary, size, lambda count: self._numbers.lognormal(mean, sigma, count))

    def poisson(self, ary, lmbd, size=None):
        """Fills with uint32 numbers of Poisson's distribution."""
        if ary.dtype != np.uint32:
            raise ValueError(f"Poisson's numbers are uint32, not {ary.dtype}")
        self._fill(ary, size, lambda count: self._numbers.poisson(lmbd, count))


def _uniform(numbers, count, dtype):
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return numbers.integers(info.min, info.max, count, dtype, endpoint=True)
    return (1 - numbers.random(count, np.float32 if dtype == np.float32 else np.float64))


class QRNG(_Generator):
    """Sobol's points in `ndim` dimensions: all first coordinates, then all second ones, ..."""

    TEST, DEFAULT = 0, 200
    SOBOL32, SCRAMBLED_SOBOL32, SOBOL64, SCRAMBLED_SOBOL64 = 201, 202, 203, 204
    ndim = _setting("_ndim")

    def __init__(self, rndtype=DEFAULT, ndim=None, offset=None, stream=None):
        self._bits = {self.TEST: 32, self.DEFAULT: 32, self.SOBOL32: 32, self.SCRAMBLED_SOBOL32: 32,
                      self.SOBOL64: 64, self.SCRAMBLED_SOBOL64: 64}.get(rndtype)
        if self._bits is None:
            raise ValueError(f"no generator of Sobol's points is {rndtype!r}")
        self._is_scrambled = rndtype in (self.SCRAMBLED_SOBOL32, self.SCRAMBLED_SOBOL64)
        self._ndim = 1 if ndim is None else ndim
        super().__init__(rndtype, 0, offset, stream)

    def _start(self):
        self._at = self._offset

    def generate(self, ary, size=None):
        """Fills with integers of the generator's 32 or 64 bits, or with floats from above 0 to 1."""
        def values(count):
            if count % self._ndim:
                raise ValueError(f"{count} numbers are no points of {self._ndim} dimensions")
            points = sobol(count // self._ndim, self._ndim, self._bits, self._at, self._is_scrambled)
            self._at += count // self._ndim
            if ary.dtype.kind in "iu":
                return points.astype(ary.dtype)
            return (points.astype(np.float64) + 1) / 2.0 ** self._bits

        self._fill(ary, size, values)


def _made(size, dtype, device, fill):
    result = cuda.device_array(size, dtype) if device else np.empty(size, dtype)
    fill(result)
    return result


def _fresh():
    return PRNG(seed=int(np.random.default_rng().integers(1 << 62)))


def uniform(size, dtype=np.float64, device=False):
    """A new array of uniformly distributed numbers, seeded by chance."""
    return _made(size, dtype, device, lambda ary: _fresh().uniform(ary))


def normal(mean, sigma, size, dtype=np.float64, device=False):
    """A new array of normally distributed numbers, seeded by chance."""
    return _made(size, dtype, device, lambda ary: _fresh().normal(ary, mean, sigma))


def lognormal(mean, sigma, size, dtype=np.float64, device=False):
    """A new array of lognormally distributed numbers, seeded by chance."""
    return _made(size, dtype, device, lambda ary: _fresh().lognormal(ary, mean, sigma))


def poisson(lmbd, size, device=False):
    """A new uint32 array of Poisson's numbers, seeded by chance."""
    return _made(size, np.uint32, device, lambda ary: _fresh().poisson(ary, lmbd))


def quasi(size, bits=32, nd=1, device=False):
    """A new array of Sobol's points, as integers of 32 or 64 bits."""
    kind = {32: QRNG.SOBOL32, 64: QRNG.SOBOL64}.get(bits)
    if kind is None:
        raise ValueError(f"Sobol's points have 32 or 64 bits, not {bits}")
    return _made(size, np.dtype(f"u{bits // 8}"), device, lambda ary: QRNG(kind, nd).generate(ary))
