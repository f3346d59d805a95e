# SPDX-License-Identifier: MIT
"""NVIDIA's libcufft, loaded when it is first asked for."""
import ctypes

from .arguments import stream_handle
from .library import Library

_library = Library("cuFFT", "libcufft", "12", "11", "10")
is_available = _library.is_available

_TYPE_CODES = {("f4", "c8"): (0x2a, "R2C"), ("c8", "f4"): (0x2c, "C2R"), ("c8", "c8"): (0x29, "C2C"),
               ("f8", "c16"): (0x6a, "D2Z"), ("c16", "f8"): (0x6c, "Z2D"),
               ("c16", "c16"): (0x69, "Z2Z")}


class Plan:
    """A plan of cuFFT, freed with the object."""

    def __init__(self, shape, itype, otype, batch):
        self._handle = None
        code, self._kind = _TYPE_CODES[itype, otype]
        handle = ctypes.c_int()
        extents = (ctypes.c_int * len(shape))(*shape)
        _library.check("cufftPlanMany", _library.cufftPlanMany(
            ctypes.byref(handle), len(shape), extents, None, 1, 0, None, 1, 0, code, batch))
        self._handle = handle

    def __del__(self):
        if self._handle is not None and _library is not None:
            _library.cufftDestroy(self._handle)

    def execute(self, source, target, direction, stream):
        """Transforms dense device arrays, in the order of the stream."""
        _library.check("cufftSetStream",
                       _library.cufftSetStream(self._handle, ctypes.c_void_p(stream_handle(stream))))
        run = getattr(_library, "cufftExec" + self._kind)
        arguments = [ctypes.c_void_p(array.__cuda_array_interface__["data"][0])
                     for array in (source, target)]
        if self._kind in ("C2C", "Z2Z"):
            arguments.append(direction)
        _library.check("cufftExec" + self._kind, run(self._handle, *arguments))
