"""The modules of numba.cuda that programs import, and what they take from them."""
import ctypes

import pytest
from common import cuda, raises

from numba import cuda as numba_cuda
from numba.cuda import extending, testing, types
from numba.cuda.cudadrv import drvapi, error, linkable_code, nvrtc


def test_types():
    from numba import types as plain
    from numba.cuda.types import bfloat16, float32
    assert float32 is plain.float32 and str(types.Array(bfloat16, 1, "C")) == "array(bfloat16, 1d, C)"


def test_extending():
    def twice(x):
        return x + x

    @extending.overload(twice)
    def overloaded(x):
        return lambda x: x * 2

    @cuda.jit
    def kernel(out):
        out[0] = twice(21)

    out = cuda.device_array(1, "i8")
    kernel[1, 1](out)
    assert out.copy_to_host()[0] == 42


def test_test_cases():
    class Case(testing.CUDATestCase):
        @testing.skip_unless_cc_53
        def test_runs(self):
            from numba import config
            self.assertEqual(config.CUDA_WARN_ON_IMPLICIT_COPY, 0)

    from numba import config
    before = config.CUDA_WARN_ON_IMPLICIT_COPY
    result = testing.unittest.TestResult()
    Case("test_runs").run(result)
    assert result.testsRun == 1 and result.wasSuccessful() and not result.skipped
    assert config.CUDA_WARN_ON_IMPLICIT_COPY == before


def test_driver_types():
    assert ctypes.sizeof(drvapi.cu_ipc_mem_handle) == 64
    assert ctypes.sizeof(drvapi.cu_device_ptr) == 8
    assert drvapi.CU_DEVICE_ATTRIBUTE_WARP_SIZE == 10
    assert issubclass(error.NvrtcBuiltinOperationFailure, error.NvrtcError)
    assert linkable_code.PTXSource is numba_cuda.PTXSource
    assert linkable_code.LIBRARIES_BY_SUFFIX[".cu"] is cuda.CUSource


def test_nvrtc():
    try:
        compiler = nvrtc.NVRTC()
    except error.NvrtcSupportError:
        pytest.skip("NVRTC is not installed")
    assert compiler.get_version() >= (11, 0) and (8, 0) in compiler.get_supported_archs()
    source = 'extern "C" __device__ int next(int x) { return x + 1; }'
    code, log = nvrtc.compile(source, "next.cu", (8, 0))
    assert ".target sm_80" in code and "next" in code and isinstance(log, str)
    with raises(error.NvrtcCompilationError, "whilst compiling bad.cu", "error"):
        nvrtc.compile("int f(", "bad.cu", (8, 0))
