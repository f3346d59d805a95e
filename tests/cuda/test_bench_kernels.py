"""The kernels of the benchmarks give NumPy's results, and so do their loops on the CPU."""
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench"))

import gpu_kernels  # noqa: E402
import kernel_worker  # noqa: E402
import kernels  # noqa: E402
from gpu_kernels import worker  # noqa: E402


@pytest.mark.parametrize("case", kernels.CASES, ids=lambda case: case.name)
def test_kernel(case):
    kernel_worker.check_kernel(case)


def test_loops():
    for case in kernels.CASES:
        kernel_worker.check_loops(case)


@pytest.mark.parametrize("case", gpu_kernels.CASES, ids=lambda case: case.name)
def test_gpu_kernel(case):
    worker.check(worker.Compiled(), case)


def test_gpu_kernels_have_their_twins():
    """Every kernel in Python has one of its name in CUDA C."""
    sources = {theme: (pathlib.Path(gpu_kernels.__file__).parent / f"{theme}.cu").read_text()
               for theme in gpu_kernels.THEMES}
    for case in gpu_kernels.CASES:
        assert f"__global__ void {case.name}(" in sources[case.theme], case.name
    assert sum(text.count("__global__") for text in sources.values()) == len(gpu_kernels.CASES)
