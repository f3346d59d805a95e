"""The kernels of the benchmarks give NumPy's results, and so do their loops on the CPU."""
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench"))

import kernel_worker  # noqa: E402
import kernels  # noqa: E402


@pytest.mark.parametrize("case", kernels.CASES, ids=lambda case: case.name)
def test_kernel(case):
    kernel_worker.check_kernel(case)


def test_loops():
    for case in kernels.CASES:
        kernel_worker.check_loops(case)
