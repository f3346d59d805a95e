"""Counts of cuda.xray of random kernels, beside a model that goes through their threads in Python."""
import pytest
from common import is_emulated
from xray_model import differences


@pytest.mark.skipif(not is_emulated(), reason="a GPU may bring lanes together later")
@pytest.mark.parametrize("seed", [*range(12), 2011, 2024, 2027])
def test_counts_of_a_random_kernel(seed):
    accesses, wrong = differences(seed)
    assert accesses and not wrong, "\n".join(wrong)
