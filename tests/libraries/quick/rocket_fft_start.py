"""rocket-fft, scipy: transforms of NumPy's and SciPy's in compiled functions, of all kinds, norms and axes"""
import numpy as np
import scipy.fft
from numba import njit

rng = np.random.default_rng(7)
line, grid = rng.normal(size=240), rng.normal(size=(12, 10))
wave = line + 1j * rng.normal(size=240)


@njit
def spectrum(signal, norm):
    found = np.fft.rfft(signal, norm=norm)
    return np.abs(found), np.fft.irfft(found, norm=norm), np.fft.rfftfreq(signal.size, 0.1)


@njit
def of_planes(plane, axes):
    whole = np.fft.fft2(plane)
    return np.fft.fftshift(whole), np.fft.ifftn(whole, axes=axes), scipy.fft.fft(plane, axis=0, norm="ortho")


@njit
def cosines(signal):
    return scipy.fft.dct(signal, 2), scipy.fft.idct(signal, 3), scipy.fft.dst(signal, 1), scipy.fft.hfft(signal + 0j)


def told(name, *arrays):
    print(name, *("%.9f" % np.abs(array).sum() for array in arrays), *(array.shape for array in arrays))


for norm in ("backward", "ortho", "forward"):
    told(norm, *spectrum(line, norm))
told("planes", *of_planes(grid, (0, 1)), *of_planes(grid.astype(np.float32), (1, 0)))
told("cosines", *cosines(line))
told("complex", njit(lambda x, n: np.fft.fft(x, n))(wave, 300), njit(lambda x: np.fft.ifft(x[::2]))(wave))
