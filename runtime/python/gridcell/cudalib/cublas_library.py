# SPDX-License-Identifier: MIT
"""NVIDIA's libcublas for products of matrices, loaded when it is first asked for."""
import ctypes

import numpy as np

from gridcell import cuda

from .arguments import stream_handle
from .library import Library

_library = Library("cuBLAS", "libcublas", "13", "12", "11")
is_available = _library.is_available

_LETTERS = {"f4": "S", "f8": "D", "c8": "C", "c16": "Z"}
_OPERATIONS = {"N": 0, "T": 1, "C": 2}


class Handle:
    """A context of cuBLAS, ended with the object."""

    def __init__(self):
        self._handle = None
        handle = ctypes.c_void_p()
        _library.check("cublasCreate", _library.cublasCreate_v2(ctypes.byref(handle)))
        self._handle = handle

    def __del__(self):
        if self._handle is not None and _library is not None:
            _library.cublasDestroy_v2(self._handle)

    def gemm(self, transa, transb, m, n, k, alpha, a, b, beta, c, stream):
        """c = alpha op(a) op(b) + beta c, of device arrays in Fortran order."""
        _library.check("cublasSetStream",
                       _library.cublasSetStream_v2(self._handle, ctypes.c_void_p(stream_handle(stream))))
        scalars = np.array([alpha, beta], c.dtype)
        name = f"cublas{_LETTERS[c.dtype.str[1:]]}gemm_v2"

        def pointer(array):
            return ctypes.c_void_p(array.__cuda_array_interface__["data"][0])

        _library.check(name, getattr(_library, name)(
            self._handle, _OPERATIONS[transa.upper()], _OPERATIONS[transb.upper()], m, n, k,
            ctypes.c_void_p(scalars.ctypes.data), pointer(a), max(1, a.shape[0]), pointer(b),
            max(1, b.shape[0]), ctypes.c_void_p(scalars.ctypes.data + scalars.itemsize), pointer(c),
            max(1, c.shape[0])))


def can_multiply(*arrays):
    """Whether these are matrices of one dtype that cuBLAS reads where they are."""
    def is_fit(array):
        return array.ndim == 2 and (not cuda.is_cuda_array(array)
                                    or cuda.as_cuda_array(array).is_f_contiguous())

    return (not cuda.get_current_device().is_emulated and is_available()
            and len({array.dtype for array in arrays}) == 1
            and arrays[0].dtype.str[1:] in _LETTERS and all(map(is_fit, arrays)))
