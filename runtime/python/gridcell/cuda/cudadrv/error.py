# SPDX-License-Identifier: MIT
"""numba.cuda.cudadrv.error."""


class _ErrorOfLines(Exception):
    def __str__(self):
        return "\n".join(map(str, self.args))


class CudaDriverError(Exception):
    pass


class CudaSupportError(ImportError):
    pass


class CudaRuntimeError(Exception):
    pass


class NvvmError(_ErrorOfLines):
    pass


class NvvmSupportError(ImportError):
    pass


class NvvmWarning(Warning):
    pass


class NvrtcError(_ErrorOfLines):
    pass


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
