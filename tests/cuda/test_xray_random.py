"""Counts of cuda.xray of random kernels, beside a model that goes through their threads in Python."""
import child
import pytest
from common import is_emulated
from xray_model import differences


@pytest.mark.skipif(not is_emulated(), reason="a GPU may bring lanes together later")
@pytest.mark.parametrize("seed", [*range(12), 2011, 2024, 2027])
def test_counts_of_a_random_kernel(seed):
    accesses, wrong = differences(seed)
    assert accesses and not wrong, "\n".join(wrong)


@pytest.mark.skipif(is_emulated(), reason="only on a GPU lanes part and meet unforeseen")
@pytest.mark.parametrize("seed", [30, 103, 105, 206, 310, 424, 512, 656, 718, 829, 919, 1017, 1143, 1209, 1307, 1344])
def test_an_observed_kernel_of_many_blocks_ends(seed):
    """Each of them has waited for lanes that had gone on without it."""
    child.run(f"""
import xray_model
writer = xray_model.Writer({seed})
writer.grid = 400, 1, 1
xray_model.launched(writer, {seed})""")
