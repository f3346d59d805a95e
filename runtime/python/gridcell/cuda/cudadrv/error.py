# SPDX-License-Identifier: MIT
"""numba.cuda.cudadrv.error."""


class CudaDriverError(Exception):
    pass


class CudaSupportError(ImportError):
    pass


class CudaRuntimeError(Exception):
    pass


class NvvmError(Exception):
    def __str__(self):
        return "\n".join(map(str, self.args))


class NvvmSupportError(ImportError):
    pass


class NvvmWarning(Warning):
    pass


class NvrtcError(Exception):
    def __str__(self):
        return "\n".join(map(str, self.args))


class NvrtcCompilationError(NvrtcError):
    pass


class NvrtcBuiltinOperationFailure(NvrtcError):
    pass


class NvrtcSupportError(ImportError):
    pass


class CCSupportError(RuntimeError):
    pass


for _class in (CudaDriverError, CudaSupportError, CudaRuntimeError, NvvmError, NvvmSupportError,
               NvvmWarning, NvrtcError, NvrtcCompilationError,
               NvrtcBuiltinOperationFailure, NvrtcSupportError, CCSupportError):
    _class.__module__ = "numba.cuda.cudadrv.error"
