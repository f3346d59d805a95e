# SPDX-License-Identifier: MIT
"""Fourier transforms of host and device arrays, by cuFFT on a GPU, else by NumPy.

As in cuFFT, inverse transforms are not divided by the number of elements. Arrays of one, two or
three dimensions are transformed over all of them.
"""
import numpy as np

from gridcell import cuda

from . import cufft_library

MODE_NATIVE = 0
MODE_FFTW_PADDING = 1
MODE_FFTW_ASYMMETRIC = 2
MODE_FFTW_ALL = 3
MODE_DEFAULT = MODE_FFTW_PADDING

FORWARD, INVERSE = -1, 1
_TYPES = {("f4", "c8"), ("f8", "c16"), ("c8", "f4"), ("c16", "f8"), ("c8", "c8"), ("c16", "c16")}
_COMPLEX = {"f4": "c8", "f8": "c16"}


def _code(dtype):
    return np.dtype(dtype).str[1:]


class FFTPlan:
    """A transform of arrays of one shape and dtype to another dtype, `batch` of them at once."""

    def __init__(self, shape, itype, otype, batch=1, stream=0, mode=MODE_DEFAULT):
        self.itype, self.otype = np.dtype(itype), np.dtype(otype)
        if (_code(itype), _code(otype)) not in _TYPES:
            raise ValueError("Invalid type combination")
        self.shape = tuple(map(int, shape)) if hasattr(shape, "__len__") else (int(shape),)
        if not 1 <= len(self.shape) <= 3:
            raise ValueError(f"transforms have 1 to 3 dimensions, not {len(self.shape)}")
        if batch < 1 or min(self.shape) < 1:
            raise ValueError(f"no transforms: batch {batch} of shape {self.shape}")
        self.batch, self.stream, self.mode = batch, stream, mode
        self.direction = ("both" if _code(itype) == _code(otype) else
                          "forward" if self.otype.kind == "c" else "inverse")
        self._plan = None

    def forward(self, ary, out=None):
        """The transform of `ary`: into `out`, or into a new array of `ary`'s kind."""
        return self._run(ary, out, FORWARD)

    def inverse(self, ary, out=None):
        """Likewise the inverse, not divided by the number of elements."""
        return self._run(ary, out, INVERSE)

    def _result_shape(self, direction):
        """A real transform's complex side holds half of the last axis, and one."""
        *first, last = self.shape
        is_half = self.itype.kind != self.otype.kind and direction == FORWARD
        inner = (*first, last // 2 + 1 if is_half else last)
        return inner if self.batch == 1 else (self.batch, *inner)

    def _given_shape(self, direction):
        *first, last = self.shape
        is_half = self.itype.kind != self.otype.kind and direction == INVERSE
        inner = (*first, last // 2 + 1 if is_half else last)
        return inner if self.batch == 1 else (self.batch, *inner)

    def _run(self, ary, out, direction):
        wanted = "forward" if direction == FORWARD else "inverse"
        if self.direction not in ("both", wanted):
            raise ValueError(f"Invalid operation: a plan from {self.itype} to {self.otype} goes "
                             f"{self.direction} only")
        ary = ary if cuda.is_cuda_array(ary) else np.asarray(ary)
        if tuple(ary.shape) != self._given_shape(direction):
            raise ValueError(f"a plan for arrays of shape {self._given_shape(direction)} is given "
                             f"one of {tuple(ary.shape)}")
        shape = self._result_shape(direction)
        is_host_result = out is None and not cuda.is_cuda_array(ary)
        target = out if out is not None else cuda.device_array(shape, self.otype, stream=self.stream)
        if tuple(target.shape) != shape or np.dtype(target.dtype) != self.otype:
            raise ValueError(f"`out` is an array of shape {shape} and dtype {self.otype}, not "
                             f"{tuple(target.shape)} and {target.dtype}")
        self._transform(ary, target, direction)
        return target.copy_to_host(stream=self.stream) if is_host_result else target

    def _transform(self, ary, target, direction):
        if not cuda.get_current_device().is_emulated and cufft_library.is_available():
            self._transform_on_device(ary, target, direction)
            return
        host = ary.copy_to_host(stream=self.stream) if hasattr(ary, "copy_to_host") else ary
        result = self._on_host(np.asarray(host).astype(self.itype, copy=False), direction)
        result = np.ascontiguousarray(result.astype(self.otype, copy=False))
        if hasattr(target, "copy_to_device"):
            target.copy_to_device(result, stream=self.stream)
        else:
            target[...] = result

    def _on_host(self, host, direction):
        axes = tuple(range(host.ndim - len(self.shape), host.ndim))
        if self.direction == "forward":
            return np.fft.rfftn(host, axes=axes)
        count = float(np.prod(self.shape))
        if self.direction == "inverse":
            return np.fft.irfftn(host, s=self.shape, axes=axes) * count
        if direction == FORWARD:
            return np.fft.fftn(host, axes=axes)
        return np.fft.ifftn(host, axes=axes) * count

    def _transform_on_device(self, ary, target, direction):
        """cuFFT reads dense memory; a real inverse transform overwrites what it reads."""
        is_device = cuda.is_cuda_array(ary)
        source = cuda.as_cuda_array(ary) if is_device else ary
        needs_copy = (not is_device or np.dtype(source.dtype) != self.itype
                      or not source.is_c_contiguous() or self.direction == "inverse")
        if needs_copy:
            host = source.copy_to_host() if is_device else source
            source = cuda.to_device(np.ascontiguousarray(host, self.itype), stream=self.stream)
        dense = target
        if not cuda.is_cuda_array(target) or not cuda.as_cuda_array(target).is_c_contiguous():
            dense = cuda.device_array(target.shape, self.otype, stream=self.stream)
        if self._plan is None:
            self._plan = cufft_library.Plan(self.shape, _code(self.itype), _code(self.otype),
                                            self.batch)
        self._plan.execute(source, cuda.as_cuda_array(dense), direction, self.stream)
        if dense is not target:
            if cuda.is_cuda_array(target):
                target.copy_to_device(dense, stream=self.stream)
            else:
                dense.copy_to_host(target, stream=self.stream)


def _complex_of(dtype):
    """complex64 for what it holds exactly enough: float32, complex64 and smaller; else complex128."""
    return np.dtype(np.complex64 if np.result_type(dtype, np.complex64) == np.complex64
                    else np.complex128)


def _dtypes(ary, out, direction):
    given = np.dtype(ary.dtype)
    if given.kind not in "fc" or given.itemsize > 16 or given.str[1:] == "f2":
        given = _complex_of(given)
    other = np.dtype(out.dtype) if out is not None else \
        _complex_of(given) if direction == FORWARD or given.kind == "c" else given
    return given, other


def _plan_shape(ary, out, given, other):
    """The shape of the transform: that of the real side, where there is one."""
    return tuple(out.shape if out is not None and other.kind == "f" and given.kind == "c"
                 else ary.shape)


def _shaped(ary):
    return ary if cuda.is_cuda_array(ary) else np.asarray(ary)


def _call(ary, out, stream, direction):
    ary = _shaped(ary)
    given, other = _dtypes(ary, out, direction)
    if given.kind == "f" and (direction == INVERSE or out is None):
        given = _complex_of(given)
        other = given if out is None else other
        if cuda.is_cuda_array(ary):
            ary = ary.copy_to_host()
        ary = np.asarray(ary).astype(given)
    plan = FFTPlan(_plan_shape(ary, out, given, other), given, other, stream=stream or 0)
    return (plan.forward if direction == FORWARD else plan.inverse)(ary, out)


def fft(ary, out=None, stream=None):
    """The transform of an array, into `out` or a new array where `ary` lies (host or device)."""
    return _call(ary, out, stream, FORWARD)


def ifft(ary, out=None, stream=None):
    """The inverse transform, not divided by the number of elements; otherwise as fft."""
    return _call(ary, out, stream, INVERSE)


def fft_inplace(ary, stream=None):
    """Transforms a complex array where it lies."""
    return _in_place(ary, stream, FORWARD)


def ifft_inplace(ary, stream=None):
    """Transforms a complex array back where it lies, not divided by the number of elements."""
    return _in_place(ary, stream, INVERSE)


def _in_place(ary, stream, direction):
    if np.dtype(ary.dtype).kind != "c":
        raise ValueError(f"only complex arrays are transformed in place, not {ary.dtype}")
    return _call(ary, ary, stream, direction)
