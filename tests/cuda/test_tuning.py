"""What programs tell the device about kernels, and what it tells about them and itself."""
import logging
import re

import child
from common import cuda, equal, is_emulated, np, raises
from numba import float32, float64, int32
from numba.cuda.cudadrv.driver import CudaAPIError


@cuda.jit
def halves(a):
    shared = cuda.shared.array(1024, float64)
    shared[cuda.threadIdx.x] = a[cuda.threadIdx.x]
    cuda.syncthreads()
    a[cuda.threadIdx.x] = shared[cuda.threadIdx.x] / 2


def test_occupancy():
    a = np.full(32, 4.0)
    halves[1, 32](a)
    equal(a, np.full(32, 2.0))
    context, (version,) = cuda.current_context(), halves.overloads.values()
    for kernel in (halves, version):
        few = context.get_active_blocks_per_multiprocessor(kernel, 32, 0)
        assert few >= context.get_active_blocks_per_multiprocessor(kernel, 1024, 0) >= 1
    blocks, threads = context.get_max_potential_block_size(halves, None, 0, 0)
    assert blocks >= context.device.MULTIPROCESSOR_COUNT and 1 <= threads <= 1024
    limited = context.get_max_potential_block_size(halves, lambda threads: 4 * threads, 0, 100)
    assert 1 <= limited[1] <= 100
    with raises(ValueError, "no block has 0 threads"):
        context.get_active_blocks_per_multiprocessor(halves, 0, 0)
    with raises(ValueError, "0 compiled versions"):
        context.get_active_blocks_per_multiprocessor(cuda.jit(lambda a: None), 32, 0)


def test_carveout():
    for option, percent in ((50, 50), ("MaxShared", 100), ("maxl1", 0)):
        @cuda.jit(shared_memory_carveout=option)
        def kernel(a):
            a[0] = 1

        kernel[1, 1](np.zeros(1))
        (version,) = kernel.overloads.values()
        assert is_emulated() or version._attribute(9) == percent
    for option in (101, -2, "most", 1.5):
        with raises(ValueError, "must be"):
            cuda.jit(shared_memory_carveout=option)


@cuda.jit(device=True)
def called(x, n):
    for i in range(n):
        x = x * x + n / (x + i) - x * n if x > n else x / (n + 1) + i
    return x


def test_inlined_functions():
    def text(**options):
        function = cuda.jit(device=True, **options)(called.py_func)

        @cuda.jit
        def kernel(a, n):
            a[0] = function(a[0], n) + function(a[1], n + 1) + function(a[2], n)

        kernel[1, 1](np.ones(3), 5)
        # for a GPU the LLVM module is what libnvvm or NVPTX, which inline, are given
        (code,) = (kernel.inspect_llvm(host=True) if is_emulated() else kernel.inspect_asm()).values()
        return code

    for options in ({"forceinline": True}, {"inline": "always"}, {"inline": True}):
        assert not re.search(r"\bcall\b[^;]*called", text(**options))
    with raises(ValueError, "inline is 'never'"):
        cuda.jit(inline="sometimes")(called.py_func)
    ptx, _ = cuda.compile(called.py_func, float32(float32, int32), forceinline=True)
    assert ".func" in ptx


def test_old_views_of_a_kernel():
    kernel = cuda.jit("void(float64[:])")(halves.py_func)
    assert ".entry" in kernel.ptx and kernel.definition is not None
    assert cuda.is_fp8_supported() in (True, False)


def test_failures_are_logged():
    class Kept(logging.Handler):
        def __init__(self):
            super().__init__()
            self.lines = []

        def emit(self, record):
            self.lines.append((record.levelname, record.getMessage()))

    logger, kept = logging.getLogger("numba.cuda.cudadrv.driver"), Kept()
    level = logger.level
    logger.addHandler(kept)
    logger.setLevel(logging.ERROR)
    try:
        with raises(CudaAPIError, "CUDA_ERROR_OUT_OF_MEMORY"):
            cuda.current_context().memalloc(1 << 60)
    finally:
        logger.removeHandler(kept)
        logger.setLevel(level)
    (line,) = kept.lines
    assert line[0] == "ERROR" and line[1].endswith("results in CUDA_ERROR_OUT_OF_MEMORY")


def test_log_level_of_the_environment():
    source = """
import contextlib, io
with contextlib.redirect_stderr(io.StringIO()) as written:
    d = cuda.to_device(np.zeros(3))
    try:
        cuda.current_context().memalloc(1 << 60)
    except cuda.CudaAPIError:
        pass
import numba.cuda.cudadrv.log as log
print(is_emulated(), len(log.logger.handlers), log.logger.level)
"""
    assert child.run(source, NUMBA_CUDA_LOG_LEVEL="debug").split()[1:] == ["1", "10"]
    assert child.run(source, NUMBA_CUDA_LOG_LEVEL="").split()[1:] == ["1", "50"]


def test_frees_that_may_wait():
    source = """
from numba import config
waiting, freed = cuda.current_context().memory_manager.deallocations, []
for i in range(4):
    waiting.add_item(freed.append, i, 8)
    print(len(waiting), freed)
waiting.add_item(freed.append, 4, waiting.memory_capacity or 1)
print(len(waiting), len(freed))
"""
    assert child.run(source).split("\n")[:2] == ["0 [0]", "0 [0, 1]"]
    lines = child.run(source, NUMBA_CUDA_MAX_PENDING_DEALLOCS_COUNT="2").split("\n")
    assert lines[:3] == ["1 []", "2 []", "0 [0, 1, 2]"] and lines[4] == "0 5", lines
    lines = child.run(source, NUMBA_CUDA_MAX_PENDING_DEALLOCS_RATIO="0.5").split("\n")
    assert lines[3] == "4 []" and lines[4] == "0 5", lines
